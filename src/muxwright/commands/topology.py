"""Commands that rearrange what is there: links, moves, swaps, breaks, joins, respawns, clients, pipes."""

from __future__ import annotations

from typing import Literal

from muxwright.commands.create import DIRECTIONS, PRINT, Direction, Program, check_index, size_word
from muxwright.commands.guards import Requirement
from muxwright.commands.names import check_name, text_bytes
from muxwright.errors import AlreadySo, InvalidArgument, LastLink, PipeInUse
from muxwright.refs import PaneId, PaneRef, SessionId, WindowLinkRef, WindowRef
from muxwright.wire.quoting import Words

__all__ = [
    "KEEPS_SESSION",
    "NO_PIPE",
    "break_pane",
    "cycle_layout",
    "link_window",
    "move_pane",
    "move_window",
    "pipe_pane",
    "respawn",
    "rotate_window",
    "swap_panes",
    "swap_windows",
    "unlink_window",
    "zoomed",
]

KEEPS_SESSION = Requirement(
    "#{?#{==:#{session_windows},1},last,more}",
    "more",
    LastLink,
    "{target} is the only window of its session, which would end without it; allow_destroy=True does that",
)
NO_PIPE = Requirement("#{pane_pipe}", "0", PipeInUse, "the output of {target} is piped already; replace=True takes it")


def _target(session: SessionId, index: int | None) -> bytes:
    return f"{session}:{'' if index is None else check_index(index)}".encode()


def _flags(*pairs: tuple[bool, bytes]) -> list[bytes]:
    return [flag for wanted, flag in pairs if wanted]


def link_window(window: WindowRef, session: SessionId, index: int | None, replace: bool, select: bool) -> Words:
    """Return ``link-window``; a taken index is refused unless `replace`, which may destroy the window there."""
    flags = _flags((replace, b"-k"), (not select, b"-d"))
    return (b"link-window", *flags, b"-s", window.id.encode(), b"-t", _target(session, index))


def unlink_window(link: WindowLinkRef, allow_destroy: bool) -> Words:
    """Return ``unlink-window`` for exactly this slot."""
    return (b"unlink-window", *_flags((allow_destroy, b"-k")), b"-t", str(link).encode())


def move_window(link: WindowLinkRef, session: SessionId, index: int | None, replace: bool, select: bool) -> Words:
    """Return ``move-window`` of exactly this slot."""
    flags = _flags((replace, b"-k"), (not select, b"-d"))
    return (b"move-window", *flags, b"-s", str(link).encode(), b"-t", _target(session, index))


def swap_windows(first: WindowLinkRef, second: WindowLinkRef, select: bool) -> Words:
    """Return ``swap-window`` of two slots."""
    flags = _flags((not select, b"-d"))
    return (b"swap-window", *flags, b"-s", str(first).encode(), b"-t", str(second).encode())


def move_pane(
    pane: PaneId, beside: PaneId, direction: Direction, size: int | str | None, full: bool, select: bool
) -> Words:
    """Return ``join-pane``: the pane leaves its window and splits `beside`."""
    if direction not in DIRECTIONS:
        raise InvalidArgument(f"direction is one of {', '.join(DIRECTIONS)}, not {direction!r}")
    flags = [*DIRECTIONS[direction], *_flags((full, b"-f"), (not select, b"-d"))]
    if size is not None:
        flags += [b"-l", size_word(size)]
    return (b"join-pane", *flags, b"-s", pane.encode(), b"-t", beside.encode())


def swap_panes(first: PaneId, second: PaneId, select: bool) -> Words:
    """Return ``swap-pane``; ids and programs stay with the panes."""
    return (b"swap-pane", *_flags((not select, b"-d")), b"-s", first.encode(), b"-t", second.encode())


def break_pane(pane: PaneId, session: SessionId, index: int | None, name: str | None, select: bool) -> Words:
    """Return ``break-pane``: the pane gets a window of its own in `session`."""
    words = [b"break-pane", *_flags((not select, b"-d")), *PRINT, b"-s", pane.encode()]
    if name is not None:
        words += [b"-n", check_name(name)]
    return (*words, b"-t", _target(session, index))


def respawn(ref: WindowRef | PaneRef, kill_running: bool, program: Program) -> Words:
    """Return ``respawn-pane`` or ``respawn-window``."""
    name = b"respawn-pane" if isinstance(ref, PaneRef) else b"respawn-window"
    return (name, *_flags((kill_running, b"-k")), b"-t", ref.id.encode(), *program.options(), *program.argv())


def rotate_window(window: WindowRef, direction: Literal["up", "down"]) -> Words:
    """Return ``rotate-window``: each pane takes the place of the one before (``"up"``) or after it."""
    if direction not in ("up", "down"):
        raise InvalidArgument(f"direction is 'up' or 'down', not {direction!r}")
    return (b"rotate-window", b"-U" if direction == "up" else b"-D", b"-t", window.id.encode())


def cycle_layout(window: WindowRef, direction: Literal["next", "previous"]) -> Words:
    """Return ``next-layout`` or ``previous-layout``."""
    if direction not in ("next", "previous"):
        raise InvalidArgument(f"direction is 'next' or 'previous', not {direction!r}")
    return (f"{direction}-layout".encode(), b"-t", window.id.encode())


def zoomed(wanted: bool) -> Requirement:
    """Return the requirement that the pane's zoom is not yet as wanted: ``resize-pane -Z`` toggles it."""
    return Requirement(
        "#{?#{&&:#{window_zoomed_flag},#{pane_active}},zoomed,plain}",
        "plain" if wanted else "zoomed",
        AlreadySo,
        "{target} is so already",
    )


def pipe_pane(
    pane: PaneId, shell_command: str | None, read_output: bool, write_input: bool, expand_formats: bool
) -> Words:
    """Return ``pipe-pane``; without a command the pipe is closed.

    The command is a line for ``/bin/sh``. Formats and the time's ``%`` are not expanded unless asked for.
    """
    words = (b"pipe-pane", *_flags((read_output, b"-O"), (write_input, b"-I")), b"-t", pane.encode())
    if shell_command is None:
        return words
    if not shell_command:
        raise InvalidArgument("the shell command must not be empty; None closes the pipe")
    if not (read_output or write_input):
        raise InvalidArgument("a pipe needs read_output, write_input or both")
    text = shell_command if expand_formats else shell_command.replace("#", "##").replace("%", "%%")
    return (*words, text_bytes(text, "the shell command"))
