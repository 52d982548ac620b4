"""From captured text to cells: every attribute, colours in all their forms, links, line drawing, widths."""

from __future__ import annotations

import pytest

from muxwright.screen.read import read_rows
from muxwright.screen.style import DEFAULT, Rgb, Style
from muxwright.screen.widths import MODERN, OLD, Widths


def style_of(sequence: str) -> Style:
    (row,) = read_rows(f"{sequence}x", 1, 1)
    return row.styles[0]


ATTRIBUTES = {
    "1": Style(bold=True),
    "2": Style(dim=True),
    "3": Style(italic=True),
    "4": Style(underline="single"),
    "4:1": Style(underline="single"),
    "4:2": Style(underline="double"),
    "21": Style(underline="double"),
    "4:3": Style(underline="curly"),
    "4:4": Style(underline="dotted"),
    "4:5": Style(underline="dashed"),
    "4:0": DEFAULT,
    "5": Style(blink=True),
    "7": Style(reverse=True),
    "8": Style(hidden=True),
    "9": Style(strike=True),
    "53": Style(overline=True),
    "5:3": Style(overline=True),  # what tmux writes for 53
    "31": Style(foreground=1),
    "91": Style(foreground=9),
    "41": Style(background=1),
    "107": Style(background=15),
    "38;5;196": Style(foreground=196),
    "38:5:196": Style(foreground=196),
    "48;2;1;2;3": Style(background=Rgb(1, 2, 3)),
    "48:2:1:2:3": Style(background=Rgb(1, 2, 3)),
    "48:2::1:2:3": Style(background=Rgb(1, 2, 3)),
    "58;5;4": Style(underline_colour=4),
    "58:2::9:8:7": Style(underline_colour=Rgb(9, 8, 7)),
    "38;5;196;1;4": Style(foreground=196, bold=True, underline="single"),
    "1;0": DEFAULT,
    "1;": DEFAULT,
    "1;2;22": DEFAULT,
    "3;23": DEFAULT,
    "4:3;24": DEFAULT,
    "7;27": DEFAULT,
    "31;39": DEFAULT,
    "44;49": DEFAULT,
    "58;5;4;59": DEFAULT,
    "53;55": DEFAULT,
    "999": DEFAULT,
    "38;7;1": Style(bold=True),
    "38;5": Style(foreground=0),
}


@pytest.mark.parametrize("parameters", ATTRIBUTES)
def test_parameters_give_the_style(parameters: str) -> None:
    assert style_of(f"\033[{parameters}m") == ATTRIBUTES[parameters]


def test_a_style_goes_on_in_the_next_row_as_tmux_writes_it() -> None:
    first, second = read_rows("\033[31mab\ncd\033[39me", 3, 2)
    assert [style.foreground for style in first.styles] == [1, 1, None]
    assert [style.foreground for style in second.styles] == [1, 1, None]


def test_short_rows_are_blank_to_the_width_and_missing_rows_are_blank() -> None:
    rows = read_rows("\033[41mab", 4, 3)
    assert [row.text for row in rows] == ["ab  ", "    ", "    "]
    assert rows[0].styles[2] == DEFAULT


def test_a_link_covers_its_text_and_survives_a_reset_of_colours() -> None:
    (row,) = read_rows("\033]8;id=a;http://x.y/\033\\l\033[1mi\033[0mn\033]8;;\033\\k", 4, 1)
    assert [style.link for style in row.styles] == ["http://x.y/"] * 3 + [None]
    assert [style.bold for style in row.styles] == [False, True, False, False]


def test_line_drawing_between_so_and_si() -> None:
    (row,) = read_rows("q\x0elqk\x0fq", 5, 1)
    assert row.text == "q┌─┐q"


@pytest.mark.parametrize(
    ("text", "modern", "old"),
    [
        ("ab", ["a", "b"], ["a", "b"]),
        ("日本", ["日", "", "本", ""], ["日", "", "本", ""]),
        ("e\u0301x", ["e\u0301", "x"], ["e\u0301", "x"]),
        ("❤\ufe0fx", ["❤\ufe0f", "", "x"], ["❤\ufe0f", "x"]),
        ("👍🏽", ["👍🏽", ""], ["👍", "", "🏽", ""]),
        ("👨\u200d👩\u200d👧x", ["👨\u200d👩\u200d👧", "", "x"], ["👨\u200d👩\u200d👧", "", "x"]),
        ("🇩🇪x", ["🇩🇪", "", "x"], ["🇩", "🇪", "x"]),
        ("각", ["각", ""], ["각", ""]),
        ("\u1100\u1161x", ["\u1100\u1161", "", "x"], ["\u1100\u1161", "", "x"]),
        ("\u0301x", ["\u0301", "x"], ["\u0301", "x"]),
        ("\u00adx", ["\u00ad", "x"], ["\u00ad", "x"]),
    ],
)
def test_cells_are_split_as_tmux_splits_them(text: str, modern: list[str], old: list[str]) -> None:
    def cells(widths: Widths, expected: list[str]) -> list[str]:
        (row,) = read_rows(text, len(expected), 1, widths)
        return list(row.texts)

    assert cells(MODERN, modern) == modern
    assert cells(OLD, old) == old


def test_a_tab_is_blanks_up_to_the_next_stop() -> None:
    (row,) = read_rows("ab\tc\t\033[41m\td", 26, 1)
    assert row.text == "ab" + " " * 6 + "c" + " " * 7 + " " * 8 + "d" + " "
    assert row.styles[16].background == 1


def test_other_control_characters_are_no_cells() -> None:
    (row,) = read_rows("a\x01b\x7fc\x1bd", 5, 1)
    assert row.text == "abcd "


def test_a_row_is_never_wider_than_the_screen() -> None:
    (row,) = read_rows("abcdef", 3, 1)
    assert row.text == "abc"
    assert len(row.styles) == 3
