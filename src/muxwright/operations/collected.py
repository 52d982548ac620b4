"""The text that a command has printed, as far as it is kept."""

from __future__ import annotations

from muxwright.operations.ring import Ring
from muxwright.wire.plain_text import TextFilter

__all__ = ["OUTPUT_LIMIT", "Collected"]

OUTPUT_LIMIT = 256 * 1024
"""Bytes of a command's text that are kept: the newest."""


class Collected:
    """Bytes in, text out; positions count the bytes of the text. `size` counts the bytes that came in."""

    def __init__(self) -> None:
        self.size = 0
        self.gap = False
        self._filter = TextFilter()
        self._text = Ring(OUTPUT_LIMIT)

    def take(self, data: bytes) -> None:
        """Add what comes next."""
        self.size += len(data)
        self._text.append(self._filter.feed(data).encode())

    def miss(self, count: int) -> None:
        """Say that bytes are missing here, and how many are known of."""
        self.size += count
        self.gap = True
        self._filter = TextFilter()

    def finish(self) -> None:
        """Nothing more comes."""
        self._text.append(self._filter.feed(b"", final=True).encode())

    @property
    def truncated(self) -> bool:
        """Whether there was more than is kept."""
        return self.gap or self._text.start > 0

    @property
    def cursor(self) -> int:
        """The position behind the newest text."""
        return self._text.end

    def since(self, cursor: int) -> tuple[str, int]:
        """Return the text from a position on, and how many bytes of it are gone."""
        start = min(max(cursor, self._text.start), self._text.end)
        # A cut can fall into a character.
        return self._text.read(start, OUTPUT_LIMIT).decode("utf-8", "ignore"), max(start - cursor, 0)
