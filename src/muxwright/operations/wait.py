"""Waiting for something to happen in a pane, woken by its output.

One loop hears; a `Judge` decides. Text in the stream that cannot be an echo is decided at once. Everything else is
decided on the screen, where an echo can be recognised: by the line the cursor is in, and by what was typed.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Literal, NamedTuple

from muxwright.errors import DeadlineExceeded, MuxwrightError, PaneNotFound, RequestCancelled
from muxwright.model.waiting import WaitOutcome, WaitResult
from muxwright.operations.pipe import EndReason, PaneState
from muxwright.operations.steps import Operation, Pause, Place
from muxwright.operations.watch import Heard, Route, Watch, close_watch, hear, open_watch, program_state
from muxwright.refs import PaneRef
from muxwright.wire.plain_text import TextFilter

__all__ = ["Judge", "Looks", "Verdict", "wait"]

_TAIL = 4096
_FIRST_PAUSE, _LAST_PAUSE = 0.02, 1.0  # seconds before the pane's pipe is opened again


class Verdict(NamedTuple):
    """What a judge has found: the fields of the result that it knows."""

    outcome: WaitOutcome
    source: Literal["baseline", "output"] | None = None
    pattern: int | None = None
    text: str = ""


class Judge(ABC):
    """Decides when a wait is over."""

    pending: str | None = None
    echo_seen = False

    @abstractmethod
    def begin(self, place: Place) -> Operation[Verdict | None]:
        """Look at what is there already; the pane is watched by now."""

    @abstractmethod
    def patience(self, now: float) -> float | None:
        """Seconds after which `due` is to be called if nothing is heard; ``None``: as long as it takes."""

    @abstractmethod
    def heard(self, data: bytes, text: str, now: float) -> Verdict | None:
        """Take the next output, raw and as text."""

    @abstractmethod
    def due(self, place: Place) -> Operation[Verdict | None]:
        """Do what had to wait; also called once when the time is over or the program has ended."""

    def missed(self, now: float) -> None:  # noqa: B027 - a judge need not mind
        """Take into account that some output was not heard."""

    def forget_look(self) -> None:  # noqa: B027 - a judge need not look
        """Want no look any more: there is nothing to look at."""

    def ended(self, state: PaneState | None) -> Verdict | None:
        """Say what the end of the program means; ``None``: that nothing more can come."""
        return None


class Looks:
    """When to look at the screen: soon after output, but not for each piece of a flood."""

    SOON, OFTEN, BUSY = 0.002, 0.02, 8  # seconds, seconds, and how many times its own length a look is rested from

    def __init__(self) -> None:
        self.at: float | None = None
        self._not_before = 0.0

    def want(self, now: float, delay: float) -> None:
        """Look in `delay` seconds, or earlier if that was wanted before."""
        at = max(now + delay, self._not_before)
        self.at = at if self.at is None else min(self.at, at)

    def patience(self, now: float) -> float | None:
        """Seconds until the next look."""
        return None if self.at is None else max(self.at - now, 0.0)

    def took(self, before: float, now: float) -> None:
        """Note that a look was taken."""
        self.at = None
        self._not_before = now + min((now - before) * self.BUSY, 0.25)


class _Waiting:
    """One wait: what was heard, and how it ends."""

    def __init__(self, place: Place, pane: PaneRef, judge: Judge, timeout: float) -> None:
        self.place = place
        self.pane = pane
        self.judge = judge
        self.timeout = timeout
        self.began = place.clock()
        self.watch: Watch | None = None
        self.state: PaneState | None = None
        self._filter = TextFilter(apart=True)
        self._received = 0
        self._dropped = 0
        self._gap = False
        self._tail = ""
        self._pause = _FIRST_PAUSE

    def take(self, heard: Heard) -> Verdict | None:
        self._received += len(heard.data) + heard.missed
        self._dropped += heard.missed
        if heard.missed or heard.gap:
            self._gap = self._gap or heard.gap
            self.judge.missed(self.place.clock())
        if not heard.data:
            return None
        text = self._filter.feed(heard.data)
        self._tail = (self._tail + text)[-_TAIL:]
        return self.judge.heard(heard.data, text, self.place.clock())

    def reopen(self, end: EndReason, route: Route | None) -> Operation[None]:
        """Watch again after the pipe was lost while the pane lives."""
        assert self.watch is not None, "it was watched"
        self.watch.release()
        self._gap = True
        if end != "pipe_taken":
            yield Pause(self._pause)
            self._pause = min(self._pause * 2, _LAST_PAUSE)
        self.watch = yield from open_watch(self.place, self.pane, None if end == "pipe_taken" else route)
        self.judge.missed(self.place.clock())

    def result(self, verdict: Verdict) -> WaitResult:
        judge, state = self.judge, self.state
        return WaitResult(
            pane=self.pane,
            outcome=verdict.outcome,
            timeout=self.timeout,
            duration=self.place.clock() - self.began,
            route="none" if self.watch is None else self.watch.route,
            source=verdict.source,
            pattern=verdict.pattern,
            text=verdict.text,
            pending=judge.pending,
            echo_seen=judge.echo_seen,
            received_bytes=self._received,
            dropped_bytes=self._dropped,
            gap=self._gap,
            tail=self._tail,
            exit_status=None if state is None else state.exit_status,
            signal="" if state is None else state.signal,
        )


def wait(
    place: Place,
    pane: PaneRef,
    judge: Judge,
    timeout: float,
    act: Callable[[], Operation[None]] | None = None,
    route: Route | None = None,
) -> Operation[WaitResult]:
    """Wait until the judge has found something; `act` is done once everything is armed.

    `timeout` is the budget that the driver gives this operation.
    """
    waiting = _Waiting(place, pane, judge, timeout)
    try:
        try:
            waiting.watch = yield from open_watch(place, pane, route)
            verdict = yield from _until(waiting, act, route)
        except DeadlineExceeded as late:
            verdict = yield from _at_the_end(waiting, late)
        except RequestCancelled:
            verdict = Verdict("cancelled")
        if waiting.watch is not None:
            yield from close_watch(waiting.watch)
    finally:
        if waiting.watch is not None:
            waiting.watch.release()
    return waiting.result(verdict)


def _until(waiting: _Waiting, act: Callable[[], Operation[None]] | None, route: Route | None) -> Operation[Verdict]:
    place, judge = waiting.place, waiting.judge
    verdict = yield from _look(waiting, judge.begin)
    if act is not None and verdict is None:
        yield from act()
    while verdict is None:
        assert waiting.watch is not None
        heard = yield from hear(place, waiting.watch, judge.patience(place.clock()))
        verdict = waiting.take(heard)
        if verdict is None and heard.end is not None:
            verdict = yield from _ended(waiting, heard.end, route)
        patience = judge.patience(place.clock())
        if verdict is None and patience is not None and patience <= 0:
            verdict = yield from _look(waiting, judge.due)
    return verdict


def _look(waiting: _Waiting, look: Callable[[Place], Operation[Verdict | None]]) -> Operation[Verdict | None]:
    """Let the judge look; of a pane that is gone by now, what it printed last is still to be heard."""
    try:
        return (yield from look(waiting.place))
    except PaneNotFound:
        waiting.judge.forget_look()
        return None


def _ended(waiting: _Waiting, end: EndReason, route: Route | None) -> Operation[Verdict | None]:
    assert waiting.watch is not None
    if end == "server_lost":
        assert waiting.watch.failure is not None, "a watch notes how it lost the server"
        raise waiting.watch.failure
    if end not in ("pane_closed", "pane_dead"):
        try:
            yield from waiting.reopen(end, route)
        except PaneNotFound:
            end = "pane_closed"
        else:
            return None
    verdict = None
    if end == "pane_dead":
        with contextlib.suppress(PaneNotFound):
            waiting.state = yield from program_state(waiting.place, waiting.watch)
        verdict = yield from _look(waiting, waiting.judge.due)
    return verdict or waiting.judge.ended(waiting.state) or Verdict("pane_closed")


def _at_the_end(waiting: _Waiting, late: MuxwrightError) -> Operation[Verdict]:
    """Look once more when the time is over; not where it was tmux that did not answer."""
    verdict = None
    if waiting.watch is not None and late.effects == "none":
        try:
            verdict = yield from _look(waiting, waiting.judge.due)
        except MuxwrightError:
            verdict = None
    return verdict or Verdict("deadline")
