"""Snapshots: screens kept in files beside the tests, and compared."""

from __future__ import annotations

import contextlib
import difflib
import re
from pathlib import Path

from muxwright._sync.expectation import Expectation
from muxwright._sync.locator import Locator
from muxwright._sync.pane import Pane
from muxwright.errors import ExpectFailed
from muxwright.screen.conditions import only_one
from muxwright.screen.screen import Region, Screen

__all__ = ["FOLDER", "ScreenSnapshots"]

FOLDER = "__screens__"


class ScreenSnapshots:
    """Compares screens with the files of one test; call it with a pane, a locator or a screen.

    A file holds the text of a screen in a frame, where its cursor is shown, and the styles, so that it can be reviewed;
    title and modes depend on the machine and are not compared.

    Without `update` a missing or different one is `ExpectFailed`; with it, the file is written.
    """

    def __init__(self, folder: Path, test: str, *, update: bool = False) -> None:
        self.folder = folder
        self.test = re.sub(r"[^\w.-]+", "-", test).strip("-")
        self.update = update
        self.used: list[Path] = []

    def __call__(self, shown: Pane | Locator | Screen, name: str | None = None, *, timeout: float = 2.0) -> Screen:
        """Compare with the file of that name (default: numbers in the order of the calls) and return the screen.

        A pane or locator is given `timeout` seconds (default 2) to look like the file, and with `update` to stop
        changing.
        """
        path = self.folder / f"{self.test}-{name or len(self.used)}.txt"
        self.used.append(path)
        if self.update:
            screen = _settled(shown, timeout)
            self.folder.mkdir(parents=True, exist_ok=True)
            path.write_text(_text(screen), encoding="utf-8")
            return screen
        if not path.exists():
            found = _text(_settled(shown, timeout))
            raise ExpectFailed(f"there is no snapshot {path}; write it with --terminal-update. The screen is:\n{found}")
        kept = path.read_text(encoding="utf-8")
        screen = _awaited(shown, kept, timeout)
        if (found := _text(screen)) != kept:
            raise ExpectFailed(
                f"the screen differs from {path} (- kept, + now); if it is right, run with --terminal-update\n"
                + "\n".join(_difference(kept, found))
            )
        return screen


def _text(screen: Screen) -> str:
    """Return what is kept of a screen."""
    seen = screen.cursor if screen.cursor is not None and screen.cursor.visible else None
    return Screen(screen.rows, screen.width, seen).describe()


def _now(shown: Pane | Locator) -> Screen:
    return shown.screen() if isinstance(shown, Pane) else shown.cells()


def _settled(shown: Pane | Locator | Screen, timeout: float) -> Screen:
    """Return the screen once it has stopped changing."""
    if isinstance(shown, Screen):
        return shown
    Expectation(shown).to_be_stable(timeout=timeout)
    return _now(shown)


def _awaited(shown: Pane | Locator | Screen, kept: str, timeout: float) -> Screen:
    """Return the screen once it is as it was kept, or when the time is over."""
    if isinstance(shown, Screen):
        return shown

    def is_kept(screen: Screen) -> bool:
        if isinstance(shown, Pane):
            return _text(screen) == kept
        found = only_one(shown.query, screen)
        return isinstance(found, Region) and _text(screen.crop(found)) == kept

    with contextlib.suppress(ExpectFailed):
        Expectation(shown).to_pass(is_kept, timeout=timeout)
    return _now(shown)


def _difference(kept: str, found: str) -> list[str]:
    return list(difflib.unified_diff(kept.split("\n"), found.split("\n"), "kept", "now", lineterm="", n=2))
