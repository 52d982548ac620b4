"""Commands with proof, through the tools."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muxwright import OwnedServer, PaneId, Session
from tests.mcp.support import Tools
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

Borrow = Callable[..., Tools]


def run(tools: Tools, target: dict[str, str], command: str, **options: Any) -> dict[str, Any]:
    return tools.call("run_shell_command", pane=target["paneId"], command=command, **options)


def test_status_and_output_are_the_commands_own(tools: Tools) -> None:
    target = tools.shell("sh")
    tools.call("send_keys_and_wait", target=target, keys=["echo SECRET$((1+1))", "Enter"], text="SECRET2")
    assert run(tools, target, "true") == {
        "pane": target["paneId"],
        "outcome": "completed",
        "exit_status": 0,
        "output": "",
        "bytes": 0,
        "truncated": False,
    }
    assert run(tools, target, "printf abc")["output"] == "abc"
    assert run(tools, target, "echo out; echo err >&2; exit 7")["exit_status"] == 7


@pytest.mark.parametrize("command", ['echo "abc', "cat <<EOF", "if true; then", "echo )", "for i in 1 2; do"])
def test_broken_syntax_ends_at_once(tools: Tools, command: str) -> None:
    target = tools.shell("bash", "--norc")
    ended = run(tools, target, command, seconds=20)
    # A here-document without an end only warns.
    assert ended["outcome"] == "completed" and (ended["exit_status"] != 0 or command.startswith("cat"))
    assert run(tools, target, "echo fine")["output"] == "fine\n"


def test_several_lines_and_a_long_text(tools: Tools) -> None:
    target = tools.shell("sh")
    assert run(tools, target, "echo one\necho 'two\nthree'")["output"] == "one\ntwo\nthree\n"
    long = "x" * 20_000
    assert run(tools, target, f"printf %s {long} | wc -c")["output"].strip() == "20000"


def test_much_output_is_cut_from_the_front(tools: Tools) -> None:
    target = tools.shell("sh")
    ended = run(tools, target, "seq 1 100000")
    assert ended["truncated"] and ended["bytes"] > 500_000 and ended["output"].endswith("100000\n")
    assert len(ended["output"]) <= 65536


def test_what_takes_longer_becomes_a_job(tools: Tools) -> None:
    target = tools.shell("sh")
    late = run(tools, target, "echo begun; read -r x; echo got; exit 5", seconds=1)
    assert late["outcome"] == "deadline" and late["exit_status"] is None and "begun" in late["output"]
    error = tools.fails("active_run", "run_shell_command", pane=target["paneId"], command="true")
    assert error["effects"] == "none" and error["retryable"]
    tools.fails("active_run", "send_keys", target=target, keys=["x"])
    tools.fails("active_run", "paste_text", target=target, text="x")
    facts, text = tools.screen("job_status", job=late["job"])
    assert facts["state"] == "running" and "begun" in text
    assert [job["job"] for job in tools.call("list_jobs")["jobs"]] == [late["job"]]
    ended = tools.call("interrupt_job", job=late["job"])
    assert ended["state"] == "completed" and ended["exitStatus"] == 130
    assert run(tools, target, "echo free")["output"] == "free\n"
    tools.fails("job_unknown", "job_status", job="none")


def test_an_interrupt_by_keys_passes(tools: Tools) -> None:
    target = tools.shell("sh")
    job = tools.call("start_command", target=target, command="echo be''gun; sleep 1000")["job"]
    tools.shows(target, "begun")
    tools.call("send_keys", target=target, keys=["C-c"])
    facts, _ = tools.screen("job_status", job=job, seconds=10)
    assert facts["state"] == "completed" and facts["exitStatus"] == 130


def test_no_time_at_all(tools: Tools) -> None:
    target = tools.shell("sh")
    begun = run(tools, target, "sleep 0.2; exit 3", seconds=0)
    assert begun["outcome"] in ("deadline", "no_shell") and "job" in begun
    facts, _ = tools.screen("job_status", job=begun["job"], seconds=10)
    assert facts["exitStatus"] == 3


def test_a_job_from_start_to_end(tools: Tools, tmp_path: Path) -> None:
    target = tools.shell("bash", "--norc")
    begun = tools.call("start_command", target=target, command=f"cd {tmp_path}", keepState=True)
    facts, _ = tools.screen("job_status", job=begun["job"], seconds=10)
    assert (facts["state"], facts["exitStatus"]) == ("completed", 0)
    assert run(tools, target, "pwd")["output"] == f"{tmp_path}\n"
    begun = tools.call("start_command", target=target, command="echo one; echo two")
    facts, text = tools.screen("job_status", job=begun["job"], seconds=10)
    assert text == "one\ntwo\n"
    facts, text = tools.screen("job_status", job=begun["job"], cursor=facts["cursor"])
    assert text == ""


def test_a_pane_of_our_own_server_is_heard_on_after_a_command(tools: Tools) -> None:
    target = tools.shell("sh")
    piped = {"target": target, "names": ["pane_pipe"]}
    assert run(tools, target, "exit 3")["exit_status"] == 3
    assert tools.call("get_tmux_variables", **piped)["values"] == {"pane_pipe": "1"}
    assert run(tools, target, "exit 4")["exit_status"] == 4
    # A new program takes the pipe away; what heard the pane must not keep the next command from being heard.
    tools.call("respawn_pane", pane_id=target["paneId"])
    assert run(tools, target, "printf new")["output"] == "new"


def test_what_is_no_shell_is_left_alone(tools: Tools) -> None:
    target = tools.shell("cat")
    wait_until(lambda: tools.call("get_pane_info", pane=target["paneId"])["command"] == "cat", what="it runs")
    error = tools.fails("no_shell", "run_shell_command", pane=target["paneId"], command="echo dd")
    assert "cat" in error["message"] and error["effects"] == "none"
    assert tools.call("capture_pane", target=target)["text"] == ""


def test_a_dead_server_is_said_at_once(tools: Tools) -> None:
    target = tools.shell("sh")
    server = tools.run(tools.app.endpoint.server())
    asked = {"pane": target["paneId"], "command": "echo be''gun; sleep 60", "seconds": 60}

    async def killed() -> Any:
        task = asyncio.create_task(tools.app.call("run_shell_command", asked))
        while "begun" not in (await tools.app.call("capture_pane", {"target": target})).text:
            await asyncio.sleep(0.02)  # why: polls; nothing announces that the command runs
        os.kill(server.pid, signal.SIGKILL)
        return await asyncio.wait_for(task, 15)

    outcome = tools.run(killed())
    assert outcome.is_error or outcome.structured["outcome"] == "pane_closed", outcome.text


def test_our_own_pane_and_others(borrowed: Borrow, server: OwnedServer, home: Session) -> None:
    tools = borrowed(environment={"TMUX": f"{server.socket_path},{server.pid},0", "TMUX_PANE": "%0"})
    tools.fails("self_protection", "run_shell_command", pane="%0", command="true")
    tools = borrowed(allowed_panes=[PaneId("%0")])
    tools.fails("target_denied", "run_shell_command", pane="%9", command="true")
