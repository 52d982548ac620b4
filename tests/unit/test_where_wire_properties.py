"""Documents of any criterion, and documents of a stranger."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from muxwright.errors import UnsupportedCriterion, WireCriteriaError
from muxwright.model.catalog import ENTITIES, Relation, Scalar
from muxwright.model.criterion import AllOf, AllRelated, AnyOf, AnyRelated, Criterion, NoRelated, Not
from muxwright.model.filter_fields import TARGETS, Field
from muxwright.model.filter_v1 import decode_filter, encode_filter, read_filter_json
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
from muxwright.model.where_json import read_where_json, write_where_json
from muxwright.model.where_siblings import (
    decode_rust_where,
    decode_typescript_where,
    encode_rust_where,
    encode_typescript_where,
)
from muxwright.model.where_wire import WHERES, WhereLimits, WireObject, decode_where, encode_where
from muxwright.model.wire_limits import SAFE_INTEGER
from muxwright.refs import ClientId, PaneId, SessionId, WindowId
from tests.support.snapshots import shared_windows

SNAPSHOT = shared_windows()
SELECTIONS: dict[str, Any] = {
    "pane": SNAPSHOT.panes,
    "window": SNAPSHOT.windows,
    "session": SNAPSHOT.sessions,
    "client": SNAPSHOT.clients,
    "windowlink": SNAPSHOT.links,
}
LIMITS = WhereLimits(max_depth=128, max_nodes=100_000)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
INTEGER = st.integers(-SAFE_INTEGER, SAFE_INTEGER)
NUMBERS = st.integers(0, 10**6)
SCALARS: dict[type, st.SearchStrategy[Any]] = {
    str: TEXT | st.sampled_from(["nvim", "vim", "sh", "api", ""]),
    int: INTEGER | st.integers(0, 200),
    bool: st.booleans(),
    PaneId: NUMBERS.map(lambda n: PaneId(f"%{n}")),
    WindowId: NUMBERS.map(lambda n: WindowId(f"@{n}")),
    SessionId: NUMBERS.map(lambda n: SessionId(f"${n}")),
    ClientId: st.builds(ClientId, TEXT, TEXT),
}


def constraint(field: Scalar | Relation, depth: int) -> st.SearchStrategy[Any]:
    if isinstance(field, Relation):
        inner = criteria(field.target, depth - 1)
        if field.many:
            return st.sampled_from([AnyRelated, AllRelated, NoRelated]).flatmap(inner.map)
        return inner | st.sampled_from([EqualTo(None), NotEqualTo(None)]) if field.nullable else inner
    value = SCALARS[field.type] | st.none() if field.nullable else SCALARS[field.type]
    options = [value, value.map(EqualTo), value.map(NotEqualTo), st.lists(value, max_size=3).map(OneOf)]
    if field.type is str:
        case = st.sampled_from(["sensitive", "ascii_insensitive"])
        options += [st.builds(kind, SCALARS[str], case=case) for kind in (Contains, StartsWith, EndsWith)]
    if field.type is int:
        bound = INTEGER | st.floats(allow_nan=False, allow_infinity=False)
        options += [bound.map(kind) for kind in (AtLeast, AtMost, GreaterThan, LessThan)]
    return st.one_of(options)


def wheres(entity: str, depth: int) -> st.SearchStrategy[Criterion]:
    fields = [
        (name, field) for name, field in ENTITIES[entity].fields.items() if isinstance(field, Scalar) or depth > 0
    ]
    chosen = st.lists(st.sampled_from(fields), max_size=3, unique_by=lambda pair: pair[0])
    return chosen.flatmap(
        lambda pairs: st.fixed_dictionaries({name: constraint(field, depth) for name, field in pairs})
    ).map(lambda given: WHERES[entity](**given))


def criteria(entity: str, depth: int = 2) -> st.SearchStrategy[Criterion]:
    leaf = wheres(entity, depth)
    if depth <= 0:
        return leaf
    inner = st.lists(leaf, max_size=3)
    return st.one_of(
        leaf,
        inner.map(lambda children: AllOf(*children)),
        inner.map(lambda children: AnyOf(*children)),
        leaf.map(Not),
        inner.map(lambda children: Not(AnyOf(AllOf(*children), AllOf()))),
    )


@given(st.data())
def test_a_criterion_comes_back_from_its_document(data: st.DataObject) -> None:
    entity = data.draw(st.sampled_from(sorted(WHERES)))
    where = data.draw(criteria(entity))
    document = encode_where(where, entity, limits=LIMITS)
    decoded = decode_where(document, limits=LIMITS)
    assert decoded == where
    assert encode_where(decoded, entity, limits=LIMITS) == document
    text = write_where_json(where, entity, limits=LIMITS)
    assert read_where_json(text, limits=LIMITS) == where
    assert write_where_json(read_where_json(text, limits=LIMITS), entity, limits=LIMITS) == text
    assert list(SELECTIONS[entity].filter(decoded)) == list(SELECTIONS[entity].filter(where))


@given(criteria("pane", 1))
def test_a_sibling_means_the_same_or_refuses(where: Criterion) -> None:
    for encode, decode in (
        (encode_typescript_where, decode_typescript_where),
        (encode_rust_where, decode_rust_where),
    ):
        try:
            document = encode(where, limits=LIMITS)
        except UnsupportedCriterion:
            continue
        decoded = decode(document, limits=LIMITS)
        assert encode(decoded, limits=LIMITS) == document
        assert list(SNAPSHOT.panes.filter(decoded)) == list(SNAPSHOT.panes.filter(where))


# --- strangers --------------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    """op args arg fields field match value values case where expr quantifier eq ne in contains startsWith starts_with
    is anyRelated all any not and or AND OR NOT relation sensitive pane window session_tree windows any none regex
    tmux.pane.active tmux.pane.title tmux.pane.window tmux.client.id pane_title pane_active pane_width %1 1 0 true
    window_name equals""".split()
)
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | WORDS
    | st.binary(max_size=2)
    | st.just(SNAPSHOT),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(WORDS | st.text(max_size=3), inner, max_size=4)
        | st.lists(st.tuples(WORDS, inner), max_size=4).map(WireObject)
        | st.tuples(inner, inner)
    ),
    max_leaves=20,
)
READERS: list[Any] = [decode_where, decode_typescript_where, decode_rust_where, decode_filter]


@given(JUNK)
@example({"schema": "libtmux.julia.where", "version": 1, "entity": {}, "where": {}})
def test_a_hostile_document_is_refused_by_name(junk: Any) -> None:
    wrapped = [
        junk,
        {"schema": "libtmux.julia.where", "version": 1, "entity": "pane", "where": junk},
        {"version": 1, "model": "pane", "where": junk},
        {"version": 1, "target": "pane", "expr": junk},
        {"version": 1, "target": "session_tree", "expr": junk},
        {"version": junk, "target": "pane", "expr": {"op": "eq", "field": "pane_dead", "value": True}},
    ]
    for data in wrapped:
        for read in READERS:
            with suppress(WireCriteriaError, UnsupportedCriterion):
                read(data)


VALID = encode_where(
    WHERES["session"](
        windows=AnyRelated(WHERES["window"](name="api", panes=NoRelated(WHERES["pane"](width=AtLeast(80)))))
    )
)


@st.composite
def spoiled(draw: st.DrawFn) -> Any:
    """A valid document with one value, anywhere, replaced, removed or put in."""
    document = json.loads(json.dumps(VALID))
    places: list[tuple[Any, Any]] = []

    def walk(value: Any) -> None:
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            places.append((value, key))
            if isinstance(value[key], dict | list):
                walk(value[key])

    walk(document)
    holder, key = draw(st.sampled_from(places))
    match draw(st.sampled_from(["replace", "remove", "add"])):
        case "replace":
            holder[key] = draw(JUNK)
        case "remove":
            del holder[key]
        case _ if isinstance(holder, dict):
            holder[draw(st.text(max_size=3))] = draw(JUNK)
        case _:
            holder.insert(0, draw(JUNK))
    return document


@given(spoiled())
def test_a_spoiled_document_is_read_or_refused(document: Any) -> None:
    try:
        where = decode_where(document)
    except WireCriteriaError:
        return
    assert encode_where(decode_where(encode_where(where, "session")), "session") == encode_where(where, "session")


@given(st.text(max_size=60) | st.binary(max_size=60) | st.text(alphabet='{}[]",:\\u0123e-.tn ', max_size=60))
def test_hostile_json_is_refused_by_name(text: str | bytes) -> None:
    for read in (read_where_json, read_filter_json):
        try:
            read(text)
        except (WireCriteriaError, UnsupportedCriterion):
            continue
        raise AssertionError("that was no document")


@st.composite
def filters(draw: st.DrawFn, target: str, depth: int = 2) -> Any:
    """An expression of filter-v1, without patterns."""
    kind = draw(st.sampled_from(["leaf", "leaf", "and", "or", "not", "relation"])) if depth else "leaf"
    fields = TARGETS[target].fields
    if kind in ("and", "or"):
        return {"op": kind, "args": draw(st.lists(filters(target, depth - 1), min_size=2, max_size=3))}
    if kind == "not":
        return {"op": "not", "expr": draw(filters(target, depth - 1))}
    many = [(name, field.target) for name, field in fields.items() if not isinstance(field, Field)]
    if kind == "relation" and many:
        name, related = draw(st.sampled_from(many))
        quantifier = draw(st.sampled_from(["any", "all", "none"]))
        return {"op": "relation", "field": name, "quantifier": quantifier, "expr": draw(filters(related, depth - 1))}
    name, field = draw(st.sampled_from([(name, field) for name, field in fields.items() if isinstance(field, Field)]))
    literal = {
        "text": TEXT,
        "bool": st.booleans(),
        "int": st.integers(field.low, field.high).map(str),
    }[field.kind]
    if draw(st.booleans()):
        return {
            "op": draw(st.sampled_from(["in", "not_in"])),
            "field": name,
            "value": draw(st.lists(literal, max_size=3)),
        }
    ops = {
        "text": ["eq", "contains_ignore_case", "starts_with", "ends_with_ignore_case"],
        "bool": ["eq"],
        "int": ["eq", "lt", "lte", "gt", "gte"],
    }
    return {"op": draw(st.sampled_from(ops[field.kind])), "field": name, "value": draw(literal)}


@given(st.data())
def test_a_filter_comes_back_from_its_document(data: st.DataObject) -> None:
    target = data.draw(st.sampled_from(sorted(TARGETS)))
    expr = data.draw(filters(target))
    first = decode_filter({"version": 1, "target": target, "expr": expr})
    canonical = encode_filter(first)
    second = decode_filter(canonical)
    assert second == first
    assert encode_filter(second) == canonical
    items = SELECTIONS[first.entity]
    assert list(items.filter(second)) == list(items.filter(first)) == [item for item in items if first(item)]
