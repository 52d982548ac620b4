"""Every unfinished thing has a bound, and how the bytes are cut does not move it."""

from __future__ import annotations

import pytest

from muxwright.wire.events import Block, Unguarded
from muxwright.wire.request import Section
from muxwright.wire.stream import ControlStream, Expectation, Reply
from tests.transcripts import Broken, parse

N = b"0123456789abcdef0123456789abcdef"
NEXT = b"fedcba9876543210fedcba9876543210"


def fenced(text: bytes, nonce: bytes = N) -> bytes:
    own, fence = b"1700000000 777777 1\n", b"1700000000 777778 1\n"
    return b"%begin " + own + text + b"%end " + own + b"%begin " + fence + nonce + b"\n%end " + fence


def size(text: bytes) -> int:
    """What a reply counts: everything before its fence."""
    return fenced(text).rindex(b"%begin 1700000000 777778 1")


@pytest.mark.parametrize("every", [1, 7, 100, 10**9])
class TestLimits:
    def cuts(self, data: bytes, every: int) -> range:
        return range(every, len(data), every)

    @pytest.mark.parametrize(("length", "broken"), [(99, False), (100, False), (101, True)])
    @pytest.mark.parametrize("beginning", [b"", b"%begin ", b"%output %1 "])
    def test_line(self, every: int, beginning: bytes, length: int, broken: bool) -> None:
        line = beginning + b"x" * (length - len(beginning))
        data = b"bare\n" + line + b"\n"
        first, second = parse(data, (), self.cuts(data, every), ControlStream(max_line=100))
        assert first == Unguarded(b"bare")
        assert isinstance(second, Broken) == broken

    def test_unfinished_line(self, every: int) -> None:
        data = b"x" * 5000
        stream = ControlStream(max_line=100)
        assert parse(data, (), self.cuts(data, every), stream) == [Broken("tmux sent a line of more than 100 bytes")]
        assert stream.unfinished == 0

    @pytest.mark.parametrize(("length", "broken"), [(900, False), (2000, True)])
    def test_block(self, every: int, length: int, broken: bool) -> None:
        data = b"%begin 1700000000 777777 0\n" + b"x" * length + b"\n%end 1700000000 777777 0\n"
        (event,) = parse(data, (), self.cuts(data, every), ControlStream(max_line=100, max_reply=1000))
        if broken:
            assert event == Broken("tmux sent a block of more than 1000 bytes")
        else:
            assert event == Block(1700000000, 777777, 0, False, b"x" * length)

    def test_unfinished_block(self, every: int) -> None:
        data = b"%begin 1700000000 777777 0\n" + b"x\n" * 3000
        events = parse(data, (), self.cuts(data, every), ControlStream(max_reply=1000))
        assert events == [Broken("tmux sent a block of more than 1000 bytes")]

    @pytest.mark.parametrize(
        "text", [b"x" * 4000 + b"\n", b"x\n" * 2000, b"%begin 1700000000 777778 1\n%end 1700000000 777777 1\n" * 100]
    )
    @pytest.mark.parametrize("over", [0, 1, 200, 511, 512, 513, 3000])
    def test_reply(self, every: int, text: bytes, over: int) -> None:
        limit = size(text) - over
        data = b"before\n" + fenced(text) + b"between\n" + fenced(b"next\n", NEXT) + b"after\n"
        stream = ControlStream(max_line=100)
        expectations = [Expectation(N, (False,), limit), Expectation(NEXT, (False,), limit)]
        sections = None if over else (Section("done", text[:-1]),)
        assert parse(data, expectations, self.cuts(data, every), stream) == [
            Unguarded(b"before"),
            Reply(N, sections),
            Unguarded(b"between"),
            Reply(NEXT, (Section("done", b"next"),)),
            Unguarded(b"after"),
        ]
        assert stream.unfinished == 0

    def test_the_rest_of_a_large_reply_does_not_pass_for_a_whole_one(self, every: int) -> None:
        """Wherever the dropped part ends, what is kept may begin with a line that looks like the reply's own."""
        text = b"%begin 1700000000 777777 1\n" * 40
        for over in (*range(440, 514, 5), *range(600, 627)):
            data = fenced(text) + fenced(b"", NEXT)
            expectations = [Expectation(N, (False,), size(text) - over), Expectation(NEXT, (False,))]
            replies = [Reply(N, None), Reply(NEXT, (Section("done"),))]
            assert parse(data, expectations, self.cuts(data, every)) == replies

    def test_reply_without_end_takes_no_memory(self, every: int) -> None:
        stream = ControlStream()
        data = b"%begin 1700000000 777777 1\n" + b"x\n" * 5000
        assert parse(data, [Expectation(N, (False,), 1000)], self.cuts(data, every), stream) == []
        assert stream.unfinished <= 1512


def test_a_line_of_any_length_is_fine_in_a_reply() -> None:
    text = b"x" * 3_000_000
    reply = Reply(N, (Section("done", text),))
    assert parse(fenced(text + b"\n"), [Expectation(N, (False,))]) == [reply]
    data = fenced(text + b"\n")
    assert parse(data, [Expectation(N, (False,))], range(4096, len(data), 4096)) == [reply]


def test_nothing_is_searched_twice() -> None:
    """A large reply in small pieces: a parser that begins again with each of them runs into the time limit."""
    data = fenced(b"%begin 1700000000 777778 1\nsome text\n" * 1_000_000)
    (reply,) = parse(data, [Expectation(N, (False,))], range(2048, len(data), 2048))
    assert isinstance(reply, Reply)
    assert reply.problem is None
