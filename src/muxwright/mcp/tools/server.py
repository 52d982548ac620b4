"""The server as a whole: its tree, one session or window of it, and panes by what they are."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import Any

from muxwright import PaneInfo, SessionInfo, Snapshot, WindowInfo, decode_where
from muxwright.mcp.capability import Capability, OutputClass
from muxwright.mcp.context import Context
from muxwright.mcp.errors import ToolError, as_tool_error
from muxwright.mcp.schemas import SESSION_TARGET, WINDOW_TARGET, closed, integer, string
from muxwright.mcp.targets import session_target, target_of, window_target
from muxwright.mcp.tool import Tool
from muxwright.mcp.tools.common import DATA, clean, clip, known, places
from muxwright.mcp.tools.panes import pane_row
from muxwright.model.where_wire import SCHEMA

__all__ = ["TOOLS"]

MAX_PANES = 256
NAME = 128


async def get_server_info(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return sessions, windows and panes in one tree, and how a person can watch."""
    snapshot = await context.snapshot()
    server = await context.app.endpoint.server()
    version = snapshot.version
    tree = _Tree(context, MAX_PANES)
    sessions = [tree.session(session) for session in snapshot.sessions]
    return {
        "generation": str(snapshot.identity.generation),
        "version": f"tmux {version}",
        "socketPath": server.socket_path,
        "private": context.app.endpoint.private,
        "attachCommand": shlex.join(server.attach_command),
        "sessions": [session for session in sessions if session is not None],
        "totalPanes": len(snapshot.panes),
        "truncated": tree.truncated,
        "terminalContent": DATA,
    }


class _Tree:
    """Writes the tree with at most so many panes; what may not be a target is left out."""

    def __init__(self, context: Context, limit: int) -> None:
        self._allowed = context.app.allowed
        self._left = limit
        self.truncated = False

    def session(self, session: SessionInfo) -> dict[str, Any] | None:
        windows = [self.window(link.window, link.index, active=link.active) for link in session.links]
        shown = [window for window in windows if window is not None]
        if not shown:
            return None
        name, _ = clip(session.name, NAME)
        return {"sessionId": session.id, "name": name, "attached": session.attached_clients, "windows": shown}

    def window(self, window: WindowInfo, index: int, *, active: bool) -> dict[str, Any] | None:
        panes = [pane for pane in window.panes if self._allowed is None or pane.ref in self._allowed]
        if not panes:
            return None
        shown = panes[: self._left]
        self._left -= len(shown)
        self.truncated |= len(shown) < len(panes)
        name, _ = clip(window.name, NAME)
        row = {"windowId": window.id, "index": index, "name": name, "active": active}
        return {**row, "panes": [self.pane(pane) for pane in shown]}

    def pane(self, pane: PaneInfo) -> dict[str, Any]:
        command, _ = clip(known(pane, "current_command") or "", NAME)
        row: dict[str, Any] = {"paneId": pane.id, "command": command or None, "active": pane.active}
        return row | {"dead": True} if pane.dead else row


async def get_session_info(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return one session: its windows and where it starts programs."""
    ref = session_target(await context.socket_path(), arguments["target"])
    part = await context.read(lambda host: host.session(ref).snapshot(timeout=context.remaining))
    session = part.session(ref.id)
    context.all_allowed(pane.ref for pane in session.panes)
    return {
        "target": target_of(ref),
        "name": clean(session.name),
        "attached": session.attached_clients,
        "created": session.created,
        "activity": session.activity,
        "group": session.group and clean(session.group),
        "path": clean(session.path),
        "windows": [
            {
                "windowId": link.window_id,
                "index": link.index,
                "name": clean(link.window.name),
                "active": link.active,
                "panes": [pane.id for pane in link.window.panes],
            }
            for link in session.links
        ],
        "terminalContent": DATA,
    }


async def get_window_info(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return one window: its size, layout, places and panes."""
    ref = window_target(await context.socket_path(), arguments["target"])
    part = await context.read(lambda host: host.window(ref).snapshot(timeout=context.remaining))
    window = part.window(ref.id)
    context.all_allowed(pane.ref for pane in window.panes)
    return {
        "target": target_of(ref),
        "name": clean(window.name),
        "width": window.width,
        "height": window.height,
        "layout": window.layout,
        "zoomed": window.zoomed,
        "activity": window.activity,
        "contexts": places(window),
        "panes": [_placed(pane) for pane in window.panes],
        "terminalContent": DATA,
    }


def _placed(pane: PaneInfo) -> dict[str, Any]:
    command, _ = clip(known(pane, "current_command") or "", NAME)
    return {
        "paneId": pane.id,
        "index": pane.index,
        "left": pane.left,
        "top": pane.top,
        "width": pane.width,
        "height": pane.height,
        "active": pane.active,
        "dead": pane.dead,
        "mode": pane.mode,
        "synchronized": pane.synchronized,
        "command": command or None,
    }


async def find_panes(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the panes that a criteria document, a text or both are true of."""
    if "where" not in arguments and "text" not in arguments:
        raise ToolError("invalid_arguments", "give where, text or both; list_panes lists all")
    snapshot = await context.snapshot()
    panes: Iterable[PaneInfo] = snapshot.panes
    if "where" in arguments:
        panes = _matching(snapshot, arguments["where"])
    if "text" in arguments:
        panes = [pane for pane in panes if _mentions(pane, arguments["text"].casefold())]
    allowed = context.app.allowed
    found = [pane for pane in panes if allowed is None or pane.ref in allowed]
    limit = arguments.get("limit", 32)
    return {
        "panes": [pane_row(context, pane) for pane in found[:limit]],
        "total": len(found),
        "truncated": len(found) > limit,
        "terminalContent": DATA,
    }


def _matching(snapshot: Snapshot, node: dict[str, Any]) -> list[PaneInfo]:
    try:
        criterion = decode_where({"schema": SCHEMA, "version": 1, "entity": "pane", "where": node})
        return list(snapshot.panes.filter(criterion))
    except (ValueError, LookupError) as error:
        # Both kinds are errors of the library; the place in the document is part of the message.
        raise as_tool_error(error, reading=True) from None  # type: ignore[arg-type]  # see above


def _mentions(pane: PaneInfo, text: str) -> bool:
    names = [known(pane, name) for name in ("title", "current_command", "current_path", "start_command")]
    names += [pane.window.name, *(link.session.name for link in pane.window.links)]
    return any(text in name.casefold() for name in names if name)


_METADATA_AND_TEXT: tuple[OutputClass, ...] = ("tmux-metadata", "terminal-content")
_INSPECT = Capability("inspect", "none", ("observe",), _METADATA_AND_TEXT)

TOOLS = (
    Tool(
        name="get_server_info",
        capability=_INSPECT,
        about="Returns all sessions, windows and panes as one tree, the tmux version, and the command with which a"
        " person attaches and watches. Its `generation` makes targets of all ids in it.",
        input=closed({}),
        handler=get_server_info,
        default_private=True,
        always_load=True,
    ),
    Tool(
        name="get_session_info",
        capability=_INSPECT,
        about="Returns one session: its windows with their panes, attached clients, times (epoch seconds), group.",
        input=closed({"target": SESSION_TARGET}),
        handler=get_session_info,
    ),
    Tool(
        name="get_window_info",
        capability=_INSPECT,
        about="Returns one window: size, layout, the sessions that hold it, and each pane with its place and state.",
        input=closed({"target": WINDOW_TARGET}),
        handler=get_window_info,
    ),
    Tool(
        name="find_panes",
        capability=_INSPECT,
        about="Returns the panes whose title, command, directory, window or session name contains `text`, or that"
        ' `where` is true of: {"op":"fields","fields":[{"field":"tmux.pane.dead","match":{"op":"eq","value":true}}]},'
        " combined by all, any, not. What is on the screens is for search_panes.",
        input=closed(
            {
                "text": string("In any case", minLength=1, maxLength=1024),
                "where": {"type": "object"},
                "limit": integer(1, 128, 32),
            },
            [],
        ),
        handler=find_panes,
    ),
)
