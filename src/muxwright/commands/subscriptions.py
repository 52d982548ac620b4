"""Format subscriptions (``refresh-client -B``): how one is asked for, and how its values are read.

tmux prints a value as it is, newlines included, so that a directory's name could announce anything. So tmux itself is
made to write a newline as ``\\n`` and a backslash as two, and an equals sign before each value that there is.
"""

from __future__ import annotations

import re

from muxwright.refs import PaneRef, Ref, WindowRef
from muxwright.wire.quoting import Words

__all__ = ["read_value", "subscribe_words", "unsubscribe_words"]

_ESCAPE = re.compile(rb"\\(.)")


def subscribe_words(name: str, target: Ref, window: str, field: str) -> Words:
    """Return the command that subscribes to a variable of exactly this object; `window` is the pane's."""
    value = b"=#{s|\\\\|\\\\\\\\|;s|\n|\\\\n|:%b}" % field.encode()
    what = b""
    if isinstance(target, WindowRef):
        what = target.id.encode()
    elif isinstance(target, PaneRef):
        # By its window: a subscription to a pane itself says nothing of a dead one.
        what = window.encode()
        value = b"#{P:#{?#{==:#{pane_id},%b},%b,}}" % (target.id.encode(), value)
    return (b"refresh-client", b"-B", b"%b:%b:%b" % (name.encode(), what, value))


def unsubscribe_words(name: str) -> Words:
    """Return the command that ends a subscription."""
    return (b"refresh-client", b"-B", name.encode())


def read_value(text: bytes) -> bytes | None:
    """Return the value; ``None`` when the object is not there.

    >>> read_value(rb"=two\\nlines \\\\")
    b'two\\nlines \\\\'
    """
    if not text.startswith(b"="):
        return None
    return _ESCAPE.sub(lambda match: b"\n" if match[1] == b"n" else match[1], text[1:])
