"""What goes on in a pane until its end is proved: the base of runs and spawned programs."""

from __future__ import annotations

from abc import abstractmethod
from typing import Literal

from muxwright.errors import NotFound, PaneDead, PipeInUse, ServerError, StaleReference, UnsupportedCapability
from muxwright.model.outcome import RunEnd, RunOutcome
from muxwright.operations.collected import Collected
from muxwright.operations.stage import Holder, Lease, Stage
from muxwright.operations.steps import Operation, Pause, Place
from muxwright.operations.watch import Watch, open_watch
from muxwright.refs import PaneRef

__all__ = ["CLOSED", "Work", "follow", "look_once", "watch_again", "watch_pipe"]

CLOSED = ("pane_closed", "pane_dead", "server_lost")
"""Ends of a watch after which the pane's program is gone."""

_KEEP = 1024 * 1024  # bytes of a pane's output that may wait to be read
_CHECK = 0.5  # seconds without output after which other proofs are looked for
_FIRST_POLL, _LAST_POLL = 0.005, 0.05  # seconds between two looks where the pane is not heard
_OTHERS_TURN = 0.02


class Work(Holder):
    """A command or a program in a pane, which is reserved for it while `outcome` is ``None``: it runs or may begin.

    `watch` hears the pane, if that can be; `heard` says whether it was so from the beginning.
    """

    def __init__(self, place: Place, pane: PaneRef, command: str) -> None:
        self.id = place.token()
        self.pane = pane
        self.command = command
        self.outcome: RunEnd | None = None
        self.exit_status: int | None = None
        self.signal: str | None = None
        self.output = Collected()
        self.watch: Watch | None = None
        self.heard = False
        self.stage: Stage | None = None
        self.lease: Lease | None = None
        # Without a reader there is nothing in it; the list is only ever popped and appended to, which threads may do.
        self.turn: list[None] = [None]
        self._clock = place.clock
        self._started = place.clock()
        self._duration = 0.0
        self._next_check = 0.0

    @abstractmethod
    def hear(self, place: Place, watch: Watch, patience: float) -> Operation[None]:
        """Take in what the pane prints within `patience` seconds; finish when that proves the end."""

    @abstractmethod
    def check(self, place: Place) -> Operation[None]:
        """Look for an end without hearing the pane."""

    @abstractmethod
    def withdraw(self) -> bool:
        """Prevent it from beginning; ``False`` when it has begun."""

    def due(self, now: float) -> bool:
        """Whether tmux is to be asked again."""
        if now < self._next_check:
            return False
        self._next_check = now + _CHECK
        return True

    def lose_watch(self) -> None:
        """Go on without hearing the pane."""
        if self.watch is not None:
            self.watch.release()
            self.watch = None
            self.output.miss(0)

    def finish(self, outcome: RunEnd) -> None:
        """Note how it ended, and give back everything that it holds."""
        if self.outcome is None:
            self.outcome = outcome
            self._duration = self._clock() - self._started
            self.output.finish()
        self.close()

    def close(self) -> None:
        """Give back everything; idempotent."""
        if self.watch is not None:
            self.watch.release()
        if self.stage is not None:
            self.stage.remove()
        if self.lease is not None:
            self.lease.release()

    def server_gone(self) -> None:
        self.finish("pane_closed")

    def text(self) -> str:
        """The output, as far as it is kept."""
        return self.output.since(0)[0]

    def result(self, ended: Literal["deadline", "cancelled"] = "deadline") -> RunOutcome[Work]:
        """Return what is known; `ended` says how the waiting ended where the work has not."""
        route: Literal["pipe", "poll"] = "pipe" if self.heard else "poll"
        withdrawn = self.outcome == "no_shell" and ended == "cancelled"
        return RunOutcome(
            outcome=ended if self.outcome is None or withdrawn else self.outcome,
            exit_status=self.exit_status,
            output=self.text(),
            bytes=self.output.size,
            truncated=self.output.truncated,
            route=route,
            duration=self._duration if self.outcome else self._clock() - self._started,
            signal=self.signal,
            job=self if self.outcome is None else None,
        )


def follow(place: Place, work: Work) -> Operation[None]:
    """Wait until it is known how the work ended."""
    pause = _FIRST_POLL
    while work.outcome is None:
        waited = yield from look_once(place, work, _CHECK)
        if work.outcome is None and not waited:
            yield Pause(pause)
            pause = min(pause * 2, _LAST_POLL)


def look_once(place: Place, work: Work, patience: float) -> Operation[bool]:
    """Take in what there is, after at most `patience` seconds; return whether that was waited for."""
    try:
        work.turn.pop()
    except IndexError:
        # Somebody else is reading.
        yield Pause(min(_OTHERS_TURN, patience))
        return True
    try:
        if work.watch is not None:
            yield from work.hear(place, work.watch, patience)
            return True
        yield from work.check(place)
        return False
    finally:
        work.turn.append(None)


def watch_pipe(place: Place, pane: PaneRef) -> Operation[Watch | None]:
    """Return a watch that hears each byte, or ``None`` where none can be had."""
    try:
        return (yield from open_watch(place, pane, "pipe", _KEEP))
    except (PipeInUse, UnsupportedCapability):
        return None


def watch_again(place: Place, pane: PaneRef) -> Operation[Watch | None]:
    """The same after a pipe was cut off: what was printed meanwhile is gone, the rest need not be."""
    try:
        return (yield from watch_pipe(place, pane))
    except (PaneDead, NotFound, StaleReference, ServerError):
        return None
