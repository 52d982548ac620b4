"""What was typed, and how its echo is found on a screen."""

from __future__ import annotations

import pytest

from muxwright.model.echo import ECHO_SECONDS, HIDDEN, EchoBook, Typed, hide, only_echo, related
from tests.support.scripted import PANE


@pytest.mark.parametrize(
    ("keys", "lines", "editing"),
    [
        (["e", "c", "h", "o", "Space", "x", "Enter"], [("echo x", True)], False),
        (["l", "s", "C-m"], [("ls", True)], False),
        (["l", "s", "KPEnter"], [("ls", True)], False),
        (["l", "s"], [("ls", False)], True),
        (["l", "x", "BSpace", "s"], [("ls", False)], True),
        (["l", "x", "C-h", "s"], [("ls", False)], True),
        (["l", "s", "DC"], [("ls", False)], True),
        # Still on the screen, but no longer the line that is edited.
        (["l", "s", "C-c"], [("ls", False)], False),
        (["l", "s", "C-u", "p"], [("ls", False), ("p", False)], True),
        (["l", "s", "Left", "a"], [("ls", False), ("a", False)], True),
        (["Enter", "Space", "Enter"], [], False),
    ],
)
def test_keys_edit_a_line(keys: list[str], lines: list[tuple[str, bool]], editing: bool) -> None:
    book = EchoBook()
    book.pressed(PANE, keys, 1.0)
    assert [(line.text, line.submitted) for line in book.lines(PANE, 1.0)] == lines
    assert book.editing(PANE) is editing


def test_text_edits_it_too() -> None:
    book = EchoBook()
    book.typed(PANE, "one\r\ntwo\nthr", 1.0)
    book.typed(PANE, "ee\x03four\x1bfive", 2.0)
    assert [line.text for line in book.lines(PANE, 2.0)] == ["one", "two", "three", "four", "five"]


def test_lines_are_forgotten() -> None:
    book = EchoBook()
    for number in range(9):
        book.typed(PANE, f"line {number}\n", float(number))
    assert [line.text for line in book.lines(PANE, 9.0)] == [f"line {number}" for number in range(5, 9)]
    assert [line.text for line in book.lines(PANE, 7.5 + ECHO_SECONDS)] == ["line 8"]
    book.typed(PANE, "still edited", 10.0)
    assert [line.text for line in book.lines(PANE, 1000.0)] == ["still edited"]


def test_what_tmux_refused_is_taken_back() -> None:
    book = EchoBook()
    book.typed(PANE, "before", 1.0)
    before = book.typed(PANE, " after\n", 2.0)
    book.take_back(PANE, before)
    assert [line.text for line in book.lines(PANE, 2.0)] == ["before"]


def _hidden(screen: str, *typed: str) -> str:
    book = EchoBook()
    for text in typed:
        book.typed(PANE, text + "\n", 0.0)
    return hide(screen, book.lines(PANE, 0.0))[0].replace(HIDDEN, "·")


@pytest.mark.parametrize(
    ("screen", "typed", "left"),
    [
        ("$ echo MARK\nMARK\n$ ", "echo MARK", "$ ·········\nMARK\n$ "),
        # A part of a word is no echo.
        ("$ ls\nfalls\nlsd\n", "ls", "$ ··\nfalls\nlsd\n"),
        ("$ -x\na-x\n", "-x", "$ ··\na··\n"),
        # Wrapped by the program itself: a line end in the middle.
        ("$ echo MA\nRK\nMARK", "echo MARK", "$ ·······\n··\nMARK"),
        ("$ echo MA \nRK\nMARK", "echo MARK", "$ ········\n··\nMARK"),
        # Shown twice: typed before the shell was ready.
        ("echo MARK\n$ echo MARK\nMARK", "echo MARK", "·········\n$ ·········\nMARK"),
        ("nothing of it", "echo MARK", "nothing of it"),
        ("$ a.c\nabc", "a.c", "$ ···\nabc"),
    ],
)
def test_echoes_are_hidden(screen: str, typed: str, left: str) -> None:
    assert _hidden(screen, typed) == left


def test_a_line_within_another_is_hidden_with_it() -> None:
    assert _hidden("$ MARK\n$ echo MARK\n", "MARK", "echo MARK") == "$ ····\n$ ·········\n"


@pytest.mark.parametrize(
    ("matched", "typed", "as_text", "as_expression"),
    [
        ("MARK", "echo MARK", True, True),
        ("$ echo MARK;", "echo MARK", True, True),
        ("$ ec", "echo", True, True),
        (" K;", "K", True, True),
        # Words that nobody typed are in it: as a text it is more than an echo.
        ("hello foo", "foo", False, True),
        ("$ echo MARK; ls", "echo MARK", False, True),
        ("Password: m", "make", False, True),
        ("K and more", "echo MARK", False, True),
        ("Password:", "make", False, False),
        ("done", "make", False, False),
    ],
)
def test_related(matched: str, typed: str, as_text: bool, as_expression: bool) -> None:
    assert related(matched, typed, literal=True) is as_text
    assert related(matched, typed) is as_expression


@pytest.mark.parametrize(
    ("screen", "typed", "matched", "as_text", "as_expression"),
    [
        ("$ echo MARK", "echo MARK", "MARK", True, True),
        ("hello foo", "foo", "hello foo", False, True),
        ("$ foo", "foo", "$ foo", True, True),
        ("hello bar", "foo", "hello bar", False, False),
    ],
)
def test_only_echo(screen: str, typed: str, matched: str, as_text: bool, as_expression: bool) -> None:
    start = screen.index(matched)
    hidden = hide(screen, [Typed(typed, 0.0, True)])[0][start : start + len(matched)]
    assert only_echo(matched, hidden, literal=True) is as_text
    assert only_echo(matched, hidden, literal=False) is as_expression
