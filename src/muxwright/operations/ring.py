"""A bounded memory of a byte stream, addressed by absolute offsets."""

from __future__ import annotations

from collections import deque

__all__ = ["RING_LIMIT", "Ring"]

RING_LIMIT = 4 * 1024 * 1024
"""Bytes of a stream that can be read again unless somebody says otherwise."""

_BLOCK = 64 * 1024


class Ring:
    """The newest bytes of a stream, at most `limit` of them: those from offset `start` to offset `end`."""

    def __init__(self, limit: int = RING_LIMIT) -> None:
        self.limit = limit
        self.end = 0
        self._held = 0
        # Blocks and not one buffer: dropping from the front of one would copy the rest again and again.
        self._blocks: deque[bytearray] = deque()

    @property
    def start(self) -> int:
        """The offset of the oldest byte that is still there."""
        return self.end - self._held

    def append(self, data: bytes) -> None:
        """Add what comes next; the oldest bytes go when there are too many."""
        self.end += len(data)
        kept = data[-self.limit :]
        if self._blocks and len(self._blocks[-1]) + len(kept) <= _BLOCK:
            self._blocks[-1] += kept
        elif kept:
            self._blocks.append(bytearray(kept))
        self._held += len(kept)
        while self._held > self.limit:
            oldest = self._blocks[0]
            if (excess := self._held - self.limit) < len(oldest):
                del oldest[:excess]
                self._held -= excess
            else:
                self._held -= len(self._blocks.popleft())

    def read(self, offset: int, limit: int) -> bytes:
        """Return at most `limit` bytes from `offset` on, which must lie between `start` and `end`."""
        assert self.start <= offset <= self.end, "the caller looks at start and end first"
        parts: list[bytes] = []
        behind = self.start
        for block in self._blocks:
            skip = offset - behind
            behind += len(block)
            if skip < len(block):
                parts.append(bytes(block[skip : skip + limit]))
                limit -= len(parts[-1])
                offset = behind
            if not limit:
                break
        return b"".join(parts)
