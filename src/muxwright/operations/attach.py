"""What has to be known before a control client can attach."""

from __future__ import annotations

from typing import NamedTuple

from muxwright.commands.listings import describe_server, listing, read_server
from muxwright.errors import NoSessions, SessionNotFound, StaleReference, UnsupportedCapability
from muxwright.operations.steps import Operation, Place, bind, output
from muxwright.refs import Generation, SessionId, SessionRef
from muxwright.wire.request import Request
from muxwright.wire.rows import Column, decode_rows
from muxwright.wire.versions import TmuxVersion, same_protocol

__all__ = ["Attachment", "choose_session"]


class Attachment(NamedTuple):
    """Where a control client attaches, and what it will find there."""

    session: SessionId
    generation: Generation
    version: TmuxVersion


def choose_session(place: Place, wanted: SessionRef | None, client: TmuxVersion) -> Operation[Attachment]:
    """Return the session to attach to: the one asked for, else the one used last.

    Raises `NoSessions`, `UnsupportedCapability` when client and server are of different protocols (the client would
    wait for ever).
    """
    if wanted is not None:
        bind(place, wanted)
    columns = (Column("session_id", free=False), Column("session_activity", free=False))
    server, sessions = yield Request((describe_server(), listing("sessions", columns)))
    generation, version = read_server(output(server, "display-message"))
    if not same_protocol(client, version):
        raise UnsupportedCapability(
            "a control connection",
            needs=f"a tmux executable of the server's side of 3.6 (server: tmux {version})",
            has=f"tmux {client}",
        )
    rows = decode_rows(output(sessions, "list-sessions"), len(columns))
    if not rows:
        raise NoSessions(
            "the server has no sessions, and a connection attaches to one; call server.new_session() first"
        )
    if wanted is None:
        session = SessionId(max(rows, key=lambda row: int(row[1]))[0].decode())
        return Attachment(session, generation, version)
    if wanted.server.generation != generation:
        raise StaleReference(
            f"{wanted.id} belongs to the tmux server {wanted.server.generation}, but {generation} now answers",
            target=wanted.id,
        )
    if wanted.id.encode() not in [row[0] for row in rows]:
        raise SessionNotFound(f"the session {wanted.id} is gone", target=wanted.id)
    return Attachment(wanted.id, generation, version)
