"""Which reply belongs to which request, for as long as the connection lives.

A request that its caller gave up (deadline, cancellation, Ctrl-C) was still written, and tmux still answers it. It
stays in the ledger as a *tombstone* that takes its own reply: the next caller never gets an answer meant for another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from muxwright.wire.events import Event
from muxwright.wire.request import Request, Section, encode_control, encode_fence
from muxwright.wire.stream import MAX_LINE, MAX_REPLY, ControlStream, Expectation, NeedData, Reply

__all__ = ["Exchange", "Replied"]


class Replied(NamedTuple):
    """The reply to a request that its caller still waits for; see `Reply` for `sections` and `problem`."""

    ticket: int
    sections: tuple[Section, ...] | None
    problem: str | None


class Exchange:
    """The conversation over one control connection, without the connection.

    `submit` returns what to write; `receive_data` and `next_event` turn what was read into replies, each with the
    ticket of its request, and into events. `new_nonce` must return 128 fresh random bits as hexadecimal text.
    """

    def __init__(self, new_nonce: Callable[[], bytes], *, max_line: int = MAX_LINE, max_reply: int = MAX_REPLY) -> None:
        self._new_nonce = new_nonce
        self._stream = ControlStream(max_line=max_line, max_reply=max_reply)
        self._max_line = max_line
        self._max_reply = max_reply
        self._waiting: deque[int] = deque()
        self._abandoned: set[int] = set()
        self._next_ticket = 0

    @property
    def unanswered(self) -> int:
        """Requests without their reply yet, the abandoned ones included."""
        return len(self._waiting)

    def submit(self, request: Request) -> tuple[int, bytes]:
        """Return a ticket and the bytes to write.

        Raises `LocalProtocolError` when an argument cannot be written; nothing is recorded then.
        """
        nonce = self._new_nonce()
        data = encode_control(request, nonce)
        guarded = tuple([command.guard is not None for command in request.commands])
        self._stream.expect(Expectation(nonce, guarded, min(request.limit, self._max_reply)))
        ticket = self._next_ticket
        self._next_ticket += 1
        self._waiting.append(ticket)
        return ticket, data

    def abandon(self, ticket: int) -> None:
        """Give up a request: its reply will be taken and dropped. A request that was answered is left alone."""
        if ticket in self._waiting:
            self._abandoned.add(ticket)

    def withdraw(self, ticket: int) -> None:
        """Take back the newest request, of which nothing was written."""
        if self._waiting and self._waiting[-1] == ticket:
            self._waiting.pop()
            self._stream.unexpect()

    def resynchronise(self) -> bytes:
        """Forget every request and everything received; return what to write so that the next reply is known again.

        For a caller that was interrupted (Ctrl-C) at an unknown point of the conversation.
        """
        nonce = self._new_nonce()
        self._stream = ControlStream(max_line=self._max_line, max_reply=self._max_reply)
        self._stream.skip_to(nonce)
        self._waiting.clear()
        self._abandoned.clear()
        return encode_fence(nonce)

    def receive_data(self, data: bytes) -> None:
        """Take bytes as they were read."""
        self._stream.receive_data(data)

    def next_event(self) -> Event | Replied | NeedData:
        """Return the next reply or event, or `NEED_DATA`; raises `RemoteProtocolError` as `ControlStream` does."""
        while True:
            event = self._stream.next_event()
            if not isinstance(event, Reply):
                return event
            ticket = self._waiting.popleft()
            if ticket in self._abandoned:
                self._abandoned.remove(ticket)
                continue
            return Replied(ticket, event.sections, event.problem)
