"""Read listings whose fields hold anything at all.

Titles, names, paths and commands can contain every separator one could choose, newlines included. So each free text is
asked for through tmux's own ``#{q:...}``, which puts a backslash before every space (and other shell characters), and
each field is closed by a bare space: a space without a backslash can only be ours. A row ends in a newline after its
last space; a newline anywhere else is data.

tmux 3.4 and 3.5 also pass what they print through `vis`: control bytes and broken UTF-8 arrive as ``\\033``, ``\\a``
and the like. `q` never escapes a letter or a digit, so those escapes cannot be mistaken, and one reader serves every
version. (3.4 moreover puts a second backslash before ``$name``; `q` leaves no bare ``$``, so that one shows as well.)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import AnyStr, NamedTuple

from muxwright.errors import RemoteProtocolError

__all__ = ["Column", "decode_rows", "decode_text", "decode_text_rows", "row_format", "unescape"]


class Column(NamedTuple):
    """A format variable; `free` when its value can hold arbitrary text."""

    variable: str
    free: bool = True


_ESCAPE = re.compile(rb"\\\\(\$)|\\([0-3][0-7]{2})|\\(.)", re.DOTALL)
_C_STYLE = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"r": b"\r", b"v": b"\v", b"n": b"\n", b"t": b"\t", b"s": b" "}


def row_format(columns: Sequence[Column]) -> bytes:
    """Return the format to give to ``-F``.

    >>> row_format([Column("pane_id", free=False), Column("pane_title")])
    b'#{pane_id} #{q:pane_title} '
    """
    return "".join(f"#{{{'q:' if column.free else ''}{column.variable}}} " for column in columns).encode()


def _unescape_one(match: re.Match[bytes]) -> bytes:
    dollar, octal, char = match.groups()
    if dollar:
        return b"$"
    if octal:
        return bytes((int(octal, 8),))
    return _C_STYLE.get(char, char)


def unescape(field: bytes) -> bytes:
    """Undo ``#{q:...}`` and, on tmux 3.4 and 3.5, `vis`.

    >>> unescape(rb"two\\ words\\033")
    b'two words\\x1b'
    """
    return _ESCAPE.sub(_unescape_one, field) if b"\\" in field else field


def decode_rows(data: bytes, width: int) -> list[list[bytes]]:
    """Return the rows of a listing made with `row_format`, each with `width` fields, still escaped.

    Raises `RemoteProtocolError` when the data is not whole rows.
    """
    return _rows(data, width, b" ", b"\\", b"\n")


def decode_text_rows(data: bytes, width: int) -> list[list[str]]:
    """Return the rows of a listing as text, as `decode_text` does; raises as `decode_rows`.

    The listing is decoded as a whole, and only what holds an escape field by field.
    """
    rows = _rows(data.decode("utf-8", "surrogateescape"), width, " ", "\\", "\n")
    if b"\\" not in data:
        return rows
    return [[_plain(field) if "\\" in field else field for field in row] for row in rows]


def _rows(data: AnyStr, width: int, space: AnyStr, backslash: AnyStr, newline: AnyStr) -> list[list[AnyStr]]:
    if not data:
        return []
    fields = data.split(space)
    if backslash in data:
        fields = _joined(fields, space, backslash)
    # What follows the last space: nothing, in a whole listing.
    if fields.pop() or not fields or len(fields) % width:
        raise RemoteProtocolError(f"a listing of {len(data)} bytes does not divide into rows of {width} fields")
    rows = [fields[start : start + width] for start in range(0, len(fields), width)]
    for row in rows[1:]:
        if not row[0].startswith(newline):
            raise RemoteProtocolError("a listing has a row that does not begin on a line of its own")
        row[0] = row[0][1:]
    return rows


def _joined(pieces: list[AnyStr], space: AnyStr, backslash: AnyStr) -> list[AnyStr]:
    """Put fields together again that were cut at a space with a backslash before it."""
    fields: list[AnyStr] = []
    parts: list[AnyStr] = []
    for piece in pieces:
        if piece.endswith(backslash) and (len(piece) - len(piece.rstrip(backslash))) % 2:
            parts.append(piece)
        elif parts:
            parts.append(piece)
            fields.append(space.join(parts))
            parts.clear()
        else:
            fields.append(piece)
    if parts:
        # An escape without its character: never a whole listing.
        fields.append(space.join(parts))
    return fields


def decode_text(field: bytes) -> str:
    """Return a field as text; bytes that are not UTF-8 survive as lone surrogates, as in `os.fsdecode`."""
    if b"\\" in field:
        field = unescape(field)
    return field.decode("utf-8", "surrogateescape")


def _plain(field: str) -> str:
    # As bytes: several escapes can make up one character.
    return unescape(field.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")
