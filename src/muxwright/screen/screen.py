"""A screen: cells, cursor, title and modes at one moment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from muxwright.errors import InvalidArgument
from muxwright.screen.style import DEFAULT, Rgb, Style

if TYPE_CHECKING:
    from muxwright.screen.theme import Theme

__all__ = ["Cell", "Cursor", "Modes", "Region", "Row", "Screen"]

CursorShape = Literal["block", "underline", "bar"]


class Cell(NamedTuple):
    """One character with what combines with it; ``""`` in the second column of a wide one."""

    text: str
    style: Style

    @property
    def is_wide_rest(self) -> bool:
        """Whether it is the second column of a wide character."""
        return not self.text


class Cursor(NamedTuple):
    """Where the cursor is, from 0; `column` equals the width right after the last column was written."""

    row: int
    column: int
    visible: bool = True
    shape: CursorShape = "block"
    blinking: bool = False


class Modes(NamedTuple):
    """What the program has switched on. `mouse`: it wants mouse events; `mouse_sgr`: in the SGR encoding."""

    alternate: bool = False
    insert: bool = False
    application_cursor: bool = False
    application_keypad: bool = False
    mouse: bool = False
    mouse_sgr: bool = False
    mouse_motion: bool = False
    bracketed_paste: bool | None = None
    """``None``: this tmux does not say (before 3.7)."""


class Region(NamedTuple):
    """A rectangle of cells: its first row and column, from 0, and its size."""

    row: int
    column: int
    height: int = 1
    width: int = 1

    @property
    def centre(self) -> tuple[int, int]:
        """Row and column in its middle."""
        return self.row + self.height // 2, self.column + self.width // 2

    def __str__(self) -> str:
        rows = f"row {self.row}" if self.height == 1 else f"rows {self.row}-{self.row + self.height - 1}"
        return f"{rows}, columns {self.column}-{self.column + self.width - 1}"


class Row(NamedTuple):
    """One row: a text and a style a column."""

    texts: tuple[str, ...]
    styles: tuple[Style, ...]

    @property
    def text(self) -> str:
        """What stands in it, blanks at the end included."""
        return "".join(self.texts)

    def __str__(self) -> str:
        return self.text.rstrip()

    @property
    def cells(self) -> list[Cell]:
        """Its cells from the left."""
        return [Cell(*pair) for pair in zip(self.texts, self.styles, strict=True)]

    def spans(self) -> Iterator[tuple[int, int, Style]]:
        """Yield neighbours of one style together: first column, the column behind the last, style."""
        styles = self.styles
        start = 0
        before = styles[0] if styles else None
        for column, style in enumerate(styles):
            if style is not before and style != before:
                assert before is not None, "the first style is before itself"
                yield start, column, before
                start, before = column, style
        if before is not None:
            yield start, len(styles), before

    def runs(self) -> Iterator[tuple[int, str, Style]]:
        """Yield neighbours of one style together: first column, text, style."""
        for start, end, style in self.spans():
            yield start, "".join(self.texts[start:end]), style

    def columns_of(self, start: int, end: int) -> tuple[int, int]:
        """Return first column and width of what stands at ``text[start:end]``."""
        text = self.text
        if len(text) == len(self.texts) and text.isascii():
            return start, end - start
        columns = [column for column, part in enumerate(self.texts) for _ in part]
        first = columns[start] if start < len(columns) else len(self.texts)
        behind = columns[end - 1] + 1 if end > start else first
        while behind < len(self.texts) and behind > first and not self.texts[behind]:
            behind += 1
        return first, behind - first


class Screen:
    """What a pane (or a window of panes) shows at one moment; immutable.

    Rows and columns count from 0. Two screens are equal when all their cells, their cursors, titles and modes are.
    """

    __slots__ = ("cursor", "modes", "rows", "title", "width")

    def __init__(
        self,
        rows: tuple[Row, ...],
        width: int,
        cursor: Cursor | None = None,
        title: str = "",
        modes: Modes = Modes(),  # noqa: B008 - an immutable value
    ) -> None:
        self.rows = rows
        self.width = width
        self.cursor = cursor
        self.title = title
        self.modes = modes

    @property
    def height(self) -> int:
        """Its number of rows."""
        return len(self.rows)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.width, len(self.rows)

    @property
    def lines(self) -> list[str]:
        """The text of each row, without blanks at its end."""
        return [str(row) for row in self.rows]

    @property
    def text(self) -> str:
        """The lines as one text, without blank ones at the end."""
        return "\n".join(self.lines).rstrip("\n")

    def cell(self, row: int, column: int) -> Cell:
        """Return one cell; raises `InvalidArgument` outside the screen."""
        if not (0 <= row < self.height and 0 <= column < self.width):
            raise InvalidArgument(f"row {row}, column {column} is outside a screen of {self.width}x{self.height}")
        found = self.rows[row]
        return Cell(found.texts[column], found.styles[column])

    def column(self, column: int) -> list[Cell]:
        """Return the cells of one column, from the top."""
        return [self.cell(row, column) for row in range(self.height)]

    def crop(self, region: Region) -> Screen:
        """Return a region of it as a screen of its own; what lies outside is left away."""
        top, left = max(region.row, 0), max(region.column, 0)
        bottom = min(region.row + region.height, self.height)
        right = min(region.column + region.width, self.width)
        rows = tuple(Row(row.texts[left:right], row.styles[left:right]) for row in self.rows[top:bottom])
        cursor = self.cursor
        if cursor is not None:
            inside = top <= cursor.row < bottom and left <= cursor.column < right
            cursor = cursor._replace(row=cursor.row - top, column=cursor.column - left) if inside else None
        return Screen(rows, max(right - left, 0), cursor, self.title, self.modes)

    def find(self, wanted: str | re.Pattern[str]) -> list[Region]:
        """Return where the wanted text or pattern stands, row by row; a text may not be empty."""
        if not wanted:
            raise InvalidArgument("an empty text stands everywhere: expected a text or a compiled pattern")
        pattern = re.compile(re.escape(wanted)) if isinstance(wanted, str) else wanted
        return [
            Region(number, *_span(row.columns_of(found.start(), found.end())))
            for number, row in enumerate(self.rows)
            for found in pattern.finditer(row.text if isinstance(wanted, str) else str(row))
        ]

    def __contains__(self, text: str) -> bool:
        return any(text in row.text for row in self.rows)

    def diff(self, other: Screen) -> str:
        """Return what is different in `other`, row by row, for people; ``""`` when nothing is."""
        from muxwright.screen.diff import diff

        return diff(self, other)

    def describe(self) -> str:
        """Return everything about it as text for people, made to be compared: frame, text, then styles by place."""
        from muxwright.screen.diff import describe

        return describe(self)

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data: rows as runs of ``{"column", "text", "style"}``, a style only with what is set."""
        rows = [
            [{"column": column, "text": text, "style": _set(style)} for column, text, style in row.runs()]
            for row in self.rows
        ]
        return {
            "width": self.width,
            "height": self.height,
            "title": self.title,
            "cursor": None if self.cursor is None else self.cursor._asdict(),
            "modes": self.modes._asdict(),
            "rows": rows,
        }

    def to_ansi(self) -> str:
        """Return its rows with escape sequences for colours, attributes and links."""
        from muxwright.screen.ansi import to_ansi

        return to_ansi(self)

    def to_html(self, *, theme: Theme | str = "dark") -> str:
        """Return one ``<pre>`` element with inline styles. `theme`: a name of `THEMES`, or your own."""
        from muxwright.screen.html import to_html

        return to_html(self, theme)

    def to_svg(self, *, theme: Theme | str = "dark", frame: bool = True, cursor: bool = True) -> str:
        """Return a picture as SVG.

        `theme`: one of `THEMES` or its name; `frame`: in a window with its title; `cursor`: with the cursor where it is
        shown.
        """
        from muxwright.screen.svg import to_svg

        return to_svg(self, theme=theme, frame=frame, cursor=cursor)

    def _key(self) -> tuple[object, ...]:
        return (self.width, self.rows, self.cursor, self.title, self.modes)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Screen) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Screen {self.width}x{self.height} {self.title!r}>"


def _set(style: Style) -> dict[str, Any]:
    """Return the fields of a style that differ from a plain one's; colours of their own as ``#rrggbb``."""
    pairs = zip(Style._fields, style, DEFAULT, strict=True)
    return {name: str(value) if isinstance(value, Rgb) else value for name, value, plain in pairs if value != plain}


def _span(columns: tuple[int, int]) -> tuple[int, int, int]:
    column, width = columns
    return column, 1, width
