"""A second opinion on screens: pyte, an independent terminal emulator.

Only what pyte implements is compared. It knows no dim, hidden or overlined text, one kind of underline, no links and no
alternate screen; blink and reverse are as here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pyte

from muxwright import Rgb, Screen, Style

__all__ = ["Seen", "seen_by_pyte", "seen_by_us"]

_NAMES = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")
_FLAGS = ("bold", "italic", "reverse", "strike", "blink")


class Seen(NamedTuple):
    """What both can tell of a screen: the cells row by row, and the cursor."""

    cells: list[list[tuple[str, str, str, frozenset[str]]]]
    cursor: tuple[int, int]


def seen_by_pyte(data: bytes, width: int, height: int) -> Seen:
    screen = pyte.Screen(width, height)
    pyte.ByteStream(screen).feed(data)
    rows = []
    for row in range(height):
        line = screen.buffer[row]
        rows.append([_pyte_cell(line[column]) for column in range(width)])
    return Seen(rows, (screen.cursor.y, min(screen.cursor.x, width - 1)))


def _pyte_cell(char: Any) -> tuple[str, str, str, frozenset[str]]:
    names = {"bold": char.bold, "italic": char.italics, "reverse": char.reverse, "strike": char.strikethrough}
    flags = {name for name, on in {**names, "blink": char.blink, "underline": char.underscore}.items() if on}
    return (char.data, _pyte_colour(char.fg), _pyte_colour(char.bg), frozenset(flags))


def _pyte_colour(name: str) -> str:
    """pyte turns 256 colours into RGB, so everything becomes RGB or a name here."""
    return {"brightbrown": "brightyellow", "brown": "yellow", "bfightmagenta": "brightmagenta"}.get(name, name)


def seen_by_us(screen: Screen) -> Seen:
    rows = [[_our_cell(text, style) for text, style in zip(row.texts, row.styles, strict=True)] for row in screen.rows]
    assert screen.cursor is not None
    return Seen(rows, (screen.cursor.row, min(screen.cursor.column, screen.width - 1)))


def _our_cell(text: str, style: Style) -> tuple[str, str, str, frozenset[str]]:
    flags = {name for name in _FLAGS if getattr(style, name)}
    if style.underline:
        flags.add("underline")
    return (text, _our_colour(style.foreground), _our_colour(style.background), frozenset(flags))


def _our_colour(colour: int | Rgb | None) -> str:
    if colour is None:
        return "default"
    if isinstance(colour, Rgb):
        return str(colour)[1:]
    if colour < 16:
        name = "yellow" if colour % 8 == 3 else _NAMES[colour % 8]
        return name if colour < 8 else f"bright{name}"
    if colour >= 232:
        grey = 8 + 10 * (colour - 232)
        return f"{grey:02x}" * 3
    red, rest = divmod(colour - 16, 36)
    green, blue = divmod(rest, 6)
    return "".join(f"{55 + 40 * part if part else 0:02x}" for part in (red, green, blue))
