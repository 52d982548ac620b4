"""One budget for one call."""

from __future__ import annotations

import time
from typing import NamedTuple, Self

from muxwright.errors import DeadlineExceeded, Effects, InvalidArgument, RequestCancelled
from muxwright.transports.cancellation import CancellationToken

__all__ = ["CLEANUP", "DEFAULT_TIMEOUT", "TICK", "Deadline"]

DEFAULT_TIMEOUT = 5.0
"""Seconds that one operation may take unless the caller says otherwise."""

CLEANUP = 0.9
"""Seconds that cleaning up may take, in addition to the call's own budget."""


TICK = 0.05
"""Seconds between two looks at a token, where nothing else wakes the waiting."""


class Deadline(NamedTuple):
    """When a call has to be over: `at` in monotonic seconds, `timeout` as the caller gave it.

    It is over at once when the token `cancel` is cancelled.
    """

    at: float
    timeout: float
    cancel: CancellationToken | None = None

    @classmethod
    def after(cls, timeout: float, cancel: CancellationToken | None = None) -> Self:
        """Return the deadline `timeout` seconds from now; raises `InvalidArgument` unless 0 < timeout < 1e9."""
        # The comparison is false for NaN and infinity as well.
        if type(timeout) not in (float, int) or not 0 < timeout < 1e9:
            raise InvalidArgument(f"timeout is a number of seconds, more than 0 and less than 1e9, not {timeout!r}")
        if cancel is not None and not isinstance(cancel, CancellationToken):
            raise InvalidArgument(f"cancel is a CancellationToken, not {cancel!r}")
        return tuple.__new__(cls, (time.monotonic() + timeout, timeout, cancel))

    @property
    def cancelled(self) -> bool:
        """Whether the token ended the call."""
        return self.cancel is not None and self.cancel.cancelled

    def remaining(self) -> float:
        """Seconds left; negative when it has passed, or was cancelled."""
        if self.cancel is not None and self.cancel.cancelled:
            return -1.0
        return self.at - time.monotonic()

    def patience(self) -> float:
        """Seconds that may be waited in one go; 0 when it is over."""
        if self.cancel is None:
            remaining = self.at - time.monotonic()
            return remaining if remaining > 0 else 0.0
        return max(min(self.remaining(), TICK), 0.0)

    def rest(self) -> tuple[float, CancellationToken | None]:
        """Return the timeout and the token of a call that is a part of this one."""
        return max(self.at - time.monotonic(), 1e-3), self.cancel

    def within(self, seconds: float | None) -> float:
        """Return when that many seconds are over, at the latest when the call has to be."""
        return self.at if seconds is None else min(self.at, time.monotonic() + seconds)

    def for_cleanup(self) -> Deadline:
        """Return the deadline of what is still done after a failure."""
        return Deadline(max(self.at, time.monotonic() + CLEANUP), self.timeout)

    def exceeded(self, command: str | None, effects: Effects) -> DeadlineExceeded | RequestCancelled:
        """Return the error to raise."""
        if self.cancelled:
            when = " before it was sent" if effects == "none" else ""
            return RequestCancelled(f"{command or 'the call'} was cancelled{when}", effects=effects, command=command)
        return DeadlineExceeded(self.timeout, effects=effects, command=command)
