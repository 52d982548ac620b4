"""The protocol on the wire: both eras, what no client should say, how it ends."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest

from muxwright import OwnedServer, Session
from tests.mcp.raw import ENVELOPE, RawClient
from tests.support.judge import Judge
from tests.support.outside import processes_naming
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def process(tmux_executable: str) -> Iterator[RawClient]:
    """A server over a private tmux, after the legacy handshake; its start is what takes longest."""
    with RawClient(tmux=tmux_executable) as opened:
        opened.initialize()
        yield opened


@pytest.fixture
def client(process: RawClient) -> Iterator[RawClient]:
    """That server, without sessions. A test that ends it takes `fresh`."""
    yield process
    process.clear()


@pytest.fixture
def fresh(tmux_executable: str) -> Iterator[RawClient]:
    """A server of the test's own."""
    with RawClient(tmux=tmux_executable) as opened:
        opened.initialize()
        yield opened


# --- eras ---


def test_the_legacy_handshake_says_who_we_are(tmux_executable: str) -> None:
    with RawClient(tmux=tmux_executable) as client:
        said = client.initialize()
        assert said["protocolVersion"] == "2025-11-25" and said["serverInfo"]["name"] == "muxwright"
        assert len(said["instructions"]) < 2048 and "tools" in said["capabilities"]
        assert client.ask("ping")["result"] == {}
        assert client.ask("no/such")["error"]["code"] == -32601


def test_modern_requests_need_no_handshake(tmux_executable: str) -> None:
    with RawClient(tmux=tmux_executable) as client:
        listed = client.ask("tools/list", {"_meta": ENVELOPE})["result"]
        assert listed["resultType"] == "complete" and listed["ttlMs"] > 0
        asked = {"_meta": ENVELOPE, "name": "list_panes", "arguments": {}}
        assert client.ask("tools/call", asked)["result"]["structuredContent"]["total"] == 0


@pytest.mark.parametrize("version", ["2026-07-28", "2027-03-01"])
def test_a_question_about_versions_decides_nothing(version: str, tmux_executable: str) -> None:
    with RawClient(tmux=tmux_executable) as client:
        envelope = {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": version}
        first = client.ask("server/discover", {"_meta": envelope})
        assert ("result" in first) == (version == "2026-07-28")
        assert client.initialize()["protocolVersion"] == "2025-11-25"
        assert client.call("list_panes")["structuredContent"]["total"] == 0


# --- what no client should say ---


def test_lines_that_are_no_messages_are_answered(client: RawClient) -> None:
    for line, code, request_id in (
        (b"not json", -32700, None),
        (b'{"jsonrpc": "2.0", "id": 7, "method"', -32700, None),
        (b"\xff\xfe", -32700, None),
        (b'{"jsonrpc": "2.0", "id": 7}', -32600, 7),
        (b'{"jsonrpc": "1.0", "id": "x", "method": "ping"}', -32600, "x"),
        (b'[{"jsonrpc": "2.0", "id": 7, "method": "ping"}]', -32600, None),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600, None),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600, None),
        (b"[" * 100_000, -32700, None),
    ):
        client.send(line + b"\n")
        answer = client.receive()
        assert (answer["id"], answer["error"]["code"]) == (request_id, code), line[:60]
    client.send(b"\n  \n")
    assert client.ask("ping")["result"] == {}


def test_many_wrong_lines_and_one_that_is_too_long(client: RawClient) -> None:
    for _ in range(100):
        client.send(b"nonsense\n" * 100)
        for _ in range(100):
            assert client.receive()["error"]["code"] == -32700
    client.send(b"x" * (3 * 1024 * 1024) + b"\n")
    assert "at most" in client.receive()["error"]["message"]
    assert client.ask("ping")["result"] == {}


def test_wrong_calls(client: RawClient) -> None:
    unknown = client.ask("tools/call", {"name": "no_such", "arguments": {}})["error"]
    assert unknown["code"] == -32602 and "no_such" in unknown["message"]
    hidden = client.ask("tools/call", {"name": "kill_window", "arguments": {}})["error"]
    assert hidden["code"] == -32602 and "--tool kill_window" in hidden["message"]
    wrong = client.call("list_panes", limt=3)
    assert wrong["isError"]
    assert wrong["structuredContent"] == json.loads(wrong["content"][0]["text"])
    message = wrong["structuredContent"]["error"]["message"]
    assert "limt" in message and "did you mean limit" in message
    for arguments in ({"limit": True}, {"limit": "3"}, {"limit": 1.5}, {"limit": 0}, {"limit": 129}, {"limit": None}):
        assert client.call("list_panes", **arguments)["isError"], arguments
    assert (
        "NUL"
        in client.call("send_keys", target={"paneId": "%0", "generation": "1:1"}, keys=["\0"])["content"][0]["text"]
    )
    assert client.ask("tools/call", {"name": "list_panes", "arguments": []})["error"]["code"] == -32602
    assert client.ask("tools/list", {"cursor": "x"})["error"]["code"] == -32602


def test_an_error_of_ours_is_not_shown(client: RawClient) -> None:
    answer = client.call("get_pane_info", pane="%9999")
    error = json.loads(answer["content"][0]["text"])["error"]
    assert answer["isError"] and "structuredContent" not in answer and error["effects"] == "none"
    assert "Traceback" not in answer["content"][0]["text"]


# --- cancelling, progress, many at once ---


def test_a_cancelled_call_is_not_answered(fresh: RawClient) -> None:
    target = fresh.shell()
    waiting = fresh.start_call("wait_for", target=target, patterns=["never"], seconds=40)
    fresh.line({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": waiting}})
    assert fresh.ask("ping")["result"] == {}
    variables = fresh.call("list_panes")
    assert variables["structuredContent"]["total"] == 1
    status, _, errors = fresh.end()
    assert (status, errors) == (0, "")


def test_progress_only_for_those_who_ask(client: RawClient) -> None:
    target = client.shell()
    client.call("send_keys_and_wait", target=target, keys=["x", "Enter"], text="x")
    assert client.notifications == []
    call = client.start_call("send_keys_and_wait", {"progressToken": "t"}, target=target, keys=["y", "Enter"], text="y")
    assert "error" not in client.answer(call)
    said = [each["params"] for each in client.notifications]
    assert [each["message"] for each in said] == ["waiting", "matched"]
    assert {each["progressToken"] for each in said} == {"t"}
    assert said[0]["progress"] < said[1]["progress"]


def test_many_waits_hold_nobody_up(tmux_executable: str) -> None:
    with RawClient("--capacity", "50", "--workers", "50", tmux=tmux_executable) as client:
        client.initialize()
        target = client.shell()
        for number in range(45):
            client.start_call("wait_for", target=target, patterns=[f"never {number}"], seconds=30)
        client.call("capture_pane", target=target)
        best = 9.0
        for _ in range(5):
            began = time.monotonic()
            client.ask("ping")
            best = min(best, time.monotonic() - began)
        assert best < 0.1
        status, took, errors = client.end()
        assert (status, errors) == (0, "") and took < 5


def test_more_than_the_capacity_is_refused(tmux_executable: str) -> None:
    with RawClient("--capacity", "2", "--workers", "2", tmux=tmux_executable) as client:
        client.initialize()
        target = client.shell()
        for _ in range(2):
            client.start_call("wait_for", target=target, patterns=["never"], seconds=30)
        busy = client.call("list_panes")["structuredContent"]["error"]
        assert busy["code"] == "busy" and busy["retryable"] and busy["effects"] == "none"


# --- the end ---


@pytest.mark.parametrize(
    ("how", "busy"),
    [(None, True), (signal.SIGTERM, False), (signal.SIGTERM, True), (signal.SIGINT, True), (signal.SIGHUP, True)],
)
def test_every_end_is_clean(how: int | None, busy: bool, tmux_executable: str) -> None:
    with RawClient(tmux=tmux_executable) as client:
        client.initialize()
        path = ""
        if busy:
            target = client.shell()
            path = client.call("get_server_info")["structuredContent"]["socketPath"]
            client.start_call("wait_for", target=target, patterns=["never"], seconds=30)
            assert client.ask("ping")["result"] == {}
        status, took, errors = client.end(how)
        assert (status, errors) == (130 if how == signal.SIGINT else 0, "")
        assert took < 3
        if busy:
            assert processes_naming(path) == {}


def test_what_was_asked_last_is_answered(tmux_executable: str) -> None:
    with RawClient(tmux=tmux_executable) as client:
        client.request("ping")
        assert client.end()[::2] == (0, "")
        assert json.loads(client.stdout.read()) == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_nobody_reads(fresh: RawClient) -> None:
    target = fresh.shell("sh", "-c", "seq -f %0200g 1 2000; exec cat")
    for _ in range(60):
        fresh.start_call("capture_pane", target=target, lines=1000)
    status, took, errors = fresh.end()
    assert (status, errors) == (0, "") and took < 5


def test_nobody_can_read_any_more(fresh: RawClient) -> None:
    fresh.stdout.close()
    fresh.request("ping")
    assert fresh.process.wait(10) == 0
    assert fresh.stderr.read() == b""


def test_owned_sessions_end_with_us(server: OwnedServer, home: Session, judge: Judge, tmux_executable: str) -> None:
    options = ("--socket", server.socket_path, "--allow-create", "--toolset", "inspect,manage,execute,teardown")
    for how in (None, signal.SIGTERM):
        with RawClient(*options, tmux=tmux_executable) as client:
            client.initialize()
            client.shell()
            assert judge.lines("list-sessions", "-F", "#S") == ["home", "work"]
            client.end(how)
        assert judge.lines("list-sessions", "-F", "#S") == ["home"]


def test_a_dead_daemon_is_said_at_once(tmux_executable: str, server: OwnedServer, home: Session) -> None:
    options = ("--socket", server.socket_path, "--tool", "list_panes,wait_for")
    with RawClient(*options, tmux=tmux_executable) as client:
        client.initialize()
        target = client.call("list_panes")["structuredContent"]["panes"][0]["target"]
        waiting = client.start_call("wait_for", target=target, patterns=["never"], seconds=40)
        wait_until(lambda: home.active_pane().refresh().piped, what="the wait has begun")
        os.kill(server.pid, signal.SIGKILL)
        began = time.monotonic()
        answer = client.answer(waiting)["result"]
        assert time.monotonic() - began < 5, answer
        assert answer.get("isError") or answer["structuredContent"]["outcome"] == "pane_closed", answer
        error = client.call("list_panes")["structuredContent"]["error"]
        assert error["code"] == "server_not_running"


@pytest.mark.parametrize(
    ("options", "environment", "said"),
    [
        (["--toolset", "bogus"], {}, "bogus"),
        (["--tool", "lst_panes"], {}, "list_panes"),
        ([], {"MUXWRIGHT_MCP_TOOLSET": "bogus"}, "bogus"),
        (["--socket", "x", "--socket-name", "y"], {}, "only one"),
        (["--inherit"], {}, "$TMUX"),
        (["--allow-pane", "@1"], {}, "@1"),
        (["--timeout", "100"], {}, "timeout"),
        (["--socket", "/nonexistent/socket", "--caller-pane", "%0"], {}, "/nonexistent/socket"),
    ],
)
def test_a_start_that_fails_says_why_in_one_line(
    options: list[str], environment: dict[str, str], said: str, tmux_executable: str
) -> None:
    with RawClient(*options, tmux=tmux_executable, environment=environment) as client:
        status, _, errors = client.end()
        assert status not in (0, None) and said in errors
        assert len(errors.strip().splitlines()) == 1 and "Traceback" not in errors
        assert client.stdout.read() == b""


def test_nothing_happens_before_the_first_call(tmux_executable: str, base_dir: Any) -> None:
    before = sorted(base_dir.rglob("*"))
    with RawClient(tmux=tmux_executable) as client:
        client.initialize()
        client.ask("tools/list")
        assert sorted(base_dir.rglob("*")) == before
        client.call("list_panes")
        assert sorted(base_dir.rglob("*")) != before
