"""Reconcile: what is missing is made, what runs is left alone, what differs is said; a second call does nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from muxwright import AsyncServer, MuxwrightError, OwnedServer
from muxwright.workspace import Event, WorkspaceApplyError, reconcile, reconcile_async
from tests.support.workspaces import load, panes_of, planned, shows

pytestmark = pytest.mark.live

TEXT = """\
session_name: c10
windows:
- {window_name: editor, layout: even-horizontal, panes: [echo e''1, {key: log, shell_command: echo e''2, title: log}]}
- {window_name: server, window_index: 4, panes: [echo s''1]}
"""
THIRD = "- {window_name: third, window_index: 7, panes: [echo t''1]}\n"


def test_workspace_case_10_reconcile_makes_what_is_missing(server: OwnedServer, tmp_path: Path) -> None:
    load(server, TEXT, tmp_path)
    session = server.get_session("c10")
    first, log = panes_of(server, "c10", "editor")
    server.pane(log).kill()
    (link,) = [link for link in session.refresh().links if link.window.name == "server"]
    server.window(link.window).kill()
    plan = planned(TEXT + THIRD, tmp_path)
    result = reconcile(server, plan)
    assert result.made == ["windows[1]", "windows[2]", "windows[0].panes[1]"]
    assert (result.differences, result.warnings) == ([], [])
    links = session.refresh().links
    assert [(link.index, link.window.name) for link in links] == [(0, "editor"), (4, "server"), (7, "third")]
    again, new = panes_of(server, "c10", "editor")
    assert (again.id, new.title) == (first.id, "log")
    shows(server.pane(new), "e2")
    shows(server.pane(panes_of(server, "c10", "third")[0]), "t1")
    # Nothing is typed again where something runs already.
    assert server.pane(first).capture().text.count("echo e''1") == 1
    second = reconcile(server, plan)
    assert (second.made, second.differences) == ([], [])
    assert [session.name for session in server.snapshot().sessions] == ["c10"]


def test_async(server: OwnedServer, tmp_path: Path) -> None:
    plan = planned(TEXT + THIRD, tmp_path)

    def refuse(event: Event) -> None:
        if event.kind == "step":
            raise MuxwrightError("enough")

    async def main() -> None:
        there = AsyncServer(socket_path=server.socket_path, tmux=server.attach_command[0])
        whole = await reconcile_async(there, plan)
        assert whole.made == ["windows[0]", "windows[1]", "windows[2]"]
        server.pane(panes_of(server, "c10", "editor")[1]).kill()
        with pytest.raises(WorkspaceApplyError, match="missing again"):
            await reconcile_async(there, plan, on_event=refuse)
        assert len(panes_of(server, "c10", "editor")) == 1
        part = await reconcile_async(there, plan)
        assert part.made == ["windows[0].panes[1]"]
        assert (await reconcile_async(there, plan)).made == []

    asyncio.run(main())
    shows(server.pane(panes_of(server, "c10", "editor")[1]), "e2")


def test_differences_are_said_and_left(server: OwnedServer, tmp_path: Path) -> None:
    load(server, TEXT, tmp_path)
    session = server.get_session("c10")
    (link,) = [link for link in session.refresh().links if link.window.name == "editor"]
    server.window(link.window).rename("mine")
    session.new_window("extra", command=["sleep", "1000"])
    server.pane(panes_of(server, "c10", "server")[0]).split("right", command=["sleep", "1000"])
    text = TEXT.replace("windows:", "options: {status: off}\nenvironment: {A: b}\nwindows:").replace(
        "index: 4", "index: 5"
    )
    result = reconcile(server, planned(text, tmp_path))
    assert result.made == []
    assert result.differences == [
        "windows[0]: it is called 'mine', not 'editor'",
        "windows[1]: its index is 4, not 5",
        f"windows[1]: the pane {panes_of(server, 'c10', 'server')[1].id} is not in the file",
        "the window 'extra' is not in the file",
        "options.status: it is otherwise in the session",
        "environment.A: it is otherwise in the session",
    ]


def test_a_session_that_no_load_has_made_is_matched_by_names(server: OwnedServer, tmp_path: Path) -> None:
    session = server.new_session("c10", window_name="editor", command=["sleep", "1000"])
    before = session.active_pane().id
    result = reconcile(server, planned(TEXT, tmp_path))
    assert result.made == ["windows[1]", "windows[0].panes[1]"]
    assert panes_of(server, "c10", "editor")[0].id == before


def test_a_session_that_is_not_there_is_made_whole(server: OwnedServer, tmp_path: Path) -> None:
    assert reconcile(server, planned(TEXT, tmp_path)).made == ["windows[0]", "windows[1]"]
    assert reconcile(server, planned(TEXT, tmp_path)).made == []


def test_a_failure_leaves_the_session_as_it_was(server: OwnedServer, tmp_path: Path) -> None:
    load(server, TEXT, tmp_path)
    server.pane(panes_of(server, "c10", "editor")[1]).kill()
    before = [(pane.id, pane.width, pane.height) for pane in server.get_session("c10").refresh().panes]
    broken = TEXT.replace("key: log,", "key: log, options: {no-such-option: 1},")
    with pytest.raises(WorkspaceApplyError, match="no-such-option"):
        reconcile(server, planned(broken, tmp_path))
    assert [(pane.id, pane.width, pane.height) for pane in server.get_session("c10").refresh().panes] == before
    window = TEXT + THIRD.replace("panes:", "options: {no-such-option: 1}, panes:")
    with pytest.raises(WorkspaceApplyError, match="no-such-option"):
        reconcile(server, planned(window, tmp_path))
    assert [link.window.name for link in server.get_session("c10").refresh().links] == ["editor", "server"]
    assert len(server.snapshot().sessions) == 1
