"""Listings: what each tmux prints for a field, and what it is."""

from __future__ import annotations

import pytest

from muxwright.errors import RemoteProtocolError
from muxwright.wire.rows import Column, decode_rows, decode_text, decode_text_rows, row_format, unescape

# As printed: 3.3a, 3.6 and newer | 3.4 and 3.5 (vis) | 3.8 (newline escaped).
FIELDS = [
    (rb"plain", b"plain"),
    (rb"two\ words", b"two words"),
    (rb"\#\$\%\'\"\\\`\(\)\[\*\?\|\&\;\<\>\=", b"#$%'\"\\`()[*?|&;<>="),
    (rb"\\033", b"\\033"),
    (rb"\033", b"\x1b"),
    (rb"\a\b\f\r\v", b"\a\b\f\r\v"),
    (rb"\\a", b"\\a"),
    (rb"\\\033", b"\\\x1b"),
    (rb"\377\303", b"\xff\xc3"),
    (rb"\0333", b"\x1b3"),
    (rb"\$HOME", b"$HOME"),
    (rb"\\$HOME", b"$HOME"),  # 3.4
    (rb"\\\$HOME", b"\\$HOME"),
    (rb"\\\\$HOME", b"\\$HOME"),  # 3.4
    (b"new\nline", b"new\nline"),
    (b"new\\\nline", b"new\nline"),  # 3.8
    ("é日🎉".encode(), "é日🎉".encode()),
    (b"", b""),
]


@pytest.mark.parametrize(("printed", "value"), FIELDS, ids=range(len(FIELDS)))
def test_field(printed: bytes, value: bytes) -> None:
    assert unescape(printed) == value
    assert decode_text(printed) == value.decode("utf-8", "surrogateescape")
    assert decode_rows(printed + b" ", 1) == [[printed]]
    text = value.decode("utf-8", "surrogateescape")
    assert decode_text_rows(printed + b" %1 \n" + printed + b" %2 ", 2) == [[text, "%1"], [text, "%2"]]
    assert decode_rows(printed + b" %1 \n" + printed + b" %2 ", 2) == [[printed, b"%1"], [printed, b"%2"]]


ROWS = [
    (b"", 2, []),
    (b"  ", 2, [[b"", b""]]),
    (b"a b ", 2, [[b"a", b"b"]]),
    (b"a b \nc d ", 2, [[b"a", b"b"], [b"c", b"d"]]),
    (b"\na b \n\nc d ", 2, [[b"\na", b"b"], [b"\nc", b"d"]]),
    (b"  \n  ", 2, [[b"", b""], [b"", b""]]),
]


@pytest.mark.parametrize(("data", "width", "rows"), ROWS, ids=range(len(ROWS)))
def test_rows(data: bytes, width: int, rows: list[list[bytes]]) -> None:
    assert decode_rows(data, width) == rows
    assert decode_text_rows(data, width) == [[field.decode() for field in row] for row in rows]


@pytest.mark.parametrize(
    ("data", "width"),
    [(b"a", 1), (b"a b", 2), (b"a b c ", 2), (b"a b \n", 2), (b"a \\", 1), (b"a\\ ", 1), (b"a b c d ", 2), (b"\n", 1)],
)
def test_broken_rows_are_refused(data: bytes, width: int) -> None:
    for decode in (decode_rows, decode_text_rows):
        with pytest.raises(RemoteProtocolError):
            decode(data, width)


@pytest.mark.parametrize("piece", [rb"\a", rb"\ ", rb"\\", b" "])
@pytest.mark.parametrize("end", [b"", b"\\", b"\\ "])
def test_a_truncated_listing_fails_at_once(piece: bytes, end: bytes) -> None:
    with pytest.raises(RemoteProtocolError):
        decode_rows(piece * 500_000 + end, 3)


def test_format() -> None:
    assert row_format([Column("pane_id", free=False), Column("pane_title")]) == b"#{pane_id} #{q:pane_title} "
