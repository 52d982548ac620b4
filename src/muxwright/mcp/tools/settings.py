"""tmux's variables, options, environments and hooks."""

from __future__ import annotations

from typing import Any

from muxwright import FormatField
from muxwright.mcp.capability import Capability, OutputClass
from muxwright.mcp.context import Context
from muxwright.mcp.errors import ToolError
from muxwright.mcp.schemas import ANY_TARGET, PANE_TARGET, SESSION_TARGET, array, closed, one_of, string
from muxwright.mcp.tool import Tool
from muxwright.mcp.tools.common import clean

__all__ = ["SETTABLE", "TOOLS"]

_GLOBAL = ("server", "global_session", "global_window")
_VALUE = {"type": ["string", "integer", "boolean"]}

SETTABLE = frozenset(
    """
    aggressive-resize allow-rename alternate-screen automatic-rename base-index buffer-limit destroy-unattached
    detach-on-destroy display-panes-time display-time escape-time exit-empty extended-keys focus-events history-limit
    main-pane-height main-pane-width mode-keys monitor-activity monitor-bell monitor-silence mouse other-pane-height
    other-pane-width pane-base-index pane-border-status remain-on-exit renumber-windows repeat-time scroll-on-clear
    set-clipboard set-titles status status-interval status-keys status-position visual-activity visual-bell
    visual-silence window-size wrap-search xterm-keys
    """.split()
)
"""Options whose values start nothing: no command, no format with a command in it, no program."""


async def _scope(context: Context, arguments: dict[str, Any], *, acting: bool = False) -> Any:
    """Return a scope: a global one, or the object that is the target."""
    if ("scope" in arguments) == ("target" in arguments):
        raise ToolError("invalid_arguments", "give either scope, for the whole server, or target")
    if "target" in arguments:
        return await context.any_target(arguments["target"])
    if acting and context.app.allowed is not None:
        raise ToolError("target_denied", "--allow-pane leaves no way to change settings of the whole server")
    return arguments["scope"]


async def get_tmux_variables(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return format variables of a pane; only names that tmux knows, since it looks others up in the environment."""
    ref = await context.pane(arguments)
    names = arguments["names"]
    found = await context.read(
        lambda host: host.read_formats(ref, *[FormatField(name) for name in names], timeout=context.remaining)
    )
    return {"values": {name: clean(each.value or "") for name, each in zip(names, found, strict=True)}}


def _readable(value: Any) -> Any:
    """Return an option's value as JSON has it."""
    if isinstance(value, dict):
        return {str(index): _readable(entry) for index, entry in value.items()}
    return clean(value) if isinstance(value, str) else value


async def show_option(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return an option in one scope; null when the scope says nothing of it."""
    scope = await _scope(context, arguments)
    name = arguments["name"]
    value = await context.read(lambda host: host.get_option(scope, name, timeout=context.remaining))
    return {"name": name, "value": _readable(value)}


async def set_option(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Set an option that starts nothing."""
    name, value = arguments["name"], arguments["value"]
    if name not in SETTABLE and not name.startswith("@"):
        raise ToolError("option_denied", f"{name[:64]!r} is not among the options that this tool sets")
    if isinstance(value, str) and "#(" in value:
        raise ToolError("option_denied", "a value with #( could run a command, and is not set")
    scope = await _scope(context, arguments, acting=True)
    await context.act(lambda host: host.set_option(scope, name, value, timeout=context.remaining))
    return {"name": name, "completed": True}


async def show_environment(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the names of an environment; values only of variables that were named."""
    scope: Any = "global"
    if "session" in arguments:
        scope = await context.session(arguments["session"])
    elif context.app.allowed is not None:
        raise ToolError("target_denied", "--allow-pane leaves no way to the global environment")
    named = set(arguments.get("values", ()))
    found = await context.read(lambda host: host.list_environment(scope, timeout=context.remaining))
    entries = [_entry(name, each, named) for name, each in sorted(found.items())]
    return {"entries": entries, "missing": sorted(named - found.keys())}


def _entry(name: str, value: Any, named: set[str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": clean(name)}
    if value.value is None:
        entry["removed"] = True
    elif name in named:
        entry["value"] = clean(value.value)
    return entry


async def show_hooks(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the hooks that are set in one scope."""
    scope = await _scope(context, arguments)
    found = await context.read(lambda host: host.list_hooks(scope, timeout=context.remaining))
    hooks = [
        {"name": name, "index": index, "command": clean(command)}
        for name, commands in sorted(found.items())
        for index, command in sorted(commands.items())
    ]
    return {"hooks": hooks}


_METADATA: OutputClass = "tmux-metadata"
_CONFIGURED: tuple[OutputClass, ...] = (_METADATA, "configured-command")
_INSPECT = Capability("inspect", "none", ("observe",), _CONFIGURED)
_SCOPED = {"scope": one_of(*_GLOBAL), "target": ANY_TARGET}
_OPTION = string("Its full name", minLength=1, maxLength=128)
_VARIABLE = string(pattern="^[a-z][a-z0-9_]*$", maxLength=64)

TOOLS = (
    Tool(
        name="get_tmux_variables",
        capability=Capability(
            "inspect", "none", ("observe",), _CONFIGURED, literalized=(("names", "validated-variable-name"),)
        ),
        about='Returns format variables of a pane, such as "pane_pid" or "window_layout"; only names tmux knows.',
        input=closed({"target": PANE_TARGET, "names": array(_VARIABLE, 1, 32)}),
        handler=get_tmux_variables,
    ),
    Tool(
        name="show_option",
        capability=_INSPECT,
        about="Returns an option as one scope has it, null where it says nothing.",
        input=closed({"name": _OPTION, **_SCOPED}, ["name"]),
        handler=show_option,
    ),
    Tool(
        name="set_option",
        capability=Capability("manage", "none", ("change",)),
        about="Sets an option in one scope, such as history-limit, mouse or remain-on-exit, or an @option of your own;"
        " never one that can start a command.",
        input=closed({"name": _OPTION, "value": _VALUE, **_SCOPED}, ["name", "value"]),
        handler=set_option,
        idempotent=True,
    ),
    Tool(
        name="show_environment",
        capability=Capability("inspect", "none", ("observe",), (_METADATA, "process-environment")),
        about="Lists the variables that new programs get, of the server or of a session; only those in `values` with"
        " their value.",
        input=closed({"session": SESSION_TARGET, "values": array(string(maxLength=256), 1, 32)}, []),
        handler=show_environment,
    ),
    Tool(
        name="show_hooks",
        capability=_INSPECT,
        about="Lists the hooks of one scope with their commands.",
        input=closed({"scope": one_of(*_GLOBAL[1:]), "target": ANY_TARGET}, []),
        handler=show_hooks,
    ),
)
