"""Checks arguments against the part of JSON Schema that the catalogue uses. Nothing is coerced.

A message names the place, what was given and what is expected: it is read by whoever has to do better.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any

from muxwright.mcp.errors import ToolError

__all__ = ["check", "complaints"]

Schema = dict[str, Any]

_KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}
_SIZES: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "minLength": ("at least {} characters", lambda value, bound: len(value) >= bound),
    "maxLength": ("at most {} characters", lambda value, bound: len(value) <= bound),
    "minItems": ("at least {} items", lambda value, bound: len(value) >= bound),
    "maxItems": ("at most {} items", lambda value, bound: len(value) <= bound),
    "minimum": ("{} or more", lambda value, bound: value >= bound),
    "maximum": ("{} or less", lambda value, bound: value <= bound),
    "pattern": ("a match of {}", lambda value, bound: re.search(bound, value) is not None),
}


def check(schema: Schema, arguments: Any) -> None:
    """Raise `ToolError` for the first thing that is wrong."""
    for complaint in complaints(schema, arguments, "arguments"):
        raise ToolError("invalid_arguments", complaint)


def complaints(schema: Schema, value: Any, path: str) -> Iterator[str]:
    """Yield what is wrong with `value`."""
    if "const" in schema and value != schema["const"]:
        yield f"{path}: expected {json.dumps(schema['const'])}, got {_shown(value)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        words = ", ".join(map(str, schema["enum"]))
        yield f"{path}: expected one of {words}, got {_shown(value)}{_near(value, schema['enum'])}"
        return
    if (kinds := schema.get("type")) is not None:
        kinds = [kinds] if isinstance(kinds, str) else kinds
        if not any(_is(value, kind) for kind in kinds):
            yield f"{path}: expected {' or '.join(kinds)}, got {_shown(value)}"
            return
    for name, (expected, fits) in _SIZES.items():
        if name in schema and _applies(name, value) and not fits(value, schema[name]):
            yield f"{path}: expected {expected.format(schema[name])}, got {_shown(value)}"
    if isinstance(value, str):
        yield from _text(value, path)
    if isinstance(value, dict):
        yield from _members(schema, value, path)
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from complaints(schema["items"], item, f"{path}[{index}]")
    for word in ("anyOf", "oneOf"):
        if word in schema:
            yield from _variants(schema[word], value, path)


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, _KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _applies(name: str, value: Any) -> bool:
    if name in ("minimum", "maximum"):
        return _is(value, "number")
    return isinstance(value, list if name.endswith("Items") else str)


def _text(value: str, path: str) -> Iterator[str]:
    if "\0" in value:
        yield f"{path}: holds a NUL character, which tmux cannot carry; leave it out"
    if not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
        yield f"{path}: holds half of a surrogate pair, which is no valid UTF-8; leave it out"


def _members(schema: Schema, value: dict[str, Any], path: str) -> Iterator[str]:
    known = schema.get("properties", {})
    more = schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{path}: {name} is missing{_asked(known.get(name, {}))}"
    for name, item in value.items():
        if name in known:
            yield from complaints(known[name], item, f"{path}.{name}")
        elif more is False:
            expected = f"expected only {', '.join(known)}" if known else "expected none"
            yield f"{path}: {_shown(name)} is not known; {expected}{_near(name, list(known))}"
        elif isinstance(more, dict):
            yield from complaints(more, item, f"{path}.{name}")


def _asked(schema: Schema) -> str:
    return f" ({schema['description']})" if "description" in schema else ""


def _variants(variants: list[Schema], value: Any, path: str) -> Iterator[str]:
    found = [list(complaints(variant, value, path)) for variant in variants]
    if all(found):
        # The variant that was meant is the one whose constants fit.
        meant = next((i for i, variant in enumerate(variants) if _meant(variant, value)), None)
        if meant is not None:
            yield from found[meant]
            return
        names = [c["const"] for v in variants for c in v.get("properties", {}).values() if "const" in c]
        wanted = (
            f"one of {', '.join(names)}" if names else " or ".join(dict.fromkeys(_short(each[0]) for each in found))
        )
        yield f"{path}: expected {wanted}, got {_shown(value)}" if names else f"{path}: {wanted}"


def _meant(variant: Schema, value: Any) -> bool:
    constants = {name: each["const"] for name, each in variant.get("properties", {}).items() if "const" in each}
    return (
        bool(constants) and isinstance(value, dict) and all(value.get(key) == const for key, const in constants.items())
    )


def _short(complaint: str) -> str:
    return complaint.partition(": ")[2]


def _near(value: Any, words: list[Any]) -> str:
    near = (
        get_close_matches(value, [word for word in words if isinstance(word, str)], 1) if isinstance(value, str) else []
    )
    return f"; did you mean {near[0]}?" if near else ""


def _shown(value: Any) -> str:
    """Return a short form of a value; a long text may be a secret and is described instead."""
    if isinstance(value, str) and len(value) > 40:
        return f"a text of {len(value)} characters"
    if isinstance(value, dict | list):
        return f"an {'object' if isinstance(value, dict) else 'array'} of {len(value)}"
    return json.dumps(value)
