"""Sessions from workspace files or documents, and back."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from muxwright import MuxwrightError, workspace
from muxwright.mcp.capability import Capability
from muxwright.mcp.context import Context
from muxwright.mcp.errors import ToolError, as_tool_error
from muxwright.mcp.schemas import (
    PANE,
    SESSION_TARGET,
    Schema,
    array,
    boolean,
    closed,
    number,
    outcome,
    string,
)
from muxwright.mcp.targets import target_of
from muxwright.mcp.tool import Tool
from muxwright.mcp.tools.common import DATA
from muxwright.mcp.tools.sessions import MAX_PANES, keep, observed_panes, place_for_session

if TYPE_CHECKING:
    # The package loads a name at its first use: nothing of it is needed before a call.
    from muxwright.workspace import Event, WorkspaceApplyResult, WorkspaceDocument, WorkspacePlan

__all__ = ["TOOLS"]

LOAD_SECONDS = 30.0


async def plan_workspace(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what a load would do; tmux is not asked."""
    return {**(await _plan(arguments)).as_data(), "terminalContent": DATA}


async def load_workspace(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Make the session of a workspace; it belongs to this application."""
    wanted = await _plan(arguments)
    context.extend(arguments.get("timeout_seconds", LOAD_SECONDS))

    def told(event: Event) -> None:
        if event.kind == "stage":
            context.tell(event.text)

    async with place_for_session(context):
        result: WorkspaceApplyResult = await context.alone(
            lambda host: workspace.apply_async(host, wanted, timeout=context.remaining, on_event=told)
        )
        assert result.session is not None, "a load that has come to its end made a session"
        keep(context, result.session)
    panes = await observed_panes(context, result.session)
    return {
        **target_of(result.session),
        "name": result.session_name,
        "panes": [target_of(ref) for ref in panes],
        "dead": sorted(result.dead),
        "warnings": result.warnings,
        "ownership": "application",
        "completed": True,
    }


async def freeze_session(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return a session as a workspace document."""
    ref = await context.session(arguments["target"])
    server = await context.app.endpoint.server()
    try:
        document = await workspace.freeze_async(server, ref, timeout=context.remaining)
    except MuxwrightError as error:
        raise as_tool_error(error, reading=True) from error
    data = document.data
    withheld = [] if arguments.get("include_environment") else sorted(_take_environments(data))
    return {"target": target_of(ref), "workspace": data, "withheld": withheld, "terminalContent": DATA}


# --- the plan ---


async def _plan(arguments: dict[str, Any]) -> WorkspacePlan:
    """Return the plan of what the arguments name."""
    if ("path" in arguments) == ("workspace" in arguments):
        raise ToolError("invalid_arguments", "give exactly one of path and workspace")
    return await _in_thread(lambda: _planned(arguments))


def _planned(arguments: dict[str, Any]) -> WorkspacePlan:
    if "path" in arguments:
        document, base = _document(arguments["path"]), None
    else:
        document, base = workspace.WorkspaceDocument.of(arguments["workspace"]), os.getcwd()
    config = workspace.validate(document, strict=arguments.get("strict", False))
    if (name := arguments.get("name")) is not None:
        config = config._replace(session_name=name)
    return workspace.plan(workspace.expand(config, arguments.get("variables"), os.path.expanduser("~"), base))


def _document(path: str) -> WorkspaceDocument:
    path = os.path.expanduser(path)
    if not os.path.isabs(path):
        raise ToolError("invalid_arguments", f"arguments.path: expected an absolute path or ~, not {path[:200]!r}")
    # A fifo or a device could hold a reader for ever.
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise ToolError("invalid_arguments", f"{path[:200]!r} is no regular file")
    return workspace.read(path)


async def _in_thread(work: Callable[[], WorkspacePlan]) -> WorkspacePlan:
    """Read and judge a file beside the event loop; what is wrong with it is said with its lines."""
    try:
        return await asyncio.to_thread(work)
    except workspace.WorkspaceConfigError as error:
        raise ToolError("invalid_workspace", str(error)) from None
    except OSError as error:
        raise ToolError("invalid_arguments", f"the file cannot be read: {error.strerror}") from None
    except MuxwrightError as error:
        raise as_tool_error(error, reading=True) from error


# --- the way back ---


def _take_environments(data: dict[str, Any]) -> set[str]:
    """Remove the values of variables, which may be secrets, and return the names."""
    names = set(data.pop("environment", {}))
    for window in data.get("windows", []):
        names |= set(window.pop("environment", {}))
        for pane in window.get("panes", []):
            if isinstance(pane, dict):
                names |= set(pane.pop("environment", {}))
    return names


_SOURCE: dict[str, Schema] = {
    "path": string("A .yaml or .json file", maxLength=4096),
    "workspace": {"type": "object", "description": "The same as data, in place of a path"},
    "name": string("For the session, in place of the file's", maxLength=128),
    "variables": {
        "type": "object",
        "additionalProperties": string(maxLength=8192),
        "description": "For ${{NAME}} in it",
    },
    "strict": boolean(False, "Refuse unknown keys"),
}
TOOLS = (
    Tool(
        name="plan_workspace",
        capability=Capability("inspect", "none", ("observe",), ("configured-command",)),
        about="Checks a workspace of muxwright or tmuxp and shows the steps that load_workspace would take. tmux is not"
        " asked, nothing is run. What is wrong is said with file, line and path.",
        input=closed(_SOURCE, []),
        handler=plan_workspace,
    ),
    Tool(
        name="load_workspace",
        capability=Capability("execute", "configured-process", ("change",)),
        about="Makes the session of a workspace with its windows, panes and commands: all of it, or nothing after a"
        " failure. Its scripts and commands run as you. This server owns the session and ends it when it exits.",
        input=closed({**_SOURCE, "timeout_seconds": number(1, 120, LOAD_SECONDS)}, []),
        output=outcome(
            closed(
                {
                    "sessionId": string(),
                    "generation": string(),
                    "name": string(),
                    "panes": array(PANE, maximum=MAX_PANES),
                    "dead": array(string(), description="Panes whose program has ended"),
                    "warnings": array(string()),
                    "ownership": {"const": "application"},
                    "completed": boolean(),
                }
            )
        ),
        handler=load_workspace,
    ),
    Tool(
        name="freeze_session",
        capability=Capability("inspect", "none", ("observe",), ("configured-command", "process-environment")),
        about="Returns a session as a workspace for load_workspace: windows, layouts, directories, options, programs"
        " with their arguments. Values of variables are withheld unless `include_environment` is true.",
        input=closed({"target": SESSION_TARGET, "include_environment": boolean(False)}, ["target"]),
        output=outcome(
            closed(
                {
                    "target": SESSION_TARGET,
                    "workspace": {"type": "object"},
                    "withheld": array(string(), description="Names of variables"),
                    "terminalContent": {"const": DATA},
                }
            )
        ),
        handler=freeze_session,
    ),
)
