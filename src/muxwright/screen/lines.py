"""The lines below text, as the data of an SVG path."""

from __future__ import annotations

from muxwright.screen.style import Underline

__all__ = ["underline", "wave"]


def wave(start: float, width: float, step: float = 3.0) -> list[tuple[float, float]]:
    """Return the corners of a zigzag: offsets from its middle line, up and down by one."""
    count = max(round(width / step), 1)
    return [(start + width * number / count, -1.0 if number % 2 else 1.0) for number in range(count + 1)]


def underline(kind: Underline, x: float, y: float, width: float) -> str:
    """Return the path of one underline."""
    if kind == "double":
        return f"M{x} {y - 1}h{width}M{x} {y + 1}h{width}"
    if kind == "curly":
        (first_x, first_y), *corners = wave(x, width)
        return f"M{first_x:g} {y + first_y:g}" + "".join(f"L{left:g} {y + up:g}" for left, up in corners)
    step, length = {"dotted": (2.0, 1.0), "dashed": (6.0, 4.0)}.get(kind, (width, width))
    pieces = []
    offset = 0.0
    while offset < width:
        pieces.append(f"M{x + offset:g} {y}h{min(length, width - offset):g}")
        offset += step
    return "".join(pieces)
