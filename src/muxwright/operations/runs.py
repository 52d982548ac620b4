"""One command in the shell of a pane: what is known of it, how it is started, and how its end is proved."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from muxwright.commands import runs as commands
from muxwright.commands.guards import guarded
from muxwright.commands.names import text_bytes
from muxwright.commands.runs import Situation
from muxwright.errors import (
    NotAShell,
    NotFound,
    PaneAttended,
    PaneReserved,
    ServerError,
    ServerLost,
    ServerNotRunning,
    StaleReference,
)
from muxwright.model.outcome import RunEnd
from muxwright.operations.echoes import pressing, typing
from muxwright.operations.pipe import pane_state
from muxwright.operations.stage import Lease, Stage
from muxwright.operations.steps import Operation, Pause, Place, Prepare, Reserve, act, bind, guarded_output, output
from muxwright.operations.transcript import screen_output
from muxwright.operations.watch import Heard, Watch, hear
from muxwright.operations.work import CLOSED, Work, watch_again, watch_pipe
from muxwright.refs import PaneRef
from muxwright.shells.frame import SHELLS, Frame, Paths
from muxwright.shells.records import Records, Scanner, read_status
from muxwright.wire.plain_text import plain_text
from muxwright.wire.request import Command, Request

__all__ = ["Options", "Run", "in_foreground", "start_run"]

_ATTEMPTS = 5
_GRACE = 0.5  # seconds that the closing record is given to arrive once the status file is there
_RETURN = 1.0  # seconds that a frame is given to leave the foreground, once the end of its command is proved
_SETTLE = 0.25  # seconds that a program in the foreground is given to turn out to be a shell
_BRIEFLY = 0.005
_PANES = 256


class Options(NamedTuple):
    """How a command is run: see `Pane.run`."""

    suppress_history: bool = False
    keep_state: bool = False
    shared: bool = False


class _Ends:
    """Which shells have just run a command: for a moment, tmux still sees the frame in front of them, or nothing."""

    def __init__(self) -> None:
        self._panes: dict[PaneRef, tuple[Situation, float]] = {}

    def note(self, pane: PaneRef, seen: Situation, now: float) -> None:
        """Note that a command has ended."""
        self._panes.pop(pane, None)
        self._panes[pane] = (seen, now + _RETURN)
        while len(self._panes) > _PANES:
            del self._panes[next(iter(self._panes))]

    def hides(self, pane: PaneRef, seen: Situation, now: float) -> bool:
        """Return whether a shell is known to be behind what is seen, and will be back at once."""
        before, until = self._panes.get(pane, (seen, now))
        return now < until and before.pid == seen.pid and before.command != seen.command


_ENDS = _Ends()


class Run(Work):
    """One command in the shell of a pane."""

    def __init__(self, pane: PaneRef, command: str, seen: Situation, place: Place) -> None:
        super().__init__(place, pane, command)
        self.seen = seen
        self.records = Records("", "")
        self.frame: Frame | None = None
        self.scanner = Scanner(self.records)
        self._told_at: float | None = None

    def arm(self, place: Place, stage: Stage, options: Options) -> None:
        """Write the frame; its records are on the screen where the pane is not heard."""
        dialect = SHELLS[self.seen.command]
        self.heard = self.watch is not None
        self.records = Records(place.token() + place.token(), place.token() + place.token(), visible=not self.heard)
        self.scanner = Scanner(self.records)
        self.frame = Frame(dialect, Paths(stage.directory), self.records, stage.owner, options.keep_state)
        stage.write("frame", self.frame.text(self.command))

    def read_status(self) -> int | None:
        """Return the exit status that the frame has left in its file."""
        return None if self.stage is None else read_status(self.stage.status(), self.records)

    def finish(self, outcome: RunEnd) -> None:
        if self.outcome is None:
            self.output.take(self.scanner.rest())
        if outcome == "completed":
            _ENDS.note(self.pane, self.seen, self._clock())
        super().finish(outcome)

    def withdraw(self) -> bool:
        if self.outcome is None and (self.stage is None or self.stage.claim()):
            self.finish("no_shell")
        return self.outcome is not None

    def text(self) -> str:
        if not self.scanner.began and self.outcome != "completed":
            return plain_text(self.scanner.before)
        return super().text()

    def hear(self, place: Place, watch: Watch, patience: float) -> Operation[None]:
        heard = yield from hear(place, watch, patience)
        self._take(heard)
        if self.scanner.exit_status is not None:
            self.exit_status = self.scanner.exit_status
            self.finish("completed")
        elif heard.end is not None:
            self.lose_watch()
            if heard.end in CLOSED:
                yield from self._end(place, "pane_closed")
            elif heard.end == "stalled":
                self.watch = yield from watch_again(place, self.pane)
        elif watch.state.pid != self.seen.pid:
            yield from self._end(place, "pane_closed")
        elif self.output.gap or not heard.data:
            yield from self._end_without_record(place)

    def _end_without_record(self, place: Place) -> Operation[None]:
        """Finish when the frame's file has said so for a while, and the closing record has not come: it is lost."""
        if self.read_status() is None:
            return
        if self._told_at is None:
            self._told_at = place.clock()
        elif place.clock() - self._told_at > _GRACE:
            yield from self._end(place, None)

    def _take(self, heard: Heard) -> None:
        if heard.missed or heard.gap:
            self.output.miss(heard.missed)
            self.output.take(self.scanner.skip(heard.data))
        else:
            self.output.take(self.scanner.feed(heard.data))

    def check(self, place: Place) -> Operation[None]:
        yield from self._end(place, None)
        if self.outcome is not None or not self.due(place.clock()):
            return
        try:
            state = yield from pane_state(place, self.pane)
        except (NotFound, StaleReference, ServerNotRunning, ServerLost):
            yield from self._end(place, "pane_closed")
            return
        if state.dead or state.pid != self.seen.pid:
            yield from self._end(place, "pane_closed")

    def _end(self, place: Place, otherwise: RunEnd | None) -> Operation[None]:
        """Finish when the frame's file says so, or else as `otherwise` says."""
        self.exit_status = self.read_status()
        if self.exit_status is not None:
            if self.heard:
                self.output.miss(0)
            else:
                yield from self._read_screen(place, self.exit_status)
            self.finish("completed")
        elif otherwise is not None:
            self.finish(otherwise)

    def _read_screen(self, place: Place, exit_status: int) -> Operation[None]:
        """Take the output from the screen and its history."""
        try:
            text, whole = yield from screen_output(place, self.pane, self.records, exit_status)
        except (NotFound, StaleReference, ServerError):
            text, whole = "", False
        if not whole:
            self.output.miss(0)
        self.output.take(text.encode())


def start_run(
    place: Place, pane: PaneRef, command: str, options: Options, keep: Callable[[Work], object]
) -> Operation[Run]:
    """Type a command into the shell of a pane. What can be known is refused before: then nothing was typed.

    `keep`: gets a run that has begun although its start failed.
    """
    text_bytes(command, "the command")
    bind(place, pane)
    seen = yield from _look(place, pane, options.shared)
    run = Run(pane, command, seen, place)
    yield from _reserve(place, run)
    try:
        run.stage = yield Prepare()
        run.watch = yield from watch_pipe(place, pane)
        run.arm(place, run.stage, options)
        yield from _type(place, run, run.stage, options)
    except BaseException:
        # Where it is not known whether the line was typed, the claim decides; a run that has begun keeps its pane.
        if not run.withdraw():
            keep(run)
        raise
    return run


def _situation(place: Place, pane: PaneRef) -> Operation[Situation]:
    words = commands.situation(pane.id)
    told, listed = yield Request((guarded(words, pane, commands.READY), Command(commands.clients())))
    return commands.read_situation(guarded_output(told, pane, words, commands.READY), output(listed, "list-clients"))


def in_foreground(place: Place, run: Run) -> Operation[bool]:
    """Return whether the shell that was typed into is the program in the foreground of its pane."""
    seen = yield from _situation(place, run.pane)
    return (seen.command, seen.pid) == (run.seen.command, run.seen.pid)


def _look(place: Place, pane: PaneRef, shared: bool) -> Operation[Situation]:
    """Return what is in the pane; refuse what no command can be typed into."""
    seen = yield from _situation(place, pane)
    until = place.clock() + _SETTLE
    # A program that has just been started is not yet known by its name; a frame that has ended is still in front.
    while (seen.dialect is None and place.clock() < until) or _ENDS.hides(pane, seen, place.clock()):
        yield Pause(_BRIEFLY)
        seen = yield from _situation(place, pane)
    if seen.dialect is None:
        raise NotAShell(
            f"the program in the foreground of {pane} is {seen.command!r}, no shell that is known"
            f" ({', '.join(sorted(SHELLS))}); use spawn() for other programs",
            target=str(pane),
        )
    if seen.attended and not shared:
        raise PaneAttended(f"a person is looking at {pane}; shared=True types there all the same", target=str(pane))
    return seen


def _reserve(place: Place, run: Run) -> Operation[None]:
    answer = yield Reserve(run.pane, run)
    if not isinstance(answer, Lease):
        assert isinstance(answer, Work), "nothing else reserves panes"
        if (yield from _is_over(place, answer)) and answer.lease is not None:
            answer.lease.release()
        else:
            raise PaneReserved(
                f"{run.pane} is reserved: the command {answer.command[:80]!r} (job {answer.id}) is not over;"
                " wait for it, interrupt it, or respawn the pane",
                target=str(run.pane),
            )
        answer = yield Reserve(run.pane, run)
    if not isinstance(answer, Lease):
        raise PaneReserved(f"{run.pane} was reserved by another call just now", target=str(run.pane))
    run.lease = answer


def _is_over(place: Place, work: Work) -> Operation[bool]:
    """Return whether it is proved that a run is over, whoever waits for it."""
    if work.outcome is not None:
        return True
    if not isinstance(work, Run):
        return False
    if work.read_status() is not None:
        return True
    state = yield from pane_state(place, work.pane)
    return state.dead or state.pid != work.seen.pid


def _type(place: Place, run: Run, stage: Stage, options: Options) -> Operation[None]:
    for attempt in range(_ATTEMPTS):
        assert run.frame is not None, "it was armed"
        line = " " * options.suppress_history + run.frame.typed_line
        words = commands.type_line(run.pane.id, line)
        try:
            with (
                pressing(place, run.pane, commands.CLEARING),
                typing(place, run.pane, line),
                pressing(place, run.pane, ["Enter"]),
            ):
                yield from act(place, run.pane, words, commands.requirements(run.seen, options.shared))
            return
        except (NotAShell, PaneAttended):
            if attempt == _ATTEMPTS - 1:
                raise
        # Between two programs tmux has no name, or who looks has changed; nothing was typed.
        yield Pause(_BRIEFLY)
        again = yield from _look(place, run.pane, options.shared)
        if again.pid != run.seen.pid:
            raise NotAShell(f"{run.pane} was respawned just now; try again", target=str(run.pane))
        run.seen = again
        run.arm(place, stage, options)
