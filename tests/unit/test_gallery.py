"""The pictures in the docs show what they say: pixels and cells of them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from muxwright.screen.style import Rgb
from muxwright.screen.svg import BAR, CELL, MARGIN
from muxwright.screen.theme import THEMES

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images" / "screens"
SCALE = 2
SVG = "{http://www.w3.org/2000/svg}"


def colours(image: Image.Image, row: int, column: int) -> set[Rgb]:
    """The colours in a cell of a framed picture."""
    width, height = CELL[0] * SCALE, CELL[1] * SCALE
    left, top = MARGIN * SCALE + column * width, (MARGIN + BAR) * SCALE + row * height
    data = image.crop((left, top, left + width, top + height)).convert("RGB").tobytes()
    return {Rgb(*data[start : start + 3]) for start in range(0, len(data), 3)}


@pytest.mark.parametrize("name", THEMES)
def test_the_table_has_every_colour(name: str) -> None:
    theme = THEMES[name]
    with Image.open(IMAGES / f"colours-{name}.png") as image:
        for number in range(16):
            assert colours(image, number // 8, number % 8 * 4) == {theme.palette[number]}
        for number in range(216):
            assert colours(image, 2 + number // 36, number % 36) == {theme.rgb(16 + number)}
        for number in range(24):
            assert colours(image, 8, number) == {theme.rgb(232 + number)}
        assert colours(image, 9, 30) == {Rgb(120, 135, 160)}
        assert colours(image, 12, 59) == {theme.background}


def test_lines_meet_and_wide_characters_keep_their_columns() -> None:
    ink = THEMES["dark"].foreground
    with Image.open(IMAGES / "lines.png") as image:
        for column in range(12):
            drawn = ink in colours(image, 0, column)
            assert drawn is (column not in (5, 11)), column
        assert colours(image, 3, 43) == {ink}  # the full block
    with Image.open(IMAGES / "wide.png") as image:
        for row in (2, 3):
            # │日│本│: lines at the columns 0, 3 and 6, whatever stands between them.
            assert [ink in colours(image, row, column) for column in (0, 3, 6)] == [True] * 3
            assert len(colours(image, row, 7)) == 1


@pytest.mark.parametrize("name", THEMES)
def test_the_window_has_its_panes_border_and_cursor(name: str) -> None:
    theme = THEMES[name]
    root = ElementTree.parse(IMAGES / f"window-{name}.svg").getroot()
    texts = ["".join(element.itertext()).replace("\xa0", " ").strip() for element in root.iter(f"{SVG}text")]
    assert {"three panes", "To do", "[x] write", "bold", "reverse", "done", "2 open, 1 done"} <= set(texts)
    fills = {element.get("fill") for element in root.iter(f"{SVG}path")}
    assert {str(theme.foreground), str(theme.palette[2])} <= fills  # the borders, that of the active pane green
    cursors = [element for element in root.iter(f"{SVG}rect") if element.get("fill") == str(theme.cursor)]
    assert [(element.get("width"), element.get("height")) for element in cursors] == [("9", "18")]
