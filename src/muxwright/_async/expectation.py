"""Expectations: assertions about a screen that wait until they hold."""

from __future__ import annotations

import re
from typing import Self

from muxwright._async.locator import AsyncLocator
from muxwright._async.pane import AsyncPane
from muxwright.errors import InvalidArgument
from muxwright.operations.expect import expect, expect_stable
from muxwright.screen import conditions
from muxwright.screen.conditions import Condition, Predicate
from muxwright.screen.locate import Query, style_wanted
from muxwright.screen.screen import Screen

__all__ = ["AsyncExpectation"]


class AsyncExpectation:
    """Assertions about a pane or a locator; each waits until it holds and returns the screen of that moment.

    They are woken by what the pane prints, not by a clock. When the time is over (`timeout` seconds, default that of
    the server handle) they raise `ExpectFailed`, which shows the screen and the nearest miss.
    """

    def __init__(self, target: AsyncPane | AsyncLocator, *, negated: bool = False) -> None:
        self._target = target
        self._negated = negated

    @property
    def not_(self) -> Self:
        """The opposite: waits until it does not hold."""
        return type(self)(self._target, negated=not self._negated)

    async def to_be_visible(self, *, timeout: float | None = None) -> Screen:
        """Expect the locator to be there, once or more."""
        return await self._expect(conditions.is_visible(self._query("to_be_visible")), timeout)

    async def to_have_count(self, count: int, *, timeout: float | None = None) -> Screen:
        """Expect the locator to be there exactly `count` times."""
        return await self._expect(conditions.has_count(self._query("to_have_count"), count), timeout)

    async def to_have_text(self, text: str | re.Pattern[str], *, timeout: float | None = None) -> Screen:
        """Expect the pane, or the locator's one match, to hold a text (a match of a compiled pattern).

        A text without newlines stands within one row.
        """
        query = self._target.query if isinstance(self._target, AsyncLocator) else None
        return await self._expect(conditions.has_text(query, text), timeout)

    async def to_have_style(self, *, timeout: float | None = None, **attributes: object) -> Screen:
        """Expect all cells of the locator's one match to have these attributes of `Style` (see `get_by_style`)."""
        condition = conditions.styled(self._query("to_have_style"), style_wanted(attributes))
        return await self._expect(condition, timeout)

    async def to_have_cursor_at(self, row: int, column: int, *, timeout: float | None = None) -> Screen:
        """Expect the cursor of the pane at this row and column, each from 0, shown or not."""
        return await self._expect(conditions.cursor_at(row, column), timeout)

    async def to_have_title(self, title: str | re.Pattern[str], *, timeout: float | None = None) -> Screen:
        """Expect the pane's title to be this text, or to have a match of a compiled pattern."""
        return await self._expect(conditions.has_title(title), timeout)

    async def to_pass(self, predicate: Predicate, *, timeout: float | None = None) -> Screen:
        """Expect `predicate(screen)` to be true; it is called with a `Screen` after the pane has printed."""
        return await self._expect(conditions.holds(predicate), timeout)

    async def to_be_stable(self, quiet: float = 0.2, *, timeout: float | None = None) -> Screen:
        """Expect the pane's screen to stay unchanged for `quiet` seconds (default 0.2), whatever the program prints."""
        if self._negated:
            raise InvalidArgument("not_.to_be_stable() would not say when the screen has to change")
        host, ref = self._target.host, self._target.ref
        budget = host.timeout if timeout is None else timeout
        return await host.run(expect_stable(host._transport.place, ref, quiet, budget), budget)

    def _query(self, name: str) -> Query:
        if not isinstance(self._target, AsyncLocator):
            raise InvalidArgument(f"{name} is about a locator: expect(pane.get_by_text(...)).{name}(...)")
        return self._target.query

    async def _expect(self, condition: Condition, timeout: float | None) -> Screen:
        host, ref = self._target.host, self._target.ref
        budget = host.timeout if timeout is None else timeout
        return await host.run(expect(host._transport.place, ref, condition, budget, self._negated), budget)
