"""How the clients are told of a server: the text for each one's configuration."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence

__all__ = ["CLIENTS", "snippet"]

NAME = "muxwright"
CLIENTS = ("claude", "claude-desktop", "codex", "cursor", "gemini", "opencode", "vscode", "zed")


def snippet(client: str, executable: str, options: Sequence[str]) -> str:
    """Return what `client` needs to start ``EXECUTABLE mcp OPTIONS``, with a line that says where it goes."""
    arguments = ["mcp", *options]
    entry = {"command": executable, "args": arguments}
    if client == "claude":
        return f"claude mcp add {NAME} -- {shlex.join([executable, *arguments])}"
    if client == "codex":
        lines = [f"[mcp_servers.{NAME}]", f"command = {json.dumps(executable)}", f"args = {json.dumps(arguments)}"]
        # A run may take ten minutes, and the default is one.
        return "\n".join(["# ~/.codex/config.toml", *lines, "tool_timeout_sec = 620"])
    if client == "vscode":
        return _json(".vscode/mcp.json", {"servers": {NAME: {"type": "stdio", **entry}}})
    if client == "zed":
        return _json("settings.json of Zed", {"context_servers": {NAME: entry}})
    if client == "opencode":
        return _json("opencode.json", {"mcp": {NAME: {"type": "local", "command": [executable, *arguments]}}})
    place = {
        "claude-desktop": "claude_desktop_config.json",
        "cursor": "~/.cursor/mcp.json",
        "gemini": "~/.gemini/settings.json",
    }[client]
    return _json(place, {"mcpServers": {NAME: entry}})


def _json(place: str, value: object) -> str:
    return f"// {place}\n{json.dumps(value, indent=2)}"
