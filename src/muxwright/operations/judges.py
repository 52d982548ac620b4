"""What can be waited for: text, quiet, the end of the program, a state of the screen."""

from __future__ import annotations

from collections.abc import Callable

from muxwright.model.capture import Capture
from muxwright.model.echo import Typed, begun, hide, only_echo, related
from muxwright.model.patterns import Match, Patterns
from muxwright.operations import echoes
from muxwright.operations.look import Look, take_look
from muxwright.operations.pipe import PaneState
from muxwright.operations.steps import Operation, Place
from muxwright.operations.terminal import capture
from muxwright.operations.wait import Judge, Looks, Verdict
from muxwright.refs import PaneRef

__all__ = ["ExitJudge", "QuietJudge", "ScreenJudge", "TextJudge"]

_OVERLAP = 4096  # characters that a match may reach back into what was searched before
_WINDOW = 2 * _OVERLAP
_YOUNG = 1.0  # seconds in which an echo may be under way, with only a part of it on the screen
_MOST_ROWS = 500  # of history that a look goes back for text that has scrolled out


class TextJudge(Judge):
    """Waits for a pattern; a stop pattern that is there at the same time wins.

    `baseline`: text that stands there already counts. `accept_echo`: so does the echo of what we typed, and the line
    that the cursor is in.
    """

    def __init__(
        self,
        pane: PaneRef,
        patterns: Patterns,
        stop: Patterns,
        *,
        baseline: bool = True,
        accept_echo: bool = False,
    ) -> None:
        self._pane = pane
        self._patterns = patterns
        self._stop = stop
        self._baseline = baseline
        self._accept_echo = accept_echo
        self._echoes: dict[str, Typed] = {}
        self._drawing: dict[str, float] = {}  # since when a beginning of what was typed stands at the cursor
        self._looks = Looks()
        self._text = ""
        self._searched = 0
        self._suspicious = False  # a match in the stream may have been an echo
        self._old = False  # a match stood there before, and must not count
        self._began: Look | None = None
        self._last: Look | None = None

    # --- the stream ---

    def heard(self, data: bytes, text: str, now: float) -> Verdict | None:
        self._text += text
        for outcome, patterns in (("stopped", self._stop), ("matched", self._patterns)):
            if (match := self._in_stream(patterns, now)) is not None:
                return Verdict(outcome, "output", match.which, match.text)  # type: ignore[arg-type]  # the two literals of the loop above
        cut = max(len(self._text) - _WINDOW, 0)
        self._text = self._text[cut:]
        self._searched = len(self._text)
        self._looks.want(now, Looks.SOON if self._suspicious else Looks.OFTEN)
        return None

    def _in_stream(self, patterns: Patterns, now: float) -> Match | None:
        """Return the first new match that cannot be an echo."""
        start = max(self._searched - _OVERLAP, 0)
        while (match := patterns.find(self._text, start)) is not None:
            if match.end > self._searched:
                if self._accept_echo or not self._may_be_echo(match, now):
                    return match
                self._suspicious = True
            start = match.start + 1
        return None

    def _may_be_echo(self, match: Match, now: float) -> bool:
        self._note_echoes(now)
        return any(related(match.text, text, match.literal) for text in self._echoes)

    def _note_echoes(self, now: float) -> None:
        # What was typed shortly before or during this wait stays an echo until its end.
        for typed in echoes.BOOK.lines(self._pane, now):
            self._echoes[typed.text] = typed

    # --- the screen ---

    def begin(self, place: Place) -> Operation[Verdict | None]:
        look = yield from take_look(place, self._pane)
        self._began = self._last = look
        found = self._on_screen(look, place.clock())
        if self._baseline:
            return found and found._replace(source="baseline")
        self._old = found is not None or self.pending is not None or self._looks.at is not None
        self.pending, self._looks.at = None, None
        return None

    def patience(self, now: float) -> float | None:
        return self._looks.patience(now)

    def missed(self, now: float) -> None:
        self._looks.want(now, Looks.SOON)

    def forget_look(self) -> None:
        self._looks.at = None

    def due(self, place: Place) -> Operation[Verdict | None]:
        if self._began is None or self._last is None:
            return None  # the pane was gone before it could be looked at
        before = place.clock()
        began, last = self._began.cursor, self._last.cursor
        since = began.history + began.y if self._old else None
        up = min(max(last.history - began.history, 0) + last.height, _MOST_ROWS) if self._suspicious else self._reach()
        look = yield from take_look(place, self._pane, last, up, since)
        self._last = look
        now = place.clock()
        self._looks.took(before, now)
        if not look.exact or (self._old and look.cursor.history != last.history):
            self._looks.want(now, Looks.OFTEN)
        return self._on_screen(look, now) if self._is_new(look) else None

    def _reach(self) -> int:
        """Rows of history that an echo at the top of the screen may begin in."""
        longest = max(map(len, self._echoes), default=0)
        return longest // max(self._last.cursor.width, 1) if self._last is not None else 0

    def _is_new(self, look: Look) -> bool:
        """Whether what was looked at came after the wait began."""
        assert self._began is not None
        began = self._began.cursor
        if not self._old:
            return True
        if look.cursor.history < began.history:
            return self._suspicious  # the history was cleared: rows cannot be counted, but something was heard
        return look.cursor.history + look.cursor.y >= began.history + began.y

    def _on_screen(self, look: Look, now: float) -> Verdict | None:
        self._note_echoes(now)
        shown, seen = look.text, frozenset[str]()
        if not self._accept_echo:
            shown, seen = hide(look.text, list(self._echoes.values()))
        fresh = [typed for text, typed in self._echoes.items() if text not in seen and now - typed.at < _YOUNG]
        drawing = {text for text in self._echoes if begun(look.line.rstrip(), text)}
        self._drawing = {text: self._drawing.get(text, now) for text in drawing}
        self.pending = None
        for outcome, patterns in (("stopped", self._stop), ("matched", self._patterns)):
            if (match := self._allowed(patterns, look, shown, fresh, now)) is not None:
                return Verdict(outcome, "output", match.which, match.text)  # type: ignore[arg-type]  # the two literals of the loop above
        return None

    def _allowed(self, patterns: Patterns, look: Look, shown: str, fresh: list[Typed], now: float) -> Match | None:
        """Return the first match on the screen that counts."""
        line = range(len(look.above) + 1, len(look.above) + 1 + len(look.line))
        editing = echoes.BOOK.editing(self._pane) and not self._accept_echo
        if editing and patterns.find(look.line) is not None:
            self.pending = look.line
        start = 0
        while (match := patterns.find(look.text, start, shown)) is not None:
            start = match.start + 1
            on_line = match.start < line.stop and match.end > line.start
            if only_echo(match.text, shown[match.start : match.end], match.literal):
                self.echo_seen = True
                continue
            if (on_line and editing) or (self._old and match.start < self._old_part(look)):
                continue
            under_way = [typed.at for typed in fresh if related(match.text, typed.text, match.literal)]
            under_way += self._being_drawn(look, match, line.start)
            until = max(under_way, default=now - _YOUNG) + _YOUNG
            if until <= now or self._accept_echo:
                return match
            # Perhaps only a part of the echo is there yet; look again when all of it must be.
            self._looks.want(now, until - now)
        if not self.echo_seen and shown != look.text:
            self.echo_seen = patterns.find(look.text) is not None
        return None

    def _being_drawn(self, look: Look, match: Match, line: int) -> list[float]:
        """Return since when what is at the cursor, the match in it, looks like an echo that is being drawn.

        A shell shows once more what was typed while a command ran, and some do it word by word.
        """
        text = look.line.rstrip()
        end = line + len(text)
        return [
            since
            for typed, since in self._drawing.items()
            if match.end <= end and any(match.start >= end - size for size in begun(text, typed))
        ]

    def _old_part(self, look: Look) -> int:
        """Characters at the beginning of a look that stood in the cursor's line when the wait began."""
        assert self._began is not None
        before = self._began.line
        same = look.cursor.history == self._began.cursor.history and look.text.startswith(before)
        return len(before) if same else 0


class QuietJudge(Judge):
    """Waits until nothing has been printed for `quiet` seconds; with `drawn`, not before anything is on the screen."""

    def __init__(self, pane: PaneRef, quiet: float, drawn: bool = False) -> None:
        self._pane = pane
        self._quiet = quiet
        self._drawn = not drawn
        self._since = 0.0

    def begin(self, place: Place) -> Operation[Verdict | None]:
        self._since = place.clock()
        yield from self._look(place)
        return None

    def patience(self, now: float) -> float | None:
        return max(self._since + self._quiet - now, 0.0) if self._drawn else None

    def heard(self, data: bytes, text: str, now: float) -> Verdict | None:
        self._since = now
        self._drawn = self._drawn or bool(text.strip())
        return None

    def missed(self, now: float) -> None:
        self._since = now

    def forget_look(self) -> None:
        self._drawn = False

    def due(self, place: Place) -> Operation[Verdict | None]:
        yield from self._look(place)
        # Half a millisecond is less than a timer's grain.
        quiet = self._drawn and place.clock() - self._since >= self._quiet - 0.0005
        return Verdict("quiet", "output") if quiet else None

    def _look(self, place: Place) -> Operation[None]:
        if not self._drawn:
            self._drawn = bool((yield from take_look(place, self._pane)).text.strip())


class ExitJudge(Judge):
    """Waits until the program has ended."""

    def begin(self, place: Place) -> Operation[Verdict | None]:
        return None
        yield  # an operation is a generator

    def patience(self, now: float) -> float | None:
        return None

    def heard(self, data: bytes, text: str, now: float) -> Verdict | None:
        return None

    def due(self, place: Place) -> Operation[Verdict | None]:
        return None
        yield

    def ended(self, state: PaneState | None) -> Verdict | None:
        return Verdict("exited", "output")


class ScreenJudge(Judge):
    """Waits until a predicate is true of the screen."""

    def __init__(self, pane: PaneRef, predicate: Callable[[Capture], object]) -> None:
        self._pane = pane
        self._predicate = predicate
        self._looks = Looks()

    def begin(self, place: Place) -> Operation[Verdict | None]:
        found = yield from self.due(place)
        return found and found._replace(source="baseline")

    def patience(self, now: float) -> float | None:
        return self._looks.patience(now)

    def heard(self, data: bytes, text: str, now: float) -> Verdict | None:
        self._looks.want(now, Looks.OFTEN)
        return None

    def missed(self, now: float) -> None:
        self._looks.want(now, Looks.SOON)

    def forget_look(self) -> None:
        self._looks.at = None

    def due(self, place: Place) -> Operation[Verdict | None]:
        before = place.clock()
        screen = yield from capture(place, self._pane)
        self._looks.took(before, place.clock())
        return Verdict("matched", "output") if self._predicate(screen) else None
