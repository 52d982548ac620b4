"""Exactly one, the first, and rows."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from muxwright.errors import (
    InvalidArgument,
    MultipleMatchesError,
    NoMatchError,
    SnapshotCoverageError,
    UnsupportedCapability,
)
from muxwright.model.criteria import PaneWhere, SessionWhere, WindowLinkWhere, WindowWhere
from muxwright.model.criterion import AllOf, AnyOf
from muxwright.model.lookup import first, one, only_match
from muxwright.model.projection import project_rows
from muxwright.refs import ClientId, PaneId, SessionId
from tests.support.snapshots import make_snapshot, shared_windows

SNAPSHOT = shared_windows()
PARTIAL = make_snapshot(
    windows=[{"id": "@0", "name": "w"}],
    panes=[
        {"id": "%0", "window_id": "@0"},
        {"id": "%1", "window_id": "@0", "index": 1},
        {"id": "%2", "window_id": "@0", "index": 2, "current_command": None},
    ],
)


def test_exactly_one() -> None:
    ops = only_match(SessionWhere(name="ops"), SNAPSHOT.sessions)
    assert ops.id == "$1"
    assert one(ops.windows).name == "api"
    assert one(SNAPSHOT.links, WindowLinkWhere(window=WindowWhere(name="build"))).index == 1
    assert only_match(lambda pane: pane.dead, SNAPSHOT.panes).id == "%1"


def test_none_and_several_are_told_apart() -> None:
    with pytest.raises(NoMatchError, match=r"no session matches SessionWhere\(name='x'\)") as none:
        only_match(SessionWhere(name="x"), SNAPSHOT.sessions)
    assert none.value.entity == "session"
    with pytest.raises(MultipleMatchesError, match="more than one pane matches: %0 and %2") as many:
        only_match(PaneWhere(active=True), SNAPSHOT.panes)
    assert many.value.entity == "pane"
    for error in (none.value, many.value):
        assert isinstance(error, LookupError)
        assert error.effects == "none"
    with pytest.raises(NoMatchError) as plain:
        one([])
    assert plain.value.entity == "item"
    with pytest.raises(NoMatchError) as any_kind:
        one(SNAPSHOT.panes, AnyOf())
    assert any_kind.value.entity == "item"
    with pytest.raises(MultipleMatchesError):
        one(SNAPSHOT.panes, AllOf())


def test_a_long_question_is_cut_in_the_message() -> None:
    with pytest.raises(NoMatchError) as caught:
        one(SNAPSHOT.panes, PaneWhere(title="x" * 10_000))
    assert len(str(caught.value)) < 300


def test_a_plain_callable_stops_after_the_second() -> None:
    taken: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(10):
            taken.append(number)
            yield number

    with pytest.raises(MultipleMatchesError):
        only_match(lambda number: number % 2 == 1, numbers())
    assert taken == [0, 1, 2, 3]
    taken.clear()
    assert first(numbers(), lambda number: number > 3) == 4
    assert taken == [0, 1, 2, 3, 4]


def test_a_criterion_checks_all_items_first() -> None:
    where = PaneWhere(current_command="sh", index=0)
    for look in (only_match, lambda where, items: one(items, where), lambda where, items: first(items, where)):
        with pytest.raises(SnapshotCoverageError):
            look(where, PARTIAL.panes)
        with pytest.raises(SnapshotCoverageError):
            look(where, iter(PARTIAL.panes))


def test_first() -> None:
    assert first(SNAPSHOT.panes, PaneWhere(width=80)).id == "%1"
    assert first([5, 6]) == 5
    assert first([], default="nothing") == "nothing"
    assert first(SNAPSHOT.panes, PaneWhere(width=1), default=None) is None
    with pytest.raises(NoMatchError):
        first(SNAPSHOT.panes, PaneWhere(width=1))


def test_arguments_the_wrong_way_round_are_noticed() -> None:
    with pytest.raises(InvalidArgument, match="question first"):
        only_match(SNAPSHOT.panes, PaneWhere())  # type: ignore[arg-type]  # that is the test


# --- rows -------------------------------------------------------------------------------------------------------------


def test_rows_have_names_order_and_types() -> None:
    rows = project_rows(SNAPSHOT.panes, ("id", "index", "exit_status", "title"))
    assert rows.columns == ("id", "index", "exit_status", "title")
    assert len(rows) == 3
    first_row: Any = rows[0]
    assert (first_row.id, first_row.index, first_row.exit_status) == ("%0", 0, None)
    assert type(first_row.id) is PaneId
    assert rows[1][2] == 3
    assert rows.entity == "pane"
    assert [field.type for field in rows.fields] == [PaneId, int, int, str]
    assert rows.snapshot is SNAPSHOT
    assert rows.as_dicts()[2] == {"id": "%2", "index": 0, "exit_status": None, "title": ""}
    assert rows[1:].columns == rows.columns
    assert rows[1:].as_dicts() == rows.as_dicts()[1:]
    assert rows == project_rows(SNAPSHOT.panes, ["id", "index", "exit_status", "title"])
    assert hash(rows) == hash(rows[:])
    assert repr(rows) == "<RowProjection of 3 rows: id, index, exit_status, title>"
    with pytest.raises(TypeError):
        rows[0] = (1,)  # type: ignore[index]  # that is the test


def test_duplicates_and_order_are_kept() -> None:
    panes = [SNAPSHOT.panes[2], SNAPSHOT.panes[0], SNAPSHOT.panes[2]]
    assert [row[0] for row in project_rows(panes, ["id"])] == ["%2", "%0", "%2"]
    assert project_rows(SNAPSHOT.clients, ["id"])[1][0] == ClientId("idle", "4001:150")


def test_no_partial_table() -> None:
    assert len(project_rows(PARTIAL.panes[:2], ("current_command",))) == 2
    with pytest.raises(SnapshotCoverageError, match="%2"):
        project_rows(PARTIAL.panes, ("id", "current_command"))


def test_an_empty_selection_keeps_its_schema() -> None:
    nothing = SNAPSHOT.panes.filter(PaneWhere(width=1))
    rows = project_rows(nothing, ("id", "current_command"))
    assert (rows.columns, len(rows), rows.as_dicts(), rows.entity) == (("id", "current_command"), 0, [], "pane")
    assert project_rows(nothing, ("id", "name")).entity is None
    assert [field.type for field in project_rows([], ("id", "name"), entity="session").fields] == [SessionId, str]


@pytest.mark.parametrize(
    ("items", "columns", "entity", "words"),
    [
        (SNAPSHOT.panes, ("titel",), None, "did you mean 'title'"),
        (SNAPSHOT.panes, ("window",), None, "relation"),
        (SNAPSHOT.panes, (), None, "at least one"),
        (SNAPSHOT.panes, "id", None, "several names"),
        (SNAPSHOT.panes, (1,), None, "name of a field"),
        (SNAPSHOT.panes, ("id", "id"), None, "twice"),
        (SNAPSHOT.panes, ("id",), "window", "one kind"),
        ([], ("id", "nothing"), None, "no kind of info"),
        ([], ("id", "window"), None, "no kind of info"),
        ([], ("id",), "transport", "one of pane"),
        ([], ("titel",), "pane", "'title'"),
        ([*SNAPSHOT.panes, *SNAPSHOT.windows], ("id",), None, "one kind"),
        (SNAPSHOT.pane_occurrences, ("id",), None, "PaneOccurrence"),
        ([1, 2], ("id",), None, "int"),
    ],
)
def test_what_is_no_table_is_refused(items: Any, columns: Any, entity: Any, words: str) -> None:
    with pytest.raises(InvalidArgument, match=words):
        project_rows(items, columns, entity=entity)


@pytest.mark.parametrize("module", ["pandas", "polars"])
def test_a_missing_data_frame_library_is_named(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    rows = project_rows(SNAPSHOT.panes, ("id",))
    with pytest.raises(UnsupportedCapability, match=f"pip install {module}") as caught:
        getattr(rows, f"to_{module}")()
    assert caught.value.effects == "none"


def test_data_frames_get_plain_columns_with_types(monkeypatch: pytest.MonkeyPatch) -> None:
    pandas: Any = ModuleType("pandas")
    pandas.Series = lambda values, dtype: (values, dtype)
    pandas.DataFrame = lambda data, columns: (data, columns)
    polars: Any = ModuleType("polars")
    polars.Int64, polars.Boolean, polars.String = "Int64", "Boolean", "String"
    polars.DataFrame = lambda data, schema: (data, schema)
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    monkeypatch.setitem(sys.modules, "polars", polars)
    rows = project_rows(SNAPSHOT.panes, ("id", "dead", "exit_status"))
    data, columns = rows.to_pandas()
    assert columns == ["id", "dead", "exit_status"]
    assert data["id"] == (["%0", "%1", "%2"], "object")
    assert {type(value) for value in data["id"][0]} == {str}
    assert data["dead"] == ([False, True, False], "boolean")
    assert data["exit_status"] == ([None, 3, None], "Int64")
    assert rows.to_polars() == (
        {"id": ["%0", "%1", "%2"], "dead": [False, True, False], "exit_status": [None, 3, None]},
        {"id": "String", "dead": "Boolean", "exit_status": "Int64"},
    )
    odd = make_snapshot(windows=[{"id": "@0", "name": "é\udcff"}])
    assert project_rows(odd.windows, ("name",)).to_polars()[0] == {"name": ["é\ufffd"]}
    nothing: Any = project_rows([], ("id",), entity="client").to_polars()
    assert nothing == ({"id": []}, {"id": "String"})
    assert project_rows(SNAPSHOT.clients, ["id"]).to_pandas()[0]["id"][0][1] == "idle 4001:150"
