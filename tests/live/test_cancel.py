"""A token ends a call that waits, whoever cancels it; the error says what was sent, and the next call is answered."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from muxwright import (
    AsyncServer,
    CancellationToken,
    Connection,
    InvalidArgument,
    OwnedServer,
    Plan,
    RequestCancelled,
    Server,
    Session,
)
from muxwright.operations.steps import Operation
from muxwright.wire.request import Command, Request
from tests.support.judge import Judge
from tests.support.outside import children, descriptors
from tests.support.servers import every_transport
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

LONG = 50.0  # seconds: the deadline that must not be what ends the call


def arrives_and_blocks(channel: str = "channel") -> Operation[None]:
    """Leave a trace in tmux, and then wait for a channel that only the judge signals."""
    yield Request((Command((b"set-option", b"-g", b"@arrived", b"1")), Command((b"wait-for", channel.encode()))))


def arrived(judge: Judge) -> bool:
    return judge("show-options", "-gqv", "@arrived") == "1"


@contextlib.contextmanager
def in_a_thread(action: Callable[[], object]) -> Iterator[None]:
    """Do something in another thread meanwhile; it must have ended in the end."""
    problems: list[BaseException] = []

    def run() -> None:
        try:
            action()
        except BaseException as error:
            problems.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        thread.join(20)
        assert not thread.is_alive() and not problems, problems


def cancel_when(condition: Callable[[], object], token: CancellationToken) -> Callable[[], None]:
    def wait_and_cancel() -> None:
        try:
            wait_until(condition, 20, "the call is under way")
        finally:
            token.cancel()

    return wait_and_cancel


@pytest.fixture
def stopped(server: OwnedServer) -> Iterator[Callable[[], None]]:
    """Stops the server until the end of the test."""
    yield lambda: os.kill(server.pid, signal.SIGSTOP)
    os.kill(server.pid, signal.SIGCONT)


@every_transport
def test_another_thread_ends_a_call_that_waits(host: Any, home: Session, judge: Judge) -> None:
    before, held = children(os.getpid()), descriptors()
    # A channel for each: one that is signalled when nobody waits any more keeps the signal.
    for channel in ("one", "two"):
        token = CancellationToken()
        start = time.monotonic()
        with in_a_thread(cancel_when(lambda: arrived(judge), token)), pytest.raises(RequestCancelled) as caught:
            host.run(arrives_and_blocks(channel), LONG, token)
        assert time.monotonic() - start < LONG / 2
        assert (caught.value.effects, caught.value.sent, caught.value.command) == ("possible", True, "set-option")
        # The queue of a connection's client is still blocked; the next call must get its own answer all the same.
        judge("wait-for", "-S", channel)
        judge("set-option", "-gu", "@arrived")
        assert host.list_sessions("session_name") == [{"session_name": "home"}]
    assert children(os.getpid()) == before
    assert descriptors() == held


@every_transport
def test_a_token_that_was_cancelled_before_sends_nothing(host: Any, home: Session, judge: Judge) -> None:
    token = CancellationToken()
    token.cancel()
    plan = Plan()
    plan.new_session("never")
    calls: list[Callable[[], object]] = [
        lambda: host.run(arrives_and_blocks(), LONG, token),
        lambda: host.snapshot(cancel=token),
        lambda: host.command("set-option", "-g", "@arrived", "1", cancel=token),
        lambda: host.load_buffer("text", cancel=token),
        lambda: host.pane(home.active_pane().ref).capture(cancel=token),
        lambda: host.pane(home.active_pane().ref).paste("text", cancel=token),
        lambda: host.session(home.ref).snapshot(cancel=token),
        lambda: host.window(home.active_window().ref).snapshot(cancel=token),
    ]
    for call in calls:
        with pytest.raises(RequestCancelled, match="cancelled before it was sent") as caught:
            call()
        assert (caught.value.effects, caught.value.sent) == ("none", False)
    for run in (host.run_batch, host.run_group):
        (item,) = run([["set-option", "-g", "@arrived", "1"]], cancel=token)
        assert (item.status, type(item.error)) == ("skipped", RequestCancelled)
    (step,) = host.run_plan(plan, cancel=token)
    assert (step.status, type(step.error)) == ("skipped", RequestCancelled)
    assert not arrived(judge)
    assert judge.lines("list-sessions", "-F", "#{session_name}") == ["home"]
    assert host.get_session("home").ref == home.ref


@every_transport
def test_a_token_that_is_not_cancelled_changes_nothing(host: Any, home: Session) -> None:
    token = CancellationToken()
    assert host.snapshot(cancel=token).session("home").id == home.id
    data = "x" * 300_000
    ref = host.load_buffer(data, cancel=token)
    assert host.save_buffer(ref, cancel=token) == data.encode()
    host.delete_buffer(ref)
    assert not token.cancelled
    with pytest.raises(InvalidArgument, match="cancel is a CancellationToken, not True"):
        host.snapshot(cancel=True)


def test_a_batch_says_what_became_of_each_command(server: OwnedServer, home: Session, judge: Judge) -> None:
    token = CancellationToken()
    commands = [["set-option", "-g", "@arrived", "1"], ["wait-for", "channel"], ["set-option", "-g", "@never", "1"]]
    with in_a_thread(cancel_when(lambda: arrived(judge), token)):
        items = server.run_batch(commands, timeout=LONG, cancel=token)
    # The second may have been sent or not when the first had arrived.
    assert [item.status for item in items][::2] == ["completed", "skipped"]
    assert items[1].status in ("unknown", "skipped")
    assert all(isinstance(item.error, RequestCancelled) for item in items[1:])
    assert judge("show-options", "-gqv", "@never") == ""


def test_a_call_that_waits_for_its_turn(connection: Connection, home: Session, judge: Judge) -> None:
    first, second = CancellationToken(), CancellationToken()
    outcome: list[BaseException] = []
    begun = threading.Event()

    def wait_for_turn() -> None:
        wait_until(lambda: arrived(judge), 20)
        begun.set()
        try:
            connection.snapshot(timeout=LONG, cancel=second)
        except RequestCancelled as error:
            outcome.append(error)
        first.cancel()

    with (
        in_a_thread(wait_for_turn),
        in_a_thread(cancel_when(begun.is_set, second)),
        pytest.raises(RequestCancelled) as caught,
    ):
        connection.run(arrives_and_blocks(), LONG, first)
    (error,) = outcome
    assert isinstance(error, RequestCancelled)
    # Only the call whose turn it was had reached tmux.
    assert (error.effects, caught.value.effects) == ("none", "possible")
    judge("wait-for", "-S", "channel")
    assert connection.get_session("home") == home


def test_a_write_that_tmux_does_not_take(
    connection: Connection, server: OwnedServer, stopped: Callable[[], None], judge: Judge
) -> None:
    token = CancellationToken()
    transport = connection._transport
    stopped()

    def half_written() -> bool:
        writing = transport._writing
        return writing is not None and 0 < sum(writing[2]) < len(writing[0])

    with in_a_thread(cancel_when(half_written, token)), pytest.raises(RequestCancelled) as caught:
        connection.load_buffer(b"x" * 8_000_000, timeout=LONG, cancel=token)
    assert caught.value.effects == "possible"
    os.kill(server.pid, signal.SIGCONT)
    assert connection.command("display-message", "-p", "in step", timeout=LONG) == b"in step"


def test_a_call_that_waits_until_tmux_takes_more(
    server: OwnedServer, home: Session, stopped: Callable[[], None]
) -> None:
    async def main() -> None:
        borrowed = AsyncServer(socket_path=server.socket_path, tmux=server.attach_command[0])
        async with await borrowed.connect() as connection:
            stopped()
            large = asyncio.create_task(connection.load_buffer(b"x" * 8_000_000, timeout=LONG))
            await asyncio.sleep(0)  # why: lets the task begin, which writes at the end of the loop's turn
            while connection._transport._writable.is_set():
                await asyncio.sleep(0)  # why: the socket's buffer fills in a later turn
            token = CancellationToken()
            asyncio.get_running_loop().call_soon(token.cancel)
            with pytest.raises(RequestCancelled, match="before it was sent"):
                await connection.snapshot(timeout=LONG, cancel=token)
            os.kill(server.pid, signal.SIGCONT)
            await connection.delete_buffer(await large)
            assert (await connection.get_session("home")).ref == home.ref

    asyncio.run(main())


def test_a_connection_that_is_being_opened(server: OwnedServer, home: Session, stopped: Callable[[], None]) -> None:
    borrowed = Server(socket_path=server.socket_path, tmux=server.attach_command[0])
    borrowed.client_version()
    before, held = children(os.getpid()), descriptors()
    stopped()
    token = CancellationToken()
    with (
        in_a_thread(cancel_when(lambda: children(os.getpid()) != before, token)),
        pytest.raises(RequestCancelled),
    ):
        borrowed.connect(timeout=LONG, cancel=token)
    assert (children(os.getpid()), descriptors()) == (before, held)


def test_a_signal_handler_may_cancel(host: Server | Connection, home: Session, judge: Judge) -> None:
    token = CancellationToken()
    earlier = signal.signal(signal.SIGUSR1, lambda *_: token.cancel())

    def interrupt() -> None:
        try:
            wait_until(lambda: arrived(judge), 20, "the call is under way")
        finally:
            os.kill(os.getpid(), signal.SIGUSR1)

    try:
        with in_a_thread(interrupt), pytest.raises(RequestCancelled) as caught:
            host.run(arrives_and_blocks(), LONG, token)
    finally:
        signal.signal(signal.SIGUSR1, earlier)
    assert caught.value.effects == "possible"
    judge("wait-for", "-S", "channel")
    assert host.get_session("home").ref == home.ref
