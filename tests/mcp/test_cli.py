"""`muxwright mcp` as a person meets it: the list of tools, the snippets for clients."""

from __future__ import annotations

import json
import subprocess
import tomllib

import pytest

from muxwright.mcp.clients import CLIENTS
from tests.mcp.raw import COMMAND


def run(*options: str) -> str:
    done = subprocess.run([COMMAND, "mcp", *options], capture_output=True, text=True, check=True, timeout=30)
    assert done.stderr == ""
    return done.stdout


def test_the_list_of_tools() -> None:
    *rows, total = run("--list-tools", "--toolset", "inspect", "--read-only").splitlines()
    assert any(row.split()[:3] == ["list_panes", "inspect", "reads"] for row in rows)
    assert total.startswith(f"{len(rows) - 1} tools: a model sees")


@pytest.mark.parametrize("client", CLIENTS)
def test_a_snippet_starts_what_was_asked_for(client: str) -> None:
    text = run("--print-config", client, "--socket-name", "work", "--tool", "list_panes", "--read-only")
    wanted = ["mcp", "--socket-name", "work", "--tool", "list_panes", "--read-only"]
    if client == "claude":
        assert text.endswith(" ".join(wanted) + "\n") and text.startswith("claude mcp add muxwright -- /")
    elif client == "codex":
        server = tomllib.loads(text)["mcp_servers"]["muxwright"]
        assert server["args"] == wanted
    else:
        value = json.loads(text.partition("\n")[2])
        assert json.dumps(wanted)[1:-1] in json.dumps(value)
