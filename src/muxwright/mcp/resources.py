"""The hierarchy as resources: what a client can read, complete and subscribe to without a tool.

``tmux://capabilities`` says what this server is and may do. Panes are named by their id, ``%3`` or just ``3``; an id is
never percent-decoded, since ``%25`` is one too. Sessions are named by id or by their percent-encoded name.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from muxwright import AsyncPane, MuxwrightError, PaneId, PaneRef
from muxwright.mcp.capability import CAPABILITY_KEY
from muxwright.mcp.context import Context
from muxwright.mcp.errors import ToolError, as_tool_error
from muxwright.mcp.tools.common import as_json
from muxwright.mcp.tools.panes import pane_row
from muxwright.mcp.tools.screens import snapshot_pane
from muxwright.mcp.tools.server import get_server_info, get_session_info

if TYPE_CHECKING:
    from muxwright.mcp.application import Application

__all__ = ["RESOURCES", "TEMPLATES", "MissingResource", "Resource", "changes", "complete", "read", "subscribable"]

JSON, TEXT = "application/json", "text/plain"
MAX_COMPLETIONS = 100
BETWEEN = 0.25  # seconds between two notices of one pane


class Resource(NamedTuple):
    """What can be read: a URI or the template of one."""

    uri: str
    name: str
    description: str
    mime: str


RESOURCES = (
    Resource("tmux://capabilities", "capabilities", "What this server is, offers and may do", JSON),
    Resource("tmux://sessions", "sessions", "All sessions, windows and panes", JSON),
)
TEMPLATES = (
    Resource("tmux://sessions/{session}", "session", "One session, by id or name", JSON),
    Resource("tmux://panes/{pane}", "pane", "One pane: command, title, size, where it is", JSON),
    Resource("tmux://panes/{pane}/content", "pane content", "What stands on a pane's screen", TEXT),
)

_PANE = re.compile(r"tmux://panes/%?(0|[1-9][0-9]*)(/content)?")
_SESSION = re.compile(r"tmux://sessions/([^/]+)")
# Everything here is read by these rights; a client that may not list panes may not read them as resources either.
_NEEDS = {"capabilities": None, "sessions": "list_panes", "panes": "list_panes", "content": "capture_pane"}


class MissingResource(LookupError):
    """There is nothing at that URI."""


async def read(app: Application, uri: str) -> tuple[str, str]:
    """Return the type and the text of a resource; raises `MissingResource`."""
    if uri == "tmux://capabilities":
        return JSON, as_json(capabilities(app))
    context = Context(app, next(iter(app.offered.values())), app.policy.timeout)
    try:
        if uri == "tmux://sessions":
            _permitted(app, "sessions")
            return JSON, as_json(await get_server_info(context, {}))
        if session := _SESSION.fullmatch(uri):
            _permitted(app, "sessions")
            return JSON, as_json(await _session(context, unquote(session[1])))
        if pane := _PANE.fullmatch(uri):
            _permitted(app, "content" if pane[2] else "panes")
            return await _pane(context, PaneId(f"%{pane[1]}"), content=bool(pane[2]))
    except ToolError as error:
        if error.code in ("not_found", "stale_target", "target_denied", "tool_denied"):
            raise MissingResource(uri) from None
        raise
    except MuxwrightError as error:
        raise as_tool_error(error, reading=True) from None
    raise MissingResource(uri)


def _permitted(app: Application, what: str) -> None:
    needed = _NEEDS[what]
    if needed is not None and needed not in app.offered:
        raise ToolError("tool_denied", f"reading that needs {needed}, which is not offered")


async def _session(context: Context, key: str) -> dict[str, Any]:
    snapshot = await context.snapshot()
    session = next((each for each in snapshot.sessions if key in (each.id, each.name)), None)
    if session is None:
        raise ToolError("not_found", f"no session {key[:64]!r}")
    target = {"sessionId": session.id, "generation": str(snapshot.identity.generation)}
    return await get_session_info(context, {"target": target})


async def _pane(context: Context, pane_id: PaneId, *, content: bool) -> tuple[str, str]:
    snapshot = await context.snapshot()
    pane = next((each for each in snapshot.panes if each.id == pane_id), None)
    if pane is None:
        raise ToolError("not_found", f"no pane {pane_id}")
    context.allowed(pane.ref)
    if not content:
        return JSON, as_json(pane_row(context, pane))
    target = {"paneId": pane.id, "generation": str(snapshot.identity.generation)}
    return TEXT, (await snapshot_pane(context, {"target": target})).text


def capabilities(app: Application) -> dict[str, Any]:
    """Return what this server is and may do; nothing is contacted for that."""
    allowed = app.policy.allowed_panes
    tools = app.tools()
    return {
        "schemaVersion": 1,
        "endpoint": {"private": app.endpoint.private, "socketPath": app.endpoint.socket_path},
        "policy": {
            "allowedPanes": None if allowed is None else sorted(allowed),
            "callerPane": app.policy.caller_pane,
            "mayCreateSessions": app.may_create,
            "timeoutSeconds": app.policy.timeout,
        },
        "toolCount": len(tools),
        "tools": [{"name": tool["name"], **tool["_meta"][CAPABILITY_KEY]} for tool in tools],
    }


async def complete(app: Application, argument: str, begun: str) -> list[str]:
    """Return ids that begin so: of panes without their ``%``, and of sessions their names."""
    if "list_panes" not in app.offered or app.endpoint.socket_path is None:
        return []
    context = Context(app, app.offered["list_panes"], app.policy.timeout)
    try:
        snapshot = await context.snapshot()
    except ToolError:
        return []
    allowed = app.allowed
    panes = [pane for pane in snapshot.panes if allowed is None or pane.ref in allowed]
    if argument == "pane":
        found = [pane.id.removeprefix("%") for pane in panes]
    elif argument == "session":
        found = list(dict.fromkeys(link.session.name for pane in panes for link in pane.window.links))
    else:
        found = []
    return [each for each in found if each.startswith(begun.removeprefix("%"))][:MAX_COMPLETIONS]


def subscribable(uri: str) -> PaneId | None:
    """Return the pane whose changes a URI is about, ``None`` where nothing can be noticed."""
    found = _PANE.fullmatch(uri)
    return None if found is None else PaneId(f"%{found[1]}")


async def changes(app: Application, pane_id: PaneId, armed: asyncio.Event) -> AsyncIterator[None]:
    """Yield whenever a pane has printed something, at most four times a second; ends with the pane.

    `armed` is set when whatever is printed from now on will be noticed.
    """
    context = Context(app, app.offered["capture_pane"], app.policy.timeout)
    ref: PaneRef = await context.bare_pane(pane_id)
    pane: AsyncPane = (await app.endpoint.server()).pane(ref)
    async with pane.observe_output() as output:
        armed.set()
        async for _ in output:
            yield
            await asyncio.sleep(BETWEEN)
