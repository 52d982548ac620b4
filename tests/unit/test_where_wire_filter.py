"""The Rust family's filter-v1 documents."""

from __future__ import annotations

import copy
import json
import pickle
import sys
from typing import Any

import pytest

from muxwright.errors import InvalidArgument, SnapshotCoverageError, UnsupportedCriterion, WireCriteriaError
from muxwright.model.filter_fields import TARGETS
from muxwright.model.filter_v1 import (
    FILTER_LIMITS,
    decode_filter,
    encode_filter,
    read_filter_json,
    write_filter_json,
)
from muxwright.model.lookup import only_match
from muxwright.model.wire_limits import WhereLimits, WireObject
from tests.support.criteria import table
from tests.support.snapshots import make_snapshot, shared_windows

SNAPSHOT = shared_windows()
SELECTIONS: dict[str, Any] = {
    "pane": SNAPSHOT.panes,
    "window": SNAPSHOT.windows,
    "session": SNAPSHOT.sessions,
    "client": SNAPSHOT.clients,
}
TABLE = table("filter_v1")
ACTIVE = {"op": "eq", "field": "pane_active", "value": True}


def document(expr: Any, target: str = "pane") -> dict[str, Any]:
    return {"version": 1, "target": target, "expr": expr}


def leaf(op: str, value: Any, field: str = "pane_title") -> dict[str, Any]:
    return {"op": op, "field": field, "value": value}


@pytest.mark.parametrize("case", TABLE["valid"], ids=lambda case: case["id"])
def test_a_valid_document(case: dict[str, Any]) -> None:
    given = case["document"]
    if "regex" in json.dumps(given):
        pytest.importorskip("re2")
    canonical = case.get("canonical", given)
    decoded = decode_filter(given)
    assert encode_filter(decoded) == canonical
    assert type(encode_filter(decoded)["version"]) is int
    assert decode_filter(canonical) == decoded
    assert read_filter_json(json.dumps(given)) == decoded
    assert read_filter_json(write_filter_json(decoded), target=given["target"]) == decoded
    assert pickle.loads(pickle.dumps(decoded)) == copy.deepcopy(decoded) == decoded
    assert len({decoded, decode_filter(canonical)}) == 1
    items = SELECTIONS[TARGETS[given["target"]].entity]
    assert [item.label for item in items.filter(decoded)] == case["expect"]
    assert [item.label for item in items if decoded(item)] == case["expect"]


@pytest.mark.parametrize("case", TABLE["invalid"], ids=lambda case: case["id"])
def test_an_invalid_document(case: dict[str, Any]) -> None:
    if "regex" in case["id"]:
        pytest.importorskip("re2")
    with pytest.raises((WireCriteriaError, UnsupportedCriterion)) as caught:
        decode_filter(case["document"])
    if "code" in case:
        assert isinstance(caught.value, WireCriteriaError)
        assert (caught.value.code, caught.value.path) == (case["code"], case["path"])
    else:
        assert isinstance(caught.value, UnsupportedCriterion)
        assert (caught.value.profile, caught.value.path) == ("filter_v1", case["path"])


def test_messages_quote_no_operand() -> None:
    for expr in (
        leaf("gt", "SECRET"),
        leaf("eq", "SECRET", "pane_width"),
        leaf("regex", "(SECRET"),
        leaf("x", "SECRET"),
    ):
        with pytest.raises((WireCriteriaError, UnsupportedCriterion)) as caught:
            decode_filter(document(expr))
        assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ("Straße", "STRASSE", True),
        ("ﬁle", "file", True),
        ("\u212aelvin", "kelvin", True),
        ("ΣΊΣΥΦΟΣ", "σίσυφος", True),
        ("\u00e9", "e\u0301", False),
        ("İstanbul", "istanbul", False),
    ],
)
def test_the_familys_case_folding(left: str, right: str, equal: bool) -> None:
    for title, operand in ((left, right), (right, left)):
        snapshot = titled(title)
        for op in ("eq", "contains", "starts_with", "ends_with"):
            where = decode_filter(document(leaf(f"{op}_ignore_case", operand)))
            assert where(snapshot.panes[0]) == equal


def titled(*titles: str) -> Any:
    return make_snapshot(
        windows=[{"id": "@0", "name": "w"}],
        panes=[{"id": f"%{n}", "window_id": "@0", "index": n, "title": title} for n, title in enumerate(titles)],
    )


@pytest.mark.parametrize(
    ("pattern", "ignore_case", "text", "matches"),
    [
        ("^strasse$", True, "Straße", False),
        ("^straße$", True, "STRASSE", False),
        ("^s$", True, "ſ", True),
        ("^straae$", True, "STRAAE", True),
        (r"^\w+$", False, "Straße_3é", True),
        (r"^[\w-]+$", False, "é-1", True),
        (r"^\W+$", False, "é", False),
        (r"^\d\s\D\S$", False, "٣\u00a0xé", True),
        (r"^\p{Greek}+$", False, "σίσυφος", True),
        ("^[[:alpha:]]+$", False, "abc", True),
        (r"^[]\]a]+$", False, "]a", True),
        (r"^[^]]$", False, "a", True),
        (r"\\w", False, r"a\w", True),
        (r"\[\w", False, "[é", True),
        ("a--b&&c~~d", False, "a--b&&c~~d", True),
        ("a{2,3}$", False, "aa", True),
        ("a$", False, "a\n", False),
        (".", False, "\n", False),
        ("(?s).", False, "\n", True),
        ("", False, "x", True),
    ],
)
def test_the_familys_patterns(pattern: str, ignore_case: bool, text: str, matches: bool) -> None:
    pytest.importorskip("re2")
    where = decode_filter(document(leaf("regex_ignore_case" if ignore_case else "regex", pattern)))
    assert where(titled(text).panes[0]) == matches


def test_a_pattern_cannot_take_long() -> None:
    pytest.importorskip("re2")
    where = decode_filter(document(leaf("regex", "(a*)*(a*)*(a*)*b$")))
    assert not where(titled("a" * 50_000).panes[0])


def test_without_re2_only_patterns_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)
    with pytest.raises(UnsupportedCriterion, match="pip install google-re2") as caught:
        decode_filter(document({"op": "not", "expr": leaf("regex", "x")}))
    assert (caught.value.profile, caught.value.path) == ("filter_v1", "$.expr.expr")
    assert decode_filter(document(leaf("contains", "x"))).target == "pane"


@pytest.mark.parametrize("op", ["eq", "contains", "not_in", "eq_ignore_case", "regex"])
def test_text_that_is_no_utf8_matches_no_text_predicate(op: str) -> None:
    if op == "regex":
        pytest.importorskip("re2")
    value: Any = ["x"] if op == "not_in" else ""
    panes = titled("caf\udce9", "").panes
    assert [pane.label for pane in panes.filter(decode_filter(document(leaf(op, value))))] == ["%1"]
    inverted = decode_filter(document({"op": "not", "expr": leaf(op, value)}))
    assert [pane.label for pane in panes.filter(inverted)] == ["%0"]


def test_what_was_not_captured_is_no_answer() -> None:
    snapshot = make_snapshot(
        windows=[{"id": "@0", "name": "w"}],
        panes=[{"id": "%0", "window_id": "@0"}, {"id": "%1", "window_id": "@0", "index": 1, "current_command": None}],
    )
    command = leaf("eq", "sh", "pane_current_command")
    for expr in (command, {"op": "or", "args": [leaf("not_in", []), command]}, {"op": "not", "expr": command}):
        where = decode_filter(document(expr))
        assert where(snapshot.panes[0]) in (True, False)
        for look in (where, lambda _: snapshot.panes.filter(where), lambda _: only_match(where, snapshot.panes)):  # noqa: B023
            with pytest.raises(SnapshotCoverageError):
                look(snapshot.panes[1])
    tree = {"op": "relation", "field": "panes", "quantifier": "any", "expr": command}
    with pytest.raises(SnapshotCoverageError):
        decode_filter(document(tree, "window_tree"))(snapshot.windows[0])


def test_only_infos_of_the_target_are_judged() -> None:
    where = decode_filter(document(ACTIVE))
    for item in (SNAPSHOT.windows[0], 3):
        with pytest.raises(InvalidArgument, match=type(item).__name__):
            where(item)
    with pytest.raises(AttributeError):
        where.target = "window"


def test_a_target_can_be_asked_for() -> None:
    assert decode_filter(document(ACTIVE), target="pane").target == "pane"
    with pytest.raises(WireCriteriaError) as caught:
        decode_filter(document(ACTIVE), target="session_tree")
    assert caught.value.code == "invalid_target"


def nested(levels: int) -> Any:
    expr: Any = ACTIVE
    for _ in range(levels - 1):
        expr = {"op": "not", "expr": expr}
    return expr


def test_expressions_are_bounded() -> None:
    assert decode_filter(document(nested(64))).target == "pane"
    for expr in (nested(65), {"op": "or", "args": [ACTIVE] * 4096}):
        with pytest.raises(WireCriteriaError) as caught:
            decode_filter(document(expr))
        assert caught.value.code == "limit"
    many = decode_filter(document({"op": "or", "args": [ACTIVE] * 4000}))
    assert len(SNAPSHOT.panes.filter(many)) == 2
    values = leaf("in", list(map(str, range(4096))))
    assert decode_filter(document(values)).target == "pane"
    values["value"].append("x")
    with pytest.raises(WireCriteriaError):
        decode_filter(document(values))
    larger = WhereLimits(max_depth=128, max_nodes=100_000, max_items=10_000)
    assert copy.copy(decode_filter(document(values), limits=larger)).target == "pane"
    assert FILTER_LIMITS.max_string_bytes == 65_536


def test_duplicate_members_are_refused() -> None:
    with pytest.raises(WireCriteriaError) as caught:
        decode_filter(document(WireObject([*ACTIVE.items(), ("value", False)])))
    assert caught.value.code == "duplicate"
    with pytest.raises(WireCriteriaError):
        read_filter_json('{"version":1,"version":1,"target":"pane","expr":{}}')


def test_only_filters_are_written() -> None:
    with pytest.raises(InvalidArgument):
        encode_filter("pane")  # type: ignore[arg-type]  # that is the test
