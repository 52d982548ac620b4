"""What has to hold before a command is typed into a pane: asked for, and required once more in the act itself."""

from __future__ import annotations

from typing import NamedTuple

from muxwright.commands.guards import INPUT, Requirement
from muxwright.errors import NotAShell, PaneAttended, PaneSynchronized, RemoteProtocolError
from muxwright.refs import PaneId
from muxwright.shells.frame import SHELLS, Dialect
from muxwright.wire.quoting import Words
from muxwright.wire.rows import decode_rows, decode_text

__all__ = ["CLEARING", "READY", "Situation", "clients", "read_situation", "requirements", "situation", "type_line"]

# How many panes would receive the input, as a run of letters.
_COHORT = "#{?#{pane_synchronized},#{P:#{?#{pane_synchronized},s,}},s}"
# Who looks can change in these; a client cannot be named in a format before 3.4.
_VIEW = "#{window_active_clients}:#{window_zoomed_flag}:#{pane_active}"
_FORMAT = f"#{{q:pane_current_command}} #{{pane_pid}} {_VIEW} #{{window_id}} "
_CLIENT_FORMAT = "#{client_control_mode} #{window_id} "

CLEARING = ("d", "d", "i", "C-u", "C-k", "C-u")
"""The keys that empty the line at a prompt, in whatever state its editor was left.

In vi's command mode ``ddi`` empties it and ends that mode; elsewhere it is text, and goes with the rest. C-u kills what
is before the cursor (or everything), C-k what is behind it; where C-k is text, the second C-u kills that.
"""

READY = (
    *INPUT,
    Requirement(
        _COHORT, "s", PaneSynchronized, "what is typed into {target} reaches other panes too (synchronize-panes)"
    ),
)
"""What is typed reaches the pane's program, and nobody else."""


class Situation(NamedTuple):
    """What was seen of a pane: the program in its foreground, its first program's id, who looks at it."""

    command: str
    pid: int
    view: str
    attended: bool

    @property
    def dialect(self) -> Dialect | None:
        """How the shell is spoken to; ``None`` for a program that is no shell we know."""
        return SHELLS.get(self.command)


def situation(pane: PaneId) -> Words:
    """Return the command that tells what a pane is like."""
    return (b"display-message", b"-p", b"-t", pane.encode(), _FORMAT.encode())


def clients() -> Words:
    """Return the command that tells which windows are looked at."""
    return (b"list-clients", b"-F", _CLIENT_FORMAT.encode())


def read_situation(told: bytes, listed: bytes) -> Situation:
    """Read the answers to `situation` and `clients`."""
    try:
        ((command, pid, view, window),) = decode_rows(told, 4)
        looking = {row[1] for row in decode_rows(listed, 2) if row[0] == b"0"}
        _, zoomed, active = view.split(b":")
        # A zoomed window shows only its active pane. Control clients are programs.
        attended = window in looking and (zoomed == b"0" or active == b"1")
        return Situation(decode_text(command), int(pid or 0), view.decode("ascii"), attended)
    except ValueError as error:
        raise RemoteProtocolError(f"tmux described a pane as {told[:80]!r}") from error


def requirements(seen: Situation, shared: bool) -> tuple[Requirement, ...]:
    """Return what must hold in the queue item of the typing; a known shell was `seen`."""
    shell = Requirement(
        f"#{{?#{{==:#{{pane_current_command}}:#{{pane_pid}},{seen.command}:{seen.pid}}},same,other}}",
        "same",
        NotAShell,
        f"{seen.command} no longer is the program in the foreground of {{target}}",
    )
    unattended = Requirement(
        _VIEW, seen.view, PaneAttended, "who looks at the window of {target} has changed just now; try again"
    )
    return (*READY, shell, *(() if shared else (unattended,)))


def type_line(pane: PaneId, line: str) -> Words:
    """Return the command that types a line at a prompt; what stood there unfinished is dropped."""
    # Not literal text: a program that has asked for special encodings of keys gets them.
    return (b"send-keys", b"-t", pane.encode(), b"--", *map(str.encode, CLEARING), line.encode(), b"Enter")
