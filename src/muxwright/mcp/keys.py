"""What `keys` of a call mean: key names are pressed, other items are typed, and a slip of the pen is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from muxwright import InvalidArgument, UnsupportedCapability
from muxwright.mcp.errors import ToolError
from muxwright.mcp.tools.common import limit_bytes
from muxwright.wire.keys import check_key

__all__ = ["INTERRUPTS", "Typing", "is_interrupt", "read_keys"]

EACH = 1024
TOGETHER = 8192
INTERRUPTS = ("C-c", "C-\\")

Typing = tuple[bool, list[str]]
"""Whether they are keys, and the keys or the one text to type."""

# What has other characters cannot have been meant as the name of a key.
_NAME = re.compile(r"[A-Za-z0-9+^-]+")
_SLIP = re.compile(r"did you mean '(.+?)'\?")


def read_keys(keys: Sequence[str], *, literal: bool) -> list[Typing]:
    """Return what to press and what to type, in order; raises for what is probably meant otherwise."""
    for key in keys:
        limit_bytes(key, EACH, "a key", "; paste_text takes long text")
    limit_bytes("".join(keys), TOGETHER, "all keys together", "; paste_text takes long text")
    if literal:
        return [(False, ["".join(keys)])] if any(keys) else []
    marked = [(_is_key(key), key) for key in keys if key]
    runs = [(is_key, [key for _, key in run]) for is_key, run in groupby(marked, key=lambda pair: pair[0])]
    return [(True, run) if is_key else (False, ["".join(run)]) for is_key, run in runs]


def _is_key(text: str) -> bool:
    try:
        check_key(text)
        return True
    except UnsupportedCapability:
        return True
    except InvalidArgument as error:
        slip = _SLIP.search(str(error)) if _NAME.fullmatch(text) else None
        words = text.split()
        if slip or "pressed by no tmux" in str(error):
            meant = f"; did you mean {slip[1]!r}?" if slip else ""
            raise ToolError(
                "invalid_arguments",
                f"{text[:40]!r} is no key that tmux presses{meant} To type it as text: literal true",
            ) from None
        if len(words) > 1 and all(len(word) > 1 and _named(word) for word in words):
            raise ToolError(
                "invalid_arguments", f"{text[:40]!r} are several keys: give each as an item of its own"
            ) from None
        return False


def _named(word: str) -> bool:
    try:
        check_key(word)
    except (InvalidArgument, UnsupportedCapability):
        return False
    return True


def is_interrupt(typing: Sequence[Typing]) -> bool:
    """Whether this is nothing but an interrupt, which may pass where other input may not."""
    return len(typing) == 1 and typing[0][0] and all(key in INTERRUPTS for key in typing[0][1])
