"""The poll route: the rows that a pane's screen has gained since the last look.

A row's place is counted from the first row the pane ever had: those that have scrolled out, and the row on the screen.
That count breaks when the history is cleared or full, or when a program draws over the screen. So the row before the
new ones is compared with what it was, and where it differs, the screen is given anew and the gap is said.
"""

from __future__ import annotations

from collections.abc import Sequence

from muxwright.operations.look import Cursor, read_rows
from muxwright.operations.steps import Operation, Place
from muxwright.refs import PaneRef

__all__ = ["POLL_SECONDS", "PollTail", "begin_tail", "poll"]

POLL_SECONDS = 0.03
"""Seconds between two looks."""

_TRIES = 3
_MOST_ROWS = 2000  # that one look goes back; a capture of more would keep the server busy for too long


class PollTail:
    """How far the rows of a pane have been told. `delivered` counts the bytes."""

    def __init__(self, pane: PaneRef, cursor: Cursor, rows: Sequence[str]) -> None:
        self.pane = pane
        self.delivered = 0
        self._remember(cursor, rows)

    def _remember(self, cursor: Cursor, rows: Sequence[str]) -> None:
        """Note what has been told: everything up to the cursor; `rows` are those of the screen."""
        self.cursor = cursor
        self._next = cursor.history + cursor.y
        self._before = rows[cursor.y - 1] if cursor.y else None
        self._partial = rows[cursor.y]
        self._screen = tuple(rows)

    @property
    def start(self) -> int:
        """The row to look at from: the last one that is finished, above the screen if negative."""
        return self._next - self.cursor.history - 1

    def advance(self, cursor: Cursor, first: int, rows: Sequence[str]) -> tuple[str, bool] | None:
        """Return the new text and whether there is a gap before it; ``None`` when the rows begin too late.

        `rows` are those from row `first` of the screen on (negative: of the history) to its bottom.
        """
        screen = rows[max(-first, 0) :] if first <= 0 else [*self._screen[:first], *rows]
        anchor = self._next - 1 - cursor.history - first
        if anchor < 0 and self._next > 0 and cursor.history - self.cursor.history <= _MOST_ROWS:
            return None
        text = self._text(cursor, rows, anchor)
        gap = text is None
        if text is None:
            text = "" if tuple(screen) == self._screen else "\n".join(screen[: cursor.y + 1])
        self._remember(cursor, screen)
        self.delivered += len(text.encode())
        return text, gap and bool(text)

    def _text(self, cursor: Cursor, rows: Sequence[str], anchor: int) -> str | None:
        """Return the text behind row `anchor` of `rows`; ``None`` when that row is not what it was."""
        last = len(rows) - cursor.height + cursor.y
        same = (cursor.width, cursor.alternate) == (self.cursor.width, self.cursor.alternate)
        if not same or cursor.alternate or cursor.history < self.cursor.history or not -1 <= anchor < last:
            return None
        if self._before is not None and (anchor < 0 or rows[anchor] != self._before):
            return None
        new = list(rows[anchor + 1 : last + 1])
        new[0] = new[0][len(self._partial) :] if new[0].startswith(self._partial) else "\r" + new[0]
        return "\n".join(new)


def begin_tail(place: Place, pane: PaneRef) -> Operation[PollTail]:
    """Return a tail that begins at the cursor: what stands on the screen now counts as told."""
    cursor, rows = yield from read_rows(place, pane, 0)
    return PollTail(pane, cursor, rows)


def poll(place: Place, tail: PollTail) -> Operation[tuple[bytes, bool]]:
    """Return the text that is new, and whether something is missing before it."""
    start = tail.start
    for _ in range(_TRIES):
        first = max(min(start, 0), -_MOST_ROWS)
        cursor, rows = yield from read_rows(place, tail.pane, first)
        first = max(first, -cursor.history)
        if (found := tail.advance(cursor, first, rows)) is not None:
            return found[0].encode(), found[1]
        # Rows have scrolled out since the last look: go back as far as they have.
        start = tail.start - (cursor.history - tail.cursor.history) - cursor.height
    return b"", False
