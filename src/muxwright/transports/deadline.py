"""One budget for one call."""

from __future__ import annotations

import time
from typing import NamedTuple, Self

from muxwright.errors import DeadlineExceeded, Effects, InvalidArgument

__all__ = ["CLEANUP", "DEFAULT_TIMEOUT", "Deadline"]

DEFAULT_TIMEOUT = 5.0
"""Seconds that one operation may take unless the caller says otherwise."""

CLEANUP = 0.9
"""Seconds that cleaning up may take, in addition to the call's own budget."""


class Deadline(NamedTuple):
    """When a call has to be over: `at` in monotonic seconds, `timeout` as the caller gave it."""

    at: float
    timeout: float

    @classmethod
    def after(cls, timeout: float) -> Self:
        """Return the deadline `timeout` seconds from now; raises `InvalidArgument` unless 0 < timeout < 1e9."""
        # The comparison is false for NaN and infinity as well.
        if type(timeout) not in (float, int) or not 0 < timeout < 1e9:
            raise InvalidArgument(f"timeout is a number of seconds, more than 0 and less than 1e9, not {timeout!r}")
        return tuple.__new__(cls, (time.monotonic() + timeout, timeout))

    def remaining(self) -> float:
        """Seconds left; negative when it has passed."""
        return self.at - time.monotonic()

    def within(self, seconds: float | None) -> float:
        """Return when that many seconds are over, at the latest when the call has to be."""
        return self.at if seconds is None else min(self.at, time.monotonic() + seconds)

    def for_cleanup(self) -> Deadline:
        """Return the deadline of what is still done after a failure."""
        return Deadline(max(self.at, time.monotonic() + CLEANUP), self.timeout)

    def exceeded(self, command: str | None, effects: Effects) -> DeadlineExceeded:
        """Return the error to raise."""
        return DeadlineExceeded(self.timeout, effects=effects, command=command)
