"""The pipe route: a pane's output through ``pipe-pane`` and a sink of our own.

A pipe that is there already is never taken and never closed: its owner may be logging. Ours ends from our side, when
its last reader lets go; a bare ``pipe-pane`` could close somebody else's.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from muxwright.commands import topology
from muxwright.commands.guards import ALIVE, guarded
from muxwright.commands.sink import sink
from muxwright.errors import (
    MuxwrightError,
    PaneNotFound,
    PipeInUse,
    UnsupportedCapability,
)
from muxwright.operations.feed import Feed, PipeSource
from muxwright.operations.ring import RING_LIMIT
from muxwright.operations.steps import Opened, OpenFeed, Operation, Pause, Place, bind, guarded_output
from muxwright.refs import PaneRef
from muxwright.wire.request import Request, Section

__all__ = ["UNKNOWN", "EndReason", "PaneState", "explain_end", "open_pipe", "pane_state", "watch_program"]

EndReason = Literal[
    "pane_closed",
    "pane_dead",
    "server_lost",
    "stalled",
    "pipe_taken",
    "pipe_closed",
    "sink_failed",
    "pane_moved",
    "client_lost",
]
"""Why nothing more is heard: the pane is gone, its program has ended, the server is lost; or only the route is."""

_START = 2.0  # seconds that a sink has to say that it runs
_TRIES = 20
_FAILURES = (1, 126, 127)  # of `dd`: it was cut off or knows no oflag=nonblock; it cannot be run
_LOOKS = 20  # until a pipe that is closed counts as that, and not as the sign of an end that is about to be seen
_RETRY = 0.005  # seconds between two looks whether a pipe of ours is gone from the pane


class PaneState(NamedTuple):
    """What tmux knows of a pane's program. `pid` is 0 for a dead pane; a signal's name is known from 3.4 on."""

    pid: int
    dead: bool
    piped: bool
    exit_status: int | None
    signal: str


UNKNOWN = PaneState(0, False, False, None, "")
"""The state of a pane that nobody could ask any more."""

_STATE = "#{pane_dead} #{pane_pipe} #{pane_dead_status} #{pane_dead_signal} #{pane_pid}"


def _state_words(pane: PaneRef) -> tuple[bytes, ...]:
    return (b"display-message", b"-p", b"-t", pane.id.encode(), _STATE.encode())


def _read_state(section: Section, pane: PaneRef) -> PaneState:
    text = guarded_output(section, pane, _state_words(pane)).decode("ascii", "replace")
    dead, piped, status, signal, pid = text.split(" ")
    return PaneState(int(pid or 0), dead == "1", piped == "1", int(status) if status else None, signal)


def pane_state(place: Place, pane: PaneRef) -> Operation[PaneState]:
    """Return the state of exactly this pane; raises `PaneNotFound`, `StaleReference`."""
    (section,) = yield Request((guarded(_state_words(pane), pane),))
    return _read_state(section, pane)


def open_pipe(place: Place, pane: PaneRef, keep: int = RING_LIMIT) -> Operation[Feed[PipeSource]]:
    """Return a feed of everything that the pane prints from now on; release it in the end.

    Raises `PipeInUse` when somebody else has a pipe there, `PaneDead`, `PaneNotFound` (...), and
    `UnsupportedCapability` when no sink can run (no ``dd`` that knows ``oflag=nonblock``, tmux in another container).
    """
    bind(place, pane)
    while True:
        feed: Feed[PipeSource] = yield OpenFeed(pane, keep)
        try:
            if feed.fresh:
                yield from _start(place, feed)
                return feed
            # Another reader of this process opens it, or has.
            if (yield Opened(feed, _START)) and feed.source.opened:
                return feed
            failure = feed.source.failure
        except BaseException:
            feed.release()
            raise
        feed.release()
        if failure is not None:
            raise failure


def _start(place: Place, feed: Feed[PipeSource]) -> Operation[None]:
    """Start the sink on the pane and wait until it says so."""
    source = feed.source
    try:
        yield from _attach(place, feed)
        if not (yield Opened(feed, _START)) or not source.opened:
            raise UnsupportedCapability(
                "the pipe of a pane", needs="/bin/sh and our directory where the tmux server runs", has="neither seen"
            )
        source.remove_paths()
    except BaseException as error:
        source.fail(error if isinstance(error, MuxwrightError) else None)
        raise


def _attach(place: Place, feed: Feed[PipeSource]) -> Operation[None]:
    pane = feed.source.pane
    text = sink(feed.source.directory)
    # With input too (-I): only then does tmux notice the sink's end while the pane prints nothing.
    words = topology.pipe_pane(pane.id, text, True, True, False)
    state = (*ALIVE, topology.NO_PIPE)
    for attempt in range(_TRIES):
        (section,) = yield Request((guarded(words, pane, state),))
        try:
            guarded_output(section, pane, words, state)
            return
        except PipeInUse:
            if not feed.recent or attempt == _TRIES - 1:
                raise
        # tmux has not yet seen that the pipe we had there is closed.
        yield Pause(_RETRY)


def watch_program(place: Place, feed: Feed[PipeSource]) -> Operation[PaneState]:
    """Let the end of the pane's program count as an event of the feed; return the pane's state.

    Without it a death under ``remain-on-exit`` would go unnoticed: the pipe stays open then.
    """
    pane = feed.source.pane
    state = yield from pane_state(place, pane)
    while not state.dead and state.pid:
        feed.source.watch(state.pid)
        # Read again: a process that took the number of a dead one is not the pane's.
        again = yield from pane_state(place, pane)
        if again.pid == state.pid:
            return again
        state = again
    return state


def explain_end(place: Place, source: PipeSource) -> Operation[EndReason]:
    """Return why a pipe has ended; asks tmux, since an end of the pipe looks the same in most cases.

    Raises `ServerError` or `StaleReference` when the server is gone.
    """
    for look in range(_LOOKS):
        try:
            state = yield from pane_state(place, source.pane)
        except PaneNotFound:
            return "pane_closed"
        if state.dead:
            return "pane_dead"
        if source.status in _FAILURES:
            return "stalled" if source.status == 1 and source.ring.end else "sink_failed"
        if state.piped:
            return "pipe_taken"
        # tmux 3.8 closes the pipe of a program that ends a moment before the pane counts as dead.
        if look < _LOOKS - 1:
            yield Pause(_RETRY)
    return "pipe_closed"
