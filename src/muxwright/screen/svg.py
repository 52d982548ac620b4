"""A screen as SVG: every cell stands exactly on its grid, whatever font the reader has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from muxwright.screen.boxes import draw, is_drawn
from muxwright.screen.html import FONTS, safe_link
from muxwright.screen.lines import underline
from muxwright.screen.screen import Screen
from muxwright.screen.style import Rgb, Style
from muxwright.screen.theme import Theme, look, named_theme

__all__ = ["BAR", "CELL", "MARGIN", "picture_size", "screen_parts", "style_sheet", "to_svg", "window_parts"]

CELL = (9, 18)  # pixels; the usual monospaced fonts are 0.6 em wide
_FONT = 15
_BASE = 13.5  # where letters stand, from the top of their cell
_THICK = 1
MARGIN = 12
BAR = 30  # height of the title bar
_NOT_XML = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_DOTS = (Rgb(0xFF, 0x5F, 0x57), Rgb(0xFE, 0xBC, 0x2E), Rgb(0x28, 0xC8, 0x40))


def picture_size(width: int, height: int, frame: bool) -> tuple[int, int]:
    """Return pixels of the picture of a screen of this many columns and rows."""
    return width * CELL[0] + 2 * MARGIN, height * CELL[1] + 2 * MARGIN + (BAR if frame else 0)


def to_svg(screen: Screen, *, theme: Theme | str = "dark", frame: bool = True, cursor: bool = True) -> str:
    """Return the picture of one screen."""
    chosen = named_theme(theme)
    width, height = picture_size(screen.width, screen.height, frame)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        style_sheet(),
        *window_parts(screen.title, chosen, width, height, frame),
        f'<g transform="translate({MARGIN} {MARGIN + (BAR if frame else 0)})">',
        *screen_parts(screen, chosen, cursor=cursor),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def style_sheet() -> str:
    """Return the rules that all texts share."""
    return (
        f"<style>text{{font-family:{FONTS};font-size:{_FONT}px;white-space:pre}}.b{{font-weight:bold}}"
        ".i{font-style:italic}.l{shape-rendering:crispEdges}</style>"
    )


def window_parts(title: str, theme: Theme, width: int, height: int, frame: bool) -> Iterator[str]:
    """Return the background and, with a frame, the bar with the title."""
    corner = 8 if frame else 0
    yield f'<rect width="{width}" height="{height}" rx="{corner}" fill="{theme.background}"/>'
    if not frame:
        return
    outline = f"M0 {BAR}V{corner}Q0 0 {corner} 0H{width - corner}Q{width} 0 {width} {corner}V{BAR}Z"
    yield f'<path fill="{theme.frame}" d="{outline}"/>'
    for number, colour in enumerate(_DOTS):
        yield f'<circle cx="{18 + 20 * number}" cy="{BAR // 2}" r="6" fill="{colour}"/>'
    if title:
        yield (
            f'<text x="{width // 2}" y="{BAR // 2 + 5}" text-anchor="middle" fill="{theme.frame_text}">'
            f"{escape(printable(title))}</text>"
        )


def printable(text: str) -> str:
    """Return the text without what XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


class _Layers:
    """The parts of a picture by what lies above what, shapes of one colour together."""

    def __init__(self) -> None:
        self.backgrounds: dict[Rgb, list[str]] = {}
        self.shapes: dict[tuple[Rgb, float], list[str]] = {}
        self.lines: dict[Rgb, list[str]] = {}
        self.texts: list[str] = []

    def parts(self) -> Iterator[str]:
        for colour, paths in self.backgrounds.items():
            yield f'<path class="l" fill="{colour}" d="{"".join(paths)}"/>'
        for (colour, opacity), paths in self.shapes.items():
            faded = f' fill-opacity="{opacity}"' if opacity < 1 else ""
            yield f'<path fill="{colour}"{faded} d="{"".join(paths)}"/>'
        yield from self.texts
        for colour, paths in self.lines.items():
            yield f'<path fill="none" stroke="{colour}" d="{"".join(paths)}"/>'


def screen_parts(screen: Screen, theme: Theme, *, cursor: bool = True, only_cursor: bool = False) -> list[str]:
    """Return the elements of the cells, the cursor last; the first cell's corner is at 0, 0."""
    if only_cursor:
        return list(_cursor(screen, theme))
    layers = _Layers()
    for number, row in enumerate(screen.rows):
        for start, end, style in row.spans():
            _run(layers, _Place(number, start), row.texts[start:end], style, theme)
    return [*layers.parts(), *(_cursor(screen, theme) if cursor else ())]


class _Place(NamedTuple):
    row: int
    column: int


def _run(layers: _Layers, place: _Place, texts: tuple[str, ...], style: Style, theme: Theme) -> None:
    colours = look(theme, style)
    cell_width, cell_height = CELL
    x, y, width = place.column * cell_width, place.row * cell_height, len(texts)
    if colours.background is not None:
        layers.backgrounds.setdefault(colours.background, []).append(
            f"M{x} {y}h{width * cell_width}v{cell_height}h-{width * cell_width}z"
        )
    if style.underline:
        path = underline(style.underline, x, y + cell_height - 2.5, width * cell_width)
        layers.lines.setdefault(colours.underline, []).append(path)
    for wanted, height in ((style.strike, cell_height / 2), (style.overline, 0.5)):
        if wanted:
            layers.lines.setdefault(colours.foreground, []).append(f"M{x} {y + height}h{width * cell_width}")
    text = "".join(texts)
    if style.hidden or text.isspace():
        return
    if text.isascii() and len(text) == width:
        _text(layers, place, text, width, style, colours.foreground)
    else:
        _texts(layers, place, texts, style, colours.foreground)


def _texts(layers: _Layers, place: _Place, texts: tuple[str, ...], style: Style, colour: Rgb) -> None:
    """Add what is written; narrow letters together, wide and combined ones each for themselves, lines as shapes."""
    start = 0
    together = ""
    for offset, part in enumerate((*texts, "")):
        if len(part) == 1 and part.isascii() and offset < len(texts):
            start = start if together else offset
            together += part
            continue
        _text(layers, place._replace(column=place.column + start), together, len(together), style, colour)
        together = ""
        if not part:
            continue
        if is_drawn(part):
            _shape(layers, place._replace(column=place.column + offset), part, colour)
        else:
            wide = 2 if texts[offset + 1 : offset + 2] == ("",) else 1
            _text(layers, place._replace(column=place.column + offset), part, wide, style, colour)


def _text(layers: _Layers, place: _Place, text: str, columns: int, style: Style, colour: Rgb) -> None:
    stripped = text.lstrip(" ")
    column = place.column + len(text) - len(stripped)
    columns -= len(text) - len(stripped)
    shown = stripped.rstrip(" ")
    columns -= len(stripped) - len(shown)
    if not shown:
        return
    kind = " ".join(name for name, wanted in (("b", style.bold), ("i", style.italic)) if wanted)
    element = (
        f'<text x="{column * CELL[0]}" y="{place.row * CELL[1] + _BASE}" textLength="{columns * CELL[0]}"'
        f' lengthAdjust="spacingAndGlyphs" fill="{colour}"{f" class={quoteattr(kind)}" if kind else ""}>'
        f"{escape(printable(shown)).replace(' ', chr(0xA0))}</text>"
    )
    link = safe_link(style.link)
    layers.texts.append(element if link is None else f"<a href={quoteattr(printable(link))}>{element}</a>")


def _shape(layers: _Layers, place: _Place, character: str, colour: Rgb) -> None:
    drawing = draw(character, *CELL, _THICK)
    left, top = place.column * CELL[0], place.row * CELL[1]
    paths = layers.shapes.setdefault((colour, drawing.opacity), [])
    for first, *others in drawing.polygons:
        path = "".join(f"L{left + x:g} {top + y:g}" for x, y in others)
        paths.append(f"M{left + first[0]:g} {top + first[1]:g}{path}z")


def _cursor(screen: Screen, theme: Theme) -> Iterator[str]:
    place = screen.cursor
    if place is None or not place.visible:
        return
    column = min(place.column, screen.width - 1)
    x, y = column * CELL[0], place.row * CELL[1]
    width = CELL[0] * (2 if screen.rows[place.row].texts[column + 1 : column + 2] == ("",) else 1)
    box = {
        "block": (x, y, width, CELL[1]),
        "underline": (x, y + CELL[1] - 2, width, 2),
        "bar": (x, y, 2, CELL[1]),
    }[place.shape]
    left, top, across, down = box
    yield f'<rect x="{left}" y="{top}" width="{across}" height="{down}" fill="{theme.cursor}"/>'
    cell = screen.cell(place.row, column)
    if place.shape == "block" and cell.text.strip():
        layers = _Layers()
        texts = (cell.text, "") if width > CELL[0] else (cell.text,)
        _texts(layers, _Place(place.row, column), texts, cell.style, theme.background)
        yield from layers.parts()
