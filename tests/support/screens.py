"""Screens that programs are still drawing."""

from __future__ import annotations

import os
import signal
from typing import Any

from muxwright import Capture, Pane
from tests.support.waiting import wait_until

__all__ = ["exited_with", "screen_with"]


def screen_with(pane: Pane, text: str, timeout: float = 5.0, **options: Any) -> Capture:
    """Return the first capture that holds `text`."""
    found: list[Capture] = []

    def shows() -> bool:
        found[:] = [pane.capture(**options)]
        return text in found[0]

    wait_until(shows, timeout, f"{text!r} on the screen")
    return found[0]


def exited_with(pane: Pane, status: int, server_pid: int) -> bool:
    """Wait until tmux shows the exit status of the pane's program.

    A tmux with libutempter (Debian's) misses the end of a child while the helper of that library runs; it then shows
    a dead pane without a status until the next child ends, or until another SIGCHLD makes it look.
    """

    def shown() -> bool:
        os.kill(server_pid, signal.SIGCHLD)
        return pane.refresh().exit_status == status

    return wait_until(shown, what=f"the program has exited with {status}")
