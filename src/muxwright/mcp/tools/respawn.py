"""Restart what runs in a pane, in place."""

from __future__ import annotations

import asyncio
import json
import os
import time
from typing import Any

from muxwright import FormatField, PaneRef
from muxwright.mcp.capability import Capability
from muxwright.mcp.context import Context
from muxwright.mcp.errors import ToolError
from muxwright.mcp.schemas import boolean, closed, string
from muxwright.mcp.tool import Tool
from muxwright.mcp.tools.common import clean
from muxwright.transports.endpoint import named_socket

__all__ = ["TOOLS", "read_environment"]

# A program that cannot be started ends within this time (seconds); a later end is its own business.
GRACE = 0.25
_LOOK = 0.02

_TEXTS = {
    name: FormatField(name)
    for name in (
        "pane_id",
        "pane_index",
        "pane_width",
        "pane_height",
        "pane_tty",
        "pane_current_command",
        "pane_current_path",
        "pane_pid",
        "pane_title",
        "pane_active",
        "window_id",
        "session_id",
    )
}
_INTS = {name: FormatField(name, int) for name in ("pane_left", "pane_top", "pane_right", "pane_bottom")}
_FLAGS = {name: FormatField(name, bool) for name in ("pane_at_left", "pane_at_right", "pane_at_top", "pane_at_bottom")}
_FIELDS: dict[str, FormatField[Any]] = {**_TEXTS, **_INTS, **_FLAGS}

_HISTORY = {"HISTFILE": "", "fish_history": "", "fish_private_mode": "1"}


async def respawn_pane(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Restart a pane's program; the pane stays even when the new one cannot be started."""
    await _same_server(context, arguments.get("socket_name"))
    directory = _directory(arguments.get("start_directory"))
    environment = read_environment(arguments.get("environment"))
    if arguments.get("suppress_persistent_history", False):
        environment = _without_history(environment)
    ref = await context.bare_pane(arguments["pane_id"])
    await context.not_ourselves(ref)
    own = await context.read(lambda host: host.get_option(ref, "remain-on-exit", timeout=context.remaining))
    if ref in context.app.kept:
        own = None
    await context.act(lambda host: host.set_option(ref, "remain-on-exit", True, timeout=context.remaining))
    context.touched = False  # so far only how the pane ends
    try:
        await context.act(
            lambda host: host.pane(ref).respawn(
                kill_running=arguments.get("kill", True),
                shell_command=arguments.get("shell") or None,
                directory=directory,
                environment=environment,
                timeout=context.remaining,
            )
        )
        await _lives(context, ref)
    except ToolError as error:
        if error.code == "command_ended":
            context.app.kept.add(ref)
        else:
            await _restore(context, ref, own)
        raise
    await _restore(context, ref, own)
    context.app.kept.discard(ref)
    return await _describe(context, ref)


async def _restore(context: Context, ref: PaneRef, own: Any) -> None:
    """Give the pane its own way of ending back."""
    if own is None:
        await context.act(lambda host: host.unset_option(ref, "remain-on-exit", timeout=context.remaining))
    else:
        await context.act(lambda host: host.set_option(ref, "remain-on-exit", own, timeout=context.remaining))


async def _lives(context: Context, ref: PaneRef) -> None:
    """Refuse a program that has ended at once."""
    end = time.monotonic() + GRACE
    while True:
        info = await context.read(lambda host: host.pane(ref).refresh(timeout=context.remaining))
        if info.dead:
            # Some builds of tmux learn the status of a child only when the next one ends.
            how = "" if info.exit_status is None else f" with status {info.exit_status}"
            raise ToolError(
                "command_ended",
                f"the new program ended at once{how}; the pane {ref.id} is kept:"
                " see capture_pane, then call respawn_pane again with another `shell`",
                effects="possible",
            )
        if time.monotonic() >= end:
            return
        await asyncio.sleep(_LOOK)


async def _describe(context: Context, ref: PaneRef) -> dict[str, Any]:
    """Return the pane with the fields and types that the family's Python server gives."""
    found = await context.read(lambda host: host.read_formats(ref, *_FIELDS.values(), timeout=context.remaining))
    row: dict[str, Any] = {}
    for name, seen in zip(_FIELDS, found, strict=True):
        row[name] = clean(seen.value) if isinstance(seen.value, str) else seen.value
    own = context.app.own
    row["is_caller"] = None if own.relation(ref) == "unknown" else own.relation(ref) == "self"
    return row


async def _same_server(context: Context, name: str | None) -> None:
    """Refuse the name of another server: this process serves one."""
    if name is None:
        return
    path = await context.socket_path()
    if not _names(name, path):
        raise ToolError("wrong_server", f"this server serves {path} only; leave socket_name out")


def _names(name: str, path: str) -> bool:
    try:
        return os.path.realpath(named_socket(name, os.environ)) == os.path.realpath(path)
    except ValueError:
        return False


def _directory(text: str | None) -> str | None:
    if text is None:
        return None
    path = os.path.abspath(os.path.expanduser(text))
    if not os.path.isdir(path):
        raise ToolError("invalid_arguments", f"arguments.start_directory: {text[:200]!r} is no existing directory")
    return path


def read_environment(given: dict[str, str] | str | None) -> dict[str, str]:
    """Return an environment that was given as a mapping or as the JSON text of one; values are never repeated."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError as error:
            raise ToolError("invalid_arguments", f"arguments.environment: no valid JSON: {_place(error)}") from None
    if given is None:
        return {}
    if not isinstance(given, dict):
        kind = {list: "an array", str: "a text"}.get(type(given), "a number or a truth value")
        raise ToolError("invalid_arguments", f"arguments.environment: expected a JSON object, got {kind}")
    for name, value in given.items():
        if not name or "=" in name or "\0" in name or name[0].isdecimal() or not name.replace("_", "a").isalnum():
            raise ToolError(
                "invalid_arguments",
                f"arguments.environment: {name[:64]!r} is no name of a variable: letters, digits and _, no digit first",
            )
        if not isinstance(value, str) or "\0" in value:
            raise ToolError("invalid_arguments", f"arguments.environment.{name}: expected a text without NUL")
    return dict(given)


def _place(error: ValueError) -> str:
    return f"line {error.lineno}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else "not readable"


def _without_history(environment: dict[str, str]) -> dict[str, str]:
    for name, value in _HISTORY.items():
        if environment.get(name, value) not in (value, ""):
            raise ToolError(
                "invalid_arguments",
                f"arguments.environment: {name} conflicts with suppress_persistent_history; leave one of them out",
            )
    control = [word for word in environment.get("HISTCONTROL", "").split(":") if word]
    if not {"ignorespace", "ignoreboth"} & set(control):
        control.append("ignorespace")
    return {**environment, **_HISTORY, "HISTCONTROL": ":".join(control)}


def _nullable(kind: str) -> dict[str, Any]:
    return {"anyOf": [{"type": kind}, {"type": "null"}], "default": None}


_ENVIRONMENT = {
    "anyOf": [{"type": "object", "additionalProperties": string()}, {"type": "string"}, {"type": "null"}],
    "default": None,
    "description": "Variables to set, or the JSON text of such an object",
}
_OUTPUT = {
    "type": "object",
    "properties": {
        "pane_id": string(),
        **{name: _nullable("string") for name in _TEXTS if name != "pane_id"},
        **{name: _nullable("integer") for name in _INTS},
        **{name: _nullable("boolean") for name in _FLAGS},
        "is_caller": _nullable("boolean"),
    },
    "required": ["pane_id"],
}

TOOLS = (
    Tool(
        name="respawn_pane",
        capability=Capability("execute", "configured-process", ("change", "delete")),
        about="Restarts a wedged pane in place: id and layout stay. Without `shell` tmux runs the original command"
        " again. With `kill` false a pane in which something runs is an error. The pane is kept even if the new program"
        " ends at once. Environment values can be seen in the process table: no long-lived secrets.",
        input=closed(
            {
                "pane_id": string('A pane\'s id, such as "%1"'),
                "kill": boolean(True),
                "shell": {**_nullable("string"), "description": "A command line in place of the original one"},
                "start_directory": {**_nullable("string"), "description": "Must exist; ~ expands"},
                "environment": _ENVIRONMENT,
                "socket_name": _nullable("string"),
                "suppress_persistent_history": boolean(False),
            },
            ["pane_id"],
        ),
        output=_OUTPUT,
        handler=respawn_pane,
        plain_errors=True,
        default_private=True,
    ),
)
