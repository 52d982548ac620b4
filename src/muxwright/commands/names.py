"""Which names, titles and directories tmux keeps exactly, and how they are written.

tmux rewrites some names without a word (``a.b`` becomes ``a_b``) and ignores some titles. Such text is refused here,
before anything is sent, so that what was asked for is what is there. The rules are those that hold on every tmux from
3.2a to 3.8.
"""

from __future__ import annotations

import re

from muxwright.errors import InvalidArgument

__all__ = [
    "check_directory",
    "check_environment",
    "check_name",
    "check_session_name",
    "check_title",
    "format_literal",
    "text_bytes",
]

_ASCII_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# tmux before 3.4 writes a backslash before a dollar that looks like a variable.
_VARIABLE = re.compile(r"\$[A-Za-z_{]")
# tmux halves a run of # unless a [ follows: then it is a style to it, which it leaves alone.
_HASHES = re.compile(r"#+(?![#\[])")
_ENVIRONMENT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Categories that tmux 3.3a replaces by octal escapes: control, surrogate, unassigned, line and paragraph separator.
_ALTERED = frozenset(("Cc", "Cs", "Cn", "Zl", "Zp"))


def text_bytes(text: str, what: str) -> bytes:
    """Return `text` as UTF-8; raises `InvalidArgument` for a lone surrogate or a NUL."""
    try:
        data = text.encode()
    except AttributeError:
        raise InvalidArgument(f"{what} must be a str, not {type(text).__name__}") from None
    except UnicodeEncodeError as error:
        raise InvalidArgument(
            f"{what} holds a lone surrogate at position {error.start}, which is not valid UTF-8; "
            "paste bytes instead where bytes are meant"
        ) from None
    if b"\0" in data:
        raise InvalidArgument(f"{what} holds a NUL character, which tmux cannot carry")
    return data


def _any_bytes(text: str, what: str) -> bytes:
    """Return the bytes that `text` stands for, as `os.fsencode` does; raises `InvalidArgument` where there are none."""
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise InvalidArgument(
            f"{what} holds a lone surrogate at position {error.start}, which stands for no byte"
        ) from None
    if b"\0" in data:
        raise InvalidArgument(f"{what} holds a NUL character, which tmux cannot carry")
    return data


def format_literal(text: str) -> str:
    """Return `text` so that tmux's format expansion gives it back: each ``#`` doubled, but not before a ``[``.

    >>> format_literal("#S #[fg=red]")
    '##S #[fg=red]'
    """
    return _HASHES.sub(lambda run: run.group() * 2, text)


def _altered(text: str) -> str | None:
    """Return the first character that some tmux would not keep."""
    if match := _ASCII_CONTROL.search(text):
        return match.group()
    if "\\" in text:
        return "\\"
    if not text.isascii():
        # Only here: the tables of unicodedata take a millisecond to load.
        from unicodedata import category

        return next((char for char in text if category(char) in _ALTERED), None)
    return None


def _check(text: str, what: str, more: str = "") -> bytes:
    data = text_bytes(text, what)
    if not data:
        raise InvalidArgument(f"{what} must not be empty")
    char = _altered(text) or next((char for char in more if char in text), None)
    if char is not None:
        raise InvalidArgument(f"{what} {text[:80]!r} holds {char!r}, which tmux would change or drop; leave it out")
    return data


def check_name(text: str, what: str = "a window's name") -> bytes:
    """Return a window's name as it is sent, with ``#`` doubled.

    Refused: empty, control characters, backslash, ``$`` before a letter, ``_`` or ``{``, unassigned code points.
    """
    _check(text, what)
    if match := _VARIABLE.search(text):
        raise InvalidArgument(f"{what} {text[:80]!r} holds {match.group()!r}, to which some tmux adds a backslash")
    return format_literal(text).encode()


def check_session_name(text: str) -> bytes:
    """Return a session's name as it is sent; refuses also ``.`` and ``:``, which tmux rewrites or cannot address."""
    check_name(text, "a session's name")
    _check(text, "a session's name", ".:")
    return format_literal(text).encode()


def check_title(text: str) -> bytes:
    """Return a pane's title as it is sent; an empty title is allowed, control characters and backslash are not."""
    if text == "":
        return b""
    _check(text, "a pane's title")
    return format_literal(text).encode()


def check_directory(path: str) -> bytes:
    """Return a start directory as it is sent: absolute, ``#`` doubled, any bytes but NUL (see `os.fsdecode`)."""
    if not isinstance(path, str):
        raise InvalidArgument(f"a start directory must be a str, not {type(path).__name__}")
    if not path.startswith("/"):
        raise InvalidArgument(f"a start directory must be absolute, not {path[:80]!r}; use os.path.abspath()")
    return _any_bytes(format_literal(path), "a start directory")


def check_environment(name: str, value: str) -> bytes:
    """Return ``NAME=value`` for ``-e``; names are portable, values are any text without NUL."""
    if not isinstance(name, str) or not _ENVIRONMENT_NAME.fullmatch(name):
        raise InvalidArgument(f"{name!r} is no environment name: expected letters, digits and _, no digit first")
    if not isinstance(value, str):
        raise InvalidArgument(f"the value of {name} must be a str, not {type(value).__name__}")
    return name.encode() + b"=" + _any_bytes(value, f"the value of {name}")
