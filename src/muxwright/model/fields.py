"""Which format variables make up each info, and how a field becomes a value.

One table drives both sides: the format that is asked for and the reader of the answer. Add a field here and an
annotation in
`infos.py`; nothing else changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from muxwright.errors import RemoteProtocolError
from muxwright.refs import PaneId, SessionId, WindowId
from muxwright.wire.rows import Column

__all__ = [
    "CLIENT",
    "LINK",
    "PANE",
    "SESSION",
    "UNCAPTURED",
    "WINDOW",
    "Field",
    "columns",
    "read_rows",
]


class _Uncaptured:
    """tmux did not tell: neither a value nor a known absence."""

    def __repr__(self) -> str:
        return "UNCAPTURED"


UNCAPTURED = _Uncaptured()

Reader = Callable[[str], Any]


class Field(NamedTuple):
    """One attribute of an info: its name, its format variable, how its text is read, whether it is free text.

    `live`: tmux asks the operating system for it while it prints, so two rows of one listing can differ in it.
    """

    name: str
    variable: str
    read: Reader
    free: bool = False
    live: bool = False


class _Flags(dict[str, bool]):
    """What a flag's text means; some are counts."""

    def __missing__(self, text: str) -> bool:
        return int(text) > 0


_flag = _Flags({"1": True, "0": False, "": False}).__getitem__


def _optional_int(text: str) -> int | None:
    return int(text) if text else None


def _int_or_uncaptured(text: str) -> int | _Uncaptured:
    return int(text) if text else UNCAPTURED


def _optional_text(text: str) -> str | None:
    return text or None


def _text_or_uncaptured(text: str) -> str | _Uncaptured:
    return text or UNCAPTURED


# The same ids come again in every row and every snapshot.
_session = lru_cache(maxsize=4096)(SessionId)
_window = lru_cache(maxsize=4096)(WindowId)
_pane = lru_cache(maxsize=4096)(PaneId)


def _optional_session(text: str) -> SessionId | None:
    return _session(text) if text else None


SESSION = (
    Field("id", "session_id", _session),
    Field("name", "session_name", str, free=True),
    Field("attached_clients", "session_attached", int),
    Field("created", "session_created", int),
    Field("activity", "session_activity", int),
    Field("last_attached", "session_last_attached", _optional_int),
    Field("group", "session_group", _optional_text, free=True),
    Field("path", "session_path", str, free=True),
)

WINDOW = (
    Field("id", "window_id", _window),
    Field("name", "window_name", str, free=True),
    Field("width", "window_width", int),
    Field("height", "window_height", int),
    Field("layout", "window_layout", str, free=True),
    Field("visible_layout", "window_visible_layout", str, free=True),
    Field("zoomed", "window_zoomed_flag", _flag),
    Field("activity", "window_activity", int),
)

LINK = (
    Field("session_id", "session_id", _session),
    Field("window_id", "window_id", _window),
    Field("index", "window_index", int),
    Field("active", "window_active", _flag),
)

PANE = (
    Field("id", "pane_id", _pane),
    Field("window_id", "window_id", _window),
    Field("index", "pane_index", int),
    Field("active", "pane_active", _flag),
    Field("dead", "pane_dead", _flag),
    Field("exit_status", "pane_dead_status", _optional_int),
    Field("pid", "pane_pid", _optional_int),
    Field("tty", "pane_tty", _optional_text, free=True),
    Field("width", "pane_width", int),
    Field("height", "pane_height", int),
    Field("left", "pane_left", int),
    Field("top", "pane_top", int),
    Field("cursor_x", "cursor_x", int),
    Field("cursor_y", "cursor_y", int),
    Field("history_size", "history_size", int),
    Field("history_limit", "history_limit", int),
    Field("mode", "pane_mode", _optional_text, free=True),
    Field("piped", "pane_pipe", _flag),
    Field("input_off", "pane_input_off", _flag),
    Field("synchronized", "pane_synchronized", _flag),
    Field("title", "pane_title", str, free=True),
    Field("current_command", "pane_current_command", _text_or_uncaptured, free=True, live=True),
    Field("current_path", "pane_current_path", _text_or_uncaptured, free=True, live=True),
    Field("start_command", "pane_start_command", _optional_text, free=True),
)

CLIENT = (
    Field("name", "client_name", str, free=True),
    Field("pid", "client_pid", int),
    Field("created", "client_created", int),
    Field("session_id", "session_id", _optional_session),
    Field("activity", "client_activity", int),
    Field("width", "client_width", _int_or_uncaptured),
    Field("height", "client_height", _int_or_uncaptured),
    Field("tty", "client_tty", _optional_text, free=True),
    Field("control", "client_control_mode", _flag),
    Field("readonly", "client_readonly", _flag),
)


def columns(fields: Sequence[Field]) -> tuple[Column, ...]:
    """Return the columns to ask tmux for."""
    return tuple(Column(field.variable, field.free) for field in fields)


def read_rows(fields: Sequence[Field], rows: Sequence[Sequence[str]]) -> list[tuple[Any, ...]]:
    """Return the values of each row; raises `RemoteProtocolError` naming the field that cannot be read."""
    if not rows:
        return []
    try:
        # Column by column: the readers are called from C.
        columns = zip(*rows, strict=True)
        return list(zip(*[map(field.read, column) for field, column in zip(fields, columns, strict=True)], strict=True))
    except ValueError as error:
        raise _unreadable(fields, rows) from error


def _unreadable(fields: Sequence[Field], rows: Sequence[Sequence[str]]) -> RemoteProtocolError:
    """Return the error for rows that could not be read; only now is it worth knowing which field it was."""
    for row in rows:
        if len(row) != len(fields):
            return RemoteProtocolError(f"tmux gave a row of {len(row)} fields where {len(fields)} were asked for")
        for field, text in zip(fields, row, strict=True):
            try:
                field.read(text)
            except ValueError:
                return RemoteProtocolError(f"tmux gave {text[:80]!r} for {field.variable}")
    return RemoteProtocolError("tmux gave a listing that cannot be read")
