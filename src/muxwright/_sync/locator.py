# Generated from _async/locator.py by tools/generate_sync.py: do not edit.
"""Locators: something on a pane's screen, looked up again each time it is used."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import TYPE_CHECKING, Literal, TypeVar

from muxwright.errors import InvalidArgument, MultipleMatchesError, NoMatchError
from muxwright.operations import mouse, screens
from muxwright.operations.steps import Operation
from muxwright.refs import PaneRef
from muxwright.screen.conditions import only_one
from muxwright.screen.locate import WHOLE_ROW, Query, style_wanted
from muxwright.screen.screen import Region, Screen
from muxwright.wire.mouse import Button, Modifier

if TYPE_CHECKING:
    from muxwright._sync.host import Host

__all__ = ["Locator", "Places"]

T = TypeVar("T")


class Places(ABC):
    """Ways to point at something: on a whole screen, or within what a locator finds."""

    @abstractmethod
    def _locate(self, query: Query) -> Locator: ...

    def get_by_text(self, text: str, *, exact: bool = False) -> Locator:
        """Return a locator for a text within one row. `exact`: with blanks or the row's ends around it."""
        if not text or "\n" in text:
            raise InvalidArgument(f"a locator's text stands in one row and is not empty, unlike {text!r}")
        return self._locate(Query(text=text, exact=exact))

    def get_by_regex(self, pattern: str | re.Pattern[str]) -> Locator:
        """Return a locator for the matches of a pattern, a regular expression, each within one row."""
        return self._locate(Query(pattern=re.compile(pattern)))

    def get_by_style(self, **attributes: object) -> Locator:
        """Return a locator for runs of cells with these attributes of `Style`; the others do not matter.

        Colours may be names: ``foreground="red"``, ``background="#ff8800"``, ``foreground="default"``.
        """
        return self._locate(Query(style=style_wanted(attributes)))

    def row(self, number: int) -> Locator:
        """Return a locator for a whole row, by its number from 0."""
        return self.region(number, 0, 1, WHOLE_ROW)

    def region(self, row: int, column: int, height: int, width: int) -> Locator:
        """Return a locator for a rectangle of cells: `row` and `column` of its first one, from 0, `height` and `width`.

        What lies outside the screen is left away.
        """
        if min(row, column) < 0 or min(height, width) < 1:
            raise InvalidArgument("a region begins at row and column 0 or more and has at least one cell")
        return self._locate(Query(region=Region(row, column, height, width)))


class Locator(Places):
    """Something on a pane's screen. It is looked up when it is used, so it never points at what has moved on.

    Strict: an act or an assertion about one thing is an error when there are several; say which with `first`, `last`
    or `nth`, or look inside another locator.
    """

    def __init__(self, host: Host, ref: PaneRef, query: Query) -> None:
        self.host = host
        self.ref = ref
        self.query = query

    def _run(self, operation: Operation[T], timeout: float | None) -> T:
        return self.host.run(operation, timeout)

    def _locate(self, query: Query) -> Locator:
        return Locator(self.host, self.ref, query.inside(self.query))

    @property
    def first(self) -> Locator:
        """The first of its matches, from the top left."""
        return self.nth(0)

    @property
    def last(self) -> Locator:
        """The last of its matches."""
        return self.nth(-1)

    def nth(self, index: int) -> Locator:
        """Return a locator for one of its matches, by its index from 0, or from the last with -1."""
        return Locator(self.host, self.ref, self.query.at(index))

    def find(self, *, timeout: float | None = None) -> list[Region]:
        """Return where it is now, without waiting; empty when it is not there."""
        return self.query.find(self._screen(timeout))

    def count(self, *, timeout: float | None = None) -> int:
        """Return how often it is there now."""
        return len(self.find(timeout=timeout))

    def text(self, *, timeout: float | None = None) -> str:
        """Return the text of its one match now; raises `NoMatchError` or `MultipleMatchesError`."""
        return self.cells(timeout=timeout).text

    def cells(self, *, timeout: float | None = None) -> Screen:
        """Return its one match now as a screen of its own; raises like `text`."""
        screen = self._screen(timeout)
        found = only_one(self.query, screen)
        if isinstance(found, Region):
            return screen.crop(found)
        kind = MultipleMatchesError if self.query.find(screen) else NoMatchError
        raise kind("place", f"{self.query} on the screen of {self.ref.id}: {found}")

    def click(
        self,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Collection[Modifier] = (),
        timeout: float | None = None,
    ) -> None:
        """Click into its middle, for a program that has asked for the mouse; raises like `Pane.click` and `text`.

        It does not wait for it to appear: expect that first.
        """
        operation = mouse.click(self.host._transport.place, self.ref, self.query, button, count, modifiers)
        self._run(operation, timeout)

    def scroll(self, direction: Literal["up", "down"], count: int = 1, *, timeout: float | None = None) -> None:
        """Turn the wheel over it in a direction, `count` notches (1 to 100, default 1); raises like `click`."""
        self._run(mouse.scroll(self.host._transport.place, self.ref, self.query, direction, count), timeout)

    def drag_to(self, end: Locator, *, button: Button = "left", timeout: float | None = None) -> None:
        """Press on it, move to `end` and release there; `button` and what it raises as for `click`."""
        self._run(mouse.drag(self.host._transport.place, self.ref, self.query, end.query, button), timeout)

    def _screen(self, timeout: float | None) -> Screen:
        return self._run(screens.take_screen(self.host._transport.place, self.ref), timeout)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.query} in {self.ref.id}>"
