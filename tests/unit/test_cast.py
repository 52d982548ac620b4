"""asciicast: what is written is read again, and wrong files say where."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muxwright.errors import InvalidArgument
from muxwright.screen.animation import to_animated_svg
from muxwright.screen.ansi import repaint
from muxwright.screen.cast import Cast, CastEvent, CastWriter, read_cast, without_questions
from muxwright.screen.read import read_rows
from muxwright.screen.screen import Cursor, Modes, Screen


def write(cast: Cast, version: int) -> str:
    writer = CastWriter(cast.width, cast.height, version=version, title=cast.title, timestamp=1)
    return writer.header + "".join(map(writer.line, cast.events))


events = st.lists(
    st.tuples(
        st.floats(0, 100), st.sampled_from("oimr"), st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
    ),
    max_size=20,
)


@given(events, st.sampled_from([2, 3]), st.integers(1, 500))
def test_what_is_written_is_read_again(raw: list[tuple[float, str, str]], version: int, width: int) -> None:
    cast = Cast(width, 24, "a title", [CastEvent(*event) for event in sorted(raw)])
    again = read_cast(write(cast, version))
    assert (again.width, again.height, again.title) == (width, 24, "a title")
    assert [event[1:] for event in again.events] == [event[1:] for event in cast.events]
    # Rounding does not add up over many events.
    for one, other in zip(again.events, cast.events, strict=True):
        assert one.time == pytest.approx(other.time, abs=1e-5)


def test_the_headers_of_both_versions() -> None:
    assert json.loads(CastWriter(80, 24, version=2).header) == {"version": 2, "width": 80, "height": 24}
    assert json.loads(CastWriter(80, 24).header) == {"version": 3, "term": {"cols": 80, "rows": 24}}
    with pytest.raises(InvalidArgument, match="2 or 3"):
        CastWriter(80, 24, version=1)


def test_an_exit_is_an_event_of_version_3_only() -> None:
    event = CastEvent(1.0, "x", "0")
    assert CastWriter(1, 1).line(event) == '[1.0, "x", "0"]\n'
    assert CastWriter(1, 1, version=2).line(event) == ""


def test_comments_blank_lines_and_unknown_events_are_passed_over() -> None:
    text = '{"version":3,"term":{"cols":9,"rows":2}}\n# comment\n\n[1,"o","a"]\n[1,"z","?"]\n[1,"o","b"]\n'
    assert [(event.time, event.data) for event in read_cast(text).events] == [(1, "a"), (3, "b")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1 is not JSON"),
        ("[]", "header with version 2 or 3"),
        ('{"version":1}', "header with version 2 or 3"),
        ('{"version":2,"width":0,"height":1}', "no size"),
        ('{"version":3,"term":5}', "no size"),
        ('{"version":3,"term":{"cols":9,"rows":2}}\nx', "line 2 is not JSON"),
        ('{"version":3,"term":{"cols":9,"rows":2}}\n[1,"o"]', "line 2 is no event"),
        ('{"version":3,"term":{"cols":9,"rows":2}}\n[-1,"o","x"]', "line 2 is no event"),
    ],
)
def test_a_wrong_file_says_where(text: str, told: str) -> None:
    with pytest.raises(InvalidArgument, match=told):
        read_cast(text)


def test_questions_are_left_out_and_nothing_else() -> None:
    asked = "".join(f"\033[{question}" for question in ("5n", "6n", "?6n", "c", "0c", ">c", ">0c", "=c", ">q"))
    assert without_questions(f"a{asked}b\033[1mc\033[31mn") == "ab\033[1mc\033[31mn"


def test_repaint_ends_at_the_cursor() -> None:
    screen = Screen(read_rows("ab\n\033[31mc", 4, 3), 4, Cursor(1, 2, visible=False), modes=Modes(alternate=True))
    assert repaint(screen) == "\033[?1049h\033[0m\033[H\033[2J\033[1Hab\033[2H\033[0;31mc\033[0m\033[2;3H\033[?25l"


def test_an_animation_keeps_each_row_once_and_plays_in_time() -> None:
    screens = [Screen(read_rows(f"same\nnumber {n}", 10, 3), 10, Cursor(1, n)) for n in range(3)]
    picture = to_animated_svg([(0.0, screens[0]), (1.0, screens[1]), (4.0, screens[2])], hold=1.0)
    root = ElementTree.fromstring(picture)
    rows = [
        element for element in root.iter("{http://www.w3.org/2000/svg}g") if (element.get("id") or "").startswith("r")
    ]
    assert len(rows) == 4  # "same" and three numbers
    assert "animation:play 5.000s" in picture
    assert "0.000%{transform:translateY(0px)}20.000%{transform:translateY(-54px)}80.000%" in picture
    with pytest.raises(InvalidArgument):
        to_animated_svg([])
