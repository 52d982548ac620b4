"""Following many panes: what each wrote since it was looked at last, without a client or a task for any of them.

Each pane followed has a pipe of ours. Its bytes wait in a ring until somebody asks; then they become text, which is
kept for a while too, so that an older cursor still gets its answer.
"""

from __future__ import annotations

from muxwright.errors import InvalidArgument, PaneNotFound, ServerError, StaleReference
from muxwright.model.followed import FollowCursor, Since
from muxwright.operations.ring import Ring
from muxwright.operations.steps import Operation, Place
from muxwright.operations.terminal import capture
from muxwright.operations.watch import Watch, hear, open_watch
from muxwright.refs import PaneRef
from muxwright.wire.plain_text import TextFilter

__all__ = ["FOLLOW_BYTES", "Follower", "capture_since"]

FOLLOW_BYTES = 256 * 1024
"""Bytes of a pane's output that are kept, and of its text."""

_MOST = 64 * FOLLOW_BYTES  # bytes that one call takes in, so that a flood does not hold it for ever


class _Tail:
    """What is known of one pane."""

    def __init__(self, watch: Watch, epoch: str) -> None:
        self.watch = watch
        self.epoch = epoch
        self.closed = False
        self.gap_at = 0  # text offset before which something is missing
        self.text = Ring(FOLLOW_BYTES)
        self._filter = TextFilter()

    def take(self, data: bytes) -> None:
        self.text.append(self._filter.feed(data).encode())

    def gap(self) -> None:
        self._filter = TextFilter()
        self.gap_at = self.text.end

    def since(self, offset: int) -> tuple[str, bool]:
        """Return the text from `offset` on, and whether something of it is missing."""
        start = min(max(offset, self.text.start), self.text.end)
        text = self.text.read(start, FOLLOW_BYTES).decode("utf-8", "ignore")
        return text, start != offset or self.gap_at > offset


class Follower:
    """The panes followed; the one that was asked for longest ago gives way when there are more than `capacity`."""

    def __init__(self, capacity: int) -> None:
        if isinstance(capacity, bool) or not isinstance(capacity, int) or not 1 <= capacity <= 1024:
            raise InvalidArgument(f"capacity is a number of panes from 1 to 1024, not {capacity!r}")
        self._capacity = capacity
        self._tails: dict[PaneRef, _Tail] = {}

    def __len__(self) -> int:
        return len(self._tails)

    def get(self, pane: PaneRef) -> _Tail | None:
        """Return the tail of a pane, which now is the one asked for last."""
        tail = self._tails.pop(pane, None)
        if tail is not None:
            self._tails[pane] = tail
        return tail

    def put(self, pane: PaneRef, tail: _Tail) -> None:
        """Keep a tail."""
        self._tails[pane] = tail
        while len(self._tails) > self._capacity:
            self.drop(next(iter(self._tails)))

    def drop(self, pane: PaneRef) -> None:
        """Follow a pane no longer."""
        if (tail := self._tails.pop(pane, None)) is not None:
            tail.watch.release()

    def close(self) -> None:
        """Follow none any longer; idempotent."""
        for pane in list(self._tails):
            self.drop(pane)


def capture_since(place: Place, follower: Follower, pane: PaneRef, cursor: str | None) -> Operation[Since]:
    """Return what the pane wrote since `cursor`; without one, its screen and a cursor to go on from."""
    after = None if cursor is None else FollowCursor.parse(cursor)
    if after is not None and after.pane != pane.id:
        raise InvalidArgument(f"the cursor {cursor} is one of {after.pane}, not of {pane.id}")
    tail = follower.get(pane)
    known = tail is not None and after is not None and after.epoch == tail.epoch and after.offset <= tail.text.end
    if tail is not None and not known:
        # Asked anew: the screen and the tail begin together.
        follower.drop(pane)
    if tail is None or not known:
        return (yield from _begin(place, follower, pane, missed=after is not None))
    assert after is not None
    yield from _catch_up(place, tail)
    text, missed = tail.since(after.offset)
    return _since(pane, tail, text, first=False, missed=missed)


def _since(pane: PaneRef, tail: _Tail, text: str, *, first: bool, missed: bool) -> Since:
    cursor = str(FollowCursor(pane.id, tail.epoch, tail.text.end))
    return Since(pane, text, cursor, first, missed, tail.closed, tail.watch.route)


def _begin(place: Place, follower: Follower, pane: PaneRef, *, missed: bool) -> Operation[Since]:
    watch = yield from open_watch(place, pane, keep=FOLLOW_BYTES)
    tail = _Tail(watch, place.token())
    try:
        # After the tail was opened: nothing falls between the two, but some text may be in both.
        screen = yield from capture(place, pane)
    except BaseException:
        watch.release()
        raise
    tail.closed = watch.state.dead
    follower.put(pane, tail)
    return _since(pane, tail, "\n".join(screen.decode("replace").rstrip().split("\n")), first=not missed, missed=missed)


def _catch_up(place: Place, tail: _Tail) -> Operation[None]:
    """Take in what has arrived."""
    taken = 0
    while not tail.closed and taken < _MOST:
        heard = yield from hear(place, tail.watch, timeout=0.0)
        if heard.missed or heard.gap:
            tail.gap()
        tail.take(heard.data)
        taken += len(heard.data)
        if heard.end is not None:
            yield from _ended(place, tail, heard.end)
        elif not heard.data:
            return


def _ended(place: Place, tail: _Tail, end: str) -> Operation[None]:
    """The pane has ended; or only its pipe has, and it is watched anew."""
    tail.watch.release()
    if end in ("pane_closed", "pane_dead", "server_lost"):
        tail.closed = True
        return
    tail.gap()
    try:
        tail.watch = yield from open_watch(place, tail.watch.pane, keep=FOLLOW_BYTES)
    except (PaneNotFound, StaleReference, ServerError):
        tail.closed = True
