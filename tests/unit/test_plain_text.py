"""Text out of a terminal's byte stream, whole, byte by byte and cut anywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muxwright.wire.plain_text import TextFilter, plain_text

CASES = [
    (b"plain\r\nlines\n", "plain\nlines\n"),
    (b"\x1b[1;31mred\x1b[0m \x1b[?25lhidden", "red hidden"),
    (b"a\x1b]0;a title\x07b\x1b]8;;http://x\x1b\\c", "abc"),
    (b"a\x1bPq#1\nsixel\x1b\\b\x1b_apc\x1b\\c\x1b^pm\x1b\\d", "abcd"),
    (b"\x1b(B\x1b=\x1b7x\x1b#8y", "xy"),
    (b"one\r\r\ntwo\rthree", "one\ntwo\nthree"),
    (b"one\r\x1b[K\ntwo\r\x1b[", "one\ntwo\n"),
    (b"tab\tbell\x07nul\x00del\x7f", "tab\tbellnuldel"),
    ("λ→\u0085é".encode(), "λ→é"),
    (b"bad \xff\xc3( end", "bad \ufffd\ufffd( end"),
    # Strings that are never ended: a newline, CAN or another sequence ends them for us.
    (b"x\x1b]unended\nmore", "x\nmore"),
    (b"x\x1b]cut\x18more", "xmore"),
    (b"x\x1b]cut\x1b[1mmore", "xmore"),
    (b"x\x1bPpicture\x1b[1mmore", "xmore"),
    (b"\x1b\x1b[1mq", "q"),
    # What waits at the end is no text.
    (b"end\x1b[3", "end"),
    (b"end\x1b]title", "end"),
    (b"end\r", "end\n"),
]


@pytest.mark.parametrize(("data", "text"), CASES)
def test_sequences_are_dropped(data: bytes, text: str) -> None:
    assert plain_text(data) == text
    piecewise = TextFilter()
    assert "".join([piecewise.feed(bytes([byte])) for byte in data]) + piecewise.feed(b"", final=True) == text


def test_a_backspace_erases_what_came_with_it() -> None:
    assert plain_text(b"abc\b\bd\n\be") == "ad\ne"


def test_text_from_two_places_is_not_joined() -> None:
    data = b"foo\x1b[5;5Hbar\x1b[1mbold\x1b[0m"
    assert plain_text(data) == "foobarbold"
    assert TextFilter(apart=True).feed(data) == "foo\nbarbold"


def test_a_string_without_an_end_swallows_little() -> None:
    text = plain_text(b"\x1b_" + b"x" * 200_000 + b"\nwanted\n")
    assert text.endswith("x\nwanted\n")


@given(st.lists(st.sampled_from([data for data, _ in CASES] + [b"\x1b", b"[", b"\r", b"\n", b"\xce", b"\\"])))
def test_where_the_stream_is_cut_does_not_matter(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    fed = TextFilter()
    assert "".join([fed.feed(piece) for piece in pieces]) + fed.feed(b"", final=True) == plain_text(whole)
