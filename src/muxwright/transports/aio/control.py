"""One persistent control connection under asyncio: any number of calls in flight, each with its own deadline.

Requests made in one turn of the loop leave in one write. A call that is cancelled or too late leaves a tombstone, which
takes the late reply; the connection goes on.
"""

from __future__ import annotations

import asyncio
import time

from muxwright.errors import (
    AttachFailed,
    ConnectionClosed,
    ConnectionLost,
    ForkedConnection,
    MuxwrightError,
    ProtocolError,
)
from muxwright.operations.steps import Place
from muxwright.refs import Generation, SessionId
from muxwright.transports.aio.heed import heeding
from muxwright.transports.aio.transport import AsyncTransport
from muxwright.transports.control import Client, Opening, exit_reason, lost, reply_sections
from muxwright.transports.deadline import CLEANUP, Deadline
from muxwright.transports.endpoint import Endpoint, Forks, new_nonce, new_token
from muxwright.wire.events import Event
from muxwright.wire.exchange import Exchange
from muxwright.wire.request import Request, Section
from muxwright.wire.stream import NeedData, Reply
from muxwright.wire.versions import TmuxVersion

__all__ = ["AsyncControlTransport"]

_TICK = 0.002
_BURST = 64  # requests after which writing no longer waits for the end of the loop's turn: tmux can begin

Waiter = asyncio.Future[Reply]


class _TooLate(Exception):
    """A call's deadline has passed, or its token was cancelled."""


def _give_up(waiter: Waiter) -> None:
    if not waiter.done():
        waiter.set_exception(_TooLate)


class AsyncControlTransport(AsyncTransport, asyncio.Protocol):
    """An attached control client. Use it from the loop it was opened in."""

    takes_output = False

    def __init__(self, endpoint: Endpoint, client: Client, server: tuple[Generation, TmuxVersion]) -> None:
        generation, version = server
        pid = client.process.pid
        self.endpoint = endpoint
        self.place = Place(endpoint.socket_path, time.monotonic, new_token, generation, version, pid)
        client.socket.setblocking(False)
        self._client = client
        self._exchange = Exchange(new_nonce)
        self._opening = Opening()
        self._loop = asyncio.get_running_loop()
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self._waiters: dict[bytes, Waiter] = {}
        # One timer for all calls: a timer for each would cost more than anything else in a call.
        self._deadlines: dict[bytes, Deadline] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._outgoing: list[bytes] = []
        self._writable = asyncio.Event()
        self._writable.set()
        self._transport: asyncio.Transport | None = None
        self._lost: str | None = None
        self._exit_reason: str | None = None
        self._closed = False

    @classmethod
    async def open(
        cls, endpoint: Endpoint, session: SessionId, server: tuple[Generation, TmuxVersion], deadline: Deadline
    ) -> AsyncControlTransport:
        """Attach a client to `session` and wait until tmux says that it is."""
        client = Client(endpoint, session, cls.takes_output)
        transport = cls(endpoint, client, server)
        try:
            async with asyncio.timeout(max(deadline.remaining(), 0)) as timer:
                with heeding(deadline.cancel, lambda: timer.reschedule(0)):
                    await transport._loop.create_connection(lambda: transport, sock=client.socket)
                    await transport._opened
        except TimeoutError:
            await transport.aclose()
            if deadline.cancelled:
                raise deadline.exceeded("attach-session", "possible") from None
            raise AttachFailed("the tmux server accepted the connection but does not answer") from None
        except BaseException:
            await transport.aclose()
            raise
        return transport

    # --- calls ---

    async def execute(self, request: Request, deadline: Deadline) -> tuple[Section, ...]:
        """Return the sections of one request."""
        self._check(request)
        if not self._writable.is_set():
            await self._flow(request, deadline)
        if deadline.remaining() <= 0:
            raise deadline.exceeded(request.name, "none")
        ticket, data = self._exchange.submit(request)
        waiter: Waiter = self._loop.create_future()
        self._waiters[ticket] = waiter
        if not self._outgoing:
            self._loop.call_soon(self._flush)
        self._outgoing.append(data)
        if len(self._outgoing) >= _BURST:
            self._flush()
        self._deadlines[ticket] = deadline
        if self._timer is None or deadline.at < self._timer.when():
            self._set_timer(deadline.at)
        try:
            if deadline.cancel is None:
                reply = await waiter
            else:
                with heeding(deadline.cancel, lambda: _give_up(waiter)):
                    reply = await waiter
        except _TooLate:
            raise deadline.exceeded(request.name, "possible") from None
        finally:
            del self._deadlines[ticket]
            if self._waiters.pop(ticket, None) is not None:
                self._exchange.abandon(ticket)
        return reply_sections(reply, request)

    def _set_timer(self, at: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(at, self._expire)

    def _expire(self) -> None:
        """Tell the calls that are too late, and wait for the next deadline."""
        self._timer = None
        now = time.monotonic()
        for ticket, deadline in self._deadlines.items():
            if deadline.at <= now and (waiter := self._waiters.get(ticket)) is not None:
                _give_up(waiter)
        coming = [deadline.at for deadline in self._deadlines.values() if deadline.at > now]
        if coming:
            self._set_timer(min(coming))

    def _check(self, request: Request) -> None:
        if self._client.born != Forks.count:
            raise ForkedConnection("this connection belongs to the parent process; open one of your own after fork")
        if self._closed:
            raise ConnectionClosed("this connection was closed; open a new one with server.connect()")
        if self._lost is not None:
            raise lost(self._lost, "none", request.name)

    async def _flow(self, request: Request, deadline: Deadline) -> None:
        """Wait until tmux has taken what was written before."""
        try:
            async with asyncio.timeout_at(deadline.at) as timer:
                with heeding(deadline.cancel, lambda: timer.reschedule(0)):
                    await self._writable.wait()
        except TimeoutError:
            raise deadline.exceeded(request.name, "none") from None
        self._check(request)

    def _flush(self) -> None:
        data = b"".join(self._outgoing)
        self._outgoing.clear()
        if self._transport is not None and data:
            self._transport.write(data)

    # --- asyncio.Protocol ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._exchange.receive_data(data)
        next_event = self._exchange.next_event
        try:
            while True:
                event = next_event()
                if isinstance(event, Reply):
                    waiter = self._waiters.pop(event.ticket, None)
                    if waiter is not None and not waiter.done():
                        waiter.set_result(event)
                elif isinstance(event, NeedData):
                    return
                elif not self._opening.done:
                    self._attach(event)
                else:
                    self._note(event)
        except ProtocolError as error:
            self._lose(str(error))

    def _note(self, event: Event) -> None:
        """Take an event that is no reply."""
        if (reason := exit_reason(event)) is not None:
            self._exit_reason = reason

    def _attach(self, event: object) -> None:
        self._opening.event(event)  # type: ignore[arg-type]  # replies and NEED_DATA were handled by the caller
        if self._opening.done and not self._opened.done():
            self._opened.set_result(None)

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def connection_lost(self, error: Exception | None) -> None:
        self._lose(f"the connection broke ({error})" if error else "tmux closed the connection")

    def _lose(self, reason: str) -> None:
        if self._transport is not None:
            self._transport.abort()
        self._end(reason)

    def _end(self, reason: str) -> None:
        """Give every call that waits its error."""
        if self._lost is None:
            self._lost = self._exit_reason or reason
        if self._timer is not None:
            self._timer.cancel()
        self._writable.set()
        if not self._opened.done():
            self._opened.set_exception(self._attach_error())
        failure: type[MuxwrightError] = ConnectionClosed if self._closed else ConnectionLost
        for waiter in self._waiters.values():
            if not waiter.done():
                waiter.set_exception(
                    ConnectionClosed("the connection was closed while the call was waiting", effects="possible")
                    if failure is ConnectionClosed
                    else lost(self._lost, "possible")
                )
        self._waiters.clear()

    def _attach_error(self) -> AttachFailed:
        said = self._client.stderr().decode(errors="replace").strip()
        return AttachFailed(f"the control client could not attach: {self._opening.problem or said or self._lost}")

    # --- end ---

    async def aclose(self) -> None:
        """Detach and collect the client process; idempotent. In a forked child only the copy is closed."""
        if self._closed:
            return
        self._closed = True
        if self._client.born != Forks.count:
            self._client.discard()
            return
        if self._lost is None:
            self._end("closed by its owner")
        if self._opened.done() and not self._opened.cancelled():
            # Nobody waits for it any more: an attach that failed was reported where it was awaited.
            self._opened.exception()
        if self._transport is None or self._transport.is_closing():
            self._client.hang_up()
        else:
            # Only our half: tmux lets no client go that has something unread, and the loop goes on reading.
            self._transport.write_eof()
        deadline = time.monotonic() + CLEANUP
        try:
            while self._client.process.poll() is None and time.monotonic() < deadline:
                await asyncio.sleep(_TICK)
        finally:
            if self._transport is not None:
                self._transport.abort()
            self._client.discard()
