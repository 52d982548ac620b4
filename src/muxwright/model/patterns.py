"""What a wait looks for: literal texts and regular expressions, with their bounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from muxwright.errors import InvalidArgument

__all__ = ["Match", "Pattern", "Patterns", "Searcher", "compile_patterns"]

MAX_PATTERNS, MAX_BYTES, MAX_TOTAL = 32, 4096, 16_384


class Searcher(Protocol):
    """A compiled regular expression: that of `re`, or of another engine with the same `search`."""

    def search(self, text: str, pos: int = ..., /) -> re.Match[str] | None: ...


Pattern = str | re.Pattern[str] | Searcher
"""A literal text, or a compiled regular expression."""


class Match(NamedTuple):
    """Which pattern matched (its index), and what: `text` is at `start` in what was searched.

    `literal`: the pattern is that very text, but for its case.
    """

    which: int
    text: str
    start: int
    literal: bool = False

    @property
    def end(self) -> int:
        """Where the match ends."""
        return self.start + len(self.text)


class Patterns:
    """Some patterns that are searched together; the earliest match wins, at one place the first pattern."""

    def __init__(self, searchers: Sequence[tuple[Searcher, bool]]) -> None:
        self._searchers = tuple(searchers)

    def __bool__(self) -> bool:
        return bool(self._searchers)

    def find(self, text: str, start: int = 0, masked: str | None = None) -> Match | None:
        """Return the first match from `start` on; an empty match is none.

        Regular expressions are searched in `masked`, if that is given: `text` with some of its characters replaced.
        """
        best: Match | None = None
        for index, (searcher, literal) in enumerate(self._searchers):
            searched = text if literal or masked is None else masked
            found = searcher.search(searched, start)
            while found is not None and not found.group():
                found = searcher.search(searched, found.end() + 1) if found.end() < len(searched) else None
            if found is not None and (best is None or found.start() < best.start):
                best = Match(index, text[found.start() : found.end()], found.start(), literal)
        return best


def compile_patterns(patterns: Sequence[Pattern], what: str = "pattern", *, match_case: bool = True) -> Patterns:
    """Check and compile; raises `InvalidArgument` beyond 32 patterns, 4,096 bytes each or 16,384 in all."""
    if isinstance(patterns, str) or not isinstance(patterns, Sequence):
        raise InvalidArgument(f"{what}s are given as a list, not as {type(patterns).__name__}")
    if len(patterns) > MAX_PATTERNS:
        raise InvalidArgument(f"{len(patterns)} {what}s were given: at most {MAX_PATTERNS} can be waited for at once")
    total = 0
    searchers: list[tuple[Searcher, bool]] = []
    for pattern in patterns:
        if isinstance(pattern, str):
            source = pattern
            searcher: Searcher = re.compile(re.escape(pattern), 0 if match_case else re.IGNORECASE)
        elif hasattr(pattern, "search"):
            source, searcher = str(getattr(pattern, "pattern", "")), pattern
        else:
            raise InvalidArgument(f"a {what} is a text or a compiled regular expression, not {pattern!r}")
        size = len(source.encode("utf-8", "surrogatepass"))
        total += size
        if isinstance(pattern, str) and not pattern:
            raise InvalidArgument(f"a {what} is empty, and would match anything")
        if size > MAX_BYTES or total > MAX_TOTAL:
            raise InvalidArgument(f"a {what} has at most {MAX_BYTES} bytes, and all together {MAX_TOTAL}")
        searchers.append((searcher, isinstance(pattern, str)))
    return Patterns(searchers)
