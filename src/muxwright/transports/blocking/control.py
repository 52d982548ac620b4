"""One persistent control connection, blocking, without a thread.

A call writes its request and reads until its own reply is there. Ctrl-C may strike between any two instructions, so
after a call that ended in any other way (a deadline too) nothing of the conversation's state is trusted: the next call
first writes a fence of its own and drops everything before it. Only what the lock's state is and how much was written
has to be known exactly, hence the odd lines in `execute` and `_write`.
"""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Sequence

from muxwright.errors import (
    AttachFailed,
    ConnectionBusy,
    ConnectionClosed,
    ConnectionLost,
    DeadlineExceeded,
    Effects,
    ForkedConnection,
    MuxwrightError,
    ProtocolError,
)
from muxwright.operations.steps import Outcome, Place, Wave
from muxwright.refs import Generation, SessionId
from muxwright.transports.blocking.transport import Transport
from muxwright.transports.control import CHUNK, Client, Opening, exit_reason, lost, reply_sections
from muxwright.transports.deadline import CLEANUP, Deadline
from muxwright.transports.endpoint import Endpoint, Forks, new_nonce, new_token
from muxwright.wire.events import Event
from muxwright.wire.exchange import Exchange
from muxwright.wire.request import Request, Section
from muxwright.wire.stream import NeedData, Reply
from muxwright.wire.versions import TmuxVersion

__all__ = ["ControlTransport"]


_TICK = struct.pack("ll", 0, 50_000)  # a struct timeval: 50 ms between two looks at the clock
_DONT_WAIT = (socket.MSG_DONTWAIT,)
_WAIT = (True,)


_Writing = tuple[bytes, int, list[int]]
"""What is being written: the data, how much of it is an earlier request's, and the size of each write so far."""


def _begun(writing: _Writing) -> bool:
    """Whether tmux has a part of the newest request."""
    _, old, sizes = writing
    return sum(sizes) > old


def _remainder(writing: _Writing) -> bytes:
    """Return what must be written before anything else: the rest of what tmux already has a part of."""
    data, old, sizes = writing
    return data[sum(sizes) : len(data) if _begun(writing) else old]


class ControlTransport(Transport):
    """An attached control client. Use it from any thread; calls take turns."""

    takes_output = False

    def __init__(self, endpoint: Endpoint, client: Client, server: tuple[Generation, TmuxVersion]) -> None:
        generation, version = server
        pid = client.process.pid
        self.endpoint = endpoint
        self.place = Place(endpoint.socket_path, time.monotonic, new_token, generation, version, pid)
        self._exchange = Exchange(new_nonce)
        # Re-entrant, so that a signal handler which calls us is told so instead of waiting for itself.
        self._lock = threading.RLock()
        self._active = False
        self._current: Request | None = None
        self._lost: str | None = None
        self._exit_reason: str | None = None
        self._closed = False
        # Whether a call may have left something unwritten or unread behind.
        self._unsettled = False
        self._writing: _Writing | None = None
        # The replies to the call whose turn it is, as far as they have come.
        self._replies: list[Reply] = []
        self._client = client
        self._socket = self._client.socket
        self._socket.setblocking(True)
        # The kernel waits, but not for long at a time: one system call instead of two for a reply that comes at once.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _TICK)

    @classmethod
    def open(
        cls, endpoint: Endpoint, session: SessionId, server: tuple[Generation, TmuxVersion], deadline: Deadline
    ) -> ControlTransport:
        """Attach a client to `session` and wait until tmux says that it is."""
        client = Client(endpoint, session, cls.takes_output)
        try:
            transport = cls(endpoint, client, server)
            transport._open(deadline)
        except BaseException:
            client.close()
            raise
        return transport

    def _open(self, deadline: Deadline) -> None:
        opening = Opening()
        while not opening.done:
            event = self._exchange.next_event()
            if isinstance(event, NeedData):
                try:
                    self._receive(deadline)
                except DeadlineExceeded as error:
                    raise AttachFailed("the tmux server accepted the connection but does not answer") from error
                except ConnectionLost as error:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        self._client.process.wait(CLEANUP)
                    said = self._client.stderr().decode(errors="replace").strip()
                    problem = opening.problem or said or error.reason
                    raise AttachFailed(f"the control client could not attach: {problem}") from None
            elif not isinstance(event, Reply):
                opening.event(event)

    def execute(self, request: Request, deadline: Deadline) -> tuple[Section, ...]:
        """Return the sections of one request."""
        (reply,) = self._converse((request,), deadline)
        return reply_sections(reply, request)

    def execute_wave(self, wave: Wave, deadline: Deadline) -> list[Outcome]:
        """Return the outcome of each request; as many as the wave allows at a time leave in one write."""
        outcomes: list[Outcome] = []
        for start in range(0, len(wave.requests), wave.concurrency):
            requests = wave.requests[start : start + wave.concurrency]
            try:
                replies = self._converse(requests, deadline)
            except MuxwrightError as error:
                # Which of them were answered is lost with the turn; none is sent again.
                outcomes += [error] * len(requests)
                continue
            for reply, request in zip(replies, requests, strict=True):
                try:
                    outcomes.append(reply_sections(reply, request))
                except MuxwrightError as error:
                    outcomes.append(error)
        return outcomes

    def _converse(self, requests: Sequence[Request], deadline: Deadline) -> list[Reply]:
        """Write requests together and return their replies."""
        request = requests[0]
        if self._client.born != Forks.count:
            raise ForkedConnection("this connection belongs to the parent process; open one of your own after fork")
        held: list[bool] = []
        try:
            while not (held and held[-1]):
                if not (patience := deadline.patience()):
                    raise deadline.exceeded(request.name, "none")
                # Called from C, so that Ctrl-C cannot come between the taking of the lock and the note of it.
                held.extend(map(self._lock.acquire, _WAIT, (patience,)))
            return self._take_turn(requests, deadline)
        finally:
            if held and held[-1]:
                self._lock.release()

    def _take_turn(self, requests: Sequence[Request], deadline: Deadline) -> list[Reply]:
        request = requests[0]
        if self._active:
            raise ConnectionBusy(
                "a signal handler cannot use the connection whose call it interrupts; use another one there",
                command=request.name,
            )
        if self._closed or self._lost is not None:
            raise self._over(request.name, "none")
        try:
            self._active = True
            fence = self._exchange.resynchronise() if self._unsettled else b""
            self._unsettled = True
            self._current = request
            self._replies = []
            if len(requests) == 1:
                ticket, data = self._exchange.submit(request)
            else:
                submitted = [self._exchange.submit(request) for request in requests]
                ticket, data = submitted[-1][0], b"".join([data for _, data in submitted])
            self._write(fence + data if fence else data, deadline)
            replies = self._await(ticket, deadline)
            self._unsettled = False
        finally:
            self._active = False
        return replies

    def _over(self, command: str, effects: Effects) -> MuxwrightError:
        if self._closed:
            what = "was closed while the call was waiting" if effects == "possible" else "was closed"
            return ConnectionClosed(
                f"this connection {what}; open a new one with server.connect()", effects=effects, command=command
            )
        return lost(self._lost or "unknown", effects, command)

    @property
    def _command(self) -> str:
        """What is being done, for messages."""
        return "attach-session" if self._current is None else self._current.name

    def _write(self, data: bytes, deadline: Deadline) -> None:
        """Write everything, after what an earlier call began to write and could not finish."""
        rest = _remainder(self._writing) if self._writing is not None else b""
        sizes: list[int] = []
        pending = rest + data if rest else data
        self._writing = writing = (pending, len(rest), sizes)
        while pending:
            try:
                # Called from C, so that Ctrl-C cannot come between the write and the note of its size.
                sizes.extend(map(self._socket.send, (pending,), _DONT_WAIT))
            except BlockingIOError:
                if not self._writable(deadline):
                    raise deadline.exceeded(self._command, "possible" if _begun(writing) else "none") from None
            except OSError as error:
                self._lose(f"the connection broke while writing ({error.strerror})")
                raise self._over(self._command, "possible") from None
            else:
                pending = pending[sizes[-1] :]
        self._writing = None

    def _writable(self, deadline: Deadline) -> bool:
        """Wait until the socket takes more, reading meanwhile so that neither side waits for the other."""
        if self._closed:  # by a signal handler; the next write says so
            return True
        poll = select.poll()
        poll.register(self._socket, select.POLLIN | select.POLLOUT)
        while patience := deadline.patience():
            for _, events in poll.poll(patience * 1000 + 1):
                if events & select.POLLIN:
                    self._receive(deadline)
                    self._take_replies()
                if events & (select.POLLOUT | select.POLLERR | select.POLLHUP | select.POLLNVAL):
                    return True
        return False

    def _await(self, ticket: bytes, deadline: Deadline) -> list[Reply]:
        """Return the replies up to the one with `ticket`; tmux answers in the order of the requests."""
        while True:
            # Read first: the reply to what was just written cannot be here yet.
            self._receive(deadline)
            if self._take_replies(ticket):
                return self._replies
            if deadline.remaining() <= 0:  # notifications may arrive for ever
                raise deadline.exceeded(self._command, "possible")

    def _take_replies(self, last: bytes | None = None) -> bool:
        """Take what has been received, up to the reply with the ticket `last`; return whether it was there.

        Replies are kept for the call whose turn it is. What came after the last one waits for the next call.
        """
        next_event = self._exchange.next_event
        try:
            while not isinstance(event := next_event(), NeedData):
                if isinstance(event, Reply):
                    self._replies.append(event)
                    if event.ticket == last:
                        return True
                else:
                    self._note(event)
        except ProtocolError as error:
            self._lose(str(error))
            raise self._over(self._command, "possible") from error
        return False

    def _note(self, event: Event) -> None:
        """Take an event that is no reply."""
        if (reason := exit_reason(event)) is not None:
            self._exit_reason = reason

    def _receive(self, deadline: Deadline) -> None:
        """Take what arrives next; raises when the deadline passes first or the connection has ended."""
        data: bytes | None = None
        while data is None:
            try:
                data = self._socket.recv(CHUNK)
            except BlockingIOError:
                if deadline.remaining() <= 0:
                    raise deadline.exceeded(self._command, "possible") from None
            except OSError:
                data = b""
        if not data:
            self._lose("tmux closed the connection")
            raise self._over(self._command, "possible")
        self._exchange.receive_data(data)

    def _lose(self, reason: str) -> None:
        self._lost = self._exit_reason or reason
        self._client.hang_up()

    def close(self) -> None:
        """Detach and collect the client process; idempotent. In a forked child only the copy is closed.

        A call of another thread that waits gets `ConnectionClosed`.
        """
        self._closed = True
        self._client.close()
