"""Screens: parts, search, comparison, and what they look like as text, ANSI, HTML and SVG."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muxwright.errors import InvalidArgument
from muxwright.screen import sgr
from muxwright.screen.compose import PlacedPane, compose
from muxwright.screen.read import read_rows
from muxwright.screen.screen import Cursor, Modes, Region, Screen
from muxwright.screen.style import DEFAULT, Rgb, Style
from muxwright.screen.svg import CELL
from muxwright.screen.theme import THEMES, look

SVG = "{http://www.w3.org/2000/svg}"


def screen(text: str, width: int = 12, height: int = 3, cursor: Cursor | None = None, title: str = "") -> Screen:
    return Screen(read_rows(text, width, height), width, cursor, title)


def test_text_lines_and_cells() -> None:
    shown = screen("one\n\033[31mt日wo\033[0m  ")
    assert shown.size == (12, 3)
    assert shown.lines == ["one", "t日wo", ""]
    assert shown.text == str(shown) == "one\nt日wo"
    assert shown.cell(1, 1).text == "日"
    assert shown.cell(1, 2).is_wide_rest
    assert shown.cell(1, 3) == ("w", Style(foreground=1))
    assert [cell.text for cell in shown.column(0)] == ["o", "t", " "]
    assert "t日" in shown
    assert "日t" not in shown


@pytest.mark.parametrize("place", [(-1, 0), (0, -1), (3, 0), (0, 12)])
def test_a_cell_outside_is_an_error(place: tuple[int, int]) -> None:
    with pytest.raises(InvalidArgument, match="outside a screen of 12x3"):
        screen("x").cell(*place)


def test_find_tells_columns_and_not_characters() -> None:
    shown = screen("日本 save\nsave e\u0301e")
    assert shown.find("save") == [Region(0, 5, 1, 4), Region(1, 0, 1, 4)]
    assert shown.find("本") == [Region(0, 2, 1, 2)]
    assert shown.find("e\u0301e") == [Region(1, 5, 1, 2)]
    assert shown.find(re.compile(r"\w+$")) == [Region(0, 5, 1, 4), Region(1, 7 - 1, 1, 1)]
    with pytest.raises(InvalidArgument):
        shown.find("")


def test_crop_keeps_the_cursor_when_it_is_inside() -> None:
    shown = screen("abc\ndef\nghi", 3, 3, Cursor(1, 2))
    part = shown.crop(Region(1, 1, 5, 5))
    assert part.lines == ["ef", "hi"]
    assert part.size == (2, 2)
    assert part.cursor == Cursor(0, 1)
    assert shown.crop(Region(0, 0, 1, 3)).cursor is None


@pytest.mark.parametrize(
    "other",
    [
        screen("abd"),
        screen("abc", 13),
        screen("abc", 12, 4),
        screen("\033[1mabc"),
        screen("abc", cursor=Cursor(0, 0)),
        screen("abc", title="t"),
        Screen(read_rows("abc", 12, 3), 12, modes=Modes(alternate=True)),
    ],
)
def test_screens_differ_in_anything_and_the_difference_says_so(other: Screen) -> None:
    one = screen("abc")
    assert one != other
    assert one.diff(other)
    assert one.describe() != other.describe()


def test_equal_screens() -> None:
    assert screen("abc") == screen("abc  ")
    assert hash(screen("abc")) == hash(screen("abc  "))
    assert screen("abc").diff(screen("abc")) == ""


def test_a_difference_shows_rows_marks_and_styles() -> None:
    told = screen("same\nabc 日 d", 10).diff(screen("same\nabX 本 \033[1;31md", 10))
    assert told.split("\n") == [
        "row 1: - |abc 日 d  |",
        "       + |abX 本 d  |",
        "            ^ ^",
        "row 1, columns 7-7 'd': plain -> bold red",
    ]


def test_a_description_is_for_people() -> None:
    shown = screen("\033[4:3;38;5;196mok\033[0m!", 4, 2, Cursor(0, 3, visible=False), "title")
    assert shown.describe() == (
        "4x2 'title'\ncursor at row 0, column 3 (block hidden)\nmodes: none\n"
        "  +----+\n  |ok! |\n  |    |\n  +----+\nrow 0, column 0: 'ok' curly underline colour196\n"
    )


colours = st.none() | st.integers(0, 255) | st.builds(Rgb, *[st.integers(0, 255)] * 3)
kinds = st.sampled_from([None, "single", "double", "curly", "dotted", "dashed"])
styles = st.builds(
    Style,
    colours,
    colours,
    *[st.booleans()] * 3,
    kinds,
    colours,
    *[st.booleans()] * 5,
    st.none() | st.just("http://x.y/?a=b&c"),
)


@given(styles, styles)
def test_what_is_written_is_read_again(before: Style, style: Style) -> None:
    (row,) = read_rows(f"{sgr.encode(before)}a{sgr.encode(style)}b", 2, 1)
    assert row.styles[1] == style._replace(link=None)


@given(
    st.lists(st.tuples(styles, st.text(st.sampled_from("ab 日│e\u0301👍"), max_size=6)), max_size=8),
    st.integers(1, 20),
    st.integers(1, 4),
)
def test_ansi_gives_the_same_cells_again(runs: list[tuple[Style, str]], width: int, height: int) -> None:
    parts = [f"\033]8;;{style.link or ''}\033\\{sgr.encode(style)}{text}" for style, text in runs]
    rows = read_rows("\n".join(parts), width, height)
    first = Screen(rows, width)
    # A row that ends inside a wide character or begins with a combining one is none that tmux could show.
    if all(row.texts[0] and row.texts[0] != "\u0301" for row in rows):
        assert Screen(read_rows(first.to_ansi(), width, height), width).lines == first.lines
        assert read_rows(first.to_ansi(), width, height) == rows or any(len(t) > 1 for row in rows for t in row.texts)


def test_html_escapes_what_a_program_prints_and_links_only_to_the_web() -> None:
    shown = screen('<b>&\n\033]8;;javascript:alert(1)\033\\x\033]8;;\033\\\033]8;;https://t.io/"\033\\y')
    page = shown.to_html()
    assert "&lt;b&gt;&amp;" in page
    assert "javascript" not in page
    assert '<a href="https://t.io/&quot;"' in page
    ElementTree.fromstring(page)


def test_svg_places_every_text_on_its_grid() -> None:
    picture = ElementTree.fromstring(screen("ab 日c\n  \033[44m─x\033[0m").to_svg(frame=False))
    texts = [(element.text, element.get("x"), element.get("textLength")) for element in picture.iter(f"{SVG}text")]
    width = CELL[0]
    assert texts == [
        ("ab", "0", str(2 * width)),
        ("日", str(3 * width), str(2 * width)),
        ("c", str(5 * width), str(width)),
        ("x", str(3 * width), str(width)),
    ]
    background = next(e for e in picture.iter(f"{SVG}path") if e.get("class") == "l")
    assert background.get("d") == f"M{2 * width} {CELL[1]}h{2 * width}v{CELL[1]}h-{2 * width}z"
    assert background.get("fill") == str(THEMES["dark"].palette[4])


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("frame", [True, False])
def test_svg_is_xml_whatever_is_on_the_screen(theme: str, frame: bool) -> None:
    hostile = screen("]]>&<\ud800\ufffe\"'", cursor=Cursor(0, 0), title="<\x9b&\x07")
    ElementTree.fromstring(hostile.to_svg(theme=theme, frame=frame).encode("utf-8", "strict"))


def test_an_unknown_theme_is_an_error_that_names_the_known() -> None:
    with pytest.raises(InvalidArgument, match="expected one of dark, light"):
        screen("x").to_svg(theme="pink")


def test_colours_of_a_style() -> None:
    theme = THEMES["dark"]
    assert look(theme, DEFAULT) == (theme.foreground, None, theme.foreground)
    assert look(theme, Style(reverse=True))[:2] == (theme.background, theme.foreground)
    assert look(theme, Style(1, 2, reverse=True))[:2] == (theme.palette[2], theme.palette[1])
    assert theme.rgb(16) == Rgb(0, 0, 0)
    assert theme.rgb(231) == Rgb(255, 255, 255)
    assert theme.rgb(196) == Rgb(255, 0, 0)
    assert theme.rgb(232) == Rgb(8, 8, 8)
    assert theme.rgb(255) == Rgb(238, 238, 238)


def test_a_window_of_four_panes_has_joined_borders() -> None:
    def pane(row: int, column: int, text: str, active: bool = False) -> PlacedPane:
        return PlacedPane(row, column, screen(text, 3, 1, Cursor(0, 1)), active)

    window = compose([pane(0, 0, "aaa"), pane(0, 4, "bbb"), pane(2, 0, "ccc"), pane(2, 4, "ddd", True)], 7, 3, "w")
    assert window.lines == ["aaa│bbb", "───┼───", "ccc│ddd"]
    assert window.cursor == Cursor(2, 5)
    assert window.title == "w"
    green = {(r, c) for r, row in enumerate(window.rows) for c, s in enumerate(row.styles) if s.foreground == 2}
    assert green == {(1, 3), (1, 4), (1, 5), (1, 6), (2, 3)}


def test_a_window_of_one_pane_has_no_green_border() -> None:
    window = compose([PlacedPane(1, 0, screen("ab", 2, 1), active=True)], 2, 2)
    assert window.lines == ["──", "ab"]
    assert window.rows[0].styles == (DEFAULT, DEFAULT)
