"""What filter-v1 documents may name: targets, their fields by tmux's own names, and their relations.

An expression names only the fields of its own object. Ids are text, as in the family. Where the reference is silent:
exactly the fields that our snapshots capture, or that follow from them (`session_windows`, `window_panes`,
`pane_right`, ...) can be named; others are unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from muxwright.model.catalog import ENTITIES, Scalar

__all__ = ["TARGETS", "Field", "ManyField", "Target"]


class Field(NamedTuple):
    """A scalar: its kind (``text``, ``bool`` or ``int``), how it is read, and for an int the range of its type."""

    kind: str
    read: Callable[[Any], Any]
    low: int = 0
    high: int = 0


class ManyField(NamedTuple):
    """A relation to any number of infos, which are judged as `target`."""

    target: str
    read: Callable[[Any], Any]


class Target(NamedTuple):
    """What a document is about: the entity it judges and the fields it may name."""

    name: str
    entity: str
    fields: Mapping[str, Field | ManyField]


# The widths that the family gives its numbers; all others are u32.
_I32: Final = {"pane_left", "pane_top", "pane_right", "pane_bottom"}
_I64: Final = {
    "session_created", "session_activity", "session_last_attached", "window_activity", "client_created",
    "client_activity",
}  # fmt: skip
_U8: Final = {"pane_dead_status"}

_DERIVED: Final[Mapping[str, tuple[tuple[str, str, Callable[[Any], Any]], ...]]] = {
    "session": (
        ("session_windows", "int", lambda session: len(session.links)),
        ("session_many_attached", "bool", lambda session: session.attached_clients > 1),
    ),
    "window": (("window_panes", "int", lambda window: len(window.panes)),),
    "pane": (
        ("pane_right", "int", lambda pane: pane.left + pane.width - 1),
        ("pane_bottom", "int", lambda pane: pane.top + pane.height - 1),
        ("pane_at_left", "bool", lambda pane: pane.left == 0),
        ("pane_at_right", "bool", lambda pane: pane.left + pane.width == pane.window.width),
    ),
}


def _field(variable: str, kind: str, read: Callable[[Any], Any]) -> Field:
    if kind != "int":
        return Field(kind, read)
    if variable in _U8:
        return Field(kind, read, 0, 2**8 - 1)
    bits = 32 if variable in _I32 else 64
    signed = variable in _I32 or variable in _I64
    return Field(kind, read, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else Field(kind, read, 0, 2**32 - 1)


def _attribute(name: str) -> Callable[[Any], Any]:
    return lambda item: getattr(item, name)


def _fields(entity: str) -> dict[str, Field | ManyField]:
    fields: dict[str, Field | ManyField] = {}
    for column in ENTITIES[entity].info.fields:
        scalar = ENTITIES[entity].fields[column.name]
        if column.name in ("window_id", "session_id") or not isinstance(scalar, Scalar):
            continue  # another object's field
        kind = {bool: "bool", int: "int"}.get(scalar.type, "text")
        fields[column.variable] = _field(column.variable, kind, _attribute(column.name))
    for variable, kind, read in _DERIVED.get(entity, ()):
        fields[variable] = _field(variable, kind, read)
    return fields


def _target(name: str, entity: str, **relations: str) -> Target:
    many = {field: ManyField(target, _attribute(field)) for field, target in relations.items()}
    return Target(name, entity, MappingProxyType({**_fields(entity), **many}))


TARGETS: Final[Mapping[str, Target]] = MappingProxyType(
    {
        target.name: target
        for target in (
            _target("session", "session"),
            _target("window", "window"),
            _target("pane", "pane"),
            _target("client", "client"),
            _target("session_tree", "session", windows="window_tree"),
            _target("window_tree", "window", panes="pane"),
        )
    }
)
"""Every target by its name."""
