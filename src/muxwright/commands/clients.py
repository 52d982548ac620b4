"""Commands that act on an attached client, and how tmux itself tells who that is."""

from __future__ import annotations

import re

from muxwright.commands.guards import Requirement
from muxwright.errors import ClientNotFound, InvalidArgument, MuxwrightError, SessionNotFound, StaleReference
from muxwright.refs import ClientRef, SessionRef
from muxwright.wire.quoting import Words

__all__ = ["another_client", "check_client", "detach_client", "has_session", "is_client", "switch_client"]

# What a format compares as it stands. tmux makes the names itself: a terminal's path, or `client-PID`.
_NAME = re.compile(r"[A-Za-z0-9/._:+@-]+")


def check_client(ref: ClientRef) -> ClientRef:
    """Return the ref of a client; raises `InvalidArgument` for anything else, and for a name that tmux never gives."""
    if not isinstance(ref, ClientRef):
        raise InvalidArgument(f"expected a client's ref, not {ref!r}")
    if not _NAME.fullmatch(ref.id.name):
        raise InvalidArgument(f"{ref.id.name!r} is no client's name: expected a terminal's path, or client-PID")
    return ref


def is_client(ref: ClientRef) -> tuple[Requirement, Requirement]:
    """Return the requirement that the client is attached, in this incarnation; needs the capability ``client-loop``."""
    name, incarnation = ref.id
    # Some versions loop over clients that only run a command, too; their terminal's name can be the same.
    here = f"#{{&&:#{{==:#{{client_name}},{name}}},#{{!=:#{{client_session}},}}}}"
    found = f"#{{L:#{{?{here},#{{client_pid}}:#{{client_created}},}}}}"
    return (
        Requirement(f"#{{?{found},attached,gone}}", "attached", ClientNotFound, _gone(name)),
        Requirement(found, incarnation, StaleReference, _another(name)),
    )


def another_client(ref: ClientRef, found: str | None) -> MuxwrightError | None:
    """Return the error when the incarnation that was found of a client's name is not the one meant."""
    name, incarnation = ref.id
    if found is None:
        return ClientNotFound(_gone(name), target=name)
    return None if found == incarnation else StaleReference(_another(name), target=name)


def _gone(name: str) -> str:
    return f"the client {name} is gone"


def _another(name: str) -> str:
    return f"the client {name} is another one by now; take a new snapshot"


def has_session(session: SessionRef) -> Requirement:
    """Return the requirement that the server has a session."""
    return Requirement(
        f"#{{S:#{{?#{{==:#{{session_id}},{session.id}}},{session.id},}}}}",
        session.id,
        SessionNotFound,
        f"the session {session.id} is gone",
    )


def _target(ref: ClientRef) -> bytes:
    # tmux takes one colon off.
    return ref.id.name.encode() + b":"


def detach_client(ref: ClientRef) -> Words:
    """Return ``detach-client``."""
    return (b"detach-client", b"-t", _target(ref))


def switch_client(ref: ClientRef, session: SessionRef, update_environment: bool) -> Words:
    """Return ``switch-client``; the session's environment is left alone unless asked for."""
    flags = () if update_environment else (b"-E",)
    return (b"switch-client", *flags, b"-c", _target(ref), b"-t", session.id.encode())
