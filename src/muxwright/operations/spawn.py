"""Any program in a pane of its own, its end proved by tmux itself (``remain-on-exit``); no shell is left in between.

A gate holds the program back: `sh` waits at a fifo and then replaces itself by the program. Meanwhile the pane is told
to remain, and is heard. When the program has ended, its pane is killed, which lets the rest of the output through.
"""

from __future__ import annotations

from typing import NamedTuple

from muxwright.commands.create import DEFAULT_SIZE, Program
from muxwright.commands.guards import guarded
from muxwright.errors import InvalidArgument, NotFound, ServerError, StaleReference
from muxwright.operations.change import kill
from muxwright.operations.create import CreatedRefs, new_session, new_window
from muxwright.operations.feed import Received
from muxwright.operations.stage import Lease, Stage
from muxwright.operations.steps import Operation, Pause, Place, Prepare, Receive, Reserve, act, guarded_output
from muxwright.operations.terminal import capture
from muxwright.operations.watch import Watch, hear
from muxwright.operations.work import CLOSED, Work, watch_again, watch_pipe
from muxwright.refs import PaneRef, SessionRef
from muxwright.wire.request import Request

__all__ = ["Spawned", "start_program"]

_GATE = 'read -r go < "$1" && shift && exec "$@"'
_LOOK = 0.01
_TRIES = 200
_NUDGE_EACH = 5
_UNKNOWN = 20  # looks after which a tmux that does not tell the time of death has no status to tell either
_REST = 2.0  # seconds that the rest of the output is waited for


class _Death(NamedTuple):
    """What tmux knows of the end of a pane's program; `known`: all that it will ever know."""

    dead: bool
    exit_status: int | None
    signal: str | None
    known: bool


_DEATH = "#{pane_dead} #{pane_dead_status} #{pane_dead_signal} #{pane_dead_time}"


def _death(place: Place, pane: PaneRef) -> Operation[_Death]:
    words = (b"display-message", b"-p", b"-t", pane.id.encode(), _DEATH.encode())
    (section,) = yield Request((guarded(words, pane),))
    dead, status, signal, time = guarded_output(section, pane, words).decode("ascii", "replace").split(" ")
    known = bool(status or signal or time)
    return _Death(dead == "1", int(status) if status else None, signal or None, known)


class Spawned(Work):
    """A program in a pane of its own."""

    def withdraw(self) -> bool:
        return self.outcome is not None

    def hear(self, place: Place, watch: Watch, patience: float) -> Operation[None]:
        heard = yield from hear(place, watch, patience)
        if heard.missed or heard.gap:
            self.output.miss(heard.missed)
        self.output.take(heard.data)
        if heard.end in CLOSED:
            yield from self._end(place)
        elif heard.end is not None:
            self.lose_watch()
            if heard.end == "stalled":
                self.watch = yield from watch_again(place, self.pane)

    def check(self, place: Place) -> Operation[None]:
        if self.due(place.clock()):
            yield from self._end(place)

    def _end(self, place: Place) -> Operation[None]:
        """Finish if the program has ended."""
        try:
            death = yield from self._await_status(place)
            if death is None:
                return
            if not self.heard:
                text = yield from capture(place, self.pane, start="history", join_wrapped=True)
                self.output.take(text.data)
            self.exit_status, self.signal = death.exit_status, death.signal
            yield from kill(place, self.pane)
            yield from self._hear_rest()
        except (NotFound, StaleReference, ServerError):
            self.finish("pane_closed")
        else:
            self.finish("completed")

    def _await_status(self, place: Place) -> Operation[_Death | None]:
        """Return how the program has ended; ``None`` while it runs.

        A tmux that has missed the end of a child looks for it when the next child ends. So it gets one: a format's
        command that does nothing.
        """
        death = yield from _death(place, self.pane)
        for attempt in range(_TRIES):
            if not death.dead:
                return None
            if death.known or attempt == _UNKNOWN:
                break
            if attempt % _NUDGE_EACH == 0:
                words = (b"display-message", b"-p", f"#(: {place.token()})".encode())
                yield from act(place, self.pane, words)
            yield Pause(_LOOK)
            death = yield from _death(place, self.pane)
        return death

    def _hear_rest(self) -> Operation[None]:
        """Take what is on its way; with the pane gone, it ends."""
        while self.watch is not None and self.watch.feed is not None:
            received: Received = yield Receive(self.watch.feed, _REST)
            if received.missed:
                self.output.miss(received.missed)
            self.output.take(received.data)
            if received.ended:
                return
            if not received.data and not received.exited:
                self.output.miss(0)
                return


def start_program(
    place: Place, argv: Program, session: SessionRef | None, size: tuple[int, int] | None
) -> Operation[Spawned]:
    """Start a program in a new window of `session`, or in a new session."""
    if argv.command is None:
        raise InvalidArgument("no program was given: expected a list of program and arguments")
    argv.argv()
    stage: Stage = yield Prepare()
    spawned: Spawned | None = None
    try:
        gated = argv._replace(command=["/bin/sh", "-c", _GATE, "muxwright", stage.gate(), *argv.command])
        refs = yield from _make(place, session, size or DEFAULT_SIZE, gated)
        spawned = Spawned(place, refs.pane, " ".join(argv.command))
        spawned.stage = stage
        lease = yield Reserve(refs.pane, spawned)
        assert isinstance(lease, Lease), "the pane is new"
        spawned.lease = lease
        remain = (b"set-option", b"-p", b"-t", refs.pane.id.encode(), b"remain-on-exit", b"on")
        yield from act(place, refs.pane, remain)
        spawned.watch = yield from watch_pipe(place, refs.pane)
        spawned.heard = spawned.watch is not None
        stage.open_gate()
    except GeneratorExit:
        stage.remove()
        raise
    except BaseException:
        # Shut for ever, the gate lets the program never begin.
        stage.remove()
        if spawned is not None:
            spawned.close()
            yield from _remove(place, spawned)
        raise
    return spawned


def _make(place: Place, session: SessionRef | None, size: tuple[int, int], program: Program) -> Operation[CreatedRefs]:
    if session is None:
        return (yield from new_session(place, None, size, None, program))
    return (yield from new_window(place, session, None, None, False, program))


def _remove(place: Place, spawned: Spawned) -> Operation[None]:
    try:
        yield from kill(place, spawned.pane)
    except (NotFound, StaleReference, ServerError):
        return
