# Generated from _async/expectation.py by tools/generate_sync.py: do not edit.
"""Expectations: assertions about a screen that wait until they hold."""

from __future__ import annotations

import re
from typing import Self

from muxwright._sync.locator import Locator
from muxwright._sync.pane import Pane
from muxwright.errors import InvalidArgument
from muxwright.operations.expect import expect, expect_stable
from muxwright.screen import conditions
from muxwright.screen.conditions import Condition, Predicate
from muxwright.screen.locate import Query, style_wanted
from muxwright.screen.screen import Screen

__all__ = ["Expectation"]


class Expectation:
    """Assertions about a pane or a locator; each waits until it holds and returns the screen of that moment.

    They are woken by what the pane prints, not by a clock. When the time is over (`timeout` seconds, default that of
    the server handle) they raise `ExpectFailed`, which shows the screen and the nearest miss.
    """

    def __init__(self, target: Pane | Locator, *, negated: bool = False) -> None:
        self._target = target
        self._negated = negated

    @property
    def not_(self) -> Self:
        """The opposite: waits until it does not hold."""
        return type(self)(self._target, negated=not self._negated)

    def to_be_visible(self, *, timeout: float | None = None) -> Screen:
        """Expect the locator to be there, once or more."""
        return self._expect(conditions.is_visible(self._query("to_be_visible")), timeout)

    def to_have_count(self, count: int, *, timeout: float | None = None) -> Screen:
        """Expect the locator to be there exactly `count` times."""
        return self._expect(conditions.has_count(self._query("to_have_count"), count), timeout)

    def to_have_text(self, text: str | re.Pattern[str], *, timeout: float | None = None) -> Screen:
        """Expect the pane, or the locator's one match, to hold a text (a match of a compiled pattern).

        A text without newlines stands within one row.
        """
        query = self._target.query if isinstance(self._target, Locator) else None
        return self._expect(conditions.has_text(query, text), timeout)

    def to_have_style(self, *, timeout: float | None = None, **attributes: object) -> Screen:
        """Expect all cells of the locator's one match to have these attributes of `Style` (see `get_by_style`)."""
        condition = conditions.styled(self._query("to_have_style"), style_wanted(attributes))
        return self._expect(condition, timeout)

    def to_have_cursor_at(self, row: int, column: int, *, timeout: float | None = None) -> Screen:
        """Expect the cursor of the pane at this row and column, each from 0, shown or not."""
        return self._expect(conditions.cursor_at(row, column), timeout)

    def to_have_title(self, title: str | re.Pattern[str], *, timeout: float | None = None) -> Screen:
        """Expect the pane's title to be this text, or to have a match of a compiled pattern."""
        return self._expect(conditions.has_title(title), timeout)

    def to_pass(self, predicate: Predicate, *, timeout: float | None = None) -> Screen:
        """Expect `predicate(screen)` to be true; it is called with a `Screen` after the pane has printed."""
        return self._expect(conditions.holds(predicate), timeout)

    def to_be_stable(self, quiet: float = 0.2, *, timeout: float | None = None) -> Screen:
        """Expect the pane's screen to stay unchanged for `quiet` seconds (default 0.2), whatever the program prints."""
        if self._negated:
            raise InvalidArgument("not_.to_be_stable() would not say when the screen has to change")
        host, ref = self._target.host, self._target.ref
        budget = host.timeout if timeout is None else timeout
        return host.run(expect_stable(host._transport.place, ref, quiet, budget), budget)

    def _query(self, name: str) -> Query:
        if not isinstance(self._target, Locator):
            raise InvalidArgument(f"{name} is about a locator: expect(pane.get_by_text(...)).{name}(...)")
        return self._target.query

    def _expect(self, condition: Condition, timeout: float | None) -> Screen:
        host, ref = self._target.host, self._target.ref
        budget = host.timeout if timeout is None else timeout
        return host.run(expect(host._transport.place, ref, condition, budget, self._negated), budget)
