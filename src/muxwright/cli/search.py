"""`muxwright search`: workspace files whose names or contents match."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Any

import click

from muxwright.cli.ls import describe
from muxwright.cli.workspace_common import OutputKind, Report, output_option, run_verb
from muxwright.errors import InvalidArgument
from muxwright.workspace import list_files

__all__ = ["command"]

FIELDS = {
    "name": "name", "n": "name", "session": "session", "session_name": "session", "s": "session", "path": "path",
    "p": "path", "window": "window", "w": "window", "pane": "pane",
}  # fmt: skip


@click.command("search")
@click.argument("patterns", nargs=-1, required=True, metavar="PATTERN...")
@click.option("-f", "--field", "fields", multiple=True, type=click.Choice(sorted(set(FIELDS.values()))), help="Where.")
@click.option("-i", "--ignore-case", is_flag=True, help="Upper and lower case are the same.")
@click.option("-F", "--fixed-strings", is_flag=True, help="Patterns are text, not regular expressions.")
@click.option("-w", "--word-regexp", is_flag=True, help="Only whole words.")
@click.option("-v", "--invert-match", is_flag=True, help="Files that do not match.")
@click.option("--any", "any_", is_flag=True, help="One pattern is enough.")
@output_option
def command(
    patterns: tuple[str, ...],
    fields: tuple[str, ...],
    ignore_case: bool,
    fixed_strings: bool,
    word_regexp: bool,
    invert_match: bool,
    any_: bool,
    output: OutputKind,
) -> int:
    """List the workspace files that match all patterns; window:logs looks only in the names of windows."""
    report = Report(output)

    def verb() -> int:
        tests = [_test(pattern, fields, ignore_case, fixed_strings, word_regexp) for pattern in patterns]
        decide = any if any_ else all
        found = []
        for file in list_files(os.environ):
            known = describe(file, full=True)
            texts = _texts(known)
            if decide(test(texts) for test in tests) is not invert_match:
                found.append({name: value for name, value in known.items() if name != "config"})
        lines = [f"{file['name']}  {file['path']}" for file in found]
        report.result({"status": "found", "workspaces": found}, "\n".join(lines) or "no workspace matches")
        return 0

    return run_verb(report, verb)


def _test(
    pattern: str, fields: tuple[str, ...], ignore_case: bool, fixed: bool, words: bool
) -> Callable[[Mapping[str, list[str]]], bool]:
    prefix, colon, rest = pattern.partition(":")
    where = [FIELDS[prefix]] if colon and prefix in FIELDS else list(fields)
    text = rest if colon and prefix in FIELDS else pattern
    text = re.escape(text) if fixed else text
    try:
        expression = re.compile(rf"\b(?:{text})\b" if words else text, re.IGNORECASE if ignore_case else 0)
    except re.error as error:
        raise InvalidArgument(f"{pattern!r} is no regular expression: {error}") from None

    def test(texts: Mapping[str, list[str]]) -> bool:
        return any(expression.search(text) for name in where or texts for text in texts[name])

    return test


def _texts(known: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return what can be searched, by field."""
    config = known.get("config")
    windows = config.get("windows") if isinstance(config, dict) else None
    found: dict[str, list[str]] = {
        "name": [known["name"]],
        "path": [known["path"]],
        "session": [known["session_name"] or ""],
        "window": [],
        "pane": [],
    }
    for window in windows if isinstance(windows, list) else []:
        if isinstance(window, dict):
            found["window"].append(str(window.get("window_name", "")))
            found["pane"] += _strings(window.get("panes"))
    return found


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for child in children for text in _strings(child)]
