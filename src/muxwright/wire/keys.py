"""Key names: what may be pressed with `send-keys`.

tmux types the name of a key it does not know, exits with 0, and leaves ``Entr`` on somebody's command line. It even
types names it does know when its tables have no bytes for them. So the names here are those that press a key in a pane,
found by pressing every name with every modifier on tmux 3.3a, 3.5a, 3.7c and 3.8 and reading the bytes:

- pressed everywhere: characters and named keys, alone or with M-; cursor and function keys with any modifiers; C- with
  letters, Space and ``@ [ \\ ] ^ _ ?``, with M- beside it or not, and C- with ``/ - 2 6``;
- pressed since 3.5: the rest with C- or S-. Before, their *names* are typed (``S-Enter``), or nothing is (``C-1``);
- never pressed: keypad keys with C- or S-, and C- (without M-) with Escape, BSpace and ``# $ % & *``.

Whether a program is told of the modifier of a key such as S-Enter is up to it and to tmux's option extended-keys.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from muxwright.errors import InvalidArgument, UnsupportedCapability
from muxwright.wire.versions import CAPABILITIES, supports

if TYPE_CHECKING:
    from muxwright.wire.versions import TmuxVersion

__all__ = ["KEY_NAMES", "check_key"]

MAX_NAME: Final = 64

_KEYPAD: Final = tuple(f"KP{key}" for key in (*"0123456789/*-+.", "Enter"))
_CURSOR: Final = ("Up", "Down", "Left", "Right", "Home", "End", "IC", "DC", "NPage", "PPage")
_FUNCTION: Final = tuple(f"F{number}" for number in range(1, 13))

KEY_NAMES: Final = ("Enter", "Escape", "Space", "Tab", "BTab", "BSpace", *_CURSOR, *_FUNCTION, *_KEYPAD)
"""The named keys, as tmux itself prints them."""

_SYNONYMS: Final = {
    "insert": "IC",
    "delete": "DC",
    "pagedown": "NPage",
    "pgdn": "NPage",
    "pageup": "PPage",
    "pgup": "PPage",
}
_NAMES: Final = {name.lower(): name for name in KEY_NAMES} | _SYNONYMS

_ANY_MODIFIER: Final = frozenset(_CURSOR + _FUNCTION)
_CONTROL_META: Final = frozenset([*"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@[\\]^_?", "Space"])
_CONTROL: Final = _CONTROL_META | frozenset("/-26")
_NO_CONTROL: Final = frozenset([*"#$%&*", "Escape", "BSpace"])

# What people write, from other tools and from keyboards.
_MISTAKES: Final = {
    "return": "Enter",
    "cr": "Enter",
    "esc": "Escape",
    "backspace": "BSpace",
    "bs": "BSpace",
    "del": "DC",
    "ins": "IC",
    "pgdown": "NPage",
    "pagedn": "NPage",
    "shift-tab": "BTab",
    "spacebar": "Space",
    "linefeed": "C-j",
    "newline": "C-j",
    "\r": "Enter",
    "\n": "Enter",
    "\t": "Tab",
    "\x1b": "Escape",
    "\x7f": "BSpace",
}
_WORDY: Final = re.compile(r"([A-Za-z]+)[-+](.+)", re.DOTALL)
_MODIFIERS: Final = (
    dict.fromkeys(("c", "ctrl", "control"), "C-")
    | dict.fromkeys(("m", "alt", "meta", "opt", "option"), "M-")
    | dict.fromkeys(("s", "shift"), "S-")
)


def check_key(name: str, version: TmuxVersion | None = None) -> str:
    """Return the spelling of a key that `send-keys` presses, or raise before anything is sent.

    `name` is one printable character or a name of `KEY_NAMES` (in any case, or one of Insert, Delete, PageUp, PgUp,
    PageDown, PgDn), with modifiers ``C-`` ``M-`` ``S-`` or ``^`` before it. Raises `InvalidArgument` with what was
    probably meant, or `UnsupportedCapability` for a key that the given version is too old for; without `version` for
    every key that not all of them press. The result may be ``;`` or begin with a dash: quoting is left to the encoders.

    >>> check_key("^pgup")
    'C-PPage'
    """
    modifiers, key = _split(name[:MAX_NAME])
    base = _base(key) if len(name) <= MAX_NAME else None
    if base is None:
        raise InvalidArgument(f"{name[:MAX_NAME]!r} is not a key{_hint(name)}; text is sent as text, not as keys")
    spelling = "".join(f"{modifier}-" for modifier in "CMS" if modifier in modifiers) + base
    if _pressed_everywhere(modifiers, base):
        return spelling
    if ("C" in modifiers or "S" in modifiers) and base in _KEYPAD:
        raise InvalidArgument(f"{spelling!r} is pressed by no tmux: keypad keys take M- only")
    if "C" in modifiers and "M" not in modifiers and base in _NO_CONTROL:
        raise InvalidArgument(f"{spelling!r} is pressed by no tmux: its name would be typed")
    if version is None or not supports(version, "extended-keys"):
        # An older one would type its name, or lose it.
        has = "a tmux of unknown version" if version is None else f"tmux {version}"
        raise UnsupportedCapability(f"the key {spelling}", needs=f"tmux {CAPABILITIES['extended-keys'].since}", has=has)
    return spelling


def _split(name: str) -> tuple[frozenset[str], str]:
    """Take the modifiers off as tmux does: a caret only in front, then letter and dash as often as they come."""
    modifiers = set()
    if len(name) > 1 and name[0] == "^":
        modifiers.add("C")
        name = name[1:]
    while len(name) > 2 and name[1] == "-" and name[0] in "CMScms":
        modifiers.add(name[0].upper())
        name = name[2:]
    return frozenset(modifiers), name


def _base(key: str) -> str | None:
    if key == " ":
        return "Space"
    if len(key) == 1:
        return key if key.isprintable() else None
    return _NAMES.get(key.lower()) if key.isascii() else None


def _pressed_everywhere(modifiers: frozenset[str], base: str) -> bool:
    if not modifiers or modifiers == {"M"} or base in _ANY_MODIFIER:
        return True
    if modifiers == {"C"}:
        return base in _CONTROL
    return modifiers == {"C", "M"} and base in _CONTROL_META


def _hint(name: str) -> str:
    near = _meant(name[:MAX_NAME])
    return f", did you mean {near!r}?" if near is not None and near != name else ""


def _meant(name: str) -> str | None:
    """Return the key that was probably meant."""
    prefix, key = "", name
    while (match := _WORDY.match(key)) and match[1].lower() in _MODIFIERS:
        prefix += _MODIFIERS[match[1].lower()]
        key = match[2]
    known = _base(key) or _MISTAKES.get(key.lower())
    if known is None:
        from difflib import get_close_matches  # only for the message

        near = get_close_matches(key.lower(), [*_NAMES, *_MISTAKES], n=1, cutoff=0.7)
        known = (_NAMES.get(near[0]) or _MISTAKES[near[0]]) if near else None
    return None if known is None else prefix + known
