"""The catalogue for people: what is offered and what it costs a model to know of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from muxwright.mcp.capability import CAPABILITY_KEY
from muxwright.mcp.catalogue import model_bytes
from muxwright.mcp.tools.common import wire_bytes

__all__ = ["listing"]


def listing(entries: Sequence[dict[str, Any]]) -> str:
    """Return a table of advertised tools: toolset, what it does, bytes that a model sees, bytes in all."""
    lines = [f"{'tool':24} {'toolset':9} {'hints':23} {'model':>6} {'wire':>6}"]
    for entry in entries:
        toolset = entry["_meta"][CAPABILITY_KEY]["toolset"]
        row = f"{entry['name']:24} {toolset:9} {_hints(entry['annotations']):23}"
        lines.append(f"{row} {model_bytes(entry):6} {wire_bytes(entry):6}")
    seen, sent = sum(map(model_bytes, entries)), wire_bytes({"tools": list(entries)})
    lines.append(f"{len(entries)} tools: a model sees {seen} bytes (about {seen // 4} tokens), tools/list has {sent}")
    return "\n".join(lines)


def _hints(annotations: dict[str, Any]) -> str:
    words = {"readOnlyHint": "reads", "destructiveHint": "destroys", "idempotentHint": "idempotent"}
    return " ".join(word for hint, word in words.items() if annotations[hint]) or "changes"
