"""Several screens as one animated SVG: no script, each different row kept once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from muxwright.errors import InvalidArgument
from muxwright.screen.screen import Row, Screen
from muxwright.screen.svg import BAR, CELL, MARGIN, picture_size, screen_parts, style_sheet, window_parts
from muxwright.screen.theme import Theme, named_theme

__all__ = ["to_animated_svg"]

_HOLD = 2.0  # seconds that the last screen stands before it begins again


def to_animated_svg(
    frames: Sequence[tuple[float, Screen]], *, theme: Theme | str = "dark", frame: bool = True, hold: float = _HOLD
) -> str:
    """Return an SVG that plays the frames (seconds from the start, screen) again and again.

    The last one stands for `hold` seconds. Sizes may differ; the picture is as large as the largest.
    """
    if not frames:
        raise InvalidArgument("an animation needs at least one screen")
    chosen = named_theme(theme)
    columns, rows = (max(screen.size[side] for _, screen in frames) for side in (0, 1))
    width, height = picture_size(columns, rows, frame)
    total = frames[-1][0] - frames[0][0] + hold
    tall = rows * CELL[1]
    known: dict[Row, str] = {}
    pictures = [_picture(screen, chosen, known, number * tall) for number, (_, screen) in enumerate(frames)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        style_sheet(),
        f"<style>@keyframes play{{{''.join(_keys(frames, total, tall))}}}"
        f".play{{animation:play {total:.3f}s step-end infinite}}</style>",
        "<defs>",
        *(f'<g id="{name}">{_row(row, chosen)}</g>' for row, name in known.items()),
        "</defs>",
        *window_parts(frames[-1][1].title, chosen, width, height, frame),
        # An inner svg cuts off the frames above and below.
        f'<svg x="{MARGIN}" y="{MARGIN + (BAR if frame else 0)}" width="{columns * CELL[0]}" height="{tall}">',
        '<g class="play">',
        *pictures,
        "</g></svg></svg>",
    ]
    return "\n".join(parts) + "\n"


def _keys(frames: Sequence[tuple[float, Screen]], total: float, tall: int) -> Iterator[str]:
    start = frames[0][0]
    for number, (time, _) in enumerate(frames):
        yield f"{100 * (time - start) / total:.3f}%{{transform:translateY({-number * tall}px)}}"


def _row(row: Row, theme: Theme) -> str:
    return "".join(screen_parts(Screen((row,), len(row.texts)), theme))


def _picture(screen: Screen, theme: Theme, known: dict[Row, str], top: int) -> str:
    uses = []
    for number, row in enumerate(screen.rows):
        if row.text.strip() or any(style.background is not None or style.reverse for style in row.styles):
            name = known.setdefault(row, f"r{len(known)}")
            uses.append(f'<use href="#{name}" y="{top + number * CELL[1]}"/>')
    cursor = "".join(screen_parts(Screen(screen.rows, screen.width, screen.cursor), theme, only_cursor=True))
    moved = f'<g transform="translate(0 {top})">{cursor}</g>' if cursor else ""
    return "".join(uses) + moved
