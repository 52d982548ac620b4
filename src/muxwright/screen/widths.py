"""How many columns tmux gives to a character, by version; measured on 3.3a, 3.5a, 3.7c and 3.8 over all of Unicode.

tmux prints no widths in a capture, so that a row can only be split as tmux split it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from unicodedata import category, east_asian_width

__all__ = ["MODERN", "OLD", "ZWJ", "Widths"]

ZWJ = "\u200d"
_VARIATION = "\ufe0f"

# Where tmux differs from Unicode's own tables: ranges of code points, both ends included.
_Ranges = tuple[tuple[int, int], ...]

_ZERO: _Ranges = ((0x1160, 0x11FF), (0xD7B0, 0xD7C6), (0xD7CB, 0xD7FB))
_ONE: _Ranges = (
    *((0xAD, 0xAD), (0x600, 0x605), (0x6DD, 0x6DD), (0x70F, 0x70F), (0x890, 0x891), (0x8E2, 0x8E2)),
    *((0x110BD, 0x110BD), (0x110CD, 0x110CD)),
)
_TWO: _Ranges = ((0x3248, 0x324F), (0x4DC0, 0x4DFF))
_OLD_ZERO: _Ranges = ((0x2028, 0x2029),)
_MODERN_TWO: _Ranges = (
    *((0x261D, 0x261D), (0x26F9, 0x26F9), (0x270C, 0x270D)),
    *((0x1F3CB, 0x1F3CC), (0x1F574, 0x1F575), (0x1F590, 0x1F590)),
)
_SKIN = range(0x1F3FB, 0x1F400)
_REGION = range(0x1F1E6, 0x1F200)


def _in(code: int, ranges: _Ranges) -> bool:
    return any(low <= code <= high for low, high in ranges)


class Widths:
    """The rules of one family of versions.

    `modern` (3.4 and newer): a variation selector 16 makes a character wide, and skin tones and pairs of regional
    indicators (flags) are part of the character before them.
    """

    def __init__(self, modern: bool) -> None:
        self.modern = modern
        self.of = lru_cache(maxsize=8192)(self._of)

    def _of(self, character: str) -> int:
        """Return 0, 1 or 2."""
        code = ord(character)
        if _in(code, _ZERO) or _in(code, () if self.modern else _OLD_ZERO):
            return 0
        if _in(code, _ONE):
            return 1
        if _in(code, _TWO) or (self.modern and _in(code, _MODERN_TWO)):
            return 2
        if category(character) in ("Mn", "Me", "Cf"):
            return 0
        return 2 if east_asian_width(character) in "WF" else 1

    def split(self, text: str) -> Iterator[tuple[str, int]]:
        """Yield what stands in each cell, and its width in columns."""
        held, width = "", 0
        for character in text:
            own = self.of(character)
            if held and (own == 0 or self._joins(held, width, character)):
                if self.modern and (character == _VARIATION or ord(character) in _REGION):
                    width = 2
                held += character
                continue
            if held:
                yield held, width
            # A combining character without a base stands in a cell of its own.
            held, width = character, own or 1
        if held:
            yield held, width

    def _joins(self, held: str, width: int, character: str) -> bool:
        code = ord(character)
        if held.endswith(ZWJ):
            return width == 2
        if not self.modern:
            return False
        if code in _SKIN:
            return width == 2
        return code in _REGION and len(held) == 1 and ord(held) in _REGION


OLD = Widths(modern=False)
"""tmux up to 3.3a."""

MODERN = Widths(modern=True)
"""tmux 3.4 and newer."""
