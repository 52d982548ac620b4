"""A trace: every action, wait and screen of a test, as a folder with a page to step through."""

from __future__ import annotations

import html
import inspect
import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from muxwright._sync.host import Host
from muxwright.errors import MuxwrightError
from muxwright.operations.screens import take_screen
from muxwright.operations.steps import Operation
from muxwright.refs import PaneRef
from muxwright.screen.conditions import Condition
from muxwright.screen.screen import Screen
from muxwright.testing.page import PAGE
from muxwright.transports.cancellation import CancellationToken

__all__ = ["Trace", "TracedHost"]

T = TypeVar("T")

_MOST = 2000  # steps of one trace
_SHOWN = 200  # characters of one argument
# Operations after which the pane is looked at; they are what a test does and waits for.
_ACTS = frozenset(
    """
    click drag expect expect_stable paste run_command scroll send_and_wait send_keys send_text wait wait_for resize
    respawn kill
    """.split()
)
_HIDDEN = frozenset({"place", "pane", "ref", "timeout", "negated"})


@dataclass
class Step:
    """One thing that was done: its name and arguments, when (seconds from the start), and how it ended."""

    name: str
    arguments: str
    pane: str
    start: float
    duration: float = 0.0
    error: str = ""
    screen: int | None = None


@dataclass
class Trace:
    """What happened, in order; `screens` are the different ones, in the order in which they were first seen."""

    title: str = "trace"
    steps: list[Step] = field(default_factory=list)
    screens: list[Screen] = field(default_factory=list)
    dropped: int = 0
    _began: float = field(default_factory=time.monotonic)
    _known: dict[Screen, int] = field(default_factory=dict)

    def begin(self, operation: Operation[Any]) -> tuple[Step, PaneRef | None]:
        """Note an operation that is about to start."""
        names = inspect.getgeneratorlocals(operation)
        pane = next((value for value in names.values() if isinstance(value, PaneRef)), None)
        told = [_told(name, value) for name, value in names.items() if name not in _HIDDEN and value not in ((), None)]
        name = getattr(operation, "__name__", "operation")
        if names.get("negated"):
            name = f"not {name}"
        step = Step(name, ", ".join(told), "" if pane is None else str(pane.id), time.monotonic() - self._began)
        if len(self.steps) < _MOST:
            self.steps.append(step)
        else:
            self.dropped += 1
        return step, pane if getattr(operation, "__name__", "") in _ACTS else None

    def add_screen(self, step: Step, screen: Screen) -> None:
        """Note what the pane showed after a step."""
        if screen not in self._known:
            self._known[screen] = len(self.screens)
            self.screens.append(screen)
        step.screen = self._known[screen]

    def mark(self, text: str) -> None:
        """Note something of the test's own."""
        self.steps.append(Step("mark", text, "", time.monotonic() - self._began))

    def write(self, folder: Path) -> Path:
        """Write ``trace.json``, the screens as text and SVG, and the page ``index.html``; return the page."""
        folder.mkdir(parents=True, exist_ok=True)
        for number, screen in enumerate(self.screens):
            (folder / f"screen-{number:03}.txt").write_text(screen.describe(), encoding="utf-8")
            (folder / f"screen-{number:03}.svg").write_text(screen.to_svg(), encoding="utf-8")
        steps = [asdict(step) for step in self.steps]
        data = {"title": self.title, "dropped": self.dropped, "steps": steps}
        (folder / "trace.json").write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
        # In a script element only "</" could end it.
        embedded = json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
        page = PAGE.replace("@TITLE@", html.escape(self.title)).replace("@DATA@", embedded)
        path = folder / "index.html"
        path.write_text(page, encoding="utf-8")
        return path


def _told(name: str, value: object) -> str:
    text = (
        value.wanted()
        if isinstance(value, Condition)
        else repr(value)
        if isinstance(value, str | tuple | int)
        else str(value)
    )
    text = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    return text if name in ("keys", "text", "condition", "data", "target", "command") else f"{name}={text}"


class TracedHost(Host):
    """A server or connection whose operations are noted in a trace."""

    def __init__(self, inner: Host, trace: Trace) -> None:
        super().__init__(inner._transport, inner.timeout)
        self._jobs = inner._jobs
        self.trace = trace

    def run(self, operation: Operation[T], timeout: float | None = None, cancel: CancellationToken | None = None) -> T:
        """Run an operation and note it, with the screen that the pane shows afterwards."""
        step, pane = self.trace.begin(operation)
        before = time.monotonic()
        try:
            return super().run(operation, timeout, cancel)
        except BaseException as error:
            step.error = f"{type(error).__name__}: {str(error).split(chr(10), 1)[0]}"
            raise
        finally:
            step.duration = time.monotonic() - before
            if pane is not None:
                self._look(step, pane)

    def _look(self, step: Step, pane: PaneRef) -> None:
        try:
            self.trace.add_screen(step, super().run(take_screen(self._transport.place, pane), 1.0))
        except MuxwrightError as error:
            step.error = step.error or f"no screen: {error}"
