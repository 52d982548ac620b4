"""Waiting through the tools."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from muxwright.mcp.application import Outcome
from tests.mcp.support import Tools
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live


def together(tools: Tools, waiting: tuple[str, dict[str, Any]], acting: tuple[str, dict[str, Any]]) -> Outcome:
    """Start a wait, and act once it has begun; return what the wait gave."""

    async def both() -> Outcome:
        begun = asyncio.Event()

        async def progress(message: str) -> None:
            begun.set()

        task = asyncio.create_task(tools.app.call(*waiting, progress))
        await begun.wait()
        done = await tools.app.call(*acting)
        assert not done.is_error, done.text
        return await task

    outcome: Outcome = tools.run(both())
    return tools.checked(waiting[0], outcome)


def test_text_that_is_there_and_text_that_comes(tools: Tools) -> None:
    target = tools.shell("sh")
    tools.call("send_keys", target=target, keys=["echo RDY$((1+1))", "Enter"])
    found = tools.call("wait_for_text", target=target, text="RDY2")
    assert found["matched"] and found["source"] in ("baseline", "output")
    assert tools.call("wait_for_text", target=target, text="RDY2")["source"] == "baseline"
    later = together(
        tools,
        ("wait_for_text", {"target": target, "text": "LATER4"}),
        ("send_keys", {"target": target, "keys": ["echo LATER$((2+2))", "Enter"]}),
    )
    assert not later.is_error


def test_text_that_does_not_come(tools: Tools) -> None:
    tools.app.policy = tools.app.policy.__class__(timeout=0.3)
    target = tools.shell("cat")
    error = tools.fails("deadline", "wait_for_text", target=target, text="never")
    assert error["effects"] == "none"
    error = tools.fails("deadline", "send_keys_and_wait", target=target, keys=["x"], text="never")
    assert error["effects"] == "possible"


def test_sending_and_waiting_sees_only_what_comes(tools: Tools) -> None:
    target = tools.shell("sh")
    for _ in range(3):
        found = tools.call(
            "send_keys_and_wait", target=target, keys=["echo AGAIN", "Space", "$((40+2))", "Enter"], text="AGAIN 42"
        )
        assert found["source"] == "output" and found["keysSent"]


def test_patterns_of_which_one_stops(tools: Tools) -> None:
    target = tools.shell("sh")
    tools.call("send_keys", target=target, keys=["echo fa''iled", "Enter"])
    found = tools.call("wait_for", target=target, patterns=["passed [0-9]+"], regex=True, stop=["failed"], seconds=10)
    assert found["outcome"] == "stopped" and found["text"] == "failed"
    tools.call("send_keys", target=target, keys=["echo pass''ed 17", "Enter"])
    found = tools.call("wait_for", target=target, patterns=["nothing", "PASSED [0-9]+"], regex=True, matchCase=False)
    assert found["outcome"] == "matched" and found["patternIndex"] == 1 and found["text"] == "passed 17"


def test_an_echo_is_no_output(tools: Tools) -> None:
    target = tools.shell("cat")
    tools.call("send_keys", target=target, keys=["MARKER"])
    found = tools.call("wait_for", target=target, patterns=["MARKER"], seconds=0.5)
    assert found["outcome"] == "deadline"


def test_quiet_gone_and_exit(tools: Tools) -> None:
    target = tools.shell("sh", "-c", "echo busy; read -r line; printf '\\033[H\\033[2J'; read -r line; exit 3")
    tools.shows(target, "busy")
    assert tools.call("wait_for", target=target, quiet=0.1)["outcome"] == "quiet"
    found = together(
        tools,
        ("wait_for", {"target": target, "gone": "busy"}),
        ("send_keys", {"target": target, "keys": ["Enter"]}),
    )
    assert found.structured is not None and found.structured["outcome"] == "matched"
    tools.call("set_option", target=target, name="remain-on-exit", value=True)
    found = together(
        tools,
        ("wait_for", {"target": target, "exit": True}),
        ("send_keys", {"target": target, "keys": ["Enter"]}),
    )
    assert found.structured is not None and found.structured["outcome"] == "exited"
    tools.fails("invalid_arguments", "wait_for", target=target)
    tools.fails("invalid_arguments", "wait_for", target=target, quiet=1, exit=True)


def test_a_state_of_the_screen(tools: Tools) -> None:
    draw = "printf '\\033[2;1H\\033[31;1mFAILED\\033[0m now\\033[4;7H'"
    target = tools.shell("sh", "-c", f"read -r line; {draw}; read -r line")
    wanted = {"text": "FAILED", "row": 1, "style": {"foreground": "red", "bold": True}, "cursor": [3, 6]}
    found = together(
        tools,
        ("wait_for", {"target": target, "screen": wanted}),
        ("send_keys", {"target": target, "keys": ["Enter"]}),
    )
    assert found.structured is not None and found.structured["outcome"] == "matched"
    for other in ({"row": 2}, {"text": "now"}, {"style": {"foreground": "green"}}, {"cursor": [3, 5]}):
        told = tools.call("wait_for", target=target, screen=wanted | other, seconds=0.2)
        assert told["outcome"] == "deadline", other
    wrong: list[dict[str, Any]] = [{}, {"row": 1}, {"style": {"bold": "yes"}}, {"style": {"foreground": True}}]
    wrong += [{"style": {"colour": "red"}}, {"style": {"foreground": "reddish"}}, {"style": {}}, {"cursor": [1]}]
    for screen in wrong:
        tools.fails("invalid_arguments", "wait_for", target=target, screen=screen)


def test_a_pattern_that_explodes_elsewhere_leaves_the_loop_free(tools: Tools) -> None:
    target = tools.shell("sh")

    async def race() -> float:
        waiting = asyncio.create_task(
            tools.app.call("wait_for", {"target": target, "patterns": ["(a+)+$"], "regex": True, "seconds": 3})
        )
        await tools.app.call("send_keys", {"target": target, "keys": [f"echo {'a' * 40}!", "Enter"]})
        worst = 0.0
        end = time.monotonic() + 1
        while time.monotonic() < end:
            began = time.monotonic()
            await asyncio.sleep(0.01)  # why: the time it really takes is what is measured
            worst = max(worst, time.monotonic() - began)
        waiting.cancel()
        return worst

    assert tools.run(race()) < 0.5


def test_cancelling_ends_a_wait_and_its_watching(tools: Tools) -> None:
    target = tools.shell("cat")

    async def cancelled() -> None:
        begun = asyncio.Event()

        async def progress(message: str) -> None:
            begun.set()

        waiting = asyncio.create_task(
            tools.app.call("wait_for", {"target": target, "patterns": ["never"], "seconds": 40}, progress)
        )
        await begun.wait()
        await asyncio.sleep(0.2)  # why: the wait is somewhere in the middle, and nothing tells where
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    tools.run(cancelled())

    def piped() -> str:
        variables: dict[str, str] = tools.call("get_tmux_variables", target=target, names=["pane_pipe"])["values"]
        return variables["pane_pipe"]

    wait_until(lambda: piped() == "0", what="the pipe is closed")
