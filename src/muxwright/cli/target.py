"""Which server and which pane a verb is about: the options that they share."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple, TypeVar

import click

from muxwright import InvalidArgument, Pane, PaneNotFound, Server, SessionInfo, Snapshot, Window, WindowNotFound

__all__ = ["Target", "find", "server_options"]

F = TypeVar("F", bound=Callable[..., Any])
TIMEOUT = 5.0

_PLACE = re.compile(r"(?P<session>[^:]+)(?::(?P<window>[0-9]+)(?:\.(?P<pane>[0-9]+))?)?")


def server_options(function: F) -> F:
    """Add -S, -L and --tmux, as tmux has them, and pass `server` in their place."""

    @click.option("-S", "--socket", metavar="PATH", help="The server's socket.")
    @click.option("-L", "--socket-name", metavar="NAME", help="The same by name. Default: the server tmux would take.")
    @click.option("--tmux", envvar="MUXWRIGHT_TMUX", default="tmux", metavar="FILE", help="The tmux to run.")
    @wraps(function)
    def inner(*args: Any, socket: str | None, socket_name: str | None, tmux: str, **options: Any) -> Any:
        if socket is None and socket_name is None:
            server = Server.from_env(tmux=tmux, timeout=TIMEOUT)
        else:
            server = Server(socket_path=socket, socket_name=socket_name, tmux=tmux, timeout=TIMEOUT)
        return function(*args, server=server, **options)

    return inner  # type: ignore[return-value]  # the same verb with other options


class Target(NamedTuple):
    """The pane that was named; and its window, when that was."""

    pane: Pane
    window: Window | None


def find(server: Server, text: str) -> Target:
    """Return exactly what was named: ``%1``, ``@1``, ``$1`` or ``SESSION``, ``SESSION:INDEX``, ``SESSION:INDEX.PANE``.

    A window stands for its active pane, a session for its current window. Nothing is guessed from parts of names.
    """
    snapshot = server.snapshot()
    if text.startswith("%"):
        return Target(server.pane(snapshot.pane(text).ref), None)
    if text.startswith("@"):
        info = snapshot.window(text)
        return Target(_active(server, snapshot, text), server.window(info.ref))
    found = _PLACE.fullmatch(text)
    if found is None:
        raise InvalidArgument(f"{text!r} is no pane: expected %1, @1, SESSION, SESSION:INDEX or SESSION:INDEX.PANE")
    session = snapshot.session(found["session"])
    window = _window(session, found["window"])
    if found["pane"] is None:
        return Target(_active(server, snapshot, window), server.window(snapshot.window(window).ref))
    panes = [pane for pane in snapshot.window(window).panes if pane.index == int(found["pane"])]
    if not panes:
        raise PaneNotFound(f"window {window} has no pane {found['pane']}", target=text)
    return Target(server.pane(panes[0].ref), None)


def _window(session: SessionInfo, index: str | None) -> str:
    if index is None:
        active = session.active_window
        assert active is not None, "a session has a current window"
        return active.id
    links = [link for link in session.links if link.index == int(index)]
    if not links:
        raise WindowNotFound(f"session {session.name} has no window {index}", target=session.id)
    return links[0].window.id


def _active(server: Server, snapshot: Snapshot, window: str) -> Pane:
    active = snapshot.window(window).active_pane
    assert active is not None, "a window has an active pane"
    return server.pane(active.ref)
