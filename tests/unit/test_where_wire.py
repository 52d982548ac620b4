"""Documents of criteria: fixture tables drive reading and writing of the own form and of the two siblings'."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from muxwright.errors import InvalidArgument, MuxwrightError, UnsupportedCriterion, WireCriteriaError
from muxwright.model.criteria import PaneWhere, SessionWhere
from muxwright.model.criterion import AllOf, AnyRelated
from muxwright.model.operators import OneOf
from muxwright.model.where_json import parse_json, read_where_json, write_where_json
from muxwright.model.where_siblings import (
    decode_rust_where,
    decode_typescript_where,
    encode_rust_where,
    encode_typescript_where,
)
from muxwright.model.where_wire import WhereLimits, WireObject, decode_where, encode_where
from tests.support.criteria import evaluated, table
from tests.support.snapshots import shared_windows

SNAPSHOT = shared_windows()
SELECTIONS: dict[str, Any] = {
    "pane": SNAPSHOT.panes,
    "window": SNAPSHOT.windows,
    "session": SNAPSHOT.sessions,
    "client": SNAPSHOT.clients,
    "windowlink": SNAPSHOT.links,
}
JULIA = table("julia")
SIBLINGS: dict[str, Any] = {
    "typescript": (table("typescript"), decode_typescript_where, encode_typescript_where, "typescript_v1"),
    "rust": (table("rust"), decode_rust_where, encode_rust_where, "rust_v1"),
}


def cases(group: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in group]


def sibling_cases(group: str) -> list[Any]:
    return [
        pytest.param(name, case, id=f"{name}-{case['id']}")
        for name, (groups, *_) in SIBLINGS.items()
        for case in groups[group]
    ]


def as_wire(value: Any) -> Any:
    """The same document with every object as pairs."""
    if isinstance(value, dict):
        return WireObject((key, as_wire(item)) for key, item in value.items())
    return [as_wire(item) for item in value] if isinstance(value, list) else value


def test_the_tables_are_large_enough() -> None:
    for groups in (JULIA, *(groups for groups, *_ in SIBLINGS.values())):
        assert len(groups["valid"]) + len(groups["invalid"]) >= 40


# --- the own form -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases(JULIA["valid"]))
def test_a_valid_document(case: dict[str, Any]) -> None:
    document, criterion = case["document"], evaluated(case["python"])
    canonical = case.get("canonical", document)
    entity = document["entity"]
    assert encode_where(criterion, entity) == canonical
    for data in (document, canonical, as_wire(document)):
        decoded = decode_where(data)
        assert decoded == criterion
        assert encode_where(decoded, entity) == canonical
        found = SELECTIONS[entity].filter(decoded)
        assert [item.label for item in found] == case["expect"]
    assert read_where_json(json.dumps(document)) == criterion
    assert read_where_json(json.dumps(document, indent=2).encode()) == criterion
    assert json.loads(write_where_json(criterion, entity)) == canonical


@pytest.mark.parametrize("case", cases(JULIA["valid"]))
def test_a_criterion_owns_what_it_was_read_from(case: dict[str, Any]) -> None:
    document = copy.deepcopy(case["document"])
    decoded = decode_where(document)
    before = repr(decoded)
    document["where"].clear()
    assert repr(decoded) == before
    first, second = encode_where(decoded, document["entity"]), encode_where(decoded, document["entity"])
    first["where"].clear()
    assert second == encode_where(decoded, document["entity"])


@pytest.mark.parametrize("case", cases(JULIA["invalid"]))
def test_an_invalid_document(case: dict[str, Any]) -> None:
    with pytest.raises(WireCriteriaError) as caught:
        read_where_json(case["json"]) if "json" in case else decode_where(case["document"])
    assert (caught.value.code, caught.value.path) == (case["code"], case["path"])
    assert caught.value.effects == "none"
    assert len(str(caught.value)) < 600
    if "json" not in case:
        for shaped in (as_wire, tuples):
            with pytest.raises(WireCriteriaError) as second:
                decode_where(shaped(case["document"]))
            assert (second.value.code, second.value.path) == (case["code"], case["path"])


def tuples(value: Any) -> Any:
    """The same document with tuples for arrays."""
    if isinstance(value, dict):
        return {key: tuples(item) for key, item in value.items()}
    return tuple(map(tuples, value)) if isinstance(value, list) else value


@pytest.mark.parametrize("case", cases(JULIA["refused"]))
def test_what_has_no_document(case: dict[str, Any]) -> None:
    with pytest.raises(MuxwrightError) as caught:
        encode_where(evaluated(case["python"]), case.get("entity"))
    assert type(caught.value).__name__ == case["error"]
    if "code" in case:
        assert isinstance(caught.value, WireCriteriaError)
        assert (caught.value.code, caught.value.path) == (case["code"], "$")


def test_duplicate_keys_show_in_a_wire_object() -> None:
    envelope = encode_where(PaneWhere(active=True))
    with pytest.raises(WireCriteriaError, match="stands twice") as caught:
        decode_where(WireObject([*envelope.items(), ("entity", "window")]))
    assert caught.value.code == "duplicate"
    inner = WireObject([("op", "not"), ("arg", WireObject([("op", "all"), ("args", []), ("args", [])]))])
    with pytest.raises(WireCriteriaError, match=r"\$\.where\.arg"):
        decode_where({**envelope, "where": inner})


@pytest.mark.parametrize(
    ("limits", "fits"),
    [
        ({"max_nodes": 22}, True),  # 5 objects and arrays, 10 keys, 7 scalars
        ({"max_nodes": 21}, False),
        ({"max_depth": 6}, True),
        ({"max_depth": 5}, False),
        ({"max_depth": 2}, False),
        ({"max_string_bytes": 19}, True),
        ({"max_string_bytes": 18}, False),
        ({"max_items": 4}, True),
        ({"max_items": 3}, False),
        ({"max_bytes": 200}, True),
        ({"max_bytes": 20}, False),
    ],
    ids=str,
)
def test_limits_hold_for_reading_and_writing(limits: dict[str, int], fits: bool) -> None:
    where = PaneWhere(active=True)
    document, bounds = encode_where(where), WhereLimits(**limits)
    text = write_where_json(where)
    attempts: list[Any] = [
        lambda: decode_where(document, limits=bounds),
        lambda: encode_where(where, limits=bounds),
        lambda: read_where_json(text, limits=bounds),
        lambda: write_where_json(where, limits=bounds),
    ]
    for attempt in attempts:
        if fits:
            attempt()
        else:
            with pytest.raises(WireCriteriaError) as caught:
                attempt()
            assert (caught.value.code, caught.value.path) == ("limit", "$")


@pytest.mark.parametrize("bad", [0, -1, True, 1.5, "9", None])
@pytest.mark.parametrize("name", ["max_depth", "max_nodes", "max_string_bytes", "max_items", "max_bytes"])
def test_limits_are_positive_ints(name: str, bad: Any) -> None:
    with pytest.raises(InvalidArgument, match=name):
        WhereLimits(**{name: bad})


def test_the_deepest_limit_is_128() -> None:
    assert WhereLimits(max_depth=128).max_depth == 128
    with pytest.raises(InvalidArgument, match="128"):
        WhereLimits(max_depth=129)
    with pytest.raises(InvalidArgument, match="limits"):
        decode_where({}, limits={"max_depth": 3})  # type: ignore[arg-type]  # that is the test


def test_cycles_and_shared_parts_end() -> None:
    cycle: dict[str, Any] = {"op": "not"}
    cycle["arg"] = cycle
    loop: list[Any] = []
    loop.append(loop)
    wide: Any = "x"
    for _ in range(100):
        wide = [wide] * 1000
    for where in (cycle, {"op": "all", "args": loop}, wide):
        with pytest.raises(WireCriteriaError) as caught:
            decode_where({**encode_where(PaneWhere()), "where": where}, limits=WhereLimits(max_depth=128))
        assert caught.value.code == "limit"


@pytest.mark.parametrize("value", [{1: 2}, b"x", {1}, 1j, object(), float("nan"), float("-inf"), 2**53, "\ud800"])
def test_only_inert_values_are_read(value: Any) -> None:
    with pytest.raises(WireCriteriaError) as caught:
        decode_where({**encode_where(PaneWhere()), "where": [value]})
    assert caught.value.code in ("type", "value")


def test_json_is_bounded_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("parsed")

    monkeypatch.setattr(json, "loads", refuse)
    hostile = [
        "[" * 10_000_000,
        "[" * 100,
        '{"a":' * 100,
        "[" + "0," * 5000,
        '"' + "x" * 500_000 + '"',
        '["' + "x" * 500_000,
        "[" + ('"' + "\\u0041" * 60_000 + '",') * 40,
        " " * (8 * 1024 * 1024 + 1),
        "é" * (5 * 1024 * 1024),
    ]
    for text in hostile:
        with pytest.raises(WireCriteriaError) as caught:
            read_where_json(text)
        assert caught.value.code == "limit"


def test_json_arguments() -> None:
    text = write_where_json(SessionWhere(name="é"))
    assert "é" in text
    assert read_where_json(text, max_input_bytes=len(text.encode())) == SessionWhere(name="é")
    with pytest.raises(WireCriteriaError, match="bytes of JSON"):
        read_where_json(text, max_input_bytes=len(text))
    with pytest.raises(WireCriteriaError) as caught:
        read_where_json(b'{"a": "\xff"}')
    assert caught.value.code == "value"
    for bad in (0, True, 1.5):
        with pytest.raises(InvalidArgument):
            read_where_json(text, max_input_bytes=bad)  # type: ignore[arg-type]  # that is the test
    with pytest.raises(InvalidArgument):
        read_where_json(None)  # type: ignore[arg-type]  # that is the test


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "01", "'a'", "[1,]", "{1:2}", "[1 2]", "\ufeff1", "1" * 500])
def test_json_that_is_none(text: str) -> None:
    with pytest.raises(WireCriteriaError):
        parse_json(text, WhereLimits())


def test_the_entity_of_a_nested_empty_criterion_needs_no_word() -> None:
    where = SessionWhere(windows=AnyRelated(AllOf()))
    assert decode_where(encode_where(where)) == where


# --- siblings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "case"), sibling_cases("valid"))
def test_a_valid_document_of_a_sibling(name: str, case: dict[str, Any]) -> None:
    _, decode, encode, _ = SIBLINGS[name]
    criterion, canonical = evaluated(case["python"]), case.get("canonical", case["document"])
    for data in (case["document"], canonical, as_wire(case["document"])):
        decoded = decode(data)
        assert decoded == criterion
        assert encode(decoded) == canonical
    assert [pane.label for pane in SNAPSHOT.panes.filter(criterion)] == case["expect"]


@pytest.mark.parametrize(("name", "case"), sibling_cases("written"))
def test_what_is_written_otherwise(name: str, case: dict[str, Any]) -> None:
    _, decode, encode, _ = SIBLINGS[name]
    criterion = evaluated(case["python"])
    document = encode(criterion)
    assert document == case["document"]
    assert encode(decode(document)) == document
    assert SNAPSHOT.panes.filter(decode(document)) == SNAPSHOT.panes.filter(criterion)


@pytest.mark.parametrize(("name", "case"), sibling_cases("invalid"))
def test_an_invalid_document_of_a_sibling(name: str, case: dict[str, Any]) -> None:
    _, decode, _, profile = SIBLINGS[name]
    for data in (case["document"], as_wire(case["document"])):
        with pytest.raises(UnsupportedCriterion) as caught:
            decode(data)
        assert (caught.value.profile, caught.value.path) == (profile, case["path"])


@pytest.mark.parametrize(("name", "case"), sibling_cases("refused"))
def test_what_a_sibling_cannot_say(name: str, case: dict[str, Any]) -> None:
    _, _, encode, profile = SIBLINGS[name]
    with pytest.raises(UnsupportedCriterion) as caught:
        encode(evaluated(case["python"]))
    assert (caught.value.profile, caught.value.path) == (profile, case["path"])


@pytest.mark.parametrize("name", SIBLINGS)
def test_limits_of_a_sibling_are_wire_errors(name: str) -> None:
    _, decode, encode, _ = SIBLINGS[name]
    where = PaneWhere(title=OneOf(map(str, range(2000))))
    larger = WhereLimits(max_items=5000, max_nodes=50_000)
    document = encode(where, limits=larger)
    assert decode(document, limits=larger) == where
    for function, given in ((decode, document), (encode, where), (encode, PaneWhere(title="\udcff"))):
        with pytest.raises(WireCriteriaError):
            function(given)
    with pytest.raises(WireCriteriaError) as caught:
        decode(WireObject([("version", 1), ("version", 1)]))
    assert caught.value.code == "duplicate"
    with pytest.raises(WireCriteriaError) as foreign:
        encode(lambda pane: True)
    assert foreign.value.code == "unsupported"
