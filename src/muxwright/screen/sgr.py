"""SGR: the parameters of ``ESC [ ... m``, read and written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from muxwright.screen.style import DEFAULT, Colour, Rgb, Style, Underline

__all__ = ["apply", "encode"]

_KINDS: tuple[Underline | None, ...] = (None, "single", "double", "curly", "dotted", "dashed")

_CHANGES: dict[int, dict[str, Any]] = {
    1: {"bold": True},
    2: {"dim": True},
    3: {"italic": True},
    4: {"underline": "single"},
    5: {"blink": True},
    6: {"blink": True},
    7: {"reverse": True},
    8: {"hidden": True},
    9: {"strike": True},
    21: {"underline": "double"},
    22: {"bold": False, "dim": False},
    23: {"italic": False},
    24: {"underline": None},
    25: {"blink": False},
    27: {"reverse": False},
    28: {"hidden": False},
    29: {"strike": False},
    39: {"foreground": None},
    49: {"background": None},
    53: {"overline": True},
    55: {"overline": False},
    59: {"underline_colour": None},
    **{30 + number: {"foreground": number} for number in range(8)},
    **{40 + number: {"background": number} for number in range(8)},
    **{90 + number: {"foreground": 8 + number} for number in range(8)},
    **{100 + number: {"background": 8 + number} for number in range(8)},
}
_EXTENDED = {38: "foreground", 48: "background", 58: "underline_colour"}
_FLAGS = {"bold": 1, "dim": 2, "italic": 3, "blink": 5, "reverse": 7, "hidden": 8, "strike": 9, "overline": 53}


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 6 else 0


def _colour(parts: list[int]) -> Colour:
    """Return the colour behind 38, 48 or 58: ``5;n`` or ``2;r;g;b``."""
    if parts[:1] == [5] and len(parts) > 1:
        return parts[1] & 255
    if parts[:1] == [2] and len(parts) > 3:
        return Rgb(*(part & 255 for part in parts[1:4]))
    return None


@lru_cache(maxsize=4096)
def apply(style: Style, parameters: str) -> Style:
    """Return the style after ``ESC [ parameters m``; what is unknown changes nothing. The link stays."""
    changes: dict[str, Any] = {}
    fields = iter(parameters.split(";"))
    for field in fields:
        head, colon, rest = field.partition(":")
        code = _number(head)
        if code == 0:
            changes = dict(DEFAULT._replace(link=style.link)._asdict())
        elif code in _EXTENDED:
            changes[_EXTENDED[code]] = _colon_colour(rest) if colon else _next_colour(fields)
        elif colon and code == 4:
            changes["underline"] = _KINDS[kind] if (kind := _number(rest)) < len(_KINDS) else "single"
        elif colon and code == 5:
            # tmux writes overline (53) so.
            changes["overline"] = True
        else:
            changes.update(_CHANGES.get(code, {}))
    return style._replace(**changes)


def _colon_colour(rest: str) -> Colour:
    kind, *parts = rest.split(":")
    # 2:SPACE:r:g:b names a colour space first, 2:r:g:b does not.
    if kind == "2" and len(parts) > 3:
        parts = parts[1:]
    return _colour([_number(kind), *map(_number, parts)])


def _next_colour(fields: Iterator[str]) -> Colour:
    kind = _number(next(fields, ""))
    count = {5: 1, 2: 3}.get(kind, 0)
    return _colour([kind, *(_number(next(fields, "")) for _ in range(count))])


def _colour_codes(colour: Colour, base: int) -> list[str]:
    """Return the parameters for a colour; `base` is 30, 40 or 50."""
    if colour is None:
        return []
    if isinstance(colour, Rgb):
        return [f"{base + 8};2;{colour.red};{colour.green};{colour.blue}"]
    if colour < 16 and base != 50:
        return [str(base + colour if colour < 8 else base + 52 + colour)]
    return [f"{base + 8};5;{colour}"]


@lru_cache(maxsize=4096)
def encode(style: Style) -> str:
    """Return the sequence that sets exactly this style, whatever was set before; without its link."""
    codes = ["0", *(str(code) for name, code in _FLAGS.items() if getattr(style, name))]
    if style.underline:
        kind = _KINDS.index(style.underline)
        codes.append("4" if kind == 1 else f"4:{kind}")
    codes += _colour_codes(style.foreground, 30)
    codes += _colour_codes(style.background, 40)
    codes += _colour_codes(style.underline_colour, 50)
    return f"\033[{';'.join(codes)}m"
