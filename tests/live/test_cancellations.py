"""Waits, observations, signals and runs given up at random moments: the connection stays usable, nothing is left."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from muxwright import (
    AsyncConnection,
    AsyncPane,
    AsyncServer,
    CancellationToken,
    Connection,
    OwnedServer,
    Pane,
    RequestCancelled,
)
from tests.support.judge import Judge
from tests.support.outside import children, descriptors
from tests.support.survival import sinks
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

SLICE, WHOLE = 40, 1000
LONGEST = 0.03  # seconds after which a call is given up: within its opening, its waiting, or its typing

often = pytest.mark.parametrize(
    "times", [SLICE, pytest.param(WHOLE, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])], ids=["slice", "soak"]
)


def _observe(pane: Pane, token: CancellationToken) -> None:
    with pane.observe_output() as stream:
        stream.take(timeout=30, cancel=token)
        stream.take(timeout=30, cancel=token)


CALLS: dict[str, Callable[[Connection, Pane, CancellationToken], object]] = {
    "wait": lambda connection, pane, token: pane.wait_for_text("never", timeout=30, cancel=token),
    "poll": lambda connection, pane, token: pane.wait_for_text("never", timeout=30, cancel=token, route="poll"),
    "send": lambda connection, pane, token: pane.send_and_wait("x", ["never"], keys=(), timeout=30, cancel=token),
    "observe": lambda connection, pane, token: _observe(pane, token),
    "signal": lambda connection, pane, token: connection.new_signal().wait(timeout=30, cancel=token),
    "run": lambda connection, pane, token: pane.run("sleep 0.02", timeout=30, cancel=token),
}


def _nothing_left(judge: Judge, server: OwnedServer, clients: int) -> None:
    assert judge.alive()
    wait_until(lambda: len(judge("list-clients", "-F", "x").split()) == clients, what="no client but the connection's")
    wait_until(lambda: "1" not in judge("list-panes", "-a", "-F", "#{pane_pipe}"), what="no pipe is left")
    wait_until(lambda: not sinks(server), what="no sink is left")


@often
@pytest.mark.parametrize("call", CALLS)
def test_a_blocking_call_given_up(
    server: OwnedServer, judge: Judge, tmux_executable: str, seed: int, call: str, times: int
) -> None:
    chance = random.Random(f"{seed} {call}")
    session = server.new_session("work", command=["sh"] if call == "run" else ["cat"])
    with server.connect(session) as connection:
        pane = connection.pane(session.active_pane().ref)
        assert call != "run" or pane.wait_ready(timeout=20)
        # What `wait_ready` had there may just be ending.
        processes = wait_until(
            lambda: len(found := children(server.pid)) == 1 and found, what="only the pane's program"
        )
        before = descriptors()
        for _ in range(times):
            token = CancellationToken()
            timer = threading.Timer(chance.uniform(0, LONGEST), token.cancel)
            timer.start()
            outcome: Any = None
            with contextlib.suppress(RequestCancelled):
                outcome = CALLS[call](connection, pane, token)
            timer.join()
            assert call == "run" or outcome is None or outcome.outcome == "cancelled"
            assert connection.describe()[0] == connection.generation
            if call == "run" and outcome is not None and outcome.job is not None:
                assert outcome.job.wait(timeout=20).outcome == "completed"
        _nothing_left(judge, server, 1)
        assert pane.send_and_wait("still here", ["here"], accept_echo=True, timeout=20)
        assert connection.describe()[0] == connection.generation
        wait_until(lambda: descriptors() == before, what="no descriptor is left")
        wait_until(lambda: children(server.pid) == processes, what="no process is left")
    _nothing_left(judge, server, 0)


async def _observe_async(pane: AsyncPane) -> None:
    async with pane.observe_output() as stream:
        await stream.take(timeout=30)
        await stream.take(timeout=30)


ASYNC_CALLS: dict[str, Callable[[AsyncConnection, AsyncPane], Awaitable[object]]] = {
    "wait": lambda connection, pane: pane.wait_for_text("never", timeout=30),
    "poll": lambda connection, pane: pane.wait_for_text("never", timeout=30, route="poll"),
    "send": lambda connection, pane: pane.send_and_wait("x", ["never"], keys=(), timeout=30),
    "observe": lambda connection, pane: _observe_async(pane),
    "signal": lambda connection, pane: connection.new_signal().wait(timeout=30),
}


@often
@pytest.mark.parametrize("call", ASYNC_CALLS)
def test_a_task_cancelled(
    server: OwnedServer, judge: Judge, tmux_executable: str, seed: int, call: str, times: int
) -> None:
    chance = random.Random(f"{seed} {call} async")
    session = server.new_session("work", command=["cat"])

    async def main() -> None:
        owned = AsyncServer(socket_path=server.socket_path, tmux=tmux_executable)
        async with await owned.connect() as connection:
            pane = connection.pane(session.active_pane().ref)
            before = descriptors()
            for _ in range(times):
                task = asyncio.ensure_future(ASYNC_CALLS[call](connection, pane))
                await asyncio.sleep(chance.uniform(0, LONGEST))  # why: the moment is what is tested
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
                assert task.cancelled()
                assert (await connection.describe())[0] == connection.generation
            assert await pane.send_and_wait("still here", ["here"], accept_echo=True, timeout=20)
            assert descriptors() == before
            await asyncio.to_thread(_nothing_left, judge, server, 1)

    asyncio.run(main())
    _nothing_left(judge, server, 0)
