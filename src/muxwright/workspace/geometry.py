"""Whether panes have room, and how to split so that they have: pure arithmetic, after tmux's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from muxwright.workspace.expansion import ExpandedPane, ExpandedWindow

__all__ = ["Split", "splits"]

_LEAST = 3  # rows or columns that a pane needs to be divided: two cells and the border
_UPWARDS = ("above", "left")


class Split(NamedTuple):
    """How a pane comes to be: it divides the one before it; `tiled` evens the window out afterwards."""

    direction: str
    size: int | str | None = None
    tiled: bool = False


def splits(window: ExpandedWindow, size: tuple[int, int]) -> tuple[list[Split], str | None] | None:
    """Return the splits for all panes but the first and a remark; ``None`` when there is no room for so many.

    Without a layout each pane halves the one before it, while that fits.
    """
    count = len(window.panes)
    if window.layout is None:
        halving = _halving(window.panes[1:], size)
        if halving is not None:
            return halving, None
    evened = _tiled(count, size)
    if evened is None:
        return None
    remark = None
    if window.layout is None:
        remark = f"no room in {size[0]}x{size[1]} to divide the last pane again and again: {count} panes are tiled"
    return evened, remark


def _halving(panes: Sequence[ExpandedPane], size: tuple[int, int]) -> list[Split] | None:
    width, height = size
    found = []
    for pane in panes:
        direction = pane.split or "below"
        sideways = direction in ("right", "left")
        whole = width if sideways else height
        if whole < _LEAST:
            return None
        part = _share(whole, pane.size)
        if sideways:
            width = part
        else:
            height = part
        found.append(Split(direction, pane.size))
    return found


def _share(whole: int, size: int | str | None) -> int:
    """Return how many cells the new pane gets of the one that it divides."""
    if size is None:
        part = (whole + 1) // 2 - 1
    elif isinstance(size, str):
        part = whole * int(size.removesuffix("%")) // 100
    else:
        part = size
    return max(1, min(part, whole - 2))


def _tiled(count: int, size: tuple[int, int]) -> list[Split] | None:
    found = []
    for there in range(1, count):
        width, height = _last_cell(there, size)
        if height >= _LEAST:
            direction = "below"
        elif width >= _LEAST:
            direction = "right"
        else:
            return None
        found.append(Split(direction, None, tiled=True))
    rows, columns = _grid(count)
    if size[0] < 2 * columns - 1 or size[1] < 2 * rows - 1:
        return None
    return found


def _grid(count: int) -> tuple[int, int]:
    rows = columns = 1
    while rows * columns < count:
        rows += 1
        if rows * columns < count:
            columns += 1
    return rows, columns


def _last_cell(count: int, size: tuple[int, int]) -> tuple[int, int]:
    """Return the size of the last pane of a tiled window; a last row that is not full is shared by fewer."""
    rows, columns = _grid(count)
    in_last = count - (rows - 1) * columns
    height = (size[1] - (rows - 1)) // rows
    return (size[0] - (in_last - 1)) // max(in_last, 1), height
