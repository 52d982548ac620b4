"""The tests of todo.py: run them with ``pytest examples/todo``; with pytest-xdist, ``-n 4`` runs them in parallel."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from muxwright import Pane
from muxwright.testing import expect

TODO = Path(__file__).with_name("todo.py")
Start = Callable[..., Pane]


@pytest.fixture
def start(terminal: Start) -> Start:
    """Start the program with some to-dos and wait until it has drawn them."""

    def run(*todos: str, size: tuple[int, int] = (50, 12)) -> Pane:
        pane = terminal([sys.executable, str(TODO), *todos], size=size)
        expect(pane.get_by_text("open,")).to_be_visible(timeout=20)  # the start of a program, on a busy machine too
        return pane

    return run


@pytest.fixture
def three(start: Start) -> Pane:
    return start("milk", "bread", "tea")


def test_the_first_look(three: Pane, screen_snapshot: Callable[..., object]) -> None:
    expect(three.row(2)).to_have_text("> [ ] milk")
    screen_snapshot(three)


@pytest.mark.parametrize("size", [(20, 6), (50, 12), (80, 24), (132, 43)])
def test_the_title_fills_the_width(start: Start, size: tuple[int, int]) -> None:
    pane = start("milk", size=size)
    expect(pane.row(0)).to_have_style(reverse=True)
    expect(pane.row(size[1] - 1)).to_have_text("1 open, 0 done")


@pytest.mark.parametrize(
    ("keys", "row"),
    [
        (["Down"], 3),
        (["j"], 3),
        (["Down", "Down"], 4),
        (["Down"] * 9, 4),
        (["Up"], 2),
        (["k"] * 3, 2),
        (["Down", "Down", "Up"], 3),
        (["j", "j", "k", "k", "j"], 3),
    ],
)
def test_moving(three: Pane, keys: list[str], row: int) -> None:
    three.send_keys(*keys)
    expect(three.row(row)).to_have_text(">")
    expect(three.get_by_text(">")).to_have_count(1)
    expect(three.row(row).get_by_regex(r"> .*\w")).to_have_style(bold=True)


@pytest.mark.parametrize("number", range(3))
def test_done(three: Pane, number: int) -> None:
    three.send_keys(*["Down"] * number, "Space")
    expect(three.row(2 + number)).to_have_text("[x]")
    expect(three.get_by_text("[x]")).to_have_style(foreground="green", dim=True)
    expect(three).to_have_text("2 open, 1 done")
    three.send_keys("Space")
    expect(three).to_have_text("3 open, 0 done")


@pytest.mark.parametrize(
    "text", ["eggs", "two words", "naïve café", "日本語", "x" * 30, "a; rm -rf /", "#{pid}", "'quoted'", "50 %"]
)
def test_adding(three: Pane, text: str) -> None:
    three.send_keys("a")
    expect(three).to_have_text("New:")
    three.send_text(text)
    three.send_keys("Enter")
    expect(three.row(5)).to_have_text(f"> [ ] {text}")
    expect(three).to_have_text("4 open, 0 done  added")


@pytest.mark.parametrize("text", ["", " ", "   "])
def test_nothing_is_added_without_a_text(three: Pane, text: str) -> None:
    three.send_keys("a")
    if text:
        three.send_text(text)
    three.send_keys("Enter")
    expect(three.get_by_text("New:")).not_.to_be_visible()
    expect(three).to_have_text("3 open, 0 done")


def test_the_cursor_stands_in_the_prompt(three: Pane) -> None:
    expect(three).to_pass(lambda screen: screen.cursor is not None and not screen.cursor.visible)
    three.send_keys("a")
    expect(three).to_have_cursor_at(11, 5)
    three.send_text("ab")
    expect(three).to_have_cursor_at(11, 7)
    three.send_keys("BSpace")
    expect(three).to_have_cursor_at(11, 6)
    expect(three).to_pass(lambda screen: screen.cursor is not None and screen.cursor.visible)


def test_escape_leaves_the_prompt(three: Pane) -> None:
    three.send_keys("a")
    three.send_text("never")
    expect(three).to_have_text("New: never")
    three.send_keys("Escape")
    expect(three.get_by_text("never")).not_.to_be_visible()


@pytest.mark.parametrize("number", range(3))
def test_deleting(three: Pane, number: int) -> None:
    gone = ["milk", "bread", "tea"][number]
    three.send_keys(*["Down"] * number, "d")
    expect(three.get_by_text(gone)).not_.to_be_visible()
    expect(three).to_have_text("2 open, 0 done  deleted")
    expect(three.get_by_text(">")).to_have_count(1)


def test_the_prompt_as_a_picture(three: Pane, screen_snapshot: Callable[..., object]) -> None:
    three.send_keys("Space", "a")
    three.send_text("eggs")
    expect(three).to_have_cursor_at(11, 9)
    screen_snapshot(three, "prompt")


def test_deleting_all(three: Pane) -> None:
    three.send_keys("d", "d", "d", "d")
    expect(three.get_by_text("nothing here")).to_be_visible()
    expect(three).to_have_text("0 open, 0 done")


@pytest.mark.parametrize(
    ("typed", "left"),
    [("m", ["milk"]), ("MILK", ["milk"]), ("e", ["bread", "tea"]), ("ea", ["bread", "tea"]), ("zzz", []), ("", None)],
)
def test_filtering(three: Pane, typed: str, left: list[str] | None) -> None:
    three.send_keys("/")
    expect(three).to_have_text("Filter:")
    if typed:
        three.send_text(typed)
    three.send_keys("Enter")
    wanted = ["milk", "bread", "tea"] if left is None else left
    expect(three.get_by_regex(r"\[ \] \w+")).to_have_count(len(wanted))
    for text in wanted:
        expect(three.get_by_text(text)).to_be_visible()
    if typed:
        expect(three.row(0)).to_have_text(f"To do ({typed})")


def test_what_is_added_ends_the_filter(three: Pane) -> None:
    three.send_keys("/", "z", "Enter")
    expect(three.get_by_text("nothing here")).to_be_visible()
    three.send_keys("a", "q", "Enter")
    expect(three.get_by_regex(r"\[ \] \w+")).to_have_count(4)


@pytest.mark.parametrize("text", ["milk", "bread", "tea"])
def test_a_click_selects(three: Pane, text: str) -> None:
    three.get_by_text(text).click()
    expect(three.get_by_regex(f"> .* {text}")).to_be_visible()


@pytest.mark.parametrize("row", [0, 1, 5, 10, 11])
def test_a_click_elsewhere_does_nothing(three: Pane, row: int) -> None:
    three.send_keys("Down")
    expect(three.row(3)).to_have_text("> [ ] bread")
    three.click(row, 3)
    three.send_keys("Space")
    expect(three.row(3)).to_have_text("> [x] bread")


def test_help(three: Pane) -> None:
    three.send_keys("?")
    expect(three.get_by_text("Keys: up, down: move")).to_have_style(foreground="yellow", background="blue")
    three.send_keys("q")
    expect(three.get_by_text("Keys:")).not_.to_be_visible()
    expect(three.row(2)).to_have_text("> [ ] milk")


@pytest.mark.parametrize("keys", [["q"], ["Down", "q"], ["?", "x", "q"]])
def test_quitting(three: Pane, keys: list[str]) -> None:
    three.send_keys(*keys)
    assert three.wait_for_exit().outcome == "exited"


def test_a_new_size_is_drawn(three: Pane) -> None:
    window = three.host.window(three.refresh().window.ref)
    window.resize(30, 8)
    expect(three.row(7)).to_have_text("3 open, 0 done")
    expect(three).to_pass(lambda screen: screen.size == (30, 8))
    window.resize(60, 20)
    expect(three.row(19)).to_have_text("3 open, 0 done")
    expect(three.row(0)).to_have_style(reverse=True)


@pytest.mark.parametrize("count", [1, 7, 8, 40])
def test_long_lists_stay_on_the_screen(start: Start, count: int) -> None:
    pane = start(*[f"todo {number:02}" for number in range(count)])
    expect(pane.get_by_regex(r"todo \d\d")).to_have_count(min(count, 8))
    expect(pane.row(11)).to_have_text(f"{count} open, 0 done")


def test_no_todos(start: Start) -> None:
    pane = start()
    expect(pane.get_by_text("nothing here")).to_be_visible()
    pane.send_keys("Space", "d", "Up", "Down", "a", "x", "Enter")
    expect(pane.row(2)).to_have_text("> [ ] x")
