"""Waiting for a condition that nothing announces."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

__all__ = ["wait_until"]

T = TypeVar("T")


def wait_until(predicate: Callable[[], T], timeout: float = 20.0, what: str = "") -> T:
    """Return the first true answer of `predicate`; fails the test when there is none within `timeout` seconds."""
    deadline = time.monotonic() + timeout
    pause = 0.003
    while not (answer := predicate()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {timeout:g} s: {what or predicate!r}; the last answer was {answer!r}")
        time.sleep(pause)  # why: polls with a deadline; what a pane's program does is announced by no event
        # Many predicates start a process, and what they wait for needs the processor too.
        pause = min(pause * 1.5, 0.05)
    return answer
