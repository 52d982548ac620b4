"""What nobody plans for: the daemon dies in the middle of every tool, two servers want one pane."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from muxwright import OwnedServer, Session
from muxwright.mcp.catalogue import TOOLS
from tests.mcp.raw import RawClient
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

EVERYTHING = ("--toolset", "inspect,manage,execute,teardown")
DOCUMENT = {"session_name": "loaded", "windows": [{"panes": [{}, {}]}]}

# What may be said of a daemon that dies: before the call, while it is asked, and to whoever comes next.
TOLD = {
    "active_run",
    "already_exists",
    "deadline",
    "invalid_arguments",
    "job_unknown",
    "not_found",
    "observation_lost",
    "operation_failed",
    "ownership_required",
    "pane_dead",
    "server_lost",
    "server_not_running",
    "server_unreachable",
    "stale_target",
}


def arguments_of(tool: str, pane: dict[str, str], window: dict[str, str], session: dict[str, str]) -> dict[str, Any]:
    """Return arguments with which a tool does something, or waits."""
    bare = pane["paneId"]
    given: dict[str, dict[str, Any]] = {
        "list_panes": {},
        "send_keys": {"target": pane, "keys": ["x"]},
        "paste_text": {"target": pane, "text": "x" * 10_000},
        "resize_pane": {"target": pane, "height": 5},
        "get_pane_info": {"pane": bare},
        "create_session": {"name": "another", "command": ["cat"]},
        "teardown_session": session,
        "get_server_info": {},
        "get_session_info": {"target": session},
        "get_window_info": {"target": window},
        "find_panes": {"text": "cat"},
        "search_panes": {"pattern": "x"},
        "run_shell_command": {"pane": bare, "command": "sleep 60", "seconds": 20},
        "start_command": {"target": pane, "command": "sleep 60"},
        "job_status": {"job": "none"},
        "list_jobs": {},
        "interrupt_job": {"job": "none"},
        "wait_for_text": {"target": pane, "text": "never"},
        "send_keys_and_wait": {"target": pane, "keys": ["x"], "text": "never"},
        "wait_for": {"target": pane, "patterns": ["never"], "seconds": 20},
        "what_changed": {},
        "wait_for_channel": {"channel": "never", "seconds": 20},
        "signal_channel": {"channel": "never"},
        "respawn_pane": {"pane_id": bare, "kill": True},
        "create_window": {"session": session},
        "select_window": {"target": window},
        "select_layout": {"target": window, "layout": "tiled"},
        "resize_window": {"target": window, "width": 80, "height": 20},
        "rename": {"target": window, "name": "n"},
        "move_window": {"target": window, "session": session, "index": 7},
        "swap_panes": {"target": pane, "other": pane},
        "set_synchronize_panes": {"target": window, "enabled": True},
        "kill_window": {"target": window},
        "kill_session": {"target": session},
        "get_tmux_variables": {"target": pane, "names": ["pane_tty"]},
        "show_option": {"name": "status"},
        "set_option": {"name": "@x", "value": "y"},
        "show_environment": {},
        "show_hooks": {},
        "plan_workspace": {"workspace": DOCUMENT},
        "load_workspace": {"workspace": DOCUMENT, "timeout_seconds": 10},
        "freeze_session": {"target": session},
        "run_operations": {"operations": [{"tool": "send_keys", "arguments": {"target": pane, "keys": ["x"]}}] * 4},
    }
    return given.get(tool, {"target": pane})


def died_in(client: RawClient, tool: str, delay: float) -> None:
    """Kill the private daemon `delay` seconds into a call of `tool`, which must be answered and typed."""
    pane = client.call("create_session", name=f"d-{tool}"[:64], command=["sh"])["structuredContent"]["panes"][0]
    info = client.call("get_server_info")["structuredContent"]
    (session,) = info["sessions"]
    generation = info["generation"]
    window = {"windowId": session["windows"][0]["windowId"], "generation": generation}
    arguments = arguments_of(tool, pane, window, {"sessionId": session["sessionId"], "generation": generation})
    asked = client.start_call(tool, **arguments)
    time.sleep(delay)  # why: the moment of the kill is the test's parameter
    with contextlib.suppress(ProcessLookupError):
        os.kill(int(generation.partition(":")[0]), signal.SIGKILL)
    result = client.answer(asked, timeout=25)["result"]
    text = result["content"][0].get("text", "")
    assert "Traceback" not in text, text
    if result.get("isError"):
        said = json.loads(text)
        # A batch that stopped in the middle says so with its results.
        error = said.get("error") or said["results"][-1]["error"]
        assert error["code"] in TOLD, (tool, error)
    assert not client.call("list_panes").get("isError"), "the next call finds a server"
    with contextlib.suppress(ProcessLookupError):  # what a tool made on the next server would be in the way
        now = client.call("get_server_info")["structuredContent"]
        if now["sessions"]:
            os.kill(int(now["generation"].partition(":")[0]), signal.SIGKILL)


@pytest.fixture
def everything(tmux_executable: str) -> Iterator[RawClient]:
    with RawClient(*EVERYTHING, tmux=tmux_executable) as client:
        client.initialize()
        yield client


NAMES = [tool.name for tool in TOOLS]


def test_the_daemon_dies_in_some_tools(everything: RawClient, seed: int) -> None:
    chance = random.Random(seed)
    for tool in [*chance.sample(NAMES, 8), "run_shell_command", "load_workspace"]:
        died_in(everything, tool, chance.uniform(0, 0.02))


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_the_daemon_dies_in_every_tool_at_every_moment(everything: RawClient, seed: int) -> None:
    chance = random.Random(seed)
    for tool in NAMES:
        for longest in (0, 0.002, 0.01, 0.1):
            died_in(everything, tool, chance.uniform(0, longest))


def test_two_servers_want_one_pane(tmux_executable: str, server: OwnedServer, home: Session) -> None:
    """Each run is right or refused, and what is refused was not typed."""
    pane = home.new_window(command=["sh"]).active_pane()
    options = ("--socket", server.socket_path, *EVERYTHING)
    told: dict[str, list[dict[str, Any]]] = {"left": [], "right": []}

    def work(name: str, client: RawClient) -> None:
        for number in range(8):
            command = f"echo {name}-$(({number} + 100))"
            answer = client.answer(client.start_call("run_shell_command", pane=pane.id, command=command))["result"]
            told[name].append(json.loads(answer["content"][0]["text"]))

    with (
        RawClient(*options, tmux=tmux_executable) as left,
        RawClient(*options, tmux=tmux_executable) as right,
    ):
        workers = [threading.Thread(target=work, args=each) for each in (("left", left), ("right", right))]
        for each in (left, right):
            each.initialize()
            assert not each.call("get_pane_info", pane=pane.id).get("isError")
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        for name, answers in told.items():
            assert len(answers) == 8
            for number, said in enumerate(answers):
                if "error" in said:
                    assert said["error"]["effects"] == "none", said
                    assert said["error"]["code"] in ("active_run", "no_shell", "pane_in_use"), said
                else:
                    # What the other server typed meanwhile, to be run after it, may be echoed below.
                    assert said.get("exit_status") == 0, said
                    assert said.get("output", "").startswith(f"{name}-{number + 100}\n"), said
        assert any("output" in said for answers in told.values() for said in answers)
        screen = wait_until(lambda: pane.capture(start="history").text, what="the screen")
        assert "rightecho" not in screen and "leftecho" not in screen
