"""How a cell looks: colours, attributes, link."""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ["DEFAULT", "FLAGS", "Colour", "Rgb", "Style", "Underline", "describe_colour"]

Underline = Literal["single", "double", "curly", "dotted", "dashed"]


class Rgb(NamedTuple):
    """A colour of its own; each part is 0 to 255."""

    red: int
    green: int
    blue: int

    def __str__(self) -> str:
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"


Colour = int | Rgb | None
"""A colour: a number of the palette (0 to 15 the terminal's own, 16 to 255 fixed), an `Rgb`, or the default."""

_NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


def describe_colour(colour: Colour) -> str:
    """Return a colour in words: tmux's own names."""
    if colour is None:
        return "default"
    if isinstance(colour, Rgb):
        return str(colour)
    if colour < 8:
        return _NAMES[colour]
    return f"bright{_NAMES[colour - 8]}" if colour < 16 else f"colour{colour}"


class Style(NamedTuple):
    """How a cell looks; the defaults are those of a plain cell.

    `link`: the address of a hyperlink. `underline`: its kind, or ``None``; its colour is `underline_colour`, or that of
    the text.
    """

    foreground: Colour = None
    background: Colour = None
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: Underline | None = None
    underline_colour: Colour = None
    blink: bool = False
    reverse: bool = False
    hidden: bool = False
    strike: bool = False
    overline: bool = False
    link: str | None = None

    def __str__(self) -> str:
        """What differs from a plain cell, in words: ``bold red on blue``."""
        words = [name for name in FLAGS if getattr(self, name)]
        if self.underline:
            words.append("underline" if self.underline == "single" else f"{self.underline} underline")
        if self.underline_colour is not None:
            words.append(f"(in {describe_colour(self.underline_colour)})")
        if self.foreground is not None:
            words.append(describe_colour(self.foreground))
        if self.background is not None:
            words.append(f"on {describe_colour(self.background)}")
        if self.link is not None:
            words.append(f"link {self.link}")
        return " ".join(words) or "plain"


FLAGS = ("bold", "dim", "italic", "blink", "reverse", "hidden", "strike", "overline")
"""The attributes that are on or off."""

DEFAULT = Style()
"""A plain cell."""
