"""Windows and panes as furniture: make, split, select, move, name, size, remove."""

from __future__ import annotations

import os
from typing import Any

from muxwright import AsyncPane, AsyncSession, AsyncWindow, PaneRef, WindowRef
from muxwright.mcp.capability import Capability, Effect, Toolset
from muxwright.mcp.context import Context
from muxwright.mcp.endpoint import Host
from muxwright.mcp.errors import ToolError
from muxwright.mcp.schemas import (
    ANY_TARGET,
    PANE_TARGET,
    SESSION_TARGET,
    WINDOW_TARGET,
    Schema,
    array,
    boolean,
    closed,
    integer,
    one_of,
    string,
)
from muxwright.mcp.targets import target_of
from muxwright.mcp.tool import Tool
from muxwright.mcp.tools.common import limit_bytes

__all__ = ["TOOLS"]

_PROGRAM: dict[str, Schema] = {
    "command": array(string(maxLength=1024), 1, 32, "Program and arguments; default a shell"),
    "directory": string("Where it starts; must exist"),
}


def _program(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what runs in a new pane."""
    command = arguments.get("command")
    if command is not None:
        limit_bytes("".join(command), 8192, "the command")
    directory = arguments.get("directory")
    if directory is not None:
        directory = os.path.abspath(os.path.expanduser(directory))
        if not os.path.isdir(directory):
            raise ToolError("invalid_arguments", "arguments.directory: no existing directory")
    return {"command": command, "directory": directory}


# --- new ---


async def split_window(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Split a pane."""
    ref = await context.pane(arguments)
    options = _program(arguments)
    direction, percent = arguments.get("direction", "below"), arguments.get("percent")
    size = None if percent is None else f"{percent}%"

    async def split(host: Host) -> AsyncPane:
        return await host.pane(ref).split(direction, size=size, timeout=context.remaining, **options)

    pane = await context.act(split)
    context.adopt([pane.ref])
    return {"target": target_of(pane.ref)}


async def create_window(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Make a window in a session."""
    ref = await context.session(arguments["session"])
    options = _program(arguments)

    async def create(host: Host) -> tuple[AsyncWindow, AsyncPane]:
        made = await host.session(ref).new_window(arguments.get("name"), timeout=context.remaining, **options)
        return made, await made.active_pane(timeout=context.remaining)

    window, pane = await context.act(create)
    context.adopt([pane.ref])
    return {"window": target_of(window.ref), "target": target_of(pane.ref)}


# --- arrange ---

_DONE = {"completed": True}


async def select_pane(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Make a pane the active one of its window."""
    ref = await context.pane(arguments)
    await context.act(lambda host: host.pane(ref).select(timeout=context.remaining))
    return {"target": target_of(ref), **_DONE}


async def select_window(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Make a window the current one of a session."""
    ref = await context.window(arguments["target"])
    session = None if "session" not in arguments else await context.session(arguments["session"])

    async def select(host: Host) -> None:
        holder = None if session is None else host.session(session)
        await host.window(ref).select(holder, timeout=context.remaining)

    await context.act(select)
    return {"target": target_of(ref), **_DONE}


async def select_layout(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Lay a window's panes out; the answer has what tmux made of it."""
    ref = await context.window(arguments["target"])
    await context.act(lambda host: host.window(ref).select_layout(arguments["layout"], timeout=context.remaining))
    info = await context.read(lambda host: host.window(ref).refresh(timeout=context.remaining))
    return {"target": target_of(ref), "layout": info.layout}


async def resize_window(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Give a window a size of its own; the answer has the size it has now."""
    ref = await context.window(arguments["target"])
    width, height = arguments.get("width"), arguments.get("height")
    await context.act(lambda host: host.window(ref).resize(width, height, timeout=context.remaining))
    info = await context.read(lambda host: host.window(ref).refresh(timeout=context.remaining))
    return {"target": target_of(ref), "width": info.width, "height": info.height}


async def rename(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Name a session or a window, or give a pane a title."""
    name = arguments["name"]
    ref = await context.any_target(arguments["target"])

    async def give(host: Host) -> None:
        if isinstance(ref, PaneRef):
            await host.pane(ref).set_title(name, timeout=context.remaining)
        elif isinstance(ref, WindowRef):
            await host.window(ref).rename(name, timeout=context.remaining)
        else:
            await host.session(ref).rename(name, timeout=context.remaining)

    await context.act(give)
    return {"target": target_of(ref), "name": name}


async def move_window(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Move a window from its place in one session to another place."""
    ref = await context.window(arguments["target"])
    session = await context.session(arguments["session"])
    index = arguments.get("index")
    links = (await context.snapshot()).window(ref.id).links
    source = arguments.get("from")
    held = [link for link in links if source is None or link.session_id == source]
    if len(held) != 1:
        raise ToolError(
            "invalid_arguments", f"{ref.id} has {len(held)} such places; say which with `from`, a session's id"
        )

    async def move(host: Host) -> None:
        await host.link(held[0].ref).move(AsyncSession(host, session), index, timeout=context.remaining)

    await context.act(move)
    return {"target": target_of(ref), "session": target_of(session), **_DONE}


async def swap_panes(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Let two panes change places."""
    first = await context.pane(arguments)
    second = await context.pane({"target": arguments["other"]})
    await context.act(lambda host: host.pane(first).swap(host.pane(second), timeout=context.remaining))
    return {"target": target_of(first), "other": target_of(second), **_DONE}


async def set_synchronize_panes(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Let input of one pane reach all panes of its window, or not."""
    ref = await context.window(arguments["target"])
    enabled = arguments["enabled"]
    if enabled:
        await context.not_around_us(ref)
    await context.act(lambda host: host.set_option(ref, "synchronize-panes", enabled, timeout=context.remaining))
    return {"target": target_of(ref), "enabled": enabled}


# --- remove ---


async def clear_pane_scrollback(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Drop the lines that have scrolled out of a pane."""
    ref = await context.pane(arguments)
    await context.not_ourselves(ref)
    await context.act(lambda host: host.pane(ref).clear_history(timeout=context.remaining))
    return {"target": target_of(ref), **_DONE}


async def kill_window(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Kill a window with everything in it."""
    ref = await context.window(arguments["target"])
    await context.not_around_us(ref)
    await context.alone(lambda host: host.window(ref).kill(timeout=context.remaining))
    return {"target": target_of(ref), **_DONE}


async def kill_session(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Kill a session with everything in it."""
    ref = await context.session(arguments["target"])
    await context.not_around_us(ref)
    await context.alone(lambda host: host.session(ref).kill(timeout=context.remaining))
    context.app.owned.pop(ref, None)
    return {"target": target_of(ref), **_DONE}


def _manage(toolset: Toolset = "manage", *effects: Effect, amplifies: bool = False) -> Capability:
    return Capability(toolset, "none", effects or ("change",), amplifies=amplifies)


_STARTS = Capability("execute", "configured-process", ("change",))
_REMOVES = _manage("teardown", "delete")
_SIZE = {"width": integer(1, 10_000), "height": integer(1, 10_000)}
_ONE_SIZE = [{"required": ["width"]}, {"required": ["height"]}]
_WINDOW = closed({"target": WINDOW_TARGET})

TOOLS = (
    Tool(
        name="split_window",
        capability=_STARTS,
        about="Splits a pane and returns the new one's target; it does not become active.",
        input=closed(
            {
                "target": PANE_TARGET,
                "direction": one_of("above", "below", "left", "right", default="below"),
                "percent": integer(1, 99),
                **_PROGRAM,
            },
            ["target"],
        ),
        handler=split_window,
        default_private=True,
    ),
    Tool(
        name="create_window",
        capability=_STARTS,
        about="Makes a window in a session and returns the targets of it and of its pane; it does not become current.",
        input=closed({"session": SESSION_TARGET, "name": string(minLength=1, maxLength=128), **_PROGRAM}, ["session"]),
        handler=create_window,
        default_private=True,
    ),
    Tool(
        name="select_pane",
        capability=_manage(),
        about="Makes a pane the active one of its window. Other tools never need that: they take targets.",
        input=closed({"target": PANE_TARGET}),
        handler=select_pane,
        idempotent=True,
    ),
    Tool(
        name="select_window",
        capability=_manage(),
        about="Makes a window the current one of `session`, or of the session that tmux considers its own.",
        input=closed({"target": WINDOW_TARGET, "session": SESSION_TARGET}, ["target"]),
        handler=select_window,
        idempotent=True,
    ),
    Tool(
        name="select_layout",
        capability=_manage(),
        about='Lays out a window: "tiled", "even-horizontal", "even-vertical", "main-horizontal", "main-vertical", or a'
        " layout that get_window_info gave. Returns the layout that tmux made of it.",
        input=closed({"target": WINDOW_TARGET, "layout": string(minLength=1, maxLength=8192)}),
        handler=select_layout,
        idempotent=True,
    ),
    Tool(
        name="resize_window",
        capability=_manage(),
        about="Gives a window its own size in cells, whatever clients show; returns the size it has now.",
        input=closed({"target": WINDOW_TARGET, **_SIZE}, ["target"], anyOf=_ONE_SIZE),
        handler=resize_window,
        idempotent=True,
    ),
    Tool(
        name="rename",
        capability=Capability("manage", "none", ("change",), literalized=(("name", "double-hash-once"),)),
        about="Names a session or a window, or gives a pane a title.",
        input=closed({"target": ANY_TARGET, "name": string(maxLength=256)}),
        handler=rename,
        idempotent=True,
    ),
    Tool(
        name="move_window",
        capability=_manage(),
        about="Moves a window to a session, at `index` or the next free one; a taken index is an error.",
        input=closed(
            {
                "target": WINDOW_TARGET,
                "session": SESSION_TARGET,
                "index": integer(0, 2**31 - 1),
                "from": string("Id of the session that gives it up, if several hold it", pattern=r"^\$[0-9]+$"),
            },
            ["target", "session"],
        ),
        handler=move_window,
    ),
    Tool(
        name="swap_panes",
        capability=_manage(),
        about="Lets two panes change places, of one window or of two; ids and programs stay with them.",
        input=closed({"target": PANE_TARGET, "other": PANE_TARGET}),
        handler=swap_panes,
    ),
    Tool(
        name="set_synchronize_panes",
        capability=_manage(amplifies=True),
        about="While on, what is typed into one pane of the window reaches all of them.",
        input=closed({"target": WINDOW_TARGET, "enabled": boolean()}),
        handler=set_synchronize_panes,
        idempotent=True,
    ),
    Tool(
        name="clear_pane_scrollback",
        capability=_REMOVES,
        about="Drops the lines that have scrolled out of a pane; its screen stays.",
        input=closed({"target": PANE_TARGET}),
        handler=clear_pane_scrollback,
        idempotent=True,
    ),
    Tool(
        name="kill_window",
        capability=_REMOVES,
        about="Kills a window with all its panes and programs, in every session that holds it.",
        input=_WINDOW,
        handler=kill_window,
    ),
    Tool(
        name="kill_session",
        capability=_REMOVES,
        about="Kills a session with all windows that no other session holds.",
        input=closed({"target": SESSION_TARGET}),
        handler=kill_session,
        default_private=True,
    ),
)
