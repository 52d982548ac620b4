"""tmux's messages as typed errors.

tmux has no error codes; its wording is stable, and the live tests pin each row on every version of the matrix.
"""

from __future__ import annotations

import re

from muxwright.errors import (
    AlreadyExists,
    AmbiguousOption,
    BadLayout,
    BadValue,
    BufferNotFound,
    ClientNotFound,
    CommandError,
    LastLink,
    MuxwrightError,
    NoSessions,
    NoSpace,
    PaneDead,
    PaneInUse,
    PaneNotFound,
    ServerLost,
    ServerNotRunning,
    ServerUnreachable,
    SessionNotFound,
    UnknownOption,
    WindowNotFound,
    bounded_diagnostic,
)

__all__ = ["refusal", "server_refusal"]

_REFUSALS: tuple[tuple[re.Pattern[str], type[MuxwrightError]], ...] = tuple(
    (re.compile(pattern), error)
    for pattern, error in (
        # First and anchored: these repeat the caller's own words.
        (r"\A(invalid|unknown) option: ", UnknownOption),
        (r"\Aambiguous option: ", AmbiguousOption),
        (r"\A((bad|unknown) value: |value is |empty value|(bad|invalid) colour: |bad key: )", BadValue),
        (r"\A(invalid style: |not a suitable shell: |not an array: )", BadValue),
        (r"(can't find|no such) pane", PaneNotFound),
        (r"(can't find|no such) window", WindowNotFound),
        (r"(can't find|no such) session|session not found", SessionNotFound),
        (r"(can't find|no such) client", ClientNotFound),
        (r"(no|unknown) buffer", BufferNotFound),
        (r"only linked to one session", LastLink),
        (r"still active", PaneInUse),
        (r"pane has exited", PaneDead),
        (r"duplicate session|index in use|index \d+ in use|same index: ", AlreadyExists),
        (r"no space for|size or position|pane too small", NoSpace),
        (r"no current (target|session)|no sessions", NoSessions),
        (r"layout", BadLayout),
    )
)

# Only a process that could not talk to its server says these. The longer wording first: it means a crash.
_SERVER_REFUSALS: tuple[tuple[str, type[MuxwrightError]], ...] = (
    ("no server running on", ServerNotRunning),
    ("error connecting to", ServerUnreachable),
    ("couldn't create directory", ServerUnreachable),
    ("server exited unexpectedly", ServerLost),
    ("server exited", ServerLost),
    ("lost server", ServerLost),
)


def server_refusal(message: bytes, socket: str) -> MuxwrightError | None:
    """Return the error when a tmux process says that there is no server to ask, else ``None``."""
    text = bounded_diagnostic(message)
    if text.startswith("error connecting to") and ("No such file" in text or "Connection refused" in text):
        return ServerNotRunning(f"no tmux server listens at {socket}", diagnostic=text)
    for beginning, error in _SERVER_REFUSALS:
        if text.startswith(beginning):
            return error(f"the tmux server at {socket} cannot be asked: {text}", diagnostic=text)
    return None


def refusal(message: bytes, command: str, target: str | None = None) -> MuxwrightError:
    """Return the error for a message with which tmux refused `command`."""
    text = bounded_diagnostic(message)
    where = f" on {target}" if target else ""
    summary = f"tmux refused {command}{where}: {text or 'no reason given'}"
    for pattern, error in _REFUSALS:
        if pattern.search(text):
            return error(summary, command=command, target=target, diagnostic=text)
    return CommandError(summary, command=command, target=target, diagnostic=text)
