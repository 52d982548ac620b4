"""The audit log: a line of JSON for each call, in a file that only its owner can read.

What was typed and what may be a secret is kept as its length and a digest. The digest is keyed with a random key of
this log that is written nowhere: equal values look equal, and a short one cannot be found by trying all.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
from datetime import UTC, datetime
from typing import Any

from muxwright.mcp.errors import ToolError

__all__ = ["Audit", "redacted"]

MAX_BYTES = 8 * 1024 * 1024
KEPT = 3  # rotated files: PATH.1 is the youngest

SECRET = frozenset(("keys", "text", "command", "value", "shell", "environment"))
_CUT = 200


class Audit:
    """Writes the log at `path`; the file is made by the first record."""

    def __init__(self, path: str, max_bytes: int = MAX_BYTES) -> None:
        self.path = os.path.abspath(os.path.expanduser(path))
        self._max_bytes = max_bytes
        self._key = secrets.token_bytes(32)
        self._file: int | None = None

    def open(self) -> int:
        """Return the open file; raises `ToolError` when there can be none, since then no call may run."""
        if self._file is None:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
            try:
                self._file = os.open(self.path, flags, 0o600)
                os.fchmod(self._file, 0o600)
            except OSError as error:
                raise ToolError("audit_failed", f"the audit log cannot be written: {error.strerror}") from None
        return self._file

    def record(self, tool: str, arguments: Any, *, outcome: str, effects: str, seconds: float) -> None:
        """Write one line: when, which tool, at what, how long, how it ended and what may have changed."""
        entry = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "tool": tool,
            "arguments": redacted(arguments, self._key),
            "outcome": outcome,
            "effects": effects,
            "durationMs": round(seconds * 1000, 1),
        }
        line = json.dumps(entry, separators=(",", ":"), ensure_ascii=True).encode() + b"\n"
        file = self.open()
        if os.fstat(file).st_size + len(line) > self._max_bytes:
            self._rotate()
            file = self.open()
        os.write(file, line)

    def _rotate(self) -> None:
        self.close()
        for number in range(KEPT, 0, -1):
            older = self.path if number == 1 else f"{self.path}.{number - 1}"
            if os.path.exists(older):
                os.replace(older, f"{self.path}.{number}")

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def redacted(arguments: Any, key: bytes) -> Any:
    """Return arguments as they may be written down."""
    if not isinstance(arguments, dict):
        return _described(arguments)
    return {name[:_CUT]: _argument(name, value, key) for name, value in arguments.items()}


def _argument(name: str, value: Any, key: bytes) -> Any:
    if name == "environment" and isinstance(value, dict):
        return {variable[:_CUT]: _digest(each, key) for variable, each in value.items()}
    if name in SECRET and value is not None:
        return _digest(value, key)
    if name == "operations" and isinstance(value, list):
        return [_operation(each, key) for each in value[:8]]
    if isinstance(value, str):
        return value[:_CUT]
    if value is None or isinstance(value, bool | int | float):
        return value
    if name in ("target", "other", "window", "session") and isinstance(value, dict):
        return {part[:_CUT]: str(each)[:_CUT] for part, each in list(value.items())[:4]}
    return _described(value)


def _operation(item: Any, key: bytes) -> Any:
    if not isinstance(item, dict):
        return _described(item)
    return {"tool": str(item.get("tool"))[:_CUT], "arguments": redacted(item.get("arguments"), key)}


def _digest(value: Any, key: bytes) -> dict[str, Any]:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    data = text.encode("utf-8", "surrogatepass")
    return {"len": len(data), "sha256_prefix": hmac.digest(key, data, "sha256").hex()[:12]}


def _described(value: Any) -> dict[str, Any]:
    """Return of what kind something is that is nobody's business."""
    return {"type": type(value).__name__, "redacted": True}
