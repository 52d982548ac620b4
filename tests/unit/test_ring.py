"""The bounded memory of a stream."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from muxwright.operations.feed import Feed
from muxwright.operations.ring import Ring
from tests.support.scripted import PANE, ScriptedSource


@given(st.lists(st.binary(max_size=40)), st.integers(1, 60), st.integers(1, 50))
def test_a_ring_holds_the_newest_bytes(pieces: list[bytes], limit: int, step: int) -> None:
    ring, whole = Ring(limit), b""
    for piece in pieces:
        ring.append(piece)
        whole += piece
        assert (ring.start, ring.end) == (max(len(whole) - limit, 0), len(whole))
        assert ring.read(ring.start, limit) == whole[ring.start :]
        offset = ring.start + step % (ring.end - ring.start + 1)
        assert ring.read(offset, step) == whole[offset : offset + step]


def test_blocks_are_bounded_too() -> None:
    ring = Ring(256 * 1024)
    for number in range(40_000):
        ring.append(b"%08d" % number)
    assert ring.read(ring.end - 16, 100) == b"0003999800039999"
    assert ring.read(ring.start, 8) == b"%08d" % (40_000 - 256 * 1024 // 8)


def test_readers_share_a_source_and_not_their_place() -> None:
    source = ScriptedSource(PANE, "epoch", 10)
    first, second = Feed(source, fresh=True), Feed(source, fresh=False)
    source.ring.append(b"abc")
    assert first.take(100).data == b"abc"
    assert not first.ready
    source.ring.append(b"0123456789")
    third = Feed(source, fresh=False)
    assert not third.ready, "a new reader begins at the end"
    assert first.take(4) == (b"0123", 3, 0, False, False)
    assert second.take(100) == (b"0123456789", 3, 3, False, False)
    source.exits += 1
    source.ended = True
    assert first.take(100) == (b"456789", 7, 0, True, True)
    assert first.take(100) == (b"", 13, 0, False, True)
    for feed in (first, first, second):
        feed.release()
    assert not source.closed, "the third still reads"
    third.release()
    assert source.closed
