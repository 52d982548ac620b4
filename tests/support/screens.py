"""Screens that programs are still drawing."""

from __future__ import annotations

from typing import Any

from muxwright import Capture, Pane
from tests.support.waiting import wait_until

__all__ = ["screen_with"]


def screen_with(pane: Pane, text: str, timeout: float = 5.0, **options: Any) -> Capture:
    """Return the first capture that holds `text`."""
    found: list[Capture] = []

    def shows() -> bool:
        found[:] = [pane.capture(**options)]
        return text in found[0]

    wait_until(shows, timeout, f"{text!r} on the screen")
    return found[0]
