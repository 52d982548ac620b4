"""Change what is there: rename, select, resize, lay out, kill. Each act is guarded in its own queue item."""

from __future__ import annotations

from muxwright.commands.create import check_cells
from muxwright.commands.names import check_name, check_session_name, check_title
from muxwright.errors import InvalidArgument
from muxwright.operations.steps import Operation, Place, act, bind, server_version
from muxwright.refs import PaneRef, Ref, SessionRef, WindowRef
from muxwright.wire.layout import check_layout

__all__ = [
    "kill",
    "rename_session",
    "rename_window",
    "resize",
    "select_layout",
    "select_pane",
    "select_window",
    "set_title",
]

_KILL = {SessionRef: b"kill-session", WindowRef: b"kill-window", PaneRef: b"kill-pane"}
_RESIZE = {WindowRef: b"resize-window", PaneRef: b"resize-pane"}


def kill(place: Place, ref: Ref) -> Operation[None]:
    """Kill exactly this session, window or pane."""
    yield from act(place, ref, (_KILL[type(ref)], b"-t", ref.id.encode()))


def rename_session(place: Place, ref: SessionRef, name: str) -> Operation[None]:
    """Rename a session; a name in use gives `AlreadyExists`."""
    yield from act(place, ref, (b"rename-session", b"-t", ref.id.encode(), b"--", check_session_name(name)))


def rename_window(place: Place, ref: WindowRef, name: str) -> Operation[None]:
    """Rename a window, which also switches its automatic rename off."""
    yield from act(place, ref, (b"rename-window", b"-t", ref.id.encode(), b"--", check_name(name)))


def set_title(place: Place, ref: PaneRef, title: str) -> Operation[None]:
    """Set a pane's title; its program may set another at any time."""
    yield from act(place, ref, (b"select-pane", b"-t", ref.id.encode(), b"-T", check_title(title)))


def select_pane(place: Place, ref: PaneRef) -> Operation[None]:
    """Make a pane the active one of its window."""
    yield from act(place, ref, (b"select-pane", b"-t", ref.id.encode()))


def select_window(place: Place, ref: WindowRef, session: SessionRef | None) -> Operation[None]:
    """Make a window the current one of `session`, or of the session that tmux considers its own."""
    target = ref.id.encode()
    if session is not None:
        bind(place, ref, session)
        target = session.id.encode() + b":" + target
    yield from act(place, ref, (b"select-window", b"-t", target))


def resize(place: Place, ref: WindowRef | PaneRef, width: int | None, height: int | None) -> Operation[None]:
    """Resize a window or a pane, in cells; tmux gives what the layout allows."""
    if width is None and height is None:
        raise InvalidArgument("give width, height or both, in cells")
    words = [_RESIZE[type(ref)], b"-t", ref.id.encode()]
    if width is not None:
        words += [b"-x", b"%d" % check_cells(width, "width")]
    if height is not None:
        words += [b"-y", b"%d" % check_cells(height, "height")]
    yield from act(place, ref, words)


def select_layout(place: Place, ref: WindowRef, layout: str) -> Operation[None]:
    """Lay out a window's panes; some layouts kill some versions of tmux, so only a proved one is sent."""
    bind(place, ref)
    version = yield from server_version(place)
    checked = check_layout(layout, version)
    yield from act(place, ref, (b"select-layout", b"-t", ref.id.encode(), checked.encode()))
