"""Who owns what: forks, the owner's end in all its forms, and descriptors, threads and memory that must not grow."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from muxwright import AsyncServer, Connection, ForkedConnection, OwnedServer, Server, Session
from tests.support.judge import Judge
from tests.support.outside import children, descriptors, processes_naming
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live


def expect_own_reply(host: Any) -> None:
    token = os.urandom(8).hex()
    assert host.command("display-message", "-p", token) == token.encode()


# --- fork ---


def in_child(check: Callable[[], None], *, orderly: bool = False) -> None:
    """Run a check in a forked child and fail with what it raised."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        try:
            check()
        except BaseException as error:
            os.write(write, repr(error).encode())
        os._exit(0)
    os.close(write)
    with open(read, "rb") as said:
        problem = said.read().decode()
    os.waitpid(pid, 0)
    assert problem == ""


def refused(call: Callable[[], Any]) -> None:
    with pytest.raises(ForkedConnection, match="fork"):
        call()


# Python 3.12 and newer warn that other threads may hold locks; pytest's own are all there are.
fork_is_meant = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")


@fork_is_meant
def test_a_forked_child_is_told(connection: Connection, home: Session) -> None:
    pane = connection.pane(home.active_pane().ref)

    def check() -> None:
        for call in (
            connection.snapshot,
            pane.capture,
            lambda: pane.send_text("x"),
            lambda: expect_own_reply(pane.host),
        ):
            refused(call)
        connection.close()
        connection.close()
        gc.collect()

    for _ in range(3):
        in_child(check)
        expect_own_reply(connection)


@fork_is_meant
def test_a_forked_child_of_a_busy_thread(connection: Connection) -> None:
    """The lock may be held by a thread that the child does not have."""
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            expect_own_reply(connection)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(10):
            in_child(lambda: refused(connection.snapshot))
    finally:
        stop.set()
        thread.join()
    expect_own_reply(connection)


def _in_other_process(connection: Connection) -> None:
    refused(connection.snapshot)


@fork_is_meant
def test_multiprocessing_fork(connection: Connection) -> None:
    process = multiprocessing.get_context("fork").Process(target=_in_other_process, args=(connection,))
    process.start()
    process.join(10)
    assert process.exitcode == 0
    process.close()
    expect_own_reply(connection)


@fork_is_meant
def test_an_async_connection_in_a_forked_child(server: OwnedServer, home: Session) -> None:
    async def run() -> None:
        async with await AsyncServer(socket_path=server.socket_path, tmux=server.attach_command[0]).connect() as opened:

            def check() -> None:
                # The loop of the parent runs in this very frame; the child steps the coroutines by hand.
                with pytest.raises(ForkedConnection):
                    opened.snapshot().send(None)
                with pytest.raises(StopIteration):
                    opened.aclose().send(None)

            in_child(check)
            assert await opened.command("display-message", "-p", "mine") == b"mine"

    asyncio.run(run())


@fork_is_meant
def test_a_private_server_outlives_a_forked_child(server: OwnedServer, home: Session, judge: Judge) -> None:
    def check() -> None:
        expect_own_reply(server)  # a process for each call knows nothing of forks
        server.close()
        server.__exit__(None, None, None)

    in_child(check)
    assert judge.alive()
    expect_own_reply(server)


# --- the owner ends ---

OWNER = """
import os, sys, time
from muxwright import OwnedServer

owned = OwnedServer(tmux=sys.argv[1]).start()
session = owned.new_session("home", command=["sleep", "1000"])
session.new_window(command=["yes"])
session.new_window(command=["/bin/sh", "-c", "trap '' HUP; sleep 1000"])
connection = owned.connect()
print(os.path.dirname(owned.socket_path), flush=True)
sys.stdin.readline()
"""

ENDS = {
    "end of the program": "",
    "sys.exit": "sys.exit(0)",
    "exception": "raise RuntimeError('on purpose')",
    "os._exit": "os._exit(0)",
    "exec": "os.execv('/bin/sleep' if os.path.exists('/bin/sleep') else '/usr/bin/sleep', ['sleep', '1000'])",
    "SIGKILL": "os.kill(os.getpid(), 9)",
    "SIGKILL with a forked child": "os.fork() or sys.stdin.read(); os.kill(os.getpid(), 9)",
    "SIGTERM": "os.kill(os.getpid(), 15); time.sleep(60)",
    "forgotten": "del connection, session, owned; time.sleep(60)",
    "exit of a forked child": "pid = os.fork(); pid or sys.exit(0); os.waitpid(pid, 0); owned.describe(); "
    "print(connection.command('display-message', '-p', 'goes on'), flush=True); os.kill(os.getpid(), 9)",
}


@contextlib.contextmanager
def owners(programs: Iterable[str], tmux: str) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Start programs side by side; each is given the tmux to use."""
    started: list[subprocess.Popen[bytes]] = []
    with contextlib.ExitStack() as stack:
        for program in programs:
            owner = subprocess.Popen(
                [sys.executable, "-c", program, tmux],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
            stack.enter_context(owner)
            stack.callback(owner.kill)
            started.append(owner)
        yield started


def said(owner: subprocess.Popen[bytes]) -> str:
    assert owner.stdout is not None
    return owner.stdout.readline().decode().strip()


def test_the_private_server_ends_with_its_owner(tmux_executable: str, base_dir: Path) -> None:
    """Daemon, programs (one ignores the hang-up), control client, the shell that sees to it, directory: all gone."""
    with owners([OWNER + end for end in ENDS.values()], tmux_executable) as started:
        directories = {how: said(owner) for how, owner in zip(ENDS, started, strict=True)}
        for how, owner in zip(ENDS, started, strict=True):
            directory = directories[how]
            assert directory.startswith(str(base_dir)), how
            assert len(processes_naming(directory)) >= 6, how
            assert owner.stdin is not None
            owner.stdin.write(b"\n")
        for how, owner in zip(ENDS, started, strict=True):
            directory = directories[how]
            if how == "exit of a forked child":
                assert said(owner) == "b'goes on'"
            wait_until(lambda: not processes_naming(directory), 20, f"{how}: no process names {directory}")  # noqa: B023
            wait_until(lambda: not os.path.exists(directory), 20, f"{how}: {directory} is gone")  # noqa: B023


@pytest.mark.parametrize("count", [4, pytest.param(100, marks=[pytest.mark.soak, pytest.mark.timeout(600)])])
def test_an_owner_killed_at_any_moment(count: int, tmux_executable: str, base_dir: Path, seed: int) -> None:
    """Also while it starts or ends its server."""
    rng = random.Random(seed)
    program = OWNER.replace("sys.stdin.readline()", "owned.close()").replace("owned = ", "print(flush=True)\nowned = ")
    for _ in range(0, count, 2):
        with owners([program] * 2, tmux_executable) as started:
            for owner in started:
                said(owner)
            for owner in started:
                time.sleep(rng.uniform(0, 0.15))  # why: the moment of its death is the subject
                owner.kill()
        wait_until(lambda: not processes_naming(f"{base_dir}/muxwright-"), 20, "no process is left")
        wait_until(lambda: not list(base_dir.glob("muxwright-*")), 20, "no directory is left")
    print(f"\n{count} owners killed, seed {seed}")


def test_a_tmux_server_started_in_a_pane_is_not_ours(tmux_executable: str, base_dir: Path) -> None:
    """Its panes are somebody else's, whatever happens to the server it was started in."""
    other = Judge(str(base_dir / "other"), tmux_executable)
    owned = OwnedServer(tmux=tmux_executable).start()
    start = [tmux_executable, "-S", other.socket_path, "-f", "/dev/null", "new-session", "-d", "--", "sleep", "1000"]
    owned.new_session("home", command=["/bin/sh", "-c", '"$@"; sleep 1000', "sh", *start])
    wait_until(other.alive, 20, "the other server answers")
    os.kill(owned.pid, signal.SIGKILL)
    owned.close()
    assert other.alive()
    other("kill-server")
    wait_until(lambda: not other.alive(), 20, "the other server has ended")
    os.unlink(other.socket_path)


# --- nothing grows ---


def opened_and_closed(server: Server, kind: str, count: int) -> None:
    if kind == "process":
        for _ in range(count):
            expect_own_reply(server)
    elif kind == "connection":
        for _ in range(count):
            with server.connect() as connection:
                expect_own_reply(connection)
    else:

        async def run() -> None:
            borrowed = AsyncServer(socket_path=server.socket_path, tmux=server.attach_command[0])
            for _ in range(count):
                async with await borrowed.connect() as connection:
                    assert await connection.command("display-message", "-p", "x") == b"x"

        asyncio.run(run(), debug=True)


@pytest.mark.parametrize("kind", ["process", "connection", "async connection"])
@pytest.mark.parametrize("count", [20, pytest.param(200, marks=[pytest.mark.soak, pytest.mark.timeout(300)])])
def test_no_descriptor_thread_or_child_is_left(server: OwnedServer, home: Session, kind: str, count: int) -> None:
    opened_and_closed(server, kind, 1)
    before = (len(descriptors()), threading.active_count(), children(os.getpid()))
    opened_and_closed(server, kind, count)
    gc.collect()
    assert (len(descriptors()), threading.active_count(), children(os.getpid())) == before


def test_private_servers_leave_nothing_in_us(tmux_executable: str) -> None:
    before = (len(descriptors()), threading.active_count(), children(os.getpid()))
    for _ in range(5):
        with OwnedServer(tmux=tmux_executable) as owned:
            owned.new_session("home", command=["sleep", "1000"])
    gc.collect()
    assert (len(descriptors()), threading.active_count(), children(os.getpid())) == before


def test_forgotten_connections_are_closed(server: OwnedServer, home: Session, judge: Judge) -> None:
    before = (len(descriptors()), children(os.getpid()))
    for _ in range(3):
        expect_own_reply(server.connect())
    gc.collect()
    assert (len(descriptors()), children(os.getpid())) == before
    wait_until(lambda: judge("list-clients") == "", 20, "no client is attached")
