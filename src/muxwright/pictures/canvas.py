"""Drawing a screen with Pillow; the same geometry as the SVG, times a whole number."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from muxwright.errors import InvalidArgument
from muxwright.pictures.fonts import Face, FontSet, colour_glyph
from muxwright.screen.boxes import draw, is_drawn
from muxwright.screen.lines import wave
from muxwright.screen.screen import Screen
from muxwright.screen.style import Rgb, Style
from muxwright.screen.svg import BAR, CELL, MARGIN, picture_size
from muxwright.screen.theme import Theme, look

__all__ = ["PIXELS", "Canvas"]

PIXELS = 32 * 1024 * 1024
"""The largest picture, in pixels."""

_FONT = 15
_BASE = 13.5
_FINE = 4  # shapes are drawn this much larger, then made smaller: soft edges
_DOTS = ((0xFF, 0x5F, 0x57), (0xFE, 0xBC, 0x2E), (0x28, 0xC8, 0x40))


@lru_cache(maxsize=8)
def _fonts(size: int, more: tuple[str, ...]) -> FontSet:
    return FontSet(size, more)


@lru_cache(maxsize=2048)
def _shape_mask(character: str, width: int, height: int, thick: int) -> Image.Image:
    drawing = draw(character, width, height, thick)
    mask = Image.new("L", (width * _FINE, height * _FINE))
    pen = ImageDraw.Draw(mask)
    for polygon in drawing.polygons:
        # Pillow's polygons include their last pixel.
        left, top = min(x for x, _ in polygon), min(y for _, y in polygon)
        points = [(x * _FINE - (x > left), y * _FINE - (y > top)) for x, y in polygon]
        pen.polygon(points, fill=round(255 * drawing.opacity))
    return mask.resize((width, height), Image.Resampling.BOX)


@lru_cache(maxsize=8192)
def _glyph(face: Face, text: str, width: int, height: int) -> tuple[Image.Image, int, int] | None:
    """Return the mask of a character with what combines with it, and its place in the cell; ``None`` for a blank.

    In the middle of its cells, and smaller where a font's character is wider than they are.
    """
    font = face.font
    text = unicodedata.normalize("NFC", text)
    base = text[0]
    needed = font.getlength(base)
    if needed > width:
        font = font.font_variant(size=max(int(font.size * width / needed), 4))
        needed = font.getlength(base)
    # Letters may reach over the edges of their cell.
    image = Image.new("L", (3 * width, 3 * height))
    pen = ImageDraw.Draw(image)
    for part in text:  # what combines stands over the base
        pen.text((width + (width - needed) / 2, height * (1 + _BASE / CELL[1])), part, 255, font, "ls")
    box = image.getbbox()
    return None if box is None else (image.crop(box), box[0] - width, box[1] - height)


class Canvas:
    """One picture in the making."""

    def __init__(
        self, width: int, height: int, theme: Theme, *, scale: int = 2, frame: bool = True, fonts: tuple[str, ...] = ()
    ) -> None:
        size = picture_size(width, height, frame)
        if isinstance(scale, bool) or not isinstance(scale, int) or not 1 <= scale <= 8:
            raise InvalidArgument(f"scale is a whole number from 1 to 8, not {scale!r}")
        if size[0] * size[1] * scale * scale > PIXELS:
            raise InvalidArgument(
                f"a picture of {size[0] * scale}x{size[1] * scale} pixels is larger than {PIXELS}: take a smaller scale"
            )
        self.theme = theme
        self.scale = scale
        self.frame = frame
        self.cell = (CELL[0] * scale, CELL[1] * scale)
        self.origin = (MARGIN * scale, (MARGIN + (BAR if frame else 0)) * scale)
        self.fonts = _fonts(_FONT * scale, fonts)
        self.image = Image.new("RGB", (size[0] * scale, size[1] * scale), theme.background)
        self.pen = ImageDraw.Draw(self.image)

    def draw(self, screen: Screen, *, cursor: bool = True) -> None:
        """Draw a whole screen."""
        if self.frame:
            self._bar(screen.title)
        for number, row in enumerate(screen.rows):
            for start, end, style in row.spans():
                self._run(number, start, row.texts[start:end], style)
        if cursor:
            self._cursor(screen)

    def _bar(self, title: str) -> None:
        self.pen.rectangle((0, 0, self.image.width, BAR * self.scale - 1), fill=self.theme.frame)
        for number, colour in enumerate(_DOTS):
            centre = ((18 + 20 * number) * self.scale, BAR * self.scale // 2)
            self.pen.circle(centre, 6 * self.scale, fill=colour)
        if title:
            place = (self.image.width // 2, BAR * self.scale // 2)
            self.pen.text(place, title, font=self._main(Style()), fill=self.theme.frame_text, anchor="mm")

    def _main(self, style: Style) -> ImageFont.FreeTypeFont:
        return self.fonts.main(style.bold, style.italic).font

    def corner(self, row: int, column: int) -> tuple[int, int]:
        """Return the pixel where a cell begins."""
        return self.origin[0] + column * self.cell[0], self.origin[1] + row * self.cell[1]

    def _run(self, row: int, column: int, texts: tuple[str, ...], style: Style) -> None:
        colours = look(self.theme, style)
        x, y = self.corner(row, column)
        width = len(texts) * self.cell[0]
        if colours.background is not None:
            self.pen.rectangle((x, y, x + width - 1, y + self.cell[1] - 1), fill=colours.background)
        if not style.hidden:
            self._texts(row, column, texts, style, colours.foreground)
        if style.underline:
            self._underline(style, x, y, width, colours.underline)
        for wanted, height in ((style.strike, self.cell[1] // 2), (style.overline, 0)):
            if wanted:
                self._rule(x, y + height, width, colours.foreground)

    def _rule(self, x: float, y: float, width: float, colour: Rgb) -> None:
        self.pen.rectangle((x, y, x + width - 1, y + self.scale - 1), fill=colour)

    def _underline(self, style: Style, x: int, y: int, width: int, colour: Rgb) -> None:
        scale = self.scale
        line = y + self.cell[1] - 3 * scale
        if style.underline == "curly":
            points = [(x + across, line + up * scale) for across, up in wave(0, width, 3.0 * scale)]
            self.pen.line(points, fill=colour, width=scale, joint="curve")
        elif style.underline == "double":
            self._rule(x, line - scale, width, colour)
            self._rule(x, line + scale, width, colour)
        else:
            step, length = {"dotted": (2, 1), "dashed": (6, 4)}.get(style.underline or "", (width, width))
            for offset in range(0, width, step * scale):
                self._rule(x + offset, line, min(length * scale, width - offset), colour)

    def _texts(self, row: int, column: int, texts: tuple[str, ...], style: Style, colour: Rgb) -> None:
        for offset, part in enumerate(texts):
            if part and part != " ":
                wide = texts[offset + 1 : offset + 2] == ("",)
                self._character(row, column + offset, part, 2 if wide else 1, style, colour)

    def _character(self, row: int, column: int, text: str, columns: int, style: Style, colour: Rgb) -> None:
        x, y = self.corner(row, column)
        width, height = self.cell
        if is_drawn(text):
            mask = _shape_mask(text, width, height, self.scale)
            self.pen.bitmap((x, y), mask, colour)
            return
        face = self.fonts.face(text, style.bold, style.italic)
        if face is None:
            self._missing(x, y, text, width * columns, colour)
        elif face.colour:
            self._emoji(x, y, text, face, (width * columns, height))
        else:
            glyph = _glyph(face, text, width * columns, height)
            if glyph is not None:
                mask, left, top = glyph
                self.pen.bitmap((x + left, y + top), mask, colour)

    def _emoji(self, x: int, y: int, text: str, face: Face, box: tuple[int, int]) -> None:
        picture = colour_glyph(face, text[0])
        factor = min(box[0] / picture.width, box[1] / picture.height)
        size = (max(round(picture.width * factor), 1), max(round(picture.height * factor), 1))
        picture = picture.resize(size, Image.Resampling.LANCZOS)
        place = (x + (box[0] - size[0]) // 2, y + (box[1] - size[1]) // 2)
        self.image.paste(picture, place, picture)

    def _missing(self, x: int, y: int, text: str, width: int, colour: Rgb) -> None:
        """Draw a box with the number of a character that no font here has."""
        scale = self.scale
        right, bottom = x + width - 1 - scale // 2, y + self.cell[1] - 1 - scale
        self.pen.rectangle((x + scale // 2, y + scale, right, bottom), outline=colour, width=max(scale // 2, 1))
        digits = f"{ord(text[0]):04x}"
        font = self._main(Style()).font_variant(size=max(width // 4, 5))
        half = (len(digits) + 1) // 2
        for number, part in enumerate((digits[:half], digits[half:])):
            place = (x + width / 2, y + self.cell[1] * (0.33 + 0.34 * number))
            self.pen.text(place, part, font=font, fill=colour, anchor="mm")

    def _cursor(self, screen: Screen) -> None:
        place = screen.cursor
        if place is None or not place.visible:
            return
        column = min(place.column, screen.width - 1)
        texts = screen.rows[place.row].texts
        columns = 2 if texts[column + 1 : column + 2] == ("",) else 1
        x, y = self.corner(place.row, column)
        right, bottom = x + columns * self.cell[0] - 1, y + self.cell[1] - 1
        left, top = x, y
        if place.shape == "underline":
            top = bottom - 2 * self.scale + 1
        elif place.shape == "bar":
            right = x + 2 * self.scale - 1
        self.pen.rectangle((left, top, right, bottom), fill=self.theme.cursor)
        text = texts[column]
        if place.shape == "block" and text.strip():
            style = screen.rows[place.row].styles[column]
            self._character(place.row, column, text, columns, style, self.theme.background)
