"""What a control connection can tell us, as values.

One table names the notifications of tmux 3.2a to 3.8 and the shape of their arguments. A line that fits no row is kept
as `Unguarded` data: a user's hook may print a bare line at any time, and a newer tmux may say something new.
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["NOTIFICATIONS", "Block", "Event", "Notification", "Output", "Unguarded", "parse_line", "unescape_output"]


class Notification(NamedTuple):
    """A line such as ``%window-renamed @1 name``: its name without the ``%``, and its arguments as tmux wrote them.

    The last argument takes the rest of the line, blanks included. `line` is the whole line.
    """

    name: str
    arguments: tuple[bytes, ...]
    line: bytes


class Output(NamedTuple):
    """Bytes that a pane's program printed (``%output``, ``%extended-output``), decoded.

    A UTF-8 character may be cut between two of these. `age_ms` is how long tmux held the data, if it says.
    """

    pane: bytes
    data: bytes
    age_ms: int | None = None


class Block(NamedTuple):
    """A reply that nobody here asked for: the attach itself, or a command that a hook ran (`flags` 0)."""

    time: int
    number: int
    flags: int
    failed: bool
    text: bytes


class Unguarded(NamedTuple):
    """A line outside every block that is no known notification; data, never an instruction."""

    line: bytes


Event = Notification | Output | Block | Unguarded

_SESSION, _WINDOW, _PANE = rb"\$\d+", rb"@\d+", rb"%\d+"
_WORD, _REST = rb"\S+", rb".*"
_ID_OR_DASH = rb"(?:[@%]\d+|-)"

NOTIFICATIONS: dict[str, tuple[bytes, ...]] = {
    "client-detached": (_REST,),
    "client-session-changed": (rb".+?", _SESSION, _REST),
    "config-error": (_REST,),
    "continue": (_PANE,),
    "exit": (_REST,),
    "layout-change": (_WINDOW, _WORD, _WORD, _REST),
    "message": (_REST,),
    "pane-mode-changed": (_PANE,),
    "paste-buffer-changed": (_REST,),
    "paste-buffer-deleted": (_REST,),
    "pause": (_PANE,),
    "session-changed": (_SESSION, _REST),
    "session-renamed": (rb"(?:\$\d+ )?.*",),
    "session-window-changed": (_SESSION, _WINDOW),
    "sessions-changed": (),
    "subscription-changed": (_WORD, rb"(?:\$\d+|-)", _ID_OR_DASH, rb"(?:\d+|-)", rb"(?:%\d+|-)", _REST),
    "unlinked-window-add": (_WINDOW,),
    "unlinked-window-close": (_WINDOW,),
    "unlinked-window-renamed": (_WINDOW, _REST),
    "window-add": (_WINDOW,),
    "window-close": (_WINDOW,),
    "window-pane-changed": (_WINDOW, _PANE),
    "window-renamed": (_WINDOW, _REST),
}
"""Every notification of tmux 3.2a to 3.8 but the two output ones, with the shape of each argument."""

# A name can end the line with no argument text at all ("%exit"), hence the optional blanks.
_SHAPES = {
    name.encode(): re.compile(rb"\ ?" + rb"\ ".join(b"(%s)" % shape for shape in shapes), re.DOTALL)
    for name, shapes in NOTIFICATIONS.items()
}
_OUTPUT = re.compile(rb"%output (%\d+) (.*)", re.DOTALL)
_EXTENDED_OUTPUT = re.compile(rb"%extended-output (%\d+) (\d{1,20})(?: [^:]*)? ?: (.*)", re.DOTALL)
_OCTAL = re.compile(rb"\\([0-3][0-7]{2})")
_OCTAL_BYTES = {b"%03o" % code: bytes((code,)) for code in range(256)}
# tmux escapes the control bytes and the backslash. The frequent ones first, then often nothing is left to look for.
_FREQUENT = (
    (b"\\015\\012", b"\r\n"),
    (b"\\033", b"\x1b"),
    (b"\\011", b"\t"),
    (b"\\015", b"\r"),
    (b"\\010", b"\b"),
    (b"\\017", b"\x0f"),
)


def _octal_byte(match: re.Match[bytes]) -> bytes:
    return _OCTAL_BYTES[match[1]]


def unescape_output(data: bytes) -> bytes:
    r"""Undo the escaping of ``%output``: a backslash and three octal digits are one byte, all else is literal.

    >>> unescape_output(rb"a\015\012b")
    b'a\r\nb'
    """
    # Whole replacements are many times faster than a match for each. None of these makes a new backslash.
    for escape, plain in _FREQUENT:
        if b"\\" not in data:
            return data
        data = data.replace(escape, plain)
    if data.count(b"\\") == data.count(b"\\134"):
        return data.replace(b"\\134", b"\\")
    return _OCTAL.sub(_octal_byte, data)


def parse_line(line: bytes) -> Event:
    """Return the event that a line outside every block stands for; never raises."""
    if line[:8] == b"%output " and (match := _OUTPUT.fullmatch(line)):
        return Output(match[1], unescape_output(match[2]))
    if line[:1] != b"%":
        return Unguarded(line)
    if match := _EXTENDED_OUTPUT.fullmatch(line):
        return Output(match[1], unescape_output(match[3]), int(match[2]))
    name, _, _ = line[1:].partition(b" ")
    shape = _SHAPES.get(name)
    if shape is None or not (match := shape.fullmatch(line, 1 + len(name))):
        return Unguarded(line)
    return Notification(name.decode(), match.groups(), line)
