"""Waits: what is decided, when, and on what; on a scripted pane with a clock of its own."""

from __future__ import annotations

import re
from typing import Any

import pytest

from muxwright import (
    DeadlineExceeded,
    InvalidArgument,
    PaneDead,
    PaneNotFound,
    RequestCancelled,
    WaitResult,
    WaitStopped,
)
from muxwright.model.echo import EchoBook
from muxwright.operations import echoes
from muxwright.operations.judges import ExitJudge, QuietJudge, ScreenJudge
from muxwright.operations.wait import wait
from muxwright.operations.waits import Wanted, send_and_wait, wait_for
from tests.support.sabotage import sabotaged
from tests.support.scripted import PANE, Scripted


@pytest.fixture(autouse=True)
def book(monkeypatch: pytest.MonkeyPatch) -> EchoBook:
    """A book without what other tests have typed."""
    made = EchoBook()
    monkeypatch.setattr(echoes, "BOOK", made)
    return made


@pytest.fixture
def pane() -> Scripted:
    made = Scripted()
    made.prints(b"", "$ ", cursor=(2, 0))
    return made


def _wait(pane: Scripted, *patterns: Any, timeout: float = 5.0, **options: Any) -> WaitResult:
    return pane.run(wait_for(pane.place, PANE, Wanted(patterns, **options), timeout), timeout)


def _type_and_wait(pane: Scripted, text: str, *patterns: Any, timeout: float = 5.0, **options: Any) -> WaitResult:
    wanted = Wanted(patterns, baseline=False, **options)
    return pane.run(send_and_wait(pane.place, PANE, text, ["Enter"], wanted, timeout), timeout)


def test_text_in_the_stream_is_decided_at_once(pane: Scripted) -> None:
    pane.at(1.0, lambda: pane.prints("one \x1b[1mwan"))
    pane.at(1.5, lambda: pane.prints("ted\x1b[0m\r\n"))
    result = _wait(pane, "wanted")
    assert result
    assert (result.outcome, result.source, result.pattern, result.text) == ("matched", "output", 0, "wanted")
    assert (result.duration, result.route, result.received_bytes) == (1.5, "pipe", 20)
    assert pane.source.closed


def test_text_that_stands_there_counts_unless_only_output_does(pane: Scripted) -> None:
    pane.prints(b"", "wanted", "$ ", cursor=(2, 1))
    result = _wait(pane, "wanted")
    assert (result.outcome, result.source, result.duration) == ("matched", "baseline", 0.0)
    assert _wait(pane, "wanted", baseline=False, timeout=1.0).outcome == "deadline"


def test_text_drawn_in_pieces_is_found_on_the_screen(pane: Scripted) -> None:
    pane.at(1.0, lambda: pane.prints("\x1b[2;3Hted\x1b[2;1Hwan", "$ ", "wanted", cursor=(3, 1)))
    result = _wait(pane, "wanted")
    assert (result.outcome, result.source) == ("matched", "output")
    assert 1.0 < result.duration < 1.05


def test_stop_patterns_win(pane: Scripted) -> None:
    pane.at(1.0, lambda: pane.prints("wanted then error: no\r\n"))
    result = _wait(pane, "wanted", stop=["nothing", re.compile("error: .*")])
    assert (result.outcome, result.pattern, result.text) == ("stopped", 1, "error: no")
    assert not result
    with pytest.raises(WaitStopped, match="error: no"):
        result.check()


def test_a_prompt_in_the_cursors_line_counts(pane: Scripted) -> None:
    pane.at(0.5, lambda: pane.prints("Password: ", "$ sudo x", "Password: "))
    assert _type_and_wait(pane, "sudo x", "Password: ").outcome == "matched"


def test_the_echo_of_what_was_typed_does_not_count(pane: Scripted) -> None:
    pane.at(0.1, lambda: pane.prints("echo MARK", "$ echo MARK"))
    pane.at(0.2, lambda: pane.prints("\r\n", "$ echo MARK", "", cursor=(0, 1)))
    result = _type_and_wait(pane, "echo MARK", "MARK", timeout=3.0)
    assert (result.outcome, result.echo_seen) == ("deadline", True)
    with pytest.raises(DeadlineExceeded) as caught:
        result.check()
    assert "accept_echo" in caught.value.__notes__[-1]
    assert pane.typed == [("echo MARK",), ("Enter",)]


def test_the_output_after_the_echo_does(pane: Scripted) -> None:
    pane.at(0.1, lambda: pane.prints("echo MARK\r\n", "$ echo MARK", "", cursor=(0, 1)))
    pane.at(2.0, lambda: pane.prints("MARK\r\n$ ", "$ echo MARK", "MARK", "$ ", cursor=(2, 2)))
    result = _type_and_wait(pane, "echo MARK", "MARK")
    assert (result.outcome, result.source) == ("matched", "output")
    assert 2.0 < result.duration < 2.05


def test_an_echo_that_wraps_does_not_count(pane: Scripted) -> None:
    long = "echo " + "x" * 40 + " MARK"
    first, second = f"$ {long}"[:40], f"$ {long}"[40:]
    pane.wrapped = {0}
    pane.at(0.1, lambda: pane.prints(long + "\r\n", first, second, "", cursor=(0, 2)))
    assert _type_and_wait(pane, long, "MARK", timeout=3.0).outcome == "deadline"


def test_a_part_of_an_echo_does_not_count(pane: Scripted) -> None:
    pane.at(0.1, lambda: pane.prints("echo MA", "$ echo MA"))
    pane.at(0.5, lambda: pane.prints("RK 2\r\n", "$ echo MARK 2", "", cursor=(0, 1)))
    assert _type_and_wait(pane, "echo MARK 2", "MA", timeout=3.0).outcome == "deadline"


@pytest.mark.parametrize("when", [0.3, 3.0])
def test_an_echo_that_is_drawn_a_second_time_word_by_word_does_not_count(pane: Scripted, when: float) -> None:
    """What was typed while a command ran: the terminal echoes it, and later the shell draws it after its prompt."""
    first = "true MARK; x"
    pane.at(0.1, lambda: pane.prints(f"{first}\r\n", first, "", cursor=(0, 1)))
    pane.at(when, lambda: pane.prints("$ true MARK;", first, "$ true MARK;", cursor=(12, 1)))
    pane.at(when + 0.5, lambda: pane.prints(" x", first, "$ true MARK; x", cursor=(14, 1)))
    pane.at(when + 0.6, lambda: pane.prints("\r\n", first, "$ true MARK; x", "", cursor=(0, 2)))
    result = _type_and_wait(pane, first, "MARK")
    assert (result.outcome, result.echo_seen) == ("deadline", True)


def test_a_beginning_of_what_was_typed_that_stays_at_the_cursor_counts(pane: Scripted) -> None:
    pane.at(0.1, lambda: pane.prints("true MARK; x\r\n", "$ true MARK; x", "", cursor=(0, 1)))
    pane.at(0.5, lambda: pane.prints("true MARK", "$ true MARK; x", "true MARK", cursor=(9, 1)))
    result = _type_and_wait(pane, "true MARK; x", "MARK")
    assert result.outcome == "matched"
    assert 1.4 < result.duration < 1.6


def test_what_a_program_did_not_echo_counts_after_a_while(pane: Scripted) -> None:
    pane.at(0.1, lambda: pane.prints("MARK!\r\n", "$ ", "MARK!", "", cursor=(0, 2)))
    result = _type_and_wait(pane, "MARK! please", "MARK!")
    assert result.outcome == "matched"
    assert 0.9 < result.duration < 1.1


def test_an_answer_that_repeats_what_was_typed_counts(pane: Scripted) -> None:
    pane.at(0.1, lambda: pane.prints("foo\r\n", "$ foo", "", cursor=(0, 1)))
    pane.at(0.5, lambda: pane.prints("hello foo\r\n", "$ foo", "hello foo", "", cursor=(0, 2)))
    result = _type_and_wait(pane, "foo", "hello foo")
    assert (result.outcome, result.duration) == ("matched", 0.5)


def test_an_echo_can_be_accepted(pane: Scripted) -> None:
    pane.at(0.1, lambda: pane.prints("echo MARK", "$ echo MARK"))
    assert _type_and_wait(pane, "echo MARK", "MARK", accept_echo=True).outcome == "matched"


def test_what_is_not_entered_yet_is_pending(pane: Scripted, book: EchoBook) -> None:
    book.typed(PANE, "echo MARK", 0.0)
    pane.prints(b"", "$ echo MARK")
    result = _wait(pane, "MARK", timeout=20.0)
    assert (result.outcome, result.pending) == ("deadline", "$ echo MARK")


def test_text_of_before_does_not_count_as_output(pane: Scripted) -> None:
    pane.prints(b"", "MARK", "$ ", cursor=(2, 1))
    pane.at(0.1, lambda: pane.prints("echo MARK\r\n", "MARK", "$ echo MARK", "", cursor=(0, 2)))
    assert _type_and_wait(pane, "echo MARK", "MARK", timeout=3.0).outcome == "deadline"
    pane.at(pane.now + 1, lambda: pane.prints("MARK\r\n", "MARK", "$ echo MARK", "MARK", "", cursor=(0, 3)))
    assert _type_and_wait(pane, "echo MARK", "MARK", timeout=3.0).outcome == "matched"


def test_a_flood_is_looked_at_now_and_then(pane: Scripted) -> None:
    for piece in range(1000):
        pane.at(1.0 + piece / 1000, lambda: pane.prints("y\r\n" * 100))
    pane.at(2.0, lambda: pane.prints("wanted\r\n"))
    result = _wait(pane, "wanted")
    assert result.duration == 2.0
    assert pane.requests < 3 * 60, "a look is three commands"
    assert result.dropped_bytes == 0


def test_what_was_missed_is_said(pane: Scripted) -> None:
    pane.at(1.0, lambda: pane.prints(b"x" * 5_000_000))
    pane.at(2.0, lambda: pane.prints(b"wanted"))
    result = _wait(pane, "wanted")
    assert (result.outcome, result.received_bytes, result.gap) == ("matched", 5_000_006, False)
    assert result.dropped_bytes == 5_000_000 - pane.source.ring.limit


def test_the_pipe_is_opened_again_when_it_was_cut_off(pane: Scripted) -> None:
    def cut() -> None:
        pane.prints(b"before")
        pane.source.status, pane.source.ended = 1, True

    pane.at(1.0, cut)
    pane.at(1.01, lambda: pane.prints(b"", "$ ", "wanted", "", cursor=(0, 2)))  # nobody hears it
    result = _wait(pane, "wanted")
    assert (result.outcome, result.gap, result.route) == ("matched", True, "pipe")
    assert len(pane.sources) == 2
    assert all(source.closed for source in pane.sources)


def test_a_pipe_of_somebody_elses_is_left_alone(pane: Scripted) -> None:
    pane.piped = True
    pane.at(1.0, lambda: pane.prints(b"", "$ ", "wanted", "", cursor=(0, 2)))
    result = _wait(pane, "wanted")
    assert (result.outcome, result.route) == ("matched", "poll")
    assert 1.0 <= result.duration < 1.1


def test_a_pipe_that_was_taken_is_left_alone(pane: Scripted) -> None:
    def take() -> None:
        pane.piped, pane.source.status, pane.source.ended = True, 0, True

    pane.at(1.0, take)
    pane.at(2.0, lambda: pane.prints(b"", "$ ", "wanted", "", cursor=(0, 2)))
    result = _wait(pane, "wanted")
    assert (result.outcome, result.gap, result.route) == ("matched", True, "poll")


def test_a_deadline_is_an_outcome(pane: Scripted) -> None:
    pane.at(0.5, lambda: pane.prints("the last words\r\n"))
    result = _wait(pane, "wanted", timeout=2.0)
    assert (result.outcome, result.tail) == ("deadline", "the last words\n")
    assert result.duration == pytest.approx(2.0)
    with pytest.raises(DeadlineExceeded, match=r"%1 within 2 s") as caught:
        result.check()
    assert "the last words" in caught.value.__notes__[0]


def test_a_cancellation_is_an_outcome(pane: Scripted) -> None:
    operation = wait_for(pane.place, PANE, Wanted(["wanted"]), 5.0)
    result = pane.run(operation, cancelled_at=1.0)
    assert (result.outcome, result.duration) == ("cancelled", 1.0)
    assert pane.source.closed
    with pytest.raises(RequestCancelled):
        result.check()


def test_the_end_of_the_pane_is_an_outcome(pane: Scripted) -> None:
    def close() -> None:
        pane.gone, pane.source.status, pane.source.ended = True, 0, True

    pane.at(1.0, close)
    result = _wait(pane, "wanted")
    assert (result.outcome, result.duration) == ("pane_closed", 1.0)
    with pytest.raises(PaneNotFound):
        result.check()
    with pytest.raises(PaneNotFound):
        _wait(pane, "wanted")


def _die(pane: Scripted, status: str) -> None:
    pane.dead, pane.pid, pane.status = True, 0, status
    pane.source.exits += 1


def test_the_end_of_the_program_is_an_outcome(pane: Scripted) -> None:
    pane.at(1.0, lambda: _die(pane, "3"))
    result = _wait(pane, "wanted")
    assert (result.outcome, result.exit_status) == ("pane_closed", 3)
    assert 1.0 < result.duration < 1.2
    with pytest.raises(PaneDead, match="status 3"):
        result.check()
    # A pane that is dead already.
    result = _wait(pane, "wanted")
    assert (result.outcome, result.exit_status, result.route) == ("pane_closed", 3, "poll")


def test_what_a_program_said_last_counts(pane: Scripted) -> None:
    def last_words() -> None:
        _die(pane, "0")
        pane.prints("wanted\r\n")

    pane.at(1.0, last_words)
    assert _wait(pane, "wanted").outcome == "matched"


def test_an_exit_is_waited_for(pane: Scripted) -> None:
    pane.at(1.0, lambda: pane.prints("exit: no\r\n"))
    pane.at(2.0, lambda: _die(pane, "7"))
    result = pane.run(wait(pane.place, PANE, ExitJudge(), 5.0))
    assert (result.outcome, result.exit_status, result.signal) == ("exited", 7, "")


def test_a_program_that_was_replaced_has_not_ended(pane: Scripted) -> None:
    def respawn() -> None:
        pane.pid += 1
        pane.source.exits += 1

    pane.at(1.0, respawn)
    pane.at(3.0, lambda: _die(pane, "0"))
    result = pane.run(wait(pane.place, PANE, ExitJudge(), 5.0))
    assert result.outcome == "exited"
    assert result.duration > 3.0
    assert pane.source.watched == 8


def test_quiet_is_counted_from_the_last_byte(pane: Scripted) -> None:
    for tenth in range(5):
        pane.at(tenth / 10, lambda: pane.prints("."))
    result = pane.run(wait(pane.place, PANE, QuietJudge(PANE, 0.3), 5.0))
    assert result.outcome == "quiet"
    assert result.duration == pytest.approx(0.7)
    # At the same time as the deadline: quiet wins.
    assert pane.run(wait(pane.place, PANE, QuietJudge(PANE, 0.5), 0.5), 0.5).outcome == "quiet"


def test_quiet_before_anything_was_drawn_is_not_ready() -> None:
    pane = Scripted()
    pane.at(2.0, lambda: pane.prints("$ ", "$ ", cursor=(2, 0)))
    result = pane.run(wait(pane.place, PANE, QuietJudge(PANE, 0.1, drawn=True), 5.0))
    assert result.outcome == "quiet"
    assert result.duration == pytest.approx(2.1)


def test_a_predicate_sees_the_screen(pane: Scripted) -> None:
    pane.at(1.0, lambda: pane.prints("x", "$ ", "x", cursor=(1, 1)))
    result = pane.run(wait(pane.place, PANE, ScreenJudge(PANE, lambda screen: screen.lines[1] == "x"), 5.0))
    assert (result.outcome, result.source) == ("matched", "output")
    result = pane.run(wait(pane.place, PANE, ScreenJudge(PANE, lambda screen: True), 5.0))
    assert (result.outcome, result.source) == ("matched", "baseline")


def test_nothing_to_wait_for_is_refused(pane: Scripted) -> None:
    with pytest.raises(InvalidArgument):
        _wait(pane)
    with pytest.raises(InvalidArgument):
        pane.run(send_and_wait(pane.place, PANE, "", [], Wanted(["x"]), 5.0))


def test_a_pane_that_goes_while_the_wait_begins(pane: Scripted) -> None:
    def go() -> None:
        pane.prints(b"wanted\r\n")
        pane.gone, pane.source.status, pane.source.ended = True, 0, True

    for step in (2, 3, 4):
        pane.gone = False
        pane.sources.clear()
        result = pane.run(sabotaged(wait_for(pane.place, PANE, Wanted(["wanted"]), 5.0), step, go))
        assert result.outcome == "matched", "its last words are heard"
        pane.sources.clear()
        pane.gone = False
        result = pane.run(sabotaged(wait_for(pane.place, PANE, Wanted(["other"]), 5.0), step, go))
        assert result.outcome == "pane_closed"
