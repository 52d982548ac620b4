"""A screen as text with escape sequences, as a terminal would print it."""

from __future__ import annotations

from muxwright.screen import sgr
from muxwright.screen.screen import Row, Screen
from muxwright.screen.style import DEFAULT, Style

__all__ = ["repaint", "to_ansi"]


def to_ansi(screen: Screen) -> str:
    """Return the rows, each plain at its end; plain blanks at the end of a row are left away."""
    return "\n".join(_row(row) for row in screen.rows)


def repaint(screen: Screen) -> str:
    """Return what makes a terminal of the same size show exactly this screen, cursor and alternate screen included."""
    parts = ["\033[?1049h" if screen.modes.alternate else "", "\033[0m\033[H\033[2J"]
    # Each row at its own place: a full one would wrap.
    parts += [f"\033[{number}H{row}" for number, row in enumerate(to_ansi(screen).split("\n"), 1) if row]
    if screen.cursor is not None:
        parts.append(f"\033[{screen.cursor.row + 1};{screen.cursor.column + 1}H")
        parts.append("" if screen.cursor.visible else "\033[?25l")
    return "".join(parts)


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
