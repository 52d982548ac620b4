"""Workspaces through the tools: planned, loaded, frozen, owned."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.mcp.support import Tools

pytestmark = pytest.mark.live

TEXT = """\
session_name: site
environment: {TOKEN: very-secret}
windows:
  - window_name: edit
    panes:
      - shell_command: echo made-${{WHO}}
      - {}
  - window_name: logs
    panes: [{shell: 'exec cat', readiness: none}]
"""
DEEP = [[[[[[[[[["x"]]]]]]]]]]
DOCUMENT = {"session_name": "inline", "windows": [{"window_name": "one", "panes": [{}, {}]}]}


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "site.yaml"
    path.write_text(TEXT)
    return str(path)


def test_a_plan_asks_no_tmux(tools: Tools, file: str) -> None:
    planned = tools.call("plan_workspace", path=file, variables={"WHO": "Ada"}, name="other")
    assert planned["session_name"] == "other"
    assert planned["steps"][0]["action"] == "create_session"
    assert "made-Ada" in str(planned["steps"])
    assert tools.app.endpoint.socket_path is None, "no server was started"


def test_a_load_is_owned_and_comes_back_frozen(tools: Tools, file: str) -> None:
    made = tools.call("load_workspace", path=file, variables={"WHO": "Ada"})
    assert (made["name"], len(made["panes"]), made["dead"]) == ("site", 3, [])
    tools.shows(made["panes"][0], "made-Ada")
    session = {name: made[name] for name in ("sessionId", "generation")}
    frozen = tools.call("freeze_session", target=session)
    assert frozen["withheld"] == ["TOKEN"] and "very-secret" not in str(frozen)
    assert [window["window_name"] for window in frozen["workspace"]["windows"]] == ["edit", "logs"]
    whole = tools.call("freeze_session", target=session, include_environment=True)["workspace"]
    assert whole["environment"] == {"TOKEN": "very-secret"}
    tools.fails("already_exists", "load_workspace", path=file, variables={"WHO": "Ada"})
    tools.call("teardown_session", **session)
    again = tools.call("load_workspace", workspace=whole)
    assert (again["name"], len(again["panes"])) == ("site", 3)


def test_a_failure_leaves_nothing_and_says_so(tools: Tools) -> None:
    tools.shell("cat")
    script = {**DOCUMENT, "before_script": "sh -c 'exit 3'"}
    error = tools.fails("operation_failed", "load_workspace", workspace=script)
    assert "nothing of it is left" in error["message"], error
    assert [session["name"] for session in tools.call("get_server_info")["sessions"]] == ["s0"]
    slow = {**DOCUMENT, "before_script": "sleep 60"}
    error = tools.fails("operation_failed", "load_workspace", workspace=slow, timeout_seconds=1)
    assert error["effects"] == "possible" and "did not end in time" in error["message"]
    assert [session["name"] for session in tools.call("get_server_info")["sessions"]] == ["s0"]
    assert tools.app.creating == 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ({}, "invalid_arguments", "exactly one of path and workspace"),
        ({"path": "/x.yaml", "workspace": {}}, "invalid_arguments", "exactly one"),
        ({"path": "here.yaml"}, "invalid_arguments", "absolute"),
        ({"path": "/nowhere/at-all.yaml"}, "invalid_arguments", "No such file"),
        ({"path": "/dev/zero"}, "invalid_arguments", "no regular file"),
        ({"workspace": {"session_name": "x"}}, "invalid_workspace", "windows"),
        ({"workspace": {**DOCUMENT, "sesion": 1}, "strict": True}, "invalid_workspace", "sesion"),
        ({"workspace": {**DOCUMENT, "start_directory": "a\0b"}}, "invalid_workspace", "start_directory"),
        ({"workspace": {**DOCUMENT, "session_name": "\ud800"}}, "invalid_workspace", "session_name"),
        (
            {"workspace": {"session_name": "d", "windows": [{"panes": DEEP}]}},
            "invalid_workspace",
            "",
        ),
    ],
)
def test_what_cannot_be_meant(tools: Tools, arguments: dict[str, object], code: str, said: str) -> None:
    for tool in ("plan_workspace", "load_workspace"):
        assert said in tools.fails(code, tool, **arguments)["message"]
    assert tools.app.endpoint.socket_path is None, "no server was started"


def test_a_fault_names_its_line_and_no_reader_waits_for_a_fifo(tools: Tools, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("session_name: a\nwindows:\n  - layot: tiled\n    panes: 3\n")
    assert f"{wrong}:4:" in tools.fails("invalid_workspace", "plan_workspace", path=str(wrong))["message"]
    os.mkfifo(tmp_path / "fifo.yaml")
    tools.fails("invalid_arguments", "plan_workspace", path=str(tmp_path / "fifo.yaml"))


def test_a_borrowed_server_must_allow_it(borrowed: Callable[..., Tools]) -> None:
    tools = borrowed()
    tools.fails("creation_denied", "load_workspace", workspace=DOCUMENT)
    allowed = borrowed(allow_create=True)
    made = allowed.call("load_workspace", workspace=DOCUMENT)
    assert made["name"] == "inline"
    allowed.run(allowed.app.close())
    names = [session["name"] for session in tools.call("get_server_info")["sessions"]]
    assert names == ["home"], "what was loaded ends with its owner"
