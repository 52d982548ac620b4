"""What is new: of one pane since a cursor, of all windows since a moment."""

from __future__ import annotations

from typing import Any

from muxwright.mcp.capability import Capability, OutputClass
from muxwright.mcp.context import Context
from muxwright.mcp.endpoint import Host, place_of
from muxwright.mcp.schemas import PANE_TARGET, closed, integer, number, string
from muxwright.mcp.targets import target_of
from muxwright.mcp.tool import Screen, Tool
from muxwright.mcp.tools.common import DATA, clean, clip
from muxwright.model.followed import Changes, Since
from muxwright.operations import changes, follow

__all__ = ["TOOLS"]

TEXT = 64 * 1024
MAX_WINDOWS = 128


async def capture_since(context: Context, arguments: dict[str, Any]) -> Screen:
    """Return what a pane printed since a cursor."""
    ref = await context.pane(arguments)
    cursor, follower = arguments.get("cursor"), context.app.follower

    async def since(host: Host) -> Since:
        return await host.run(follow.capture_since(place_of(host), follower, ref, cursor), context.remaining)

    found = await context.read(since)
    data = clean(found.text).encode()
    text = data[-TEXT:].decode("utf-8", "ignore")
    facts = {
        "target": target_of(ref),
        "cursor": found.cursor,
        "first": found.first,
        "missed": found.missed or len(data) > TEXT,
        "closed": found.closed,
        "route": found.route,
        "terminalContent": DATA,
    }
    return Screen(facts, text)


async def what_changed(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the windows in which something happened."""
    since = arguments.get("since")

    async def changed(host: Host) -> Changes:
        return await host.run(changes.what_changed(place_of(host), since), context.remaining)

    found = await context.read(changed)
    windows = found.windows
    if context.app.allowed is not None:
        snapshot = await context.snapshot()
        mine = {pane.window_id for pane in snapshot.panes if pane.ref in context.app.allowed}
        windows = tuple(window for window in windows if window.ref.id in mine)
    return {
        "now": found.now,
        "windows": [
            {"target": target_of(window.ref), "name": clip(window.name, 128)[0], "activity": window.activity}
            for window in windows[:MAX_WINDOWS]
        ],
        "truncated": len(windows) > MAX_WINDOWS,
    }


async def wait_for_channel(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Wait for a signal that a script sends with tmux wait-for."""
    channel = arguments["channel"]
    context.extend(arguments.get("seconds", 30.0))
    result = await context.read(lambda host: host.wait_for_channel(channel, timeout=context.remaining))
    return {"channel": channel, "outcome": result.outcome, "seconds": round(result.duration, 3)}


async def signal_channel(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Wake those who wait for a channel."""
    channel = arguments["channel"]
    await context.act(lambda host: host.signal_channel(channel, timeout=context.remaining))
    return {"channel": channel, "completed": True}


_CHANNEL = string(minLength=1, maxLength=128, pattern=r"^[A-Za-z0-9_.:-]+$")
_CLASSES: tuple[OutputClass, ...] = ("tmux-metadata", "terminal-content")

TOOLS = (
    Tool(
        name="capture_since",
        capability=Capability("inspect", "none", ("observe",), _CLASSES),
        about="Returns what a pane printed since `cursor`: a line of JSON with the next cursor, then the text. Without"
        " a cursor the screen as it stands. `missed` says when something in between is gone.",
        input=closed({"target": PANE_TARGET, "cursor": string(maxLength=128)}, ["target"]),
        handler=capture_since,
        default_private=True,
    ),
    Tool(
        name="what_changed",
        capability=Capability("inspect", "none", ("observe",)),
        about="Lists the windows in which something was printed or typed since `since`, the last one first; give `now`"
        " of one answer as `since` of the next.",
        input=closed({"since": integer(0)}, []),
        handler=what_changed,
    ),
    Tool(
        name="wait_for_channel",
        capability=Capability("manage", "none", ("change",)),
        about="Waits for `tmux wait-for -S CHANNEL`, sent by a script in a pane or by signal_channel, and uses the"
        " signal up. It proves only that somebody sent it.",
        input=closed({"channel": _CHANNEL, "seconds": number(0.1, 50, 30)}, ["channel"]),
        handler=wait_for_channel,
    ),
    Tool(
        name="signal_channel",
        capability=Capability("manage", "none", ("change",)),
        about="Wakes all who wait for a channel; with nobody waiting, the next one who does. Mind tmux's own rule: of"
        " two signals that nobody waits for, the second takes the first away.",
        input=closed({"channel": _CHANNEL}),
        handler=signal_channel,
    ),
)
