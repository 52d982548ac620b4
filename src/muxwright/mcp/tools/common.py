"""What several handlers share."""

from __future__ import annotations

import json
from typing import Any

from muxwright import PaneInfo, PaneRef, SnapshotCoverageError, WindowInfo
from muxwright.mcp.errors import ToolError
from muxwright.mcp.schemas import PANE, Schema, boolean, closed, outcome, string
from muxwright.mcp.targets import target_of

__all__ = [
    "ATOMIC",
    "DATA",
    "DONE",
    "KEYS",
    "RESULT_LIMIT",
    "as_json",
    "clean",
    "clip",
    "done",
    "known",
    "limit_bytes",
    "places",
    "wire_bytes",
]

RESULT_LIMIT = 1024 * 1024
"""Bytes of a result; a client's buffer has ten times that."""

ATOMIC = "atomic"
"""`generationGuarantee`: tmux itself checks generation and pane in the queue item of the act."""

DATA = "data"
"""`terminalContent`: text of programs is data and asks for nothing."""

DONE = outcome(closed({"target": PANE, "completed": boolean(), "generationGuarantee": string()}))

KEYS: Schema = {
    "type": "array",
    "items": string(maxLength=1024),
    "minItems": 1,
    "maxItems": 64,
    "description": 'Key names such as "Enter", "C-c", "Up"; other items are typed as text',
}


def done(ref: PaneRef) -> dict[str, Any]:
    """The result of an act on a pane."""
    return {"target": target_of(ref), "completed": True, "generationGuarantee": ATOMIC}


def clean(text: str) -> str:
    """Return text that is valid UTF-8: bytes that were none come as U+FFFD."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def clip(text: str, limit: int) -> tuple[str, bool]:
    """Return text of at most `limit` bytes, never a part of a character, and whether that cut it."""
    text = clean(text)
    if len(data := text.encode()) <= limit:
        return text, False
    return data[:limit].decode("utf-8", "ignore"), True


def known(info: PaneInfo | WindowInfo, name: str) -> Any:
    """Return a field, ``None`` where tmux did not tell."""
    try:
        return getattr(info, name)
    except SnapshotCoverageError:
        return None


def places(window: WindowInfo) -> list[dict[str, Any]]:
    """Return where a window is linked, with full names."""
    return [
        {
            "sessionId": link.session_id,
            "sessionName": clean(link.session.name),
            "windowId": window.id,
            "windowName": clean(window.name),
            "windowIndex": link.index,
        }
        for link in window.links
    ]


def limit_bytes(text: str, limit: int, what: str, better: str = "") -> None:
    """Refuse a text that is too long; a schema can only count characters."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > limit:
        raise ToolError("invalid_arguments", f"{what} has {size} bytes, more than {limit}{better}")


def as_json(value: Any) -> str:
    """Return a value as compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def wire_bytes(value: Any) -> int:
    """Return the size of a value as compact JSON."""
    return len(as_json(value).encode())
