"""The cases of a tmux server for agents, one test each, through the protocol."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from muxwright import OwnedServer, Session
from tests.mcp.raw import RawClient
from tests.support.judge import Judge
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

EVERYTHING = ("--toolset", "inspect,manage,execute,teardown")


class Agent:
    """A client, and what the cases do again and again."""

    def __init__(self, client: RawClient) -> None:
        self.client = client
        self._made = 0

    def result(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        return self.client.call(tool, **arguments)

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        result = self.result(tool, **arguments)
        assert not result.get("isError"), result
        if "structuredContent" in result:
            structured: dict[str, Any] = result["structuredContent"]
            return structured
        facts, _, text = result["content"][0]["text"].partition("\n")
        return {**json.loads(facts), "screen": text}

    def error(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        result = self.result(tool, **arguments)
        assert result.get("isError"), result
        error: dict[str, Any] = json.loads(result["content"][0]["text"])["error"]
        assert set(error) == {"code", "message", "effects", "retryable"}
        assert len(error["message"].encode()) <= 512
        return error

    def pane(self, *command: str) -> dict[str, str]:
        """Return the target of a pane of its own."""
        self._made += 1
        made = self.call("create_session", name=f"case-{self._made}", command=list(command or ("bash", "--norc")))
        target: dict[str, str] = made["panes"][0]
        if not command:
            # Some cases write to the terminal before anything was typed.
            self.call("wait_for", target=target, patterns=["$", "#"], seconds=10)
        return target

    def row(self, target: dict[str, str]) -> dict[str, Any]:
        rows = self.call("list_panes", limit=128)["panes"]
        (row,) = [row for row in rows if row["target"] == target]
        found: dict[str, Any] = row
        return found

    def shows(self, target: dict[str, str], text: str) -> str:
        def seen() -> str:
            captured: str = self.call("capture_pane", target=target, lines=1000)["text"]
            return captured if text in captured else ""

        return wait_until(seen, what=f"{text!r} on the screen")

    def type(self, target: dict[str, str], line: str) -> None:
        self.call("send_keys", target=target, keys=[line], literal=True)
        self.call("send_keys", target=target, keys=["Enter"])

    def run(self, target: dict[str, str], command: str, **options: Any) -> dict[str, Any]:
        return self.call("run_shell_command", pane=target["paneId"], command=command, **options)

    def tty(self, target: dict[str, str]) -> Path:
        values = self.call("get_tmux_variables", target=target, names=["pane_tty"])["values"]
        return Path(values["pane_tty"])

    def meanwhile(self, tool: str, arguments: dict[str, Any], act: Callable[[], object]) -> dict[str, Any]:
        """Start a call that waits, act once it does, and return its result."""
        call = self.client.start_call(tool, {"progressToken": "p"}, **arguments)
        message = self.client.receive()
        assert message.get("method") == "notifications/progress", message
        act()
        answer: dict[str, Any] = self.client.answer(call)["result"]
        return answer

    def end(self) -> None:
        for session in self.call("get_server_info")["sessions"]:
            target = {"sessionId": session["sessionId"], "generation": self.call("get_server_info")["generation"]}
            self.call("kill_session", target=target)


@pytest.fixture(scope="module")
def process(tmux_executable: str) -> Iterator[RawClient]:
    """One server with all tools for the whole file: its start is what takes longest."""
    with RawClient(*EVERYTHING, tmux=tmux_executable) as client:
        client.initialize()
        yield client


@pytest.fixture
def agent(process: RawClient) -> Iterator[Agent]:
    """All tools on a private server, without a session at first."""
    opened = Agent(process)
    yield opened
    opened.end()


@pytest.fixture
def other(tmux_executable: str) -> Iterator[Callable[..., Agent]]:
    """Makes agents with options or an environment of their own."""
    clients: list[RawClient] = []

    def make(*options: str, environment: dict[str, str] | None = None) -> Agent:
        client = RawClient(*EVERYTHING, *options, tmux=tmux_executable, environment=environment)
        clients.append(client)
        client.initialize()
        return Agent(client)

    yield make
    for client in clients:
        client.close()


Other = Callable[..., Agent]

# --- one thing breaks everything ---


def test_mcp_case_01_links_and_groups(other: Other, server: OwnedServer, home: Session, judge: Judge) -> None:
    judge("new-session", "-d", "-t", "home", "-s", "mirror")
    judge("new-session", "-d", "-s", "other", "--", "sleep", "1000")
    judge("link-window", "-s", "home:0", "-t", "other:5")
    agent = other("--socket", server.socket_path)
    rows = agent.call("list_panes")["panes"]
    assert len(rows) == 2 and rows[0]["target"]["paneId"] == "%0" and len(rows[0]["contexts"]) == 3
    assert agent.call("get_pane_info", pane="%0")["id"] == "%0"
    assert agent.call("capture_pane", target=rows[0]["target"])["text"] == ""


def test_mcp_case_02_separators_in_titles(agent: Agent) -> None:
    target = agent.pane("sh", "-c", "printf '\\033]2;evil\u241e\u241e\u241eX\\033\\\\done'; exec sleep 1000")
    agent.shows(target, "done")
    assert agent.row(target)["title"] == "evil\u241e\u241e\u241eX"


def test_mcp_case_03_newline_in_a_directory(agent: Agent, tmp_path: Path) -> None:
    place = tmp_path / "a\nb"
    place.mkdir()
    target = agent.pane()
    agent.call("respawn_pane", pane_id=target["paneId"], shell="exec cat", start_directory=str(place))
    assert agent.call("get_pane_info", pane=target["paneId"])["path"] == str(place)


def test_mcp_case_04_the_posix_locale(other: Other) -> None:
    agent = other(environment={"LC_ALL": "C"})
    target = agent.pane("sh", "-c", "printf 'λ端'; exec cat")
    assert agent.shows(target, "λ端") and agent.row(target)["command"]


def test_mcp_case_05_exploding_patterns(agent: Agent) -> None:
    target = agent.pane()
    asked = {"target": target, "patterns": ["(a+)+$"], "regex": True, "seconds": 2, "baseline": False}

    def act() -> None:
        self_tty = agent.tty(target)
        self_tty.write_bytes(b"a" * 40 + b"!\r\n")
        began = time.monotonic()
        agent.client.ask("ping")
        assert time.monotonic() - began < 1

    assert agent.meanwhile("wait_for", asked, act)["structuredContent"]["outcome"] == "deadline"


def test_mcp_case_06_no_json(agent: Agent) -> None:
    agent.client.send(b"what?\n")
    answer = agent.client.receive()
    assert (answer["id"], answer["error"]["code"]) == (None, -32700)
    assert agent.client.ask("ping")["result"] == {}


def test_mcp_case_07_three_kinds_of_nothing(other: Other, agent: Agent, base_dir: Path) -> None:
    for tool, arguments in (("list_panes", {}), ("get_server_info", {}), ("search_panes", {"pattern": "x"})):
        assert "error" not in agent.call(tool, **arguments)
    nowhere = other("--socket", str(base_dir / "nowhere"))
    for tool, arguments in (("list_panes", {}), ("get_server_info", {}), ("search_panes", {"pattern": "x"})):
        assert nowhere.error(tool, **arguments)["code"] == "server_not_running"
    without = other("--socket", str(base_dir / "nowhere"), "--tmux", "/no/such/tmux")
    assert without.error("list_panes")["code"] == "tmux_not_found"


def test_mcp_case_08_bad_settings(tmux_executable: str) -> None:
    for environment, said in (
        ({"MUXWRIGHT_MCP_TOOLSET": "bogus"}, "inspect, manage"),
        ({"MUXWRIGHT_MCP_TOOL": "lst"}, "lst"),
    ):
        with RawClient(tmux=tmux_executable, environment=environment) as client:
            status, _, errors = client.end()
            assert status != 0 and said in errors and errors.count("\n") == 1 and "Traceback" not in errors


# --- wrong target, wrong server ---


def test_mcp_case_09_another_socket(agent: Agent) -> None:
    target = agent.pane()
    error = agent.error("respawn_pane", pane_id=target["paneId"], socket_name="default")
    assert (error["code"], error["effects"]) == ("wrong_server", "none")


def test_mcp_case_10_no_target(agent: Agent) -> None:
    agent.pane("cat")
    error = agent.error("send_keys", keys=["x"])
    assert error["effects"] == "none" and "target" in error["message"]
    assert "command is missing" in agent.error("run_shell_command", pane="%0")["message"]


def test_mcp_case_11_a_session_is_no_target(agent: Agent) -> None:
    agent.pane("cat")
    error = agent.error("send_keys", session_name="case-1", keys=["x"])
    assert error["code"] == "invalid_arguments" and error["effects"] == "none"


def test_mcp_case_12_a_semicolon_is_no_command(agent: Agent) -> None:
    target = agent.pane("cat")
    error = agent.error("set_option", name="status;", value="kill-server", scope="server")
    assert error["effects"] == "none"
    agent.call("set_option", name="@x", value="kill-server;", target=target)
    assert agent.call("show_option", name="@x", target=target)["value"] == "kill-server;"
    agent.error("show_option", name="status;", scope="server")
    assert agent.row(target)


def test_mcp_case_13_ourselves(other: Other, server: OwnedServer, home: Session) -> None:
    inside = {"TMUX": f"{server.socket_path},{server.pid},0", "TMUX_PANE": "%0"}
    agent = other("--socket", server.socket_path, environment=inside)
    target = agent.call("list_panes")["panes"][0]["target"]
    for tool, arguments in (
        ("send_keys", {"target": target, "keys": ["x"]}),
        ("paste_text", {"target": target, "text": "x"}),
        ("run_shell_command", {"pane": "%0", "command": "true"}),
        ("start_command", {"target": target, "command": "true"}),
        ("respawn_pane", {"pane_id": "%0"}),
        ("kill_pane", {"target": target}),
        ("clear_pane_scrollback", {"target": target}),
    ):
        assert agent.error(tool, **arguments)["code"] == "self_protection", tool


def test_mcp_case_14_names_with_a_semicolon(agent: Agent) -> None:
    target = agent.pane("cat")
    (place,) = agent.row(target)["contexts"]
    window = {"windowId": place["windowId"], "generation": target["generation"]}
    agent.call("rename", target=window, name="foo;")
    agent.call("rename", target=target, name="a;")
    row = agent.row(target)
    assert (row["title"], row["contexts"][0]["windowName"]) == ("a;", "foo;")
    assert agent.error("select_layout", target=window, layout="tiled;")["effects"] == "none"
    assert agent.error("create_session", name=";", command=["cat"])["code"] == "invalid_arguments"


# --- input ---


def test_mcp_case_15_semicolons_are_typed(agent: Agent) -> None:
    target = agent.pane("cat")
    # One after the other: the terminal shows what is typed at once, and the program its copy when it gets to it.
    agent.type(target, "echo semi;")
    agent.shows(target, "echo semi;\necho semi;")
    agent.type(target, ";")
    agent.shows(target, "\n;\n;")
    agent.call("send_keys", target=target, keys=["end;", ";", "Enter"])
    agent.shows(target, "echo semi;\necho semi;\n;\n;\nend;;\nend;;")


def test_mcp_case_16_dashes_are_typed(agent: Agent) -> None:
    target = agent.pane("cat")
    agent.call("send_keys", target=target, keys=["-n", "--help", "-l x", "Enter"])
    agent.shows(target, "-n--help-l x\n-n--help-l x")


def test_mcp_case_17_long_text(agent: Agent, tmp_path: Path) -> None:
    target = agent.pane(
        "sh", "-c", f"stty raw -echo; echo ready; exec dd bs=1 count=20000 of={tmp_path / 'got'} status=none"
    )
    agent.shows(target, "ready")
    error = agent.error("send_keys", target=target, keys=["x" * 20_000])
    assert error["effects"] == "none" and error["code"] == "invalid_arguments"
    agent.call("paste_text", target=target, text="x" * 20_000)
    wait_until(lambda: (tmp_path / "got").exists() and (tmp_path / "got").stat().st_size == 20_000, what="all of it")
    shell = agent.pane()
    assert agent.run(shell, f"printf %s {'y' * 20_000} | wc -c")["output"].strip() == "20000"


def test_mcp_case_18_text_and_keys(agent: Agent) -> None:
    target = agent.pane("cat")
    for slip in ("Up Up", "C-x C-y"):
        assert agent.error("send_keys", target=target, keys=[slip])["effects"] == "none"
    agent.call("send_keys", target=target, keys=["Home", "Space", "Enter", "Up"], literal=True)
    agent.call("send_keys", target=target, keys=["Enter"])
    agent.shows(target, "HomeSpaceEnterUp\nHomeSpaceEnterUp")


def test_mcp_case_19_no_enter_of_its_own(agent: Agent) -> None:
    target = agent.pane()
    agent.call("send_keys", target=target, keys=["echo not-run", "C-c"])
    agent.shows(target, "^C")
    agent.call("paste_text", target=target, text="echo a''1\necho b''1")
    time.sleep(0.2)  # why: that nothing runs is announced by no event
    assert "\na1" not in agent.call("capture_pane", target=target)["text"]
    agent.call("send_keys_and_wait", target=target, keys=["Enter"], text="b1")


# --- runs ---


def test_mcp_case_20_only_its_output(agent: Agent) -> None:
    target = agent.pane()
    agent.type(target, "echo SECRET_FROM_BEFORE")
    agent.shows(target, "\nSECRET_FROM_BEFORE")
    assert agent.run(target, "true")["output"] == ""
    assert agent.run(target, "printf abc")["output"] == "abc"


def test_mcp_case_21_much_output(agent: Agent) -> None:
    ended = agent.run(agent.pane(), "seq 1 100000")
    assert ended["truncated"] and ended["output"].endswith("\n100000\n") and ended["bytes"] > 588_000


@pytest.mark.parametrize("program", ["cat", "python3 -q", "vi"])
def test_mcp_case_22_no_shell(agent: Agent, program: str) -> None:
    name = program.split()[0]
    if shutil.which(name) is None:
        pytest.skip(f"there is no {name} here")
    target = agent.pane(*program.split())
    # Not what starts it: a shell script, as some have it on their PATH.
    pane, known = target["paneId"], (name, "vim", "python")
    wait_until(lambda: str(agent.call("get_pane_info", pane=pane)["command"]).startswith(known), what="it runs")
    error = agent.error("run_shell_command", pane=target["paneId"], command="echo dd", seconds=5)
    assert (error["code"], error["effects"]) == ("no_shell", "none")
    assert agent.call("get_pane_info", pane=target["paneId"])["command"] in error["message"]
    assert "dd" not in agent.call("capture_pane", target=target)["text"]


def test_mcp_case_23_fish(agent: Agent, tmp_path: Path) -> None:
    if shutil.which("fish") is None:
        pytest.skip("there is no fish here")
    target = agent.pane("env", f"XDG_RUNTIME_DIR={tmp_path}", "fish", "--no-config")
    wait_until(lambda: agent.call("get_pane_info", pane=target["paneId"])["command"] == "fish", what="it runs")
    ended = agent.run(target, "echo hi; exit 3", seconds=20)
    assert (ended["outcome"], ended["exit_status"], ended["output"]) == ("completed", 3, "hi\n")


def test_mcp_case_24_no_tmux_in_the_pane(agent: Agent) -> None:
    target = agent.pane("env", "-i", "TERM=screen", "PATH=/nonexistent", "/bin/bash", "--norc", "--noprofile")
    agent.shows(target, "bash")
    ended = agent.run(target, "echo fine; exit 4")
    assert (ended["outcome"], ended["exit_status"], ended["output"]) == ("completed", 4, "fine\n")


def test_mcp_case_25_open_quotes(agent: Agent) -> None:
    target = agent.pane()
    ended = agent.run(target, 'echo "abc')
    assert ended["outcome"] == "completed" and ended["exit_status"] != 0
    assert agent.run(target, "cat <<EOF\nx")["outcome"] == "completed"
    assert agent.run(target, "echo next")["output"] == "next\n"


@pytest.mark.parametrize("command", ["if true; then", "echo )", "for i in 1 2; do"])
def test_mcp_case_26_syntax_errors(agent: Agent, command: str) -> None:
    ended = agent.run(agent.pane(), command)
    assert ended["outcome"] == "completed" and ended["exit_status"] != 0 and "syntax" in ended["output"]


def test_mcp_case_27_longer_than_a_call(agent: Agent) -> None:
    target = agent.pane()
    late = agent.run(target, "sleep 1.5; echo FIN", seconds=1)
    assert late["outcome"] == "deadline"
    ended = agent.call("job_status", job=late["job"], seconds=20)
    assert (ended["state"], ended["exitStatus"]) == ("completed", 0) and ended["screen"].endswith("FIN\n")


def test_mcp_case_28_several_lines(agent: Agent) -> None:
    assert agent.run(agent.pane(), "for i in 1 2\ndo\n  echo $i\ndone")["output"] == "1\n2\n"


def test_mcp_case_29_no_trace(agent: Agent) -> None:
    target = agent.pane()
    agent.type(target, "s=keepme; set -o history")
    before = agent.run(target, "set -o | sort; echo $s", suppress_history=True)["output"]
    agent.run(target, "echo TOPSECRET", suppress_history=True)
    assert agent.run(target, "set -o | sort; echo $s", suppress_history=True)["output"] == before
    agent.call("send_keys_and_wait", target=target, keys=["clear; history; echo e''nd", "Enter"], text="end")
    screen = agent.call("capture_pane", target=target)["text"]
    assert "TOPSECRET" not in screen and "\nend" in screen


def test_mcp_case_30_one_at_a_time(agent: Agent) -> None:
    target = agent.pane()
    job = agent.call("start_command", target=target, command="sleep 1000")["job"]
    error = agent.error("run_shell_command", pane=target["paneId"], command="echo SECOND", seconds=2)
    assert (error["code"], error["effects"]) == ("active_run", "none")
    agent.call("interrupt_job", job=job)
    assert "SECOND" not in agent.call("capture_pane", target=target)["text"]


def test_mcp_case_31_a_killed_server(other: Other) -> None:
    agent = other()
    target = agent.pane()
    info = agent.call("get_server_info")
    pid = int(info["generation"].partition(":")[0])
    call = agent.client.start_call(
        "run_shell_command", pane=target["paneId"], command="echo be''gun; sleep 60", seconds=60
    )
    tty = f"/proc/{pid}/task/{pid}/children"
    wait_until(lambda: any("sleep 60" in what for what in _tree(tty)), what="the command runs")
    os.kill(pid, signal.SIGKILL)
    began = time.monotonic()
    answer = agent.client.answer(call)["result"]
    assert time.monotonic() - began < 10
    said = json.loads(answer["content"][0]["text"])
    assert said.get("outcome") == "pane_closed" or said["error"]["code"] == "server_lost"


def _tree(children: str) -> list[str]:
    """Return the command lines of a process's descendants."""
    found: list[str] = []
    try:
        pids = Path(children).read_text().split()
    except OSError:
        return found
    for pid in pids:
        try:
            found.append(Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
        found += _tree(f"/proc/{pid}/task/{pid}/children")
    return found


# --- waits and captures ---


def test_mcp_case_32_nothing_is_lost_in_between(agent: Agent) -> None:
    target = agent.pane()
    agent.type(target, "echo RDY$((1+1))")
    agent.shows(target, "RDY2")
    assert agent.call("wait_for_text", target=target, text="RDY2")["source"] == "baseline"


def test_mcp_case_33_the_same_line_again(agent: Agent) -> None:
    target = agent.pane()
    asked = {"target": target, "patterns": [r"[$#]\s*$"], "regex": True, "baseline": False, "seconds": 10}
    got = agent.meanwhile("wait_for", asked, lambda: agent.call("send_keys", target=target, keys=["Enter"]))
    assert got["structuredContent"]["outcome"] == "matched"


@pytest.mark.parametrize("drawn", [b"\033[5A\rDONE 100%\033[5B", b"\033[HDONE 100%\033[5B"])
def test_mcp_case_34_drawn_over(agent: Agent, drawn: bytes) -> None:
    target = agent.pane("sh", "-c", "seq 1 20; exec sleep 1000")
    agent.shows(target, "20")
    asked = {"target": target, "patterns": ["DONE 100"], "seconds": 10}
    got = agent.meanwhile("wait_for", asked, lambda: agent.tty(target).write_bytes(drawn))
    assert got["structuredContent"]["outcome"] == "matched"


def test_mcp_case_35_clear(agent: Agent) -> None:
    target = agent.pane()
    agent.run(target, "seq 1 200")
    asked = {"target": target, "patterns": ["SERVER UP"], "seconds": 10}
    got = agent.meanwhile("wait_for", asked, lambda: agent.type(target, "clear; echo SERVER U''P"))
    assert got["structuredContent"]["outcome"] == "matched"


@pytest.mark.parametrize(("before", "after"), [(100, 0), (100, 60), (150, 400)])
def test_mcp_case_36_a_full_history(agent: Agent, before: int, after: int) -> None:
    target = agent.pane()
    agent.run(target, "seq 1 3000")
    line = f"seq 1 {before}; echo MAR''KER; seq 1 {after}"
    for _ in range(3):
        asked = {"target": target, "patterns": ["MARKER"], "seconds": 10, "baseline": False}
        got = agent.meanwhile("wait_for", asked, lambda: agent.type(target, line))
        assert got["structuredContent"]["outcome"] == "matched"
        agent.call("wait_for", target=target, quiet=0.2)


def test_mcp_case_37_between_two_cursors(agent: Agent) -> None:
    target = agent.pane()
    agent.run(target, "seq 1 3000")
    cursor = agent.call("capture_since", target=target)["cursor"]
    for number in range(3):
        agent.run(target, f"seq {number}001 {number}100")
        since = agent.call("capture_since", target=target, cursor=cursor)
        cursor = since["cursor"]
        lines = [line for line in since["screen"].split("\n") if line.isdecimal() and int(line) > 0]
        assert not since["missed"] and len(lines) == 100


def test_mcp_case_38_short_cursors(agent: Agent) -> None:
    target = agent.pane()
    assert len(agent.call("capture_since", target=target)["cursor"]) < 40
    assert agent.error("capture_since", target=target, cursor="x" * 39)["code"] == "invalid_arguments"


# --- respawn_pane ---


def test_mcp_case_39_a_program_that_is_not_there(agent: Agent) -> None:
    target = agent.pane("cat")
    error = agent.error("respawn_pane", pane_id=target["paneId"], shell="/no/such/binary")
    assert error["code"] == "command_ended" and error["effects"] == "possible"
    assert agent.row(target)["dead"]
    assert agent.call("respawn_pane", pane_id=target["paneId"], shell="exec cat")["pane_id"] == target["paneId"]


def test_mcp_case_40_names_of_variables(agent: Agent) -> None:
    target = agent.pane("cat")
    for name in ("A=B", ""):
        error = agent.error("respawn_pane", pane_id=target["paneId"], environment={name: "s3cret"})
        assert error["effects"] == "none" and "s3cret" not in error["message"]


# --- search and results ---


def test_mcp_case_41_literal_is_literal(agent: Agent) -> None:
    target = agent.pane("sh", "-c", "echo 'C:\\Users\\x'; exec sleep 1000")
    agent.shows(target, "Users")
    assert [each["paneId"] for each in agent.call("search_panes", pattern="C:\\Users")["matches"]] == [target["paneId"]]


def test_mcp_case_42_many_panes_are_searched_once(agent: Agent) -> None:
    target = agent.pane("cat")
    (place,) = agent.row(target)["contexts"]
    session = {"sessionId": place["sessionId"], "generation": target["generation"]}
    for _ in range(20):
        agent.call("create_window", session=session, command=["cat"])
    found = agent.call("search_panes", pattern="nothing [0-9]+", regex=True)
    assert found["panesSearched"] == 21 and found["matches"] == [] and not found["capped"]


def test_mcp_case_43_errors_are_short(agent: Agent) -> None:
    target = agent.pane("cat")
    while not (result := agent.result("split_window", target=target, command=["cat"])).get("isError"):
        pass
    message = json.loads(result["content"][0]["text"])["error"]["message"]
    assert len(message.encode()) <= 512 and "room" in message
    gone = agent.error("capture_pane", target={**target, "paneId": "%999"})["message"]
    assert gone.count("%999") == 1 and "list_panes" in gone


def test_mcp_case_44_unknown_fields(agent: Agent) -> None:
    where = {"op": "fields", "fields": [{"field": "tmux.pane.ded", "match": {"op": "eq", "value": True}}]}
    error = agent.error("find_panes", where=where)
    assert error["code"] == "invalid_arguments" and "tmux.pane.ded" in error["message"]
    assert "limit" in agent.error("list_panes", limti=3)["message"]


def test_mcp_case_45_sizes_of_nothing(agent: Agent) -> None:
    target = agent.pane("cat")
    for width in (0, 1_000_000_000):
        assert agent.error("resize_pane", target=target, width=width)["effects"] == "none"


def test_mcp_case_46_state_and_a_hundred_panes(agent: Agent) -> None:
    target = agent.pane("cat")
    (place,) = agent.row(target)["contexts"]
    session = {"sessionId": place["sessionId"], "generation": target["generation"]}
    windows = [agent.call("create_window", session=session, command=["cat"])["target"] for _ in range(99)]
    agent.call("set_option", name="remain-on-exit", value=True, target=windows[0])
    agent.call("send_keys", target=windows[0], keys=["C-d"])
    wait_until(lambda: agent.row(windows[0])["dead"], what="it is dead")
    page = agent.result("list_panes", limit=100)
    assert page["structuredContent"]["total"] == 100 and len(page["structuredContent"]["panes"]) == 100
    assert len(page["content"][0]["text"]) < 50_000
    first = agent.call("list_panes")
    assert len(first["panes"]) == 32 and first["nextOffset"] == 32
    assert first["panes"][0]["contexts"][0]["sessionName"].startswith("case-")


def test_mcp_case_47_types(agent: Agent) -> None:
    target = agent.pane("cat")
    row = agent.row(target)
    assert type(row["width"]) is int and type(row["active"]) is bool
    assert type(row["contexts"][0]["windowIndex"]) is int


# --- catalogue and resources ---


def test_mcp_case_48_honest_hints(agent: Agent) -> None:
    hints = {tool["name"]: tool["annotations"] for tool in agent.client.ask("tools/list")["result"]["tools"]}
    assert hints["list_panes"]["readOnlyHint"] and not hints["list_panes"]["destructiveHint"]
    assert hints["kill_session"]["destructiveHint"] and not hints["kill_session"]["readOnlyHint"]
    target = agent.pane("cat")
    judged = agent.call("get_server_info")
    reading: dict[str, dict[str, Any]] = {
        "list_panes": {},
        "capture_pane": {"target": target},
        "snapshot_pane": {"target": target},
        "search_panes": {"pattern": "x"},
        "find_panes": {"text": "cat"},
        "show_option": {"name": "mouse", "scope": "global_session"},
        "show_hooks": {"scope": "global_session"},
        "show_environment": {},
        "get_pane_info": {"pane": target["paneId"]},
        "list_jobs": {},
        "what_changed": {},
    }
    for name, arguments in reading.items():
        assert hints[name]["readOnlyHint"], name
        agent.call(name, **arguments)
    assert agent.call("get_server_info") == judged


def test_mcp_case_49_a_small_catalogue(agent: Agent) -> None:
    listed = agent.client.ask("tools/list")["result"]
    assert len(json.dumps(listed, separators=(",", ":"), ensure_ascii=False).encode()) < 100_000


def test_mcp_case_50_missing_resources(agent: Agent) -> None:
    error = agent.client.ask("resources/read", {"uri": "tmux://panes/999"})["error"]
    assert error["code"] == -32002 and error["data"]["uri"] == "tmux://panes/999"


# --- secrets, audit, history ---


def test_mcp_case_51_there_is_a_log(other: Other, tmp_path: Path) -> None:
    _audited(other, tmp_path)


def _audited(other: Other, tmp_path: Path) -> list[dict[str, Any]]:
    log = tmp_path / "audit"
    agent = other("--audit-log", str(log))
    target = agent.pane()
    agent.run(target, "echo pin=1234")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert lines[-1]["tool"] == "run_shell_command" and lines[-1]["outcome"] == "ok"
    return lines


def test_mcp_case_52_digests_cannot_be_guessed(other: Other, tmp_path: Path) -> None:
    command = _audited(other, tmp_path)[-1]["arguments"]["command"]
    assert command["len"] == len("echo pin=1234")
    assert command["sha256_prefix"] != hashlib.sha256(b"echo pin=1234").hexdigest()[:12]


def test_mcp_case_53_no_history_where_it_was_promised(agent: Agent) -> None:
    target = agent.pane("cat")
    agent.call("respawn_pane", pane_id=target["paneId"], shell="exec bash --norc", suppress_persistent_history=True)
    agent.call("wait_for", target=target, patterns=["$", "#"], seconds=10)
    agent.run(target, "echo HIDDEN", suppress_history=True)
    agent.call("send_keys_and_wait", target=target, keys=["clear; history; echo e''nd", "Enter"], text="end")
    screen = agent.call("capture_pane", target=target)["text"]
    assert "HIDDEN" not in screen and "frame" not in screen


def test_mcp_case_54_environments(agent: Agent) -> None:
    agent.pane("cat")
    shown = agent.result("show_environment")["content"][0]["text"]
    assert '"PATH"' in shown and os.environ["PATH"] not in shown
    assert os.environ["PATH"] in agent.result("show_environment", values=["PATH"])["content"][0]["text"]


# --- manners ---


def test_mcp_case_55_channels(agent: Agent) -> None:
    agent.pane("cat")
    agent.call("signal_channel", channel="c4")
    assert agent.call("wait_for_channel", channel="c4", seconds=5)["outcome"] == "signalled"
    assert agent.call("wait_for_channel", channel="c4", seconds=0.2)["outcome"] == "deadline"
    tools = {tool["name"]: tool for tool in agent.client.ask("tools/list")["result"]["tools"]}
    assert "second takes the first away" in tools["signal_channel"]["description"]


def test_mcp_case_56_unknown_arguments(agent: Agent) -> None:
    target = agent.pane("cat")
    error = agent.error("capture_pane", target=target, lnes=3)
    assert (
        "lnes" in error["message"] and "did you mean lines" in error["message"] and "pydantic" not in error["message"]
    )
    assert "NUL" in agent.error("send_keys", target=target, keys=["a\0b"])["message"]


def test_mcp_case_57_silence(other: Other) -> None:
    agent = other()
    agent.run(agent.pane(), "true")
    status, _, errors = agent.client.end()
    assert (status, errors) == (0, "")


def test_mcp_case_58_colours(agent: Agent) -> None:
    target = agent.pane("sh", "-c", "printf '\\033[41mred\\033[0m'; exec cat")
    agent.shows(target, "red")
    content = agent.result("screenshot_pane", target=target)["content"]
    assert content[1]["type"] == "image" and content[1]["mimeType"] == "image/png"
