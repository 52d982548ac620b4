# Generated from _async/viewing.py by tools/generate_sync.py: do not edit.
"""What a pane shows: its screen, and locators into it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from muxwright._sync.handle import Handle
from muxwright._sync.locator import Locator, Places
from muxwright.operations import mouse, screens
from muxwright.refs import PaneRef
from muxwright.screen.locate import Query
from muxwright.screen.screen import Screen
from muxwright.wire.mouse import Button, Modifier

__all__ = ["Viewing"]


class Viewing(Handle[PaneRef], Places):
    """The looks of a pane, and the mouse in it."""

    def screen(self, *, timeout: float | None = None) -> Screen:
        """Return its screen as cells, with cursor, title and modes of the same moment (``capture-pane -e``).

        tmux up to 3.3a does not tell links, nor the background of a line's erased end; TABs before 3.6 are blanks.
        """
        return self._run(screens.take_screen(self._place, self.ref), timeout)

    def click(
        self,
        row: int,
        column: int,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Collection[Modifier] = (),
        timeout: float | None = None,
    ) -> None:
        """Click into the cell at a row and column, each from 0, for a program that has asked for the mouse.

        `button`: ``"left"`` by default. `count`: clicks, 1 to 100, default 1; 2 are a double click. `modifiers`: of
        ``"shift"``, ``"meta"``, ``"control"``. Raises `MouseOff` when the program has not asked, and like `send_keys`;
        then nothing was sent.
        """
        operation = mouse.click(self._place, self.ref, (row, column), button, count, modifiers)
        self._run(operation, timeout)

    def scroll(self, direction: Literal["up", "down"], count: int = 1, *, timeout: float | None = None) -> None:
        """Turn the wheel in its middle in a direction, `count` notches (1 to 100, default 1); raises like `click`."""
        self._run(mouse.scroll(self._place, self.ref, None, direction, count), timeout)

    def drag(
        self,
        start: tuple[int, int],
        end: tuple[int, int],
        *,
        button: Button = "left",
        timeout: float | None = None,
    ) -> None:
        """Press at `start`, a row and a column, move to `end` and release there; `button` and errors as for `click`."""
        self._run(mouse.drag(self._place, self.ref, start, end, button), timeout)

    def _locate(self, query: Query) -> Locator:
        return Locator(self.host, self.ref, query)
