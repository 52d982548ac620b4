"""Guards: tmux itself checks who and in which state an object is, in the queue item of the act.

A check that is made earlier proves nothing: the daemon can be replaced, the pane can die, someone can enter copy mode.
So the condition travels with the act, and its report tells the reasons apart.
"""

from __future__ import annotations

from collections.abc import Sequence

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
from muxwright.refs import PaneRef, Ref, SessionRef, WindowRef
from muxwright.wire.quoting import Words
from muxwright.wire.request import Command, Guard

__all__ = ["ALIVE", "INPUT", "guarded", "refused"]

ALIVE = ("pane_dead",)
"""The pane's program must not have exited. (tmux 3.3a dies of a paste into a dead pane.)"""

INPUT = ("pane_dead", "pane_in_mode", "pane_input_off")
"""What is typed must reach the program: alive, in no mode, input not switched off."""

_ID_VARIABLE = {PaneRef: "pane_id", WindowRef: "window_id", SessionRef: "session_id"}
_NOT_FOUND = {PaneRef: PaneNotFound, WindowRef: WindowNotFound, SessionRef: SessionNotFound}


def guarded(words: Words, ref: Ref, state: Sequence[str] = ()) -> Command:
    """Return a command that runs only on the object `ref` of its own server generation.

    `state` are flags (format variables) that must all be 0, such as `INPUT`.
    """
    pid, start_time = ref.server.generation
    target = ref.id.encode()
    variables = ["pid", "start_time", _ID_VARIABLE[type(ref)], *state]
    found = " ".join([f"#{{{variable}}}" for variable in variables])
    wanted = f"{pid} {start_time} {ref.id}" + " 0" * len(state)
    return Command(words, Guard(target, f"#{{==:{found},{wanted}}}".encode(), found.encode()))


def refused(report: bytes, ref: Ref, state: Sequence[str], command: str) -> MuxwrightError:
    """Return the error that a guard's report stands for; its effects are ``"none"``."""
    pid, start_time, found_id, *flags = report.decode("ascii", "replace").split(" ")
    target = str(ref.id)
    if (pid, start_time) != tuple(map(str, ref.server.generation)):
        return StaleReference(
            f"{target} belongs to the tmux server {ref.server.generation}, but {pid}:{start_time} now answers at"
            f" {ref.server.socket_path}; take a new snapshot",
            command=command,
            target=target,
        )
    if found_id != target:
        kind = type(ref.id).kind
        return _NOT_FOUND[type(ref)](f"the {kind} {target} is gone", command=command, target=target)
    values = dict(zip(state, flags, strict=False))
    if values.get("pane_dead", "0") not in ("0", ""):
        return PaneDead(
            f"the program in pane {target} has exited; respawn or kill the pane", command=command, target=target
        )
    if values.get("pane_in_mode", "0") != "0":
        return PaneInMode(
            f"pane {target} is in a mode, which would take the input; call leave_mode() first",
            command=command,
            target=target,
        )
    return PaneInputOff(f"input to pane {target} is switched off (select-pane -d)", command=command, target=target)
