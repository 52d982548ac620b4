"""A second opinion on screens: pyte, an independent terminal emulator.

Only what pyte implements is compared. It knows no dim, hidden or overlined text, one kind of underline, no links and no
alternate screen; blink and reverse are as here. docs/guide/screens.md lists where the two differ.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any, NamedTuple

import pyte

from muxwright import Rgb, Screen, Style

__all__ = ["Seen", "differences", "seen_by_pyte", "seen_by_us"]

_NAMES = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")
_FLAGS = ("bold", "italic", "reverse", "strike", "blink")

Cell = tuple[str, str, str, frozenset[str]]
"""Text, foreground, background, attributes."""

_BLANK: Cell = (" ", "default", "default", frozenset())


class Seen(NamedTuple):
    """What both can tell of a screen: the cells row by row, and the cursor."""

    cells: list[list[Cell]]
    cursor: tuple[int, int]


class _PlainBlanks(pyte.Screen):
    """pyte gives a blank that it makes all attributes of the next text; terminals, tmux among them, the background."""

    def _blank(self, make: Callable[[], None]) -> None:
        kept = self.cursor.attrs
        self.cursor.attrs = self.default_char._replace(bg=kept.bg)
        make()
        self.cursor.attrs = kept

    def erase_characters(self, count: int | None = None) -> None:
        self._blank(lambda: super(_PlainBlanks, self).erase_characters(count))

    def erase_in_line(self, how: int = 0, private: bool = False) -> None:
        self._blank(lambda: super(_PlainBlanks, self).erase_in_line(how, private))

    def erase_in_display(self, how: int = 0, *args: Any, **options: Any) -> None:
        self._blank(lambda: super(_PlainBlanks, self).erase_in_display(how, *args, **options))


def seen_by_pyte(data: bytes, width: int, height: int) -> Seen:
    screen = _PlainBlanks(width, height)
    pyte.ByteStream(screen).feed(data)
    rows = []
    for row in range(height):
        line = screen.buffer[row]
        rows.append([_pyte_cell(line[column]) for column in range(width)])
    return Seen(rows, (screen.cursor.y, min(screen.cursor.x, width - 1)))


def differences(ours: Seen, theirs: Seen, *, erased_backgrounds: bool) -> list[str]:
    """Return what differs, for people; without `erased_backgrounds` tmux does not tell that of blanks it has made."""
    found = []
    for number, (row, other) in enumerate(zip(ours.cells, theirs.cells, strict=True)):
        for column, (cell, judged) in enumerate(zip(row, other, strict=True)):
            cell = (unicodedata.normalize("NFC", cell[0]), *cell[1:])
            untold = not erased_backgrounds and cell == _BLANK and judged == (" ", "default", judged[2], frozenset())
            if cell != judged and not untold:
                found.append(f"row {number}, column {column}: tmux has {cell}, pyte {judged}")
    if ours.cursor != theirs.cursor:
        found.append(f"cursor: tmux has {ours.cursor}, pyte {theirs.cursor}")
    return found


def _pyte_cell(char: Any) -> Cell:
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


def _our_cell(text: str, style: Style) -> Cell:
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
