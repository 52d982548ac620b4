"""Control clients that are listened to, for blocking callers: a thread for each reads what comes between the calls."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
from typing import Any

from muxwright.errors import ConnectionLost
from muxwright.operations.feed import Feed, Source
from muxwright.operations.steps import Ask, OpenClient
from muxwright.transports.blocking.control import ControlTransport
from muxwright.transports.blocking.feeds import WakingSource
from muxwright.transports.client_source import ClientKey, ClientSource, client_key
from muxwright.transports.control import CHUNK
from muxwright.transports.deadline import CLEANUP, Deadline
from muxwright.transports.endpoint import Endpoint, Forks, new_token
from muxwright.wire.events import Event
from muxwright.wire.request import Section

__all__ = ["ask", "end", "open_client"]


class _Listened(ControlTransport):
    """A connection whose events go to a source."""

    _source: _ClientSource | None = None

    def listen(self, source: _ClientSource) -> None:
        """Give the source what comes from now on."""
        self._source = source
        self._thread = threading.Thread(target=self._run, name="muxwright-listener", daemon=True)
        self._thread.start()

    def _note(self, event: Event) -> None:
        super()._note(event)
        if self._source is not None:
            self._source.hear(event)

    def _run(self) -> None:
        assert self._source is not None
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        with contextlib.suppress(ConnectionLost, OSError, ValueError):  # lost, or closed under our feet
            while not self._closed:
                if poll.poll(1000):
                    # A call that waits for its reply reads for itself, and hears for us.
                    with self._lock:
                        self._hear()
        self._source.finish()

    def _hear(self) -> None:
        with contextlib.suppress(BlockingIOError):
            data = self._socket.recv(CHUNK, socket.MSG_DONTWAIT)
            if not data:
                self._lose("tmux closed the connection")
                raise ConnectionLost(self._lost or "")
            self._exchange.receive_data(data)
            self._take_replies()

    def close(self) -> None:
        super().close()
        if threading.current_thread() is not self._thread:
            self._thread.join(CLEANUP)


class _Outputs(_Listened):
    takes_output = True


_lock = threading.RLock()
_sources: dict[ClientKey, _ClientSource] = {}


class _ClientSource(ClientSource, WakingSource):
    def __init__(self, key: ClientKey, transport: _Listened, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.transport = transport
        self._key = key

    def join(self) -> None:
        with _lock:
            super().join()

    def leave(self) -> None:
        with _lock:
            super().leave()

    def hear(self, event: Event) -> None:
        with self.changed:
            if self.take_event(event):
                self.changed.notify_all()

    def finish(self) -> None:
        """Note that nothing more comes."""
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def close(self) -> None:
        if _sources.get(self._key) is self:
            del _sources[self._key]
        self.transport.close()


def open_client(step: OpenClient, endpoint: Endpoint, deadline: Deadline) -> Feed[Source]:
    """Attach a client and listen to it, or to the one that is attached."""
    key = client_key(step, endpoint)
    with _lock:
        source = _sources.get(key)
        if source is not None and not source.ended and source.born == Forks.count:
            return Feed[Source](source, fresh=False)
    kind = _Listened if step.pane is None else _Outputs
    transport = kind.open(endpoint, step.session, step.server, deadline)
    assert isinstance(transport, _Listened)
    try:
        source = _ClientSource(key, transport, None if step.pane is None else step.pane.id, new_token(), step.keep)
        transport.listen(source)
        with _lock:
            _sources[key] = source
            return Feed[Source](source, fresh=True)
    except BaseException:
        ControlTransport.close(transport)
        raise


def ask(step: Ask, deadline: Deadline) -> tuple[Section, ...]:
    """Run a request over the client of a feed."""
    assert isinstance(step.feed.source, _ClientSource)
    return step.feed.source.transport.execute(step.request, deadline)


def end(feed: Feed[Source]) -> None:
    """Release a feed; its client is gone afterwards."""
    feed.release()
