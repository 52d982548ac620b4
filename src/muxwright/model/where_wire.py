"""Criteria as inert documents: plain dicts, lists and scalars, with nothing in them that could run.

The form is the Julia reference's, ``libtmux.julia.where`` version 1: an envelope of exactly `schema`, `version`,
`entity` and `where`, and nodes with exact keys. Writing is canonical. Errors are `WireCriteriaError` with the codes of
the reference: ``limit``, ``type``, ``duplicate``, ``value``, ``shape``, ``field``, ``unsupported``, ``schema``,
``version``, ``entity`` (and ``json`` from `where_json`).

Where the reference is silent: a wrong operand is reported at its own path (``$.where.fields[1].match``), and fields are
written in the catalogue's order. The further fields of our catalogue travel too; another port refuses those it lacks.
"""

from __future__ import annotations

from typing import Any, Final

from muxwright.errors import InvalidArgument, WireCriteriaError
from muxwright.model.catalog import ENTITIES, IDENTITIES, Relation, Scalar
from muxwright.model.criteria import (
    ClientWhere,
    Constraint,
    PaneWhere,
    SessionWhere,
    Where,
    WindowLinkWhere,
    WindowWhere,
)
from muxwright.model.criterion import ANY, AllOf, AllRelated, AnyOf, AnyRelated, Criterion, NoRelated, Not, Related
from muxwright.model.operators import (
    AtLeast,
    AtMost,
    Contains,
    EndsWith,
    EqualTo,
    GreaterThan,
    LessThan,
    NotEqualTo,
    OneOf,
    StartsWith,
)
from muxwright.model.wire_limits import WhereLimits, WireObject, as_array, as_object, operator_of, preflight
from muxwright.refs import ClientId, PaneId, SessionId, WindowId

__all__ = ["SCHEMA", "VERSION", "WhereLimits", "WireObject", "decode_where", "encode_where"]

SCHEMA: Final = "libtmux.julia.where"
VERSION: Final = 1

WHERES: Final[dict[str, type[Where]]] = {
    kind.of: kind for kind in (PaneWhere, WindowWhere, SessionWhere, ClientWhere, WindowLinkWhere)
}
_VALUES: Final = {"eq": EqualTo, "ne": NotEqualTo, "ge": AtLeast, "le": AtMost, "gt": GreaterThan, "lt": LessThan}
_TEXTS: Final = {"contains": Contains, "startsWith": StartsWith, "endsWith": EndsWith}
_RELATED: Final = {"anyRelated": AnyRelated, "allRelated": AllRelated, "noRelated": NoRelated}
_OPS: Final = {kind: op for table in (_VALUES, _TEXTS, _RELATED) for op, kind in table.items()}
_IDS: Final = (PaneId, WindowId, SessionId)

_DEFAULT = WhereLimits()


# --- writing ----------------------------------------------------------------------------------------------------------


def encode_where(criterion: Criterion, entity: str | None = None, *, limits: WhereLimits = _DEFAULT) -> dict[str, Any]:
    """Return a criterion as a document of plain dicts, lists and scalars.

    `entity` (``"pane"``, ...) is needed only for an empty `AllOf` or `AnyOf`, which fits any; without it, or when it
    contradicts the criterion, `InvalidArgument` is raised. `WireCriteriaError`: the document would exceed `limits`
    (``limit``), an operand has no exact form (``value``), or it is no criterion of this library (``unsupported``).

    >>> encode_where(PaneWhere(active=True))["where"]
    {'op': 'fields', 'fields': [{'field': 'tmux.pane.active', 'match': {'op': 'eq', 'value': True}}]}
    """
    if not isinstance(criterion, Criterion):
        raise WireCriteriaError("unsupported", "$", f"only criteria have a document, not {type(criterion).__name__}")
    known = criterion.entity if entity is None else entity
    if known not in WHERES:
        raise InvalidArgument(
            f"say which entity it is for, one of {', '.join(WHERES)}" + f", not {entity!r}" * bool(entity)
        )
    if criterion.entity not in (ANY, known):
        raise InvalidArgument(f"a {criterion.entity} criterion has no document for {known}")
    _check_size(criterion, limits)
    document = {"schema": SCHEMA, "version": VERSION, "entity": known, "where": _node(criterion)}
    preflight(document, limits)
    return document


def _check_size(criterion: Criterion, limits: WhereLimits) -> None:
    """Refuse what cannot fit before a document is built: deep, wide or foreign criteria."""
    if criterion.depth > limits.max_depth:
        raise WireCriteriaError("limit", "$", f"criteria nested more than {limits.max_depth} levels deep")
    waiting: list[Criterion] = [criterion]
    count = 0
    while waiting:
        current = waiting.pop()
        count += 1
        if count > limits.max_nodes:
            raise WireCriteriaError("limit", "$", f"more than {limits.max_nodes} criteria")
        match current:
            case AllOf() | AnyOf():
                _check_count(len(current.criteria), limits)
                waiting += current.criteria
            case Not():
                waiting.append(current.criterion)
            case Where() if type(current) is WHERES[current.of]:
                for constraint in current.clauses.values():
                    if isinstance(constraint, Related):
                        waiting.append(constraint.criterion)
                    elif isinstance(constraint, Criterion):
                        waiting.append(constraint)
                    elif isinstance(constraint, OneOf):
                        _check_count(len(constraint.values), limits)
            case _:
                raise WireCriteriaError("unsupported", "$", f"{type(current).__name__} is no built-in criterion")


def _check_count(count: int, limits: WhereLimits) -> None:
    if count > limits.max_items:
        raise WireCriteriaError("limit", "$", f"{count} members, more than {limits.max_items}")


def _node(criterion: Criterion) -> dict[str, Any]:
    match criterion:
        case AllOf():
            return {"op": "all", "args": [_node(child) for child in criterion.criteria]}
        case AnyOf():
            return {"op": "any", "args": [_node(child) for child in criterion.criteria]}
        case Not():
            return {"op": "not", "arg": _node(criterion.criterion)}
        case Where():
            fields = ENTITIES[criterion.of].fields
            return {
                "op": "fields",
                "fields": [
                    {"field": fields[name].identity, "match": _match(constraint)}
                    for name, constraint in criterion.clauses.items()
                ],
            }
    raise WireCriteriaError("unsupported", "$", f"{type(criterion).__name__} is no built-in criterion")


def _match(constraint: Constraint) -> dict[str, Any]:
    if isinstance(constraint, Criterion):
        return {"op": "is", "where": _node(constraint)}
    if isinstance(constraint, Related):
        return {"op": _op(constraint), "where": _node(constraint.criterion)}
    if isinstance(constraint, OneOf):
        return {"op": "in", "values": [_scalar(value) for value in constraint.values]}
    if isinstance(constraint, Contains | StartsWith | EndsWith):
        return {"op": _op(constraint), "value": constraint.value, "case": constraint.case}
    return {"op": _op(constraint), "value": _scalar(constraint.value)}  # type: ignore[attr-defined]  # all others have it


def _op(constraint: object) -> str:
    try:
        return _OPS[type(constraint)]  # type: ignore[index]  # another type is answered below
    except KeyError:
        raise WireCriteriaError("unsupported", "$", f"{type(constraint).__name__} is no built-in operator") from None


def _scalar(value: Any) -> Any:
    if isinstance(value, ClientId):
        return {"name": value.name, "incarnation": value.incarnation}
    return str.__str__(value) if isinstance(value, _IDS) else value


# --- reading ----------------------------------------------------------------------------------------------------------


def decode_where(data: object, *, limits: WhereLimits = _DEFAULT) -> Criterion:
    """Return the criterion of a document; it owns its operands, and nothing of `data` is kept.

    `data` is made of dicts (or `WireObject`, which can show duplicate keys), lists and scalars. Raises
    `WireCriteriaError` for anything that is not exactly the form, and before building anything beyond the `limits`.

    >>> decode_where(encode_where(PaneWhere(active=True)))
    PaneWhere(active=True)
    """
    preflight(data, limits)
    envelope = as_object(data, ("schema", "version", "entity", "where"), "$")
    if envelope["schema"] != SCHEMA:
        raise WireCriteriaError("schema", "$.schema", f"the schema is {SCHEMA!r}")
    if type(envelope["version"]) is not int or envelope["version"] != VERSION:
        raise WireCriteriaError("version", "$.version", f"the version is the integer {VERSION}")
    entity = envelope["entity"]
    if not isinstance(entity, str) or entity not in WHERES:
        raise WireCriteriaError("entity", "$.entity", f"the entity is one of {', '.join(WHERES)}")
    return _read_node(envelope["where"], entity, "$.where")


def _read_node(value: object, entity: str, path: str) -> Criterion:
    op = operator_of(value, path)
    if op in ("all", "any"):
        args = as_array(as_object(value, ("op", "args"), path)["args"], f"{path}.args")
        children = [_read_node(arg, entity, f"{path}.args[{position}]") for position, arg in enumerate(args, 1)]
        return AllOf(*children) if op == "all" else AnyOf(*children)
    if op == "not":
        return Not(_read_node(as_object(value, ("op", "arg"), path)["arg"], entity, f"{path}.arg"))
    if op == "fields":
        entries = as_array(as_object(value, ("op", "fields"), path)["fields"], f"{path}.fields")
        return _read_fields(entries, entity, path)
    raise WireCriteriaError("unsupported", path, f"a node is fields, all, any or not, not {op!r:.80}")


def _read_fields(entries: list[Any], entity: str, path: str) -> Where:
    clauses: dict[str, Constraint] = {}
    for position, entry in enumerate(entries, 1):
        here = f"{path}.fields[{position}]"
        members = as_object(entry, ("field", "match"), here)
        identity = members["field"]
        if not isinstance(identity, str):
            raise WireCriteriaError("type", here, "a field is named by a string")
        field = IDENTITIES.get(identity)
        if field is None or field.entity != entity:
            raise WireCriteriaError("field", here, f"{entity} has no field {identity!r:.80}")
        if field.name in clauses:
            raise WireCriteriaError("duplicate", here, f"{identity} is constrained twice; join two nodes by all")
        constraint = _read_match(members["match"], field, f"{here}.match")
        try:
            WHERES[entity](**{field.name: constraint})
        except InvalidArgument as error:
            raise WireCriteriaError("value", f"{here}.match", str(error)) from None
        clauses[field.name] = constraint
    return WHERES[entity](**clauses)


def _read_match(value: object, field: Scalar | Relation, path: str) -> Constraint:
    op = operator_of(value, path)
    try:
        if op == "is" or op in _RELATED:
            return _read_relation(op, value, field, path)
        if op == "in":
            values = as_array(as_object(value, ("op", "values"), path)["values"], f"{path}.values")
            return OneOf([_read_scalar(item, field, f"{path}.values") for item in values])
        if op in _TEXTS:
            members = as_object(value, ("op", "value", "case"), path)
            if not isinstance(members["value"], str):
                raise WireCriteriaError("type", path, "the operand is a string")
            if members["case"] not in ("sensitive", "ascii_insensitive"):
                raise WireCriteriaError("unsupported", path, "case is 'sensitive' or 'ascii_insensitive'")
            return _TEXTS[op](members["value"], case=members["case"])
        if op in _VALUES:
            return _VALUES[op](_read_scalar(as_object(value, ("op", "value"), path)["value"], field, f"{path}.value"))
    except InvalidArgument as error:
        raise WireCriteriaError("value", path, str(error)) from None
    raise WireCriteriaError("unsupported", path, f"there is no operator {op!r:.80}")


def _read_relation(op: str, value: object, field: Scalar | Relation, path: str) -> Constraint:
    if not isinstance(field, Relation):
        raise WireCriteriaError("type", path, f"{field.identity} is a scalar, {op} is for relations")
    child = _read_node(as_object(value, ("op", "where"), path)["where"], field.target, f"{path}.where")
    return child if op == "is" else _RELATED[op](child)


def _read_scalar(value: Any, field: Scalar | Relation, path: str) -> Any:
    if value is None or isinstance(field, Relation):
        return value
    if field.type is ClientId:
        members = as_object(value, ("name", "incarnation"), path)
        if not all(isinstance(part, str) for part in members.values()):
            raise WireCriteriaError("type", path, "the parts of a client id are strings")
        return ClientId(members["name"], members["incarnation"])
    if field.type in _IDS:
        if not isinstance(value, str):
            raise WireCriteriaError("type", path, "an id is a string")
        try:
            return field.type(value)
        except InvalidArgument as error:
            raise WireCriteriaError("value", path, str(error)) from None
    return value
