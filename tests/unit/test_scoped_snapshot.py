"""What a snapshot of one session or window tells, and that it refuses the rest instead of leaving it out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from muxwright.errors import InvalidArgument, PaneNotFound, SessionNotFound, SnapshotCoverageError, WindowNotFound
from muxwright.model.criteria import PaneWhere, SessionWhere, WindowLinkWhere, WindowWhere
from muxwright.model.criterion import AllRelated, AnyRelated, Criterion, NoRelated
from muxwright.model.lookup import first, one
from muxwright.model.snapshot import Snapshot
from tests.support.snapshots import make_snapshot, shared_windows

# `api` (@0) is in `dev` ($0) and `ops` ($1); `build` (@1) only in `dev`.
WHOLE = shared_windows()
PANES: list[dict[str, Any]] = [
    {"id": "%0", "window_id": "@0"},
    {"id": "%1", "window_id": "@0", "index": 1, "active": False},
]
DEV = make_snapshot(
    sessions=[{"id": "$0", "name": "dev"}] * 2,
    links=[("$0", 0, "@0", True), ("$0", 1, "@1", False)],
    windows=[{"id": "@0", "name": "api"}, {"id": "@1", "name": "build"}],
    panes=[*PANES, {"id": "%2", "window_id": "@1"}],
    scope="$0",
)
API = make_snapshot(
    sessions=[{"id": "$0", "name": "dev"}, {"id": "$1", "name": "ops"}],
    links=[("$0", 0, "@0", True), ("$1", 4, "@0", True)],
    windows=[{"id": "@0", "name": "api"}] * 2,
    panes=PANES,
    scope="@0",
)
ROOTS = ("sessions", "windows", "links", "panes", "clients", "pane_occurrences")


def ids(selection: Any) -> list[str]:
    return [item.label for item in selection]


def test_a_session() -> None:
    dev = DEV.session("dev")
    assert dev == DEV.session("$0")
    assert (ids(dev.links), ids(dev.windows), ids(dev.panes)) == (["$0:0", "$0:1"], ["@0", "@1"], ["%0", "%1", "%2"])
    assert dev.active_window == DEV.window("@0")
    assert DEV.pane("%2").window.name == "build"
    assert dev.links[1].session is dev
    assert ids(dev.panes.filter(PaneWhere(active=False))) == ["%1"]
    assert DEV.scope == dev.ref


def test_a_window() -> None:
    api = API.window("@0")
    assert (ids(api.links), ids(api.panes)) == (["$0:0", "$1:4"], ["%0", "%1"])
    assert [link.session.name for link in api.links] == ["dev", "ops"]
    assert API.session("ops").name == "ops"
    assert API.scope == api.ref
    assert ids(api.links.filter(WindowLinkWhere(session=SessionWhere(name="ops")))) == ["$1:4"]


@pytest.mark.parametrize("snapshot", [DEV, API], ids=["session", "window"])
@pytest.mark.parametrize("name", ROOTS)
def test_server_wide_selections_are_refused(snapshot: Snapshot, name: str) -> None:
    with pytest.raises(SnapshotCoverageError, match="of the whole server"):
        getattr(snapshot, name)
    getattr(WHOLE, name)


@pytest.mark.parametrize(
    ("read", "what"),
    [
        (lambda: DEV.session("ops"), "of the session \\$0 and does not tell of the session 'ops'"),
        (lambda: DEV.session("$1"), "the session '\\$1'"),
        (lambda: DEV.window("@7"), "the window '@7'"),
        (lambda: DEV.pane("%7"), "the pane '%7'"),
        (lambda: DEV.window("@0").links, "all links of the window @0"),
        (lambda: API.session("else"), "of the window @0 and does not tell of the session 'else'"),
        (lambda: API.window("@1"), "the window '@1'"),
        (lambda: API.pane("%2"), "the pane '%2'"),
        (lambda: API.session("dev").links, "all links of the session \\$0"),
        (lambda: API.session("dev").windows, "all links of the session \\$0"),
        (lambda: API.session("dev").panes, "all links of the session \\$0"),
        (lambda: API.session("dev").active_window, "all links of the session \\$0"),
    ],
)
def test_what_lies_outside_is_refused(read: Callable[[], object], what: str) -> None:
    with pytest.raises(SnapshotCoverageError, match=what) as caught:
        read()
    assert caught.value.effects == "none"


def test_a_whole_snapshot_knows_that_there_is_nothing() -> None:
    with pytest.raises(SessionNotFound):
        WHOLE.session("else")
    with pytest.raises(WindowNotFound):
        WHOLE.window("@7")
    with pytest.raises(PaneNotFound):
        WHOLE.pane("%7")
    assert ids(WHOLE.session("dev").panes) == ["%0", "%1", "%2"]


def test_a_key_of_another_type_is_no_question_of_coverage() -> None:
    with pytest.raises(InvalidArgument):
        DEV.pane(7)  # type: ignore[arg-type]  # what is tested


@pytest.mark.parametrize(
    "criterion",
    [
        WindowWhere(links=AnyRelated(WindowLinkWhere(active=True))),
        WindowWhere(links=NoRelated(WindowLinkWhere(index=99))),
        # The first part alone would answer; the second is checked all the same.
        WindowWhere(name="no such") & WindowWhere(links=AllRelated(WindowLinkWhere())),
    ],
)
def test_a_criterion_never_takes_the_part_for_the_whole(criterion: Criterion) -> None:
    windows = DEV.session("dev").windows
    for question in (windows.filter, lambda where: one(windows, where), lambda where: first(windows, where)):
        with pytest.raises(SnapshotCoverageError):
            question(criterion)


def test_it_says_what_it_is() -> None:
    assert repr(DEV).startswith("<Snapshot of the session $0 on ")
    assert repr(API).startswith("<Snapshot of the window @0 on ")
    assert "2 sessions, 2 windows, 3 panes" in repr(WHOLE)
