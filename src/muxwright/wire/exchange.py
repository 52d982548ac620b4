"""Which reply belongs to which request, for as long as the connection lives.

A request that its caller gave up was still written, and tmux still answers it. It stays in the ledger as a *tombstone*
that takes its own reply (`abandon`), or the conversation starts anew after a fence (`resynchronise`): the next caller
never gets an answer meant for another.
"""

from __future__ import annotations

from collections.abc import Callable

from muxwright.wire.events import Event
from muxwright.wire.request import Request, encode_control, encode_fence
from muxwright.wire.stream import MAX_LINE, MAX_REPLY, ControlStream, Expectation, NeedData, Reply

__all__ = ["Exchange"]

_make = tuple.__new__


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
        self._abandoned: set[bytes] = set()

    @property
    def unanswered(self) -> int:
        """Requests without their reply yet, the abandoned ones included."""
        return len(self._stream.expected)

    def submit(self, request: Request) -> tuple[bytes, bytes]:
        """Return the request's ticket (its nonce) and the bytes to write.

        Raises `LocalProtocolError` when an argument cannot be written; nothing is recorded then.
        """
        nonce = self._new_nonce()
        data = encode_control(request, nonce)
        commands, limit, _ = request
        guarded = (commands[0][1] is not None,) if len(commands) == 1 else tuple([c[1] is not None for c in commands])
        if limit > self._max_reply:
            limit = self._max_reply
        # A NamedTuple's own constructor takes twice as long, and this runs once a call.
        self._stream.expected.append(_make(Expectation, (nonce, guarded, limit)))
        return nonce, data

    def abandon(self, ticket: bytes) -> None:
        """Give up a request: its reply will be taken and dropped. A request that was answered is left alone."""
        if any(expected.nonce == ticket for expected in self._stream.expected):
            self._abandoned.add(ticket)

    def resynchronise(self) -> bytes:
        """Forget every request and everything received; return what to write so that the next reply is known again.

        For a caller that left off (Ctrl-C, a deadline) at an unknown point of the conversation.
        """
        nonce = self._new_nonce()
        self._stream = ControlStream(max_line=self._max_line, max_reply=self._max_reply)
        self._stream.skip_to(nonce)
        self._abandoned.clear()
        return encode_fence(nonce)

    def receive_data(self, data: bytes) -> None:
        """Take bytes as they were read."""
        self._stream.receive_data(data)

    def next_event(self) -> Event | Reply | NeedData:
        """Return the next reply or event, or `NEED_DATA`; raises `RemoteProtocolError` as `ControlStream` does."""
        event = self._stream.next_event()
        while self._abandoned and isinstance(event, Reply) and event.ticket in self._abandoned:
            self._abandoned.remove(event.ticket)
            event = self._stream.next_event()
        return event
