"""From what ``capture-pane -e`` prints to rows of cells."""

from __future__ import annotations

import re

from muxwright.screen import sgr
from muxwright.screen.screen import Row
from muxwright.screen.style import DEFAULT, Style
from muxwright.screen.widths import MODERN, Widths

__all__ = ["read_rows"]

# The line drawing set, which tmux brings in between SO and SI.
_DRAWING = str.maketrans("+,-.0`afghijklmnopqrstuvwxyz{|}~", "→←↑↓█◆▒°±▒␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")
_TAB = 8

_SGR = re.compile("\x1b\\[([0-9;:]*)m")
_TOKEN = re.compile(
    "\x1b\\]8;[^;\x1b\x07]*;(?P<link>[^\x1b\x07]*)(?:\x1b\\\\|\x07)"
    "|(?P<newline>\n)"
    "|(?P<drawing>[\x0e\x0f])"
    "|(?P<text>[^\x00-\x08\x0a-\x1f\x7f]+)"
)


class _Reader:
    """Rows in the making; colours, link and character set go on from one row to the next, as tmux writes them."""

    def __init__(self, width: int, widths: Widths) -> None:
        self.width = width
        self.widths = widths
        self.style = DEFAULT
        self.drawing = False
        self.rows: list[Row] = []
        self._texts: list[str] = []
        self._styles: list[Style] = []

    def feed(self, text: str) -> None:
        between = iter(_SGR.split(text))
        self._feed(next(between))
        for parameters, part in zip(between, between, strict=True):
            self.style = sgr.apply(self.style, parameters)
            if part.isprintable() and part.isascii() and not self.drawing:
                # As a rule it is so; nothing here is called more often.
                self._texts += part
                self._styles += [self.style] * len(part)
            else:
                self._feed(part)

    def _feed(self, text: str) -> None:
        for found in _TOKEN.finditer(text):
            kind, value = found.lastgroup, found[found.lastgroup or 0]
            if kind == "text":
                self._add(value)
            elif kind == "newline":
                self.end_row()
            elif kind == "link":
                self.style = self.style._replace(link=value or None)
            else:
                self.drawing = value == "\x0e"

    def _add(self, text: str) -> None:
        if self.drawing:
            text = text.translate(_DRAWING)
        elif "\t" not in text and text.isascii():
            self._texts += text
            self._styles += [self.style] * len(text)
            return
        for part, width in self.widths.split(text):
            if part == "\t":
                part, width = " ", 1
                blanks = _TAB - len(self._texts) % _TAB
                self._texts += [" "] * (blanks - 1)
                self._styles += [self.style] * (blanks - 1)
            self._texts += [part, *[""] * (width - 1)]
            self._styles += [self.style] * width

    def end_row(self) -> None:
        missing = self.width - len(self._texts)
        if missing < 0:
            del self._texts[self.width :], self._styles[self.width :]
        self.rows.append(Row((*self._texts, *[" "] * missing), (*self._styles, *[DEFAULT] * missing)))
        self._texts, self._styles = [], []


def read_rows(text: str, width: int, height: int, widths: Widths = MODERN) -> tuple[Row, ...]:
    """Return exactly `height` rows of exactly `width` columns; what is not there is blank."""
    reader = _Reader(width, widths)
    reader.feed(text)
    reader.end_row()
    blank = Row((" ",) * width, (DEFAULT,) * width)
    rows = reader.rows[:height]
    return (*rows, *[blank] * (height - len(rows)))
