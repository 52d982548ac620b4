"""The one table of what can be asked: entities, their fields and their relations.

Each has a Python name (the attribute of the info and the keyword of the criterion) and a wire identity,
``tmux.<entity>.<field>``. The identities of the Julia reference are its own; the further scalar fields of our infos
follow the same form. What the reference calls `windowlinks` is the attribute `links` here; the identity keeps the word.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from muxwright.errors import InvalidArgument
from muxwright.model.infos import ClientInfo, Info, PaneInfo, SessionInfo, WindowInfo, WindowLinkInfo
from muxwright.refs import ClientId, PaneId, SessionId, WindowId

__all__ = ["ENTITIES", "IDENTITIES", "Entity", "Relation", "Scalar", "entity_of", "find_scalar"]


class Scalar(NamedTuple):
    """A field with a plain value; `type` is ``str``, ``int``, ``bool`` or an id type."""

    entity: str
    name: str
    type: type
    nullable: bool

    @property
    def identity(self) -> str:
        """The wire identity."""
        return f"tmux.{self.entity}.{self.name}"

    def accepts(self, value: object) -> bool:
        """Whether `value` has exactly the field's type: a bool is no int, 1.0 is no int, and an id is no plain text."""
        return self.nullable if value is None else type(value) is self.type


class Relation(NamedTuple):
    """A way to other infos: to one (`nullable` when there may be none) or, with `many`, to any number of `target`."""

    entity: str
    name: str
    identity: str
    target: str
    many: bool = False
    nullable: bool = False


class Entity(NamedTuple):
    """One kind of info with its fields and relations by Python name, in canonical order."""

    name: str
    info: type[Info]
    fields: Mapping[str, Scalar | Relation]

    def field(self, name: str) -> Scalar | Relation:
        """Return a field or relation; raises `InvalidArgument`, with the nearest name, when there is none."""
        try:
            return self.fields[name]
        except KeyError:
            raise InvalidArgument(f"{self.name} has no field {name!r}{self._near(name)}") from None

    def _near(self, name: str) -> str:
        renamed = {item.identity.rpartition(".")[2]: item.name for item in self.fields.values()}
        if name in renamed:
            return f"; it is called {renamed[name]!r} here"
        near = get_close_matches(name, self.fields, n=1)
        return f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(self.fields)}"


def _entity(
    name: str, info: type[Info], types: dict[str, type], nullable: str, *relations: tuple[str, str, str]
) -> Entity:
    """Build an entity; `nullable` are names; a relation is a name, a target and ``one``, ``optional`` or ``many``."""
    fields: dict[str, Scalar | Relation] = {
        field: Scalar(name, field, kind, field in nullable.split()) for field, kind in types.items()
    }
    for field, target, how in relations:
        identity = f"tmux.{name}.{'windowlinks' if field == 'links' else field}"
        fields[field] = Relation(name, field, identity, target, how == "many", how == "optional")
    return Entity(name, info, MappingProxyType(fields))


ENTITIES: Final[Mapping[str, Entity]] = MappingProxyType({
    "pane": _entity(
        "pane",
        PaneInfo,
        {
            "id": PaneId, "window_id": WindowId, "index": int, "active": bool, "dead": bool, "exit_status": int,
            "pid": int, "tty": str, "width": int, "height": int, "left": int, "top": int, "cursor_x": int,
            "cursor_y": int, "history_size": int, "history_limit": int, "mode": str, "piped": bool, "input_off": bool,
            "synchronized": bool, "title": str, "current_command": str, "current_path": str, "start_command": str,
        },
        "exit_status pid tty mode current_command current_path start_command",
        ("window", "window", "one"),
    ),
    "window": _entity(
        "window",
        WindowInfo,
        {
            "id": WindowId, "name": str, "width": int, "height": int, "layout": str, "visible_layout": str,
            "zoomed": bool, "activity": int,
        },
        "",
        ("panes", "pane", "many"),
        ("links", "windowlink", "many"),
    ),
    "session": _entity(
        "session",
        SessionInfo,
        {
            "id": SessionId, "name": str, "attached_clients": int, "created": int, "activity": int,
            "last_attached": int, "group": str, "path": str,
        },
        "last_attached group",
        ("windows", "window", "many"),
        ("links", "windowlink", "many"),
    ),
    "client": _entity(
        "client",
        ClientInfo,
        {
            "id": ClientId, "name": str, "pid": int, "created": int, "session_id": SessionId, "activity": int,
            "width": int, "height": int, "tty": str, "control": bool, "readonly": bool,
        },
        "session_id tty",
        ("session", "session", "optional"),
    ),
    "windowlink": _entity(
        "windowlink",
        WindowLinkInfo,
        {"session_id": SessionId, "window_id": WindowId, "index": int, "active": bool},
        "",
        ("session", "session", "one"),
        ("window", "window", "one"),
    ),
})  # fmt: skip
"""Every entity by its wire name."""

IDENTITIES: Final[Mapping[str, Scalar | Relation]] = MappingProxyType(
    {field.identity: field for entity in ENTITIES.values() for field in entity.fields.values()}
)
"""Every field and relation by its wire identity."""

_BY_INFO: Final = {entity.info: entity.name for entity in ENTITIES.values()}


def entity_of(item: Any) -> str | None:
    """Return the entity that `item` is an info of, or ``None``."""
    return _BY_INFO.get(type(item))


def find_scalar(entity: str, name: str) -> Scalar:
    """Return a scalar field; raises `InvalidArgument` for an unknown name and for a relation.

    >>> find_scalar("pane", "title").identity
    'tmux.pane.title'
    """
    field = ENTITIES[entity].field(name)
    if isinstance(field, Relation):
        raise InvalidArgument(f"{entity}.{name} is a relation, not a scalar field")
    return field
