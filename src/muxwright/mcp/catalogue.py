"""Every tool there is, and how a choice of them is advertised. Nothing here is contacted or started."""

from __future__ import annotations

from typing import Any

from muxwright.mcp.capability import CAPABILITY_KEY
from muxwright.mcp.tool import Tool
from muxwright.mcp.tools import (
    follow,
    layout,
    operations,
    panes,
    respawn,
    run,
    screens,
    server,
    sessions,
    settings,
    waits,
    workspaces,
)
from muxwright.mcp.tools.common import wire_bytes

__all__ = ["TOOLS", "advertise", "model_bytes"]

TOOLS: tuple[Tool, ...] = (
    *panes.TOOLS,
    *sessions.TOOLS,
    *server.TOOLS,
    *screens.TOOLS,
    *run.TOOLS,
    *waits.TOOLS,
    *follow.TOOLS,
    *respawn.TOOLS,
    *layout.TOOLS,
    *settings.TOOLS,
    *workspaces.TOOLS,
    *operations.TOOLS,
)


def advertise(tool: Tool) -> dict[str, Any]:
    """Return a tool as `tools/list` shows it."""
    entry: dict[str, Any] = {"name": tool.name, "description": tool.description, "inputSchema": tool.input}
    if tool.output is not None:
        entry["outputSchema"] = tool.output
    meta: dict[str, Any] = {CAPABILITY_KEY: tool.capability.as_meta()}
    if tool.always_load:
        meta["anthropic/alwaysLoad"] = True
    return entry | {"annotations": tool.annotations, "_meta": meta}


def model_bytes(entry: dict[str, Any]) -> int:
    """Return the size of what a model sees of an advertised tool."""
    return wire_bytes({name: entry[name] for name in ("name", "description", "inputSchema")})
