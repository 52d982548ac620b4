"""Ctrl-C and cancellation at any moment: the next call gets its own reply, and nothing broken off is left."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from muxwright import (
    AsyncOwnedServer,
    AsyncServer,
    Connection,
    ConnectionBusy,
    ConnectionClosed,
    MuxwrightError,
    OwnedServer,
    Server,
    Session,
)
from muxwright.transports.spawn import discard, spawn
from tests.support.judge import Judge
from tests.support.outside import children, descriptors, processes_naming
from tests.support.recorder import Recorder
from tests.support.waiting import wait_until

# thread: the clock of these tests is the one that pytest-timeout would use.
pytestmark = [
    pytest.mark.live,
    pytest.mark.timeout(60, method="thread"),
    # Python ignores, and reports, what interrupts a finalizer; a socket or file that was just made when Ctrl-C came is
    # closed by its own. Either is harmless: what is left is counted here.
    pytest.mark.filterwarnings(
        "ignore:Exception ignored in. <(function|socket|_io):pytest.PytestUnraisableExceptionWarning"
    ),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

often = [pytest.mark.soak, pytest.mark.timeout(900, method="thread")]


def _exit(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.fixture(params=["SIGINT"])
def interrupt(request: pytest.FixtureRequest) -> Iterator[Callable[[float, Callable[[], Any]], bool]]:
    """Returns a function that does something, interrupted after so many seconds, and tells whether it was.

    A real signal at a real moment: the timer's handler raises SIGINT, which the default handler turns into
    KeyboardInterrupt wherever the program is; or that handler raises by itself, as many have for SIGTERM.
    """
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    by_itself = request.param == "another"
    before = signal.signal(signal.SIGALRM, _exit if by_itself else lambda *_: signal.raise_signal(signal.SIGINT))

    def run(delay: float, action: Callable[[], Any]) -> bool:
        try:
            signal.setitimer(signal.ITIMER_REAL, delay)
            try:
                action()
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            return True
        return False

    yield run
    signal.signal(signal.SIGALRM, before)


def test_the_clock_is_real(interrupt: Callable[[float, Callable[[], Any]], bool]) -> None:
    assert interrupt(0.01, signal.pause)
    assert not interrupt(5, lambda: None)


def expect_own_reply(host: Any) -> None:
    token = os.urandom(8).hex()
    assert host.command("display-message", "-p", token) == token.encode()


# --- a call ---


@pytest.mark.parametrize("host", ["process", "connection"], indirect=True)
@pytest.mark.parametrize("count", [24, pytest.param(500, marks=often)])
def test_interrupted_calls(
    host: Any, recorder: Recorder, count: int, seed: int, interrupt: Callable[[float, Callable[[], Any]], bool]
) -> None:
    rng = random.Random(seed)
    pane: Any = recorder.pane
    before = (len(descriptors()), children(os.getpid()))
    broken_off = 0
    for turn in range(count):
        large = turn % 6 == 0
        text = f"<{turn}:{'x' * (300_000 if large else 10)}>"
        action = rng.choice(
            [lambda: pane.send_text(text), lambda: pane.paste(text)]  # noqa: B023 - called at once
            if large
            else [
                lambda: expect_own_reply(host),
                host.snapshot,
                pane.capture,
                lambda: pane.send_text(text),  # noqa: B023 - called at once
            ]
        )
        began = time.perf_counter()
        expect_own_reply(host)
        usual = time.perf_counter() - began
        broken_off += interrupt(rng.uniform(1e-6, usual * (20 if large else 1.5)), action)
        expect_own_reply(host)
    assert broken_off > count // 4
    pane.send_text("|end|", timeout=30)
    wait_until(lambda: recorder.received().endswith(b"|end|"), 20, "the end")
    # Each text whole or not at all, in its order, never twice.
    assert re.fullmatch(rb"(<\d+:(x{300000}|x{10})>)*\|end\|", recorder.received())
    turns = [int(found) for found in re.findall(rb"<(\d+):", recorder.received())]
    assert turns == sorted(set(turns))
    gc.collect()
    wait_until(lambda: children(os.getpid()) == before[1], 20, "no child is left")
    assert len(descriptors()) == before[0]
    print(f"\n{broken_off} of {count} calls were interrupted, seed {seed}; {len(turns)} texts arrived")


def test_a_signal_handler_that_calls(connection: Connection, server: OwnedServer) -> None:
    """It is told to use another connection; both go on."""
    seen: list[object] = []

    def handle(*_: object) -> None:
        try:
            expect_own_reply(connection)
        except ConnectionBusy as error:
            seen.append(error)

    before = signal.signal(signal.SIGALRM, handle)
    try:
        for turn in range(200):
            signal.setitimer(signal.ITIMER_REAL, 1e-5 * (turn % 40 + 1))
            expect_own_reply(connection)
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert seen
    expect_own_reply(connection)


def test_a_signal_handler_that_closes(connection: Connection, server: OwnedServer) -> None:
    os.kill(server.pid, signal.SIGSTOP)
    before = signal.signal(signal.SIGALRM, lambda *_: connection.close())
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(ConnectionClosed):
            connection.command("display-message", "-p", "x")
    finally:
        signal.signal(signal.SIGALRM, before)
        os.kill(server.pid, signal.SIGCONT)


def test_a_lock_that_was_never_released() -> None:
    """What an exception from a signal handler can leave in `subprocess.Popen`: the process is ended all the same."""
    process = spawn(["sleep", "1000"], os.environ)
    getattr(process, "_waitpid_lock").acquire()  # noqa: B009 - unknown to the type checker
    discard(process)
    assert process.returncode == -signal.SIGKILL
    assert process.pid not in children(os.getpid())


# --- opening and closing ---


@pytest.mark.parametrize("count", [20, pytest.param(500, marks=often)])
def test_interrupted_connect(
    server: OwnedServer,
    home: Session,
    judge: Judge,
    count: int,
    seed: int,
    interrupt: Callable[[float, Callable[[], Any]], bool],
) -> None:
    rng = random.Random(seed)
    borrowed = Server(socket_path=server.socket_path, tmux=server.attach_command[0])
    before = (len(descriptors()), children(os.getpid()))

    def connect() -> None:
        with borrowed.connect() as connection:
            expect_own_reply(connection)

    broken_off = 0
    usual = 60.0
    for turn in range(count + 1):
        began = time.perf_counter()
        struck = interrupt(rng.uniform(1e-6, usual * 1.1) if turn else usual, connect)
        broken_off += struck
        # The first one may have been slow.
        usual = usual if struck else min(usual, time.perf_counter() - began)
    assert broken_off > count // 4
    gc.collect()
    wait_until(lambda: judge("list-clients") == "", 20, "no client is attached")
    wait_until(lambda: children(os.getpid()) == before[1], 20, "no child is left")
    assert len(descriptors()) == before[0]
    connect()
    print(f"\n{broken_off} of {count} connections were interrupted, seed {seed}")


def private_directories(base: Path) -> list[str]:
    return [str(path) for path in base.glob("muxwright-*")]


@pytest.mark.parametrize("interrupt", ["SIGINT", "another"], indirect=True)
@pytest.mark.parametrize("count", [8, pytest.param(200, marks=often)])
def test_interrupted_owned_server(
    base_dir: Path,
    tmux_executable: str,
    count: int,
    seed: int,
    interrupt: Callable[[float, Callable[[], Any]], bool],
) -> None:
    rng = random.Random(seed)
    before = (len(descriptors()), children(os.getpid()))
    broken_off = 0
    usual = 60.0

    def use(owned: OwnedServer) -> None:
        owned.start()
        owned.new_session("home", command=["sleep", "1000"])
        owned.close()

    for turn in range(count):
        owned = OwnedServer(tmux=tmux_executable)
        began = time.perf_counter()
        struck = interrupt(rng.uniform(1e-6, usual * 1.1) if turn else usual, lambda: use(owned))  # noqa: B023
        broken_off += struck
        # The first one may have been slow.
        usual = usual if struck else min(usual, time.perf_counter() - began)
        owned.close()
    gc.collect()
    assert broken_off > count // 4
    assert private_directories(base_dir) == []
    wait_until(lambda: not processes_naming(f"{base_dir}/muxwright-"), 20, "no process is left")
    assert children(os.getpid()) == before[1]
    assert len(descriptors()) == before[0]
    print(f"\n{broken_off} of {count} private servers were interrupted, seed {seed}")


# --- cancellation ---


@pytest.mark.parametrize("host", ["process"], indirect=True)  # the witness, by way of `recorder`
@pytest.mark.parametrize("kind", ["async process", "async connection"])
@pytest.mark.parametrize("count", [24, pytest.param(500, marks=often)])
def test_cancelled_calls(
    kind: str, server: OwnedServer, home: Session, recorder: Recorder, count: int, seed: int
) -> None:
    rng = random.Random(f"{seed} {kind}")
    complaints: list[dict[str, Any]] = []
    cancelled = 0

    async def own_reply(host: Any) -> None:
        token = os.urandom(8).hex()
        assert await host.command("display-message", "-p", token) == token.encode()

    async def run() -> None:
        nonlocal cancelled
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        borrowed = AsyncServer(socket_path=server.socket_path, tmux=server.attach_command[0])
        host: Any = await borrowed.connect() if kind == "async connection" else borrowed
        pane = host.pane(recorder.pane.ref)
        began = time.perf_counter()
        await own_reply(host)
        usual = time.perf_counter() - began
        for turn in range(count):
            large = turn % 10 == 0
            text = f"<{turn}:{'x' * (300_000 if large else 10)}>"
            calls = [
                pane.send_text(text),
                *([] if large else [own_reply(host), host.snapshot(), pane.capture()]),
            ]
            tasks = [asyncio.ensure_future(call) for call in calls]
            await asyncio.sleep(rng.uniform(0, usual * 1.5))  # why: the moment of the cancellation is the subject
            for task in tasks:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
                cancelled += task.cancelled()
            await own_reply(host)
        await pane.send_text("|end|", timeout=30)
        if kind == "async connection":
            await host.aclose()

    before = (len(descriptors()), children(os.getpid()))
    asyncio.run(run(), debug=True)
    gc.collect()
    assert complaints == []
    assert cancelled > count // 4
    wait_until(lambda: recorder.received().endswith(b"|end|"), 20, "the end")
    assert re.fullmatch(rb"(<\d+:(x{300000}|x{10})>)*\|end\|", recorder.received())
    turns = [int(found) for found in re.findall(rb"<(\d+):", recorder.received())]
    assert turns == sorted(set(turns))
    assert children(os.getpid()) == before[1]
    assert len(descriptors()) == before[0]
    print(f"\n{kind}: {cancelled} calls were cancelled, seed {seed}")


@pytest.mark.parametrize("count", [8, pytest.param(200, marks=often)])
def test_cancelled_opening(base_dir: Path, tmux_executable: str, count: int, seed: int) -> None:
    """A private server and a connection, cancelled anywhere between their start and their end."""
    rng = random.Random(seed)
    complaints: list[dict[str, Any]] = []

    async def use() -> None:
        async with AsyncOwnedServer(tmux=tmux_executable) as owned:
            await owned.new_session("home", command=["sleep", "1000"])
            async with await owned.connect() as connection:
                await connection.snapshot()

    async def run() -> int:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        began = time.perf_counter()
        await use()
        usual = time.perf_counter() - began
        cancelled = 0
        for _ in range(count):
            began = time.perf_counter()
            with suppress(TimeoutError, MuxwrightError):
                async with asyncio.timeout(rng.uniform(0, usual * 1.1)) as limit:
                    await use()
            cancelled += limit.expired()
            # The first one may have been slow.
            usual = usual if limit.expired() else min(usual, time.perf_counter() - began)
        return cancelled

    before = (len(descriptors()), children(os.getpid()))
    cancelled = asyncio.run(run(), debug=True)
    gc.collect()
    assert complaints == []
    assert cancelled > count // 4
    assert private_directories(base_dir) == []
    wait_until(lambda: not processes_naming(f"{base_dir}/muxwright-"), 20, "no process is left")
    assert children(os.getpid()) == before[1]
    assert len(descriptors()) == before[0]


@pytest.mark.parametrize("when", ["before", "during"])
def test_closing_while_calls_wait(server: OwnedServer, home: Session, when: str) -> None:
    """Those that wait are told; nobody waits for ever."""

    async def run() -> None:
        connection = await AsyncServer(socket_path=server.socket_path, tmux=server.attach_command[0]).connect()
        os.kill(server.pid, signal.SIGSTOP)
        tasks = [asyncio.ensure_future(connection.command("list-panes", "-a")) for _ in range(20)]
        if when == "during":
            await asyncio.sleep(0.02)  # why: the requests leave, and nothing tells that they have
        try:
            await connection.aclose()
        finally:
            os.kill(server.pid, signal.SIGCONT)
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert {type(result) for result in results} == {ConnectionClosed}

    asyncio.run(run(), debug=True)
