"""An observation: one reader of what a pane prints, with a bound of its own."""

from __future__ import annotations

from typing import Any, NoReturn

from muxwright.errors import ConnectionLost, InvalidArgument, ObservationLost
from muxwright.model.observed import ObservationBaseline, OutputCursor, PaneOutput
from muxwright.operations.pipe import EndReason
from muxwright.operations.ring import RING_LIMIT
from muxwright.operations.steps import Operation, Place
from muxwright.operations.terminal import capture
from muxwright.operations.watch import Heard, Route, Watch, close_watch, hear, open_watch
from muxwright.refs import PaneRef

__all__ = ["MAX_BYTES", "Observation", "capture_baseline", "close_observation", "open_observation", "take_output"]

MAX_BYTES = 1024 * 1024
"""Bytes that a reader may be behind unless it says otherwise."""

_BOUNDS = range(1, 64 * 1024 * 1024 + 1)
_PIECE = 256 * 1024  # bytes that are handed out at once
_LOST = {
    "stalled": "this process did not read for so long that its pipe was cut off",
    "pipe_taken": "somebody else has taken the pane's pipe",
    "pipe_closed": "somebody else has closed the pane's pipe",
    "sink_failed": "the sink of the pane's pipe could not run",
    "pane_moved": "the pane has left the session whose client took its output",
    "client_lost": "tmux ended the client that took the pane's output",
}

_NAMES: dict[str, str] = {"pane_moved": "target_changed", "client_lost": "connection_lost"}


class Observation:
    """The reader's state. `ended` is set when the pane has printed its last; `lost` when the reader has lost it."""

    def __init__(self, watch: Watch, epoch: str, max_bytes: int) -> None:
        self.watch = watch
        self.max_bytes = max_bytes
        self.offset = watch.position
        self.ended: EndReason | None = None
        self._epoch = epoch
        self._lost: ObservationLost | None = None
        self._taken = False

    @property
    def cursor(self) -> OutputCursor:
        """The place behind what was taken last."""
        return self.at(self.offset)

    def at(self, offset: int) -> OutputCursor:
        """Return a place of this observation."""
        return OutputCursor(self.watch.pane, self._epoch, offset)

    def check(self) -> None:
        """Raise what has ended the observation, if anything; a reader that is too far behind has lost it."""
        if self._lost is None and self.watch.newest - self.offset > self.max_bytes:
            self.lose("overflow", f"more than {self.max_bytes} bytes were waiting to be taken")
        if self._lost is not None:
            raise self._lost

    def lose(self, reason: str, message: str) -> NoReturn:
        """End it; from now on it says why."""
        pane = str(self.watch.pane.id)
        self._lost = ObservationLost(reason, f"the observation of {pane} was lost: {message}", target=pane)
        self.watch.release()
        raise self._lost

    def begin_take(self) -> None:
        """Refuse a second reader."""
        if self._taken:
            raise InvalidArgument("this observation is being read already; each reader needs one of its own")
        self._taken = True

    def end_take(self) -> None:
        """Let the next one take."""
        self._taken = False


def open_observation(
    place: Place,
    pane: PaneRef,
    *,
    after: OutputCursor | None = None,
    route: Route | None = None,
    max_bytes: int = MAX_BYTES,
) -> Operation[Observation]:
    """Observe a pane from now on, or from a place that is still remembered."""
    if isinstance(max_bytes, bool) or not isinstance(max_bytes, int) or max_bytes not in _BOUNDS:
        raise InvalidArgument(f"max_bytes is a number of bytes from 1 to {_BOUNDS.stop - 1}, not {max_bytes!r}")
    if after is not None and after.pane != pane:
        raise ObservationLost("invalid_cursor", f"the cursor is one of {after.pane}, not of {pane}", target=pane.id)
    watch = yield from open_watch(place, pane, route, max(RING_LIMIT, max_bytes))
    try:
        observation = Observation(watch, watch.epoch or place.token(), max_bytes)
        if after is not None:
            _rewind(observation, after)
    except BaseException:
        watch.release()
        raise
    return observation


def close_observation(observation: Observation) -> Operation[None]:
    """Stop observing."""
    yield from close_watch(observation.watch)


def _rewind(observation: Observation, after: OutputCursor) -> None:
    watch = observation.watch
    if watch.feed is None or after.epoch != watch.epoch:
        observation.lose("cursor_expired", "the observation of the cursor has ended; nothing of it is remembered")
    if after.offset > watch.newest:
        observation.lose("invalid_cursor", f"the offset {after.offset} was never reached")
    if after.offset < watch.feed.source.ring.start:
        observation.lose("cursor_expired", f"what followed the offset {after.offset} is no longer remembered")
    watch.feed.rewind(after.offset)
    observation.offset = after.offset


def take_output(place: Place, observation: Observation) -> Operation[PaneOutput | None]:
    """Return what comes next; ``None`` when the pane is gone or its program has ended, and all is taken.

    Raises `ObservationLost`.
    """
    observation.begin_take()
    try:
        observation.check()
        while observation.ended is None:
            heard: Heard = yield from hear(place, observation.watch, limit=_PIECE)
            if heard.missed:
                observation.lose("overflow", f"{heard.missed} bytes were no longer remembered")
            if heard.data:
                observation.offset = heard.start + len(heard.data)
                return PaneOutput(observation.watch.pane, heard.data, observation.cursor, heard.gap)
            if heard.end is not None:
                _end(observation, heard.end)
        return None
    finally:
        observation.end_take()


def _end(observation: Observation, reason: EndReason) -> None:
    if (failure := observation.watch.failure) is not None:
        observation.lose("connection_lost" if isinstance(failure, ConnectionLost) else "server_lost", str(failure))
    if reason in _LOST:
        observation.lose(_NAMES.get(reason, reason), _LOST[reason])
    observation.ended = reason
    observation.watch.release()


def capture_baseline(place: Place, observation: Observation, **options: Any) -> Operation[ObservationBaseline]:
    """Return the screen, between two places of the stream; nothing is taken."""
    before = observation.at(observation.watch.newest)
    screen = yield from capture(place, observation.watch.pane, **options)
    return ObservationBaseline(screen, before, observation.at(observation.watch.newest))
