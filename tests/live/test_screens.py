"""Screens of real panes and windows: what was printed is what is read, in one queue item, on every transport."""

from __future__ import annotations

import pytest

from muxwright import Connection, InvalidArgument, Pane, PaneNotFound, Server, Session
from muxwright.screen.screen import Cursor, Region
from muxwright.screen.style import Rgb, Style
from tests.support.painter import Painter
from tests.support.servers import every_transport


@pytest.fixture
def painter(host: Server | Connection, home: Session) -> Painter:
    """A pane of 40x8 whose screen the test paints."""
    window = home.new_window("painter", command=Painter.argv)
    window.resize(40, 8)
    return Painter(host.pane(window.active_pane().ref))


@every_transport
def test_cells_cursor_title_and_modes_of_one_moment(painter: Painter) -> None:
    painter.paint("\033]2;a title\033\\\033[?1000h\033[?1006h\033[1;31mbold\033[0m \033[48;2;1;2;3m日\033[0m\033[3;5H")
    screen = painter.pane.screen()
    assert screen.size == (40, 8)
    assert screen.lines[0] == "bold 日"
    assert screen.cell(0, 0) == ("b", Style(foreground=1, bold=True))
    assert screen.cell(0, 5) == ("日", Style(background=Rgb(1, 2, 3)))
    assert screen.cell(0, 6).is_wide_rest
    assert screen.cursor is not None and screen.cursor[:3] == Cursor(2, 4)[:3]
    assert screen.title == "a title"
    assert screen.modes.mouse and screen.modes.mouse_sgr and not screen.modes.alternate


def test_full_screen_programs_and_a_hidden_cursor(painter: Painter) -> None:
    painter.paint("below\033[?1049h\033[?25l\033[?1hab")
    screen = painter.pane.screen()
    assert "below" not in screen
    assert screen.modes.alternate and screen.modes.application_cursor
    assert screen.cursor is not None and not screen.cursor.visible


def test_every_attribute_survives_the_way(painter: Painter) -> None:
    looks = {
        "1": Style(bold=True),
        "2": Style(dim=True),
        "3": Style(italic=True),
        "4": Style(underline="single"),
        "4:2": Style(underline="double"),
        "4:3": Style(underline="curly"),
        "4:4": Style(underline="dotted"),
        "4:5": Style(underline="dashed"),
        "5": Style(blink=True),
        "7": Style(reverse=True),
        "8": Style(hidden=True),
        "9": Style(strike=True),
        "53": Style(overline=True),
        "95": Style(foreground=13),
        "104": Style(background=12),
        "38;5;99": Style(foreground=99),
        "4;58;5;9": Style(underline="single", underline_colour=9),
    }
    painter.paint(" ".join(f"\033[{code}mx\033[0m" for code in looks))
    row = painter.pane.screen().rows[0]
    assert row.text.strip() == " ".join("x" * len(looks))
    assert {code: row.styles[2 * number] for number, code in enumerate(looks)} == looks


def test_line_drawing_of_a_curses_program(painter: Painter) -> None:
    painter.paint("\033(0lqk\033(B x")
    assert painter.pane.screen().lines[0] == "┌─┐ x"


@every_transport
def test_a_window_is_one_picture_of_its_panes_and_borders(painter: Painter, host: Server | Connection) -> None:
    painter.paint("left")
    right = Painter(painter.pane.split("right", size=10, command=Painter.argv))
    right.paint("\033[42mright")
    low = Painter(right.pane.split("below", command=Painter.argv))
    low.paint("low")
    low.pane.select()
    window = host.window(painter.pane.refresh().window.ref)
    screen = window.screen()
    assert screen.size == (40, 8)
    assert screen.lines[0] == "left" + " " * 25 + "│right"
    border = [line[29:30] for line in screen.lines]
    assert border == ["│", "│", "│", "│", "├", "│", "│", "│"]
    assert screen.lines[5][30:] == "low"
    assert screen.cell(0, 30).style.background == 2
    assert screen.cell(6, 29).style.foreground == 2  # the border of the active pane
    assert screen.cursor is not None and screen.cursor[:2] == (5, 33)
    low.pane.set_zoom(True)
    assert window.screen().lines[0] == "low"


def test_a_pane_that_is_gone(painter: Painter) -> None:
    painter.pane.kill()
    with pytest.raises(PaneNotFound):
        painter.pane.screen()


def test_locators_look_each_time(painter: Painter) -> None:
    painter.paint("\033[31msave\033[0m  save as  \033[7m[ OK ]\033[0m\r\nsave")
    pane: Pane = painter.pane
    save = pane.get_by_text("save")
    assert save.find() == [Region(0, 0, 1, 4), Region(0, 6, 1, 4), Region(1, 0, 1, 4)]
    assert pane.get_by_text("save", exact=True).count() == 2
    assert save.nth(1).text() == "save"
    assert save.last.find() == [Region(1, 0, 1, 4)]
    assert pane.get_by_regex(r"\[ \w+ \]").text() == "[ OK ]"
    assert pane.get_by_style(foreground="red").text() == "save"
    assert pane.get_by_style(reverse=True).get_by_text("OK").find() == [Region(0, 17, 1, 2)]
    assert pane.row(1).get_by_text("save").count() == 1
    assert pane.region(0, 5, 1, 6).get_by_text("save").find() == [Region(0, 6, 1, 4)]
    painter.paint("\033[2J")
    assert save.count() == 0
    with pytest.raises(InvalidArgument, match="not empty"):
        pane.get_by_text("")
