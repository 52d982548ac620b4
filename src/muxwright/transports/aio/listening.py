"""Control clients that are listened to, under asyncio: the loop reads them anyway."""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from typing import Any

from muxwright.operations.feed import Feed, Source
from muxwright.operations.steps import Ask, OpenClient
from muxwright.transports.aio.control import AsyncControlTransport
from muxwright.transports.aio.feeds import WakingSource
from muxwright.transports.client_source import ClientKey, ClientSource, client_key
from muxwright.transports.deadline import Deadline
from muxwright.transports.endpoint import Endpoint, Forks, new_token
from muxwright.wire.events import Event
from muxwright.wire.request import Section

__all__ = ["ask", "end", "open_client"]


class _Listened(AsyncControlTransport):
    """A connection whose events go to a source."""

    source: _ClientSource | None = None

    def _note(self, event: Event) -> None:
        super()._note(event)
        if self.source is not None and self.source.take_event(event):
            self.source.notify()

    def _end(self, reason: str) -> None:
        super()._end(reason)
        if self.source is not None:
            self.source.ended = True
            self.source.notify()

    def discard(self) -> None:
        """Close it without the loop."""
        self._client.discard()


class _Outputs(_Listened):
    takes_output = True


_loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[ClientKey, _ClientSource]]
_loops = weakref.WeakKeyDictionary()


class _ClientSource(ClientSource, WakingSource):
    def __init__(self, key: ClientKey, transport: _Listened, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.transport = transport
        self._key = key
        self.closing: asyncio.Task[None] | None = None

    def close(self) -> None:
        """Begin to close; where the loop is gone, at once."""
        if self.closing is not None:
            return
        if (sources := _loops.get(self._loop, {})).get(self._key) is self:
            del sources[self._key]
        with contextlib.suppress(RuntimeError):
            self.closing = self._loop.create_task(self.transport.aclose())
            return
        self.transport.discard()


async def open_client(step: OpenClient, endpoint: Endpoint, deadline: Deadline) -> Feed[Source]:
    """Attach a client and listen to it, or to the one that is attached."""
    sources = _loops.setdefault(asyncio.get_running_loop(), {})
    key = client_key(step, endpoint)
    source = sources.get(key)
    if source is not None and not source.ended and source.born == Forks.count:
        return Feed[Source](source, fresh=False)
    kind = _Listened if step.pane is None else _Outputs
    transport = await kind.open(endpoint, step.session, step.server, deadline)
    assert isinstance(transport, _Listened)
    source = _ClientSource(key, transport, None if step.pane is None else step.pane.id, new_token(), step.keep)
    transport.source = sources[key] = source
    return Feed[Source](source, fresh=True)


async def ask(step: Ask, deadline: Deadline) -> tuple[Section, ...]:
    """Run a request over the client of a feed."""
    assert isinstance(step.feed.source, _ClientSource)
    return await step.feed.source.transport.execute(step.request, deadline)


async def end(feed: Feed[Source]) -> None:
    """Release a feed; its client is gone afterwards."""
    source = feed.source
    assert isinstance(source, _ClientSource)
    feed.release()
    if source.closing is not None:
        await asyncio.shield(source.closing)
