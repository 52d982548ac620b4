"""Feeds for blocking callers: one thread reads for all of them, while any is open."""

from __future__ import annotations

import contextlib
import os
import selectors
import threading
import time
from collections.abc import Callable
from typing import Any

from muxwright.errors import ForkedConnection
from muxwright.operations.feed import Feed, PipeSource, Received, Source
from muxwright.operations.ring import RING_LIMIT
from muxwright.operations.steps import OpenFeed
from muxwright.refs import PaneRef
from muxwright.transports.cancellation import CancellationToken
from muxwright.transports.deadline import CLEANUP
from muxwright.transports.endpoint import Forks
from muxwright.transports.source import RECENT, LocalSource

__all__ = ["WakingSource", "open_feed", "pause", "receive", "wait_opened"]


class _Reader:
    """The thread, and what it waits for."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._wakeup = os.pipe()
        self._selector.register(self._wakeup[0], selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, name="muxwright-reader", daemon=True)
        self._thread.start()

    def add(self, descriptor: int, source: LocalSource) -> None:
        self._selector.register(descriptor, selectors.EVENT_READ, source)

    def remove(self, descriptor: int) -> None:
        with contextlib.suppress(KeyError):
            self._selector.unregister(descriptor)

    def _run(self) -> None:
        while True:
            for key, _ in self._selector.select():
                if key.data is None:
                    self._selector.close()
                    os.close(self._wakeup[0])
                    return
                key.data.readable(key.fd)

    def stop(self) -> None:
        """End the thread and wait until it has; called by any thread, even by itself."""
        os.close(self._wakeup[1])
        if threading.current_thread() is not self._thread:
            self._thread.join(CLEANUP)

    def forked(self) -> None:
        """Close the copies in a child, where the thread does not run."""
        self._selector.close()
        for descriptor in self._wakeup:
            with contextlib.suppress(OSError):
                os.close(descriptor)


class _Feeds:
    """All sources of this process that blocking callers read."""

    def __init__(self) -> None:
        # Re-entrant: a signal handler, or a source that is collected, may come in the middle.
        self.lock = threading.RLock()
        self.sources: dict[PaneRef, _Source] = {}
        self.closed_at: dict[PaneRef, float] = {}
        self.reader: _Reader | None = None
        self.open = 0


_feeds = _Feeds()


class WakingSource(Source):
    """A source whose readers wait in threads of their own."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.changed = threading.Condition(threading.RLock())
        self.born = Forks.count

    def wake(self) -> None:
        """Let the readers look again."""
        with self.changed:
            self.changed.notify_all()

    def check_process(self) -> None:
        """Raise `ForkedConnection` in a child of the process that opened it."""
        if self.born != Forks.count:
            raise ForkedConnection("this pane is watched by the parent process; watch it anew after fork")


class _Source(LocalSource, WakingSource):
    def __init__(self, pane: PaneRef, limit: int = RING_LIMIT) -> None:
        super().__init__(pane, limit)
        self.lock = self.changed
        self._reader: _Reader | None = None

    def start(self) -> None:
        with _feeds.lock:
            if _feeds.reader is None:
                _feeds.reader = _Reader()
            self._reader = _feeds.reader
            _feeds.open += 1
        super().start()

    def join(self) -> None:
        with _feeds.lock:
            super().join()

    def leave(self) -> None:
        with _feeds.lock:
            super().leave()

    def close(self) -> None:
        super().close()
        last: _Reader | None = None
        with _feeds.lock:
            if _feeds.sources.get(self.pane) is self:
                del _feeds.sources[self.pane]
                _feeds.closed_at[self.pane] = time.monotonic()
            if self._reader is not None:
                self._reader = None
                _feeds.open -= 1
                if not _feeds.open:
                    last, _feeds.reader = _feeds.reader, None
        if last is not None:
            last.stop()

    def _attend(self, descriptor: int) -> None:
        assert self._reader is not None, "start takes a reader first"
        self._reader.add(descriptor, self)

    def _ignore(self, descriptor: int) -> None:
        if self._reader is not None:
            self._reader.remove(descriptor)

    def _notify(self) -> None:
        self.changed.notify_all()


def open_feed(step: OpenFeed) -> Feed[PipeSource]:
    """Return a feed of the source of that pane; a fresh one has its fifos, and nobody writes to them yet."""
    with _feeds.lock:
        source = _feeds.sources.get(step.pane)
        if source is not None and not source.ended:
            source.ring.limit = max(source.ring.limit, step.keep)
            return Feed(source, fresh=False)
        source = _feeds.sources[step.pane] = _Source(step.pane, step.keep)
        recent = time.monotonic() - _feeds.closed_at.pop(step.pane, -RECENT) < RECENT
        feed = Feed(source, fresh=True, recent=recent)
    try:
        source.start()
    except BaseException:
        feed.release()
        raise
    return feed


def _wait(feed: Feed[Source], ready: Callable[[], bool], end: float, cancel: CancellationToken | None) -> bool:
    """Return whether `ready` became true in time; ``False`` when it was cancelled, too."""
    source = feed.source
    assert isinstance(source, WakingSource), "a feed is used by the driver that opened it"
    source.check_process()
    forget = None if cancel is None else cancel.wake_with(source.wake)
    try:
        with source.changed:
            while not ready():
                remaining = end - time.monotonic()
                if remaining <= 0 or (cancel is not None and cancel.cancelled):
                    return False
                source.changed.wait(remaining)
        return True
    finally:
        if forget is not None:
            forget()


def receive(feed: Feed[Source], end: float, limit: int, cancel: CancellationToken | None) -> Received | None:
    """Return what comes next, or ``None`` when nothing came in time."""
    if not _wait(feed, lambda: feed.ready, end, cancel):
        return None
    assert isinstance(feed.source, WakingSource)
    with feed.source.changed:
        return feed.take(limit)


def wait_opened(feed: Feed[Source], end: float, cancel: CancellationToken | None) -> bool:
    """Wait until the source of a feed has opened or ended."""
    source = feed.source
    return _wait(feed, lambda: source.opened or source.ended, end, cancel)


def pause(end: float, cancel: CancellationToken | None) -> None:
    """Let time pass, or end early when cancelled."""
    if cancel is None:
        time.sleep(max(end - time.monotonic(), 0))
        return
    woken = threading.Event()
    forget = cancel.wake_with(woken.set)
    try:
        woken.wait(max(end - time.monotonic(), 0))
    finally:
        forget()


def _forked() -> None:
    global _feeds
    if _feeds.reader is not None:
        _feeds.reader.forked()
    _feeds = _Feeds()


os.register_at_fork(after_in_child=_forked)
