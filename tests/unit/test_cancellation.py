"""The token and the deadline that heeds it."""

from __future__ import annotations

import threading

import pytest

from muxwright.errors import DeadlineExceeded, InvalidArgument, RequestCancelled
from muxwright.transports.cancellation import CancellationToken
from muxwright.transports.deadline import CLEANUP, TICK, Deadline


def test_everybody_who_waits_is_woken() -> None:
    token = CancellationToken()
    woken: list[str] = []
    forget = token.wake_with(lambda: woken.append("forgotten"))
    token.wake_with(lambda: woken.append("first"))
    forget()
    token.wake_with(lambda: woken.append("second"))
    assert (token.cancelled, woken) == (False, [])
    thread = threading.Thread(target=token.cancel)
    thread.start()
    thread.join(10)
    assert (token.cancelled, woken) == (True, ["first", "second"])
    token.wake_with(lambda: woken.append("late"))
    assert woken == ["first", "second", "late"], "it need not wait for what is past"


def test_a_deadline_without_a_token() -> None:
    deadline = Deadline.after(10)
    assert 9 < deadline.remaining() <= 10
    assert 9 < deadline.patience() <= 10
    assert not deadline.cancelled
    error = deadline.exceeded("list-panes", "none")
    assert isinstance(error, DeadlineExceeded) and error.effects == "none"
    past = Deadline(deadline.at - 20, 10)
    assert past.remaining() < 0 and past.patience() == 0


def test_a_cancelled_token_is_a_deadline_that_has_passed() -> None:
    token = CancellationToken()
    deadline = Deadline.after(10, token)
    assert 9 < deadline.remaining() <= 10
    assert deadline.patience() == TICK, "nothing else would wake it"
    assert isinstance(deadline.exceeded("list-panes", "possible"), DeadlineExceeded)
    token.cancel()
    assert (deadline.cancelled, deadline.patience()) == (True, 0)
    assert deadline.remaining() < 0
    error = deadline.exceeded("list-panes", "possible")
    assert isinstance(error, RequestCancelled)
    assert (error.effects, error.command, str(error)) == ("possible", "list-panes", "list-panes was cancelled")
    unsent = deadline.exceeded(None, "none")
    assert (unsent.effects, str(unsent)) == ("none", "the call was cancelled before it was sent")


def test_cleaning_up_is_not_cancelled() -> None:
    token = CancellationToken()
    deadline = Deadline.after(0.001, token)
    token.cancel()
    assert deadline.rest()[1] is token
    cleanup = deadline.for_cleanup()
    assert not cleanup.cancelled
    assert cleanup.remaining() > CLEANUP / 2


@pytest.mark.parametrize("wrong", [True, 0, "token", threading.Event()])
def test_only_a_token_is_a_token(wrong: object) -> None:
    with pytest.raises(InvalidArgument, match="cancel is a CancellationToken"):
        Deadline.after(1, wrong)  # type: ignore[arg-type]  # what is tested
