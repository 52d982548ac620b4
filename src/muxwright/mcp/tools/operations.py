"""Several tools in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from muxwright.mcp.capability import Capability
from muxwright.mcp.context import Context
from muxwright.mcp.errors import ToolError
from muxwright.mcp.schemas import ERROR, Schema, array, closed, integer, outcome, string
from muxwright.mcp.tool import Tool
from muxwright.mcp.tools.common import RESULT_LIMIT, wire_bytes
from muxwright.mcp.validate import check

__all__ = ["RUN_OPERATIONS", "TOOLS", "with_nested"]

RUN_OPERATIONS = "run_operations"
MAX_OPERATIONS = 8

_NOT_ATOMIC = {"const": False}
_FAILED = integer(1, MAX_OPERATIONS)
_NONE_FAILED = {"type": "null"}
_RESULTS = array(closed({"tool": string(), "result": {"type": "object"}}), maximum=MAX_OPERATIONS)
_TRUE = {"const": True}
_OMITTED = array(closed({"tool": string(), "completed": _TRUE, "resultOmitted": _TRUE}), maximum=MAX_OPERATIONS)
_LIMIT = closed({**ERROR["properties"], "code": {"const": "result_limit"}})
_LIMITED = {"completed": _OMITTED, "atomic": _NOT_ATOMIC, "error": _LIMIT}

_OUTPUT = outcome(
    closed({"completed": _RESULTS, "failedIndex": _NONE_FAILED, "atomic": _NOT_ATOMIC}),
    closed({"completed": _RESULTS, "failedIndex": _FAILED, "error": ERROR, "atomic": _NOT_ATOMIC}),
    closed({**_LIMITED, "failedIndex": _NONE_FAILED}),
    closed({**_LIMITED, "failedIndex": _FAILED, "originalError": closed({"code": string()})}),
)

# The order in which the family's server names them.
_ORDER = (
    "list_panes capture_pane send_keys paste_text resize_pane kill_pane create_session teardown_session"
    " wait_for_text send_keys_and_wait"
).split()


def _input(nested: Sequence[Tool]) -> Schema:
    items = [closed({"tool": {"const": tool.name}, "arguments": tool.input}) for tool in nested]
    return closed({"operations": array({"oneOf": items}, 1, MAX_OPERATIONS)})


def with_nested(tool: Tool, nested: Sequence[Tool]) -> Tool:
    """Return run_operations for a catalogue in which it can run just these tools."""
    ordered = sorted(nested, key=lambda each: _ORDER.index(each.name))
    names = tuple(each.name for each in ordered)
    return replace(tool, input=_input(ordered), capability=replace(tool.capability, nested=names))


async def run_operations(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Run tools in order; the first failure stops. What is not allowed is found out before any of them runs."""
    items = [(context.app.offered[item["tool"]], item["arguments"]) for item in arguments["operations"]]
    for tool, inner in items:
        check(tool.input, inner)
        await _permitted(context, inner)
    completed: list[dict[str, Any]] = []
    failed: int | None = None
    failure: ToolError | None = None
    for index, (tool, inner) in enumerate(items, 1):
        try:
            completed.append({"tool": tool.name, "result": await tool.handler(context, inner)})
        except ToolError as error:
            failed, failure = index, error
            break
    return _result(context, completed, failed, failure)


def _result(
    context: Context, completed: list[dict[str, Any]], failed: int | None, failure: ToolError | None
) -> dict[str, Any]:
    result: dict[str, Any] = {"completed": completed, "failedIndex": failed, "atomic": False}
    if failure is not None:
        if context.touched:
            failure.effects = "possible"
        result["error"] = failure.as_json()
    if (size := wire_bytes(result)) <= RESULT_LIMIT:
        return result
    limit = ToolError(
        "result_limit",
        f"the results have {size} bytes, more than {RESULT_LIMIT}, and are left out; capture less",
        effects="possible" if context.touched else "none",
    )
    omitted = [{"tool": item["tool"], "completed": True, "resultOmitted": True} for item in completed]
    original = {} if failure is None else {"originalError": {"code": failure.code}}
    return {**result, "completed": omitted, "error": limit.as_json(), **original}


async def _permitted(context: Context, arguments: dict[str, Any]) -> None:
    """Refuse a target that policy forbids; nothing is asked of tmux for that."""
    if "target" in arguments:
        await context.pane(arguments)


TOOLS = (
    Tool(
        name=RUN_OPERATIONS,
        capability=Capability("execute", "pane-input", ("change", "delete"), ("tmux-metadata", "terminal-content")),
        about="Runs 1 to 8 of the offered tools in order, in the time of one call. All are checked before the first"
        " runs; the first failure stops, what was done stays done. `failedIndex` counts from one.",
        input=_input(()),
        output=_OUTPUT,
        handler=run_operations,
    ),
)
