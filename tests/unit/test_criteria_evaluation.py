"""What criteria answer about a snapshot, and that they look at everything first."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

from muxwright.errors import InvalidArgument, SnapshotCoverageError
from muxwright.model.criteria import ClientWhere, PaneWhere, SessionWhere, WindowLinkWhere, WindowWhere
from muxwright.model.criterion import MAX_DEPTH, AllOf, AllRelated, AnyOf, AnyRelated, Criterion, NoRelated, Not
from muxwright.model.infos import PaneInfo
from muxwright.model.operators import AtLeast, Contains, EqualTo, GreaterThan, LessThan, NotEqualTo, OneOf, StartsWith
from muxwright.model.snapshot import Snapshot
from tests.support.criteria import nested
from tests.support.snapshots import large, make_snapshot, shared_windows

SNAPSHOT = shared_windows()


def labels(items: Any) -> list[str]:
    return [item.label for item in items]


def test_the_references_example() -> None:
    has_api = SessionWhere(windows=AnyRelated(WindowWhere(name="api")))
    assert sum(map(has_api, SNAPSHOT.sessions)) == 2
    selected = SNAPSHOT.panes.filter(PaneWhere(active=True, window=WindowWhere(name="api")))
    assert [pane.ref for pane in selected] == [
        pane.ref for pane in SNAPSHOT.panes if pane.active and pane.window.name == "api"
    ]
    counts = (SNAPSHOT.sessions, SNAPSHOT.windows, SNAPSHOT.links, SNAPSHOT.panes, SNAPSHOT.pane_occurrences)
    assert [len(items) for items in counts] == [2, 2, 3, 3, 5]


def test_criteria_go_where_a_callable_goes() -> None:
    where = PaneWhere(width=80)
    panes = SNAPSHOT.panes
    expected = ["%1", "%2"]
    assert labels(filter(where, panes)) == expected
    assert labels(pane for pane in panes if where(pane)) == expected
    assert sum(map(where, panes)) == 2
    assert any(where(pane) for pane in panes)
    assert not all(map(where, panes))
    chosen = panes.filter(where)
    assert type(chosen) is type(panes)
    assert chosen.snapshot is SNAPSHOT
    assert labels(chosen) == expected
    assert labels(panes[::-1].filter(where)) == expected[::-1]
    assert labels(panes.filter(lambda pane: pane.width == 80)) == expected


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (AllRelated(PaneWhere(active=True)), ["@1", "@2"]),
        (AnyRelated(PaneWhere(active=True)), ["@0", "@1"]),
        (NoRelated(PaneWhere(active=True)), ["@2"]),
    ],
    ids=repr,
)
def test_an_empty_relation_answers_false_true_true(where: Any, expected: list[str]) -> None:
    snapshot = make_snapshot(
        windows=[{"id": f"@{n}", "name": "w"} for n in range(3)],
        panes=[
            {"id": "%0", "window_id": "@0"},
            {"id": "%1", "window_id": "@0", "active": False},
            {"id": "%2", "window_id": "@1"},
        ],
    )
    assert labels(snapshot.windows.filter(WindowWhere(panes=where))) == expected


def test_conditions_within_one_any_related_concern_one_object() -> None:
    dead_and_vim = PaneWhere(current_command="vim", dead=True)
    one = WindowWhere(panes=AnyRelated(dead_and_vim))
    assert labels(SNAPSHOT.windows.filter(one)) == ["@0"]
    same = WindowWhere(panes=AnyRelated(PaneWhere(current_command="nvim", dead=True)))
    assert labels(SNAPSHOT.windows.filter(same)) == []
    two = AllOf(
        WindowWhere(panes=AnyRelated(PaneWhere(current_command="nvim"))),
        WindowWhere(panes=AnyRelated(PaneWhere(dead=True))),
    )
    assert labels(SNAPSHOT.windows.filter(two)) == ["@0"]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (PaneWhere(exit_status=None), ["%0", "%2"]),
        (PaneWhere(exit_status=NotEqualTo(3)), ["%0", "%2"]),
        (PaneWhere(exit_status=NotEqualTo(None)), ["%1"]),
        (PaneWhere(exit_status=OneOf([None, 3])), ["%0", "%1", "%2"]),
        (PaneWhere(exit_status=AtLeast(0)), ["%1"]),
        (PaneWhere(exit_status=LessThan(10**30)), ["%1"]),
        (PaneWhere(exit_status=GreaterThan(2.5)), ["%1"]),
        (PaneWhere(mode=Contains("")), ["%2"]),
        (PaneWhere(mode=StartsWith("")), ["%2"]),
        (Not(PaneWhere(mode=Contains("copy"))), ["%0", "%1"]),
        (PaneWhere(title=Contains("e\u0301")), ["%1"]),
        (PaneWhere(title=Contains("EDITOR 雪", case="ascii_insensitive")), ["%0"]),
        (AllOf(), ["%0", "%1", "%2"]),
        (AnyOf(), []),
        (Not(AnyOf()), ["%0", "%1", "%2"]),
        (nested(MAX_DEPTH - 1), ["%1"]),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_answers_about_absence_text_and_nothing(where: Criterion, expected: list[str]) -> None:
    assert labels(SNAPSHOT.panes.filter(where)) == expected
    assert [pane.label for pane in SNAPSHOT.panes if where(pane)] == expected


def test_clients_and_links() -> None:
    assert labels(SNAPSHOT.clients.filter(ClientWhere(session=None))) == ["idle"]
    assert labels(SNAPSHOT.clients.filter(ClientWhere(session=EqualTo(None)))) == ["idle"]
    assert labels(SNAPSHOT.clients.filter(ClientWhere(session=NotEqualTo(None)))) == ["/dev/pts/9"]
    assert labels(SNAPSHOT.clients.filter(~ClientWhere(session=SessionWhere(name="dev")))) == ["idle"]
    assert labels(SNAPSHOT.links.filter(WindowLinkWhere(window=WindowWhere(name="api")))) == ["$0:0", "$1:4"]


def test_only_infos_of_its_kind_are_judged() -> None:
    pane, window = SNAPSHOT.panes[0], SNAPSHOT.windows[0]
    for where, item in ((PaneWhere(), window), (WindowWhere(), pane), (AllOf(), 3), (PaneWhere(), None)):
        with pytest.raises(InvalidArgument, match=type(item).__name__):
            where(item)
    with pytest.raises(InvalidArgument, match="PaneOccurrence"):
        SNAPSHOT.pane_occurrences.filter(PaneWhere())
    with pytest.raises(InvalidArgument, match="PaneInfo"):
        [where for where in (WindowWhere(),) if SNAPSHOT.panes.filter(where)]
    assert AllOf()(pane)
    assert AllOf()(window)


# --- coverage ---------------------------------------------------------------------------------------------------------

# The last pane's command was not captured.
PARTIAL = make_snapshot(
    sessions=[{"id": "$0", "name": "dev"}],
    links=[("$0", 0, "@0", True), ("$0", 1, "@1", False)],
    windows=[{"id": "@0", "name": "api"}, {"id": "@1", "name": "build"}],
    panes=[
        {"id": "%0", "window_id": "@0"},
        {"id": "%1", "window_id": "@1", "index": 0, "current_command": None, "current_path": None},
    ],
)
UNCAPTURED = PaneWhere(current_command="sh")


@pytest.mark.parametrize(
    "where",
    [
        UNCAPTURED,
        PaneWhere(current_command=NotEqualTo(None)),
        PaneWhere(current_command=OneOf([])),
        PaneWhere(index=5, current_command="sh"),
        AllOf(AnyOf(), UNCAPTURED),
        AnyOf(AllOf(), UNCAPTURED),
        Not(AnyOf(PaneWhere(), UNCAPTURED)),
        PaneWhere(index=7) & UNCAPTURED,
    ],
    ids=repr,
)
def test_every_branch_is_checked_before_an_answer(where: Criterion) -> None:
    assert where(PARTIAL.panes[0]) in (True, False)
    with pytest.raises(SnapshotCoverageError, match=r"pane %1: current_command") as caught:
        where(PARTIAL.panes[1])
    assert caught.value.target == "%1"
    with pytest.raises(SnapshotCoverageError):
        PARTIAL.panes.filter(where)


@pytest.mark.parametrize(
    "where",
    [
        SessionWhere(windows=AnyRelated(WindowWhere(panes=AnyRelated(UNCAPTURED)))),
        SessionWhere(name="other", windows=AnyRelated(WindowWhere(panes=AnyRelated(UNCAPTURED)))),
        SessionWhere(windows=NoRelated(WindowWhere(name="nothing", panes=AllRelated(UNCAPTURED)))),
        SessionWhere(links=AllRelated(WindowLinkWhere(index=99, window=WindowWhere(panes=NoRelated(UNCAPTURED))))),
    ],
    ids=repr,
)
def test_every_related_member_is_checked(where: Criterion) -> None:
    with pytest.raises(SnapshotCoverageError, match=r"pane %1: current_command"):
        where(PARTIAL.sessions[0])


def test_a_selection_is_checked_as_a_whole_and_a_plain_iterable_item_by_item() -> None:
    asked: list[str] = []

    class Watched(PaneWhere):
        __slots__ = ()

        def __call__(self, item: PaneInfo) -> bool:
            asked.append(item.label)
            return super().__call__(item)

    assert labels(PARTIAL.panes[:1].filter(UNCAPTURED)) == ["%0"]
    with pytest.raises(SnapshotCoverageError):
        PARTIAL.panes.filter(UNCAPTURED)
    found = filter(Watched(current_command="sh"), PARTIAL.panes)
    assert next(found).label == "%0"
    with pytest.raises(SnapshotCoverageError):
        next(found)
    assert asked == ["%0", "%1"]
    with pytest.raises(SnapshotCoverageError):
        [window for window in PARTIAL.windows if WindowWhere(panes=AnyRelated(UNCAPTURED))(window)]


def test_a_captured_value_of_the_wrong_type_is_an_error_not_an_answer() -> None:
    snapshot = shared_windows()
    pane = PaneInfo.make(snapshot, ["%9", "@0", "1"] + [None] * (len(PaneInfo.fields) - 3))
    with pytest.raises(InvalidArgument, match=r"pane %9: the captured index is '1'"):
        PaneWhere(index=1)(pane)


# --- memory -----------------------------------------------------------------------------------------------------------


def _visits(snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch, judge: Any) -> int:
    """How often a pane's width is read while `judge` runs."""
    count = 0

    class Watched:
        def __get__(self, info: Any, owner: Any = None) -> int:
            nonlocal count
            count += 1
            return 80

    monkeypatch.setattr(PaneInfo, "width", Watched())
    judge()
    return count


@pytest.mark.parametrize("size", [200, 1000])
def test_nested_relations_read_each_related_pane_once(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = large(size)
    every = PaneWhere(width=80)
    around = PaneWhere(window=WindowWhere(panes=NoRelated(PaneWhere(window=WindowWhere(panes=AllRelated(~every))))))
    # Each pane is checked once and judged once, however many panes lead to it.
    assert _visits(snapshot, monkeypatch, lambda: snapshot.panes.filter(around)) <= 2 * size
    # Also when it is called pane by pane, and equal criteria share what they know.
    twice = AllOf(around, around)
    assert _visits(snapshot, monkeypatch, lambda: list(filter(twice, snapshot.panes))) <= 2 * size


def test_answers_are_kept_apart_by_snapshot() -> None:
    where = PaneWhere(window=WindowWhere(name="api"))
    other = make_snapshot(windows=[{"id": "@0", "name": "other"}], panes=[{"id": "%0", "window_id": "@0"}])
    for _ in range(2):
        assert where(SNAPSHOT.panes[0])
        assert not where(other.panes[0])
    assert where.matching([*SNAPSHOT.panes, *other.panes, *SNAPSHOT.panes]) == [*SNAPSHOT.panes[:2]] * 2


def test_a_criterion_keeps_no_snapshot_alive() -> None:
    where = PaneWhere(window=WindowWhere(panes=AnyRelated(PaneWhere(active=True))))
    snapshot = shared_windows()
    gone = weakref.ref(snapshot)
    assert where(snapshot.panes[0])
    del snapshot
    gc.collect()
    assert gone() is None


def test_equality_of_text_is_equality_of_code_points() -> None:
    snapshot = make_snapshot(
        windows=[{"id": "@0", "name": "w"}],
        panes=[{"id": "%0", "window_id": "@0", "title": "caf\udce9"}, {"id": "%1", "window_id": "@0", "title": "café"}],
    )
    assert labels(snapshot.panes.filter(PaneWhere(title="café"))) == ["%1"]
    assert labels(snapshot.panes.filter(PaneWhere(title="caf\udce9"))) == ["%0"]
    assert labels(snapshot.panes.filter(PaneWhere(title=StartsWith("CAF", case="ascii_insensitive")))) == ["%0", "%1"]
