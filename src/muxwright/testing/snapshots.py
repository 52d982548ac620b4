"""Snapshots: screens kept in files beside the tests, and compared."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from muxwright._sync.locator import Locator
from muxwright._sync.pane import Pane
from muxwright.errors import ExpectFailed
from muxwright.screen.screen import Screen

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

    def __call__(self, shown: Pane | Locator | Screen, name: str | None = None) -> Screen:
        """Compare with the file of that name (default: numbers in the order of the calls) and return the screen.

        A pane is looked at once: expect what it should show first.
        """
        screen = shown if isinstance(shown, Screen) else shown.screen() if isinstance(shown, Pane) else shown.cells()
        path = self.folder / f"{self.test}-{name or len(self.used)}.txt"
        self.used.append(path)
        seen = screen.cursor if screen.cursor is not None and screen.cursor.visible else None
        found = Screen(screen.rows, screen.width, seen).describe()
        if self.update:
            self.folder.mkdir(parents=True, exist_ok=True)
            path.write_text(found, encoding="utf-8")
            return screen
        if not path.exists():
            raise ExpectFailed(f"there is no snapshot {path}; write it with --terminal-update. The screen is:\n{found}")
        kept = path.read_text(encoding="utf-8")
        if kept != found:
            raise ExpectFailed(
                f"the screen differs from {path} (- kept, + now); if it is right, run with --terminal-update\n"
                + "\n".join(_difference(kept, found))
            )
        return screen


def _difference(kept: str, found: str) -> list[str]:
    return list(difflib.unified_diff(kept.split("\n"), found.split("\n"), "kept", "now", lineterm="", n=2))
