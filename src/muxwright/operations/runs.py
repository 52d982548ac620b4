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
    PipeInUse,
    ServerError,
    ServerLost,
    ServerNotRunning,
    StaleReference,
    UnsupportedCapability,
)
from muxwright.model.outcome import RunEnd, RunOutcome, RunState
from muxwright.operations.collected import Collected
from muxwright.operations.echoes import pressing, typing
from muxwright.operations.pipe import pane_state
from muxwright.operations.stage import Lease, Stage
from muxwright.operations.steps import Operation, Pause, Place, Prepare, Reserve, act, bind, guarded_output, output
from muxwright.operations.transcript import screen_output
from muxwright.operations.watch import Heard, Watch, hear, open_watch
from muxwright.refs import PaneRef
from muxwright.shells.frame import SHELLS, Frame, Paths
from muxwright.shells.records import Records, Scanner, read_status
from muxwright.wire.plain_text import plain_text
from muxwright.wire.request import Command, Request

__all__ = ["Options", "Run", "follow", "in_foreground", "look_once", "start_run"]

_KEEP = 1024 * 1024  # bytes that may wait to be read
_CHECK = 0.5  # seconds without output after which the other proofs are looked for
_FIRST_POLL, _LAST_POLL = 0.005, 0.05  # seconds between two looks at the status file
_OTHERS_TURN = 0.02
_ATTEMPTS = 5
_RETURN = 1.0  # seconds that a frame is given to leave the foreground, once the end of its command is proved
_BRIEFLY = 0.005
_PANES = 256
_CLOSED = ("pane_closed", "pane_dead", "server_lost")


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


class Run:
    """One command. While `outcome` is ``None`` it has begun or may begin; the pane is reserved for it so long."""

    def __init__(self, pane: PaneRef, command: str, seen: Situation, place: Place) -> None:
        self.id = place.token()
        self.pane = pane
        self.command = command
        self.pid = seen.pid
        self.seen = seen
        self.outcome: RunEnd | None = None
        self.exit_status: int | None = None
        self.output = Collected()
        self.duration = 0.0
        self.watch: Watch | None = None
        self.stage: Stage | None = None
        self.lease: Lease | None = None
        # Without a reader there is nothing in it; the list is only ever popped and appended to, which threads may do.
        self.turn: list[None] = [None]
        self.records = Records("", "")
        self.frame: Frame | None = None
        self.scanner = Scanner(self.records)
        self.heard = False
        self.next_check = 0.0
        self._clock = place.clock
        self._started = place.clock()

    def arm(self, place: Place, stage: Stage, options: Options) -> None:
        """Write the frame; its records are on the screen where the pane is not heard."""
        dialect = SHELLS[self.seen.command]
        self.heard = self.watch is not None
        self.records = Records(place.token() + place.token(), place.token() + place.token(), visible=not self.heard)
        self.scanner = Scanner(self.records)
        self.frame = Frame(dialect, Paths(stage.directory), self.records, stage.owner, options.keep_state)
        stage.write("frame", self.frame.text(self.command))

    def take(self, heard: Heard) -> None:
        """Take in what the pane has printed."""
        if heard.missed or heard.gap:
            self.output.miss(heard.missed)
            self.output.take(self.scanner.skip(heard.data))
        else:
            self.output.take(self.scanner.feed(heard.data))
        if self.scanner.exit_status is not None:
            self.exit_status = self.scanner.exit_status
            self.finish("completed")

    def read_status(self) -> int | None:
        """Return the exit status that the frame has left in its file."""
        return None if self.stage is None else read_status(self.stage.status(), self.records)

    def lose_watch(self) -> None:
        """Go on without hearing the pane."""
        if self.watch is not None:
            self.watch.release()
            self.watch = None
            self.output.miss(0)

    def finish(self, outcome: RunEnd) -> None:
        """Note how it ended, and give back everything that it holds."""
        if self.outcome is None:
            self.outcome = outcome
            self.duration = self._clock() - self._started
            if outcome == "completed":
                _ENDS.note(self.pane, self.seen, self._clock())
            self.output.take(self.scanner.rest())
            self.output.finish()
        self.close()

    def close(self) -> None:
        """Give back everything; idempotent."""
        if self.watch is not None:
            self.watch.release()
        if self.stage is not None:
            self.stage.remove()
        if self.lease is not None:
            self.lease.release()

    def withdraw(self) -> bool:
        """Prevent it from beginning; ``False`` when it has begun."""
        if self.outcome is None and (self.stage is None or self.stage.claim()):
            self.finish("no_shell")
        return self.outcome is not None

    def result(self, outcome: RunState | None = None) -> RunOutcome[Run]:
        """Return what is known; `outcome` says how the waiting ended where the command has not."""
        text, _ = self.output.since(0)
        if not self.scanner.began and self.outcome != "completed":
            text = plain_text(self.scanner.before)
        return RunOutcome(
            outcome=outcome or self.outcome or "deadline",
            exit_status=self.exit_status,
            output=text,
            bytes=self.output.size,
            truncated=self.output.truncated,
            route="pipe" if self.heard else "poll",
            duration=self.duration if self.outcome else self._clock() - self._started,
            job=self if self.outcome is None else None,
        )


def start_run(
    place: Place, pane: PaneRef, command: str, options: Options, keep: Callable[[Run], object]
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
        run.watch = yield from _watch(place, pane)
        run.arm(place, run.stage, options)
        yield from _type(place, run, options)
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
    while _ENDS.hides(pane, seen, place.clock()):
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
        assert isinstance(answer, Run), "only runs reserve"
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


def _is_over(place: Place, run: Run) -> Operation[bool]:
    """Return whether it is proved that a run is over, whoever waits for it."""
    if run.outcome is not None or run.read_status() is not None:
        return True
    state = yield from pane_state(place, run.pane)
    return state.dead or state.pid != run.pid


def _watch(place: Place, pane: PaneRef) -> Operation[Watch | None]:
    try:
        return (yield from open_watch(place, pane, "pipe", _KEEP))
    except (PipeInUse, UnsupportedCapability):
        return None


def _type(place: Place, run: Run, options: Options) -> Operation[None]:
    assert run.frame is not None
    line = " " * options.suppress_history + run.frame.typed_line
    words = commands.type_line(run.pane.id, line)
    for attempt in range(_ATTEMPTS):
        try:
            with (
                pressing(place, run.pane, ["C-u"]),
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
        run.seen = yield from _look(place, run.pane, options.shared)


def follow(place: Place, run: Run) -> Operation[None]:
    """Wait until it is known how the command ended."""
    pause = _FIRST_POLL
    while run.outcome is None:
        waited = yield from look_once(place, run, _CHECK if run.watch is not None else 0.0)
        if run.outcome is None and not waited:
            yield Pause(pause)
            pause = min(pause * 2, _LAST_POLL)


def look_once(place: Place, run: Run, patience: float) -> Operation[bool]:
    """Take in what there is, after at most `patience` seconds; return whether that was waited for."""
    try:
        run.turn.pop()
    except IndexError:
        # Somebody else is reading.
        yield Pause(_OTHERS_TURN)
        return True
    try:
        if run.watch is not None:
            yield from _hear(place, run, run.watch, patience)
            return True
        yield from _check(place, run)
        return False
    finally:
        run.turn.append(None)


def _hear(place: Place, run: Run, watch: Watch, patience: float) -> Operation[None]:
    heard = yield from hear(place, watch, patience)
    run.take(heard)
    if run.outcome is not None:
        return
    if heard.end is not None:
        run.lose_watch()
        if heard.end in _CLOSED:
            yield from _end(place, run, "pane_closed")
    elif watch.state.pid != run.pid:
        yield from _end(place, run, "pane_closed")
    elif run.output.gap or not heard.data:
        yield from _end(place, run, None)


def _end(place: Place, run: Run, otherwise: RunEnd | None) -> Operation[None]:
    """Finish when the frame's file says so, or else as `otherwise` says."""
    status = run.read_status()
    if status is not None:
        run.exit_status = status
        if not run.heard:
            yield from _read_screen(place, run)
        run.finish("completed")
    elif otherwise is not None:
        run.finish(otherwise)


def _check(place: Place, run: Run) -> Operation[None]:
    """Look for an end without hearing the pane."""
    yield from _end(place, run, None)
    if run.outcome is not None or place.clock() < run.next_check:
        return
    run.next_check = place.clock() + _CHECK
    try:
        state = yield from pane_state(place, run.pane)
    except (NotFound, StaleReference, ServerNotRunning, ServerLost):
        yield from _end(place, run, "pane_closed")
        return
    if state.dead or state.pid != run.pid:
        yield from _end(place, run, "pane_closed")


def _read_screen(place: Place, run: Run) -> Operation[None]:
    """Take the output from the screen and its history."""
    assert run.exit_status is not None
    try:
        text, whole = yield from screen_output(place, run.pane, run.records, run.exit_status)
    except (NotFound, StaleReference, ServerError):
        text, whole = "", False
    run.output.take(text.encode())
    if not whole:
        run.output.miss(0)
