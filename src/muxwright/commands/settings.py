"""Commands for options and hooks, and the reader of what `show-options` prints.

`show-options NAME` prints each string in a quoted form of tmux's own, which is read here as data: nothing is expanded
or evaluated. In it every control byte, newline and broken UTF-8 is an escape, so a line is an entry, and the escaping
that tmux 3.4 and 3.5 add to whatever they print finds nothing to do. (``-v`` prints the bare value, which those
versions garble.) 3.4 alone puts one more backslash before ``$name``; the quoted form has an odd number there, 3.4 an
even one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from muxwright.errors import InvalidArgument, RemoteProtocolError
from muxwright.refs import PaneRef, SessionRef, WindowRef
from muxwright.wire.quoting import Words, encode_words
from muxwright.wire.rows import unescape

__all__ = [
    "GLOBAL_SCOPES",
    "Entry",
    "GlobalScope",
    "HookBody",
    "Scope",
    "ScopeLetter",
    "chain",
    "check_index",
    "check_option",
    "clear_words",
    "decode_command",
    "decode_string",
    "hook_body",
    "letter_of",
    "read_entries",
    "ref_of",
    "set_words",
    "setting_bytes",
    "show_words",
    "unset_words",
]

GlobalScope = Literal["server", "global_session", "global_window"]
Scope = GlobalScope | SessionRef | WindowRef | PaneRef
"""Where an option or a hook is set: in one place only."""

ScopeLetter = Literal["s", "g", "w", "p"]

HookBody = str | Sequence[str | bytes]
"""A hook's command: text in tmux's command language, or the words of one command, which are literal."""

GLOBAL_SCOPES: dict[str, tuple[ScopeLetter, tuple[bytes, ...]]] = {
    "server": ("s", (b"-s",)),
    "global_session": ("g", (b"-g",)),
    "global_window": ("w", (b"-g", b"-w")),
}

_NAME = re.compile(r"[a-z][a-z0-9-]*")
_USER_NAME = re.compile(r"@[A-Za-z0-9_.-]+")
_BUILT_IN = re.compile(rb"([a-z][a-z0-9-]*)(?:\[([0-9]+)\])?(?: (.*))?", re.DOTALL)
# The shortest name after which one quoted value stands: names of others can hold blanks.
_USER = re.compile(rb"""(@.*?) ("(?:[^"\\]|\\.)*"|'[^']*'|[^ "'][^ ]*)""", re.DOTALL)
_STRING_ESCAPE = re.compile(rb"\\(?=\\\$[A-Za-z_{])|\\([0-3][0-7]{2})|\\(.)", re.DOTALL)
_EVEN_BEFORE_VARIABLE = re.compile(rb"(?<!\\)((?:\\\\)+)(?=\$[A-Za-z_{])")


class Entry(NamedTuple):
    """One line of `show-options`: `at` is the index in an array, `raw` tmux's text, ``None`` for an empty array."""

    name: str
    at: int | None
    raw: bytes | None


def letter_of(scope: Scope) -> ScopeLetter:
    """Return the letter of a scope; raises `InvalidArgument` for what is none."""
    if isinstance(scope, str) and scope in GLOBAL_SCOPES:
        return GLOBAL_SCOPES[scope][0]
    if isinstance(scope, SessionRef):
        return "g"
    if isinstance(scope, WindowRef):
        return "w"
    if isinstance(scope, PaneRef):
        return "p"
    raise InvalidArgument(f"{scope!r} is no scope: expected {', '.join(GLOBAL_SCOPES)}, or a session, window or pane")


def ref_of(scope: Scope) -> SessionRef | WindowRef | PaneRef | None:
    """Return the object that a scope belongs to; ``None`` for a global scope."""
    letter_of(scope)
    return None if isinstance(scope, str) else scope


def _flags(scope: Scope) -> tuple[bytes, ...]:
    if isinstance(scope, str):
        return GLOBAL_SCOPES[scope][1]
    kind = {"g": (), "w": (b"-w",), "p": (b"-p",)}[letter_of(scope)]
    return (*kind, b"-t", scope.id.encode())


def chain(scope: Scope, inherit: bool) -> list[tuple[bytes, ...]]:
    """Return the flags of a scope and, to `inherit`, those of its parents: pane, window, global; session, global."""
    letter = letter_of(scope)
    links = [_flags(scope)]
    if inherit and not isinstance(scope, str):
        if letter == "p":
            links.append((b"-w", b"-t", scope.id.encode()))
        links.append(GLOBAL_SCOPES["global_session" if letter == "g" else "global_window"][1])
    return links


def check_option(name: str) -> bool:
    """Return whether `name` is a user option; raises `InvalidArgument` for what no option can be called."""
    if isinstance(name, str) and _USER_NAME.fullmatch(name):
        return True
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidArgument(
            f"{name!r} is no option: expected a full name such as history-limit, or @name (letters, digits, _ . -);"
            " an array's entry is given by index="
        )
    return False


def check_index(index: int) -> int:
    """Return an array index; raises `InvalidArgument` unless it is 0 to 2147483647."""
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < 2**31:
        raise InvalidArgument(f"an array's index is 0 to 2147483647, not {index!r}")
    return index


def setting_bytes(value: str | bytes, what: str) -> bytes:
    """Return a value as it is sent: bytes, or text as `os.fsencode` has it; raises `InvalidArgument` for a NUL."""
    try:
        data = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise InvalidArgument(f"{what} holds a lone surrogate at {error.start}, which stands for no byte") from None
    except AttributeError:
        raise InvalidArgument(f"{what} must be a str or bytes, not {type(value).__name__}") from None
    if b"\0" in data:
        raise InvalidArgument(f"{what} holds a NUL, which tmux cannot carry")
    return data


def _entry_name(name: str, index: int | None) -> bytes:
    return name.encode() if index is None else b"%s[%d]" % (name.encode(), index)


def show_words(flags: Sequence[bytes], *names: str) -> Words:
    """Return ``show-options`` for one name, or for all that is set."""
    return (b"show-options", *flags, *[name.encode() for name in names])


def set_words(command: bytes, scope: Scope, name: str, index: int | None, value: bytes) -> Words:
    """Return ``set-option`` or ``set-hook``; the value is literal."""
    return (command, *_flags(scope), b"--", _entry_name(name, index), value)


def clear_words(command: bytes, scope: Scope, name: str) -> Words:
    """Return the command that makes an array explicitly empty."""
    return set_words(command, scope, name, None, b"")


def unset_words(command: bytes, scope: Scope, name: str, index: int | None) -> Words:
    """Return ``set-option -u`` or ``set-hook -u``."""
    return (command, b"-u", *_flags(scope), b"--", _entry_name(name, index))


def hook_body(body: HookBody) -> bytes:
    """Return a hook's command as tmux reads it; raises `InvalidArgument` for an empty one.

    >>> hook_body(["display-message", "$HOME is #{pane_id}"])
    b"display-message '$HOME is #{pane_id}'"
    """
    if isinstance(body, str):
        if not body.strip():
            raise InvalidArgument("a hook's command must not be empty; set_hook(scope, name, {}) clears all of them")
        return setting_bytes(body, "a hook's command")
    if isinstance(body, bytes | Mapping) or not isinstance(body, Sequence) or not body:
        raise InvalidArgument(f"a hook's command is a str, or the words of one command, not {body!r}")
    words = [setting_bytes(word, "a word of a hook's command") for word in body]
    if not re.fullmatch(rb"[a-z-]+", words[0]):
        raise InvalidArgument(f"{body[0]!r} is no tmux command")
    return encode_words(words)


def read_entries(text: bytes) -> list[Entry]:
    """Return the lines of ``show-options``; raises `RemoteProtocolError` for one that is no entry."""
    entries = []
    for line in text.split(b"\n") if text else ():
        match = (_USER if line.startswith(b"@") else _BUILT_IN).fullmatch(line)
        if match is None:
            raise RemoteProtocolError(f"tmux listed {line[:80]!r}, which is no option and value")
        name, *middle, raw = match.groups()
        at = int(middle[0]) if middle and middle[0] is not None else None
        entries.append(Entry(name.decode("utf-8", "surrogateescape"), at, raw))
    return entries


def _unescape_one(match: re.Match[bytes]) -> bytes:
    octal, char = match.groups()
    # Neither: the backslash that 3.4 adds before the one that was there.
    return unescape(match.group()) if octal or char else b""


def decode_string(raw: bytes) -> str:
    r"""Return the value of tmux's quoted form; quotes only delimit it, escapes are the same in each.

    >>> decode_string(rb'"a\tb \$HOME \377"')
    'a\tb $HOME \udcff'
    """
    quoted = raw[:1] in (b'"', b"'")
    if quoted and (len(raw) < 2 or raw[-1:] != raw[:1]):
        raise RemoteProtocolError(f"tmux printed {raw[:80]!r}, a string without its end")
    body = raw[1:-1] if quoted else raw
    if b"\\" in body:
        body = _STRING_ESCAPE.sub(_unescape_one, body)
    return body.decode("utf-8", "surrogateescape")


def decode_command(raw: bytes) -> str:
    """Return a command or hook as tmux writes it; it can be given back to tmux as it is."""
    return _EVEN_BEFORE_VARIABLE.sub(lambda match: match[1][:-1], raw).decode("utf-8", "surrogateescape")
