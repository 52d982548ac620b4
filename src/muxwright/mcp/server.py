"""The tools on the official SDK: what a client asks is handed to the application, and its outcome is put into words."""

from __future__ import annotations

import asyncio
import base64
import logging
import time
from typing import Any

import mcp_types as types
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.shared.exceptions import MCPError

from muxwright import __version__
from muxwright.mcp.application import Application, Outcome, UnknownTool
from muxwright.mcp.around import Around
from muxwright.mcp.instructions import instructions

__all__ = ["build", "options"]

HEARTBEAT = 5.0  # seconds between two signs of life of a call
FOREVER = 24 * 3600 * 1000  # milliseconds: the catalogue does not change while we run

LASTING: tuple[CacheableMethod, ...] = (
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
)

_log = logging.getLogger(__name__)
Request = ServerRequestContext[Any]


def build(app: Application) -> Server[Any]:
    """Return the protocol server of an application."""
    # What the SDK has to say about clients is nothing that somebody here could do something about.
    logging.getLogger("mcp").setLevel(logging.ERROR)
    handlers, more = _Handlers(app), Around(app)
    server: Server[Any] = Server(
        "muxwright",
        version=__version__,
        title="muxwright: terminals through tmux",
        instructions=instructions(app),
        cache_hints={method: CacheHint(FOREVER, "public") for method in LASTING},
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=more.list_resources,
        on_list_resource_templates=more.list_templates,
        on_read_resource=more.read_resource,
        on_subscribe_resource=more.subscribe,
        on_unsubscribe_resource=more.unsubscribe,
        on_subscriptions_listen=more.listen,
        on_list_prompts=more.list_prompts,
        on_get_prompt=more.get_prompt,
        on_completion=more.complete,
    )
    # The only entry is a span of OpenTelemetry for each message.
    server.middleware.clear()
    return server


def options(server: Server[Any]) -> InitializationOptions:
    """Return what the legacy handshake says."""
    return server.create_initialization_options(NotificationOptions())


class _Handlers:
    def __init__(self, app: Application) -> None:
        self._app = app
        self._tools = [types.Tool.model_validate(tool) for tool in app.tools()]

    async def list_tools(self, request: Request, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        if params is not None and params.cursor is not None:
            raise MCPError(types.INVALID_PARAMS, "all tools are on the first page; leave the cursor out")
        return types.ListToolsResult(tools=self._tools)

    async def call_tool(self, request: Request, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Run a tool in a task of its own, which a cancellation ends once and in order."""
        progress = _Progress(request)
        call = asyncio.create_task(self._call(params, progress))
        try:
            while not (await asyncio.wait([call], timeout=HEARTBEAT))[0]:
                await progress.report("still running")
        except BaseException:
            call.cancel()
            raise
        outcome = call.result()
        content: list[types.ContentBlock] = [types.TextContent(type="text", text=outcome.text)]
        if outcome.png is not None:
            picture = base64.b64encode(outcome.png).decode()
            content.append(types.ImageContent(type="image", data=picture, mime_type="image/png"))
        return types.CallToolResult(content=content, structured_content=outcome.structured, is_error=outcome.is_error)

    async def _call(self, params: types.CallToolRequestParams, progress: _Progress) -> Outcome:
        arguments = {} if params.arguments is None else params.arguments
        try:
            return await self._app.call(params.name, arguments, progress.report)
        except UnknownTool:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name[:64]}{self._hint(params.name)}") from None
        except asyncio.CancelledError:
            raise
        except Exception:
            _log.exception("the tool %s failed", params.name)
            return Outcome(
                '{"error":{"code":"internal","message":"the tool failed; see the log of this server",'
                '"effects":"possible","retryable":false}}',
                is_error=True,
            )

    def _hint(self, name: str) -> str:
        from muxwright.mcp.catalogue import TOOLS

        known = any(tool.name == name for tool in TOOLS)
        return f"; it exists, but is not offered here: start with --tool {name}" if known else ""


class _Progress:
    """Signs of life, for a client that asked for them."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._began = time.monotonic()
        self._last = 0.0

    async def report(self, message: str) -> None:
        """Report the seconds gone by; the number always grows."""
        self._last = max(round(time.monotonic() - self._began, 3), self._last + 0.001)
        await self._request.session.report_progress(self._last, None, message)
