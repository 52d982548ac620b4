"""Criteria in the forms of the TypeScript and Rust ports, as far as all mean the same.

The shared part: panes, by id, index, active, dead, width, height, current_command, current_path and title; equality,
membership, case-sensitive text, and joining by and, or, not. Everything else is refused with `UnsupportedCriterion`;
only a document that is too large or no document at all raises `WireCriteriaError`. No form is guessed: each function
takes its own.

Where the reference is silent: writing reports the path of what it refuses (``$.args[2]``) in the nodes of
`encode_where`.
"""

from __future__ import annotations

import re
from typing import Any, Final, Literal

from muxwright.errors import InvalidArgument, UnsupportedCriterion, WireCriteriaError
from muxwright.model.catalog import ENTITIES, Scalar
from muxwright.model.criteria import PaneWhere
from muxwright.model.criterion import ANY, AllOf, AnyOf, Criterion, Not
from muxwright.model.operators import Contains, EndsWith, EqualTo, OneOf, StartsWith
from muxwright.model.where_wire import encode_where
from muxwright.model.wire_limits import WhereLimits, as_array, as_object, operator_of, pairs_of, preflight
from muxwright.refs import PaneId

__all__ = ["decode_rust_where", "decode_typescript_where", "encode_rust_where", "encode_typescript_where"]

Profile = Literal["typescript_v1", "rust_v1"]

_FIELDS: Final[dict[str, Scalar]] = {
    f"pane_{name}": field
    for name in "id index active dead width height current_command current_path title".split()
    if isinstance(field := ENTITIES["pane"].fields[name], Scalar)
}
_TOKENS: Final = {field.identity: token for token, field in _FIELDS.items()}
_TEXTS: Final = {"contains": Contains, "startsWith": StartsWith, "endsWith": EndsWith}
_RUST_OPS: Final = {"startsWith": "starts_with", "endsWith": "ends_with"}
_SHARED_OPS: Final = {
    "starts_with": "startsWith",
    "ends_with": "endsWith",
    "eq": "eq",
    "in": "in",
    "contains": "contains",
}
_DECIMAL: Final = re.compile(r"0|[1-9][0-9]{0,9}")
_U32: Final = 2**32 - 1

_DEFAULT = WhereLimits()


def decode_typescript_where(data: object, *, limits: WhereLimits = _DEFAULT) -> Criterion:
    """Return the criterion of a TypeScript document (`data`), ``{"version": 1, "model": "pane", "where": {...}}``.

    Raises `UnsupportedCriterion` for what the ports do not share, and `WireCriteriaError` for a
    document that is larger than `limits`.

    A node's keys are joined by *and*: ``AND``, ``OR`` and ``NOT`` (no child matches) with arrays, or a field with a
    scalar or an object of ``equals``, ``in``, ``contains``, ``startsWith``, ``endsWith``. A bool is ``"0"`` or ``"1"``,
    an integer a canonical decimal up to 4294967295.

    >>> decode_typescript_where({"version": 1, "model": "pane", "where": {"pane_active": "1"}})
    PaneWhere(active=True)
    """
    return _decode(data, "typescript_v1", ("model", "where"), limits)


def decode_rust_where(data: object, *, limits: WhereLimits = _DEFAULT) -> Criterion:
    """Return the criterion of a Rust document (`data`), ``{"version": 1, "target": "pane", "expr": {...}}``.

    Raises `UnsupportedCriterion` for what the ports do not share, and `WireCriteriaError` for a
    document that is larger than `limits`.

    Nodes are ``and`` and ``or`` with two `args` or more, ``not`` with `expr`, and ``eq``, ``in``, ``contains``,
    ``starts_with``, ``ends_with`` with `field` and `value`. Bools are bools, integers as in TypeScript. For the whole
    filter language of the Rust port see `muxwright.model.filter_v1`.

    >>> expr = {"op": "eq", "field": "pane_width", "value": "80"}
    >>> decode_rust_where({"version": 1, "target": "pane", "expr": expr})
    PaneWhere(width=80)
    """
    return _decode(data, "rust_v1", ("target", "expr"), limits)


def encode_typescript_where(criterion: Criterion, *, limits: WhereLimits = _DEFAULT) -> dict[str, Any]:
    """Return a criterion as a TypeScript document.

    Raises `UnsupportedCriterion` for what the ports do not share, and `WireCriteriaError` for a
    document that is larger than `limits`.

    >>> encode_typescript_where(PaneWhere(title=StartsWith("build")))["where"]
    {'pane_title': {'startsWith': 'build'}}
    """
    document = {"version": 1, "model": "pane", "where": _encode(criterion, "typescript_v1", limits)}
    preflight(document, limits)
    return document


def encode_rust_where(criterion: Criterion, *, limits: WhereLimits = _DEFAULT) -> dict[str, Any]:
    """Return a criterion as a Rust document.

    Raises `UnsupportedCriterion` for what the ports do not share, and `WireCriteriaError` for a
    document that is larger than `limits`.

    >>> encode_rust_where(~PaneWhere(dead=True))["expr"]
    {'op': 'not', 'expr': {'op': 'eq', 'field': 'pane_dead', 'value': True}}
    """
    document = {"version": 1, "target": "pane", "expr": _encode(criterion, "rust_v1", limits)}
    preflight(document, limits)
    return document


# --- reading ----------------------------------------------------------------------------------------------------------


def _decode(data: object, profile: Profile, keys: tuple[str, str], limits: WhereLimits) -> Criterion:
    preflight(data, limits)
    target, node = keys
    try:
        envelope = as_object(data, ("version", target, node), "$")
        if type(envelope["version"]) is not int or envelope["version"] != 1:
            raise UnsupportedCriterion(profile, "$.version", "the version is the integer 1")
        if envelope[target] != "pane":
            raise UnsupportedCriterion(profile, "$", "only panes are shared")
        read = _read_typescript if profile == "typescript_v1" else _read_rust
        return read(envelope[node], f"$.{node}")
    except WireCriteriaError as error:  # only the check above, of the document as a whole, keeps its own
        raise UnsupportedCriterion(profile, error.path, error.message) from None


def _read_typescript(value: object, path: str) -> Criterion:
    profile: Profile = "typescript_v1"
    members = pairs_of(value)
    if members is None:
        raise UnsupportedCriterion(profile, path, "an object is expected here")
    children: list[Criterion] = []
    for key, entry in members:
        here = f"{path}.{key:.80}"
        operators = pairs_of(entry)
        if key in ("AND", "OR", "NOT"):
            nested = [
                _read_typescript(item, f"{here}[{position}]") for position, item in enumerate(as_array(entry, here), 1)
            ]
            if key == "NOT":
                nested = [Not(child) for child in nested]
            children.append(_join("any" if key == "OR" else "all", nested, profile, here))
        elif operators is None:
            children.append(_leaf(key, "eq", entry, profile, here))
        else:
            _field(key, profile, here)
            if not operators:
                raise UnsupportedCriterion(profile, here, "an object of no operators")
            for operator, operand in operators:
                shared = {"equals": "eq", "eq": "?"}.get(operator, operator)
                children.append(_leaf(key, shared, operand, profile, here))
    return _join("all", children, profile, path)


def _read_rust(value: object, path: str) -> Criterion:
    profile: Profile = "rust_v1"
    op = operator_of(value, path)
    if op in ("and", "or"):
        args = as_array(as_object(value, ("op", "args"), path)["args"], f"{path}.args")
        if len(args) < 2:
            raise UnsupportedCriterion(profile, path, f"{op} joins two nodes or more")
        children = [_read_rust(arg, f"{path}.args[{position}]") for position, arg in enumerate(args, 1)]
        return _join("all" if op == "and" else "any", children, profile, path)
    if op == "not":
        return Not(_read_rust(as_object(value, ("op", "expr"), path)["expr"], f"{path}.expr"))
    leaf = as_object(value, ("op", "field", "value"), path)
    return _leaf(leaf["field"], _SHARED_OPS.get(op, "?"), leaf["value"], profile, path)


def _join(how: str, children: list[Criterion], profile: Profile, path: str) -> Criterion:
    if not children:
        raise UnsupportedCriterion(profile, path, "criteria of nothing are not shared")
    if len(children) == 1:
        return children[0]
    return AllOf(*children) if how == "all" else AnyOf(*children)


def _leaf(token: object, op: str, value: object, profile: Profile, path: str) -> Criterion:
    field = _field(token, profile, path)
    if op == "eq":
        constraint: Any = EqualTo(_read_scalar(value, field, profile, path))
    elif op == "in":
        constraint = OneOf([_read_scalar(item, field, profile, path) for item in as_array(value, path)])
    elif op in _TEXTS:
        if field.type is not str or not isinstance(value, str):
            raise UnsupportedCriterion(profile, path, "text is looked for in text fields")
        constraint = _TEXTS[op](value)
    else:
        raise UnsupportedCriterion(profile, path, "the operator is not shared")
    return PaneWhere(**{field.name: constraint})


def _field(token: object, profile: Profile, path: str) -> Scalar:
    if not isinstance(token, str) or token not in _FIELDS:
        raise UnsupportedCriterion(profile, path, f"the field is none of {', '.join(_FIELDS)}")
    return _FIELDS[token]


def _read_scalar(value: object, field: Scalar, profile: Profile, path: str) -> Any:
    if field.type is bool:
        if profile == "typescript_v1":
            if value not in ("0", "1"):
                raise UnsupportedCriterion(profile, path, "a bool is '0' or '1'")
            return value == "1"
        if not isinstance(value, bool):
            raise UnsupportedCriterion(profile, path, "a bool is expected")
        return value
    if not isinstance(value, str):
        raise UnsupportedCriterion(profile, path, "null is not shared" if value is None else "a string is expected")
    if field.type is int:
        if not _DECIMAL.fullmatch(value) or int(value) > _U32:
            raise UnsupportedCriterion(profile, path, f"an integer is a canonical decimal from 0 to {_U32}")
        return int(value)
    if field.type is PaneId:
        try:
            return PaneId(value)
        except InvalidArgument as error:
            raise UnsupportedCriterion(profile, path, str(error)) from None
    return value


# --- writing ----------------------------------------------------------------------------------------------------------


def _encode(criterion: Criterion, profile: Profile, limits: WhereLimits) -> dict[str, Any]:
    if isinstance(criterion, Criterion) and criterion.entity not in ("pane", ANY):
        raise UnsupportedCriterion(profile, "$", "only panes are shared")
    return _write_node(encode_where(criterion, "pane", limits=limits)["where"], profile, "$")


def _write_node(node: dict[str, Any], profile: Profile, path: str) -> dict[str, Any]:
    op = node["op"]
    if op == "not":
        return _negated(_write_node(node["arg"], profile, f"{path}.arg"), profile)
    if op == "fields":
        children = [
            _write_leaf(entry, profile, f"{path}.fields[{position}]")
            for position, entry in enumerate(node["fields"], 1)
        ]
    else:
        children = [
            _write_node(child, profile, f"{path}.args[{position}]") for position, child in enumerate(node["args"], 1)
        ]
    if not children:
        raise UnsupportedCriterion(profile, path, "criteria of nothing are not shared")
    if len(children) == 1:
        return children[0]
    if profile == "typescript_v1":
        return {"OR" if op == "any" else "AND": children}
    return {"op": "or" if op == "any" else "and", "args": children}


def _negated(child: dict[str, Any], profile: Profile) -> dict[str, Any]:
    return {"NOT": [child]} if profile == "typescript_v1" else {"op": "not", "expr": child}


def _write_leaf(entry: dict[str, Any], profile: Profile, path: str) -> dict[str, Any]:
    token = _TOKENS.get(entry["field"])
    if token is None:
        raise UnsupportedCriterion(profile, path, f"the field is none of {', '.join(_FIELDS)}")
    match = entry["match"]
    op = match["op"]
    if op == "ne":
        equal = {"field": entry["field"], "match": {"op": "eq", "value": match["value"]}}
        return _negated(_write_leaf(equal, profile, path), profile)
    if op == "eq":
        value = _write_scalar(match["value"], profile, path)
    elif op == "in":
        value = [_write_scalar(item, profile, path) for item in match["values"]]
    elif op in _TEXTS:
        if match["case"] != "sensitive":
            raise UnsupportedCriterion(profile, path, "folding case is not shared")
        value = match["value"]
    else:
        raise UnsupportedCriterion(profile, path, f"the operator {op} is not shared")
    if profile == "typescript_v1":
        return {token: value if op == "eq" else {op: value}}
    return {"op": _RUST_OPS.get(op, op), "field": token, "value": value}


def _write_scalar(value: Any, profile: Profile, path: str) -> Any:
    if value is None:
        raise UnsupportedCriterion(profile, path, "null is not shared")
    if isinstance(value, bool):
        return value if profile == "rust_v1" else str(int(value))
    if isinstance(value, int):
        if not 0 <= value <= _U32:
            raise UnsupportedCriterion(profile, path, f"an integer is from 0 to {_U32}")
        return str(value)
    return value
