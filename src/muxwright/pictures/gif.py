"""Animated GIF."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import pairwise

from PIL import Image

from muxwright.errors import InvalidArgument
from muxwright.pictures.canvas import PIXELS, Canvas
from muxwright.screen.screen import Screen
from muxwright.screen.theme import Theme, named_theme

__all__ = ["to_gif"]

_HOLD = 2.0


def to_gif(
    frames: Sequence[tuple[float, Screen]],
    *,
    theme: Theme | str = "dark",
    frame: bool = True,
    scale: int = 1,
    hold: float = _HOLD,
) -> bytes:
    """Return a GIF that plays the frames (seconds from the start, screen) again and again; the last for `hold` seconds.

    A GIF has at most 256 colours a frame and times of whole hundredths. Raises `InvalidArgument` for no frames, or more
    than 32 million pixels in all frames times 8.
    """
    if not frames:
        raise InvalidArgument("an animation needs at least one screen")
    chosen = named_theme(theme)
    columns, rows = (max(screen.size[side] for _, screen in frames) for side in (0, 1))
    images: list[Image.Image] = []
    for _, screen in frames:
        canvas = Canvas(columns, rows, chosen, scale=scale, frame=frame)
        if canvas.image.width * canvas.image.height * len(frames) > 8 * PIXELS:
            raise InvalidArgument(f"{len(frames)} pictures of this size are too many: take a lower rate or scale")
        canvas.draw(screen)
        images.append(canvas.image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE))
    times = [time for time, _ in frames] + [frames[-1][0] + hold]
    # Browsers slow down what is shorter than two hundredths of a second.
    lasts = [max(round((later - time) * 100) * 10, 20) for time, later in pairwise(times)]
    stream = io.BytesIO()
    images[0].save(stream, "GIF", save_all=True, append_images=images[1:], duration=lasts, loop=0)
    return stream.getvalue()
