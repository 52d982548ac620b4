"""The Rust family's ``filter-v1`` documents: decoded, evaluated over a snapshot, and written again.

Errors are `WireCriteriaError` with the family's categories as codes: ``invalid_structure``, ``unsupported_version``,
``invalid_target``, ``unknown_field``, ``unknown_operator``, ``unknown_quantifier``, ``invalid_literal`` and
``invalid_regex``, besides ``limit``, ``duplicate``, ``type`` and ``value`` of any document. Messages quote no operand.

Text is compared by Unicode's full case folding without normalization; a text that is not valid UTF-8 matches no text
predicate, not even ``not_in``; a known absence matches nothing. Where the reference is silent: what was not captured
raises `SnapshotCoverageError`, as everywhere here, and every branch is checked before an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from muxwright.errors import InvalidArgument, WireCriteriaError
from muxwright.model.catalog import entity_of
from muxwright.model.filter_fields import TARGETS
from muxwright.model.filter_judge import OPERATORS, SETS, Compiled, Junction, Leaf, Node, Quantified, compile_node
from muxwright.model.predicate import Predicate
from muxwright.model.where_json import MAX_INPUT_BYTES, parse_json, write_json
from muxwright.model.wire_limits import WhereLimits, pairs_of, preflight

__all__ = ["FILTER_LIMITS", "FilterV1", "decode_filter", "encode_filter", "read_filter_json", "write_filter_json"]

FILTER_LIMITS: Final = WhereLimits(max_depth=128, max_nodes=32_768, max_items=4096)
"""The default bounds of a document; besides, expressions have at most 64 levels and 4096 nodes."""

MAX_LEVELS: Final = 64
MAX_EXPRESSIONS: Final = 4096

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_QUANTIFIERS: Final = ("any", "all", "none", "is")


class FilterV1(Predicate):
    """A decoded filter-v1 document: immutable, callable, and usable with `Selection.filter` like a criterion.

    `target` is the document's target, `entity` the kind of info it judges.
    """

    __slots__ = ("_compiled", "entity", "expr", "target")

    def __init__(self, target: str, expr: Node, compiled: Compiled) -> None:
        store = object.__setattr__
        store(self, "target", target)
        store(self, "entity", TARGETS[target].entity)
        store(self, "expr", expr)
        store(self, "_compiled", compiled)

    target: str
    expr: Node
    _compiled: Compiled

    def __call__(self, item: Any) -> bool:
        """Whether the info matches; checks its coverage first."""
        self.preflight((item,))
        return self._compiled.test(item)

    def preflight(self, items: Iterable[Any]) -> None:
        """Check that every field and relation that is named was captured; raises `SnapshotCoverageError`."""
        for item in items:
            if entity_of(item) != self.entity:
                raise InvalidArgument(f"a filter of {self.target} cannot judge a {type(item).__name__}")
            self._compiled.check(item)

    def matching(self, items: Iterable[Any]) -> list[Any]:
        """Return the items that match, in order; all of them are checked first."""
        known = list(items)
        self.preflight(known)
        return [item for item in known if self._compiled.test(item)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FilterV1) and (self.target, self.expr) == (other.target, other.expr)

    def __hash__(self) -> int:
        return hash((self.target, self.expr))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("FilterV1 is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (encode_filter(self),)

    def __repr__(self) -> str:
        return f"<FilterV1 of {self.target}: {write_filter_json(self):.200}>"


def _restore(document: dict[str, Any]) -> FilterV1:
    most = 2**40  # it was within somebody's limits before
    limits = WhereLimits(max_depth=128, max_nodes=most, max_string_bytes=most, max_items=most, max_bytes=most)
    return decode_filter(document, limits=limits)


# --- reading ----------------------------------------------------------------------------------------------------------


def decode_filter(data: object, *, target: str | None = None, limits: WhereLimits = FILTER_LIMITS) -> FilterV1:
    """Return the filter of a document (`data`) ``{"version": 1, "target": ..., "expr": ...}``.

    `target`, if given, is the only target that is taken. Raises `WireCriteriaError` for anything that is not exactly
    the form, or larger than `limits`. Patterns need google-re2; without it `UnsupportedCriterion` is raised for them.

    >>> expr = {"op": "contains_ignore_case", "field": "window_name", "value": "LOG"}
    >>> decode_filter({"version": 1, "target": "window", "expr": expr}).entity
    'window'
    """
    preflight(data, limits)
    envelope = _closed(data, ("version", "target", "expr"), "$")
    version = envelope["version"]
    if isinstance(version, bool) or not isinstance(version, int | float) or version != int(version):
        raise WireCriteriaError("invalid_structure", "$.version", "the version is a number")
    if version != 1:
        raise WireCriteriaError("unsupported_version", "$.version", "the version is 1")
    named = envelope["target"]
    if not isinstance(named, str):
        raise WireCriteriaError("invalid_structure", "$.target", "the target is a string")
    if named not in TARGETS or target not in (None, named):
        wanted = target or ", ".join(TARGETS)
        raise WireCriteriaError("invalid_target", "$.target", f"the target is one of {wanted}")
    expr = _Reader().node(envelope["expr"], "$.expr", 1)
    return FilterV1(named, _flattened(expr), compile_node(expr, TARGETS[named], "$.expr"))


def read_filter_json(
    text: str | bytes,
    *,
    target: str | None = None,
    limits: WhereLimits = FILTER_LIMITS,
    max_input_bytes: int = MAX_INPUT_BYTES,
) -> FilterV1:
    """Return the filter of a JSON text; as `decode_filter`, with the checks of `read_where_json` and its limits.

    >>> read_filter_json('{"version":1,"target":"pane","expr":{"op":"eq","field":"pane_dead","value":true}}')
    <FilterV1 of pane: {"version":1,"target":"pane","expr":{"op":"eq","field":"pane_dead","value":true}}>
    """
    return decode_filter(parse_json(text, limits, max_input_bytes), target=target, limits=limits)


def _closed(value: object, keys: Sequence[str], path: str) -> dict[str, Any]:
    members = pairs_of(value)
    found = dict(members) if members is not None else {}
    if members is None or set(found) != set(keys):
        raise WireCriteriaError("invalid_structure", path, f"an object with exactly {', '.join(keys)} is expected")
    return found


class _Reader:
    """Reads the structure; what the names mean is looked up afterwards."""

    def __init__(self) -> None:
        self.count = 0

    def node(self, value: object, path: str, level: int) -> Node:
        self.count += 1
        if level > MAX_LEVELS:
            raise WireCriteriaError("limit", path, f"an expression has at most {MAX_LEVELS} levels")
        if self.count > MAX_EXPRESSIONS:
            raise WireCriteriaError("limit", path, f"an expression has at most {MAX_EXPRESSIONS} nodes")
        members = pairs_of(value)
        op = dict(members).get("op") if members is not None else None
        if not isinstance(op, str):
            raise WireCriteriaError("invalid_structure", path, "an object with a string 'op' is expected")
        if op in ("and", "or"):
            return self._junction(op, _closed(value, ("op", "args"), path)["args"], path, level)
        if op == "not":
            return Junction(op, (self.node(_closed(value, ("op", "expr"), path)["expr"], f"{path}.expr", level + 1),))
        if op == "relation":
            found = _closed(value, ("op", "field", "quantifier", "expr"), path)
            if not isinstance(found["quantifier"], str):
                raise WireCriteriaError("invalid_structure", path, "the quantifier is a string")
            if found["quantifier"] not in _QUANTIFIERS:
                raise WireCriteriaError("unknown_quantifier", path, f"it is one of {', '.join(_QUANTIFIERS)}")
            inner = self.node(found["expr"], f"{path}.expr", level + 1)
            return Quantified(_name(found["field"], path), found["quantifier"], inner)
        return _leaf(op, _closed(value, ("op", "field", "value"), path), path)

    def _junction(self, op: str, args: object, path: str, level: int) -> Node:
        if not isinstance(args, list | tuple) or len(args) < 2:
            raise WireCriteriaError("invalid_structure", path, f"{op} joins an array of two nodes or more")
        nodes = (self.node(arg, f"{path}.args[{position}]", level + 1) for position, arg in enumerate(args, 1))
        return Junction(op, tuple(nodes))


def _flattened(node: Node) -> Node:
    """Return the node with junctions of one kind in each other made one."""
    if isinstance(node, Quantified):
        return node._replace(expr=_flattened(node.expr))
    if not isinstance(node, Junction):
        return node
    flat: list[Node] = []
    for arg in map(_flattened, node.args):
        flat += arg.args if isinstance(arg, Junction) and arg.op == node.op != "not" else (arg,)
    return Junction(node.op, tuple(flat))


def _name(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise WireCriteriaError("invalid_structure", path, "a field is named by a string")
    if not _NAME.fullmatch(value):
        raise WireCriteriaError("unknown_field", path, "a field's name is of small letters, digits and _")
    return value


def _leaf(op: str, found: dict[str, Any], path: str) -> Leaf:
    value = found["value"]
    if isinstance(value, list | tuple):
        value = tuple(value)
        if not (all(isinstance(v, str) for v in value) or all(isinstance(v, bool) for v in value)):
            raise WireCriteriaError("invalid_structure", path, "an array holds only strings or only bools")
    elif not isinstance(value, str | bool):
        raise WireCriteriaError("invalid_structure", path, "a value is a string, a bool or an array of them")
    if not any(op in some for some in OPERATORS.values()):
        raise WireCriteriaError("unknown_operator", path, "there is no such operator")
    if isinstance(value, tuple) != (op in SETS):
        raise WireCriteriaError("invalid_structure", path, f"{op} takes {'an array' if op in SETS else 'one value'}")
    return Leaf(op, _name(found["field"], path), value)


# --- writing ----------------------------------------------------------------------------------------------------------


def encode_filter(criterion: FilterV1) -> dict[str, Any]:
    """Return a filter, the criterion, as its canonical document: junctions flattened, version 1.

    >>> expr = {"op": "eq", "field": "pane_dead", "value": True}
    >>> encode_filter(decode_filter({"version": 1.0, "target": "pane", "expr": expr}))["version"]
    1
    """
    if not isinstance(criterion, FilterV1):
        raise InvalidArgument(f"a filter-v1 document is made of a FilterV1, not of {type(criterion).__name__}")
    return {"version": 1, "target": criterion.target, "expr": _written(criterion.expr)}


def write_filter_json(criterion: FilterV1) -> str:
    """Return a filter, the criterion, as compact JSON text; as `encode_filter`."""
    return write_json(encode_filter(criterion))


def _written(node: Node) -> dict[str, Any]:
    if isinstance(node, Leaf):
        value = list(node.value) if isinstance(node.value, tuple) else node.value
        return {"op": node.op, "field": node.field, "value": value}
    if isinstance(node, Quantified):
        expr = _written(node.expr)
        return {"op": "relation", "field": node.field, "quantifier": node.quantifier, "expr": expr}
    if node.op == "not":
        return {"op": "not", "expr": _written(node.args[0])}
    return {"op": node.op, "args": [_written(arg) for arg in node.args]}
