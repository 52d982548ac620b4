"""The user's server survives us, whatever happens to us; judged from outside."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from muxwright import CancellationToken, OwnedServer
from muxwright.wire.versions import TmuxVersion
from tests.support.judge import Judge
from tests.support.survival import sinks
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

KINDS = ("blocking", "async")
# For what takes seconds: what they share is most of it.
BLOCKING_FIRST = ("blocking", pytest.param("async", marks=pytest.mark.soak))
SLICE, WHOLE = 0.3, 10.0  # seconds for which we are stopped
MIB = 1024 * 1024

linux = pytest.mark.skipif(sys.platform != "linux", reason="the server's memory is read from /proc")


class Survivor:
    """The process of `tests.support.survivor`, and what it has said."""

    def __init__(self, kind: str, server: OwnedServer, tmux: str, panes: list[str]) -> None:
        root = Path(__file__).resolve().parents[2]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.survivor", kind, server.socket_path, tmux, *panes],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root / "src")},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.said: list[str] = []
        self._reader = threading.Thread(target=self._read, args=(self.process.stdout,))
        self._reader.start()

    def _read(self, output: IO[str]) -> None:
        for line in output:
            self.said.append(line.strip())

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def expect(self, pattern: str, after: int = 0) -> int:
        """Wait until a line matches; return how many lines there are up to it."""

        def said() -> int:
            for number, line in enumerate(self.said[after:], after + 1):
                if re.fullmatch(pattern, line):
                    return number
            assert self.process.poll() is None, self.said
            return 0

        return wait_until(said, 40, f"{pattern!r} among {self.said}")


class Panes:
    """A pane that prints for ever, one that prints nothing, and a shell in which a run prints for ever."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        programs = {"loud": "exec yes", "quiet": "exec cat", "shell": "exec sh"}
        self.ids = [
            judge("new-session", "-d", "-s", name, "-P", "-F", "#{pane_id}", program)
            for name, program in programs.items()
        ]

    def pids(self) -> list[str]:
        return [self.judge.show(pane, "pane_pid") for pane in self.ids]

    def piped(self) -> str:
        return "".join([self.judge.show(pane, "pane_pipe") for pane in self.ids])


@contextlib.contextmanager
def _survivor(kind: str, server: OwnedServer, tmux: str, panes: Panes) -> Iterator[Survivor]:
    survivor = Survivor(kind, server, tmux, panes.ids)
    try:
        survivor.expect("ready")
        for pane in panes.ids:
            survivor.expect(f"opened {pane} pipe")
        survivor.expect(f"heard {panes.ids[0]}")
        # The run has begun, and is not only being typed.
        wait_until(lambda: "\ny\ny\n" in panes.judge("capture-pane", "-p", "-t", panes.ids[2]), 20, "the run prints")
        yield survivor
    finally:
        with contextlib.suppress(ProcessLookupError):
            survivor.process.send_signal(signal.SIGCONT)
        survivor.kill()


def _goes_on(judge: Judge, pane: str) -> None:
    """The program in the pane uses more and more of the processor."""
    stat = Path(f"/proc/{judge.show(pane, 'pane_pid')}/stat")
    if sys.platform != "linux":
        assert judge.show(pane, "pane_dead") == "0"
        return

    def ticks() -> int:
        return sum(map(int, stat.read_text().rpartition(")")[2].split()[11:13]))

    before = ticks()
    wait_until(lambda: ticks() > before, 20, "the program goes on")


def _nothing_left(judge: Judge, server: OwnedServer, panes: Panes) -> None:
    """No pipe, no fifo, no client, no process, no file of ours."""
    wait_until(lambda: panes.piped() == "000", 20, "the pipes are closed")
    wait_until(lambda: not judge("list-clients"), 20, "no client is attached")
    base = Path(server.socket_path).parents[1]
    wait_until(lambda: not list(base.glob("muxwright-*/status")), 20, "no fifo is left")
    wait_until(lambda: not sinks(server), 20, "no sink is left")
    # What was run in the shell goes on and needs its files; they go with it.
    judge("send-keys", "-t", panes.ids[2], "C-c")
    wait_until(lambda: not list(base.glob("muxwright-*/frame")), 20, "no file of the run is left")


def _memory(server: OwnedServer) -> int:
    (line,) = re.findall(r"VmRSS:\s*(\d+)", Path(f"/proc/{server.pid}/status").read_text())
    return int(line) * 1024


# --- respawns ---------------------------------------------------------------------------------------------------------


def _respawn(tmux: str, times: int) -> None:
    """Observe, follow and wait on a printing pane that is respawned by a stranger and by us in turn."""
    with OwnedServer(tmux=tmux) as server, contextlib.ExitStack() as stack:
        judge = Judge(server.socket_path, tmux)
        panes = Panes(judge)
        loud = panes.ids[0]
        connection = stack.enter_context(server.connect())
        pane = connection.get_pane(loud)
        watcher = stack.enter_context(connection.watcher())
        watcher.capture_since(pane)
        token = CancellationToken()
        outcomes: list[str] = []
        waiting = threading.Thread(
            target=lambda: outcomes.append(pane.wait_for_text("never", timeout=120, cancel=token).outcome)
        )
        waiting.start()
        stack.callback(waiting.join)
        stack.callback(token.cancel)
        for number in range(times):
            pid = judge.show(loud, "pane_pid")
            if number % 2:
                pane.respawn(kill_running=True, command=["yes"])
            else:
                judge("respawn-pane", "-k", "-t", loud, "exec yes")
            assert judge.alive()
            assert judge.show(loud, "pane_pid") != pid
            with pane.observe_output(max_bytes=64 * MIB) as stream:
                assert stream.take(timeout=30) is not None
        _goes_on(judge, loud)
        stack.close()
        assert outcomes == ["cancelled"]
        assert judge.alive()
        _nothing_left(judge, server, panes)


def test_respawns_under_our_watch(tmux_executable: str) -> None:
    _respawn(tmux_executable, 4)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_respawns_under_our_watch_on_eight_servers(tmux_executable: str) -> None:
    for _ in range(8):
        _respawn(tmux_executable, 10)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_what_a_client_that_takes_output_does(tmux_executable: str) -> None:
    """The same respawns with a plain control client in our place: this is what is avoided before 3.8."""
    deaths = 0
    version = TmuxVersion(0, 0)
    for _ in range(8):
        with OwnedServer(tmux=tmux_executable) as server:
            version = server.describe()[1] if not deaths else version
            judge = Judge(server.socket_path, tmux_executable)
            loud = judge("new-session", "-d", "-s", "loud", "-P", "-F", "#{pane_id}", "exec yes")
            deaths += _dies(judge, loud)
    if version.reaches(TmuxVersion(3, 8)):
        assert deaths == 0
        pytest.skip("this tmux is fixed")
    print(f"a client that takes output: {deaths} of 8 servers of tmux {version} died")
    assert deaths or str(version) not in ("3.3a", "3.7c")


def _dies(judge: Judge, pane: str) -> bool:
    """Whether the server dies of five respawns while a control client of it reads everything."""
    client = subprocess.Popen(
        [judge.tmux, "-u", "-C", "-S", judge.socket_path, "attach-session", "-E", "-t", "=loud"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert client.stdout is not None and client.stdin is not None
    output = client.stdout
    reader = threading.Thread(target=lambda: [None for _ in iter(lambda: os.read(output.fileno(), 65536), b"")])
    reader.start()
    try:
        wait_until(lambda: judge.run("list-clients").stdout, 20, "the client is attached")
        for _ in range(5):
            if judge.run("respawn-pane", "-k", "-t", pane, "exec yes").returncode:
                return True
            time.sleep(0.05)  # why: output has to flow for a while, and nothing announces that it does
        return not judge.alive()
    finally:
        client.stdin.close()
        client.kill()
        client.wait()
        reader.join()
        output.close()


# --- our own ends -----------------------------------------------------------------------------------------------------


def _killed(kind: str, tmux: str) -> None:
    with OwnedServer(tmux=tmux) as server:
        judge = Judge(server.socket_path, tmux)
        panes = Panes(judge)
        pids = panes.pids()
        with _survivor(kind, server, tmux, panes) as survivor:
            # On a busy machine the loud ones may be between two pipes.
            wait_until(lambda: panes.piped() == "111" and len(sinks(server)) >= 3, 20, "all are heard by pipes")
            survivor.kill()
            _nothing_left(judge, server, panes)
        assert judge.alive()
        assert panes.pids() == pids
        _goes_on(judge, panes.ids[0])
        judge("send-keys", "-t", panes.ids[1], "-l", "typed")
        wait_until(lambda: "typed" in judge("capture-pane", "-p", "-t", panes.ids[1]), 20, "the quiet pane echoes")


@pytest.mark.parametrize("kind", KINDS)
def test_our_process_is_killed(tmux_executable: str, kind: str) -> None:
    _killed(kind, tmux_executable)


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", KINDS)
def test_our_process_is_killed_on_eight_servers(tmux_executable: str, kind: str) -> None:
    for _ in range(8):
        _killed(kind, tmux_executable)


def _stopped(kind: str, tmux: str, seconds: float) -> int:
    """Stop our process for so long; return by how much the server's memory grew meanwhile."""
    with OwnedServer(tmux=tmux) as server:
        judge = Judge(server.socket_path, tmux)
        panes = Panes(judge)
        pids = panes.pids()
        with _survivor(kind, server, tmux, panes) as survivor:
            before, said = _memory(server), len(survivor.said)
            survivor.process.send_signal(signal.SIGSTOP)
            # Cut off, so that tmux keeps nothing for it; the quiet pane goes on waiting for it.
            wait_until(lambda: panes.piped() == "010", 20, "the printing panes' pipes are closed")
            end = time.monotonic() + seconds
            most = 0
            while time.monotonic() < end:
                _goes_on(judge, panes.ids[0])
                most = max(most, _memory(server) - before)
                assert judge.alive()
            survivor.process.send_signal(signal.SIGCONT)
            said = survivor.expect(f"lost {panes.ids[0]} (stalled|overflow)", said)
            survivor.expect(f"heard {panes.ids[0]}", said)
            assert not any(line.startswith(("waited", "ran")) for line in survivor.said), "they go on"
        assert panes.pids() == pids
        _nothing_left(judge, server, panes)
    return most


@linux
@pytest.mark.parametrize("kind", BLOCKING_FIRST)
def test_our_process_is_stopped(tmux_executable: str, kind: str) -> None:
    assert _stopped(kind, tmux_executable, SLICE) < 16 * MIB


@linux
@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", KINDS)
def test_our_process_is_stopped_for_ten_seconds(tmux_executable: str, kind: str) -> None:
    growths = [_stopped(kind, tmux_executable, WHOLE) for _ in range(3)]
    print(f"{kind}, stopped for 10 s: the server grew by {', '.join(f'{growth / MIB:.1f}' for growth in growths)} MiB")
    assert max(growths) < 16 * MIB


@linux
@pytest.mark.parametrize("seconds", [SLICE, pytest.param(WHOLE, marks=pytest.mark.soak)])
def test_a_consumer_that_does_not_take(tmux_executable: str, seconds: float) -> None:
    """Its own stream is lost; the pipe, another reader and the server do not notice."""
    with OwnedServer(tmux=tmux_executable) as server:
        judge = Judge(server.socket_path, tmux_executable)
        panes = Panes(judge)
        before = _memory(server)
        with server.connect() as connection:
            pane = connection.get_pane(panes.ids[0])
            with pane.observe_output(max_bytes=MIB) as blocked:
                end = time.monotonic() + seconds
                with pane.observe_output() as reader:
                    while time.monotonic() < end or blocked._observation.watch.newest < 2 * MIB:
                        assert reader.take(timeout=30) is not None
                assert _memory(server) - before < 16 * MIB
                with pytest.raises(Exception, match="more than 1048576 bytes were waiting"):
                    blocked.take()
        _goes_on(judge, panes.ids[0])
        _nothing_left(judge, server, panes)


@pytest.mark.parametrize("kind", BLOCKING_FIRST)
def test_two_processes_watch_one_pane(tmux_executable: str, kind: str) -> None:
    """The second one takes another route, and both hear."""
    with OwnedServer(tmux=tmux_executable) as server:
        judge = Judge(server.socket_path, tmux_executable)
        panes = Panes(judge)
        with _survivor(kind, server, tmux_executable, panes) as survivor, server.connect() as connection:
            pane = connection.get_pane(panes.ids[1])
            with pane.observe_output() as stream:
                assert stream.route in ("poll", "output")
                said = len(survivor.said)
                judge("send-keys", "-t", pane.id, "-l", "both")
                heard = b""
                while b"both" not in heard:
                    output = stream.take(timeout=30)
                    assert output is not None
                    heard += output.data
                survivor.expect(f"heard {pane.id}", said)
            # The loud ones may be between two pipes, on a busy machine.
            assert judge.show(pane.id, "pane_pipe") == "1"
        _nothing_left(judge, server, panes)
