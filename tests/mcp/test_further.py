"""The tools beyond the family's contract, on real panes."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muxwright import OwnedServer, PaneId, Session
from muxwright.mcp.policy import Selection
from tests.mcp.support import ALL, Tools
from tests.support.judge import Judge
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

Borrow = Callable[..., Tools]


def window_of(tools: Tools, target: dict[str, str]) -> dict[str, str]:
    (row,) = [row for row in tools.call("list_panes")["panes"] if row["target"] == target]
    return {"windowId": row["contexts"][0]["windowId"], "generation": target["generation"]}


def session_of(tools: Tools, target: dict[str, str]) -> dict[str, str]:
    (row,) = [row for row in tools.call("list_panes")["panes"] if row["target"] == target]
    return {"sessionId": row["contexts"][0]["sessionId"], "generation": target["generation"]}


def test_the_tree_names_everything_once_and_how_to_watch(tools: Tools, tmux_executable: str) -> None:
    target = tools.shell("cat")
    made = tools.call("create_window", session=session_of(tools, target), name="logs", command=["sleep", "1000"])
    info = tools.call("get_server_info")
    assert info["private"] and info["socketPath"] in info["attachCommand"]
    judge = Judge(info["socketPath"], tmux_executable)

    def names() -> bool:
        # The first one's name is that of its program, or of what tmux saw before that had begun: it may just change.
        (session,) = tools.call("get_server_info")["sessions"]
        named = [window["name"] for window in session["windows"]]
        return named == [judge.show(target["paneId"], "window_name"), "logs"]

    wait_until(names, 20, "the windows' names are those of tmux")
    (session,) = info["sessions"]
    assert session["windows"][1]["panes"] == [{"paneId": made["target"]["paneId"], "command": "sleep", "active": True}]
    assert info["generation"] == target["generation"] and info["totalPanes"] == 2


def test_one_session_and_one_window(tools: Tools) -> None:
    target = tools.shell("cat")
    half = tools.call("split_window", target=target, direction="right", percent=25, command=["sleep", "1000"])["target"]
    window = tools.call("get_window_info", target=window_of(tools, target))
    assert [pane["paneId"] for pane in window["panes"]] == [target["paneId"], half["paneId"]]
    assert window["panes"][1]["left"] > 100 and (window["width"], window["height"]) == (160, 48)
    session = tools.call("get_session_info", target=session_of(tools, target))
    assert session["windows"][0]["panes"] == [target["paneId"], half["paneId"]]
    tools.fails("invalid_arguments", "get_window_info", target={"windowId": "%1", "generation": target["generation"]})
    tools.fails("not_found", "get_window_info", target={"windowId": "@9", "generation": target["generation"]})


def test_panes_by_what_they_are(tools: Tools) -> None:
    cat, sleep = tools.shell("cat"), tools.shell("sleep", "1000")
    found = tools.call("find_panes", text="SLEEP")
    assert [row["target"] for row in found["panes"]] == [sleep]
    equal = {"op": "fields", "fields": [{"field": "tmux.pane.current_command", "match": {"op": "eq", "value": "cat"}}]}
    found = tools.call("find_panes", where=equal)
    assert [row["target"] for row in found["panes"]] == [cat]
    tools.fails("invalid_arguments", "find_panes")
    error = tools.fails(
        "invalid_arguments", "find_panes", where={"op": "fields", "fields": [{"field": "tmux.pane.nope"}]}
    )
    assert "$.where" in error["message"]


def test_a_screen_with_its_facts(tools: Tools) -> None:
    target = tools.shell("sh", "-c", "seq 1 60; printf '\\033]2;title\\033\\\\> '; exec sleep 1000")
    tools.shows(target, ">")
    facts, text = tools.screen("snapshot_pane", target=target)
    assert text.endswith("60\n>") and text.startswith("14\n")
    assert facts["cursor"] == {"x": 2, "y": 47} and facts["title"] == "title" and facts["mode"] is None
    assert facts["historyLines"] == 13 and facts["shownHistory"] == 0
    facts, text = tools.screen("snapshot_pane", target=target, history=2)
    assert text.startswith("12\n") and facts["shownHistory"] == 2


def test_a_picture(tools: Tools) -> None:
    target = tools.shell("sh", "-c", "printf '\\033[41mred\\033[0m'; exec cat")
    tools.shows(target, "red")
    outcome = tools.outcome("screenshot_pane", target=target)
    assert not outcome.is_error and outcome.png is not None and outcome.png.startswith(b"\x89PNG")
    assert outcome.structured is not None and outcome.structured["width"] == 160


def test_broken_bytes_on_a_screen_are_marked(tools: Tools) -> None:
    target = tools.shell("sh", "-c", "printf 'a\\377b'; exec sleep 1000")
    tools.shell("cat")
    assert tools.screen("snapshot_pane", target=target)[0]["dead"] is False


def test_lines_of_many_panes(tools: Tools) -> None:
    first = tools.shell("sh", "-c", "echo 'C:\\Users\\x'; seq 1 60; exec sleep 1000")
    second = tools.shell("sh", "-c", "echo other; exec sleep 1000")
    tools.shows(first, "60")
    tools.shows(second, "other")
    assert tools.call("search_panes", pattern="C:\\Users")["matches"] == []
    found = tools.call("search_panes", pattern="c:\\users", history=100)
    assert found["matches"] == [{"paneId": first["paneId"], "line": -14, "text": "C:\\Users\\x"}]
    assert tools.call("search_panes", pattern="c:\\users", history=100, matchCase=True)["matches"] == []
    found = tools.call("search_panes", pattern="^(60|OTHER)$", regex=True)
    assert [(match["paneId"], match["text"]) for match in found["matches"]] == [
        (first["paneId"], "60"),
        (second["paneId"], "other"),
    ]
    assert found["panesSearched"] == 2 and not found["capped"]
    within = tools.call("search_panes", pattern="other", session=session_of(tools, first))
    assert within["matches"] == [] and within["panesSearched"] == 1
    many = tools.call("search_panes", pattern="[0-9]|o", regex=True, history=100)
    assert len(many["matches"]) == 61
    error = tools.fails("invalid_arguments", "search_panes", pattern="(", regex=True)
    assert "RE2" in error["message"]


def test_a_pattern_that_explodes_elsewhere_does_not_here(tools: Tools) -> None:
    target = tools.shell("sh", "-c", "printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\\n'; exec sleep 1000")
    tools.shows(target, "!")
    began = time.monotonic()
    assert tools.call("search_panes", pattern="(a+)+$", regex=True)["matches"] == []
    assert time.monotonic() - began < 2


def test_arranging(tools: Tools) -> None:
    target = tools.shell("cat")
    window, session = window_of(tools, target), session_of(tools, target)
    other = tools.call("split_window", target=target, command=["sleep", "1000"])["target"]
    tools.call("select_pane", target=other)
    assert [row["active"] for row in tools.call("list_panes")["panes"]] == [False, True]
    tools.call("swap_panes", target=target, other=other)
    assert tools.call("list_panes")["panes"][0]["target"] == other
    assert tools.call("select_layout", target=window, layout="even-horizontal")["layout"]
    tools.fails("invalid_arguments", "select_layout", target=window, layout="nonsense")
    assert tools.call("resize_window", target=window, width=100)["width"] == 100
    tools.call("rename", target=window, name="a;")
    tools.call("rename", target=session, name="#S;")
    tools.call("rename", target=target, name="title;")
    (row,) = [row for row in tools.call("list_panes")["panes"] if row["target"] == target]
    assert (row["title"], row["contexts"][0]["windowName"], row["contexts"][0]["sessionName"]) == (
        "title;",
        "a;",
        "#S;",
    )
    made = tools.call("create_window", session=session, command=["cat"])
    tools.call("move_window", target=made["window"], session=session, index=7)
    tools.call("select_window", target=made["window"], session=session)
    shown = tools.call("get_session_info", target=session)["windows"]
    assert [(window["index"], window["active"]) for window in shown] == [(0, False), (7, True)]
    tools.fails("already_exists", "move_window", target=made["window"], session=session, index=0)
    tools.call("set_synchronize_panes", target=window, enabled=True)
    assert tools.call("get_window_info", target=window)["panes"][0]["synchronized"]
    tools.call("kill_window", target=made["window"])
    tools.call("kill_session", target=session)
    assert tools.call("list_panes")["total"] == 0 and not tools.app.owned


def test_no_space_is_said_shortly(tools: Tools) -> None:
    target = tools.shell("cat")
    while not tools.outcome("split_window", target=target, command=["cat"]).is_error:
        pass
    tools.fails("no_space", "split_window", target=target)


def test_settings(tools: Tools) -> None:
    target = tools.shell("cat")
    assert tools.call("get_tmux_variables", target=target, names=["pane_width", "pane_id"])["values"] == {
        "pane_width": "160",
        "pane_id": target["paneId"],
    }
    tools.fails("invalid_arguments", "get_tmux_variables", target=target, names=["pane_widht"])
    assert tools.call("show_option", name="renumber-windows", scope="global_session")["value"] is False
    tools.call("set_option", name="renumber-windows", scope="global_session", value=True)
    assert tools.call("show_option", name="renumber-windows", scope="global_session")["value"] is True
    tools.call("set_option", name="@role", target=target, value="a;")
    assert tools.call("show_option", name="@role", target=target)["value"] == "a;"
    tools.fails("option_denied", "set_option", name="status;", scope="server", value="kill-server")
    tools.fails("option_denied", "set_option", name="default-command", scope="global_session", value="x")
    tools.fails("option_denied", "set_option", name="@x", scope="server", value="#(touch x)")
    tools.fails("unknown_option", "show_option", name="nope", scope="server")
    assert tools.call("show_hooks", scope="global_session")["hooks"] == []
    tools.fails("invalid_arguments", "show_hooks")


def test_values_of_an_environment_are_named_one_by_one(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    tools.shell("cat")
    server = tools.run(tools.app.endpoint.server())
    tools.run(server.set_environment("global", "TOKEN", "s3cret"))
    shown = tools.outcome("show_environment")
    assert "TOKEN" in shown.text and "s3cret" not in shown.text
    shown = tools.outcome("show_environment", values=["TOKEN", "NOT_THERE"])
    assert "s3cret" in shown.text and shown.structured is not None and shown.structured["missing"] == ["NOT_THERE"]


def test_scrollback_goes_and_the_screen_stays(tools: Tools) -> None:
    target = tools.shell("sh", "-c", "seq 1 100; exec sleep 1000")
    tools.shows(target, "100")
    tools.call("clear_pane_scrollback", target=target)
    facts, text = tools.screen("snapshot_pane", target=target, history=100)
    assert facts["historyLines"] == 0 and text.endswith("100")


def test_allowed_panes_hold_for_windows_and_sessions(borrowed: Borrow, judge: Judge, home: Session) -> None:
    judge("split-window", "-d", "-t", "%0", "--", "sleep", "1000")
    generation = borrowed().call("list_panes")["panes"][0]["target"]["generation"]
    tools = borrowed(allowed_panes=[PaneId("%0")])
    window, session = {"windowId": "@0", "generation": generation}, {"sessionId": "$0", "generation": generation}
    everything: tuple[tuple[str, dict[str, Any]], ...] = (
        ("kill_window", {"target": window}),
        ("kill_session", {"target": session}),
        ("rename", {"target": window, "name": "x"}),
        ("get_window_info", {"target": window}),
        ("create_window", {"session": session}),
        ("set_option", {"name": "mouse", "value": True, "scope": "global_session"}),
        ("show_environment", {}),
    )
    for name, arguments in everything:
        assert tools.fails("target_denied", name, **arguments)["effects"] == "none"
    assert tools.call("get_server_info")["sessions"][0]["windows"][0]["panes"][0]["paneId"] == "%0"
    assert len(tools.call("get_server_info")["sessions"][0]["windows"][0]["panes"]) == 1


def test_a_window_around_us_is_not_ended(borrowed: Borrow, server: OwnedServer, home: Session) -> None:
    tools = borrowed(environment={"TMUX": f"{server.socket_path},{server.pid},0", "TMUX_PANE": "%0"})
    generation = tools.call("list_panes")["panes"][0]["target"]["generation"]
    tools.fails("self_protection", "kill_window", target={"windowId": "@0", "generation": generation})
    tools.fails("self_protection", "kill_session", target={"sessionId": "$0", "generation": generation})


def test_no_server_is_no_empty_answer(tmux_executable: str, base_dir: Path) -> None:
    from muxwright import AsyncServer
    from muxwright.mcp.application import Application

    nowhere = AsyncServer(socket_path=str(base_dir / "nowhere"), tmux=tmux_executable)
    tools = Tools(Application(nowhere, selection=ALL))
    for name, arguments in (("list_panes", {}), ("get_server_info", {}), ("search_panes", {"pattern": "x"})):
        tools.fails("server_not_running", name, **arguments)
    tools.close()
    tools = Tools(
        Application(AsyncServer(socket_path=str(base_dir / "nowhere"), tmux="/no/tmux"), selection=Selection())
    )
    tools.fails("tmux_not_found", "list_panes")
    tools.close()
