"""What this process has typed into panes, so that its echo is not taken for a program's output.

Records are kept for a short time and few at once. A record is made before the text is sent: an echo cannot be seen
earlier than that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from muxwright.refs import PaneRef

__all__ = ["ECHO_SECONDS", "HIDDEN", "EchoBook", "Typed", "begun", "hide", "only_echo", "related"]

ECHO_SECONDS = 10.0
"""How long a line that was typed counts as one that may still be echoed."""

_LINES, _PANES, _LENGTH = 4, 256, 4096

HIDDEN = "\0"
"""Stands for each character of an echo; no pattern should match it, and no screen holds it."""

_SUBMIT = {"Enter", "C-m", "C-j", "KPEnter"}
_ERASE = {"BSpace", "C-h"}
_WORD = re.compile(r"\w")
_ENDS = re.compile(r"(\r\n|[\r\n])")
_PUT_AWAY = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


class Typed(NamedTuple):
    """A line that was typed; `submitted` by Enter or still being edited; `at` in monotonic seconds."""

    text: str
    at: float
    submitted: bool


class _Line(NamedTuple):
    """What was typed into one pane: the line being edited, and those before it."""

    current: str = ""
    at: float = 0.0
    earlier: tuple[Typed, ...] = ()

    def put_away(self, submitted: bool) -> _Line:
        typed = (Typed(text, self.at, submitted),) if (text := self.current.strip()) else ()
        return _Line("", self.at, (*self.earlier, *typed)[-_LINES:])

    def with_text(self, text: str) -> _Line:
        line = self
        for part in _ENDS.split(text[-_LINES * _LENGTH :]):
            if _ENDS.fullmatch(part):
                line = line.put_away(True)
                continue
            # A control character acts on the line in a way that is not known here.
            *finished, rest = _PUT_AWAY.split(part)
            for fragment in finished:
                line = line._replace(current=line.current + fragment).put_away(False)
            line = line._replace(current=(line.current + rest)[-_LENGTH:])
        return line

    def with_key(self, key: str) -> _Line:
        if key in _SUBMIT:
            return self.put_away(True)
        if key in _ERASE:
            return self._replace(current=self.current[:-1])
        if len(key) == 1 or key == "Space":
            return self._replace(current=self.current + (" " if key == "Space" else key))
        return self if key == "DC" else self.put_away(False)


class EchoBook:
    """The lines typed by this process, by pane: the one being edited, and at most four before it."""

    def __init__(self) -> None:
        self._panes: dict[PaneRef, _Line] = {}

    def _note(self, pane: PaneRef, line: _Line) -> None:
        self._panes.pop(pane, None)
        self._panes[pane] = line
        while len(self._panes) > _PANES:
            del self._panes[next(iter(self._panes))]

    def typed(self, pane: PaneRef, text: str, now: float) -> object:
        """Note text that is about to be typed or pasted; return what `take_back` needs if it is not."""
        before = self._panes.get(pane, _Line())
        self._note(pane, before._replace(at=now).with_text(text))
        return before

    def pressed(self, pane: PaneRef, keys: Sequence[str], now: float) -> object:
        """Note keys, by their tmux names, that are about to be pressed; return what `take_back` needs."""
        before = self._panes.get(pane, _Line())
        line = before._replace(at=now)
        for key in keys:
            line = line.with_key(key)
        self._note(pane, line)
        return before

    def take_back(self, pane: PaneRef, before: object) -> None:
        """Forget what was noted last: tmux refused it."""
        assert isinstance(before, _Line)
        self._note(pane, before)

    def editing(self, pane: PaneRef) -> bool:
        """Whether something was typed that is not entered yet."""
        return bool(self._panes.get(pane, _Line()).current.strip())

    def lines(self, pane: PaneRef, now: float) -> tuple[Typed, ...]:
        """Return what may stand in the pane as an echo, the oldest first."""
        line = self._panes.get(pane, _Line())
        found = [typed for typed in line.earlier if now - typed.at < ECHO_SECONDS]
        if text := line.current.strip():
            found.append(Typed(text, line.at, False))
        return tuple(found)


@lru_cache(maxsize=64)
def _echo_of(text: str) -> re.Pattern[str]:
    # A line end may stand anywhere: where the text wrapped, if the program wrapped it itself.
    body = r"(?: ?\n)?".join(map(re.escape, text))
    before = r"(?<!\w)" if text[0].isalnum() else ""
    after = r"(?!\w)" if text[-1].isalnum() else ""
    return re.compile(before + body + after)


def hide(screen: str, typed: Sequence[Typed]) -> tuple[str, frozenset[str]]:
    """Return the text with each echo of what was typed replaced by `HIDDEN`, and the lines whose echo was there."""
    seen = set()
    # The longest first: a short line may be a part of a longer one.
    for text in sorted({line.text for line in typed}, key=len, reverse=True):
        hidden, count = _echo_of(text).subn(lambda match: re.sub("[^\n]", HIDDEN, match[0]), screen)
        if count:
            screen = hidden
            seen.add(text)
    return screen, frozenset(seen)


def related(matched: str, typed: str, literal: bool = False) -> bool:
    """Whether a match may be made of an echo, or of a part of one.

    It is when the two texts overlap. But of a literal that has words beyond the overlap we know that nobody typed them.
    """
    if matched in typed:
        return True
    if typed in matched:
        return not literal or not _WORD.search(matched.replace(typed, "", 1))
    beyond = [matched[:-size] for size in _overlaps(matched, typed)] + [
        matched[size:] for size in _overlaps(typed, matched)
    ]
    return any(not (literal and _WORD.search(rest)) for rest in beyond)


def _overlaps(first: str, second: str) -> list[int]:
    """Return how many characters at the end of the first can be the beginning of the second."""
    return [size for size in range(1, min(len(first), len(second))) if first.endswith(second[:size])]


def begun(line: str, typed: str) -> list[int]:
    """Return how many characters at the end of a line can be the beginning, and not all, of what was typed."""
    return [size for size in range(1, min(len(line) + 1, len(typed))) if line.endswith(typed[:size])]


def only_echo(matched: str, hidden: str, literal: bool) -> bool:
    """Whether a match on the screen is an echo: what it looks like with echoes hidden tells (`hide`)."""
    if HIDDEN not in hidden:
        return False
    visible = "".join([character for character in hidden if character != HIDDEN])
    return not (literal and _WORD.search(visible))
