"""The mouse, for programs that have asked for it: events go to the program itself, past tmux's own mouse handling."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from muxwright.commands.guards import INPUT, Requirement
from muxwright.errors import InvalidArgument, MouseOff, MultipleMatchesError, NoMatchError
from muxwright.operations.screens import take_screen
from muxwright.operations.steps import Operation, Place, act
from muxwright.refs import PaneRef
from muxwright.screen.conditions import only_one
from muxwright.screen.locate import Query
from muxwright.screen.screen import Region, Screen
from muxwright.wire.mouse import Button, Modifier, mouse_event

__all__ = ["Target", "click", "drag", "scroll"]

Target = Query | tuple[int, int]
"""What is pointed at: the one match of a query, in its middle; or a row and a column."""

_MOST = 100  # events of one call


def click(
    place: Place, pane: PaneRef, target: Target, button: Button, count: int, modifiers: Collection[Modifier]
) -> Operation[None]:
    """Press and release a button `count` times."""
    _check_count(count)
    screen = yield from take_screen(place, pane)
    row, column = _point(screen, target, pane)
    events = [
        mouse_event(button, row, column, sgr=screen.modes.mouse_sgr, released=released, modifiers=modifiers)
        for _ in range(count)
        for released in (False, True)
    ]
    yield from _send(place, pane, screen, events)


def scroll(
    place: Place, pane: PaneRef, target: Target | None, direction: Literal["up", "down"], count: int
) -> Operation[None]:
    """Turn the wheel; without a target in the middle of the pane."""
    if direction not in ("up", "down"):
        raise InvalidArgument(f"a wheel turns 'up' or 'down', not {direction!r}")
    _check_count(count)
    screen = yield from take_screen(place, pane)
    row, column = _point(screen, (screen.height // 2, screen.width // 2) if target is None else target, pane)
    button: Button = "wheel-up" if direction == "up" else "wheel-down"
    yield from _send(place, pane, screen, [mouse_event(button, row, column, sgr=screen.modes.mouse_sgr)] * count)


def drag(place: Place, pane: PaneRef, start: Target, end: Target, button: Button) -> Operation[None]:
    """Press at one place, move to another and release there."""
    screen = yield from take_screen(place, pane)
    first, last = _point(screen, start, pane), _point(screen, end, pane)
    sgr = screen.modes.mouse_sgr
    events = [
        mouse_event(button, *first, sgr=sgr),
        mouse_event(button, *last, sgr=sgr, motion=True),
        mouse_event(button, *last, sgr=sgr, released=True),
    ]
    yield from _send(place, pane, screen, events)


def _check_count(count: int) -> None:
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= _MOST:
        raise InvalidArgument(f"count is a number from 1 to {_MOST}, not {count!r}")


def _point(screen: Screen, target: Target, pane: PaneRef) -> tuple[int, int]:
    if isinstance(target, Query):
        found = only_one(target, screen)
        if isinstance(found, Region):
            return found.centre
        kind = MultipleMatchesError if target.find(screen) else NoMatchError
        raise kind("place", f"{target} on the screen of {pane.id}: {found}")
    row, column = target
    if not (0 <= row < screen.height and 0 <= column < screen.width):
        raise InvalidArgument(f"row {row}, column {column} is outside a screen of {screen.width}x{screen.height}")
    return row, column


def _send(place: Place, pane: PaneRef, screen: Screen, events: Iterable[bytes]) -> Operation[None]:
    """Send the events, if the program still wants them in the form that was seen."""
    wanted = Requirement(
        "#{mouse_any_flag}#{mouse_sgr_flag}",
        "11" if screen.modes.mouse_sgr else "10",
        MouseOff,
        "the program in {target} has not asked for the mouse, or just changed how",
    )
    keys = [b"%x" % byte for byte in b"".join(events)]
    yield from act(place, pane, (b"send-keys", b"-t", pane.id.encode(), b"-H", *keys), (*INPUT, wanted))
