"""Acts on attached clients: which session one shows, and its end. Who it is, is checked in the act's queue item."""

from __future__ import annotations

from collections.abc import Sequence

from muxwright.commands.clients import (
    another_client,
    check_client,
    detach_client,
    has_session,
    is_client,
    switch_client,
)
from muxwright.commands.guards import Requirement, guarded
from muxwright.commands.listings import listing
from muxwright.errors import ClientNotFound, InvalidArgument, MuxwrightError, StaleReference
from muxwright.model.infos import ClientInfo
from muxwright.operations.observe import take_snapshot
from muxwright.operations.steps import Operation, Place, act, bind, guarded_output, server_version
from muxwright.refs import ClientRef, SessionRef
from muxwright.wire.quoting import Words
from muxwright.wire.request import Request
from muxwright.wire.rows import Column, decode_text_rows
from muxwright.wire.versions import supports

__all__ = ["client_exists", "client_info", "detach", "switch"]

_COLUMNS = (Column("client_name"), Column("client_pid", free=False), Column("client_created", free=False))
_WHO = listing("clients", _COLUMNS).words


def detach(place: Place, ref: ClientRef) -> Operation[None]:
    """Detach exactly this client."""
    yield from _act(place, ref, detach_client(check_client(ref)), ())


def switch(place: Place, ref: ClientRef, session: SessionRef, update_environment: bool) -> Operation[None]:
    """Let exactly this client show another session."""
    bind(place, check_client(ref), session)
    yield from _act(place, ref, switch_client(ref, session, update_environment), (has_session(session),))


def _act(place: Place, ref: ClientRef, words: Words, state: Sequence[Requirement]) -> Operation[None]:
    bind(place, ref)
    if place.client_pid is not None and ref.id.incarnation.startswith(f"{place.client_pid}:"):
        raise InvalidArgument(
            "this is the connection's own client, which is not acted on; close the connection to detach it"
        )
    version = yield from server_version(place)
    if supports(version, "client-loop"):
        yield from act(place, ref, words, (*is_client(ref), *state))
        return
    # tmux can say who the client is, and not make the act depend on it. So it is asked before, and once more in the
    # queue item of the act: another client is nearly always refused, and never acted on without saying so.
    (before,) = yield Request((guarded(_WHO, ref),))
    if (wrong := _wrong(ref, guarded_output(before, ref, _WHO))) is not None:
        raise wrong
    seen, done = yield Request((guarded(_WHO, ref), guarded(words, ref, state)))
    guarded_output(done, ref, words, state)
    if (wrong := _wrong(ref, guarded_output(seen, ref, _WHO))) is not None:
        wrong.effects = "possible"
        raise wrong


def _wrong(ref: ClientRef, listed: bytes) -> MuxwrightError | None:
    """Return the error unless a listing holds the client in this incarnation."""
    rows = decode_text_rows(listed, len(_COLUMNS))
    return another_client(ref, next((f"{pid}:{created}" for name, pid, created in rows if name == ref.id.name), None))


def client_info(place: Place, ref: ClientRef) -> Operation[ClientInfo]:
    """Return what tmux says of a client now."""
    bind(place, ref)
    snapshot = yield from take_snapshot(place)
    if snapshot.identity != ref.server:
        raise StaleReference(
            f"{ref} belongs to the tmux server {ref.server.generation}, but {snapshot.identity.generation} now answers"
            f" at {ref.server.socket_path}",
            target=str(ref),
        )
    named = {info.name: info for info in snapshot.clients}
    info = named.get(ref.id.name)
    if (wrong := another_client(ref, None if info is None else info.id.incarnation)) is not None:
        raise wrong
    assert info is not None, "a client that is not there is the wrong one"
    return info


def client_exists(place: Place, ref: ClientRef) -> Operation[bool]:
    """Return whether exactly this client is attached."""
    try:
        yield from client_info(place, ref)
    except (StaleReference, ClientNotFound):
        return False
    return True
