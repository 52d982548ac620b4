"""Conditions on a screen, as values: whether they hold, and what was found when they do not."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, Protocol

from muxwright.screen.locate import Query, StyleWanted, describe_wanted, has_style, nearest
from muxwright.screen.screen import Region, Screen
from muxwright.screen.style import Style

__all__ = [
    "Condition",
    "Finding",
    "Predicate",
    "cursor_at",
    "has_count",
    "has_text",
    "has_title",
    "holds",
    "is_visible",
    "only_one",
    "styled",
]

_TOLD = 5  # places or runs of cells; more would hide the rest


class Finding(NamedTuple):
    """Whether a condition holds, and in words what was found."""

    holds: bool
    found: str


class Condition(NamedTuple):
    """`subject` and `claim`: the condition in words, completing "expected ..."; `judge`: tells whether it holds."""

    subject: str
    claim: str
    judge: Callable[[Screen], Finding]

    def wanted(self, *, negated: bool = False) -> str:
        """Return it, or its opposite, in words."""
        return f"{self.subject} {'not ' if negated else ''}{self.claim}"


class Predicate(Protocol):
    """Anything that says whether a screen is as wanted."""

    def __call__(self, screen: Screen, /) -> object: ...


def only_one(query: Query, screen: Screen) -> Region | str:
    """Return where the one match is, or in words why there is none or not one."""
    found = query.find(screen)
    if len(found) == 1:
        return found[0]
    if found:
        places = "; ".join(map(str, found[:_TOLD])) + ("; ..." if len(found) > _TOLD else "")
        return f"{len(found)} matches ({places}); say which one: .first, .last, .nth(n), or look inside a region"
    near = nearest(query, screen)
    return "nothing" if near is None else f"nothing; the nearest: {near}"


def is_visible(query: Query) -> Condition:
    """It is there, once or more."""

    def judge(screen: Screen) -> Finding:
        found = query.find(screen)
        if found:
            return Finding(True, f"it at {found[0]}")
        return Finding(False, str(only_one(query, screen)))

    return Condition(str(query), "to be visible", judge)


def has_count(query: Query, count: int) -> Condition:
    """It is there exactly so often."""

    def judge(screen: Screen) -> Finding:
        found = query.find(screen)
        return Finding(len(found) == count, f"{len(found)}: {'; '.join(map(str, found[:_TOLD])) or 'none'}")

    return Condition(str(query), f"to be there {count} times", judge)


def has_text(query: Query | None, wanted: str | re.Pattern[str]) -> Condition:
    """The text of the one match (``None``: of the screen) holds a text, or has a match of a pattern."""

    def judge(screen: Screen) -> Finding:
        part = screen
        if query is not None:
            place = only_one(query, screen)
            if isinstance(place, str):
                return Finding(False, place)
            part = screen.crop(place)
        if isinstance(wanted, str):
            if wanted in part.text or ("\n" not in wanted and wanted in part):
                return Finding(True, "it")
            if query is None and wanted:
                return Finding(False, str(only_one(Query(text=wanted), screen)))
        elif wanted.search(part.text):
            return Finding(True, "it")
        return Finding(False, "no match" if query is None else repr(part.text))

    said = repr(wanted) if isinstance(wanted, str) else f"/{wanted.pattern}/"
    return Condition(str(query or "the screen"), f"to have the text {said}", judge)


def styled(query: Query, wanted: StyleWanted) -> Condition:
    """All cells of the one match have a style."""

    def judge(screen: Screen) -> Finding:
        place = only_one(query, screen)
        if isinstance(place, str):
            return Finding(False, place)
        styles: dict[Style, str] = {}
        for row in screen.crop(place).rows:
            for _, text, style in row.runs():
                styles.setdefault(style, text)
        wrong = [f"{text!r}, which is {style}" for style, text in styles.items() if not has_style(style, wanted)]
        return Finding(not wrong, "; ".join(wrong[:_TOLD]) or "it")

    return Condition(str(query), f"to have the style {describe_wanted(wanted)}", judge)


def cursor_at(row: int, column: int) -> Condition:
    """The cursor is there, shown or not."""

    def judge(screen: Screen) -> Finding:
        cursor = screen.cursor
        if cursor is None:
            return Finding(False, "no cursor")
        return Finding(cursor[:2] == (row, column), f"it at row {cursor.row}, column {cursor.column}")

    return Condition("the cursor", f"to be at row {row}, column {column}", judge)


def has_title(wanted: str | re.Pattern[str]) -> Condition:
    """The title is a text, or has a match of a pattern."""

    def judge(screen: Screen) -> Finding:
        fits = screen.title == wanted if isinstance(wanted, str) else wanted.search(screen.title) is not None
        return Finding(fits, f"the title {screen.title!r}")

    said = f"to be {wanted!r}" if isinstance(wanted, str) else f"to match /{wanted.pattern}/"
    return Condition("the title", said, judge)


def holds(predicate: Predicate) -> Condition:
    """A predicate of the caller's is true of it."""

    def judge(screen: Screen) -> Finding:
        found = predicate(screen)
        return Finding(bool(found), f"that it returned {found!r}")

    return Condition(getattr(predicate, "__name__", repr(predicate)), "to hold", judge)
