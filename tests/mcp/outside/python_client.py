"""What the official Python client gets to do with the server, step by step, in each mode that it has."""

from __future__ import annotations

import os
import warnings
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client

__all__ = ["MODES", "drive"]

MODES = ("legacy", "auto", "2026-07-28")

Step = Callable[[], Awaitable[None]]


class _Session:
    """One client with a pane; every step is a method and fails by an assertion."""

    def __init__(self, client: Client, updates: anyio.Event, seen: list[str]) -> None:
        self.client = client
        self.updates = updates
        self.seen = seen
        self.target: dict[str, str] = {}

    async def call(self, tool: str, /, **arguments: Any) -> Any:
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        return result.structured_content

    async def lists_the_tools(self) -> None:
        listed = (await self.client.list_tools()).tools
        assert "run_shell_command" in [tool.name for tool in listed] and all(tool.description for tool in listed)
        # A client that was pinned to a version has not asked who is there.
        assert self.client.server_info is None or self.client.server_info.name == "muxwright"

    async def makes_a_session(self) -> None:
        made = await self.call("create_session", name="work", command=["sh"])
        self.target = made["panes"][0]

    async def runs_a_command(self) -> None:
        ran = await self.call("run_shell_command", pane=self.target["paneId"], command="printf hello; exit 3")
        assert (ran["exit_status"], ran["output"]) == (3, "hello")

    async def hears_of_progress_and_goes_on_meanwhile(self) -> None:
        waits = anyio.Event()

        async def heard(progress: float, total: float | None, message: str | None) -> None:
            waits.set()

        async def wait() -> None:
            found = await self.client.call_tool(
                "wait_for", {"target": self.target, "patterns": ["<42>"]}, progress_callback=heard
            )
            assert (found.structured_content or {}).get("text") == "<42>", found.content

        async with anyio.create_task_group() as group:
            group.start_soon(wait)
            await waits.wait()
            await self.call("send_keys", target=self.target, keys=["echo '<'$((6 * 7))'>'", "Enter"])

    async def is_told_what_was_wrong(self) -> None:
        result = await self.client.call_tool("kill_pane", {"target": {"paneId": "%99", "generation": "1:1"}})
        assert result.is_error and '"code":"stale_target"' in result.content[0].text  # type: ignore[union-attr]  # a text
        wrong = await self.client.call_tool("list_panes", {"limit": "many"})
        assert wrong.is_error and '"code":"invalid_arguments"' in wrong.content[0].text  # type: ignore[union-attr]  # a text

    async def gets_a_protocol_error_for_an_unknown_tool(self) -> None:
        with pytest.raises(MCPError) as refused:
            await self.client.call_tool("no_such_tool", {})
        assert refused.value.code == types.INVALID_PARAMS

    async def reads_resources(self) -> None:
        uris = [str(each.uri) for each in (await self.client.list_resources()).resources]
        assert "tmux://capabilities" in uris and (await self.client.list_resource_templates()).resource_templates
        read = await self.client.read_resource(f"tmux://panes/{self.target['paneId']}/content")
        assert "hello" in read.contents[0].text  # type: ignore[union-attr]  # a text

    async def gets_prompts(self) -> None:
        names = [each.name for each in (await self.client.list_prompts()).prompts]
        got = await self.client.get_prompt("diagnose_pane", {"pane": self.target["paneId"]})
        assert "diagnose_pane" in names and self.target["paneId"] in got.messages[0].content.text  # type: ignore[union-attr]  # a text

    async def completes_ids(self) -> None:
        reference = types.PromptReference(type="ref/prompt", name="diagnose_pane")
        completed = await self.client.complete(reference, {"name": "pane", "value": "%"})
        assert self.target["paneId"] in completed.completion.values

    async def hears_of_changes(self) -> None:
        uri = f"tmux://panes/{self.target['paneId']}/content"
        keys = {"target": self.target, "keys": ["echo changed", "Enter"]}
        if self.client.protocol_version < "2026":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that the other era has something else
                await self.client.session.subscribe_resource(uri)
            await self.call("send_keys", **keys)
            await self.updates.wait()
            assert self.seen == [uri]
            return
        async with self.client.listen(resource_subscriptions=[uri]) as events:
            await self.call("send_keys", **keys)
            async for event in events:
                assert event.uri == uri  # type: ignore[union-attr]  # nothing else was asked for
                return

    async def gives_up_and_goes_on(self) -> None:
        with anyio.move_on_after(0.2) as scope:
            await self.call("wait_for", target=self.target, patterns=["never"], seconds=30)
        assert scope.cancelled_caught
        assert (await self.call("list_panes"))["total"] == 1

    def steps(self) -> list[Step]:
        return [
            self.lists_the_tools,
            self.makes_a_session,
            self.runs_a_command,
            self.hears_of_progress_and_goes_on_meanwhile,
            self.is_told_what_was_wrong,
            self.gets_a_protocol_error_for_an_unknown_tool,
            self.reads_resources,
            self.gets_prompts,
            self.completes_ids,
            self.hears_of_changes,
            self.gives_up_and_goes_on,
        ]


async def drive(mode: str, command: str | Path, *options: str) -> dict[str, str]:
    """Go through all steps; return what was wrong with each, an empty text for nothing."""
    updates, seen = anyio.Event(), list[str]()

    async def heard(message: Any) -> None:
        if isinstance(message, types.ResourceUpdatedNotification) and not seen:
            seen.append(str(message.params.uri))
            updates.set()

    parameters = StdioServerParameters(command=str(command), args=["mcp", *options], env=dict(os.environ))
    results: dict[str, str] = {}
    async with Client(stdio_client(parameters), mode=mode, message_handler=heard) as client:
        session = _Session(client, updates, seen)
        for step in session.steps():
            name = step.__name__.replace("_", " ")
            try:
                with anyio.fail_after(40):
                    await step()
                results[name] = ""
            except Exception as error:
                results[name] = f"{type(error).__name__}: {error}"[:300]
    return results
