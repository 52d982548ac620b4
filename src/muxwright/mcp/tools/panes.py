"""Panes: list, read, type, resize, kill."""

from __future__ import annotations

from functools import partial
from typing import Any

from muxwright import Generation, PaneId, PaneInfo, PaneRef, ServerIdentity
from muxwright.mcp.capability import Capability, OutputClass
from muxwright.mcp.context import Context
from muxwright.mcp.endpoint import Host
from muxwright.mcp.errors import ToolError
from muxwright.mcp.keys import Typing, is_interrupt, read_keys
from muxwright.mcp.schemas import PANE, PANE_TARGET, array, boolean, closed, integer, outcome, string
from muxwright.mcp.targets import target_of
from muxwright.mcp.tool import Tool
from muxwright.mcp.tools.common import ATOMIC, DATA, DONE, KEYS, clean, clip, done, known, limit_bytes, places

__all__ = ["TOOLS", "pane_row", "type_keys"]

CAPTURE_BYTES = 65536
PASTE_BYTES = 65536
MAX_CONTEXTS = 8
MAX_PANES = 4096

# --- list_panes ---

_CONTEXT = closed(
    {
        "sessionId": string(),
        "sessionName": string(),
        "windowId": string(),
        "windowName": string(),
        "windowIndex": integer(),
    }
)
_NULLABLE = {"type": ["string", "null"]}
_PANE_ROW = closed(
    {
        "target": PANE,
        "active": boolean(),
        "dead": boolean(),
        "command": _NULLABLE,
        "title": string(),
        "width": integer(),
        "height": integer(),
        "caller": boolean(),
        "contexts": array(_CONTEXT, maximum=MAX_CONTEXTS),
        "contextsTruncated": boolean(),
        "fieldsTruncated": boolean(),
    }
)
_LISTING = closed(
    {
        "panes": array(_PANE_ROW, maximum=128),
        "total": integer(),
        "nextOffset": {"type": ["integer", "null"]},
        "truncated": boolean(),
        "coverage": string(),
        "generationGuarantee": string(),
        "terminalContent": string(),
    }
)


# One listing instead of a whole snapshot: with many panes, tmux takes most of the time for what a field costs it.
_FIELDS = (
    "pid start_time pane_id pane_active pane_dead pane_current_command pane_title pane_width pane_height"
    " session_id session_name window_id window_name window_index"
).split()


async def list_panes(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """List physical panes, each once."""
    limit, offset = arguments.get("limit", 32), arguments.get("offset", 0)
    listed = await context.read(lambda host: host.list_panes(*_FIELDS, timeout=context.remaining))
    links: dict[PaneRef, list[dict[str, str]]] = {}
    path = await context.socket_path()
    for row in listed:
        context.app.seen = Generation(int(row["pid"]), int(row["start_time"]))
        links.setdefault(PaneRef(ServerIdentity(path, context.app.seen), PaneId(row["pane_id"])), []).append(row)
    allowed = context.app.allowed
    panes = [ref for ref in links if allowed is None or ref in allowed]
    if len(panes) > MAX_PANES:
        raise ToolError("discovery_limit", f"this server has {len(panes)} panes, more than {MAX_PANES}")
    page = panes[offset : offset + limit]
    end = offset + len(page)
    more = end < len(panes)
    return {
        "panes": [_listed(context, ref, links[ref]) for ref in page],
        "total": len(panes),
        "nextOffset": end if more else None,
        "truncated": more,
        "coverage": "complete_observed_graph",
        "generationGuarantee": ATOMIC,
        "terminalContent": DATA,
    }


def _listed(context: Context, ref: PaneRef, links: list[dict[str, str]]) -> dict[str, Any]:
    """Return a pane as listed, from its rows: one for each link of its window."""
    row = links[0]
    contexts = [
        {
            "sessionId": link["session_id"],
            "sessionName": clean(link["session_name"]),
            "windowId": link["window_id"],
            "windowName": clean(link["window_name"]),
            "windowIndex": int(link["window_index"]),
        }
        for link in links
    ]
    facts = {
        "active": row["pane_active"] == "1",
        "dead": row["pane_dead"] == "1",
        "title": row["pane_title"],
        "width": int(row["pane_width"]),
        "height": int(row["pane_height"]),
    }
    return _row(context, ref, row["pane_current_command"], contexts, facts)


def pane_row(context: Context, pane: PaneInfo) -> dict[str, Any]:
    """Return a pane of a snapshot as `list_panes` shows it."""
    facts = {name: getattr(pane, name) for name in ("active", "dead", "title", "width", "height")}
    return _row(context, pane.ref, known(pane, "current_command") or "", places(pane.window), facts)


def _row(
    context: Context, ref: PaneRef, program: str, contexts: list[dict[str, Any]], facts: dict[str, Any]
) -> dict[str, Any]:
    command, cut = clip(program, 256)
    title, title_cut = clip(facts["title"], 256)
    for place in contexts:
        for name in ("sessionName", "windowName"):
            place[name], name_cut = clip(place[name], 128)
            cut |= name_cut
    return {
        "target": target_of(ref),
        "active": facts["active"],
        "dead": facts["dead"],
        "command": command or None,
        "title": title,
        "width": facts["width"],
        "height": facts["height"],
        "caller": ref == context.app.caller,
        "contexts": contexts[:MAX_CONTEXTS],
        "contextsTruncated": len(contexts) > MAX_CONTEXTS,
        "fieldsTruncated": cut or title_cut,
    }


# --- capture_pane, get_pane_info ---

_CAPTURED = closed(
    {
        "target": PANE,
        "text": string(),
        "truncated": boolean(),
        "lineLimit": integer(),
        "byteLimit": integer(),
        "encoding": string(),
        "terminalContent": string(),
    }
)


async def capture_pane(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the last lines of a pane."""
    lines, limit = arguments.get("lines", 100), arguments.get("maxBytes", CAPTURE_BYTES)
    ref = await context.pane(arguments)
    capture = await context.read(lambda host: host.pane(ref).capture(start=-lines, timeout=context.remaining))
    try:
        kept = capture.data.decode()
    except UnicodeDecodeError as error:
        raise ToolError("invalid_utf8", f"the text of {ref.id} is not valid UTF-8 at byte {error.start}") from None
    text, cut = clip("\n".join(kept.rstrip().split("\n")[-lines:]), limit)
    return {
        "target": target_of(ref),
        "text": text,
        "truncated": cut,
        "lineLimit": lines,
        "byteLimit": limit,
        "encoding": "utf-8",
        "terminalContent": DATA,
    }


_RELATION = {"oneOf": [{"type": "string", "const": word} for word in ("unknown", "self", "other")]}
_PANE_INFO = {
    "type": "object",
    "$defs": {"Relation": _RELATION},
    "properties": {
        "id": string(),
        "window_id": string(),
        "active": boolean(),
        "caller": {"$ref": "#/$defs/Relation"},
        "command": _NULLABLE,
        "path": _NULLABLE,
    },
    "required": ["id", "window_id", "active", "caller"],
}


async def get_pane_info(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what tmux knows of one pane."""
    ref = await context.bare_pane(arguments["pane"])
    info = await context.read(lambda host: host.pane(ref).refresh(timeout=context.remaining))
    command, path = known(info, "current_command"), known(info, "current_path")
    return {
        "id": ref.id,
        "window_id": info.window_id,
        "active": info.active,
        "caller": context.app.own.relation(ref),
        "command": command and clean(command),
        "path": path and clean(path),
    }


# --- input ---


async def type_keys(context: Context, ref: PaneRef, typing: list[Typing]) -> None:
    """Press and type, in order."""
    for is_key, words in typing:
        if is_key:
            await context.act(partial(_press, ref, words, context.remaining))
        else:
            await context.act(partial(_type, ref, words[0], context.remaining))


async def _press(ref: PaneRef, keys: list[str], timeout: float, host: Host) -> None:
    await host.pane(ref).send_keys(*keys, timeout=timeout)


async def _type(ref: PaneRef, text: str, timeout: float, host: Host) -> None:
    await host.pane(ref).send_text(text, timeout=timeout)


async def send_keys(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Press keys or type text."""
    typing = read_keys(arguments["keys"], literal=arguments.get("literal", False))
    ref = await context.pane(arguments)
    await context.not_ourselves(ref, typing=True)
    if not is_interrupt(typing):
        await context.not_reserved(ref)
    await type_keys(context, ref, typing)
    return done(ref)


async def paste_text(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Paste text into one pane."""
    text = arguments["text"]
    limit_bytes(text, PASTE_BYTES, "the text")
    ref = await context.pane(arguments)
    await context.not_ourselves(ref)
    await context.not_reserved(ref)
    await context.act(lambda host: host.pane(ref).paste(text, bracketed=True, timeout=context.remaining))
    return done(ref)


# --- the pane itself ---


async def resize_pane(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Resize a pane, as far as its window allows."""
    ref = await context.pane(arguments)
    width, height = arguments.get("width"), arguments.get("height")
    await context.act(lambda host: host.pane(ref).resize(width, height, timeout=context.remaining))
    return done(ref)


async def kill_pane(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Kill a pane and what runs in it."""
    ref = await context.pane(arguments)
    await context.not_ourselves(ref)
    await context.alone(lambda host: host.pane(ref).kill(timeout=context.remaining))
    return done(ref)


_METADATA_AND_TEXT: tuple[OutputClass, ...] = ("tmux-metadata", "terminal-content")
_TARGETED = closed({"target": PANE_TARGET})

TOOLS = (
    Tool(
        name="list_panes",
        capability=Capability("inspect", "none", ("observe",), _METADATA_AND_TEXT),
        about="Lists all panes, each once, with the sessions and windows that hold it, its command, title and size."
        " Start here: its `target` objects are what other tools take. Does not show what is on a screen.",
        input=closed(
            {"limit": integer(1, 128, 32), "offset": integer(0, 1_000_000, 0, "`nextOffset` of the page before")}, []
        ),
        output=outcome(_LISTING),
        handler=list_panes,
        default_private=True,
        default_borrowed=True,
        nestable=True,
        always_load=True,
    ),
    Tool(
        name="capture_pane",
        capability=Capability("inspect", "none", ("observe",), _METADATA_AND_TEXT),
        about="Returns the last lines of a pane, its history included, without trailing blank lines."
        " For output as it comes use wait_for_text or capture_since instead of capturing again and again.",
        input=closed(
            {
                "target": PANE_TARGET,
                "lines": integer(1, 1000, 100),
                "maxBytes": integer(1, CAPTURE_BYTES, CAPTURE_BYTES),
            },
            ["target"],
        ),
        output=outcome(_CAPTURED),
        handler=capture_pane,
        default_private=True,
        default_borrowed=True,
        nestable=True,
    ),
    Tool(
        name="send_keys",
        capability=Capability("execute", "pane-input", ("change",)),
        about='Presses keys and types text: ["ls -l", "Enter"]. No Enter is added. With `literal` every item is typed'
        ' as it is. ["C-c"] alone interrupts a run that holds the pane. It does not prove that a program read it.',
        input=closed({"target": PANE_TARGET, "keys": KEYS, "literal": boolean(False)}, ["target", "keys"]),
        output=DONE,
        handler=send_keys,
        default_private=True,
        default_borrowed=True,
        nestable=True,
    ),
    Tool(
        name="paste_text",
        capability=Capability("execute", "pane-input", ("change",)),
        about="Pastes text of up to 64 kB, several lines too, into this pane only; bracketed where the program asked"
        " for it, and then a shell waits for Enter (send_keys).",
        input=closed({"target": PANE_TARGET, "text": string(maxLength=PASTE_BYTES)}),
        output=DONE,
        handler=paste_text,
        default_private=True,
        nestable=True,
    ),
    Tool(
        name="resize_pane",
        capability=Capability("manage", "none", ("change",)),
        about="Sets a pane's width or height in cells, as far as its window allows.",
        input=closed(
            {"target": PANE_TARGET, "width": integer(1, 10_000), "height": integer(1, 10_000)},
            ["target"],
            anyOf=[{"required": ["width"]}, {"required": ["height"]}],
        ),
        output=DONE,
        handler=resize_pane,
        idempotent=True,
        overrides={"destructiveHint": True, "openWorldHint": True},
        nestable=True,
    ),
    Tool(
        name="kill_pane",
        capability=Capability("teardown", "none", ("delete",)),
        about="Kills a pane and what runs in it; the last pane takes its window and session with it.",
        input=_TARGETED,
        output=DONE,
        handler=kill_pane,
        overrides={"openWorldHint": True},
        default_private=True,
        nestable=True,
    ),
    Tool(
        name="get_pane_info",
        capability=Capability("inspect", "none", ("observe",)),
        about="Returns one pane's window, command, directory, and whether this server runs in it.",
        input=closed({"pane": string('A pane\'s id, such as "%1"')}),
        output=_PANE_INFO,
        title="Get Pane Info",
        handler=get_pane_info,
        plain_errors=True,
        default_private=True,
    ),
)
