"""Much of everything: correct to the byte, and within bounds. Memory is that of a process which does nothing else."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from muxwright import OutputLimitExceeded, OwnedServer, Pane
from tests.support.judge import Judge
from tests.support.recorder import Recorder
from tests.support.servers import TRANSPORTS, every_transport
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

LINES = 50_000
LINE = "line %05d of a long history, with some text that fills it up to a usual length"
MEMORY = 80 * 1024 * 1024

# Arguments: the kind of host, socket, tmux, and what the work needs. Printed: the answer and the peak of memory.
CLIENT = """
import asyncio, hashlib, json, resource, sys
from muxwright import AsyncServer, Server
from tests.support.blocking import Blocking

kind, path, tmux, *more = sys.argv[1:]
with asyncio.Runner() as runner:
    server = Server(socket_path=path, tmux=tmux)
    if kind.startswith("async"):
        server = Blocking(AsyncServer(socket_path=path, tmux=tmux), runner)
    host = server.connect() if kind.endswith("connection") else server
    answer = None
    {work}
    if host is not server:
        host.close()
if sys.platform == "linux":  # where the other figure begins with that of the process which started us
    status = open("/proc/self/status").read()
    peak = int(status.partition("VmHWM:")[2].split()[0]) * 1024
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([answer, peak]))
"""

CAPTURE = """
    lines = [line for line in host.get_pane(more[0]).capture(start="history", timeout=30).lines if line]
    answer = [len(lines), hashlib.sha256("\\n".join(lines).encode()).hexdigest()]
"""
PASTE = """
    host.get_pane(more[0]).paste(open(more[1], "rb").read(), timeout=30)
"""
SNAPSHOT = """
    answer = sorted([pane.id, pane.window_id] for pane in host.snapshot(timeout=30).panes)
"""

every_kind = pytest.mark.parametrize(
    "kind", [*TRANSPORTS[:2], *(pytest.param(kind, marks=pytest.mark.soak) for kind in TRANSPORTS[2:])]
)


def client(work: str, kind: str, server: OwnedServer, *more: str) -> Any:
    """Let a process of its own do the work; return what it answers, after a look at its memory."""
    done = subprocess.run(
        [sys.executable, "-c", CLIENT.format(work=work), kind, server.socket_path, server.attach_command[0], *more],
        env={**os.environ, "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer, peak = json.loads(done.stdout)
    print(f"{kind}: peak of {peak / 1024 / 1024:.0f} MB")
    assert peak < MEMORY
    return answer


# --- 50,000 lines ---


@pytest.fixture(scope="module")
def long_history(tmux_executable: str) -> Iterator[tuple[OwnedServer, Pane]]:
    """A server with one pane that has printed the lines."""
    program = f'BEGIN {{ for (i = 1; i <= {LINES}; i++) printf "{LINE}\\n", i; print "that was all" }}'
    with OwnedServer(tmux=tmux_executable, configuration=f"set -g history-limit {LINES + 1000}") as owned:
        session = owned.new_session("home", command=["/bin/sh", "-c", 'awk "$1"; sleep 1000', "sh", program])
        pane = session.active_pane()
        wait_until(lambda: "that was all" in pane.capture(), 30, "all lines are printed")
        yield owned, pane


@every_kind
def test_fifty_thousand_lines(kind: str, long_history: tuple[OwnedServer, Pane]) -> None:
    server, pane = long_history
    expected = "\n".join([*(LINE % number for number in range(1, LINES + 1)), "that was all"])
    answer = client(CAPTURE, kind, server, pane.id)
    assert answer == [LINES + 1, hashlib.sha256(expected.encode()).hexdigest()]


@every_kind
def test_a_capture_beyond_its_bound(kind: str, long_history: tuple[OwnedServer, Pane]) -> None:
    """It is refused whole, and the next call gets its own reply."""
    server, pane = long_history
    work = """
    from muxwright import OutputLimitExceeded
    pane = host.get_pane(more[0])
    for _ in range(3):
        try:
            pane.capture(start="history", max_bytes=100_000, timeout=30)
        except OutputLimitExceeded as error:
            answer = str(error)
        assert host.command("display-message", "-p", "own reply") == b"own reply"
    assert len(pane.capture(start=-1000, max_bytes=100_000).lines) == 1048
"""
    assert "larger than the bound of" in client(work, kind, server, pane.id)


@every_transport
def test_the_bound_of_a_capture_is_exact_enough(host: Any, pane: Pane) -> None:
    """Up to the bytes asked for it is given; framing gets a little room of its own."""
    whole = pane.capture(start="history").data
    assert pane.capture(start="history", max_bytes=max(len(whole), 1)).data == whole
    full = host.pane(pane.ref)
    full.host.command(
        "respawn-pane", "-k", "-t", pane.id, "--", "/bin/sh", "-c", "yes 0123456789 | head -n 40; sleep 1000"
    )
    wait_until(lambda: pane.capture().text.count("0123456789") == 40, 20, "forty lines")
    size = len(pane.capture().data)
    assert len(pane.capture(max_bytes=size).data) == size
    with pytest.raises(OutputLimitExceeded):
        host.pane(pane.ref).capture(keep_trailing=True, escapes=True, start=0, max_bytes=1)  # 440 bytes fit the margin
    assert host.command("display-message", "-p", "own reply") == b"own reply"


# --- a large paste ---


@every_kind
def test_a_large_paste(kind: str, server: OwnedServer, tmp_path: Path, seed: int) -> None:
    data = random.Random(seed).randbytes(300_000).replace(b"\0", b"0")
    source = tmp_path / "source"
    source.write_bytes(data)
    recorder = Recorder(tmp_path / "received")
    pane = server.new_session("home", command=recorder.argv).active_pane()
    recorder.ready()
    client(PASTE, kind, server, pane.id, str(source))
    recorder.expect(data)


# --- many panes ---


@pytest.fixture(scope="module")
def many_panes(request: pytest.FixtureRequest, tmux_executable: str) -> Iterator[tuple[int, OwnedServer, Judge]]:
    """A session with windows of two panes each."""
    with OwnedServer(tmux=tmux_executable) as owned:
        judge = Judge(owned.socket_path, tmux_executable)
        owned.new_session("home", command=["sleep", "1000"])
        pair = "new-window -t home: -- sleep 1000\nsplit-window -t home: -- sleep 1000\n"
        script = "split-window -t home: -- sleep 1000\n" + pair * (request.param // 2 - 1)
        done = judge.run("source-file", "-", stdin=script.encode())
        assert done.returncode == 0, done.stderr
        yield request.param, owned, judge


@pytest.mark.parametrize("many_panes", [200, pytest.param(1000, marks=pytest.mark.soak)], indirect=True)
@every_kind
def test_many_panes(kind: str, many_panes: tuple[int, OwnedServer, Judge]) -> None:
    """The snapshot is complete; closing the server (the fixture does) takes its time and no force."""
    count, server, judge = many_panes
    expected = sorted(line.split() for line in judge.lines("list-panes", "-a", "-F", "#{pane_id} #{window_id}"))
    assert len(expected) == count
    assert client(SNAPSHOT, kind, server) == expected
