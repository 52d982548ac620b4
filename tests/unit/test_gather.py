"""Operations side by side, fed with sections by hand: no tmux."""

from __future__ import annotations

from typing import Any

import pytest

from muxwright import InvalidArgument, MuxwrightError, ServerLost
from muxwright.operations.gather import Result, gather
from muxwright.operations.steps import Operation, Wave
from muxwright.wire.request import Command, Request, Section

closed: list[str] = []


def asking(name: str, times: int) -> Operation[str]:
    """Ask `times` times and return what was answered."""
    answers = []
    try:
        for turn in range(times):
            (section,) = yield Request((Command((f"{name}{turn}".encode(),)),))
            answers.append(section.text.decode())
        return " ".join(answers)
    finally:
        closed.append(name)


def failing(after: int) -> Operation[str]:
    yield from asking("f", after)
    raise InvalidArgument("no")


def names(wave: Wave) -> list[str]:
    return [request.name for request in wave.requests]


def answers(wave: Wave) -> list[Any]:
    return [(Section("done", request.name.upper().encode()),) for request in wave.requests]


def finish(operation: Operation[Any], answer: Any) -> Any:
    try:
        operation.send(answer)
    except StopIteration as stop:
        return stop.value
    raise AssertionError("it goes on")


def test_waves_hold_what_is_left_and_results_keep_their_order() -> None:
    together = gather([asking("a", 1), asking("b", 3), asking("c", 0), asking("d", 2)], 7)
    wave = next(together)
    assert isinstance(wave, Wave)
    assert (names(wave), wave.concurrency) == (["a0", "b0", "d0"], 7)
    wave = together.send(answers(wave))
    assert isinstance(wave, Wave)
    assert names(wave) == ["b1", "d1"]
    wave = together.send(answers(wave))
    assert isinstance(wave, Wave)
    assert names(wave) == ["b2"]
    assert finish(together, answers(wave)) == [Result("A0"), Result("B0 B1 B2"), Result(""), Result("D0 D1")]


def test_an_error_of_one_stops_none_of_the_others() -> None:
    lost = ServerLost("gone")
    together = gather([asking("a", 2), failing(0), failing(1), asking("b", 2)])
    wave = next(together)
    assert isinstance(wave, Wave)
    assert names(wave) == ["a0", "f0", "b0"]
    sections = answers(wave)
    wave = together.send([lost, *sections[1:]])
    assert isinstance(wave, Wave)
    assert names(wave) == ["b1"]
    first, second, third, last = finish(together, answers(wave))
    assert (first.error, last.value, last.error) == (lost, "B0 B1", None)
    assert isinstance(second.error, InvalidArgument)
    assert isinstance(third.error, InvalidArgument)


def test_nothing_to_do_asks_nothing() -> None:
    with pytest.raises(StopIteration) as stop:
        next(gather([]))
    assert stop.value.value == []
    with pytest.raises(StopIteration) as stop:
        next(gather([asking("a", 0)]))
    assert stop.value.value == [Result("")]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MuxwrightError("the driver failed"), ValueError()])
def test_an_error_from_outside_ends_all_of_them(error: BaseException) -> None:
    closed.clear()
    together = gather([asking("a", 1), asking("b", 1)])
    next(together)
    with pytest.raises(type(error)):
        together.throw(error)
    assert closed == ["a", "b"]
