"""The control-mode parser: bytes in, events out, whatever a pane may have printed.

tmux frames a command's output between two *guard lines*, ``%begin TIME NUMBER FLAGS`` and ``%end`` (or ``%error``) with
the same three numbers, and escapes nothing in between. A program that prints such lines, and guesses the numbers, is
therefore indistinguishable from tmux to a parser that stops at the first match. Hence the rules here:

- A reply is expected by its *fence*: a later reply that holds a nonce. The reply is everything up to the fence, and
  the command's text ends at the *last* guard line that matches its own beginning.
- Where nothing is expected (hooks, the attach itself) a block ends at its first match: nothing depends on it.
- Lines outside blocks are events. The parser never waits for a line that tmux may not send.

The result does not depend on how the bytes are cut into chunks.
"""

from __future__ import annotations

import re
from collections import deque
from typing import NamedTuple, NoReturn

from muxwright.errors import RemoteProtocolError
from muxwright.wire.events import Block, Event, Unguarded, parse_line
from muxwright.wire.request import SKIPPED, Section, done_section, mark

__all__ = ["MAX_LINE", "MAX_REPLY", "NEED_DATA", "ControlStream", "Expectation", "Reply"]

MAX_LINE = 1024 * 1024
MAX_REPLY = 64 * 1024 * 1024

# Kept while an oversized reply is thrown away: the fence with its guards and the newline before it fit in.
_TAIL = 512
_BEGIN = re.compile(rb"%begin (\d{1,20}) (\d{1,20}) (\d{1,20})$")


# What nearly every reply is: [the guard's empty block,] the command's block, the fence, and nothing between them.
_SHORT = 2048
_make = tuple.__new__
_BLOCK = rb"%begin(?P<numbers> \d{1,20} \d{1,20} 1\n)(?:(?P<text>.*?)\n)??%end(?P=numbers)"
_FENCE = rb"%begin(?P<fence> \d{1,20} \d{1,20} \d{1,20}\n)(?P<nonce>\w{1,64})\n%end(?P=fence)"
_GUARD = rb"%begin(?P<guard> \d{1,20} \d{1,20} 1\n)%end(?P=guard)"
_USUAL = re.compile(_BLOCK + _FENCE, re.DOTALL)
_USUAL_GUARDED = re.compile(_GUARD + _BLOCK + _FENCE, re.DOTALL)


class NeedData:
    """The type of `NEED_DATA`: nothing to report before more bytes arrive."""

    def __repr__(self) -> str:
        return "NEED_DATA"


NEED_DATA = NeedData()


class Expectation(NamedTuple):
    """What is known of a request's reply: its nonce, which of its sections have a guard, and its bound in bytes."""

    nonce: bytes
    guarded: tuple[bool, ...]
    limit: int = MAX_REPLY


class Reply(NamedTuple):
    """The reply to the oldest expectation, whose nonce is the `ticket`.

    `sections` is ``None`` when the reply was larger than its bound. `problem` says why the reply cannot be trusted (a
    hook that printed something which imitates a guard); then `sections` is empty.
    """

    ticket: bytes
    sections: tuple[Section, ...] | None
    problem: str | None = None


class _Malformed(Exception):
    """The reply's structure is not one that tmux makes by itself."""


class ControlStream:
    """Incremental parser of one control connection.

    Call `expect` before the request is written, `receive_data` with what was read, then `next_event` until it returns
    `NEED_DATA`. It raises `RemoteProtocolError` when tmux breaks the framing; the stream is then unusable.
    """

    def __init__(self, *, max_line: int = MAX_LINE, max_reply: int = MAX_REPLY) -> None:
        self._buffer = bytearray()
        self.expected: deque[Expectation] = deque()
        self._events: deque[Event | Reply] = deque()
        self._max_line = max_line
        self._max_reply = max_reply
        # Where the search for the end of an unfinished item goes on, so that no byte is searched twice.
        self._searched = 0
        self._overflow = False
        self._broken: str | None = None
        self._skip: bytes | None = None

    @property
    def unfinished(self) -> int:
        """Bytes that were received and belong to no event yet."""
        return len(self._buffer)

    def expect(self, expectation: Expectation) -> None:
        """Announce a request that is about to be written."""
        self.expected.append(expectation)

    def skip_to(self, nonce: bytes) -> None:
        """Drop everything up to and including the fence `nonce`; for a new stream that joins in the middle."""
        self._skip = nonce

    def receive_data(self, data: bytes) -> None:
        """Take bytes as they were read."""
        if self._broken is None:
            self._buffer += data

    def next_event(self) -> Event | Reply | NeedData:
        """Return the next event, or `NEED_DATA`."""
        if self._events:
            return self._events.popleft()
        if self._broken is not None:
            raise RemoteProtocolError(self._broken)
        buffer = self._buffer
        if self._skip is not None:
            self._pass_fence(self._skip)
        if not buffer or self._skip is not None:
            return NEED_DATA
        if self._overflow:
            return self._reply()
        begins = buffer.startswith(b"%begin ")
        # Once only: what did not match when it began to arrive is read by the general way.
        if begins and not self._searched and self.expected and (reply := self._usual_reply()) is not None:
            return reply
        end = buffer.find(b"\n", 0 if begins else self._searched)
        self._bound(end if end >= 0 else len(buffer), self._max_line, "line")
        if end < 0:
            self._searched = len(buffer)
            return NEED_DATA
        line = bytes(buffer[:end])
        if begins and (match := _BEGIN.match(line)):
            if self.expected and match[3] == b"1":
                return self._reply()
            return self._block(end, match)
        self._consume(end + 1)
        return parse_line(line)

    def _usual_reply(self) -> Reply | None:
        """Return the reply at the front if it is short and whole and has nothing unusual: one match instead of a parse.

        The text ends at the guard line just before the fence, which is the last one there can be.
        """
        nonce, guarded, limit = self.expected[0]
        if len(guarded) != 1:
            return None
        is_guarded = guarded[0]
        buffer = self._buffer
        match = (_USUAL_GUARDED if is_guarded else _USUAL).match(buffer, 0, _SHORT)
        if match is None or (end := match.end()) > limit:
            return None
        text, proof = match.group("text", "nonce")
        if proof != nonce or buffer.find(nonce) != match.start("nonce"):
            return None
        text = text or b""
        del buffer[:end]
        self._searched = 0
        self.expected.popleft()
        # A NamedTuple's own constructor takes twice as long, and this runs once a call.
        section = done_section(text, nonce) if is_guarded else _make(Section, ("done", text))
        return _make(Reply, (nonce, (section,), None))

    def _pass_fence(self, nonce: bytes) -> None:
        fence = b"\n%s\n" % nonce
        found = self._buffer.find(fence)
        end = self._buffer.find(b"\n", found + len(fence)) if found >= 0 else -1
        if end >= 0:
            self._consume(end + 1)
            self._skip = None
        elif found >= 0:
            self._bound(len(self._buffer) - found, self._max_line, "line")
        else:
            # Keep what may be the beginning of the fence.
            del self._buffer[:-_TAIL]

    def _bound(self, size: int, limit: int, what: str) -> None:
        if size > limit:
            self._break(f"tmux sent a {what} of more than {limit} bytes")

    def _break(self, problem: str) -> NoReturn:
        self._broken = problem
        self._buffer.clear()
        raise RemoteProtocolError(problem)

    def _consume(self, size: int) -> None:
        del self._buffer[:size]
        self._searched = 0

    def _block(self, end: int, match: re.Match[bytes]) -> Block | Unguarded | NeedData:
        """Return the block at the front, which nobody expects; its first matching guard ends it."""
        buffer = self._buffer
        numbers = match[0][len(b"%begin") :] + b"\n"
        start = max(end, self._searched)
        found = _find_guard(buffer, numbers, start)
        fence = b"\n%s\n" % self.expected[0].nonce if self.expected else b""
        if fence and (fenced := buffer.find(fence, start, found[0] + 1 if found else len(buffer))) >= 0:
            # A hook printed a line that only looks like a beginning: a real block ends before the next fence.
            self._bound(fenced, self._max_reply, "block")
            self._consume(end + 1)
            return Unguarded(match[0])
        if found is None:
            self._searched = max(end, len(buffer) - max(len(b"\n%error" + numbers), len(fence)))
            self._bound(len(buffer) - _TAIL, self._max_reply, "block")
            return NEED_DATA
        position, failed = found
        self._bound(position, self._max_reply, "block")
        text = bytes(buffer[end + 1 : position])
        # The guard's own line: a newline, its word, and the numbers.
        self._consume(position + 1 + len(b"%error" if failed else b"%end") + len(numbers))
        return Block(int(match[1]), int(match[2]), int(match[3]), failed, text)

    def _reply(self) -> Reply | NeedData:
        """Return the reply at the front once its fence is complete."""
        buffer, expected = self._buffer, self.expected[0]
        fence = b"\n%s\n" % expected.nonce
        found = buffer.find(fence, self._searched)
        if found < 0:
            self._searched = max(0, len(buffer) - len(fence))
            self._discard_overflow(expected.limit)
            return NEED_DATA
        after = found + len(fence)
        end = buffer.find(b"\n", after)
        if end < 0 and len(buffer) - after <= _TAIL:
            self._searched = found
            return NEED_DATA
        begin = buffer.rfind(b"\n", 0, found) + 1
        opening, closing = bytes(buffer[begin:found]), bytes(buffer[after:end])
        # In the tail of an oversized reply a line that has lost its beginning is too long to match.
        if not _BEGIN.match(opening) or closing != b"%end" + opening[len(b"%begin") :]:
            self._break("the fence of a request came back without its guards")
        overflow, body = self._overflow or begin > expected.limit, bytes(buffer[:begin])
        self._consume(end + 1)
        self.expected.popleft()
        self._overflow = False
        if overflow:
            return Reply(expected.nonce, None)
        return self._read(expected, body)

    def _discard_overflow(self, limit: int) -> None:
        if len(self._buffer) > limit + _TAIL:
            self._overflow = True
            # Keep what may be the beginning of the fence.
            del self._buffer[:-_TAIL]
            self._searched = 0

    def _read(self, expected: Expectation, body: bytes) -> Reply:
        nonce = expected.nonce
        if len(expected.guarded) == 1 and not expected.guarded[0] and (section := _plain_section(body)):
            return Reply(nonce, (section,))
        try:
            sections, events = _read_sections(expected, body)
        except _Malformed as problem:
            return Reply(nonce, (), str(problem))
        self._events.extend(events)
        return Reply(nonce, sections)


def _plain_section(body: bytes) -> Section | None:
    """Return the section of a body that is exactly one block: by far the most frequent case."""
    line = body.find(b"\n")
    numbers = body[len(b"%begin") : line + 1]
    if body.endswith(b"\n%end" + numbers):
        # An empty block's text would begin after its own end.
        return Section("done", body[line + 1 : -len(numbers) - len(b"\n%end")])
    return None


def _find_guard(data: bytes | bytearray, numbers: bytes, start: int) -> tuple[int, bool] | None:
    """Return where the newline before the first ``%end`` or ``%error`` with `numbers` is, and whether it failed."""
    end, error = data.find(b"\n%end" + numbers, start), data.find(b"\n%error" + numbers, start)
    if end < 0 and error < 0:
        return None
    return (end, False) if error < 0 or 0 <= end < error else (error, True)


def _split_marks(expected: Expectation, body: bytes) -> list[bytes]:
    """Return the body of each section that ran: cut at the marks that are there."""
    parts = []
    start = 0
    for index in range(len(expected.guarded) - 1):
        line = b"\n" + mark(expected.nonce, index) + b"\n%end"
        found = body.find(line, start)
        if found < 0:
            break
        begin = body.rfind(b"\n", start, found) + 1 or start
        end = body.find(b"\n", found + len(line)) + 1
        parts.append(body[start:begin])
        start = end
    parts.append(body[start:])
    return parts


def _read_sections(expected: Expectation, body: bytes) -> tuple[tuple[Section, ...], list[Event]]:
    events: list[Event] = []
    sections: list[Section] = []
    for part, guarded in zip(_split_marks(expected, body), expected.guarded, strict=False):
        sections.append(_read_section(part, guarded, expected.nonce, events))
    sections.extend([SKIPPED] * (len(expected.guarded) - len(sections)))
    return tuple(sections), events


def _read_section(part: bytes, guarded: bool, nonce: bytes, events: list[Event]) -> Section:
    """Return the section of one command; lines of others around it go to `events`."""
    start = 0
    if guarded:
        # The reply of `if-shell` itself, which is always empty: its end is the next line.
        numbers, start = _next_begin(part, start, events)
        found = _find_guard(part, numbers, start - 1)
        if found is None:
            raise _Malformed("the reply of a guard has no end")
        if found[1]:
            return Section("failed", part[start : found[0]])
        if found[0] >= start:
            raise _Malformed("the reply of a guard is not empty")
        start += len(b"%end" + numbers)
    numbers, start = _next_begin(part, start, events)
    # From one byte earlier: an empty text's guard follows its beginning at once.
    end, error = part.rfind(b"\n%end" + numbers, start - 1), part.rfind(b"\n%error" + numbers, start - 1)
    last = max(end, error)
    if last < 0:
        raise _Malformed("a reply has no end")
    text = part[start:last] if last >= start else b""
    after = last + 1 + len(b"%error" if error > end else b"%end") + len(numbers)
    _read_rest(part[after:], events)
    return Section("failed", text) if error > end else done_section(text, nonce)


def _next_begin(part: bytes, start: int, events: list[Event]) -> tuple[bytes, int]:
    """Return the numbers of the next reply that is ours, and where its text starts."""
    while start < len(part):
        line_end = part.find(b"\n", start)
        line = part[start:line_end]
        if not (match := _BEGIN.match(line)):
            events.append(parse_line(line))
            start = line_end + 1
        elif match[3] == b"1":
            return part[start + len(b"%begin") : line_end + 1], line_end + 1
        else:
            start = _skip_block(part, line_end, match, events)
    raise _Malformed("a request has no reply")


def _skip_block(part: bytes, line_end: int, match: re.Match[bytes], events: list[Event]) -> int:
    """Pass over a hook's block, whose text becomes an event; return where it ends."""
    numbers = match[0][len(b"%begin") :] + b"\n"
    found = _find_guard(part, numbers, line_end)
    if found is None:
        raise _Malformed("a hook's reply has no end")
    position, failed = found
    events.append(Block(int(match[1]), int(match[2]), int(match[3]), failed, part[line_end + 1 : position]))
    return position + 1 + len(b"%error" if failed else b"%end") + len(numbers)


def _read_rest(rest: bytes, events: list[Event]) -> None:
    """Read what stands between a section's end and its mark: hooks and notifications, never a reply of ours."""
    start = 0
    while start < len(rest):
        line_end = rest.find(b"\n", start)
        line = rest[start:line_end]
        if match := _BEGIN.match(line):
            if match[3] == b"1":
                raise _Malformed("a command has two replies")
            start = _skip_block(rest, line_end, match, events)
        elif line.startswith((b"%end ", b"%error ")):
            raise _Malformed("a reply was followed by a guard of another")
        else:
            events.append(parse_line(line))
            start = line_end + 1
