"""Mouse events as terminals report them to programs: SGR (1006), or the older form with one byte a coordinate."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal

from muxwright.errors import InvalidArgument

__all__ = ["Button", "Modifier", "mouse_event"]

Button = Literal["left", "middle", "right", "wheel-up", "wheel-down", "none"]
Modifier = Literal["shift", "meta", "control"]

_BUTTONS: Final[dict[str, int]] = {"left": 0, "middle": 1, "right": 2, "none": 3, "wheel-up": 64, "wheel-down": 65}
_MODIFIERS: Final[dict[str, int]] = {"shift": 4, "meta": 8, "control": 16}
_MOTION: Final = 32
_OLD_LIMIT: Final = 222  # a coordinate is sent as a byte, 33 more than it is


def mouse_event(
    button: Button,
    row: int,
    column: int,
    *,
    sgr: bool,
    released: bool = False,
    motion: bool = False,
    modifiers: Collection[Modifier] = (),
) -> bytes:
    """Return the bytes of one event; `row` and `column` count from 0.

    Raises `InvalidArgument` for an unknown button or modifier, and for a place that the older form cannot tell.
    """
    if button not in _BUTTONS:
        raise InvalidArgument(f"there is no mouse button {button!r}: expected one of {', '.join(_BUTTONS)}")
    if unknown := set(modifiers) - set(_MODIFIERS):
        raise InvalidArgument(f"not modifiers: {', '.join(sorted(unknown))}; expected {', '.join(_MODIFIERS)}")
    code = _BUTTONS[button] + sum(_MODIFIERS[name] for name in set(modifiers)) + (_MOTION if motion else 0)
    if sgr:
        return b"\033[<%d;%d;%d%c" % (code, column + 1, row + 1, b"m" if released else b"M")
    if max(row, column) > _OLD_LIMIT:
        raise InvalidArgument(
            f"row {row}, column {column} is beyond what this program's mouse mode can tell (0 to {_OLD_LIMIT})"
        )
    if released:
        code = code & ~3 | _BUTTONS["none"]
    return b"\033[M" + bytes((code + 32, column + 33, row + 33))
