"""The poll route: which rows are new."""

from __future__ import annotations

from muxwright.operations.poll import PollTail, begin_tail, poll
from tests.support.scripted import PANE, Scripted


def _begin(*rows: str, history: int = 0) -> tuple[Scripted, PollTail]:
    pane = Scripted(height=4)
    pane.history = [f"h{number}" for number in range(history)]
    pane.prints(b"", *rows)
    return pane, pane.run(begin_tail(pane.place, PANE))


def _poll(pane: Scripted, tail: PollTail) -> tuple[str, bool]:
    text, gap = pane.run(poll(pane.place, tail))
    return text.decode(), gap


def test_nothing_new() -> None:
    pane, tail = _begin("one", "$")
    assert _poll(pane, tail) == ("", False)
    assert tail.delivered == 0


def test_new_rows_and_the_rest_of_the_cursors() -> None:
    pane, tail = _begin("one", "$")
    pane.prints(b"", "one", "$ ls", "file", "$")
    assert _poll(pane, tail) == (" ls\nfile\n$", False)
    assert _poll(pane, tail) == ("", False)


def test_a_row_that_changed_is_told_anew() -> None:
    pane, tail = _begin("one", "10%")
    pane.prints(b"", "one", "20%")
    assert _poll(pane, tail) == ("\r20%", False)


def test_rows_that_scrolled_out() -> None:
    pane, tail = _begin("a", "b", "$", history=3)
    pane.history += ["a", "b", "$ seq", "1", "2", "3"]
    pane.prints(b"", "4", "5", "6", "$")
    assert _poll(pane, tail) == (" seq\n1\n2\n3\n4\n5\n6\n$", False)


def test_a_cleared_screen_is_a_gap() -> None:
    pane, tail = _begin("a", "b", "$")
    pane.prints(b"", "$ new")
    assert _poll(pane, tail) == ("$ new", True)
    assert _poll(pane, tail) == ("", False)
    pane.prints(b"", "$ new", "more")
    assert _poll(pane, tail) == ("\nmore", False)


def test_a_cleared_history_is_a_gap() -> None:
    pane, tail = _begin("a", "b", "$", history=9)
    pane.history = []
    pane.prints(b"", "b", "$ ls", "x")
    assert _poll(pane, tail) == ("b\n$ ls\nx", True)


def test_too_much_at_once_is_a_gap() -> None:
    pane, tail = _begin("a", "$")
    pane.history = [f"line {number}" for number in range(5000)]
    pane.prints(b"", "x", "y", "z", "$")
    assert _poll(pane, tail) == ("x\ny\nz\n$", True)


def test_a_history_that_is_full_is_noticed() -> None:
    pane, tail = _begin("a", "b", "c", "$", history=20)
    pane.history = [f"other {number}" for number in range(20)]
    pane.prints(b"", "d", "e", "f", "$")
    assert _poll(pane, tail) == ("d\ne\nf\n$", True)
