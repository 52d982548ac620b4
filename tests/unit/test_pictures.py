"""PNG: pixels and cells of the pictures, not that there is a file."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from PIL import Image

from muxwright.errors import InvalidArgument
from muxwright.pictures.fonts import FontSet
from muxwright.pictures.png import to_png
from muxwright.screen.read import read_rows
from muxwright.screen.screen import Cursor, Screen
from muxwright.screen.style import Rgb
from muxwright.screen.svg import BAR, CELL, MARGIN, picture_size
from muxwright.screen.theme import THEMES

THEME = THEMES["dark"]


def counts(image: Image.Image) -> dict[Rgb, int]:
    """How many pixels have which colour."""
    data = image.tobytes()
    return dict(Counter(Rgb(*data[start : start + 3]) for start in range(0, len(data), 3)))


class Picture:
    """A decoded PNG, addressed by cell."""

    def __init__(self, text: str, width: int, height: int, cursor: Cursor | None = None, **options: object) -> None:
        screen = Screen(read_rows(text, width, height), width, cursor, "title")
        self.scale = int(options.get("scale", 2))  # type: ignore[call-overload]  # tests pass numbers
        self.frame = bool(options.get("frame", False))
        data = to_png(screen, **{"frame": False, **options})  # type: ignore[arg-type]  # options by name
        self.image = Image.open(io.BytesIO(data)).convert("RGB")

    def cell(self, row: int, column: int) -> Image.Image:
        width, height = (side * self.scale for side in CELL)
        left = MARGIN * self.scale + column * width
        top = (MARGIN + (BAR if self.frame else 0)) * self.scale + row * height
        return self.image.crop((left, top, left + width, top + height))

    def colours(self, row: int, column: int) -> set[Rgb]:
        return set(counts(self.cell(row, column)))


@pytest.mark.parametrize("scale", [1, 2, 3])
@pytest.mark.parametrize("frame", [True, False])
def test_size_and_backgrounds_to_the_pixel(scale: int, frame: bool) -> None:
    picture = Picture("\033[41m \033[48;5;196m \033[48;2;1;2;3m \033[0m", 4, 2, scale=scale, frame=frame)
    width, height = picture_size(4, 2, frame)
    assert picture.image.size == (width * scale, height * scale)
    assert picture.colours(0, 0) == {THEME.palette[1]}
    assert picture.colours(0, 1) == {Rgb(255, 0, 0)}
    assert picture.colours(0, 2) == {Rgb(1, 2, 3)}
    assert picture.colours(0, 3) == picture.colours(1, 0) == {THEME.background}


def test_all_256_colours() -> None:
    text = "\n".join("".join(f"\033[48;5;{16 * row + column}m " for column in range(16)) for row in range(16))
    picture = Picture(text, 16, 16, scale=1)
    for number in range(256):
        assert picture.colours(*divmod(number, 16)) == {THEME.rgb(number)}


def test_letters_stay_in_their_cells_and_bold_is_heavier() -> None:
    picture = Picture("M \033[1mM", 3, 1)

    def ink(column: int) -> int:
        pixels = picture.cell(0, column).convert("L")
        return sum(count * value for value, count in enumerate(pixels.histogram()))

    assert picture.colours(0, 1) == {THEME.background}
    assert THEME.foreground in picture.colours(0, 0)
    assert ink(2) > ink(0) > ink(1)


def test_boxes_meet_without_a_gap() -> None:
    picture = Picture("┌─┐\n│x│\n└─┘\n█▓▀", 3, 4)
    width, height = (2 * side for side in CELL)
    line = [
        picture.image.getpixel((x, 2 * MARGIN + height // 2)) for x in range(2 * MARGIN + width, 2 * MARGIN + 2 * width)
    ]
    assert set(line) == {THEME.foreground}
    middle = 2 * MARGIN + width // 2
    down = [picture.image.getpixel((middle, 2 * MARGIN + y)) for y in range(height // 2, 2 * height + height // 2)]
    assert set(down) == {THEME.foreground}
    assert picture.colours(3, 0) == {THEME.foreground}
    assert len(picture.colours(3, 1)) == 1
    assert picture.colours(3, 2) == {THEME.foreground, THEME.background}


def test_a_combining_accent_stands_over_its_letter() -> None:
    composed, decomposed, other = (Picture(text, 1, 1) for text in ("é", "e\u0301", "x\u0303"))
    assert composed.image.tobytes() == decomposed.image.tobytes()
    plain = Picture("x", 1, 1)
    box = other.cell(0, 0).convert("L").point(lambda value: 255 if value > 60 else 0).getbbox()
    below = plain.cell(0, 0).convert("L").point(lambda value: 255 if value > 60 else 0).getbbox()
    assert box is not None and below is not None
    assert box[1] < below[1]
    assert abs((box[0] + box[2]) - (below[0] + below[2])) <= 4


def test_a_wide_character_takes_two_cells_whatever_fonts_there_are() -> None:
    picture = Picture("日x", 4, 1)
    assert len(picture.colours(0, 0)) > 1
    assert len(picture.colours(0, 1)) > 1
    assert len(picture.colours(0, 2)) > 1
    assert picture.colours(0, 3) == {THEME.background}


def test_a_character_without_a_font_is_a_box_with_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FontSet, "_fallbacks", lambda self: [])
    pictures = [Picture(character, 1, 1, scale=4) for character in "\uf8f1\uf8f2"]
    assert all(THEME.foreground in picture.colours(0, 0) for picture in pictures)
    assert pictures[0].image.tobytes() != pictures[1].image.tobytes()


@pytest.mark.parametrize(
    ("cursor", "at", "share"),
    [
        (Cursor(0, 1), (0, 1), 1.0),
        (Cursor(0, 1, shape="bar"), (0, 1), 2 / 9),
        (Cursor(0, 1, shape="underline"), (0, 1), 2 / 18),
        (Cursor(0, 1, visible=False), (0, 1), 0.0),
        (Cursor(0, 3), (0, 2), 1.0),  # after the last column it is shown on it
    ],
)
def test_the_cursor(cursor: Cursor, at: tuple[int, int], share: float) -> None:
    cell = Picture("", 3, 1, cursor).cell(*at)
    assert counts(cell).get(THEME.cursor, 0) == pytest.approx(share * cell.width * cell.height)


def test_underlines_have_their_own_colour() -> None:
    for kind in ("4", "4:2", "4:3", "4:4", "4:5"):
        assert Rgb(255, 0, 0) in Picture(f"\033[{kind};58;5;196m  ", 2, 1).colours(0, 0)
    assert THEME.foreground in Picture("\033[9m ", 1, 1).colours(0, 0)
    assert THEME.foreground in Picture("\033[53m ", 1, 1).colours(0, 0)
    assert Picture("\033[8mM", 1, 1).colours(0, 0) == {THEME.background}


@pytest.mark.parametrize("scale", [0, 9, 1.5, True])
def test_a_wrong_scale_is_refused(scale: object) -> None:
    with pytest.raises(InvalidArgument, match="from 1 to 8"):
        Picture("", 1, 1, scale=scale)


def test_a_picture_that_is_too_large_is_refused_before_it_is_made() -> None:
    with pytest.raises(InvalidArgument, match="smaller scale"):
        Picture("", 1000, 500, scale=8)
