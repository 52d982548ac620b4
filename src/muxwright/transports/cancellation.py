"""Giving up a call that waits, from another thread or task."""

from __future__ import annotations

import threading
from collections.abc import Callable

__all__ = ["CancellationToken"]


class CancellationToken:
    """Pass it to calls as `cancel`, and call `cancel()` from any thread or signal handler to end their waiting.

    A call that is cancelled says so (`RequestCancelled`, or the outcome ``"cancelled"``); what tmux did before stays
    done. One token may serve many calls; it cannot be reset.
    """

    def __init__(self) -> None:
        self._cancelled = False
        # Re-entrant: a signal handler may cancel in the middle of a call of its own thread.
        self._lock = threading.RLock()
        self._wakers: list[Callable[[], object]] = []

    @property
    def cancelled(self) -> bool:
        """Whether it was cancelled."""
        return self._cancelled

    def cancel(self) -> None:
        """End the waiting of every call that has this token, now and later; idempotent."""
        self._cancelled = True
        with self._lock:
            wakers = list(self._wakers)
        for wake in wakers:
            wake()

    def wake_with(self, wake: Callable[[], object]) -> Callable[[], None]:
        """Have `wake` called on cancellation (at once if that is past); call what is returned to forget it."""
        with self._lock:
            self._wakers.append(wake)
        if self._cancelled:
            wake()

        def forget() -> None:
            with self._lock:
                self._wakers.remove(wake)

        return forget
