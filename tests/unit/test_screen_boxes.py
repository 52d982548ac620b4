"""Lines and blocks: all of them can be drawn, they reach the edges that their names say, and neighbours meet."""

from __future__ import annotations

import unicodedata

import pytest

from muxwright.screen.boxes import draw, is_drawn

WIDTH, HEIGHT, THICK = 18, 36, 2
DRAWN = [chr(code) for code in [*range(0x2500, 0x25A0), *range(0x2800, 0x2900), 0xE0B0, 0xE0B2]]


def inside(character: str, x: float, y: float) -> bool:
    """Whether a point is filled, for shapes of rectangles."""
    return any(
        min(px for px, _ in polygon) <= x < max(px for px, _ in polygon)
        and min(py for _, py in polygon) <= y < max(py for _, py in polygon)
        for polygon in draw(character, WIDTH, HEIGHT, THICK).polygons
    )


def edges(character: str) -> set[str]:
    """The edges that a character touches."""
    across = [x + 0.5 for x in range(WIDTH)]
    down = [y + 0.5 for y in range(HEIGHT)]
    touched = set()
    for name, points in {
        "up": [(x, 0.5) for x in across],
        "down": [(x, HEIGHT - 0.5) for x in across],
        "left": [(0.5, y) for y in down],
        "right": [(WIDTH - 0.5, y) for y in down],
    }.items():
        if any(inside(character, *point) for point in points):
            touched.add(name)
    return touched


def test_everything_is_drawn_inside_its_cell() -> None:
    # One test and not one for each of the 400 characters: each takes microseconds.
    for character in DRAWN:
        assert is_drawn(character), character
        polygons = draw(character, WIDTH, HEIGHT, THICK).polygons
        assert polygons or character == "\u2800"
        if "DIAGONAL" not in unicodedata.name(character, ""):
            for x, y in (point for polygon in polygons for point in polygon):
                assert 0 <= x <= WIDTH, character
                assert 0 <= y <= HEIGHT, character


def test_other_characters_are_not_drawn() -> None:
    assert not any(map(is_drawn, "a日\u24ff\u25a0\u27ff\u2900"))


LINES = [
    chr(code)
    for code in range(0x2500, 0x2580)
    if not {"DASH", "ARC", "DIAGONAL"} & set(unicodedata.name(chr(code)).split())
]


def test_a_line_reaches_exactly_the_edges_of_its_name() -> None:
    for character in LINES:
        words = set(unicodedata.name(character).replace("-", " ").split())
        wanted = {name.lower() for name in ("UP", "DOWN", "LEFT", "RIGHT") if name in words}
        wanted |= {"left", "right"} if "HORIZONTAL" in words else set()
        wanted |= {"up", "down"} if "VERTICAL" in words else set()
        assert edges(character) == wanted, character


@pytest.mark.parametrize("character", "║╔╗╠╣╦╬")
def test_double_lines_keep_their_channel(character: str) -> None:
    middle = (WIDTH / 2, HEIGHT / 2)
    assert not inside(character, *middle)
    assert inside(character, WIDTH / 2 - THICK, HEIGHT - 1)
    assert not inside(character, WIDTH / 2, HEIGHT - 1)


def test_blocks_fill_what_they_say() -> None:
    assert inside("█", 0, 0)
    assert inside("█", WIDTH - 1, HEIGHT - 1)
    assert inside("▀", 5, 0)
    assert not inside("▀", 5, HEIGHT / 2)
    assert inside("▐", WIDTH - 1, 3)
    assert not inside("▐", 0, 3)
    assert inside("▂", 5, HEIGHT - 9)
    assert not inside("▂", 5, HEIGHT - 10)
    assert inside("▎", 3, 0)
    assert not inside("▎", 5, 0)
    assert inside("▚", 0, 0) and inside("▚", WIDTH - 1, HEIGHT - 1) and not inside("▚", WIDTH - 1, 0)
    assert [draw(shade, WIDTH, HEIGHT, THICK).opacity for shade in "░▒▓█"] == [0.25, 0.5, 0.75, 1.0]
