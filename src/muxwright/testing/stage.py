"""A pane that shows what it is told: recordings are rendered by tmux itself, not by a terminal of our own."""

from __future__ import annotations

import os
import select
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from muxwright._sync.connection import Connection
from muxwright._sync.pane import Pane
from muxwright._sync.server import OwnedServer
from muxwright.errors import DeadlineExceeded
from muxwright.screen.cast import Cast, without_questions
from muxwright.screen.screen import Screen

__all__ = ["Frame", "Stage", "frames"]

# Prints what comes through a fifo. The answer to a status report (5n) proves that tmux has read all of it.
_PROGRAM = r"""
import os, sys, tty
tty.setraw(0)
commands, answers = (os.open(name, os.O_RDWR) for name in sys.argv[1:])
while True:
    size = b""
    while not size.endswith(b"\n"):
        size += os.read(commands, 1)
    left = int(size)
    while left:
        data = os.read(commands, min(left, 65536))
        left -= len(data)
        while data:
            data = data[os.write(1, data):]
    os.write(1, b"\033[5n")
    answer = b""
    while not answer.endswith(b"\033[0n"):
        answer += os.read(0, 1)
    os.write(answers, b".")
"""
_PATIENCE = 10.0


class Frame(NamedTuple):
    """What a recording shows from `time` (seconds) on."""

    time: float
    screen: Screen


class Stage:
    """A private tmux with one pane of a given size; a context manager."""

    def __init__(self, width: int, height: int, *, tmux: str = "tmux") -> None:
        self._server = OwnedServer(tmux=tmux, configuration="set -g status off\nset -g allow-passthrough off\n")
        self._size = (width, height)
        self._folder = tempfile.TemporaryDirectory(prefix="muxwright-stage-")
        self._connection: Connection | None = None

    def __enter__(self) -> Self:
        names = [str(Path(self._folder.name) / name) for name in ("commands", "answers")]
        for name in names:
            os.mkfifo(name, 0o600)
        self._commands, self._answers = (os.open(name, os.O_RDWR | os.O_NONBLOCK) for name in names)
        self._server.start()
        argv = [sys.executable, "-c", _PROGRAM, *names]
        self._session = self._server.new_session("stage", command=argv, size=self._size)
        self._connection = self._server.connect(self._session)
        self.pane: Pane = self._connection.pane(self._session.active_pane().ref)
        self.show("\033[H\033[2J\033]2;\033\\")
        return self

    def show(self, text: str) -> None:
        """Print a text; returns when tmux has taken it in."""
        data = without_questions(text).encode("utf-8", "surrogateescape")
        message = b"%d\n" % len(data) + data
        deadline = time.monotonic() + _PATIENCE
        while (remaining := deadline - time.monotonic()) > 0:
            answered, writable, _ = select.select(
                [self._answers], [self._commands] if message else [], [], max(remaining, 0)
            )
            if writable:
                message = message[os.write(self._commands, message[:65536]) :]
            if answered:
                os.read(self._answers, 1)
                return
        raise DeadlineExceeded(_PATIENCE, command="showing a recording")

    def resize(self, width: int, height: int) -> None:
        """Give the pane another size."""
        assert self._connection is not None, "it is used as a context manager"
        self._session.active_window().resize(width, height)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._connection is not None:
                self._connection.close()
            self._server.close()
        finally:
            for descriptor in (self._commands, self._answers):
                os.close(descriptor)
            self._folder.cleanup()


def frames(cast: Cast, *, rate: float = 20.0, idle: float | None = None, tmux: str = "tmux") -> Iterator[Frame]:
    """Yield what a recording shows, at most `rate` different frames a second; `idle` shortens longer pauses to it."""
    with Stage(cast.width, cast.height, tmux=tmux) as stage:
        shown: Screen | None = None
        now = last_event = last_frame = 0.0
        events = [event for event in cast.events if event.code in "or"]
        for number, event in enumerate(events):
            pause = event.time - last_event
            now += pause if idle is None else min(pause, idle)
            last_event = event.time
            if event.code == "r":
                width, _, height = event.data.partition("x")
                stage.resize(int(width), int(height))
            else:
                stage.show(event.data)
            following = events[number + 1].time - event.time if number + 1 < len(events) else None
            if following is not None and now + following - last_frame < 1 / rate:
                continue
            screen = stage.pane.screen()
            if screen != shown:
                yield Frame(now, screen)
                shown, last_frame = screen, now
