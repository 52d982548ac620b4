"""Type each pane's commands when its shell is ready; all panes side by side, each in its own order.

Every pane has a script of its own: a generator that yields requests, or a moment before which there is nothing to do.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from typing import Any, NamedTuple

from muxwright.errors import DeadlineExceeded, MuxwrightError, PaneDead, PaneNotFound
from muxwright.operations import terminal
from muxwright.operations.steps import Operation, Outcome, Pause, Place, Wave
from muxwright.refs import PaneRef
from muxwright.wire.request import Request
from muxwright.workspace.planning import PlanStep
from muxwright.workspace.ready import Handshake, reads_again

__all__ = ["Delivery", "NotReady", "deliver"]

LOOK = 0.003  # seconds between two looks at what no event announces
LONGEST_LOOK = 0.02  # a shell that takes its time is looked at less often
EDITOR_TIMEOUT = 2.0  # seconds for a line editor to come back after the marker: its prompt may take a while
SETTLE = 0.5  # seconds for a command to be taken before the next one is typed anyway
WAIT_FOR_TIMEOUT = 30.0


class Later(NamedTuple):
    """Nothing to do before `at`, in seconds of the place's clock."""

    at: float


Script = Generator[Request | Later, Any, None]


class NotReady(MuxwrightError):
    """A pane's shell did not get ready in time, or a text that was waited for did not appear."""


class Delivery(NamedTuple):
    """A pane and the steps for it, each with its number; `report` takes the outcome of a step.

    `provable`: whether its shell is one that can prove to be ready. `name`: how the pane is called in messages.
    """

    pane: PaneRef
    tty: str | None
    name: str
    steps: Sequence[tuple[int, PlanStep]]
    provable: bool
    report: Callable[[int, str, str], None]


def deliver(place: Place, deliveries: Sequence[Delivery], handshake: Handshake) -> Operation[None]:
    """Run the scripts of all panes; the first one that fails ends the others."""
    scripts = [_script(place, delivery, handshake) for delivery in deliveries]
    waiting: dict[int, Request | Later] = {}
    try:
        for number, script in enumerate(scripts):
            _advance(script, number, None, waiting)
        while waiting:
            now = place.clock()
            requests = {n: step for n, step in waiting.items() if isinstance(step, Request)}
            due = [n for n, step in waiting.items() if isinstance(step, Later) and step.at <= now]
            if requests:
                outcomes: list[Outcome] = yield Wave(tuple(requests.values()))
                for n, outcome in zip(requests, outcomes, strict=True):
                    _advance(scripts[n], n, outcome, waiting)
            for n in due:
                _advance(scripts[n], n, None, waiting)
            if not requests and not due:
                yield Pause(max(min(step.at for step in waiting.values() if isinstance(step, Later)) - now, 0.0005))
    finally:
        for script in scripts:
            script.close()


def _advance(script: Script, number: int, outcome: Outcome | None, waiting: dict[int, Request | Later]) -> None:
    waiting.pop(number, None)
    with contextlib.suppress(StopIteration):
        waiting[number] = script.throw(outcome) if isinstance(outcome, MuxwrightError) else script.send(outcome)


def _script(place: Place, delivery: Delivery, handshake: Handshake) -> Script:
    """Do the steps of one pane. A pane whose program has ended takes none of the rest, and stops no other pane."""
    done = 0
    try:
        editor = False
        for number, step in delivery.steps:
            if step.action == "wait_ready":
                version, problem = yield from _ready(place, delivery, handshake, step)
                editor = bool(version)
                if problem is not None:
                    delivery.report(number, "not_ready", problem)
                    if step.arguments["on_timeout"] == "fail":
                        raise NotReady(problem, effects="possible", target=delivery.pane.id)
                    if step.arguments["on_timeout"] == "skip":
                        _skip(delivery, done + 1, "its shell did not get ready")
                        return
                else:
                    delivery.report(number, "completed", "")
            else:
                yield from _send(place, delivery, step, editor, last=number == delivery.steps[-1][0])
                delivery.report(number, "completed", "")
            done += 1
    except (PaneDead, PaneNotFound) as error:
        _skip(delivery, done, str(error))


def _skip(delivery: Delivery, start: int, reason: str) -> None:
    for number, _ in delivery.steps[start:]:
        delivery.report(number, "skipped", f"{delivery.name}: {reason}")


def _ready(
    place: Place, delivery: Delivery, handshake: Handshake, step: PlanStep
) -> Generator[Request | Later, Any, tuple[str, str | None]]:
    """Return what the shell says of its line editor, and what was wrong if it did not get ready."""
    if not delivery.provable:
        return "", f"{delivery.name}: its shell is none that can prove to be ready"
    end = place.clock() + step.arguments["timeout"]
    yield from _operation(terminal.send_text(place, delivery.pane, handshake.line))
    yield from _operation(terminal.send_keys(place, delivery.pane, ("Enter",)))
    version: str | None = None
    pause = LOOK
    while (version := handshake.shell_of(delivery.pane.id)) is None:
        if place.clock() > end:
            timeout = step.arguments["timeout"]
            return "", f"{delivery.name}: its shell did not get ready within {timeout:g} s"
        yield Later(place.clock() + pause)
        pause = min(pause * 1.3, LONGEST_LOOK)
    yield from _reads(place, delivery, bool(version), EDITOR_TIMEOUT)
    return version, None


def _reads(place: Place, delivery: Delivery, editor: bool, timeout: float) -> Script:
    """Wait until two looks in a row show that everything typed was taken and more is read, or the time is over."""
    end = place.clock() + timeout
    seen = 0
    while seen < 2 and place.clock() < end:
        yield Later(place.clock() + LOOK)
        state = reads_again(delivery.tty, editor)
        if state is None:
            return
        seen = seen + 1 if state else 0


def _send(place: Place, delivery: Delivery, step: PlanStep, editor: bool, last: bool) -> Script:
    arguments = step.arguments
    if before := arguments.get("sleep_before"):
        yield Later(place.clock() + before)
    if text := arguments.get("text"):
        yield from _operation(terminal.send_text(place, delivery.pane, text))
    keys = (*arguments.get("keys", ()), *(("Enter",) if arguments["enter"] else ()))
    if keys:
        yield from _operation(terminal.send_keys(place, delivery.pane, keys))
    if after := arguments.get("sleep_after"):
        yield Later(place.clock() + after)
    if wanted := arguments.get("wait_for"):
        yield from _appears(place, delivery, wanted, typed=(text or "").count(wanted))
    elif not last:
        yield from _reads(place, delivery, editor, SETTLE)


def _appears(place: Place, delivery: Delivery, text: str, typed: int) -> Script:
    """Wait until a text stands on the pane's screen more often than in the line that was typed."""
    end = place.clock() + WAIT_FOR_TIMEOUT
    while place.clock() < end:
        screen = yield from _operation(terminal.capture(place, delivery.pane, join_wrapped=True))
        if screen.decode("replace").count(text) > typed:
            return
        yield Later(place.clock() + 10 * LOOK)
    message = f"{delivery.name}: {text[:60]!r} did not appear within {WAIT_FOR_TIMEOUT:g} s"
    raise DeadlineExceeded(WAIT_FOR_TIMEOUT, command="wait_for", target=delivery.pane.id) from NotReady(message)


def _operation(operation: Operation[Any]) -> Generator[Request | Later, Any, Any]:
    """Run an operation that yields nothing but requests."""
    return (yield from operation)  # type: ignore[misc]  # of the steps only requests, by what the operations are
