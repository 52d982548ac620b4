"""A screen as text with escape sequences, as a terminal would print it."""

from __future__ import annotations

from muxwright.screen import sgr
from muxwright.screen.screen import Row, Screen
from muxwright.screen.style import DEFAULT, Style

__all__ = ["to_ansi"]


def to_ansi(screen: Screen) -> str:
    """Return the rows, each plain at its end; plain blanks at the end of a row are left away."""
    return "\n".join(_row(row) for row in screen.rows)


def _row(row: Row) -> str:
    runs = list(row.runs())
    if runs and runs[-1][2] == DEFAULT:
        column, text, style = runs[-1]
        runs[-1] = (column, text.rstrip(" "), style)
    parts: list[str] = []
    before = DEFAULT
    for _, text, style in runs:
        parts += [_change(before, style), text]
        before = style
    return "".join([*parts, _change(before, DEFAULT)])


def _change(before: Style, after: Style) -> str:
    link = f"\033]8;;{after.link or ''}\033\\" if before.link != after.link else ""
    plain = before._replace(link=None) == after._replace(link=None)
    return link if plain else link + sgr.encode(after)
