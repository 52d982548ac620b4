"""Recording a pane: what it prints, with times, sizes and its end, as the events of an asciicast."""

from __future__ import annotations

import codecs
from collections.abc import Callable

from muxwright.errors import DeadlineExceeded, PaneNotFound, RequestCancelled
from muxwright.operations.pipe import EndReason
from muxwright.operations.screens import take_screen
from muxwright.operations.steps import Operation, Place
from muxwright.operations.watch import Watch, close_watch, hear, open_watch, program_state
from muxwright.refs import PaneRef
from muxwright.screen.ansi import repaint
from muxwright.screen.cast import CastEvent
from muxwright.screen.screen import Screen

__all__ = ["record"]

_TRIES = 5
_SIZE_EVERY = 0.25  # seconds between two looks at the size of a pane that prints
_IDLE = 0.5  # the same for one that does not
_LAST = 0.4  # seconds at most for what was printed before a stop
_PAUSE = 0.1  # seconds without output after which nothing is on its way any more

Start = Callable[[Screen], None]
Emit = Callable[[CastEvent], None]


class _Tape:
    def __init__(self, place: Place, pane: PaneRef, emit: Emit, watch: Watch) -> None:
        self.place = place
        self.pane = pane
        self.emit = emit
        self.watch = watch
        self.began = place.clock()
        self.size = (0, 0)
        self.looked = 0.0
        # Output is cut anywhere, also within a character.
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def event(self, code: str, data: str) -> None:
        self.emit(CastEvent(self.place.clock() - self.began, code, data))

    def output(self, data: bytes, final: bool = False) -> None:
        if text := self._decoder.decode(data, final):
            self.event("o", text)

    def check_size(self) -> Operation[None]:
        self.looked = self.place.clock()
        screen = yield from take_screen(self.place, self.pane)
        if screen.size != self.size:
            self.size = screen.size
            self.event("r", f"{screen.width}x{screen.height}")


def record(place: Place, pane: PaneRef, start: Start, emit: Emit) -> Operation[EndReason | None]:
    """Record until the pane ends, the deadline passes or the call is cancelled; return why the pane ended, if it did.

    `start` is called once with the screen at the beginning, which is also the first output; `emit` with each event.
    Raises `PipeInUse`, `UnsupportedCapability`, `PaneNotFound` (...) when it cannot begin.
    """
    watch = yield from open_watch(place, pane, "pipe")
    try:
        tape = _Tape(place, pane, emit, watch)
        yield from _begin(tape, start)
        try:
            return (yield from _run(tape))
        except (DeadlineExceeded, RequestCancelled):
            yield from _drain(tape)
            return None
        finally:
            tape.output(b"", final=True)
    finally:
        yield from close_watch(watch)


def _begin(tape: _Tape, start: Start) -> Operation[None]:
    """Take the screen at a moment when nothing is printed, if there is one; what came before is part of it."""
    screen = yield from take_screen(tape.place, tape.pane)
    for _ in range(_TRIES):
        heard = yield from hear(tape.place, tape.watch, 0.005)
        if not heard.data:
            break
        screen = yield from take_screen(tape.place, tape.pane)
    tape.size = screen.size
    tape.began = tape.looked = tape.place.clock()
    start(screen)
    tape.event("o", repaint(screen))


def _run(tape: _Tape) -> Operation[EndReason | None]:
    while True:
        heard = yield from hear(tape.place, tape.watch, _IDLE)
        if heard.missed or heard.gap:
            # What is lost cannot be replayed; the screen as it is now can.
            tape.event("m", f"{heard.missed} bytes of output were missed")
            tape.event("o", repaint((yield from take_screen(tape.place, tape.pane))))
        tape.output(heard.data)
        if heard.end is not None:
            yield from _ended(tape, heard.end)
            return heard.end
        if not heard.data or tape.place.clock() - tape.looked > _SIZE_EVERY:
            try:
                yield from tape.check_size()
            except PaneNotFound:
                continue  # its end is heard next


def _drain(tape: _Tape) -> Operation[None]:
    """Take what was printed before we were told to stop: it may still be on its way, and not yet be read."""
    until = tape.place.clock() + _LAST
    while (left := until - tape.place.clock()) > 0:
        heard = yield from hear(tape.place, tape.watch, min(_PAUSE, left))
        tape.output(heard.data)
        if heard.end is not None or not heard.data:
            return


def _ended(tape: _Tape, end: EndReason) -> Operation[None]:
    if end != "pane_dead":
        return
    try:
        state = yield from program_state(tape.place, tape.watch)
    except PaneNotFound:
        return
    if state.exit_status is not None:
        tape.event("x", str(state.exit_status))
