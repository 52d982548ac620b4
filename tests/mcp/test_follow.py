"""What is new, through the tools."""

from __future__ import annotations

import pytest

from tests.mcp.support import Tools
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live


def test_only_what_is_new(tools: Tools) -> None:
    target = tools.shell("cat")
    facts, text = tools.screen("capture_since", target=target)
    assert facts["first"] and not facts["missed"] and text.strip() == ""
    assert len(facts["cursor"]) < 40
    tools.call("send_keys", target=target, keys=["one", "Enter"])
    tools.shows(target, "one\none")
    facts, text = tools.screen("capture_since", target=target, cursor=facts["cursor"])
    assert text == "one\none\n" and not facts["first"]
    facts, text = tools.screen("capture_since", target=target, cursor=facts["cursor"])
    assert text == ""
    tools.fails("invalid_arguments", "capture_since", target=target, cursor="nonsense")


def test_a_full_history_loses_nothing(tools: Tools) -> None:
    target = tools.shell("sh")
    tools.call("set_option", scope="global_session", name="history-limit", value=100)
    target = tools.shell("sh")
    tools.call("send_keys_and_wait", target=target, keys=["seq 1 300; echo do''ne", "Enter"], text="done")
    facts, _ = tools.screen("capture_since", target=target)
    tools.call("send_keys_and_wait", target=target, keys=["seq 1000 1400; echo do''ne", "Enter"], text="done")
    facts, text = tools.screen("capture_since", target=target, cursor=facts["cursor"])
    assert not facts["missed"]
    assert [int(line) for line in text.split("\n") if line.isdecimal()] == list(range(1000, 1401))


def test_windows_that_changed(tools: Tools) -> None:
    first, second = tools.shell("cat"), tools.shell("cat")
    assert len(tools.call("what_changed")["windows"]) == 2
    now = tools.call("what_changed")["now"]

    def changed() -> bool:
        tools.call("send_keys", target=second, keys=["x"])
        found = tools.call("what_changed", since=now + 1)["windows"]
        return [window["target"]["windowId"] for window in found] == ["@1"]

    wait_until(changed, what="the clock of the server goes on")
    assert first != second
