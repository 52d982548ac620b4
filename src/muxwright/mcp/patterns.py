"""Patterns of callers, matched in linear time: no text and no pattern can hold the server up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from muxwright.mcp.errors import ToolError
from muxwright.mcp.tools.common import limit_bytes

__all__ = ["compile_pattern", "compile_patterns"]

EACH = 1024
TOGETHER = 8192


def compile_pattern(pattern: str, *, regex: bool, match_case: bool) -> Any:
    """Return a compiled pattern of RE2; a literal one is quoted, so it means itself."""
    import re2

    limit_bytes(pattern, EACH, "a pattern")
    options = re2.Options()
    options.case_sensitive = match_case
    options.log_errors = False
    try:
        return re2.compile(pattern if regex else re2.escape(pattern), options)
    except re2.error as error:
        said = error.args[0] if error.args else "no valid expression"
        text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        raise ToolError(
            "invalid_arguments",
            f"the pattern {pattern[:60]!r} is no RE2 expression: {text} (or leave regex out)",
        ) from None


def compile_patterns(patterns: Sequence[str], *, regex: bool, match_case: bool) -> list[Any]:
    """Return compiled patterns, all together of bounded size."""
    limit_bytes("".join(patterns), TOGETHER, "all patterns together")
    return [compile_pattern(pattern, regex=regex, match_case=match_case) for pattern in patterns]
