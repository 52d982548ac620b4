"""One command, its guard, and a thousand of them in flight."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from benchmarks.measure import Block, Claim, Comparison, Effort, measure, timed, timed_async
from benchmarks.raw import RawClient, place_of, request_of
from benchmarks.servers import TMUX, libtmux_server, private_server
from muxwright import AsyncConnection, AsyncServer, OwnedServer
from muxwright.operations import change, observe

__all__ = ["guard", "one_command", "pipelined"]

WORDS = ("display-message", "-p", "x")


def _connect(runner: asyncio.Runner, server: OwnedServer) -> AsyncConnection:
    async def connect() -> AsyncConnection:
        return await AsyncServer(socket_path=server.socket_path, tmux=TMUX).connect()

    return runner.run(connect())


def one_command(effort: Effort) -> list[Comparison]:
    """`display-message -p x`, one after the other."""
    comparison = Comparison(
        "command",
        "One command, `display-message -p x`",
        (
            Claim("one command, sync connection", "at most", "Connection.command", "raw loop", 1.6),
            Claim("one command, async connection", "at most", "AsyncConnection.command", "raw loop", 2.5),
            Claim("one command, sync connection", "faster", "Connection.command", "libtmux Server.cmd", 20),
            Claim("one command, async connection", "faster", "AsyncConnection.command", "libtmux Server.cmd"),
        ),
    )
    with private_server() as server, asyncio.Runner() as runner:
        server.new_session("home")
        libtmux = libtmux_server(server)
        request = request_of(observe.raw(place_of(server), WORDS))
        with RawClient(server) as raw, server.connect() as connection:
            other = _connect(runner, server)
            contenders = {
                "raw loop": timed(raw.loop(request)),
                "Connection.command": timed(lambda: connection.command(*WORDS)),
                "AsyncConnection.command": timed_async(runner, lambda: other.command(*WORDS)),
                "libtmux Server.cmd": timed(lambda: libtmux.cmd(*WORDS)),
            }
            measure(comparison, contenders, effort)
            runner.run(other.aclose())
    return [comparison]


def guard(effort: Effort) -> list[Comparison]:
    """The same act with and without the guard that proves its target."""
    comparison = Comparison(
        "guard",
        "The guard of an act, `select-pane` on one connection",
        (
            Claim("cost of the guard", "added", "Pane.select", "command('select-pane')", 60e-6),
            Claim("what the guard costs tmux itself", "added", "raw loop, guarded", "raw loop, unguarded"),
            Claim("a guarded act", "at most", "Pane.select", "raw loop, guarded", 1.6),
        ),
    )
    with private_server() as server:
        pane = server.new_session("home").active_pane()
        words = ("select-pane", "-t", pane.id)
        place = place_of(server)
        request = request_of(observe.raw(place, words))
        the_same_guarded = request_of(change.select_pane(place, pane.ref))
        with RawClient(server) as raw, server.connect() as connection:
            guarded = connection.pane(pane.ref)
            contenders = {
                "raw loop, unguarded": timed(raw.loop(request)),
                "raw loop, guarded": timed(raw.loop(the_same_guarded)),
                "command('select-pane')": timed(lambda: connection.command(*words)),
                "Pane.select": timed(guarded.select),
            }
            measure(comparison, contenders, effort)
    return [comparison]


def pipelined(effort: Effort, count: int) -> list[Comparison]:
    """Many commands in flight on one connection."""
    comparison = Comparison(
        "pipelined",
        f"{count:,} commands in flight, `asyncio.gather` on one connection",
        (
            Claim("pipelined commands a second, async", "rate", "AsyncConnection, gather", None, 20_000),
            Claim("pipelined commands a second, raw", "rate", "raw, one write"),
            Claim("pipelined commands, async", "at most", "AsyncConnection, gather", "raw, one write"),
        ),
        per_sample={"AsyncConnection, gather": count, "raw, one write": count},
    )
    with private_server() as server, asyncio.Runner() as runner:
        server.new_session("home")
        request = request_of(observe.raw(place_of(server), WORDS))
        with RawClient(server) as raw:
            connection = _connect(runner, server)

            async def gather() -> None:
                await asyncio.gather(*[connection.command(*WORDS) for _ in range(count)])

            contenders = {
                "raw, one write": _each(timed(raw.pipelined(request, count)), count),
                "AsyncConnection, gather": _each(timed_async(runner, gather), count),
            }
            measure(comparison, contenders, effort)
            runner.run(connection.aclose())
    return [comparison]


def _each(block: Block, count: int) -> Callable[[int], list[float]]:
    """Return the block whose samples are the time for one of the `count` operations in each."""
    return lambda operations: [seconds / count for seconds in block(operations)]
