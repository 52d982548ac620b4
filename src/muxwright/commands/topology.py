"""Commands that rearrange what is there: links, moves, swaps, breaks, joins, respawns, clients, pipes."""

from __future__ import annotations

from typing import Literal

from muxwright.commands.create import DIRECTIONS, Direction, Program, check_index, size_word
from muxwright.commands.guards import Requirement
from muxwright.commands.names import check_name, format_literal, text_bytes
from muxwright.errors import AlreadySo, InvalidArgument, LastLink, PipeInUse, StaleReference
from muxwright.refs import PaneId, PaneRef, SessionId, WindowLinkRef, WindowRef
from muxwright.wire.quoting import Words

__all__ = [
    "KEEPS_SESSION",
    "NO_PIPE",
    "ZOOMED_OTHER",
    "break_pane",
    "cycle_layout",
    "holds",
    "link_window",
    "move_pane",
    "move_window",
    "pane_keeps_session",
    "pane_keeps_sessions",
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
TIME_LIMIT = 8191
"""Bytes that tmux can expand where it expands the time too."""

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
    """Return ``swap-window`` of two slots; other than its manual says, ``-d`` is what selects the second one."""
    flags = _flags((select, b"-d"))
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


_ONLY_PANE = "{target} is the only pane of {whose}, which would end without it; allow_destroy=True does that"


def pane_keeps_sessions(pane: PaneId) -> Requirement:
    """Return the requirement that every session that shows the pane shows another pane too.

    With its only pane a window ends, in all sessions that it is linked into, not only in the one tmux would look at.
    """
    # The id without its %: in a loop `display-message`, which reports, would take that for a part of the time.
    this = f"#{{==:#{{s/^.//:pane_id}},{pane.removeprefix('%')}}}"
    others = f"#{{W:#{{?#{{&&:#{{==:#{{window_panes}},1}},{this}}},,other}}}}"
    return Requirement(
        f"#{{?#{{S:#{{?{others},,ends}}}},last,more}}",
        "more",
        LastLink,
        _ONLY_PANE.replace("{whose}", "a session"),
    )


def pane_keeps_session(goes_to: SessionId) -> Requirement:
    """Return the requirement that the pane is not the only one of its session, unless it goes to just that session.

    For a break: a window with one pane goes along, and only the session that tmux breaks it out of loses it.
    """
    alone = "#{&&:#{==:#{window_panes},1},#{==:#{session_windows},1}}"
    return Requirement(
        f"#{{?#{{&&:{alone},#{{!=:#{{session_id}},{goes_to}}}}},last,more}}",
        "more",
        LastLink,
        _ONLY_PANE.replace("{whose}", "its session"),
    )


def swap_panes(first: PaneId, second: PaneId, select: bool) -> Words:
    """Return ``swap-pane``; ids and programs stay with the panes."""
    return (b"swap-pane", *_flags((not select, b"-d")), b"-s", first.encode(), b"-t", second.encode())


def break_pane(pane: PaneId, session: SessionId, index: int | None, name: str | None, select: bool) -> Words:
    """Return ``break-pane``: the pane gets a window of its own in `session`."""
    words = [b"break-pane", *_flags((not select, b"-d")), b"-s", pane.encode()]
    if name is not None:
        check_name(name)
        words += [b"-n", name.encode()]  # no format here
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


_ZOOM = "#{?#{==:#{window_panes},1},alone,#{?#{window_zoomed_flag},#{?#{pane_active},zoomed,other},plain}}"


def zoomed(wanted: bool) -> Requirement:
    """Return the requirement that ``resize-pane -Z``, which toggles, would zoom the pane, or would not any more."""
    return Requirement(_ZOOM, "plain" if wanted else "zoomed", AlreadySo, "{target} is so already")


ZOOMED_OTHER = Requirement(_ZOOM, "other", AlreadySo, "no other pane than {target} is zoomed")


def holds(link: WindowLinkRef) -> Requirement:
    """Return the requirement that another slot than the guarded one still holds its window."""
    slot = f"#{{W:#{{?#{{==:#{{window_index}},{link.index}}},#{{window_id}},}}}}"
    return Requirement(
        f"#{{S:#{{?#{{==:#{{session_id}},{link.session.id}}},{slot},}}}}",
        link.window.id,
        StaleReference,
        f"the slot {link} no longer holds the window {link.window.id}; take a new snapshot",
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
    text = shell_command if expand_formats else format_literal(shell_command).replace("%", "%%")
    data = text_bytes(text, "the shell command")
    if b"%" in data and len(data) - data.count(b"%%") > TIME_LIMIT:
        raise InvalidArgument(
            f"a shell command with a % has at most {TIME_LIMIT} bytes, beyond which tmux runs nothing; use a script"
        )
    return (*words, data)
