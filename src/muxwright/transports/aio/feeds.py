"""Feeds under asyncio: the loop reads them."""

from __future__ import annotations

import asyncio
import contextlib
import time
import weakref
from collections.abc import Callable

from muxwright.operations.feed import Feed, Received
from muxwright.operations.steps import OpenFeed
from muxwright.refs import PaneRef
from muxwright.transports.cancellation import CancellationToken
from muxwright.transports.source import RECENT, LocalSource

__all__ = ["open_feed", "pause", "receive", "wait_opened"]


class _Feeds:
    """The sources of one loop."""

    def __init__(self) -> None:
        self.sources: dict[PaneRef, _Source] = {}
        self.closed_at: dict[PaneRef, float] = {}


_loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Feeds] = weakref.WeakKeyDictionary()


class _Source(LocalSource):
    def __init__(self, pane: PaneRef, limit: int, feeds: _Feeds) -> None:
        super().__init__(pane, limit)
        self._loop = asyncio.get_running_loop()
        self._feeds = feeds
        self.waiters: set[asyncio.Future[None]] = set()

    def close(self) -> None:
        super().close()
        if self._feeds.sources.get(self.pane) is self:
            del self._feeds.sources[self.pane]
            self._feeds.closed_at[self.pane] = time.monotonic()

    def _attend(self, descriptor: int) -> None:
        self._loop.add_reader(descriptor, self.readable, descriptor)

    def _ignore(self, descriptor: int) -> None:
        if not self._loop.is_closed():
            self._loop.remove_reader(descriptor)

    def _notify(self) -> None:
        for waiter in self.waiters:
            if not waiter.done():
                waiter.set_result(None)

    def wake(self) -> None:
        """Let the readers look again; from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed, and nobody waits
            self._loop.call_soon_threadsafe(self._notify)


def open_feed(step: OpenFeed) -> Feed:
    """Return a feed of the source of that pane; a fresh one has its fifos, and nobody writes to them yet."""
    feeds = _loops.setdefault(asyncio.get_running_loop(), _Feeds())
    source = feeds.sources.get(step.pane)
    if source is not None and not source.ended:
        source.ring.limit = max(source.ring.limit, step.keep)
        return Feed(source, fresh=False)
    source = feeds.sources[step.pane] = _Source(step.pane, step.keep, feeds)
    recent = time.monotonic() - feeds.closed_at.pop(step.pane, -RECENT) < RECENT
    feed = Feed(source, fresh=True, recent=recent)
    try:
        source.start()
    except BaseException:
        feed.release()
        raise
    return feed


async def _wait(feed: Feed, ready: Callable[[], bool], end: float, cancel: CancellationToken | None) -> bool:
    """Return whether `ready` became true in time; ``False`` when it was cancelled, too."""
    source = feed.source
    assert isinstance(source, _Source), "a feed is used by the driver that opened it"
    source.check_process()
    forget = None if cancel is None else cancel.wake_with(source.wake)
    loop = asyncio.get_running_loop()
    try:
        while not ready():
            remaining = end - time.monotonic()
            if remaining <= 0 or (cancel is not None and cancel.cancelled):
                return False
            waiter: asyncio.Future[None] = loop.create_future()
            source.waiters.add(waiter)
            timer = loop.call_later(remaining, _expire, waiter)
            try:
                await waiter
            finally:
                timer.cancel()
                source.waiters.discard(waiter)
        return True
    finally:
        if forget is not None:
            forget()


def _expire(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


async def receive(feed: Feed, end: float, limit: int, cancel: CancellationToken | None) -> Received | None:
    """Return what comes next, or ``None`` when nothing came in time."""
    if not await _wait(feed, lambda: feed.ready, end, cancel):
        return None
    return feed.take(limit)


async def wait_opened(feed: Feed, end: float, cancel: CancellationToken | None) -> bool:
    """Wait until the source of a feed has opened or ended."""
    source = feed.source
    return await _wait(feed, lambda: source.opened or source.ended, end, cancel)


async def pause(end: float, cancel: CancellationToken | None) -> None:
    """Let time pass, or end early when cancelled."""
    woken = asyncio.Event()
    loop = asyncio.get_running_loop()
    forget = None if cancel is None else cancel.wake_with(lambda: loop.call_soon_threadsafe(woken.set))
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(end - time.monotonic(), 0)):
                await woken.wait()
    finally:
        if forget is not None:
            forget()
