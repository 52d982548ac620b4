"""The table of tested cells: new cells replace their own row and nothing else."""

from __future__ import annotations

import pytest

from tools import matrix

PAGE = f"before\n{matrix.BEGIN}\n| a | b |\n| --- | --- |\n{matrix.END}\nafter\n"


def test_merge_replaces_the_same_cell_and_keeps_the_others() -> None:
    old, new = ("L", "x", "3.11.7", "3.3a"), ("L", "x", "3.11.7", "3.8")
    first = matrix.merge(PAGE, [(*new, "1 passed", "d1"), (*old, "1 passed", "d1")])
    second = matrix.merge(first, [(*new, "2 passed", "d2")])
    assert second.splitlines() == [
        "before",
        matrix.BEGIN,
        "| OS | Machine | Python | tmux | Result | Date |",
        "| --- | --- | --- | --- | --- | --- |",
        "| L | x | 3.11.7 | 3.3a | 1 passed | d1 |",
        "| L | x | 3.11.7 | 3.8 | 2 passed | d2 |",
        matrix.END,
        "after",
    ]


def test_merge_refuses_a_page_without_markers() -> None:
    with pytest.raises(SystemExit, match="has no"):
        matrix.merge("nothing here", [])
