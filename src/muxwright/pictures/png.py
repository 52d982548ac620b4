"""PNG."""

from __future__ import annotations

import io

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
    stream = io.BytesIO()
    # Level 1: screens are flat, a higher one saves little and takes several times as long.
    canvas.image.save(stream, "PNG", compress_level=1)
    return stream.getvalue()
