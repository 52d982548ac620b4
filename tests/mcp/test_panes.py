"""The family's pane tools, on real panes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muxwright import AsyncSession, OwnedServer, PaneId, Session, Snapshot
from muxwright.mcp.policy import Selection
from tests.mcp.support import Tools
from tests.support.judge import Judge
from tests.support.swappable import SwappableServer

pytestmark = pytest.mark.live

Borrow = Callable[..., Tools]


def test_from_nothing_to_a_screen(tools: Tools) -> None:
    assert tools.call("list_panes") == {
        "panes": [],
        "total": 0,
        "nextOffset": None,
        "truncated": False,
        "coverage": "complete_observed_graph",
        "generationGuarantee": "atomic",
        "terminalContent": "data",
    }
    target = tools.shell("sh")
    assert tools.call("send_keys", target=target, keys=["echo out$((1+1))", "Enter"])["completed"]
    assert "out2" in tools.shows(target, "out2")
    (row,) = tools.call("list_panes")["panes"]
    assert row["target"] == target and row["command"] == "sh" and (row["width"], row["height"]) == (160, 48)
    assert row["contexts"][0]["sessionName"] == "s0"


def test_a_linked_window_is_listed_once_with_all_its_places(borrowed: Borrow, judge: Judge, home: Session) -> None:
    judge("new-session", "-d", "-s", "other", "--", "sleep", "1000")
    judge("link-window", "-s", "home:0", "-t", "other:5")
    rows = borrowed().call("list_panes")["panes"]
    assert len(rows) == 2
    assert [(each["sessionName"], each["windowIndex"]) for each in rows[0]["contexts"]] == [("home", 0), ("other", 5)]


def test_pages(borrowed: Borrow, judge: Judge, home: Session) -> None:
    judge("new-session", "-d", "-s", "other", "--", "sleep", "1000")
    tools = borrowed()
    first = tools.call("list_panes", limit=1)
    assert (first["total"], first["nextOffset"], first["truncated"]) == (2, 1, True)
    last = tools.call("list_panes", limit=1, offset=1)
    assert last["nextOffset"] is None and first["panes"] != last["panes"]
    assert tools.call("list_panes", offset=5)["panes"] == []


def test_long_names_are_clipped_and_say_so(borrowed: Borrow, judge: Judge, home: Session) -> None:
    judge("rename-window", "-t", "@0", "--", "λ" * 100)
    (row,) = borrowed().call("list_panes")["panes"]
    assert row["fieldsTruncated"] and row["contexts"][0]["windowName"] == "λ" * 64


def test_capture_keeps_the_last_lines_and_whole_characters(tools: Tools) -> None:
    target = tools.shell("sh", "-c", "printf 'λλλ\\n'; seq 1 200; exec sleep 1000")
    tools.shows(target, "200")
    assert tools.call("capture_pane", target=target, lines=3)["text"] == "198\n199\n200"
    cut = tools.call("capture_pane", target=target, lines=1000, maxBytes=3)
    assert cut["text"] == "λ" and cut["truncated"]


def test_a_stale_generation_is_refused_everywhere(swappable: SwappableServer, borrowed: Borrow) -> None:
    from muxwright import AsyncServer
    from muxwright.mcp.application import Application
    from tests.mcp.support import ALL

    tools = Tools(Application(AsyncServer(socket_path=swappable.socket_path, tmux=swappable.tmux), selection=ALL))
    (row,) = tools.call("list_panes")["panes"]
    swappable.swap()
    error = tools.fails("stale_target", "send_keys", target=row["target"], keys=["x"])
    assert error["effects"] == "none" and "list_panes" in error["message"]
    tools.fails("stale_target", "capture_pane", target=row["target"])
    tools.fails("stale_target", "kill_pane", target=row["target"])
    tools.fails("stale_target", "get_pane_info", pane="%0")
    tools.fails("stale_target", "respawn_pane", pane_id="%0")
    swappable.nothing_typed()
    tools.call("list_panes")
    assert tools.call("get_pane_info", pane="%0")["id"] == "%0"
    tools.close()


def test_keys_that_are_none_are_text_but_slips_are_refused(tools: Tools) -> None:
    target = tools.shell("cat")
    tools.call("send_keys", target=target, keys=["-n --help;", "Space", "a b", "Enter"])
    tools.shows(target, "-n --help; a b\n-n --help; a b")
    for slip in ("Entr", "Ctrl-c", "C-x C-y", "Up Up"):
        error = tools.fails("invalid_arguments", "send_keys", target=target, keys=[slip])
        assert error["effects"] == "none"
    tools.call("send_keys", target=target, keys=["Enter"], literal=True)
    tools.call("send_keys", target=target, keys=["Enter"])
    tools.shows(target, "Enter\nEnter")


def test_byte_limits_are_bytes(tools: Tools) -> None:
    target = tools.shell("cat")
    tools.fails("invalid_arguments", "send_keys", target=target, keys=["λ" * 513])
    tools.fails("invalid_arguments", "send_keys", target=target, keys=["x" * 1000] * 9)
    error = tools.fails("invalid_arguments", "paste_text", target=target, text="λ" * 32769)
    assert "65538 bytes" in error["message"]


def test_paste_arrives_as_it_is_and_leaves_no_buffer(tools: Tools) -> None:
    target = tools.shell("cat")
    tools.call("paste_text", target=target, text="one;\n-two $HOME #S\n")
    tools.shows(target, "one;\n-two $HOME #S\none;\n-two $HOME #S")
    server = tools.run(tools.app.endpoint.server())
    assert tools.run(server.command("list-buffers")) == b""


def test_resize_and_kill(borrowed: Borrow, judge: Judge, home: Session) -> None:
    judge("split-window", "-d", "-t", "%0", "--", "sleep", "1000")
    tools = borrowed()
    first, second = (row["target"] for row in tools.call("list_panes")["panes"])
    tools.call("resize_pane", target=first, height=10)
    assert judge.show("%0", "pane_height") == "10"
    tools.fails("invalid_arguments", "resize_pane", target=first)
    tools.call("kill_pane", target=second)
    error = tools.fails("not_found", "kill_pane", target=second)
    assert error["effects"] == "none"
    assert judge.lines("list-panes", "-a", "-F", "#{pane_id}") == ["%0"]


def test_the_last_pane_can_be_killed_and_work_goes_on(tools: Tools) -> None:
    target = tools.shell("sh")
    tools.call("capture_pane", target=target)
    tools.call("kill_pane", target=target)
    assert tools.call("list_panes")["total"] == 0
    tools.shell("cat")
    assert tools.call("list_panes")["total"] == 1


def test_a_private_server_that_died_is_started_again(tools: Tools) -> None:
    target = tools.shell("sh")
    server = tools.run(tools.app.endpoint.server())
    os.kill(server.pid, 9)
    outcome = tools.outcome("capture_pane", target=target)
    assert outcome.is_error and json.loads(outcome.text)["error"]["code"] in ("stale_target", "server_lost")
    new = tools.shell("cat")
    assert new["generation"] != target["generation"]
    tools.fails("stale_target", "capture_pane", target=target)


# --- who may be typed into ---


def test_only_allowed_panes(borrowed: Borrow, judge: Judge, home: Session) -> None:
    judge("split-window", "-d", "-t", "%0", "--", "sleep", "1000")
    everything = [row["target"] for row in borrowed().call("list_panes")["panes"]]
    tools = borrowed(allowed_panes=[PaneId("%0")], allow_create=True)
    assert [row["target"] for row in tools.call("list_panes")["panes"]] == everything[:1]
    for name, arguments in (
        ("capture_pane", {"target": everything[1]}),
        ("get_pane_info", {"pane": "%1"}),
        ("respawn_pane", {"pane_id": "%1"}),
    ):
        tools.fails("target_denied", name, **arguments)
    made = tools.call("create_session", name="made", command=["cat"])
    assert tools.call("capture_pane", target=made["panes"][0])["text"] == ""


def test_our_own_pane_is_protected(borrowed: Borrow, server: OwnedServer, home: Session) -> None:
    environment = {"TMUX": f"{server.socket_path},{server.pid},0", "TMUX_PANE": "%0"}
    tools = borrowed(environment=environment)
    (row,) = tools.call("list_panes")["panes"]
    assert tools.call("get_pane_info", pane="%0")["caller"] == "self"
    for name, arguments in (
        ("send_keys", {"target": row["target"], "keys": ["x"]}),
        ("paste_text", {"target": row["target"], "text": "x"}),
        ("kill_pane", {"target": row["target"]}),
        ("respawn_pane", {"pane_id": "%0"}),
    ):
        assert tools.fails("self_protection", name, **arguments)["effects"] == "none"
    named = borrowed(environment=environment, caller_pane=PaneId("%0"))
    assert named.call("list_panes")["panes"][0]["caller"]
    named.call("send_keys", keys=["x"])


def test_input_that_would_reach_our_own_pane_is_refused(
    borrowed: Borrow, server: OwnedServer, judge: Judge, home: Session
) -> None:
    judge("split-window", "-d", "-t", "%0", "--", "sleep", "1000")
    judge("set-option", "-w", "-t", "@0", "synchronize-panes", "on")
    tools = borrowed(environment={"TMUX": f"{server.socket_path},{server.pid},0", "TMUX_PANE": "%0"})
    other = tools.call("list_panes")["panes"][1]["target"]
    tools.fails("self_protection", "send_keys", target=other, keys=["x"])
    tools.call("paste_text", target=other, text="x")


def test_without_a_target(borrowed: Borrow, home: Session) -> None:
    error = borrowed().fails("invalid_arguments", "send_keys", keys=["x"])
    assert "target is missing" in error["message"] and error["effects"] == "none"


# --- several in one call ---


def test_a_batch_stops_at_the_first_failure(borrowed: Borrow, home: Session) -> None:
    tools = borrowed()
    target = tools.call("list_panes")["panes"][0]["target"]
    gone = {**target, "paneId": "%99"}
    good: dict[str, Any] = {"tool": "send_keys", "arguments": {"target": target, "keys": ["x"]}}
    bad: dict[str, Any] = {"tool": "capture_pane", "arguments": {"target": gone}}
    assert tools.call("run_operations", operations=[good])["failedIndex"] is None
    outcome = tools.outcome("run_operations", operations=[good, bad, good])
    assert outcome.is_error and outcome.structured is not None
    assert outcome.structured["failedIndex"] == 2 and len(outcome.structured["completed"]) == 1
    assert outcome.structured["error"]["code"] == "not_found"
    assert outcome.structured["error"]["effects"] == "possible"


def test_a_batch_is_checked_before_it_runs(borrowed: Borrow, judge: Judge, home: Session) -> None:
    judge("split-window", "-d", "-t", "%0", "--", "sleep", "1000")
    everything = [row["target"] for row in borrowed().call("list_panes")["panes"]]
    tools = borrowed(allowed_panes=[PaneId("%0")])
    allowed = {"tool": "resize_pane", "arguments": {"target": everything[0], "height": 5}}
    denied = {"tool": "resize_pane", "arguments": {"target": everything[1], "height": 5}}
    error = tools.fails("target_denied", "run_operations", operations=[allowed, denied])
    assert error["effects"] == "none" and judge.show("%0", "pane_height") != "5"
    wrong = {"tool": "resize_pane", "arguments": {"target": everything[0], "height": "5"}}
    error = tools.fails("invalid_arguments", "run_operations", operations=[allowed, wrong])
    assert "operations[1].arguments.height" in error["message"]
    assert judge.show("%0", "pane_height") != "5"


def test_results_of_a_batch_are_bounded(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muxwright.mcp.tools.operations.RESULT_LIMIT", 400)
    target = tools.shell("sh", "-c", "seq 1 200; exec sleep 1000")
    tools.shows(target, "200")
    capture = {"tool": "capture_pane", "arguments": {"target": target}}
    outcome = tools.outcome("run_operations", operations=[capture])
    assert outcome.is_error and outcome.structured is not None
    assert outcome.structured["completed"] == [{"tool": "capture_pane", "completed": True, "resultOmitted": True}]
    assert outcome.structured["error"]["code"] == "result_limit" and outcome.structured["failedIndex"] is None
    bad = {"tool": "capture_pane", "arguments": {"target": {**target, "paneId": "%99"}}}
    outcome = tools.outcome("run_operations", operations=[capture, bad])
    assert outcome.structured is not None
    assert outcome.structured["originalError"] == {"code": "not_found"} and outcome.structured["failedIndex"] == 2


# --- sessions ---


def test_sessions_on_a_borrowed_server_need_permission(borrowed: Borrow, judge: Judge, home: Session) -> None:
    borrowed().fails("creation_denied", "create_session", name="x", command=["cat"])
    tools = borrowed(allow_create=True)
    made = tools.call("create_session", name="x", command=["cat"])
    tools.fails("already_exists", "create_session", name="x", command=["cat"])
    other = {"sessionId": "$0", "generation": made["generation"]}
    tools.fails("ownership_required", "teardown_session", **other)
    mine = {"sessionId": made["sessionId"], "generation": made["generation"]}
    tools.call("teardown_session", **mine)
    assert judge.lines("list-sessions", "-F", "#S") == ["home"]
    tools.call("create_session", name="left", command=["cat"])
    tools.run(tools.app.close())
    assert judge.lines("list-sessions", "-F", "#S") == ["home"]


def test_a_session_that_ends_before_it_is_seen(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    tools.shell("cat")
    snapshot = AsyncSession.snapshot

    async def late(session: AsyncSession, *, timeout: float | None = None) -> Snapshot:
        await session.kill()
        return await snapshot(session, timeout=timeout)

    monkeypatch.setattr(AsyncSession, "snapshot", late)
    error = tools.fails("operation_failed", "create_session", name="x", command=["true"])
    assert error["effects"] == "possible"


def test_sessions_are_counted(tools: Tools) -> None:
    last = [tools.shell("cat") for _ in range(8)][-1]
    tools.fails("owned_limit", "create_session", name="ninth", command=["cat"])
    tools.call("kill_pane", target=last)
    tools.call("create_session", name="ninth", command=["cat"])


# --- respawn_pane ---


def test_respawn_keeps_the_pane(tools: Tools, tmp_path: Path) -> None:
    target = tools.shell("sh")
    before = tools.call("respawn_pane", pane_id=target["paneId"], shell="exec cat")
    after = tools.call(
        "respawn_pane",
        pane_id=target["paneId"],
        shell='printf "%s %s" "$WHO" "$PWD"; exec cat',
        start_directory=str(tmp_path),
        environment='{"WHO": "a b;c"}',
    )
    assert after["pane_pid"] != before["pane_pid"] and after["pane_width"] == "160"
    assert after["pane_current_path"] == str(tmp_path) and after["is_caller"] is None
    assert after["pane_at_top"] is True and after["pane_bottom"] == 47 and after["pane_active"] == "1"
    tools.shows(target, f"a b;c {tmp_path}")
    server = tools.run(tools.app.endpoint.server())
    assert tools.run(server.command("show-options", "-p", "-t", target["paneId"])) == b""


def test_respawn_refusals(tools: Tools, tmp_path: Path) -> None:
    pane = tools.shell("sh")["paneId"]
    for code, arguments in (
        ("pane_in_use", {"kill": False}),
        ("wrong_server", {"socket_name": "default"}),
        ("invalid_arguments", {"start_directory": str(tmp_path / "none")}),
        ("invalid_arguments", {"environment": {"A=B": "x"}}),
        ("invalid_arguments", {"environment": {"": "x"}}),
        ("invalid_arguments", {"environment": "[1]"}),
        ("invalid_arguments", {"environment": '{"A": '}),
        ("invalid_arguments", {"environment": '{"A": 1}'}),
        ("invalid_arguments", {"environment": {"A": 1}}),
        ("invalid_arguments", {"environment": {"HISTFILE": "s3cret"}, "suppress_persistent_history": True}),
        ("invalid_arguments", {"session_name": "x"}),
    ):
        error = tools.fails(code, "respawn_pane", pane_id=pane, **arguments)
        assert error["effects"] == "none" and "s3cret" not in error["message"], arguments
    tools.fails("invalid_arguments", "respawn_pane", pane_id="@0")
    tools.fails("not_found", "respawn_pane", pane_id="%99")


def test_a_program_that_ends_at_once_does_not_take_the_pane_along(tools: Tools) -> None:
    target = tools.shell("sh")
    error = tools.fails("command_ended", "respawn_pane", pane_id=target["paneId"], shell="/no/such/binary")
    assert error["effects"] == "possible"
    assert tools.call("list_panes")["panes"][0]["dead"]
    assert tools.call("respawn_pane", pane_id=target["paneId"], shell="exec cat", kill=False)["pane_id"] == "%0"
    server = tools.run(tools.app.endpoint.server())
    assert tools.run(server.command("show-options", "-p", "-t", "%0")) == b""


def test_history_is_suppressed(tools: Tools) -> None:
    target = tools.shell("sh")
    tools.call(
        "respawn_pane",
        pane_id=target["paneId"],
        shell='printf "[%s|%s|%s]" "$HISTFILE" "$HISTCONTROL" "$fish_private_mode"; exec cat',
        suppress_persistent_history=True,
        environment={"HISTCONTROL": "ignoredups"},
    )
    tools.shows(target, "[|ignoredups:ignorespace|1]")


def test_a_selection_is_what_can_be_called(borrowed: Borrow, home: Session) -> None:
    tools = borrowed(Selection())
    assert list(tools.app.offered) == ["list_panes", "capture_pane", "send_keys"]
