"""A signal's handler that raises loses no process, and no other signal, wherever it strikes."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from muxwright.transports.spawn import spawn, without_interrupt
from tests.support.outside import children


class Struck(BaseException):
    """What the handlers raise."""


@pytest.fixture(params=[signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1], ids=lambda number: number.name)
def number(request: pytest.FixtureRequest) -> Iterator[signal.Signals]:
    def strike(number: int, _: object) -> None:
        raise Struck(number)

    before = signal.signal(request.param, strike)
    yield request.param
    assert signal.signal(request.param, before) is strike, "the handler is back"


def test_a_signal_between_the_process_and_its_id(number: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    real = subprocess._fork_exec  # type: ignore[attr-defined]  # what makes the process, and says its id

    def fork_exec(*arguments: Any) -> int:
        made: int = real(*arguments)
        signal.raise_signal(number)
        return made

    monkeypatch.setattr(subprocess, "_fork_exec", fork_exec)
    before = children(os.getpid())
    with pytest.raises(Struck):
        spawn(["sleep", "1000"], os.environ)
    assert children(os.getpid()) == before


def test_a_signal_as_the_handlers_come_back(number: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    real = signal.signal
    sent: list[signal.Signals] = []

    def install(which: signal.Signals, handler: Any) -> Any:
        done = real(which, handler)
        if handler is kept and not sent:
            sent.append(which)
            signal.raise_signal(which)
        return done

    kept = signal.getsignal(number)
    monkeypatch.setattr(signal, "signal", install)
    with pytest.raises(Struck):
        without_interrupt(lambda: None)
    assert sent == [number]


def test_every_handler_that_waited_runs() -> None:
    ran = []

    def note(number: int, _: object) -> None:
        ran.append(signal.Signals(number))
        raise Struck(number)

    numbers = [signal.SIGUSR1, signal.SIGTERM]

    def strike() -> None:
        for number in numbers:
            signal.raise_signal(number)

    before = {number: signal.signal(number, note) for number in numbers}
    try:
        with pytest.raises(Struck):
            without_interrupt(strike)
        assert ran == numbers
        assert [signal.getsignal(number) for number in numbers] == [note, note]
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
