"""Patterns and their bounds."""

from __future__ import annotations

import re
from typing import Any

import pytest

from muxwright import InvalidArgument
from muxwright.model.patterns import Match, compile_patterns


def test_the_earliest_match_wins_and_then_the_first_pattern() -> None:
    patterns = compile_patterns(["bc", re.compile("a.c"), "abc"])
    assert patterns.find("xabcx") == Match(1, "abc", 1)
    assert patterns.find("xabcx", 2) == Match(0, "bc", 2, literal=True)
    assert patterns.find("nothing") is None


def test_literals_are_literal_and_their_case_can_be_ignored() -> None:
    assert compile_patterns(["a.c"]).find("abc a.c") == Match(0, "a.c", 4, literal=True)
    assert compile_patterns(["ERROR"], match_case=False).find("an error") == Match(0, "error", 3, literal=True)
    assert compile_patterns([re.compile("ERROR")], match_case=False).find("an error") is None


def test_an_empty_match_is_none() -> None:
    assert compile_patterns([re.compile("x*")]).find("aax") == Match(0, "x", 2)
    assert compile_patterns([re.compile("x*")]).find("aa") is None


def test_expressions_are_searched_in_what_is_not_hidden() -> None:
    assert compile_patterns([re.compile("ab")]).find("ab ab", 0, "?? ab") == Match(0, "ab", 3)
    assert compile_patterns(["ab"]).find("ab ab", 0, "?? ab") == Match(0, "ab", 0, literal=True)


@pytest.mark.parametrize(
    "wrong",
    ["text", ["a"] * 33, [""], [7], ["x" * 4097], ["é" * 2049], ["x" * 4000] * 5, {"a"}],
    ids=["no list", "too many", "empty", "number", "too long", "too many bytes", "too long together", "set"],
)
def test_bounds(wrong: Any) -> None:
    with pytest.raises(InvalidArgument):
        compile_patterns(wrong)


def test_at_the_bounds() -> None:
    assert compile_patterns(["x" * 4096] * 4)
    assert compile_patterns(["a"] * 32)
    assert not compile_patterns([])
