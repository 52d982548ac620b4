"""Queries: what to look for on a screen, as values; and the nearest thing when it is not there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from muxwright.errors import InvalidArgument
from muxwright.screen.screen import Region, Screen
from muxwright.screen.style import DEFAULT, FLAGS, Rgb, Style, describe_colour

__all__ = ["WHOLE_ROW", "Query", "StyleWanted", "describe_wanted", "has_style", "nearest", "style_wanted"]

WHOLE_ROW = 2**15
"""The width of a region that is a row, however wide the screen."""

_NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_PALETTE = {name: number for number, name in enumerate(_NAMES)} | {
    f"bright{name}": 8 + number for number, name in enumerate(_NAMES)
}
_COLOURS = ("foreground", "background", "underline_colour")
_CLOSE = 0.6  # how alike a text has to be to be called near

StyleWanted = tuple[tuple[str, Any], ...]
"""The attributes that a style must have; the others do not matter."""


def style_wanted(attributes: Mapping[str, object]) -> StyleWanted:
    """Check attributes of `Style`; colours may be names (``"red"``, ``"brightblue"``, ``"#ff8800"``, ``"default"``)."""
    if not attributes:
        raise InvalidArgument(f"no style was given: expected at least one of {', '.join(Style._fields)}")
    wanted = []
    for name, value in attributes.items():
        if name not in Style._fields:
            raise InvalidArgument(f"a style has no {name!r}: expected one of {', '.join(Style._fields)}")
        if name == "underline" and isinstance(value, bool):
            value = "single" if value else None
        if name in FLAGS and not isinstance(value, bool):
            raise InvalidArgument(f"{name} is true or false, not {value!r}")
        wanted.append((name, _colour(value) if name in _COLOURS else value))
    return tuple(wanted)


def _colour(value: object) -> object:
    if value is None or isinstance(value, Rgb) or (type(value) is int and value in range(256)):
        return value
    if not isinstance(value, str):
        raise InvalidArgument(f"a colour is a name, a number below 256 or an Rgb, not {value!r}")
    if value == "default":
        return None
    if value in _PALETTE:
        return _PALETTE[value]
    if re.fullmatch("#[0-9a-fA-F]{6}", value):
        return Rgb(*bytes.fromhex(value[1:]))
    if re.fullmatch("colou?r[0-9]{1,3}", value) and (number := int(re.sub("[a-z]", "", value))) < 256:
        return number
    raise InvalidArgument(
        f"not a colour: {value!r}; expected a name such as 'red', 'colour208', '#ff8800' or 'default'"
    )


def describe_wanted(wanted: StyleWanted) -> str:
    """Return the attributes as they are given, colours by name."""
    return ", ".join(f"{name}={describe_colour(v) if name in _COLOURS else v!r}" for name, v in wanted)


def has_style(style: Style, wanted: StyleWanted) -> bool:
    """Return whether a style has all attributes that are wanted."""
    return all(getattr(style, name) == value for name, value in wanted)


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for: one of `text`, `pattern`, `style` or `region`; within what another query finds.

    `exact`: the text is all that stands between two runs of blanks. `index`: only this match (negative: from the last).
    """

    text: str | None = None
    exact: bool = False
    pattern: re.Pattern[str] | None = None
    style: StyleWanted = ()
    region: Region | None = None
    within: Query | None = None
    index: int | None = None

    def inside(self, outer: Query) -> Query:
        """Return this query within what another finds."""
        return replace(self, within=outer)

    def at(self, index: int) -> Query:
        """Return this query for one of its matches only."""
        return replace(self, index=index)

    def find(self, screen: Screen) -> list[Region]:
        """Return where it is, row by row."""
        if self.within is None:
            found = self._find(screen)
        else:
            found = [
                part._replace(row=part.row + outer.row, column=part.column + outer.column)
                for outer in self.within.find(screen)
                for part in self._find(screen.crop(outer))
            ]
        if self.index is None:
            return found
        return [found[self.index]] if -len(found) <= self.index < len(found) else []

    def _find(self, screen: Screen) -> list[Region]:
        if self.region is not None:
            return [_clipped(self.region, screen)]
        if self.style:
            return _styled(screen, self.style)
        if self.pattern is not None:
            return [region for region in screen.find(self.pattern) if region.width]
        assert self.text is not None, "a query looks for something"
        if not self.exact:
            return screen.find(self.text)
        alone = re.compile(rf"(?:(?<=\s\s)|(?<=^\s)|^){re.escape(self.text)}(?=\s\s|\s?$)")
        return screen.find(alone)

    def __str__(self) -> str:
        if self.text is not None:
            said = f"text {self.text!r}{' (exact)' if self.exact else ''}"
        elif self.pattern is not None:
            said = f"pattern /{self.pattern.pattern}/"
        elif self.style:
            said = f"style {describe_wanted(self.style)}"
        elif self.region is not None and self.region.width == WHOLE_ROW:
            said = f"row {self.region.row}"
        else:
            said = str(self.region)
        if self.index is not None:
            said += f" [{self.index}]"
        return said if self.within is None else f"{said} in {self.within}"


def _clipped(region: Region, screen: Screen) -> Region:
    row, column = min(region.row, screen.height), min(region.column, screen.width)
    return Region(row, column, min(region.height, screen.height - row), min(region.width, screen.width - column))


def _styled(screen: Screen, wanted: StyleWanted) -> list[Region]:
    """Return runs of cells with the style; blank ones count only where their looks differ from a plain cell's."""
    found: list[Region] = []
    for number, row in enumerate(screen.rows):
        for start, end, style in row.spans():
            if not has_style(style, wanted) or (style == DEFAULT and not "".join(row.texts[start:end]).strip()):
                continue
            last = found[-1] if found else None
            if last is not None and last.row == number and last.column + last.width == start:
                found[-1] = last._replace(width=end - last.column)
            else:
                found.append(Region(number, start, 1, end - start))
    return found


def nearest(query: Query, screen: Screen) -> str | None:
    """Return a sentence about what comes closest to a text that is not there; ``None`` when nothing does."""
    if query.within is not None and not query.within.find(screen):
        return f"there is no {query.within}"
    if query.text is None:
        return None
    wanted = query.text
    if query.exact and (found := screen.find(wanted)):
        return f"at {found[0]} it is part of {screen.lines[found[0].row].strip()!r}"
    if found := screen.find(re.compile(re.escape(wanted), re.IGNORECASE)):
        place = found[0]
        return f"at {place} with other letters: {_text_at(screen, place)!r}"
    spaced = re.compile(r"\s+".join(map(re.escape, wanted.split())) or r"\b\B")
    if found := screen.find(spaced):
        return f"at {found[0]} with other blanks: {_text_at(screen, found[0])!r}"
    return _alike(wanted, screen)


def _text_at(screen: Screen, region: Region) -> str:
    return screen.crop(region).rows[0].text


def _alike(wanted: str, screen: Screen) -> str | None:
    import difflib  # only for a message

    best, where, shown = _CLOSE, -1, ""
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    for number, line in enumerate(screen.lines):
        # Around each longest common piece: cheaper than every window of the row.
        matcher.set_seq1(line)
        piece = matcher.find_longest_match()
        start = max(piece.a - piece.b, 0)
        window = line[start : start + len(wanted)].strip()
        likeness = difflib.SequenceMatcher(None, window, wanted, autojunk=False).ratio()
        if likeness > best:
            best, where, shown = likeness, number, window
    return None if where < 0 else f"row {where} has {shown!r}"
