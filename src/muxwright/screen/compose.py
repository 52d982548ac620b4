"""A window as one screen: its panes where they are, and the borders between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from muxwright.screen.screen import Cursor, Row, Screen
from muxwright.screen.style import DEFAULT, Style

__all__ = ["PlacedPane", "compose"]

# By the neighbours that are borders too: up 1, right 2, down 4, left 8.
_JOINTS = " │─└││┌├─┘─┴┐┤┬┼"
_ACTIVE = Style(foreground=2)


class PlacedPane(NamedTuple):
    """A pane's screen and the place of its first cell in the window; the cursor shown is that of the active one."""

    row: int
    column: int
    screen: Screen
    active: bool = False

    def touches(self, row: int, column: int) -> bool:
        """Whether a cell is in the ring around it."""
        return (
            self.row - 1 <= row <= self.row + self.screen.height
            and self.column - 1 <= column <= self.column + self.screen.width
        )


def compose(panes: Sequence[PlacedPane], width: int, height: int, title: str = "") -> Screen:
    """Return the window; what no pane covers is border, and that around the active pane green, as tmux has it."""
    texts = [[""] * width for _ in range(height)]
    styles = [[DEFAULT] * width for _ in range(height)]
    covered = [[False] * width for _ in range(height)]
    for pane in panes:
        for number, row in enumerate(pane.screen.rows[: height - pane.row], pane.row):
            span = slice(pane.column, min(pane.column + pane.screen.width, width))
            count = span.stop - span.start
            texts[number][span] = row.texts[:count]
            styles[number][span] = row.styles[:count]
            covered[number][span] = [True] * count
    active = next((pane for pane in panes if pane.active), None)
    for row_number in range(height):
        for column in range(width):
            if not covered[row_number][column]:
                texts[row_number][column] = _joint(covered, row_number, column)
                if active is not None and len(panes) > 1 and active.touches(row_number, column):
                    styles[row_number][column] = _ACTIVE
    rows = tuple(Row(tuple(text), tuple(style)) for text, style in zip(texts, styles, strict=True))
    return Screen(rows, width, _cursor(active), title)


def _joint(covered: list[list[bool]], row: int, column: int) -> str:
    def border(near: int, beside: int) -> bool:
        return 0 <= near < len(covered) and 0 <= beside < len(covered[0]) and not covered[near][beside]

    neighbours = (border(row - 1, column), border(row, column + 1), border(row + 1, column), border(row, column - 1))
    return _JOINTS[sum(1 << bit for bit, is_border in enumerate(neighbours) if is_border)]


def _cursor(active: PlacedPane | None) -> Cursor | None:
    if active is None or active.screen.cursor is None:
        return None
    cursor = active.screen.cursor
    return cursor._replace(row=cursor.row + active.row, column=cursor.column + active.column)
