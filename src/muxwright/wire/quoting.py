"""Write arguments so that tmux reads back exactly the same bytes.

tmux has two readers. A *control line* (also a command string inside `if-shell`, and a file for `source-file`) goes
through its command parser: quotes, ``$NAME``, a leading ``~``, ``#`` and newlines all mean something there. An *argv*
does not, except that an argument which ends in ``;`` separates two commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from muxwright.errors import LocalProtocolError

__all__ = ["Words", "argv_size", "encode_argv", "encode_words", "quote"]

Words = Sequence[bytes]
"""A tmux command: its name and its literal arguments."""

# The parsers of all versions give up at 9,990 arguments ("yacc stack overflow", "memory exhausted").
MAX_WORDS = 9_000

# Flags, ids and names come again and again; typed text does not, and must not stay in memory.
_SHORT = 8
# Printable ASCII without the single quote: exact inside single quotes.
_PLAIN = re.compile(rb"[ -&(-~]*+")
# With valid UTF-8 only these cannot stand inside single quotes.
_UNSAFE_TEXT = re.compile(rb"[\x00-\x1f'\x7f]")
# In anything else no byte above ASCII can either: 0xff, for one, ends a quoted string.
_UNSAFE_BYTES = re.compile(rb"[\x00-\x1f'\x7f-\xff]")


def _octal(match: re.Match[bytes]) -> bytes:
    return b"'\"\\%03o\"'" % match.group()[0]


def quote(word: bytes) -> bytes:
    """Return `word` as one argument for tmux's command parser, exact for every byte but NUL.

    Raises `LocalProtocolError` for a NUL byte, which tmux cannot carry at all.

    >>> quote(b"it's #1")
    b'\\'it\\'"\\\\047"\\'s #1\\''
    """
    return _quote_short(word) if len(word) < _SHORT else _quote(word)


def _quote(word: bytes) -> bytes:
    if _PLAIN.fullmatch(word):
        return b"'" + word + b"'"
    if b"\0" in word:
        raise LocalProtocolError("an argument holds a NUL byte, which tmux cannot carry; remove it")
    try:
        word.decode()
    except UnicodeDecodeError:
        return b"'" + _UNSAFE_BYTES.sub(_octal, word) + b"'"
    return b"'" + _UNSAFE_TEXT.sub(_octal, word) + b"'"


_quote_short = lru_cache(maxsize=512)(_quote)


def encode_words(words: Words) -> bytes:
    """Return one command as it stands on a control line; at most 9,000 words, which is what tmux's parser can hold.

    >>> encode_words((b"send-keys", b"-t", b"%3", b"-l", b"--", b"a;"))
    b"send-keys '-t' '%3' '-l' '--' 'a;'"
    """
    if len(words) > MAX_WORDS:
        raise LocalProtocolError(f"a command has {len(words)} words; tmux reads at most {MAX_WORDS}, send it in parts")
    # The name is ours and bare: a quoted first word would still be looked up, but reads badly in show-messages.
    name, *arguments = words
    return b" ".join([name, *[_quote_short(word) if len(word) < _SHORT else _quote(word) for word in arguments]])


def encode_argv(commands: Iterable[Words]) -> list[bytes]:
    """Return the argument list of one tmux process that runs `commands` one after the other.

    >>> encode_argv([(b"send-keys", b"a;"), (b"list-panes",)])
    [b'send-keys', b'a\\\\;', b';', b'list-panes']
    """
    argv: list[bytes] = []
    for words in commands:
        if argv:
            argv.append(b";")
        for word in words:
            if b"\0" in word:
                raise LocalProtocolError("an argument holds a NUL byte, which tmux cannot carry; remove it")
            argv.append(word[:-1] + b"\\;" if word.endswith(b";") else word)
    return argv


def argv_size(argv: Iterable[bytes]) -> int:
    """Return the bytes that an argument list takes in tmux's message to its server."""
    return sum(len(word) + 1 for word in argv)
