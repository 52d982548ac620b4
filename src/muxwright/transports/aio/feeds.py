"""Feeds under asyncio: the loop reads them."""

from __future__ import annotations

import asyncio
import contextlib
import time
import weakref
from collections.abc import Callable
from typing import Any

from muxwright.errors import ForkedConnection
from muxwright.operations.feed import Feed, PipeSource, Received, Source
from muxwright.operations.ring import RING_LIMIT
from muxwright.operations.steps import OpenFeed
from muxwright.refs import PaneRef
from muxwright.transports.cancellation import CancellationToken
from muxwright.transports.endpoint import Forks
from muxwright.transports.source import RECENT, LocalSource

__all__ = ["WakingSource", "open_feed", "pause", "receive", "wait_opened"]


class _Feeds:
    """The sources of one loop."""

    def __init__(self) -> None:
        self.sources: dict[PaneRef, _Source] = {}
        self.closed_at: dict[PaneRef, float] = {}


_loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Feeds] = weakref.WeakKeyDictionary()


class WakingSource(Source):
    """A source whose readers wait in tasks of one loop."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.born = Forks.count
        self._loop = asyncio.get_running_loop()
        self._waiters: set[asyncio.Future[None]] = set()

    async def changed(self, within: float) -> None:
        """Wait until something has changed, at most so many seconds."""
        waiter: asyncio.Future[None] = self._loop.create_future()
        self._waiters.add(waiter)
        timer = self._loop.call_later(within, _finish, waiter)
        try:
            await waiter
        finally:
            timer.cancel()
            self._waiters.discard(waiter)

    def notify(self) -> None:
        """Let the readers look again."""
        for waiter in self._waiters:
            _finish(waiter)

    def wake(self) -> None:
        """Let the readers look again; from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed, and nobody waits
            self._loop.call_soon_threadsafe(self.notify)

    def check_process(self) -> None:
        """Raise `ForkedConnection` in a child of the process that opened it."""
        if self.born != Forks.count:
            raise ForkedConnection("this pane is watched by the parent process; watch it anew after fork")


def _finish(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


class _Source(LocalSource, WakingSource):
    def __init__(self, pane: PaneRef, feeds: _Feeds, limit: int = RING_LIMIT) -> None:
        super().__init__(pane, limit)
        self._feeds = feeds

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
        self.notify()


def open_feed(step: OpenFeed) -> Feed[PipeSource]:
    """Return a feed of the source of that pane; a fresh one has its fifos, and nobody writes to them yet."""
    feeds = _loops.setdefault(asyncio.get_running_loop(), _Feeds())
    source = feeds.sources.get(step.pane)
    if source is not None and not source.ended:
        source.ring.limit = max(source.ring.limit, step.keep)
        return Feed(source, fresh=False)
    source = feeds.sources[step.pane] = _Source(step.pane, feeds, step.keep)
    recent = time.monotonic() - feeds.closed_at.pop(step.pane, -RECENT) < RECENT
    feed = Feed(source, fresh=True, recent=recent)
    try:
        source.start()
    except BaseException:
        feed.release()
        raise
    return feed


async def _wait(feed: Feed[Source], ready: Callable[[], bool], end: float, cancel: CancellationToken | None) -> bool:
    """Return whether `ready` became true in time; ``False`` when it was cancelled, too."""
    source = feed.source
    assert isinstance(source, WakingSource), "a feed is used by the driver that opened it"
    source.check_process()
    forget = None if cancel is None else cancel.wake_with(source.wake)
    try:
        while not ready():
            remaining = end - time.monotonic()
            if remaining <= 0 or (cancel is not None and cancel.cancelled):
                return False
            await source.changed(remaining)
        return True
    finally:
        if forget is not None:
            forget()


async def receive(feed: Feed[Source], end: float, limit: int, cancel: CancellationToken | None) -> Received | None:
    """Return what comes next, or ``None`` when nothing came in time."""
    if not await _wait(feed, lambda: feed.ready, end, cancel):
        return None
    return feed.take(limit)


async def wait_opened(feed: Feed[Source], end: float, cancel: CancellationToken | None) -> bool:
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
