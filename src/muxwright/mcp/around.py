"""What is around the tools, on the SDK: resources and their changes, prompts, completion."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError

from muxwright import MuxwrightError, PaneId
from muxwright.mcp import resources
from muxwright.mcp.application import Application
from muxwright.mcp.errors import ToolError
from muxwright.mcp.prompts import offered
from muxwright.mcp.resources import MissingResource, Resource

__all__ = ["Around"]

MISSING = -32002  # of the legacy era; the modern one has invalid params for it
MAX_WATCHED = 16

Request = ServerRequestContext[Any]


class Around:
    """The handlers of one server; panes that somebody subscribed to are watched by a task each."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus)
        self._watched: dict[str, asyncio.Task[None]] = {}
        self._sessions: dict[str, set[ServerSession]] = {}

    # --- resources ---

    async def list_resources(
        self, request: Request, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[types.Resource(uri=each.uri, **_words(each)) for each in resources.RESOURCES]
        )

    async def list_templates(
        self, request: Request, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(uri_template=each.uri, **_words(each)) for each in resources.TEMPLATES
            ]
        )

    async def read_resource(
        self, request: Request, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        try:
            mime, text = await resources.read(self._app, uri)
        except MissingResource:
            raise self._missing(request, uri) from None
        except ToolError as error:
            raise MCPError(types.INTERNAL_ERROR, str(error), {"uri": uri[:200], **error.as_json()}) from None
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=mime, text=text)])

    def _missing(self, request: Request, uri: str) -> MCPError:
        legacy = request.protocol_version < "2026"
        return MCPError(MISSING if legacy else types.INVALID_PARAMS, "Resource not found", {"uri": uri[:200]})

    # --- changes ---

    async def subscribe(self, request: Request, params: types.SubscribeRequestParams) -> types.EmptyResult:
        uri = str(params.uri)
        await self._watch(request, uri)
        self._sessions.setdefault(uri, set()).add(request.session)
        return types.EmptyResult()

    async def unsubscribe(self, request: Request, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        uri = str(params.uri)
        # A session object is made for each request; what it belongs to is the connection.
        self._sessions.pop(uri, None)
        if (task := self._watched.pop(uri, None)) is not None:
            task.cancel()
        return types.EmptyResult()

    async def listen(
        self, request: Request, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        wanted = params.notifications.resource_subscriptions or []
        for uri in map(str, wanted):
            await self._watch(request, uri)
        return await self._listen(request, params)

    async def _watch(self, request: Request, uri: str) -> None:
        """Watch a pane for those who subscribed; only panes change by themselves."""
        pane = resources.subscribable(uri)
        if pane is None or "capture_pane" not in self._app.offered:
            raise self._missing(request, uri)
        if uri in self._watched and not self._watched[uri].done():
            return
        if len([task for task in self._watched.values() if not task.done()]) >= MAX_WATCHED:
            raise MCPError(types.INVALID_PARAMS, f"at most {MAX_WATCHED} panes can be subscribed to")
        armed = asyncio.Event()
        watching = self._watched[uri] = self._app.background(self._notify(uri, pane, armed))
        # Answered when nothing can be missed any more, or when the pane is found to be gone.
        waiting = asyncio.create_task(armed.wait())
        try:
            await asyncio.wait([waiting, watching], return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if not armed.is_set():
            raise self._missing(request, uri)

    async def _notify(self, uri: str, pane: PaneId, armed: asyncio.Event) -> None:
        with contextlib.suppress(ToolError, MuxwrightError):
            async for _ in resources.changes(self._app, pane, armed):
                await self._bus.publish(ResourceUpdated(uri=uri))
                for session in self._sessions.get(uri, ()):
                    await session.send_resource_updated(uri)

    # --- prompts and completion ---

    async def list_prompts(
        self, request: Request, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        prompts = [
            types.Prompt(
                name=prompt.name,
                description=prompt.description,
                arguments=[
                    types.PromptArgument(name=name, description=words, required=True)
                    for name, words in prompt.arguments.items()
                ],
            )
            for prompt in offered(self._app).values()
        ]
        return types.ListPromptsResult(prompts=prompts)

    async def get_prompt(self, request: Request, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        prompt = offered(self._app).get(params.name)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {params.name[:64]}")
        given = params.arguments or {}
        if given.keys() != prompt.arguments.keys():
            raise MCPError(types.INVALID_PARAMS, f"{prompt.name} takes exactly: {', '.join(prompt.arguments)}")
        content = types.TextContent(type="text", text=prompt.text(given))
        return types.GetPromptResult(
            description=prompt.description, messages=[types.PromptMessage(role="user", content=content)]
        )

    async def complete(self, request: Request, params: types.CompleteRequestParams) -> types.CompleteResult:
        found = await resources.complete(self._app, params.argument.name, params.argument.value)
        if isinstance(params.ref, types.PromptReference):
            # The prompts name a pane as tools do.
            found = [f"%{each}" for each in found] if params.argument.name == "pane" else found
        return types.CompleteResult(completion=types.Completion(values=found, total=len(found), has_more=False))


def _words(resource: Resource) -> dict[str, Any]:
    return {"name": resource.name, "description": resource.description, "mime_type": resource.mime}
