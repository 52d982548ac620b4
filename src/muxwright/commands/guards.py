"""Guards: tmux itself checks who and in which state an object is, in the queue item of the act.

A check that is made earlier proves nothing: the daemon can be replaced, the pane can die, someone can enter copy mode.
So the condition travels with the act, and its report tells the reasons apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from muxwright.errors import (
    MuxwrightError,
    PaneDead,
    PaneInMode,
    PaneInputOff,
    PaneNotFound,
    SessionNotFound,
    StaleReference,
    WindowNotFound,
)
from muxwright.refs import BufferRef, ClientRef, PaneRef, Ref, ServerIdentity, SessionRef, WindowLinkRef, WindowRef
from muxwright.wire.quoting import Words
from muxwright.wire.request import Command, Guard

__all__ = ["ALIVE", "INPUT", "GuardedRef", "Requirement", "guarded", "refused", "server_of"]

GuardedRef = Ref | WindowLinkRef | BufferRef | ClientRef
"""What an act can be bound to."""


class Requirement(NamedTuple):
    """A state that the object must be in: `format` has to expand to `wanted`; else `error` with `message`.

    The expansion must hold no blank. ``{target}`` in the message becomes the object's id.
    """

    format: str
    wanted: str
    error: type[MuxwrightError]
    message: str


_ALIVE = Requirement("#{pane_dead}", "0", PaneDead, "the program in pane {target} has exited; respawn or kill the pane")
_NO_MODE = Requirement(
    "#{pane_in_mode}",
    "0",
    PaneInMode,
    "pane {target} is in a mode, which would take the input; call leave_mode() first",
)
_INPUT_ON = Requirement(
    "#{pane_input_off}", "0", PaneInputOff, "input to pane {target} is switched off (select-pane -d)"
)

ALIVE = (_ALIVE,)
"""The pane's program must not have exited. (tmux 3.3a dies of a paste into a dead pane.)"""

INPUT = (_ALIVE, _NO_MODE, _INPUT_ON)
"""What is typed must reach the program: alive, in no mode, input not switched off."""


class _Identity(NamedTuple):
    """How an object is addressed, and what tmux must say that it is."""

    target: str
    formats: tuple[str, ...]
    wanted: tuple[str, ...]


def _identity(ref: GuardedRef) -> _Identity:
    if isinstance(ref, WindowLinkRef):
        formats = ("#{session_id}", "#{window_index}", "#{window_id}")
        wanted = (str(ref.session.id), str(ref.index), str(ref.window.id))
        return _Identity(f"{ref.session.id}:{ref.index}", formats, wanted)
    if isinstance(ref, BufferRef | ClientRef):
        # No targets: only the server is checked here. Names of buffers are random and not used again; who a client is,
        # `clients.is_client` requires.
        return _Identity("", (), ())
    if isinstance(ref, PaneRef):
        return _Identity(ref.id, ("#{pane_id}",), (ref.id,))
    if isinstance(ref, WindowRef):
        return _Identity(ref.id, ("#{window_id}",), (ref.id,))
    return _Identity(ref.id, ("#{session_id}",), (ref.id,))


def server_of(ref: GuardedRef) -> ServerIdentity:
    """Return the server generation that an object belongs to."""
    return ref.session.server if isinstance(ref, WindowLinkRef) else ref.server


def guarded(words: Words, ref: GuardedRef, state: Sequence[Requirement] = ()) -> Command:
    """Return a command that runs only on the object `ref` of its own server generation, in the state asked for."""
    return Command(words, _guard(ref, tuple(state)))


# One object is usually acted on more than once.
@lru_cache(maxsize=256)
def _guard(ref: GuardedRef, state: tuple[Requirement, ...]) -> Guard:
    pid, start_time = server_of(ref).generation
    target, formats, wanted = _identity(ref)
    found = " ".join(["#{pid} #{start_time}", *formats, *[requirement.format for requirement in state]])
    values = " ".join([f"{pid} {start_time}", *wanted, *[requirement.wanted for requirement in state]])
    return Guard(target.encode(), f"#{{==:{found},{values}}}".encode(), found.encode())


def refused(report: bytes, ref: GuardedRef, state: Sequence[Requirement], command: str) -> MuxwrightError:
    """Return the error that a guard's report stands for; its effects are ``"none"``."""
    wanted = _identity(ref).wanted
    target = str(ref)
    pid, start_time, *found = report.decode("ascii", "replace").split(" ")
    server = server_of(ref)
    if (pid, start_time) != tuple(map(str, server.generation)):
        return StaleReference(
            f"{target} belongs to the tmux server {server.generation}, but {pid}:{start_time} now answers at"
            f" {server.socket_path}; take a new snapshot",
            command=command,
            target=target,
        )
    if tuple(found[: len(wanted)]) != wanted:
        return _gone(ref, target, command)
    for requirement, value in zip(state, found[len(wanted) :], strict=False):
        if value != requirement.wanted:
            return requirement.error(requirement.message.format(target=target), command=command, target=target)
    return MuxwrightError(f"tmux did not do {command} on {target} and did not say why", command=command, target=target)


def _gone(ref: GuardedRef, target: str, command: str) -> MuxwrightError:
    if isinstance(ref, PaneRef):
        return PaneNotFound(f"the pane {target} is gone", command=command, target=target)
    if isinstance(ref, WindowRef):
        return WindowNotFound(f"the window {target} is gone", command=command, target=target)
    if isinstance(ref, SessionRef):
        return SessionNotFound(f"the session {target} is gone", command=command, target=target)
    assert isinstance(ref, WindowLinkRef), "the guard of a buffer or a client names only the server"
    return StaleReference(
        f"the slot {target} no longer holds the window {ref.window.id}; take a new snapshot",
        command=command,
        target=target,
    )
