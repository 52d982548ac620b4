"""Format variables of one object, typed, and formats of the caller's own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, Literal, TypeVar, cast

from muxwright.commands.settings import setting_bytes
from muxwright.errors import FormatValueError, InvalidArgument, RemoteProtocolError, UnsupportedCapability
from muxwright.refs import PaneRef, Ref, SessionRef, WindowRef
from muxwright.wire.quoting import Words
from muxwright.wire.rows import Column, decode_rows, row_format, unescape
from muxwright.wire.versions import TmuxVersion

__all__ = [
    "MAX_FIELDS",
    "FormatField",
    "FormatObservation",
    "RawFormat",
    "check_fields",
    "check_known",
    "check_target",
    "check_version",
    "hint_words",
    "needs_version",
    "observe_words",
    "read_hints",
    "read_observations",
    "render_words",
    "typed_value",
]

MAX_FIELDS = 256

T = TypeVar("T", str, int, bool)

_VARIABLE = re.compile(r"[a-z][a-z0-9_]*")
_HINT = re.compile(rb"^([a-z][a-z0-9_]*)=", re.MULTILINE)
_INT = re.compile(r"[+-]?[0-9]+")


@dataclass(frozen=True, slots=True)
class FormatField(Generic[T]):
    """A format variable to read, by its exact name, and what it is read as: `str` (the default), `int` or `bool`.

    A `bool` is a flag or a count: 0 is false, any other number true. The names are those that tmux knows; every format
    that is more than a name is a `RawFormat`.

    >>> FormatField("pane_width", int)
    FormatField(name='pane_width', type=<class 'int'>)
    """

    name: str
    type: type[T] = field(default=cast("type[T]", str))


@dataclass(frozen=True, slots=True)
class FormatObservation(Generic[T]):
    """What tmux gave for a field.

    `raw`: its bytes. `value`: them as the field's type; nothing at all is ``""`` for a `str` and ``None`` for the
    others. `availability`: ``"present"``, or ``"unverified"`` for nothing at all, because tmux does not tell an empty
    value from one that it does not have here.
    """

    field: FormatField[T]
    raw: bytes
    value: T | None
    availability: Literal["present", "unverified"]


@dataclass(frozen=True, slots=True)
class RawFormat:
    """A whole tmux format, such as ``#{?pane_dead,dead,alive}``.

    Written out because a format can do more than read: ``#()`` runs a shell command on the server's host, and a name
    that tmux does not know gives a variable of the server's environment.
    """

    expression: str


@cache
def _masks() -> dict[str, str]:
    from muxwright.commands.format_names import ROWS

    return {name: mask for mask, *names in map(str.split, ROWS.splitlines()) for name in names}


@cache
def _versions() -> tuple[TmuxVersion, ...]:
    from muxwright.commands.format_names import VERSIONS

    return tuple(map(TmuxVersion.parse, VERSIONS))


def check_known(name: str) -> str:
    """Return a name that some tmux knows as a format variable; raises `InvalidArgument` for any other.

    tmux would expand an unknown one to the environment variable of that name, a secret perhaps.
    """
    if not isinstance(name, str) or not _VARIABLE.fullmatch(name):
        raise InvalidArgument(f"{name!r} is no format variable: expected a name such as pane_title")
    if name not in _masks():
        from difflib import get_close_matches

        near = get_close_matches(name, _masks(), 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InvalidArgument(
            f"tmux has no format variable {name}, and would look into the environment for it{hint}"
            " (RawFormat is for formats of your own)"
        )
    return name


def needs_version(names: Sequence[str]) -> bool:
    """Return whether not every version has all of these variables."""
    return any("0" in _masks()[name] for name in names)


def check_version(names: Sequence[str], version: TmuxVersion) -> None:
    """Raise `UnsupportedCapability` for a variable that this version of tmux, as far as is known, does not have.

    Between two known versions the newer one counts, so that nothing is refused that may be there.
    """
    versions = _versions()
    reached = max((number for number, known in enumerate(versions) if version.reaches(known)), default=-1)
    near = reached if version in versions else min(reached + 1, len(versions) - 1)
    for name in names:
        mask = _masks()[name]
        if mask[near] == "0" and mask[max(reached, 0)] == "0":
            having = versions[mask.index("1")]
            raise UnsupportedCapability(f"the format {name}", needs=f"tmux {having}", has=f"tmux {version}")


def check_fields(fields: Sequence[FormatField[Any]]) -> list[str]:
    """Return the names of fields; raises `InvalidArgument` unless there are 1 to 256, known and of a known type."""
    if not 1 <= len(fields) <= MAX_FIELDS:
        raise InvalidArgument(f"give 1 to {MAX_FIELDS} fields, not {len(fields)}")
    for one in fields:
        if not isinstance(one, FormatField) or one.type not in (str, int, bool):
            raise InvalidArgument(f"{one!r} is no field: expected FormatField(name, str, int or bool)")
    return [check_known(one.name) for one in fields]


def check_target(ref: Ref) -> Ref:
    """Return the object that formats are read of; raises `InvalidArgument` for anything but a ref."""
    if not isinstance(ref, SessionRef | WindowRef | PaneRef):
        raise InvalidArgument(f"formats are read of a session, window or pane, not of {ref!r}")
    return ref


def _words(ref: Ref, template: bytes) -> Words:
    # A listing and not `display-message`: that expands times in the template, and speaks of our own client.
    wanted = b"#{==:#{pane_id},%s}" % ref.id.encode() if isinstance(ref, PaneRef) else b"#{pane_active}"
    return (b"list-panes", b"-t", ref.id.encode(), b"-f", wanted, b"-F", template)


def observe_words(ref: Ref, names: Sequence[str]) -> Words:
    """Return the command that tells variables of one object: of a window's active pane, of a session's current one."""
    return _words(ref, row_format([Column(name) for name in names]))


def render_words(ref: Ref, raw: RawFormat) -> Words:
    """Return the command that expands a format of the caller's own."""
    if not isinstance(raw, RawFormat):
        raise InvalidArgument(f"a format of your own is given as RawFormat(...), not {raw!r}: it can run commands")
    return _words(ref, setting_bytes(raw.expression, "a format"))


def typed_value(one: FormatField[Any], data: bytes, target: str) -> str | int | bool | None:
    """Return a value as its field's type; raises `FormatValueError` when it is not of it."""
    text = data.decode("utf-8", "surrogateescape")
    if one.type is str:
        return text
    if not text:
        return None
    if not _INT.fullmatch(text):
        raise FormatValueError(one.name, one.type.__name__, data, target=target)
    return bool(int(text)) if one.type is bool else int(text)


def read_observations(text: bytes, fields: Sequence[FormatField[Any]], target: str) -> list[FormatObservation[Any]]:
    """Read the answer to `observe_words`; raises `FormatValueError` for a value that is not of its field's type."""
    rows = decode_rows(text, len(fields))
    if len(rows) != 1:
        raise RemoteProtocolError(f"tmux told the formats of {len(rows)} panes for {target}")
    return [
        FormatObservation(one, data, typed_value(one, data, target), "present" if data else "unverified")
        for one, data in zip(fields, map(unescape, rows[0]), strict=True)
    ]


def hint_words(ref: Ref) -> Words:
    """Return the command that lists all variables which tmux has for one object, with their values."""
    return (b"display-message", b"-a", b"-p", b"-t", ref.id.encode())


def read_hints(text: bytes) -> list[str]:
    """Return the names in the answer to `hint_words`; a value can hold lines that look like more of them."""
    return list(dict.fromkeys(match.decode() for match in _HINT.findall(text)))
