"""Rearrange what is there; ids and programs stay, and what would end something is refused unless asked for."""

from __future__ import annotations

import contextlib
from typing import Literal

from muxwright.commands import topology
from muxwright.commands.create import PRINT, Direction, Program, read_created
from muxwright.commands.guards import guarded
from muxwright.errors import AlreadySo
from muxwright.operations.create import CreatedRefs, created_refs
from muxwright.operations.steps import Operation, Place, act, bind, guarded_output
from muxwright.refs import PaneRef, SessionRef, WindowLinkRef, WindowRef
from muxwright.wire.request import Request

__all__ = [
    "break_pane",
    "clear_history",
    "cycle_layout",
    "link_window",
    "move_pane",
    "move_window",
    "pipe_pane",
    "respawn",
    "rotate_panes",
    "select_link",
    "set_zoom",
    "swap_panes",
    "swap_windows",
    "unlink_window",
]


def select_link(place: Place, link: WindowLinkRef) -> Operation[None]:
    """Make exactly this slot the current window of its session."""
    yield from act(place, link, (b"select-window", b"-t", str(link).encode()))


def link_window(
    place: Place, window: WindowRef, session: SessionRef, index: int | None, replace: bool, select: bool
) -> Operation[None]:
    """Link a window into a session, at the next free index or at exactly this one."""
    bind(place, window, session)
    yield from act(place, window, topology.link_window(window, session.id, index, replace, select))


def unlink_window(place: Place, link: WindowLinkRef, allow_destroy: bool) -> Operation[None]:
    """Remove one slot; the last one of its window or of its session only if that may end them."""
    state = () if allow_destroy else (topology.KEEPS_SESSION,)
    yield from act(place, link, topology.unlink_window(link, allow_destroy), state)


def move_window(
    place: Place,
    link: WindowLinkRef,
    session: SessionRef,
    index: int | None,
    replace: bool,
    select: bool,
    allow_destroy: bool,
) -> Operation[None]:
    """Move one slot to another session or index; the only window of a session only if that may end the session."""
    bind(place, link, session)
    leaves = session.id != link.session.id and not allow_destroy
    words = topology.move_window(link, session.id, index, replace, select)
    yield from act(place, link, words, (topology.KEEPS_SESSION,) if leaves else ())


def swap_windows(place: Place, first: WindowLinkRef, second: WindowLinkRef, select: bool) -> Operation[None]:
    """Swap the windows of two slots."""
    bind(place, first, second)
    yield from act(place, first, topology.swap_windows(first, second, select), (topology.holds(second),))


def move_pane(
    place: Place,
    pane: PaneRef,
    beside: PaneRef,
    direction: Direction,
    size: int | str | None,
    full: bool,
    select: bool,
    allow_destroy: bool,
) -> Operation[None]:
    """Move a pane beside another one; the only pane of any session only if that may end the session."""
    bind(place, pane, beside)
    words = topology.move_pane(pane.id, beside.id, direction, size, full, select)
    yield from act(place, pane, words, () if allow_destroy else (topology.pane_keeps_sessions(pane.id),))


def swap_panes(place: Place, first: PaneRef, second: PaneRef, select: bool) -> Operation[None]:
    """Swap two panes, of one window or of two."""
    bind(place, first, second)
    yield from act(place, first, topology.swap_panes(first.id, second.id, select))


def break_pane(
    place: Place,
    pane: PaneRef,
    session: SessionRef,
    index: int | None,
    name: str | None,
    select: bool,
    allow_destroy: bool,
) -> Operation[CreatedRefs]:
    """Give a pane a window of its own; the only pane of another session only if that may end the session."""
    bind(place, pane, session)
    words = topology.break_pane(pane.id, session.id, index, name, select)
    where = (b"display-message", b"-p", b"-t", pane.id.encode(), PRINT[-1])
    state = () if allow_destroy else (topology.pane_keeps_session(session.id),)
    # Asked for afterwards: of the only pane of a window, older versions print nothing.
    broken, answer = yield Request((guarded(words, pane, state), guarded(where, pane)))
    guarded_output(broken, pane, words, state)
    return created_refs(place, read_created(guarded_output(answer, pane, where), "break-pane"))


def respawn(place: Place, ref: WindowRef | PaneRef, kill_running: bool, program: Program) -> Operation[None]:
    """Start a program again in a pane (or in a window, which keeps one pane); a running one is protected."""
    yield from act(place, ref, topology.respawn(ref, kill_running, program))


def rotate_panes(place: Place, window: WindowRef, direction: Literal["up", "down"]) -> Operation[None]:
    """Rotate the panes of a window through its places."""
    yield from act(place, window, topology.rotate_window(window, direction))


def cycle_layout(place: Place, window: WindowRef, direction: Literal["next", "previous"]) -> Operation[None]:
    """Apply the next or the previous preset layout."""
    yield from act(place, window, topology.cycle_layout(window, direction))


def set_zoom(place: Place, pane: PaneRef, zoom: bool) -> Operation[bool]:
    """Zoom a pane or not; return whether anything changed. Test and toggle are one queue item."""
    bind(place, pane)
    target = (b"-Z", b"-t", pane.id.encode())
    # A pane takes the zoom of another one over by becoming the active one: `resize-pane -Z` would end it.
    acts = [((b"resize-pane", *target), topology.zoomed(zoom))]
    if zoom:
        acts.append(((b"select-pane", *target), topology.ZOOMED_OTHER))
    sections = yield Request(tuple([guarded(words, pane, (state,)) for words, state in acts]))
    changed = False
    for section, (words, state) in zip(sections, acts, strict=True):
        with contextlib.suppress(AlreadySo):
            guarded_output(section, pane, words, (state,))
            changed = True
    return changed


def clear_history(place: Place, pane: PaneRef) -> Operation[None]:
    """Drop the lines that have scrolled out of a pane."""
    yield from act(place, pane, (b"clear-history", b"-t", pane.id.encode()))


def pipe_pane(
    place: Place,
    pane: PaneRef,
    shell_command: str | None,
    *,
    read_output: bool,
    write_input: bool,
    replace: bool,
    expand_formats: bool,
) -> Operation[None]:
    """Pipe a pane through a shell command, or close its pipe; an existing pipe is protected in the same queue item."""
    words = topology.pipe_pane(pane.id, shell_command, read_output, write_input, expand_formats)
    protected = shell_command is not None and not replace
    yield from act(place, pane, words, (topology.NO_PIPE,) if protected else ())
