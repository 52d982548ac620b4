"""Make sessions, windows and panes; the new refs come from the creating command's own answer."""

from __future__ import annotations

from typing import NamedTuple

from muxwright.commands import create
from muxwright.commands.create import Created, Direction, Program, read_created
from muxwright.commands.guards import guarded
from muxwright.errors import NoSpace
from muxwright.operations.steps import Operation, Place, act, output
from muxwright.refs import PaneRef, ServerIdentity, SessionRef, WindowRef
from muxwright.wire.request import Command, Request

__all__ = ["CreatedRefs", "created_refs", "new_session", "new_window", "split"]


class CreatedRefs(NamedTuple):
    """The refs of what a creating command made, and of what it made it in."""

    session: SessionRef
    window: WindowRef
    pane: PaneRef


def created_refs(place: Place, created: Created) -> CreatedRefs:
    server = ServerIdentity(place.socket_path, created.generation)
    return CreatedRefs(
        SessionRef(server, created.session), WindowRef(server, created.window), PaneRef(server, created.pane)
    )


def new_session(
    place: Place, name: str | None, size: tuple[int, int], window_name: str | None, program: Program
) -> Operation[CreatedRefs]:
    """Make a detached session with one window and one pane."""
    words = create.new_session(name, size, window_name, program)
    (section,) = yield Request((Command(words),), starts_server=True)
    return created_refs(place, read_created(output(section, "new-session", name), "new-session"))


def new_window(
    place: Place, session: SessionRef, index: int | None, name: str | None, select: bool, program: Program
) -> Operation[CreatedRefs]:
    """Make a window in exactly this session."""
    words = create.new_window(session.id, index, name, select, program)
    text = yield from act(place, session, words)
    return created_refs(place, read_created(text, "new-window"))


def split(
    place: Place,
    pane: PaneRef,
    direction: Direction,
    size: int | str | None,
    full: bool,
    select: bool,
    program: Program,
) -> Operation[CreatedRefs]:
    """Split exactly this pane; a window without room gives `NoSpace` with the sizes."""
    words = create.split_window(pane.id, direction, size, full, select, program)
    try:
        text = yield from act(place, pane, words)
    except NoSpace as error:
        raise (yield from _no_space(pane, error)) from None
    return created_refs(place, read_created(text, "split-window"))


def _no_space(pane: PaneRef, error: NoSpace) -> Operation[NoSpace]:
    """Return the error with the sizes that explain it."""
    sizes = b"#{pane_width}x#{pane_height}, its window #{window_width}x#{window_height} with #{window_panes} panes"
    (section,) = yield Request((guarded((b"display-message", b"-p", b"-t", pane.id.encode(), sizes), pane),))
    if section.status != "done":
        return error
    return NoSpace(
        f"no room to split pane {pane.id}: it is {section.text.decode('ascii', 'replace')};"
        " resize the window, or apply the layout 'tiled' between splits",
        command=error.command,
        target=error.target,
        diagnostic=error.diagnostic,
    )
