"""PNG."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from PIL import Image

from muxwright.pictures.canvas import Canvas
from muxwright.screen.screen import Screen
from muxwright.screen.theme import Theme, named_theme

__all__ = ["to_png"]


def to_png(
    screen: Screen,
    *,
    theme: Theme | str = "dark",
    frame: bool = True,
    cursor: bool = True,
    scale: int = 2,
    fonts: tuple[str, ...] = (),
) -> bytes:
    """Return a picture of a screen as PNG; a cell is 9 by 18 pixels times `scale` (1 to 8).

    `fonts`: font files to look into for characters that the built-in one lacks, before the system's own. A character
    that none has is a box with its number. Raises `InvalidArgument` for more than 32 million pixels.
    """
    canvas = Canvas(screen.width, screen.height, named_theme(theme), scale=scale, frame=frame, fonts=fonts)
    canvas.draw(screen, cursor=cursor)
    return b"".join(_chunks(canvas.image))


def _chunks(image: Image.Image) -> Iterator[bytes]:
    """Yield the parts of the file. Pillow would try five filters on each row, which takes longer than all the rest."""
    yield b"\x89PNG\r\n\x1a\n"
    yield _chunk(b"IHDR", struct.pack(">IIBBBBB", image.width, image.height, 8, 2, 0, 0, 0))
    yield _chunk(b"IDAT", _packed(image))
    yield _chunk(b"IEND", b"")


def _packed(image: Image.Image) -> bytes:
    data, length = memoryview(image.tobytes()), 3 * image.width
    # Level 1: screens are flat, a higher one saves little and takes several times as long.
    press = zlib.compressobj(1)
    parts = []
    for start in range(0, len(data), length):
        parts += [press.compress(b"\0"), press.compress(data[start : start + length])]
    return b"".join([*parts, press.flush()])


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))
