"""Hearing what a pane prints, by whichever route can be had, and noticing its end.

The routes: **pipe** - each byte, through a sink of ours; **output** - each byte, through a control client of our own,
where somebody else holds the pane's pipe and tmux is 3.8 or newer, or on request: on older ones such a client can kill
the server; **poll** - the rows of its screen, looked at again and again, where neither can be.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, cast

from muxwright.errors import (
    MuxwrightError,
    PaneDead,
    PaneNotFound,
    PipeInUse,
    ServerError,
    StaleReference,
    UnsupportedCapability,
)
from muxwright.operations.feed import Feed, PipeSource, Received, Source
from muxwright.operations.listen import holds_pane, session_of
from muxwright.operations.pipe import UNKNOWN, EndReason, PaneState, explain_end, open_pipe, pane_state, watch_program
from muxwright.operations.poll import POLL_SECONDS, PollTail, begin_tail, poll
from muxwright.operations.ring import RING_LIMIT
from muxwright.operations.steps import EndFeed, OpenClient, Operation, Pause, Place, Receive, server_version
from muxwright.refs import PaneRef, SessionId
from muxwright.wire.versions import supports

__all__ = ["Heard", "Route", "Watch", "close_watch", "hear", "open_watch", "program_state"]

Route = Literal["pipe", "output", "poll"]

_TICK = 0.005  # seconds between two looks whether a dead pane's last bytes have arrived
_DRAIN = 0.05  # seconds without a byte after which they have, where the system does not tell
_LONGEST = 1.0  # seconds that they are given in any case
_FIRST_CHECK, _LAST_CHECK = 0.01, 0.5  # seconds between two questions whether a program that ended left its pane dead
_STATUS = 0.25  # seconds that tmux is given for the exit status of a dead pane; some versions never have it


class Heard(NamedTuple):
    """What came: `data` from stream offset `start` on, after `missed` bytes that are gone.

    `gap`: more is missing than can be counted (the poll route, when too much scrolled by). `end`: why nothing more
    comes.
    """

    data: bytes = b""
    start: int = 0
    missed: int = 0
    gap: bool = False
    end: EndReason | None = None


class Watch:
    """An open watch on one pane.

    `route` says how, and `session` whose client takes the output by that route; `state` is what was last known of its
    program; `failure` is how a lost server was noticed.
    """

    def __init__(
        self,
        pane: PaneRef,
        state: PaneState,
        *,
        feed: Feed[Source] | None = None,
        tail: PollTail | None = None,
        session: SessionId | None = None,
    ) -> None:
        self.pane = pane
        self.feed = feed
        self.tail = tail
        self.state = state
        self.session = session
        self.route: Route = "poll" if feed is None else "pipe" if session is None else "output"
        # When to ask tmux about the program next; `None` while its end would be heard.
        self._check_at: float | None = None
        self._pause = _FIRST_CHECK
        self.ending: EndReason | None = None
        self._ends_by = math.inf
        self.failure: MuxwrightError | None = None

    @property
    def epoch(self) -> str | None:
        """The name of the stream that offsets count in; ``None``: only this watch has it."""
        return None if self.feed is None else self.feed.source.epoch

    @property
    def position(self) -> int:
        """The offset that is heard next."""
        return self.tail.delivered if self.tail is not None else self.feed.offset if self.feed is not None else 0

    @property
    def newest(self) -> int:
        """The offset behind the newest byte that has arrived."""
        return self.position if self.feed is None else self.feed.source.ring.end

    def suspect(self, now: float) -> None:
        """Ask tmux soon: the program may have ended."""
        self._pause = _FIRST_CHECK
        self._check_at = now

    def check_later(self, now: float) -> None:
        """Ask again, less and less often."""
        self._check_at = now + self._pause
        self._pause = min(self._pause * 2, _LAST_CHECK)

    def rest(self) -> None:
        """Ask no more: the end of the program will be heard."""
        self._check_at = None

    def due_in(self, now: float) -> float | None:
        """Seconds until tmux has to be asked, if it has to."""
        return None if self._check_at is None else max(self._check_at - now, 0.0)

    def end(self, reason: EndReason, now: float, failure: MuxwrightError | None = None) -> None:
        """Note that nothing more is printed; what was printed may still be on its way."""
        self.ending, self.failure = reason, failure
        self._ends_by = now + _LONGEST

    def overdue(self, now: float) -> bool:
        """Whether what is on its way was waited for long enough."""
        return now >= self._ends_by

    def release(self) -> None:
        """Stop watching; idempotent."""
        if self.feed is not None:
            self.feed.release()


def open_watch(place: Place, pane: PaneRef, route: Route | None = None, keep: int = RING_LIMIT) -> Operation[Watch]:
    """Watch a pane by the route asked for, else by the best that can be had; release the watch in the end.

    Raises `PaneNotFound` (...); with an explicit route also what hinders that one.
    """
    if route in (None, "pipe"):
        try:
            return (yield from _watch_pipe(place, pane, keep))
        except (PaneDead, PipeInUse, UnsupportedCapability):
            if route is not None:
                raise
    state = yield from pane_state(place, pane)
    if route == "output" or (route is None and not state.dead and (yield from _output_is_safe(place))):
        return (yield from _watch_output(place, pane, state, keep))
    return Watch(pane, state, tail=(yield from begin_tail(place, pane)))


def _watch_pipe(place: Place, pane: PaneRef, keep: int) -> Operation[Watch]:
    feed = yield from open_pipe(place, pane, keep)
    watch = Watch(pane, UNKNOWN, feed=feed)
    try:
        watch.state = yield from watch_program(place, feed)
    except PaneNotFound:
        # It was there a moment ago; what it has printed since is heard first.
        watch.end("pane_closed", place.clock())
        return watch
    except BaseException:
        feed.release()
        raise
    if watch.state.dead:
        watch.end("pane_dead", place.clock())
    elif not feed.source.hears_exits:
        watch.check_later(place.clock())
    return watch


def _output_is_safe(place: Place) -> Operation[bool]:
    return supports((yield from server_version(place)), "safe-output-clients")


def _watch_output(place: Place, pane: PaneRef, state: PaneState, keep: int) -> Operation[Watch]:
    session, server = yield from session_of(place, pane)
    feed: Feed[Source] = yield OpenClient(session, server, pane, keep)
    watch = Watch(pane, state, feed=feed, session=session)
    watch.check_later(place.clock())
    return watch


def close_watch(watch: Watch) -> Operation[None]:
    """Stop watching, and wait for the end of a client that took output."""
    if watch.route == "output" and watch.feed is not None:
        yield EndFeed(watch.feed)
    watch.release()


def hear(place: Place, watch: Watch, timeout: float | None = None, limit: int = 1024 * 1024) -> Operation[Heard]:
    """Return what comes next; empty when nothing came within `timeout` seconds (``None``: the operation's deadline).

    What was heard before an end is told before it.
    """
    until = None if timeout is None else place.clock() + timeout
    while True:
        heard = yield from _hear_once(place, watch, until, limit)
        if heard is not None:
            return heard
        if until is not None and place.clock() >= until:
            return Heard()


def _hear_once(place: Place, watch: Watch, until: float | None, limit: int) -> Operation[Heard | None]:
    now = place.clock()
    patience = None if until is None else max(until - now, 0.0)
    if watch.ending is not None and watch.feed is not None:
        return (yield from _last_words(place, watch, watch.ending, patience, limit))
    due = watch.due_in(now)
    waiting = patience if due is None else due if patience is None else min(due, patience)
    if watch.feed is None:
        return (yield from _poll_once(place, watch, waiting))
    received: Received = yield Receive(watch.feed, waiting, limit)
    if received.exited:
        watch.suspect(place.clock())
    if received.data or received.missed:
        return Heard(received.data, received.start, received.missed)
    if received.ended or watch.due_in(place.clock()) == 0:
        yield from _check(place, watch, received.ended)
    return None


def _last_words(
    place: Place, watch: Watch, reason: EndReason, waiting: float | None, limit: int
) -> Operation[Heard | None]:
    """Return what a pane printed before its end, and then that end."""
    assert watch.feed is not None
    source = watch.feed.source
    settled: bool | None = None
    if isinstance(source, PipeSource):
        # In every other case tmux closes the pipe, which ends it.
        settled = source.settled() if reason == "pane_dead" else False
    patience = 0.0 if settled else _DRAIN if settled is None else _TICK
    received: Received = yield Receive(watch.feed, patience if waiting is None else min(patience, waiting), limit)
    if received.data or received.missed:
        return Heard(received.data, received.start, received.missed)
    quiet = settled or (settled is None and (waiting is None or waiting >= _DRAIN))
    if quiet or received.ended or watch.overdue(place.clock()):
        return Heard(end=reason)
    return None


def _poll_once(place: Place, watch: Watch, waiting: float | None) -> Operation[Heard | None]:
    assert watch.tail is not None, "a watch has a feed or a tail"
    yield Pause(POLL_SECONDS if waiting is None else min(POLL_SECONDS, waiting))
    try:
        text, gap = yield from poll(place, watch.tail)
        if text or gap:
            return Heard(text, watch.tail.delivered - len(text), gap=gap)
    except PaneNotFound:
        return Heard(end="pane_closed")
    except (ServerError, StaleReference) as error:
        watch.end("server_lost", place.clock(), error)
        return Heard(end="server_lost")
    return Heard(end="pane_dead") if watch.tail.cursor.dead else None


def _check(place: Place, watch: Watch, ended: bool) -> Operation[None]:
    """Ask tmux about the pane: its program has ended, was replaced, or lives; it was moved, is gone, or only its route.

    `ended`: nothing more is heard.
    """
    watch.check_later(place.clock())
    try:
        if (reason := (yield from _reason(place, watch, ended))) is not None:
            watch.end(reason, place.clock())
    except PaneNotFound:
        watch.end("pane_closed", place.clock())
    except (ServerError, StaleReference) as error:
        watch.end("server_lost", place.clock(), error)


def _reason(place: Place, watch: Watch, ended: bool) -> Operation[EndReason | None]:
    assert watch.feed is not None
    source, before = watch.feed.source, watch.state.pid
    if ended and isinstance(source, PipeSource):
        return (yield from explain_end(place, source))
    watch.state = yield from pane_state(place, watch.pane)
    if watch.state.dead:
        return "pane_dead"
    if ended:
        return "client_lost"
    if watch.session is not None:
        return None if (yield from holds_pane(place, watch.session, watch.pane)) else "pane_moved"
    if watch.state.pid != before:
        yield from _watch_again(place, watch)
    return None


def _watch_again(place: Place, watch: Watch) -> Operation[None]:
    """Watch the program that has taken the place of the one before."""
    assert watch.feed is not None and isinstance(watch.feed.source, PipeSource)
    watch.state = yield from watch_program(place, cast("Feed[PipeSource]", watch.feed))
    if watch.feed.source.hears_exits:
        watch.rest()


def program_state(place: Place, watch: Watch) -> Operation[PaneState]:
    """Return the state of a dead pane, with its exit status if tmux comes to know it."""
    until = place.clock() + _STATUS
    state = yield from pane_state(place, watch.pane)
    while state.dead and state.exit_status is None and not state.signal and place.clock() < until:
        yield Pause(_FIRST_CHECK)
        state = yield from pane_state(place, watch.pane)
    return state
