"""Fonts: JetBrains Mono from a wheel for letters, whatever the system has for what that lacks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

__all__ = ["Face", "FontSet"]

# In this order; the first that has a character draws it. Names without their folder, which differs by system.
_FALLBACKS = (
    "DejaVuSansMono.ttf",
    "NotoSansMonoCJK-Regular.ttc",
    "NotoSansCJK-Regular.ttc",
    "wqy-microhei.ttc",
    "NotoSansSymbols2-Regular.ttf",
    "unifont.otf",
    "Menlo.ttc",
    "PingFang.ttc",
    "Hiragino Sans GB.ttc",
    "AppleSDGothicNeo.ttc",
    "Apple Symbols.ttf",
)
_EMOJI = ("NotoColorEmoji.ttf", "Apple Color Emoji.ttc")
_EMOJI_SIZES = (109, 160)  # pixels; bitmap fonts have few sizes
_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/Library/Fonts",
    "/System/Library/Fonts",
    "~/.local/share/fonts",
    "~/Library/Fonts",
)


class Face(NamedTuple):
    """A font at one size. `colour`: its characters are pictures, at a size of their own."""

    font: ImageFont.FreeTypeFont
    colour: bool = False

    def has(self, character: str) -> bool:
        """Whether it has this character; a font does not say, so its picture is compared with that for missing ones."""
        # The second is no character and never will be.
        return _picture(self.font, character) not in (_picture(self.font, "\uffff"), None)


def _picture(font: ImageFont.FreeTypeFont, text: str) -> bytes | None:
    mask = font.getmask(text, mode="L")
    return bytes(mask) if mask.size[0] and mask.size[1] else None


@lru_cache(maxsize=1)
def _installed() -> dict[str, Path]:
    found: dict[str, Path] = {}
    wanted = {*_FALLBACKS, *_EMOJI}
    for folder in _FOLDERS:
        for path in Path(folder).expanduser().rglob("*.*"):
            if path.name in wanted:
                found.setdefault(path.name, path)
    return found


def _load(path: Path, sizes: Iterable[int], index: int = 0) -> ImageFont.FreeTypeFont | None:
    for size in sizes:
        try:
            # Basic layout: the other one may not be built in, and would join letters to ligatures.
            return ImageFont.truetype(str(path), size, index=index, layout_engine=ImageFont.Layout.BASIC)
        except OSError:
            continue
    return None


class FontSet:
    """All fonts of one size in pixels. `more`: files to look into before the system's."""

    def __init__(self, size: int, more: tuple[str, ...] = ()) -> None:
        self.size = size
        self.more = more
        self._main: dict[tuple[bool, bool], Face] = {}
        self._others: list[Face] | None = None
        self.face = lru_cache(maxsize=4096)(self._face)

    def main(self, bold: bool, italic: bool) -> Face:
        """Return the face for letters."""
        if (bold, italic) not in self._main:
            name = "JetBrainsMono-Italic[wght].ttf" if italic else "JetBrainsMono[wght].ttf"
            data = BytesIO((files("fontpkg_jetbrains_mono") / "files" / name).read_bytes())
            font = ImageFont.truetype(data, self.size, layout_engine=ImageFont.Layout.BASIC)
            font.set_variation_by_axes([700 if bold else 400])
            self._main[bold, italic] = Face(font)
        return self._main[bold, italic]

    def _face(self, text: str, bold: bool, italic: bool) -> Face | None:
        """Return the face that has a character (the first of a cluster), or ``None``."""
        main = self.main(bold, italic)
        character = text[0]
        picture = "\ufe0f" in text or character >= "\U0001f000"
        faces = [main, *self._fallbacks()]
        # What is a picture of its own goes to the fonts with colours first.
        if picture:
            faces.sort(key=lambda face: not face.colour)
        return next((face for face in faces if face.has(character)), None)

    def _fallbacks(self) -> list[Face]:
        if self._others is None:
            installed = _installed()
            plain = [Path(path) for path in self.more] + [installed[name] for name in _FALLBACKS if name in installed]
            colour = [installed[name] for name in _EMOJI if name in installed]
            fonts = [(_load(path, (self.size,)), False) for path in plain]
            fonts += [(_load(path, _EMOJI_SIZES), True) for path in colour]
            self._others = [Face(font, coloured) for font, coloured in fonts if font is not None]
        return self._others


def colour_glyph(face: Face, text: str) -> Image.Image:
    """Return the picture of a character of a font with colours, cut to its edges."""
    left, top, right, bottom = (int(edge) for edge in face.font.getbbox(text))
    image = Image.new("RGBA", (max(right - left, 1), max(bottom - top, 1)))
    ImageDraw.Draw(image).text((-left, -top), text, font=face.font, embedded_color=True)
    return image
