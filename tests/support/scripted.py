"""A pane that follows a script, and a driver with a clock of its own: for tests without tmux and without waiting."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from typing import Any, TypeVar

from muxwright.errors import DeadlineExceeded, MuxwrightError, RequestCancelled
from muxwright.operations.feed import Feed, PipeSource, Received, Source
from muxwright.operations.steps import Ask, EndFeed, OpenClient, Opened, OpenFeed, Operation, Pause, Place, Receive
from muxwright.refs import Generation, PaneId, PaneRef, ServerIdentity
from muxwright.wire.request import Command, Request, Section
from muxwright.wire.versions import TmuxVersion

__all__ = ["PANE", "Scripted", "ScriptedSource"]

T = TypeVar("T")

GENERATION = Generation(100, 1000)
PANE = PaneRef(ServerIdentity("/run/scripted", GENERATION), PaneId("%1"))


class ScriptedSource(PipeSource):
    """A source that a test feeds."""

    closed = False
    watched: int | None = None

    @property
    def directory(self) -> str:
        return "/run/feed"

    def remove_paths(self) -> None:
        pass

    def watch(self, pid: int) -> None:
        self.watched = pid
        self.hears_exits = True

    def settled(self) -> bool | None:
        return None

    def fail(self, error: Exception | None) -> None:
        self.failure, self.ended = error, True

    def close(self) -> None:
        self.closed = self.ended = True


class ScriptedClient(Source):
    """A control client that a test feeds."""

    closed = False

    def close(self) -> None:
        self.closed = self.ended = True


class Scripted:
    """A pane: what tmux would say of it now, and what happens later (`at`)."""

    def __init__(self, width: int = 40, height: int = 6) -> None:
        self.now = 0.0
        self.width, self.height = width, height
        self.history: list[str] = []
        self.rows: list[str] = [""] * height
        self.wrapped: set[int] = set()  # rows of the screen that go on in the next one
        self.cursor = (0, 0)
        self.pid, self.dead, self.piped, self.gone, self.moved = 7, False, False, False, False
        self.status, self.signal = "", ""
        self.typed: list[tuple[str, ...]] = []
        self.sources: list[ScriptedSource] = []
        self.requests = 0
        self._happenings: list[tuple[float, int, Callable[[], object]]] = []
        self._numbers = itertools.count()
        self.clients: list[ScriptedClient] = []
        self.subscriptions: list[str] = []
        self.place = Place("/run/scripted", lambda: self.now, lambda: "token", GENERATION, TmuxVersion(3, 3, "a"))

    # --- the script ---

    def at(self, when: float, what: Callable[[], object]) -> None:
        """Let something happen at that time."""
        heapq.heappush(self._happenings, (when, next(self._numbers), what))

    def prints(self, data: str | bytes, *rows: str, cursor: tuple[int, int] | None = None) -> None:
        """Print bytes, after which the screen has these rows; the cursor stands behind the last one by default."""
        if rows:
            self.rows = [*rows, *[""] * (self.height - len(rows))][: self.height]
            self.cursor = cursor or (len(rows[-1]), len(rows) - 1)
        if self.sources and not self.sources[-1].closed:
            self.sources[-1].ring.append(data.encode() if isinstance(data, str) else data)

    @property
    def source(self) -> ScriptedSource:
        return self.sources[-1]

    # --- the driver ---

    def run(self, operation: Operation[T], timeout: float = 5.0, cancelled_at: float | None = None) -> T:
        """Run an operation; time passes only while it waits."""
        deadline = self.now + timeout
        cancel = cancelled_at
        answer: object = None
        error: MuxwrightError | None = None
        try:
            while True:
                step: Any = operation.throw(error) if error is not None else operation.send(answer)
                answer = error = None
                try:
                    if isinstance(step, Request):
                        answer = tuple(self._answer(command) for command in step.commands)
                    else:
                        answer = self._wait(step, deadline, cancel)
                except MuxwrightError as problem:
                    error, cancel, deadline = problem, None, max(deadline, self.now + 0.9)
        except StopIteration as stop:
            result: T = stop.value
            return result

    def _wait(self, step: Any, deadline: float, cancelled_at: float | None) -> object:
        if isinstance(step, OpenFeed):
            if self.sources and not self.sources[-1].ended:
                return Feed(self.sources[-1], fresh=False)
            self.sources.append(ScriptedSource(step.pane, f"epoch{len(self.sources)}", step.keep))
            return Feed(self.sources[-1], fresh=True)
        if isinstance(step, OpenClient):
            if self.clients and not self.clients[-1].ended:
                return Feed[Source](self.clients[-1], fresh=False)
            self.clients.append(ScriptedClient(f"client{len(self.clients)}", step.keep))
            return Feed[Source](self.clients[-1], fresh=True)
        if isinstance(step, EndFeed):
            step.feed.release()
            return None
        if isinstance(step, Ask):
            return tuple(self._answer(command) for command in step.request.commands)
        if isinstance(step, Opened):
            return step.feed.source.opened
        assert isinstance(step, Receive | Pause)
        end = deadline if step.timeout is None else min(deadline, self.now + step.timeout)
        while not (isinstance(step, Receive) and step.feed.ready):
            coming = self._happenings[0][0] if self._happenings else end
            if cancelled_at is not None and cancelled_at <= min(coming, end):
                self.now = max(self.now, cancelled_at)
                raise RequestCancelled("cancelled")
            if coming > end or not self._happenings:
                self.now = max(self.now + 1e-9, end)
                if end == deadline:
                    raise DeadlineExceeded(0, effects="none", command="the wait")
                return Received() if isinstance(step, Receive) else None
            self.now = max(self.now, coming)
            heapq.heappop(self._happenings)[2]()
        return step.feed.take(step.limit)

    # --- tmux ---

    def _answer(self, command: Command) -> Section:
        self.requests += 1
        words = [word.decode() for word in command.words]
        if command.guard is not None:
            wanted = f"{GENERATION.pid} {GENERATION.start_time}"
            if self.gone:
                return Section("refused", f"{wanted} ".encode())
            if "#{pane_pipe}" in command.guard.report.decode() and (self.piped or self.dead):
                report = command.guard.report.decode()
                for name, value in {
                    "pid": str(GENERATION.pid),
                    "start_time": str(GENERATION.start_time),
                    "pane_id": PANE.id,
                    "pane_dead": str(int(self.dead)),
                    "pane_pipe": str(int(self.piped)),
                }.items():
                    report = report.replace(f"#{{{name}}}", value)
                return Section("refused", report.encode())
        return Section("done", self._output(words).encode())

    def _output(self, words: list[str]) -> str:
        if words[0] == "pipe-pane":
            self.source.opened = True
        elif words[0] == "send-keys":
            self.typed.append(tuple(words[words.index("--") + 1 :]))
        elif words[0] == "display-message":
            values = {
                "history_size": len(self.history),
                "cursor_x": self.cursor[0],
                "cursor_y": self.cursor[1],
                "pane_width": self.width,
                "pane_height": self.height,
                "alternate_on": 0,
                "pane_dead": int(self.dead),
                "pane_pipe": int(self.piped),
                "pane_dead_status": self.status,
                "pane_dead_signal": self.signal,
                "pane_pid": self.pid,
                "session_id": "$1",
                "window_id": "@1",
                "pid": GENERATION.pid,
                "start_time": GENERATION.start_time,
                "q:version": "3.3a",
            }
            text = words[-1]
            for name, value in values.items():
                text = text.replace(f"#{{{name}}}", str(value))
            assert "#{" not in text, text
            return text
        elif words[0] == "capture-pane":
            return self._capture(words)
        elif words[0] in ("list-sessions", "list-clients"):
            return "$1 5 " if words[0] == "list-sessions" else ""
        elif words[0] == "refresh-client":
            self.subscriptions.append(words[-1])
        elif words[0] == "list-panes":
            return "" if self.moved else "x"
        return ""

    def _capture(self, words: list[str]) -> str:
        first = int(words[words.index("-S") + 1]) if "-S" in words else 0
        last = int(words[words.index("-E") + 1]) if "-E" in words else self.height - 1
        first, last = max(first, -len(self.history)), min(last, self.height - 1)
        first, last = min(first, self.height - 1), max(last, 0)
        first, last = min(first, last), max(first, last)
        text = ""
        for row in range(first, last + 1):
            line = self.history[row] if row < 0 else self.rows[row]
            joined = "-J" in words and row in self.wrapped and row < last
            text += line if joined else line + "\n"
        return text.removesuffix("\n")
