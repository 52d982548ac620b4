"""A program that shows what a test tells it, and nothing else."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import ClassVar

from muxwright import Pane
from tests.support.waiting import wait_until

__all__ = ["Painter"]

# Reads file names and prints what is in them, in raw mode. The answer to a status report proves that tmux has read all.
_PROGRAM = r"""
import os, sys, tty
tty.setraw(0)
os.write(1, b"\033[H\033[2J\033]2;ready\033\\")
while True:
    name = b""
    while not name.endswith(b"\r"):
        name += os.read(0, 1)
    with open(name[:-1], "rb") as stream:
        os.write(1, stream.read() + b"\033[5n")
    answer = b""
    while not answer.endswith(b"\033[0n"):
        answer += os.read(0, 1)
    os.unlink(name[:-1])
"""


class Painter:
    """Paints on one pane; `paint` returns when tmux has taken everything in."""

    argv: ClassVar[list[str]] = [sys.executable, "-c", _PROGRAM]

    def __init__(self, pane: Pane) -> None:
        self.pane = pane
        wait_until(lambda: pane.refresh().title == "ready", what="the painter is ready")

    def paint(self, text: str | bytes) -> None:
        data = text.encode() if isinstance(text, str) else text
        descriptor, name = tempfile.mkstemp(prefix="paint-")
        with open(descriptor, "wb") as stream:
            stream.write(data)
        self.pane.send_text(name)
        self.pane.send_keys("Enter")
        wait_until(lambda: not os.path.exists(name), what="painted")
