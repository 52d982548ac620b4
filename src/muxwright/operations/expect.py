"""Expectations: wait until a screen is as wanted, and say what it was when it did not come to that."""

from __future__ import annotations

from muxwright.errors import ExpectFailed, InvalidArgument, PaneNotFound
from muxwright.model.waiting import WaitResult
from muxwright.operations.screens import take_screen
from muxwright.operations.steps import Operation, Place
from muxwright.operations.wait import Judge, Looks, Verdict, wait
from muxwright.refs import PaneRef
from muxwright.screen.conditions import Condition
from muxwright.screen.diff import shortened
from muxwright.screen.screen import Screen

__all__ = ["ConditionJudge", "expect", "expect_stable"]

_OUTCOMES = {
    "pane_closed": "the pane closed, or its program ended",
    "cancelled": "the call was cancelled",
}


class ConditionJudge(Judge):
    """Waits until a condition holds of the screen, or (`negated`) does not."""

    def __init__(self, pane: PaneRef, condition: Condition, negated: bool) -> None:
        self.pane = pane
        self.condition = condition
        self.negated = negated
        self.screen: Screen | None = None
        self.found = ""
        self.looks = Looks()
        self._looked = 0.0

    def begin(self, place: Place) -> Operation[Verdict | None]:
        found = yield from self.due(place)
        return found and found._replace(source="baseline")

    def patience(self, now: float) -> float | None:
        return self.looks.patience(now)

    def heard(self, data: bytes, text: str, now: float) -> Verdict | None:
        # The first output after a rest is looked at soon: as a rule it is what is waited for.
        self.looks.want(now, Looks.SOON if now - self._looked > Looks.OFTEN else Looks.OFTEN)
        return None

    def missed(self, now: float) -> None:
        self.looks.want(now, Looks.SOON)

    def due(self, place: Place) -> Operation[Verdict | None]:
        before = place.clock()
        self.screen = yield from take_screen(place, self.pane)
        self._looked = place.clock()
        self.looks.took(before, self._looked)
        finding = self.condition.judge(self.screen)
        self.found = finding.found
        return Verdict("matched", "output") if finding.holds != self.negated else None


class _StableJudge(Judge):
    """Waits until the screen has stayed as it is for `quiet` seconds, whatever the program prints."""

    def __init__(self, pane: PaneRef, quiet: float) -> None:
        self.pane = pane
        self.quiet = quiet
        self.screen: Screen | None = None
        self.found = "a screen that changed again"
        self._since = 0.0
        self._looks = Looks()

    def begin(self, place: Place) -> Operation[Verdict | None]:
        yield from self.due(place)
        return None

    def patience(self, now: float) -> float | None:
        return self._looks.patience(now)

    def heard(self, data: bytes, text: str, now: float) -> Verdict | None:
        self._looks.want(now, Looks.OFTEN)
        return None

    def due(self, place: Place) -> Operation[Verdict | None]:
        before = place.clock()
        screen = yield from take_screen(place, self.pane)
        now = place.clock()
        if screen != self.screen:
            self.screen, self._since = screen, now
        self._looks.took(before, now)
        self._looks.want(now, self._since + self.quiet - now)
        return Verdict("quiet", "output") if now >= self._since + self.quiet else None


def expect(
    place: Place, pane: PaneRef, condition: Condition, timeout: float, negated: bool = False
) -> Operation[Screen]:
    """Wait until a condition holds (`negated`: does not hold) and return the screen of that moment.

    `timeout` is the budget that the driver gives this operation. Raises `ExpectFailed`.
    """
    wanted = condition.wanted(negated=negated)
    return (yield from _wait(place, ConditionJudge(pane, condition, negated), wanted, timeout))


def expect_stable(place: Place, pane: PaneRef, quiet: float, timeout: float) -> Operation[Screen]:
    """Wait until the screen has not changed for `quiet` seconds and return it; raises `ExpectFailed`."""
    if not 0 < quiet < timeout:
        raise InvalidArgument(f"quiet is a number of seconds, more than 0 and less than the timeout, not {quiet!r}")
    wanted = f"the screen to stay unchanged for {quiet:g} s"
    return (yield from _wait(place, _StableJudge(pane, quiet), wanted, timeout))


def _wait(place: Place, judge: ConditionJudge | _StableJudge, wanted: str, timeout: float) -> Operation[Screen]:
    try:
        result = yield from wait(place, judge.pane, judge, timeout)
    except PaneNotFound as error:
        raise _failed(judge, wanted, "the pane is gone") from error
    if result and judge.screen is not None:
        return judge.screen
    raise _failed(judge, wanted, _reason(result))


def _reason(result: WaitResult) -> str:
    if result.exit_status is not None or result.signal:
        return f"its program ended, {result.signal or f'status {result.exit_status}'}"
    return _OUTCOMES.get(result.outcome, f"not within {result.timeout:g} s")


def _failed(judge: ConditionJudge | _StableJudge, wanted: str, reason: str) -> ExpectFailed:
    shown = "no screen could be taken" if judge.screen is None else f"the screen was:\n{shortened(judge.screen)}"
    return ExpectFailed(
        f"expected {wanted}\n  found {judge.found or 'nothing'} ({reason})\n  in pane {judge.pane.id}; {shown}",
        target=str(judge.pane.id),
    )
