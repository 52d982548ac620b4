"""Themes: what the default colours and the sixteen of the palette look like."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from muxwright.errors import InvalidArgument
from muxwright.screen.style import Colour, Rgb, Style

__all__ = ["THEMES", "Look", "Theme", "look", "named_theme"]


class Look(NamedTuple):
    """The colours that a style comes to; `background` is ``None`` where it is the theme's own."""

    foreground: Rgb
    background: Rgb | None
    underline: Rgb


class Theme(NamedTuple):
    """`palette`: the colours 0 to 15; `border`: of the lines between panes; `frame`: of the window's title bar."""

    name: str
    foreground: Rgb
    background: Rgb
    cursor: Rgb
    border: Rgb
    active_border: Rgb
    frame: Rgb
    frame_text: Rgb
    palette: tuple[Rgb, ...]

    def rgb(self, colour: Colour) -> Rgb | None:
        """Return what a colour looks like; ``None`` for the default."""
        if colour is None or isinstance(colour, Rgb):
            return colour
        if colour < 16:
            return self.palette[colour]
        if colour >= 232:
            grey = 8 + 10 * (colour - 232)
            return Rgb(grey, grey, grey)
        red, rest = divmod(colour - 16, 36)
        green, blue = divmod(rest, 6)
        return Rgb(*(55 + 40 * part if part else 0 for part in (red, green, blue)))


def _rgb(text: str) -> Rgb:
    return Rgb(*bytes.fromhex(text))


def _palette(text: str) -> tuple[Rgb, ...]:
    return tuple(map(_rgb, text.split()))


_DARK = Theme(
    "dark",
    foreground=_rgb("d5d9e0"),
    background=_rgb("16181d"),
    cursor=_rgb("e8eaf0"),
    border=_rgb("5b6270"),
    active_border=_rgb("8cc265"),
    frame=_rgb("262a33"),
    frame_text=_rgb("a8afbd"),
    palette=_palette(
        "2b303b e06c75 8cc265 d8b365 61a5ef c678dd 4fbcc9 c5cad3"
        " 6b7280 ff8088 a9e07f f4d080 82bdff de97f5 70d9e6 ffffff"
    ),
)
_LIGHT = Theme(
    "light",
    foreground=_rgb("24292f"),
    background=_rgb("fbfbfc"),
    cursor=_rgb("24292f"),
    border=_rgb("b3bac4"),
    active_border=_rgb("2c8a3e"),
    frame=_rgb("e6e9ee"),
    frame_text=_rgb("57606a"),
    palette=_palette(
        "24292f c2293a 23803a 94690a 1f66d0 8a3fc0 0f7f8a c9ced6"
        " 6e7781 e0404f 2f9a4a b08318 3a82ee a45ada 1c98a5 ffffff"
    ),
)

THEMES = {theme.name: theme for theme in (_DARK, _LIGHT)}
"""The themes that have a name: ``dark`` and ``light``."""


def named_theme(theme: Theme | str) -> Theme:
    """Return a theme, looked up by its name; raises `InvalidArgument` for one that is not there."""
    if isinstance(theme, Theme):
        return theme
    if theme not in THEMES:
        raise InvalidArgument(f"there is no theme {theme!r}: expected one of {', '.join(THEMES)}, or a Theme")
    return THEMES[theme]


def _blend(one: Rgb, other: Rgb) -> Rgb:
    return Rgb(*((3 * a + 2 * b) // 5 for a, b in zip(one, other, strict=True)))


@lru_cache(maxsize=4096)
def look(theme: Theme, style: Style) -> Look:
    """Return the colours of a style: reverse swaps them, dim moves the text towards its background."""
    foreground = theme.rgb(style.foreground)
    background = theme.rgb(style.background)
    text = theme.foreground if foreground is None else foreground
    behind = theme.background if background is None else background
    if style.reverse:
        text, behind, background = behind, text, text
    if style.dim:
        text = _blend(text, behind)
    underline = theme.rgb(style.underline_colour)
    return Look(text, background, text if underline is None else underline)
