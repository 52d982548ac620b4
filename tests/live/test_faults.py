"""The server dies, freezes, talks too much or throws us out: every call ends in time and says what happened.

Leaks are judged from outside: the process table and the file system are read, the library is not asked.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from muxwright import (
    AsyncServer,
    Connection,
    ConnectionLost,
    DeadlineExceeded,
    MuxwrightError,
    OwnedServer,
    OwnedServerCleanupError,
    Server,
    ServerError,
    Session,
)
from muxwright.refs import SessionId
from muxwright.transports.blocking import ControlTransport
from muxwright.transports.deadline import Deadline
from muxwright.transports.endpoint import Endpoint
from muxwright.wire.request import Command, Request
from tests.support.judge import Judge
from tests.support.outside import children, processes_naming
from tests.support.recorder import Recorder
from tests.support.servers import TRANSPORTS, every_transport, open_host
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

DEADLINE = 2.0
MARGIN = 1.0  # how much later than its deadline a call may end

PROGRAMS = {
    "quiet": ["sleep", "1000"],
    "printing": ["yes"],
    "stubborn": ["/bin/sh", "-c", "trap '' HUP; sleep 1000"],
    "stubborn and printing": ["/bin/sh", "-c", "trap '' HUP; yes"],
}


def nothing_left(directory: str) -> None:
    """Assert that no process knows the directory and that it is gone."""
    wait_until(lambda: not processes_naming(directory), 20, f"no process names {directory}")
    assert not os.path.exists(directory)


def directory_of(server: OwnedServer) -> str:
    return os.path.dirname(server.socket_path)


def echo(host: Any, token: str, timeout: float = 5.0) -> Any:
    """Ask for a token of our own (awaitable on an async host)."""
    return host.command("display-message", "-p", token, timeout=timeout)


def expect_own_replies(host: Any, count: int = 3) -> None:
    for _ in range(count):
        token = os.urandom(8).hex()
        assert echo(host, token) == token.encode()


# --- the daemon is killed ---


def calls(host: Any, session: str, pane: Any, rng: random.Random) -> Callable[[], Any]:
    """One call of a mixed workload."""
    token = f"{rng.getrandbits(64):016x}"
    return rng.choice(
        [
            lambda: echo(host, token, DEADLINE),
            lambda: host.snapshot(timeout=DEADLINE),
            lambda: host.list_panes("pane_id", "pane_title", timeout=DEADLINE),
            lambda: pane.capture(timeout=DEADLINE),
            lambda: pane.send_text(token * rng.choice((1, 1000)), timeout=DEADLINE),
            lambda: pane.paste(token.encode() * rng.choice((1, 20_000)), timeout=DEADLINE),
            lambda: host.command("new-window", "-d", "-t", session, "--", "sleep", "1000", timeout=DEADLINE),
        ]
    )


def timed(call: Callable[[], Any]) -> MuxwrightError | None:
    """Make a call; it returns or raises an error of ours within its deadline and the margin."""
    started = time.monotonic()
    try:
        call()
    except MuxwrightError as error:
        return error
    finally:
        assert time.monotonic() - started < DEADLINE + MARGIN
    return None


def until_lost(make: Callable[[], Callable[[], Any]]) -> None:
    """Call until the server is found dead, then some more: all of them fail, soon."""
    while not isinstance(timed(make()), ServerError):
        pass
    assert all(isinstance(timed(make()), ServerError) for _ in range(3))


async def until_lost_async(make: Callable[[], Callable[[], Any]]) -> None:
    """Twenty tasks call until each has found the server dead."""

    async def worker() -> None:
        while True:
            started = time.monotonic()
            try:
                await make()()
            except ServerError:
                return
            except MuxwrightError:
                pass
            finally:
                assert time.monotonic() - started < DEADLINE + MARGIN

    await asyncio.gather(*(worker() for _ in range(20)))


def kill_once(kind: str, tmux: str, rng: random.Random) -> None:
    """Kill the daemon at a random moment of a workload and look for what is left."""
    owned = OwnedServer(tmux=tmux).start()
    directory = directory_of(owned)
    session = owned.new_session("home", command=PROGRAMS["quiet"])
    for program in rng.sample(list(PROGRAMS), 2):
        session.new_window(command=PROGRAMS[program])
    session_id, pane_ref = session.id, session.active_pane().ref
    killer = threading.Timer(rng.uniform(0.001, 0.12), os.kill, (owned.pid, signal.SIGKILL))

    async def run() -> None:
        server = AsyncServer(socket_path=owned.socket_path, tmux=tmux)
        host = await server.connect() if kind.endswith("connection") else server
        killer.start()
        await until_lost_async(lambda: calls(host, session_id, host.pane(pane_ref), rng))
        if host is not server:
            await host.aclose()  # type: ignore[union-attr]  # a connection

    if kind.startswith("async"):
        asyncio.run(run(), debug=False)
    else:
        server = Server(socket_path=owned.socket_path, tmux=tmux)
        host = server.connect() if kind == "connection" else server
        killer.start()
        until_lost(lambda: calls(host, session_id, host.pane(pane_ref), rng))
        if isinstance(host, Connection):
            host.close()
    killer.join()
    started = time.monotonic()
    owned.close()
    assert time.monotonic() - started < 3
    nothing_left(directory)


@pytest.mark.parametrize("kind", TRANSPORTS)
def test_killed_daemon(kind: str, tmux_executable: str, seed: int) -> None:
    rng = random.Random(f"{seed} {kind}")
    for _ in range(3):
        kill_once(kind, tmux_executable, rng)


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", TRANSPORTS)
def test_killed_daemon_often(kind: str, tmux_executable: str, seed: int) -> None:
    rng = random.Random(f"{seed} {kind}")
    started = time.monotonic()
    for _ in range(50):
        kill_once(kind, tmux_executable, rng)
    print(f"\n{kind}: daemon killed 50 times, seed {seed}, {time.monotonic() - started:.0f} s, nothing left")


@pytest.mark.parametrize("program", PROGRAMS)
def test_nothing_is_left_of_any_program(program: str, tmux_executable: str) -> None:
    """Also in the orderly case: what ignores the hang-up is ended by force."""
    with OwnedServer(tmux=tmux_executable) as owned:
        directory = directory_of(owned)
        owned.new_session("home", command=PROGRAMS[program])
    nothing_left(directory)


# --- the daemon is frozen ---


@pytest.fixture
def frozen(server: OwnedServer) -> Iterator[Callable[[bool], None]]:
    """Freezes (True) and continues (False) the daemon."""

    def set_frozen(stop: bool) -> None:
        os.kill(server.pid, signal.SIGSTOP if stop else signal.SIGCONT)

    yield set_frozen
    set_frozen(False)


def overdue(call: Callable[[], Any], timeout: float) -> DeadlineExceeded:
    """Make a call that must exceed its deadline, in time."""
    started = time.monotonic()
    with pytest.raises(DeadlineExceeded) as caught:
        call()
    assert timeout * 0.9 < time.monotonic() - started < timeout + MARGIN
    return caught.value


@every_transport
def test_frozen_daemon(host: Any, frozen: Callable[[bool], None]) -> None:
    before = children(os.getpid())
    for _ in range(2):
        frozen(True)
        for number in range(4):
            error = overdue(partial(echo, host, f"late{number}", 0.1), 0.1)
            assert error.effects == "possible"
            assert error.command == "display-message"
        frozen(False)
        expect_own_replies(host)
    assert children(os.getpid()) == before


@every_transport
def test_frozen_daemon_and_full_pipe(
    host: Any, recorder: Recorder, frozen: Callable[[bool], None], judge: Judge
) -> None:
    """What was begun arrives whole and once; what came after it never left, and says so."""
    pane: Any = recorder.pane
    connected = "Connection" in repr(host)
    big = "0123456789" * 100_000
    frozen(True)
    assert overdue(lambda: pane.send_text(big, timeout=0.3), 0.3).effects == "possible"
    for _ in range(2):
        effects = overdue(lambda: pane.send_text("small", timeout=0.1), 0.1).effects
        assert effects == ("none" if connected else "possible")
    frozen(False)
    expect_own_replies(host)
    if connected:
        recorder.expect_nothing_but_more(big.encode(), lambda marker: pane.send_text(marker, timeout=30))
    else:
        # A process may have said what it wanted before it was killed; it never says it twice.
        pane.send_text("|marker|", timeout=30)
        wait_until(lambda: recorder.received().endswith(b"|marker|"), 20, "the marker")
        assert recorder.received().removesuffix(b"|marker|") in (b"", b"small", b"smallsmall")


def test_a_frozen_daemon_is_removed_by_force(tmux_executable: str) -> None:
    owned = OwnedServer(tmux=tmux_executable).start()
    directory = directory_of(owned)
    session = owned.new_session("home", command=PROGRAMS["stubborn"])
    session.new_window(command=PROGRAMS["printing"])
    os.kill(owned.pid, signal.SIGSTOP)
    started = time.monotonic()
    with pytest.raises(OwnedServerCleanupError, match="had to be killed"):
        owned.close()
    assert time.monotonic() - started < 2.5
    nothing_left(directory)
    owned.close()


def test_the_primary_error_comes_first(tmux_executable: str) -> None:
    def fail() -> None:
        with OwnedServer(tmux=tmux_executable) as owned:
            os.kill(owned.pid, signal.SIGSTOP)
            raise ValueError("primary")

    with pytest.raises(ExceptionGroup) as caught:
        fail()
    assert [type(error) for error in caught.value.exceptions] == [ValueError, OwnedServerCleanupError]


# --- the control client is thrown out ---


@pytest.mark.parametrize("kind", ["connection", "async connection"])
@pytest.mark.parametrize("how", ["SIGKILL", "detach", "kill session"])
def test_the_client_ends(kind: str, how: str, server: OwnedServer, home: Session, judge: Judge) -> None:
    with asyncio.Runner() as runner:
        host: Any = open_host(kind, server.socket_path, server.attach_command[0], runner)
        expect_own_replies(host)
        if how == "SIGKILL":
            os.kill(host.client_pid, signal.SIGKILL)
        elif how == "detach":
            judge("detach-client", "-t", judge("list-clients", "-F", "#{client_name}"))
        else:
            judge("kill-session", "-t", home.id)
        for _ in range(3):
            # Until tmux has noticed, it still answers.
            error = wait_until(lambda: timed(lambda: echo(host, "lost", DEADLINE)), 20, "a call fails")
            assert isinstance(error, ConnectionLost)
            assert error.reason
        before = children(os.getpid())
        host.close()
        host.close()
        assert len(children(os.getpid())) == len(before) - 1


# --- much is said ---


def renames(judge: Judge, window: str, count: int = 1000) -> None:
    """Rename a window often; each time every control client is told."""
    script = "".join(f"rename-window -t {window} name{number}\n" for number in range(count))
    assert judge.run("source-file", "-", stdin=script.encode()).returncode == 0


@every_transport
def test_a_flood_of_notifications(host: Any, home: Session, judge: Judge) -> None:
    window = judge.show(home.id, "window_id")
    renames(judge, window)
    expect_own_replies(host)
    flood = threading.Thread(target=renames, args=(judge, window, 2000))
    flood.start()
    while flood.is_alive():
        expect_own_replies(host, 1)
    flood.join()
    assert host.list_windows("window_name") == [{"window_name": "name1999"}]


def test_notifications_without_end_do_not_stop_the_clock(tmp_path: Path, home: Session, server: OwnedServer) -> None:
    """A server that talks all the time and never answers; a script stands for it."""
    script = tmp_path / "talker"
    script.write_text(
        "#!/bin/sh\necho '%begin 1 1 0'; echo '%end 1 1 0'; echo '%session-changed $0 a'\n"
        "while echo '%window-renamed @0 again'; do :; done\n"
    )
    script.chmod(0o700)
    known = server.describe()
    opened = ControlTransport.open(Endpoint(server.socket_path, str(script)), SessionId("$0"), known, Deadline.after(5))
    try:
        request = Request((Command((b"display-message", b"-p", b"x")),))
        assert overdue(lambda: opened.execute(request, Deadline.after(0.3)), 0.3).effects == "possible"
    finally:
        opened.close()


# --- many threads ---


@pytest.mark.parametrize("count", [250, pytest.param(2500, marks=[pytest.mark.soak, pytest.mark.timeout(300)])])
def test_threads_get_their_own_replies(connection: Connection, count: int, seed: int) -> None:
    """Eight threads on one connection; some calls are too late on purpose."""
    wrong: list[object] = []
    late = 0

    def work(number: int) -> None:
        nonlocal late
        rng = random.Random(f"{seed} {number}")
        for turn in range(count):
            token = f"{number}-{turn}"
            try:
                answer = echo(connection, token, rng.choice((5.0, 5.0, 5.0, 0.0003)))
            except DeadlineExceeded:
                late += 1
            except BaseException as error:
                wrong.append(error)
            else:
                if answer != token.encode():
                    wrong.append((token, answer))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert 0 < late < 8 * count
    expect_own_replies(connection)
