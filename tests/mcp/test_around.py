"""Resources, their changes, prompts and completion, on the wire."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from muxwright.mcp.application import Application
from muxwright.mcp.capability import TOOLSETS
from muxwright.mcp.catalogue import TOOLS
from muxwright.mcp.policy import Selection
from muxwright.mcp.prompts import PROMPTS, offered
from tests.mcp.raw import ENVELOPE, RawClient

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


def read(client: RawClient, uri: str) -> Any:
    (content,) = client.ask("resources/read", {"uri": uri})["result"]["contents"]
    assert content["uri"] == uri
    return json.loads(content["text"]) if content["mimeType"] == "application/json" else content["text"]


def test_the_hierarchy_can_be_read(client: RawClient) -> None:
    listed = [each["uri"] for each in client.ask("resources/list")["result"]["resources"]]
    assert listed == ["tmux://capabilities", "tmux://sessions"]
    said = read(client, "tmux://capabilities")
    assert said["endpoint"]["private"] and said["toolCount"] == len(said["tools"])
    target = client.shell("sh", "-c", "echo hello; exec cat")
    client.call("wait_for_text", target=target, text="hello")
    (found,) = read(client, "tmux://sessions")["sessions"]
    session = found["sessionId"].removeprefix("$")
    assert found["name"] == "work"
    assert read(client, "tmux://sessions/work")["windows"][0]["panes"] == [target["paneId"]]
    assert read(client, f"tmux://sessions/%24{session}")["name"] == "work"
    for uri in (f"tmux://panes/{target['paneId']}", f"tmux://panes/{target['paneId'][1:]}"):
        assert read(client, uri)["target"] == target
        assert read(client, f"{uri}/content").startswith("hello")


def test_what_is_not_there_is_said_in_the_words_of_the_era(client: RawClient, tmux_executable: str) -> None:
    for uri in ("tmux://panes/%259999", "tmux://panes/x", "tmux://sessions/none", "other://x"):
        error = client.ask("resources/read", {"uri": uri})["error"]
        assert (error["code"], error["data"]["uri"]) == (-32002, uri)
    with RawClient(tmux=tmux_executable) as modern:
        error = modern.ask("resources/read", {"uri": "tmux://panes/9", "_meta": ENVELOPE})["error"]
        assert error["code"] == -32602 and error["data"]["uri"] == "tmux://panes/9"


def test_a_pane_that_changes_is_announced(fresh: RawClient) -> None:
    target = fresh.shell("cat")
    uri = "tmux://panes/0/content"
    assert fresh.ask("resources/subscribe", {"uri": "tmux://sessions"})["error"]["code"] == -32002
    assert fresh.ask("resources/subscribe", {"uri": uri})["result"] == {}
    assert fresh.ask("resources/subscribe", {"uri": "tmux://panes/99"})["error"]["code"] == -32002
    fresh.call("send_keys_and_wait", target=target, keys=["x", "Enter"], text="x")
    while not fresh.notifications:
        fresh.notifications.append(fresh.receive())
    note = fresh.notifications[0]
    assert (note["method"], note["params"]["uri"]) == ("notifications/resources/updated", uri)
    assert fresh.ask("resources/unsubscribe", {"uri": uri})["result"] == {}
    variables = fresh.end()
    assert variables[::2] == (0, "")


def test_a_modern_client_listens(tmux_executable: str) -> None:
    with RawClient(tmux=tmux_executable) as client:

        def call(tool: str, **arguments: Any) -> Any:
            asked = {"name": tool, "arguments": arguments, "_meta": ENVELOPE}
            return client.ask("tools/call", asked)["result"]["structuredContent"]

        target = call("create_session", name="work", command=["cat"])["panes"][0]
        uri = "tmux://panes/0/content"
        wanted = {"_meta": ENVELOPE, "notifications": {"resourceSubscriptions": [uri]}}
        stream = client.request("subscriptions/listen", wanted)
        acknowledged = client.receive()
        assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
        call("send_keys_and_wait", target=target, keys=["x", "Enter"], text="x")
        while not client.notifications:
            client.notifications.append(client.receive())
        note = client.notifications[0]
        assert note["method"] == "notifications/resources/updated" and note["params"]["uri"] == uri
        assert note["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == stream
        assert client.end()[::2] == (0, "")


def test_completion(client: RawClient) -> None:
    number = client.shell("cat")["paneId"].removeprefix("%")

    def complete(ref: dict[str, str], name: str, value: str) -> list[str]:
        asked = {"ref": ref, "argument": {"name": name, "value": value}}
        values: list[str] = client.ask("completion/complete", asked)["result"]["completion"]["values"]
        return values

    panes = {"type": "ref/resource", "uri": "tmux://panes/{pane}"}
    assert complete(panes, "pane", "") == [number]
    assert complete(panes, "pane", "x") == []
    assert complete({"type": "ref/resource", "uri": "tmux://sessions/{session}"}, "session", "wo") == ["work"]
    assert complete({"type": "ref/prompt", "name": "diagnose_pane"}, "pane", "%") == [f"%{number}"]
    assert complete(panes, "other", "") == []


def test_prompts(client: RawClient) -> None:
    names = [prompt["name"] for prompt in client.ask("prompts/list")["result"]["prompts"]]
    assert "diagnose_pane" in names
    got = client.ask("prompts/get", {"name": "diagnose_pane", "arguments": {"pane": "%7"}})["result"]
    assert "%7" in got["messages"][0]["content"]["text"]
    assert client.ask("prompts/get", {"name": "none"})["error"]["code"] == -32602
    assert client.ask("prompts/get", {"name": "diagnose_pane", "arguments": {}})["error"]["code"] == -32602


def test_a_prompt_needs_its_tools() -> None:
    known = {tool.name for tool in TOOLS}
    for prompt in PROMPTS:
        text = prompt.text(dict.fromkeys(prompt.arguments, "%1"))
        assert all(name in text for name in prompt.tools)
    assert offered(Application(selection=Selection(tools=["list_panes"]))) == {}
    everything = offered(Application(selection=Selection(toolsets=TOOLSETS)))
    assert everything.keys() == {prompt.name for prompt in PROMPTS if set(prompt.tools) <= known}


def test_without_the_tool_there_is_no_resource(tmux_executable: str) -> None:
    with RawClient("--tool", "kill_pane", tmux=tmux_executable) as client:
        client.initialize()
        for uri in ("tmux://sessions", "tmux://panes/0", "tmux://panes/0/content"):
            assert client.ask("resources/read", {"uri": uri})["error"]["code"] == -32002
