"""One persistent control connection, blocking, without a thread.

A call writes its request and reads until its own reply is there. A deadline leaves a tombstone, which takes the late
reply. Ctrl-C may strike between any two instructions, so after it nothing of the conversation's state is trusted: the
next call first writes a fence of its own and drops everything before it. Only how much was written has to be known
exactly, hence the one odd line in `_write`.
"""

from __future__ import annotations

import contextlib
import os
import select
import threading
import time
from typing import NamedTuple

from muxwright.errors import (
    AttachFailed,
    ConnectionClosed,
    ConnectionLost,
    DeadlineExceeded,
    ForkedConnection,
    MuxwrightError,
    ProtocolError,
)
from muxwright.operations.steps import Place
from muxwright.refs import Generation, SessionId
from muxwright.transports.blocking.transport import Transport
from muxwright.transports.control import CHUNK, Client, Opening, exit_reason, lost, reply_sections
from muxwright.transports.deadline import CLEANUP, Deadline
from muxwright.transports.endpoint import Endpoint, new_nonce, new_token
from muxwright.wire.exchange import Exchange, Replied
from muxwright.wire.request import Request, Section
from muxwright.wire.stream import NeedData
from muxwright.wire.versions import TmuxVersion

__all__ = ["ControlTransport"]


class _Writing(NamedTuple):
    """What is being written: the first `old` bytes are an earlier request's; `sizes` of the writes so far."""

    data: bytes
    old: int
    sizes: list[int]

    def written(self) -> int:
        return sum(self.sizes)

    def pending(self) -> bytes:
        return self.data[self.written() :]

    def begun(self) -> bool:
        """Whether tmux has a part of the newest request."""
        return self.written() > self.old


class ControlTransport(Transport):
    """An attached control client. Use it from any thread; calls take turns."""

    def __init__(self, endpoint: Endpoint, client: Client, server: tuple[Generation, TmuxVersion]) -> None:
        generation, version = server
        self.place = Place(endpoint.socket_path, time.monotonic, new_token, generation, version)
        self._exchange = Exchange(new_nonce)
        # Re-entrant: a signal handler may call us while a call is waiting.
        self._lock = threading.RLock()
        self._lost: str | None = None
        self._exit_reason: str | None = None
        self._closed = False
        self._interrupted = False
        self._writing = _Writing(b"", 0, [])
        self._replies: dict[int, Replied] = {}
        self._client = client
        self._socket = self._client.socket
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)

    @classmethod
    def open(
        cls, endpoint: Endpoint, session: SessionId, server: tuple[Generation, TmuxVersion], deadline: Deadline
    ) -> ControlTransport:
        """Attach a client to `session` and wait until tmux says that it is."""
        client = Client(endpoint, session)
        transport = cls(endpoint, client, server)
        try:
            transport._open(deadline)
        except BaseException:
            transport.close()
            raise
        return transport

    @property
    def client_pid(self) -> int:
        """The process id of the attached client, as ``list-clients`` shows it."""
        return self._client.process.pid

    def _open(self, deadline: Deadline) -> None:
        opening = Opening()
        while not opening.done:
            event = self._exchange.next_event()
            if isinstance(event, NeedData):
                try:
                    self._receive(deadline, "attach-session")
                except DeadlineExceeded as error:
                    raise AttachFailed("the tmux server accepted the connection but does not answer") from error
                except ConnectionLost as error:
                    self._client.process.wait(CLEANUP)
                    said = self._client.stderr().decode(errors="replace").strip()
                    problem = opening.problem or said or error.reason
                    raise AttachFailed(f"the control client could not attach: {problem}") from None
            elif not isinstance(event, Replied):
                opening.event(event)

    def execute(self, request: Request, deadline: Deadline) -> tuple[Section, ...]:
        """Return the sections of one request."""
        if self._client.owner != os.getpid():
            raise ForkedConnection("this connection belongs to the parent process; open one of your own after fork")
        if not self._lock.acquire(timeout=max(deadline.remaining(), 0)):
            raise deadline.exceeded(request.name, "none")
        try:
            self._check(request)
            if deadline.remaining() <= 0:
                raise deadline.exceeded(request.name, "none")
            return self._execute(request, deadline)
        except MuxwrightError:
            raise
        except BaseException:
            self._interrupted = True
            raise
        finally:
            self._lock.release()

    def _check(self, request: Request) -> None:
        if self._closed:
            raise ConnectionClosed("this connection was closed; open a new one with server.connect()")
        if self._lost is not None:
            raise lost(self._lost, "none", request.name)

    def _execute(self, request: Request, deadline: Deadline) -> tuple[Section, ...]:
        fence = self._exchange.resynchronise() if self._interrupted else b""
        ticket, data = self._exchange.submit(request)
        try:
            self._write(fence + data, deadline, request.name)
            self._interrupted = False
            return reply_sections(self._await(ticket, deadline, request.name), request)
        except DeadlineExceeded as error:
            if error.effects == "none":
                self._exchange.withdraw(ticket)
            else:
                self._exchange.abandon(ticket)
            raise

    def _write(self, data: bytes, deadline: Deadline, command: str) -> None:
        """Write everything, after what an earlier call began to write and could not finish."""
        rest = self._remainder()
        self._writing = writing = _Writing(rest + data, len(rest), [])
        while pending := writing.pending():
            try:
                # Called from C, so that Ctrl-C cannot come between the write and the note of its size.
                writing.sizes.extend(map(self._socket.send, (pending,)))
            except BlockingIOError:
                if not self._writable(deadline):
                    raise deadline.exceeded(command, "possible" if writing.begun() else "none") from None
            except OSError as error:
                self._lose(f"the connection broke while writing ({error.strerror})")
                raise lost(self._reason(), "possible", command) from None

    def _remainder(self) -> bytes:
        """What must be written before anything else: the rest of a request that tmux already has a part of."""
        writing = self._writing
        return writing.pending() if writing.begun() else writing.pending()[: max(writing.old - writing.written(), 0)]

    def _writable(self, deadline: Deadline) -> bool:
        """Wait until the socket takes more, reading meanwhile so that neither side waits for the other."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN | select.POLLOUT)
        while (remaining := deadline.remaining()) > 0:
            for _, events in poll.poll(remaining * 1000 + 1):
                if events & select.POLLIN:
                    self._read()
                if events & (select.POLLOUT | select.POLLERR | select.POLLHUP):
                    return True
        return False

    def _await(self, ticket: int, deadline: Deadline, command: str) -> Replied:
        next_event = self._exchange.next_event
        while True:
            if self._replies and ticket in self._replies:
                return self._replies.pop(ticket)
            try:
                event = next_event()
            except ProtocolError as error:
                self._lose(str(error))
                raise lost(self._reason(), "possible", command) from error
            if isinstance(event, NeedData):
                self._receive(deadline, command)
            elif isinstance(event, Replied):
                if event.ticket == ticket:
                    return event
                self._replies[event.ticket] = event
            elif (reason := exit_reason(event)) is not None:
                self._exit_reason = reason

    def _receive(self, deadline: Deadline, command: str) -> None:
        remaining = deadline.remaining()
        if remaining <= 0 or not self._poll.poll(remaining * 1000 + 1):
            raise deadline.exceeded(command, "possible")
        if not self._read():
            self._lose(self._exit_reason or "tmux closed the connection")
            raise lost(self._reason(), "possible", command)

    def _read(self) -> bool:
        """Take what has arrived; return whether the connection is still open."""
        try:
            data = self._socket.recv(CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._exchange.receive_data(data)
        return bool(data)

    def _lose(self, reason: str) -> None:
        self._lost = self._exit_reason or reason
        self._client.hang_up()

    def _reason(self) -> str:
        return self._lost or "unknown"

    def close(self) -> None:
        """Detach and collect the client process; idempotent. In a forked child only the copy is closed."""
        if self._closed:
            return
        self._closed = True
        if self._client.owner != os.getpid():
            self._socket.close()
            return
        self._client.hang_up()
        deadline = time.monotonic() + CLEANUP
        with contextlib.suppress(Exception):
            self._client.process.wait(max(deadline - time.monotonic(), 0))
        self._client.reap(kill=True)
