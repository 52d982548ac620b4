"""The page about what the tools of others found, and why what failed is as it should be."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from typing import Any

__all__ = ["page", "unexplained"]

_TASKS = (
    "The extension io.modelcontextprotocol/tasks is not part of the core and does not count for the revision, as the"
    " suite itself says. Long work is a job with a handle (`start_command`, `job_status`), which every client can use."
)
_CHANGES = (
    "The SDK declares listChanged for every list once subscriptions are served; our lists never change while the server"
    " runs, so there is nothing to send."
)
_FOREIGN = "The scenario looks for a tool of its own; the same check passes on the fixture (`conformance-2026-07-28`)."
_NULLS = (
    "The shape is a published contract of the tools: a list of types is how they say that a value may be null. It is"
    " legal JSON Schema, and the inspector itself counts it as no error."
)
_INVENTED = (
    "The probe makes up its arguments (a pane `%0` of the server `sample`). Such a target has to be refused, with an"
    " error that says what to do."
)
_ONE_OF = (
    "It waits for exactly one of four things, and the probe leaves all of them out: each by itself is optional, and the"
    " description says that one is needed."
)
_JOB = "The probe makes up a job."

# What failed or was remarked on, as `check name / finding`, and why.
EXPLAINED = {
    "conformance-2026-07-28 / tasks-*": _TASKS,
    "conformance-real-* / server-stateless: sep-2575-server-sends-*-list-changed-on-subscription": _CHANGES,
    "conformance-real-* / server-stateless: *": _FOREIGN,
    "inspector-* / *Schema.*": _NULLS,
    "amagi-mcp-probe / create_session: tool-error": "The probe asks for a program named `sample`; there is none.",
    "amagi-mcp-probe / *_job: tool-error": _JOB,
    "amagi-mcp-probe / job_status: tool-error": _JOB,
    "amagi-mcp-probe / wait_for: tool-error": _ONE_OF,
    "amagi-mcp-probe / *: tool-error": _INVENTED,
    "mcp-lighthouse / perf-init-time": "Importing the official SDK takes seconds on a machine that has other work.",
}

INTRODUCTION = """# Conformance

Written by `make conformance`; do not edit. What clients, suites and judges that others wrote find when they meet
`muxwright mcp`. Each has a command of its own:

    .venv/bin/python -m tests.mcp.outside NAME

It installs the tool below `build/`, runs it and renews its lines here; without a name all run, in about four minutes.
Some need npm (a Node that is new enough comes with them). The official Python client is also part of `make test`.

The conformance suite calls tools, prompts and resources that only it knows. They are in `tests/mcp/outside/fixture.py`,
a server that is reached through our own HTTP entry with its checks of token, Host and Origin: what passes there is the
protocol. In `conformance-real-...` the same suite meets the real tools, in the scenarios that need none of its own.
"""


def explanation(check: str, finding: str) -> str | None:
    """Return why a finding is as it should be."""
    key = f"{check} / {finding}"
    return next((why for pattern, why in EXPLAINED.items() if fnmatch.fnmatchcase(key, pattern)), None)


def unexplained(results: Mapping[str, Any]) -> list[str]:
    """Return the findings that nobody has explained."""
    return [
        f"{check} / {finding}: {words}"
        for check, result in results.items()
        for finding, words in (result["failed"] | result["remarks"]).items()
        if explanation(check, finding) is None
    ]


def page(results: Mapping[str, Any]) -> str:
    """Return the page of all results."""
    rows = ["| Name | Tool | Passed | Failed | Remarks | Date |", "| --- | --- | ---: | ---: | ---: | --- |"]
    for name, result in results.items():
        counts = " | ".join(str(each) for each in (result["passed"], len(result["failed"]), len(result["remarks"])))
        rows.append(f"| `{name}` | {result['tool']} | {counts} | {result['date']} |")
    parts = [INTRODUCTION, "\n".join(rows) + "\n", "## What was run\n", _commands(results), "## What was found\n"]
    parts += [_found(name, result) for name, result in results.items() if result["failed"] or result["remarks"]]
    return "\n".join(parts)


def _commands(results: Mapping[str, Any]) -> str:
    return "\n".join(f"- `{name}`: `{result['command']}`" for name, result in results.items()) + "\n"


def _found(name: str, result: Mapping[str, Any]) -> str:
    """Return the findings of a check, those with the same explanation together."""
    lines = [f"### {name}\n"]
    for kind in ("failed", "remarks"):
        groups: dict[str, list[str]] = {}
        for finding, words in result[kind].items():
            why = explanation(name, finding) or "**Not explained yet.**"
            groups.setdefault(why, []).append(f"  - `{finding}`" + (f": {_quoted(words)}" if words else ""))
        for why, findings in groups.items():
            lines += [f"- {kind.capitalize()}. {why}", *findings, ""]
    return "\n".join(lines)


def _quoted(words: str) -> str:
    return " ".join(words.split())[:160].replace("<", "&lt;").replace("|", "\\|")
