"""The waits as they are offered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from muxwright.errors import InvalidArgument
from muxwright.model.patterns import Pattern, compile_patterns
from muxwright.model.waiting import WaitResult
from muxwright.operations.judges import TextJudge
from muxwright.operations.steps import Operation, Place
from muxwright.operations.terminal import send_keys, send_text
from muxwright.operations.wait import wait
from muxwright.operations.watch import Route
from muxwright.refs import PaneRef

__all__ = ["Wanted", "check_quiet", "send_and_wait", "wait", "wait_for"]


class Wanted(NamedTuple):
    """What a wait for text looks for."""

    patterns: Sequence[Pattern]
    stop: Sequence[Pattern] = ()
    match_case: bool = True
    baseline: bool = True
    accept_echo: bool = False

    def judge(self, pane: PaneRef) -> TextJudge:
        """Return the judge; raises `InvalidArgument`."""
        patterns = compile_patterns(self.patterns, match_case=self.match_case)
        stop = compile_patterns(self.stop, "stop pattern", match_case=self.match_case)
        if not patterns and not stop:
            raise InvalidArgument("no pattern was given to wait for")
        return TextJudge(pane, patterns, stop, baseline=self.baseline, accept_echo=self.accept_echo)


def check_quiet(quiet: float) -> float:
    """Return the seconds; raises `InvalidArgument` unless they are more than 0."""
    if isinstance(quiet, bool) or not isinstance(quiet, int | float) or not 0 < quiet < 1e9:
        raise InvalidArgument(f"quiet is a number of seconds, more than 0, not {quiet!r}")
    return quiet


def wait_for(
    place: Place, pane: PaneRef, wanted: Wanted, timeout: float, route: Route | None = None
) -> Operation[WaitResult]:
    """Wait for a pattern."""
    return (yield from wait(place, pane, wanted.judge(pane), timeout, route=route))


def send_and_wait(
    place: Place,
    pane: PaneRef,
    text: str,
    keys: Sequence[str],
    wanted: Wanted,
    timeout: float,
    route: Route | None = None,
) -> Operation[WaitResult]:
    """Watch, type, and wait for a pattern in what comes then."""
    if not text and not keys:
        raise InvalidArgument("nothing was given to send")

    def act() -> Operation[None]:
        if text:
            yield from send_text(place, pane, text)
        if keys:
            yield from send_keys(place, pane, keys)

    return (yield from wait(place, pane, wanted.judge(pane), timeout, act, route))
