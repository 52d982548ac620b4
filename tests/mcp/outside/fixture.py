"""What the conformance suite wants to find in a server, served through our own HTTP entry.

The suite calls tools, prompts and resources by names of its own. They exist for it alone; what is under test is the
protocol below them: the SDK as we use it, the guard for token, Host and Origin, and the errors.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import warnings
from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, PromptsListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPError

from muxwright.mcp.application import Application
from muxwright.mcp.http import guarded
from muxwright.mcp.server import LASTING
from muxwright.mcp.server import build as build_real
from tests.mcp.outside import fixture_data as data

__all__ = ["build"]

TOKEN = "the-suite-sends-no-token"

Request = ServerRequestContext[Any]
Tool = Callable[[Request, types.CallToolRequestParams], Awaitable[dict[str, Any]]]

BUS = InMemorySubscriptionBus()


class Events(EventStore):
    """What was sent, for clients that come back in the middle of an answer."""

    def __init__(self) -> None:
        self._sent: list[tuple[str, Any]] = []

    async def store_event(self, stream_id: str, message: Any) -> str:
        self._sent.append((stream_id, message))
        return str(len(self._sent))

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        if not last_event_id.isdecimal() or not 0 < int(last_event_id) <= len(self._sent):
            return None
        stream = self._sent[int(last_event_id) - 1][0]
        for number, (other, message) in enumerate(self._sent[int(last_event_id) :], int(last_event_id) + 1):
            if other == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


# --- tools of both eras ---


def _returns(*content: dict[str, Any], **more: Any) -> Tool:
    async def tool(request: Request, params: types.CallToolRequestParams) -> dict[str, Any]:
        return {"content": list(content), **more}

    return tool


async def _logs(request: Request, params: types.CallToolRequestParams) -> dict[str, Any]:
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await request.session.send_log_message("info", words, related_request_id=request.request_id)
        await asyncio.sleep(0.05)  # why: the suite asks for the pauses
    return data.said("done")


async def _progresses(request: Request, params: types.CallToolRequestParams) -> dict[str, Any]:
    for done in (0, 50, 100):
        await request.session.report_progress(done, 100)
        await asyncio.sleep(0.05)  # why: the suite asks for the pauses
    return data.said("done")


async def _reconnects(request: Request, params: types.CallToolRequestParams) -> dict[str, Any]:
    if request.close_sse_stream is not None:
        await request.close_sse_stream()
        await asyncio.sleep(0.2)  # why: the answer has to come when the client is away
    return data.said("done")


def _changes(event: Any) -> Tool:
    async def tool(request: Request, params: types.CallToolRequestParams) -> dict[str, Any]:
        await BUS.publish(event)
        return data.said("changed")

    return tool


async def _samples(request: Request, params: types.CallToolRequestParams) -> dict[str, Any]:
    asked = types.TextContent(type="text", text=(params.arguments or {})["prompt"])
    answer = await request.session.create_message(
        [types.SamplingMessage(role="user", content=asked)], max_tokens=100, related_request_id=request.request_id
    )
    return data.said(f"LLM response: {getattr(answer.content, 'text', '')}")


def _elicits(message: str | None, schema: dict[str, Any]) -> Tool:
    async def tool(request: Request, params: types.CallToolRequestParams) -> dict[str, Any]:
        words = message or (params.arguments or {})["message"]
        answer = await request.session.elicit_form(words, schema, request.request_id)
        return data.said(f"Elicitation completed: action={answer.action}, content={json.dumps(answer.content)}")

    return tool


# --- tools that are answered with a question (2026-07-28) ---


def _asks(*rounds: dict[str, Any], stateful: bool = False) -> Tool:
    """A tool with rounds of questions; with more than one, the state says which has been asked."""

    async def tool(request: Request, params: types.CallToolRequestParams) -> dict[str, Any]:
        given = data.answers(params)
        asked = int(params.request_state) if params.request_state else 0
        if asked or (not stateful and len(rounds) == 1):
            questions = rounds[max(asked, 1) - 1]
            if all(data.is_answer(questions[key], given.get(key)) for key in questions):
                if max(asked, 1) == len(rounds):
                    return data.said(f"state-ok {json.dumps(given)}")
                asked = max(asked, 1)
            else:
                asked = max(asked, 1) - 1
        state = {"requestState": str(asked + 1)} if stateful or len(rounds) > 1 else {}
        return {"resultType": "input_required", "inputRequests": rounds[asked], **state}

    return tool


async def _asks_what_can_be_asked(request: Request, params: types.CallToolRequestParams) -> dict[str, Any]:
    able = request.session.client_capabilities
    questions = {
        key: question
        for key, question in data.ALL_QUESTIONS.items()
        if able is not None and getattr(able, question["method"].partition("/")[0].replace("create", ""), None)
    }
    if data.answers(params) or not questions:
        return data.said("done")
    return {"resultType": "input_required", "inputRequests": questions}


async def _needs_sampling(request: Request, params: types.CallToolRequestParams) -> dict[str, Any]:
    able = request.session.client_capabilities
    if able is None or able.sampling is None:
        raise MCPError(
            types.MISSING_REQUIRED_CLIENT_CAPABILITY,
            "the client did not declare sampling",
            {"requiredCapabilities": {"sampling": {}}},
        )
    return data.said("done")


TOOLS: dict[str, tuple[dict[str, Any], Tool]] = {
    "test_simple_text": (data.NOTHING, _returns(data.text("This is a simple text response for testing."))),
    "test_image_content": (data.NOTHING, _returns(data.IMAGE)),
    "test_audio_content": (data.NOTHING, _returns(data.AUDIO)),
    "test_embedded_resource": (data.NOTHING, _returns(data.EMBEDDED)),
    "test_multiple_content_types": (data.NOTHING, _returns(data.text("Several:"), data.IMAGE, data.MIXED)),
    "test_error_handling": (
        data.NOTHING,
        _returns(data.text("This tool intentionally returns an error for testing"), isError=True),
    ),
    "test_tool_with_logging": (data.NOTHING, _logs),
    "test_logging_tool": (data.NOTHING, _logs),
    "test_tool_with_progress": (data.NOTHING, _progresses),
    "test_reconnection": (data.NOTHING, _reconnects),
    "test_trigger_tool_change": (data.NOTHING, _changes(ToolsListChanged())),
    "test_trigger_prompt_change": (data.NOTHING, _changes(PromptsListChanged())),
    "test_sampling": (data.one("prompt"), _samples),
    "test_elicitation": (data.one("message"), _elicits(None, data.USER)),
    "test_elicitation_sep1034_defaults": (data.NOTHING, _elicits("Who?", data.DEFAULTS)),
    "test_elicitation_sep1330_enums": (data.NOTHING, _elicits("Which?", data.ENUMS)),
    "json_schema_2020_12_tool": (data.RICH, _returns(data.text("done"))),
    "test_custom_headers": (data.MIRRORED, _returns(data.text("done"))),
    "test_missing_capability": (data.NOTHING, _needs_sampling),
    "test_streaming_elicitation": (data.NOTHING, _asks({"user_name": data.NAME})),
    "test_input_required_result_elicitation": (data.NOTHING, _asks({"user_name": data.NAME})),
    "test_input_required_result_sampling": (data.NOTHING, _asks({"capital_question": data.CAPITAL})),
    "test_input_required_result_list_roots": (data.NOTHING, _asks({"client_roots": data.ROOTS})),
    "test_input_required_result_request_state": (data.NOTHING, _asks({"confirm": data.CONFIRM}, stateful=True)),
    "test_input_required_result_tampered_state": (data.NOTHING, _asks({"confirm": data.CONFIRM}, stateful=True)),
    "test_input_required_result_multiple_inputs": (data.NOTHING, _asks(data.ALL_QUESTIONS, stateful=True)),
    "test_input_required_result_multi_round": (data.NOTHING, _asks({"step1": data.NAME}, {"step2": data.COLOUR})),
    "test_input_required_result_capabilities": (data.NOTHING, _asks_what_can_be_asked),
}


# --- the server ---


async def _list_tools(request: Request, params: Any) -> dict[str, Any]:
    return {
        "tools": [
            {"name": name, "description": f"For the scenario of {name}.", "inputSchema": schema}
            for name, (schema, _) in TOOLS.items()
        ]
    }


async def _call_tool(request: Request, params: types.CallToolRequestParams) -> dict[str, Any]:
    if params.name not in TOOLS:
        raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
    return await TOOLS[params.name][1](request, params)


async def _list_resources(request: Request, params: Any) -> dict[str, Any]:
    return {"resources": [{"uri": uri, "name": uri, "description": "A resource."} for uri in data.RESOURCES]}


async def _list_templates(request: Request, params: Any) -> dict[str, Any]:
    template = {"uriTemplate": "test://template/{id}/data", "name": "template", "description": "A template."}
    return {"resourceTemplates": [template]}


async def _read_resource(request: Request, params: types.ReadResourceRequestParams) -> dict[str, Any]:
    found = data.resource(str(params.uri))
    if found is None:
        raise MCPError(types.INVALID_PARAMS, "Resource not found", {"uri": str(params.uri)})
    return {"contents": [found]}


async def _nothing(request: Request, params: Any) -> dict[str, Any]:
    return {}


async def _list_prompts(request: Request, params: Any) -> dict[str, Any]:
    return {"prompts": data.PROMPTS}


async def _get_prompt(request: Request, params: types.GetPromptRequestParams) -> dict[str, Any]:
    if params.name == "test_input_required_result_prompt" and "user_context" not in data.answers(params):
        return {"resultType": "input_required", "inputRequests": {"user_context": data.CONTEXT}}
    return {"messages": data.messages(params.name, params.arguments or {})}


async def _complete(request: Request, params: Any) -> dict[str, Any]:
    return {"completion": {"values": [], "total": 0, "hasMore": False}}


def _typed(model: type[types.Result], handler: Callable[[Request, Any], Awaitable[dict[str, Any]]]) -> Any:
    """A handler of the SDK: what is on the wire is read as its type; a question goes as it is."""

    async def typed(request: Request, params: Any) -> Any:
        result = await handler(request, params)
        return result if "inputRequests" in result else model.model_validate(result)

    return typed


def build() -> Server[Any]:
    """Return the server with what the suite asks for."""
    cached: tuple[CacheableMethod, ...] = (*LASTING, "resources/read")
    server: Server[Any] = Server(
        "muxwright-conformance",
        version="1",
        cache_hints={method: CacheHint(0, "public") for method in cached},
        on_list_tools=_typed(types.ListToolsResult, _list_tools),
        on_call_tool=_typed(types.CallToolResult, _call_tool),
        on_list_resources=_typed(types.ListResourcesResult, _list_resources),
        on_list_resource_templates=_typed(types.ListResourceTemplatesResult, _list_templates),
        on_read_resource=_typed(types.ReadResourceResult, _read_resource),
        on_subscribe_resource=_typed(types.EmptyResult, _nothing),
        on_unsubscribe_resource=_typed(types.EmptyResult, _nothing),
        on_subscriptions_listen=ListenHandler(BUS),
        on_list_prompts=_typed(types.ListPromptsResult, _list_prompts),
        on_get_prompt=_typed(types.GetPromptResult, _get_prompt),
        on_completion=_typed(types.CompleteResult, _complete),
        on_set_logging_level=_typed(types.EmptyResult, _nothing),
    )
    server.middleware.clear()
    server.middleware.append(RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience="conformance"))
    return server


async def _serve(server: Server[Any]) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    inner = guarded(server, "127.0.0.1", port, TOKEN, event_store=Events(), retry_interval=100)

    async def asgi(scope: Any, receive: Any, send: Any) -> None:
        # The suite cannot send a token; everything else of the guard is in its way.
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], (b"authorization", f"Bearer {TOKEN}".encode())]}
        await inner(scope, receive, send)

    print(f"http://127.0.0.1:{port}/mcp", flush=True)
    await uvicorn.Server(uvicorn.Config(asgi, log_level="error", access_log=False)).serve(sockets=[listener])


async def main(real: bool) -> None:
    """Serve the fixture, or the real tools; the first line on standard output is the address."""
    if not real:
        return await _serve(build())
    app = Application()
    try:
        await _serve(build_real(app))
    finally:
        await app.close()


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # logging is deprecated, and a scenario wants it
    asyncio.run(main("real" in sys.argv[1:]))
