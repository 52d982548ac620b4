"""Inert documents: what a criteria document may be made of, and how much of it, checked before anything is built.

Everything here reports the path ``$``, as the reference does; the message says where in the document it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from math import isfinite
from typing import Any, Final

from muxwright.errors import InvalidArgument, WireCriteriaError

__all__ = ["SAFE_INTEGER", "WhereLimits", "WireObject", "as_array", "as_object", "operator_of", "pairs_of", "preflight"]

SAFE_INTEGER: Final = 9007199254740991
"""The largest integer that every JSON reader keeps exactly (2**53 - 1)."""

DEEPEST: Final = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class WhereLimits:
    """How large a criteria document may be; each is positive, and `max_depth` at most 128.

    `max_depth` are levels, `max_nodes` objects, arrays, keys and scalars together, `max_string_bytes` the UTF-8 bytes
    of one string or key, `max_items` the members of one object or array, `max_bytes` those of all strings and keys
    together. They bound reading and writing a document, not the search through a snapshot.

    >>> WhereLimits(max_depth=8).max_nodes
    4096
    """

    max_depth: int = 32
    max_nodes: int = 4096
    max_string_bytes: int = 65_536
    max_items: int = 1024
    max_bytes: int = 1_048_576

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if type(value) is not int or value < 1:
                raise InvalidArgument(f"{field.name} is a positive int, not {value!r}")
        if self.max_depth > DEEPEST:
            raise InvalidArgument(f"max_depth is at most {DEEPEST}, not {self.max_depth}")


class WireObject:
    """An object as pairs, duplicate keys included, so that they can be refused; a dict has lost them already.

    >>> WireObject([("op", "not"), ("op", "all")]).pairs
    (('op', 'not'), ('op', 'all'))
    """

    __slots__ = ("pairs",)

    def __init__(self, pairs: Iterable[tuple[str, Any]]) -> None:
        self.pairs = tuple((key, value) for key, value in pairs)

    def __repr__(self) -> str:
        return f"WireObject({list(self.pairs)!r})"


def pairs_of(value: object) -> Iterable[tuple[Any, Any]] | None:
    """Return the members of an object, or ``None`` when it is none."""
    if isinstance(value, WireObject):
        return value.pairs
    return tuple(dict.items(value)) if isinstance(value, dict) else None


def _fail(code: str, path: str, message: str) -> WireCriteriaError:
    where = f" at {path}" if path != "$" else ""
    return WireCriteriaError(code, "$", f"{message}{where}")


class _Budget:
    """What has been counted of one document."""

    __slots__ = ("limits", "nodes", "total")

    def __init__(self, limits: WhereLimits) -> None:
        self.limits = limits
        self.nodes = 0
        self.total = 0

    def visit(self, value: object, depth: int, path: str) -> None:
        limits = self.limits
        if depth > limits.max_depth:
            raise _fail("limit", "$", f"more than {limits.max_depth} levels")
        self.nodes += 1
        if self.nodes > limits.max_nodes:
            raise _fail("limit", "$", f"more than {limits.max_nodes} nodes")
        members = pairs_of(value)
        if members is not None:
            self._object(tuple(members), depth, path)
        elif isinstance(value, list | tuple) and not hasattr(value, "_fields"):
            self._bound(len(value), path, "array")
            for position, item in enumerate(value, 1):
                self.visit(item, depth + 1, f"{path}[{position}]")
        else:
            self._scalar(value, path)

    def _bound(self, count: int, path: str, what: str) -> None:
        if count > self.limits.max_items:
            raise _fail("limit", path, f"{what} of more than {self.limits.max_items} members")

    def _object(self, members: tuple[tuple[Any, Any], ...], depth: int, path: str) -> None:
        self._bound(len(members), path, "object")
        seen = set()
        for key, item in members:
            if not isinstance(key, str):
                raise _fail("type", path, "an object's keys are strings")
            self.visit(key, depth + 1, path)
            if key in seen:
                raise _fail("duplicate", path, f"the key {key!r:.80} stands twice")
            seen.add(key)
            self.visit(item, depth + 1, f"{path}.{key:.80}")

    def _scalar(self, value: object, path: str) -> None:
        if isinstance(value, str):
            self._string(value, path)
        elif value is None or isinstance(value, bool):
            return
        elif isinstance(value, int):
            if not -SAFE_INTEGER <= value <= SAFE_INTEGER:
                raise _fail("value", path, "an integer beyond the range that JSON keeps exactly")
        elif isinstance(value, float):
            if not isfinite(value):
                raise _fail("value", path, "a number is finite")
        else:
            raise _fail("type", path, f"a document has no {type(value).__name__}")

    def _string(self, value: str, path: str) -> None:
        limits = self.limits
        try:
            size = len(value) if len(value) > limits.max_string_bytes else len(value.encode())
        except UnicodeEncodeError:
            raise _fail("value", path, "a string is valid Unicode") from None
        if size > limits.max_string_bytes:
            raise _fail("limit", path, f"a string of more than {limits.max_string_bytes} bytes")
        self.total += size
        if self.total > limits.max_bytes:
            raise _fail("limit", "$", f"more than {limits.max_bytes} bytes of strings")


def preflight(data: object, limits: WhereLimits) -> None:
    """Check that a document is inert and within the limits; raises `WireCriteriaError`.

    Codes: ``limit``, ``type`` (no JSON value), ``value`` (no finite number, no exact integer, no Unicode text) and
    ``duplicate`` (of a key). A document that contains itself is too deep.

    >>> preflight({"op": "all", "args": []}, WhereLimits())
    >>> preflight([float("nan")], WhereLimits())
    Traceback (most recent call last):
    muxwright.errors.WireCriteriaError: criteria value at $: a number is finite at $[1]
    """
    if not isinstance(limits, WhereLimits):
        raise InvalidArgument(f"limits are WhereLimits, not {limits!r:.80}")
    _Budget(limits).visit(data, 1, "$")


def as_object(value: object, keys: Iterable[str], path: str) -> dict[str, Any]:
    """Return an object with exactly `keys`; raises `WireCriteriaError` (``type`` or ``shape``)."""
    members = pairs_of(value)
    if members is None:
        raise WireCriteriaError("type", path, "an object is expected here")
    found = dict(members)
    wanted = tuple(keys)
    if set(found) != set(wanted):
        missing = [key for key in wanted if key not in found]
        extra = [key for key in found if key not in wanted]
        odd = "; ".join(
            f"{what} {', '.join(f'{key!r:.80}' for key in some[:5])}"
            for what, some in (("missing", missing), ("unexpected", extra))
            if some
        )
        raise WireCriteriaError("shape", path, f"the keys are exactly {', '.join(wanted)} ({odd})")
    return found


def as_array(value: object, path: str) -> list[Any]:
    """Return an array as a list; raises `WireCriteriaError` (``type``)."""
    if not isinstance(value, list | tuple):
        raise WireCriteriaError("type", path, "an array is expected here")
    return list(value)


def operator_of(value: object, path: str) -> str:
    """Return the string `op` of a node; raises `WireCriteriaError` (``type`` or ``shape``)."""
    members = pairs_of(value)
    if members is None:
        raise WireCriteriaError("type", path, "an object is expected here")
    op = dict(members).get("op")
    if not isinstance(op, str):
        raise WireCriteriaError("shape", path, "an object here has a string 'op'")
    return op
