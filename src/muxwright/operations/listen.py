"""Where a control client of its own attaches, and what it is asked."""

from __future__ import annotations

from muxwright.commands.guards import guarded
from muxwright.commands.listings import listing
from muxwright.errors import NoSessions
from muxwright.operations.steps import Operation, Place, bind, guarded_output, output, server_version
from muxwright.refs import Generation, PaneRef, Ref, SessionId
from muxwright.wire.request import Command, Request
from muxwright.wire.rows import Column, decode_rows
from muxwright.wire.versions import TmuxVersion

__all__ = ["Server", "holds_pane", "own_session", "session_of", "window_of"]

Server = tuple[Generation, TmuxVersion]
"""Which server a client is to find."""

_SESSIONS = (Column("session_id", free=False), Column("session_activity", free=False))
_CLIENTS = (Column("session_id", free=False), Column("client_pid", free=False))


def session_of(place: Place, ref: Ref) -> Operation[tuple[SessionId, Server]]:
    """Return a session that holds a pane or a window, or the session itself, and the server."""
    bind(place, ref)
    words = (b"display-message", b"-p", b"-t", ref.id.encode(), b"#{session_id}")
    (section,) = yield Request((guarded(words, ref),))
    session = SessionId(guarded_output(section, ref, words).decode())
    return session, (ref.server.generation, (yield from server_version(place)))


def own_session(place: Place) -> Operation[SessionId]:
    """Return the session that this connection is attached to; for a process, the one used last."""
    commands = (listing("sessions", _SESSIONS), listing("clients", _CLIENTS))
    sessions, clients = yield Request(commands)
    for session, pid in decode_rows(output(clients, "list-clients"), len(_CLIENTS)):
        if place.client_pid is not None and int(pid) == place.client_pid:
            return SessionId(session.decode())
    rows = decode_rows(output(sessions, "list-sessions"), len(_SESSIONS))
    if not rows:
        raise NoSessions("the server has no sessions, and what it announces is told to a client of one")
    return SessionId(max(rows, key=lambda row: int(row[1]))[0].decode())


def holds_pane(place: Place, session: SessionId, pane: PaneRef) -> Operation[bool]:
    """Return whether the pane is in one of the session's windows."""
    wanted = b"#{==:#{pane_id},%b}" % pane.id.encode()
    words = (b"list-panes", b"-s", b"-t", session.encode(), b"-f", wanted, b"-F", b"x")
    (section,) = yield Request((Command(words),))
    return section.status == "done" and bool(section.text)


def window_of(place: Place, pane: PaneRef) -> Operation[str]:
    """Return the id of the window that a pane is in."""
    words = (b"display-message", b"-p", b"-t", pane.id.encode(), b"#{window_id}")
    (section,) = yield Request((guarded(words, pane),))
    return guarded_output(section, pane, words).decode()
