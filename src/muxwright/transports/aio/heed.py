"""Giving up a wait of this loop when a token is cancelled, from whatever thread."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator

from muxwright.transports.cancellation import CancellationToken

__all__ = ["heeding"]


@contextlib.contextmanager
def heeding(cancel: CancellationToken | None, stop: Callable[[], object]) -> Iterator[None]:
    """Have `stop` called in this loop once the token is cancelled."""
    if cancel is None:
        yield
        return
    loop = asyncio.get_running_loop()

    def stop_in_time() -> None:
        with contextlib.suppress(RuntimeError):  # what it stops is over by now
            stop()

    def wake() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed, and nobody waits
            loop.call_soon_threadsafe(stop_in_time)

    forget = cancel.wake_with(wake)
    try:
        yield
    finally:
        forget()
