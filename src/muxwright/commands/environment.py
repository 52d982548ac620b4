"""Commands for tmux's environments, and the reader of what `show-environment -s` prints.

The ``-s`` form is what a shell would evaluate; it is read here as data. Inside its quotes only ``$ ` " \\`` carry a
backslash, so a newline is part of the value and the bare quote its end; what tmux 3.4 and 3.5 escape when they print
cannot be mistaken for either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from muxwright.commands.settings import setting_bytes
from muxwright.errors import InvalidArgument, RemoteProtocolError
from muxwright.refs import SessionRef
from muxwright.wire.quoting import Words
from muxwright.wire.rows import unescape

__all__ = [
    "EnvironmentScope",
    "EnvironmentValue",
    "check_variable",
    "environment_flags",
    "read_environment",
    "remove_words",
    "session_of",
    "set_words",
    "show_words",
    "unset_words",
]

EnvironmentScope = Literal["global"] | SessionRef
"""One of tmux's environments: the global one, or a session's own."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ENTRY = re.compile(rb"""unset ([A-Za-z_]\w*);(?:\n|\Z)|([^=]+)="((?:[^"\\]|\\.)*+)"; export \2;(?:\n|\Z)""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class EnvironmentValue:
    """A variable of one of tmux's environments.

    `value`: its text (bytes that are not UTF-8 as lone surrogates), or ``None`` for a removal marker: new programs do
    not get the variable at all. `hidden`: new programs do not get it, formats do. `inherited`: it was found in the
    global environment when a session was asked.
    """

    value: str | None
    hidden: bool = False
    inherited: bool = False


def session_of(scope: EnvironmentScope) -> SessionRef | None:
    """Return the session whose environment is meant, ``None`` for the global one; raises `InvalidArgument`."""
    if isinstance(scope, SessionRef):
        return scope
    if scope != "global":
        raise InvalidArgument(f"{scope!r} has no environment: expected 'global' or a session")
    return None


def environment_flags(scope: EnvironmentScope) -> tuple[bytes, ...]:
    """Return the flags that select an environment."""
    session = session_of(scope)
    return (b"-g",) if session is None else (b"-t", session.id.encode())


def check_variable(name: str) -> bytes:
    """Return a variable's name; raises `InvalidArgument` unless it is letters, digits and ``_``, no digit first."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidArgument(f"{name!r} is no environment name: expected letters, digits and _, no digit first")
    return name.encode()


def show_words(flags: Sequence[bytes], *names: bytes) -> tuple[Words, Words]:
    """Return the two commands that tell one variable or all: those that are not hidden, those that are."""
    return (b"show-environment", b"-s", *flags, *names), (b"show-environment", b"-s", b"-h", *flags, *names)


def set_words(scope: EnvironmentScope, name: str, value: str | bytes, hidden: bool) -> Words:
    """Return ``set-environment``; the value is literal."""
    data = setting_bytes(value, f"the value of {name}")
    flags = (*environment_flags(scope), *[b"-h"] * hidden)
    return (b"set-environment", *flags, b"--", check_variable(name), data)


def unset_words(scope: EnvironmentScope, name: str) -> Words:
    """Return ``set-environment -u``."""
    return (b"set-environment", b"-u", *environment_flags(scope), b"--", check_variable(name))


def remove_words(scope: EnvironmentScope, name: str) -> Words:
    """Return ``set-environment -r``."""
    return (b"set-environment", b"-r", *environment_flags(scope), b"--", check_variable(name))


def read_environment(text: bytes, hidden: bool) -> dict[str, EnvironmentValue]:
    """Return the variables of ``show-environment -s``; raises `RemoteProtocolError` for anything else in it.

    >>> read_environment(b'A="one\\ntwo"; export A;\\nunset B;', hidden=False)["A"].value
    'one\\ntwo'
    """
    found: dict[str, EnvironmentValue] = {}
    start = 0
    while start < len(text):
        match = _ENTRY.match(text, start)
        if match is None:
            raise RemoteProtocolError(f"tmux listed {text[start : start + 80]!r}, which is no environment variable")
        removed, name, value = match.groups()
        shown = (removed or name).decode("utf-8", "surrogateescape")
        decoded = None if removed else unescape(value).decode("utf-8", "surrogateescape")
        found[shown] = EnvironmentValue(decoded, hidden)
        start = match.end()
    return found
