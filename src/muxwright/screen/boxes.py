"""Characters that are drawn and not written: lines, blocks, shades, Braille and Powerline's triangles.

A font's own glyphs leave gaps when its line is lower than the cell. These fill their cell exactly, so lines meet.
Coordinates are those of the cell; for whole numbers of width, height and thickness, straight edges are whole too.
"""

from __future__ import annotations

import math
import unicodedata
from functools import lru_cache
from typing import Literal, NamedTuple

__all__ = ["Drawing", "draw", "is_drawn"]

Point = tuple[float, float]
Polygon = tuple[Point, ...]
Side = Literal["left", "right", "up", "down"]


class Drawing(NamedTuple):
    """Polygons to fill with the text's colour, at `opacity`."""

    polygons: tuple[Polygon, ...]
    opacity: float = 1.0


_SHADES = {"░": 0.25, "▒": 0.5, "▓": 0.75}
_QUADRANTS = {
    "▖": "3",
    "▗": "4",
    "▘": "1",
    "▙": "134",
    "▚": "14",
    "▛": "123",
    "▜": "124",
    "▝": "2",
    "▞": "23",
    "▟": "234",
}
_TRIANGLES = {"\ue0b0": ((0, 0), (1, 0.5), (0, 1)), "\ue0b2": ((1, 0), (0, 0.5), (1, 1))}
# Bits of a Braille pattern, by column and row of its dot.
_DOTS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))
_DASHES = {"DOUBLE": 2, "TRIPLE": 3, "QUADRUPLE": 4}
_WEIGHTS = {"LIGHT": 1, "SINGLE": 1, "HEAVY": 2, "DOUBLE": 3}
_SIDES: dict[str, tuple[Side, ...]] = {
    "LEFT": ("left",),
    "RIGHT": ("right",),
    "UP": ("up",),
    "DOWN": ("down",),
    "HORIZONTAL": ("left", "right"),
    "VERTICAL": ("up", "down"),
}


def is_drawn(character: str) -> bool:
    """Return whether `draw` knows it."""
    return "\u2500" <= character <= "\u259f" or "\u2800" <= character <= "\u28ff" or character in _TRIANGLES


@lru_cache(maxsize=4096)
def draw(character: str, width: float, height: float, thick: float) -> Drawing:
    """Return how to draw a character for which `is_drawn` holds; `thick`: the thickness of a light line."""
    if character in _TRIANGLES:
        return Drawing((tuple((x * width, y * height) for x, y in _TRIANGLES[character]),))
    if character >= "\u2800":
        return _braille(ord(character) - 0x2800, width, height)
    if character in _SHADES:
        return Drawing((_rectangle(0, 0, width, height),), _SHADES[character])
    if character >= "\u2580":
        return Drawing(tuple(_block(character, width, height)))
    name = unicodedata.name(character).removeprefix("BOX DRAWINGS ").split()
    if "DIAGONAL" in name or "CROSS" in name:
        return _diagonals(name, width, height, thick)
    if "ARC" in name:
        return _arc(name, width, height, thick)
    if "DASH" in name:
        return _dashes(name, width, height, thick)
    return Drawing(tuple(_lines(_arms(name), width, height, thick)))


def _rectangle(left: float, top: float, right: float, bottom: float) -> Polygon:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _braille(bits: int, width: float, height: float) -> Drawing:
    size = min(width / 2, height / 4) * 0.55
    dots = []
    for bit, (column, row) in enumerate(_DOTS):
        if bits >> bit & 1:
            left, top = width * (column + 0.5) / 2 - size / 2, height * (row + 0.5) / 4 - size / 2
            dots.append(_rectangle(left, top, left + size, top + size))
    return Drawing(tuple(dots))


def _block(character: str, width: float, height: float) -> list[Polygon]:
    code = ord(character)
    if character in _QUADRANTS:
        halves = {"1": (0, 0), "2": (1, 0), "3": (0, 1), "4": (1, 1)}
        middle, centre = round(width / 2), round(height / 2)
        return [
            _rectangle(
                middle if right else 0, centre if low else 0, width if right else middle, height if low else centre
            )
            for right, low in (halves[quadrant] for quadrant in _QUADRANTS[character])
        ]
    if character == "▀":
        return [_rectangle(0, 0, width, round(height / 2))]
    if character == "▐":
        return [_rectangle(round(width / 2), 0, width, height)]
    if character == "▔":
        return [_rectangle(0, 0, width, round(height / 8))]
    if character == "▕":
        return [_rectangle(width - max(round(width / 8), 1), 0, width, height)]
    if code <= 0x2588:  # lower eighths, up to the full block
        return [_rectangle(0, height - round(height * (code - 0x2580) / 8), width, height)]
    return [_rectangle(0, 0, max(round(width * (0x2590 - code) / 8), 1), height)]  # left eighths


# --- lines ---


def _arms(name: list[str]) -> dict[Side, int]:
    """Return the weight of each arm from the character's name: ``DOWN LIGHT AND RIGHT UP HEAVY``, ``LIGHT LEFT``."""
    arms: dict[Side, int] = {}
    weight = _WEIGHTS.get(name[0])
    waiting: list[Side] = []
    for word in name:
        if word in _WEIGHTS:
            if weight is None or waiting:
                arms |= dict.fromkeys(waiting, _WEIGHTS[word])
                waiting = []
            else:
                weight = _WEIGHTS[word]
        elif word in _SIDES:
            if weight is None:
                waiting += _SIDES[word]
            else:
                arms |= dict.fromkeys(_SIDES[word], weight)
    return arms


class _Axis(NamedTuple):
    """Where the bands of a line lie across it: of a double line outside, of a heavy, of a light one."""

    size: float
    light: tuple[float, float]
    heavy: tuple[float, float]
    outer: tuple[float, float]

    @classmethod
    def of(cls, size: float, thick: float) -> _Axis:
        start = math.floor((size - thick) / 2)
        end = start + thick
        more = max(thick / 2, 1) if thick < 2 else thick // 2
        return cls(size, (start, end), (start - more, end + more), (start - thick, end + thick))

    def band(self, weight: int) -> tuple[float, float]:
        return (self.light, self.light, self.heavy, self.outer)[weight]


def _lines(arms: dict[Side, int], width: float, height: float, thick: float) -> list[Polygon]:
    """Return the arms as rectangles: double ones with their channel left open."""
    x, y = _Axis.of(width, thick), _Axis.of(height, thick)
    xs = sorted({0, width, *x.light, *x.heavy, *x.outer})
    ys = sorted({0, height, *y.light, *y.heavy, *y.outer})
    filled: set[tuple[int, int]] = set()

    def paint(box: tuple[float, float, float, float], on: bool) -> None:
        left, top, right, bottom = box
        cells = {
            (column, row)
            for column in range(len(xs) - 1)
            for row in range(len(ys) - 1)
            if left <= xs[column] and xs[column + 1] <= right and top <= ys[row] and ys[row + 1] <= bottom
        }
        filled.update(cells) if on else filled.difference_update(cells)

    doubles = [side for side, weight in arms.items() if weight == 3]
    for side in doubles:
        paint(_arm(side, 3, arms, x, y, channel=False), True)
    for side in doubles:
        paint(_arm(side, 3, arms, x, y, channel=True), False)
    for side, weight in arms.items():
        if weight < 3:
            paint(_arm(side, weight, arms, x, y, channel=False), True)
    return _merged(filled, xs, ys)


def _arm(
    side: Side, weight: int, arms: dict[Side, int], x: _Axis, y: _Axis, *, channel: bool
) -> tuple[float, float, float, float]:
    """Return the rectangle of one arm, or the open channel inside a double one."""
    upright = side in ("up", "down")
    along, across = (y, x) if upright else (x, y)
    low, high = across.light if channel else across.band(weight)
    first = side in ("left", "up")  # the arm begins at the cell's first edge
    inner = _inner_end(side, weight, arms, along, channel=channel)
    start, end = (0.0, inner) if first else (inner, along.size)
    return (low, start, high, end) if upright else (start, low, end, high)


def _inner_end(side: Side, weight: int, arms: dict[Side, int], along: _Axis, *, channel: bool) -> float:
    """Return where an arm ends in the middle of the cell."""
    first = side in ("left", "up")
    opposite = {"left": "right", "right": "left", "up": "down", "down": "up"}[side]
    across: tuple[Side, Side] = ("up", "down") if side in ("left", "right") else ("left", "right")
    crossing = [arms.get(other, 0) for other in across]
    near, far = (0, 1) if first else (1, 0)
    if channel:
        # Open as far as the line that closes it; into the crossing channel where there is one.
        closed = max(crossing) in (1, 2)
        return along.light[near if closed else far]
    if opposite in arms:
        return along.light[far]
    if weight < 3 and crossing == [3, 3]:
        return along.light[near]
    return along.band(max(crossing))[far]


def _merged(filled: set[tuple[int, int]], xs: list[float], ys: list[float]) -> list[Polygon]:
    """Return the filled cells of a grid as few rectangles, none of which overlap."""
    strips: list[tuple[int, int, int, int]] = []
    for row in range(len(ys) - 1):
        column = 0
        while column < len(xs) - 1:
            start = column
            while (column, row) in filled:
                column += 1
            if column == start:
                column += 1
                continue
            above = next((n for n, s in enumerate(strips) if s[0] == start and s[2] == column and s[3] == row), None)
            if above is None:
                strips.append((start, row, column, row + 1))
            else:
                strips[above] = (start, strips[above][1], column, row + 1)
    return [_rectangle(xs[left], ys[top], xs[right], ys[bottom]) for left, top, right, bottom in strips]


def _dashes(name: list[str], width: float, height: float, thick: float) -> Drawing:
    weight, count = _WEIGHTS[name[0]], _DASHES[name[1]]
    upright = name[-1] == "VERTICAL"
    along, across = (height, width) if upright else (width, height)
    low, high = _Axis.of(across, thick).band(weight)
    polygons = []
    for number in range(count):
        start, end = along * (number + 0.2) / count, along * (number + 0.8) / count
        polygons.append(_rectangle(low, start, high, end) if upright else _rectangle(start, low, end, high))
    return Drawing(tuple(polygons))


def _diagonals(name: list[str], width: float, height: float, thick: float) -> Drawing:
    reach = thick * math.hypot(width, height) / height / 2
    falling = ((-reach, 0.0), (reach, 0.0), (width + reach, height), (width - reach, height))
    rising = ((width - reach, 0.0), (width + reach, 0.0), (reach, height), (-reach, height))
    both = "CROSS" in name
    left_first = name[2:4] == ["UPPER", "LEFT"]
    return Drawing((rising, falling) if both else (falling,) if left_first else (rising,))


def _arc(name: list[str], width: float, height: float, thick: float) -> Drawing:
    """Return a rounded corner: a quarter of a ring and the straight piece that is left."""
    x, y = _Axis.of(width, thick), _Axis.of(height, thick)
    down, right = "DOWN" in name, "RIGHT" in name
    centre_x, centre_y = sum(x.light) / 2, sum(y.light) / 2
    radius = min(width - centre_x if right else centre_x, height - centre_y if down else centre_y)
    across, along = (1 if right else -1), (1 if down else -1)
    middle = (centre_x + across * radius, centre_y + along * radius)

    def ring(distance: float) -> list[Point]:
        steps = [math.pi / 2 * step / 8 for step in range(9)]
        return [
            (middle[0] - across * distance * math.cos(angle), middle[1] - along * distance * math.sin(angle))
            for angle in steps
        ]

    bend = (*ring(radius + thick / 2), *reversed(ring(radius - thick / 2)))
    low, high = sorted((middle[1], height if down else 0))
    start, end = sorted((middle[0], width if right else 0))
    pieces = [bend, _rectangle(x.light[0], low, x.light[1], high)] if high > low else [bend]
    if end > start:
        pieces.append(_rectangle(start, y.light[0], end, y.light[1]))
    return Drawing(tuple(pieces))
