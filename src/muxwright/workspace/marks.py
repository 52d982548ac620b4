"""How a session, window or pane of ours is known again: user options, and what they say."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["COMPLETE", "PANE", "RUN", "SOURCE", "STATE", "WINDOW", "pane_mark", "read_mark"]

RUN = "@muxwright-run"
"""Of a session: the random word of the load that made it."""

STATE = "@muxwright-state"
"""Of a session: ``building`` until everything stands, then ``complete``."""

COMPLETE = "complete"

SOURCE = "@muxwright-source"
"""Of a session: the file it came from."""

WINDOW = "@muxwright-window"
"""Of a window: its key in the file."""

PANE = "@muxwright-pane"
"""Of a pane: JSON with its key in the file and the commands that were typed."""


def pane_mark(key: str, commands: list[dict[str, Any]]) -> str:
    """Return what is kept with a pane."""
    return json.dumps({"key": key, "commands": commands}, ensure_ascii=True, separators=(",", ":"))


def read_mark(text: object) -> tuple[str | None, list[dict[str, Any]] | None]:
    """Return key and commands of a pane's mark; ``None`` for what is not there. Anybody may have written it."""
    try:
        data = json.loads(text) if isinstance(text, str) and text else {}
    except ValueError:
        return None, None
    if not isinstance(data, dict):
        return None, None
    key, commands = data.get("key"), data.get("commands")
    sound = isinstance(commands, list) and all(isinstance(command, dict) for command in commands)
    return (key if isinstance(key, str) else None), (commands if sound else None)
