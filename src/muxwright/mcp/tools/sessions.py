"""Sessions that are made here, and removed again."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator
from typing import Any

from muxwright import AsyncSession, PaneRef, SessionRef
from muxwright.mcp.capability import Capability
from muxwright.mcp.context import Context
from muxwright.mcp.errors import ToolError
from muxwright.mcp.schemas import PANE, array, boolean, closed, outcome, string
from muxwright.mcp.targets import session_target, target_of
from muxwright.mcp.tool import Tool
from muxwright.mcp.tools.common import limit_bytes

__all__ = ["MAX_PANES", "TOOLS", "keep", "observed_panes", "place_for_session"]

OWNED_LIMIT = 8
MAX_PANES = 256
REMOVAL = 0.9  # seconds for the removal of a session that could not be observed


@contextlib.asynccontextmanager
async def place_for_session(context: Context) -> AsyncIterator[None]:
    """Hold one of the places for sessions made here; raises `ToolError` when none may be made."""
    app = context.app
    if not app.may_create:
        raise ToolError("creation_denied", "sessions may be made on a borrowed server only with --allow-create")
    await _drop_ended(context)
    if len(app.owned) + app.creating >= OWNED_LIMIT:
        raise ToolError(
            "owned_limit", f"{OWNED_LIMIT} sessions made here are open; end one with teardown_session first"
        )
    app.creating += 1
    try:
        yield
    finally:
        app.creating -= 1


def keep(context: Context, session: SessionRef) -> None:
    """Take a session that was made here for our own; it ends with this application."""
    context.app.owned[session] = time.monotonic()
    context.app.seen = session.server.generation


async def create_session(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Make a session that belongs to this application."""
    name, command = arguments["name"], arguments["command"]
    for word in command:
        limit_bytes(word, 1024, "an argument of the command")
    limit_bytes("".join(command), 8192, "the command")
    if not command[0] or command[0].startswith("-"):
        raise ToolError("invalid_arguments", "arguments.command[0]: expected a program's name or path")
    async with place_for_session(context):
        session: AsyncSession = await context.alone(
            lambda host: host.new_session(name, command=command, timeout=context.remaining)
        )
        keep(context, session.ref)
    panes = await observed_panes(context, session.ref)
    return {
        **target_of(session.ref),
        "panes": [target_of(ref) for ref in panes],
        "ownership": "application",
        "completed": True,
    }


async def observed_panes(context: Context, session: SessionRef) -> list[PaneRef]:
    """Return the panes of a session just made, and allow them; one that cannot be seen is removed again."""
    try:
        part = await context.read(lambda host: host.session(session).snapshot(timeout=context.remaining))
    except BaseException as error:
        context.app.owned.pop(session, None)
        if isinstance(error, ToolError) and error.code == "not_found":
            raise ToolError(
                "operation_failed", "the session ended at once: its command has exited", effects="possible"
            ) from None
        await _remove(context, session)
        raise
    panes = [pane.ref for pane in part.session(session.id).panes][:MAX_PANES]
    context.adopt(panes)
    return panes


async def _remove(context: Context, session: SessionRef) -> None:
    context.extend(REMOVAL)
    await context.alone(lambda host: host.session(session).kill(timeout=REMOVAL))


async def _drop_ended(context: Context) -> None:
    """Forget the sessions made here that have ended by themselves."""
    if len(context.app.owned) + context.app.creating < OWNED_LIMIT:
        return
    there = {session.ref for session in (await context.snapshot()).sessions}
    for ref in [ref for ref in context.app.owned if ref not in there]:
        del context.app.owned[ref]


async def teardown_session(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """End a session that was made here."""
    try:
        ref = session_target(await context.socket_path(), arguments)
    except ValueError as error:
        raise ToolError("invalid_arguments", str(error)) from None
    if ref not in context.app.owned:
        raise ToolError("ownership_required", f"{ref.id} was not made by create_session of this server")
    await context.not_around_us(ref)
    try:
        await context.alone(lambda host: host.session(ref).kill(timeout=context.remaining))
    except ToolError as error:
        if error.code not in ("not_found", "stale_target", "server_not_running"):
            raise
    context.app.owned.pop(ref, None)
    return {**target_of(ref), "completed": True}


TOOLS = (
    Tool(
        name="create_session",
        capability=Capability("execute", "configured-process", ("change",)),
        about="Makes a detached session of 160x48 whose pane runs `command`, an argument list that no shell reads, such"
        ' as ["bash"]. This server owns it and ends it when it exits. At most 8 at a time.',
        input=closed(
            {
                "name": string(maxLength=64, pattern="^[A-Za-z0-9_-]+$"),
                "command": array(string(maxLength=1024), 1, 32, "Program and arguments"),
            }
        ),
        output=outcome(
            closed(
                {
                    "sessionId": string(),
                    "generation": string(),
                    "panes": array(PANE, maximum=MAX_PANES),
                    "ownership": {"const": "application"},
                    "completed": boolean(),
                }
            )
        ),
        handler=create_session,
        default_private=True,
        nestable=True,
    ),
    Tool(
        name="teardown_session",
        capability=Capability("teardown", "none", ("delete",)),
        about="Ends a session that create_session of this server has made, with the programs in it.",
        input=closed({"sessionId": string(maxLength=64), "generation": string(maxLength=128)}),
        output=outcome(closed({"sessionId": string(), "generation": string(), "completed": boolean()})),
        handler=teardown_session,
        overrides={"openWorldHint": True},
        default_private=True,
        nestable=True,
    ),
)
