"""Each check runs one tool of others against the server and says what passed, failed and was remarked on."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import anyio

from tests.mcp.outside.places import COMMAND, PYTHON_TOOLS, ROOT, environment, node, node_version, package, python_tool
from tests.mcp.outside.python_client import MODES, drive

__all__ = ["CHECKS", "Check", "Result"]


@dataclass(frozen=True)
class Result:
    """How many passed; what failed and what was only remarked on, each with the tool's words."""

    passed: int
    failed: dict[str, str]
    remarks: dict[str, str] = field(default_factory=dict)


class Check(NamedTuple):
    """A check: the tool with its version, what is run, and how."""

    tool: Callable[[], str]
    shown: str
    run: Callable[[], Result]


def _steps(results: dict[str, str]) -> Result:
    failed = {name: wrong for name, wrong in results.items() if wrong}
    return Result(len(results) - len(failed), failed)


def _run(words: list[str], place: Path = ROOT, seconds: float = 600) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=place, env=environment(), capture_output=True, text=True, timeout=seconds, check=False
    )


# --- clients ---


def _python(mode: str) -> Callable[[], Result]:
    def run() -> Result:
        os.environ.update(environment())
        return _steps(anyio.run(drive, mode, COMMAND))

    return run


def _typescript(script: str, *options: str) -> Callable[[], Result]:
    def run() -> Result:
        place = node()
        done = _run(["node_modules/.bin/node", script, *options, COMMAND, "mcp"], place)
        results = dict(json.loads(line) for line in done.stdout.splitlines())
        return _steps(results | ({"ends well": done.stderr[-300:]} if done.returncode else {}))

    return run


# --- the inspector ---

# What it is asked to do, and the status that says that it went well: 5 is an error of a tool.
INSPECTIONS = {
    "tools/list --strict": 0,
    "tools/call --tool-name list_panes": 0,
    "tools/call --tool-name kill_pane --tool-arg target=1": 5,
    "tools/call --tool-name no_such_tool": 5,
    "resources/list": 0,
    "resources/templates/list": 0,
    "resources/read --uri tmux://capabilities": 0,
    "prompts/list": 0,
    "prompts/get --prompt-name diagnose_pane --prompt-args pane=%0": 0,
}
_REMARK = re.compile(r'^(Warning|Error): tool "(.+)"\n\s+Path: (.+)\n\s+Issue: (.+)$', re.MULTILINE)


def _inspector(era: str) -> Callable[[], Result]:
    def run() -> Result:
        place, failed, remarks = node(), dict[str, str](), dict[str, str]()
        command = ["node_modules/.bin/node", "node_modules/.bin/mcp-inspector", "--cli", COMMAND, "mcp"]
        for words, wanted in INSPECTIONS.items():
            done = _run([*command, "--protocol-era", era, "--method", *words.split()], place)
            if done.returncode != wanted:
                failed[words] = f"status {done.returncode}: {done.stderr[-200:]}"
            remarks |= {f"{tool} {path}": issue for _, tool, path, issue in _REMARK.findall(done.stderr)}
        return Result(len(INSPECTIONS) - len(failed), failed, remarks)

    return run


# --- the conformance suite ---

# Scenarios that need nothing of a server but the protocol; all others call tools, prompts and resources of their own.
NEUTRAL = (
    "server-initialize server-session-lifecycle server-stateless ping completion-complete tools-list resources-list"
    " prompts-list dns-rebinding-protection server-sse-multiple-streams sep-2164-resource-not-found caching"
    " http-header-validation input-required-result-unsupported-methods"
).split()


@contextlib.contextmanager
def _served(which: str) -> Iterator[str]:
    """Serve the fixture or the real tools over HTTP; yield the address."""
    words = [sys.executable, "-m", "tests.mcp.outside.fixture", which]
    process = subprocess.Popen(words, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def _conformance(suite: str, *options: str, which: str = "fixture") -> Callable[[], Result]:
    def run() -> Result:
        place = node()
        script = f"node_modules/{suite}/dist/index.js"
        with tempfile.TemporaryDirectory() as written, _served(which) as url:
            _run(["node_modules/.bin/node", script, "server", "--url", url, "-o", written, *options], place)
            return _scenarios(Path(written), NEUTRAL if which == "real" else None)

    return run


def _scenarios(written: Path, only: list[str] | None) -> Result:
    passed, failed, remarks = 0, dict[str, str](), dict[str, str]()
    for path in sorted(written.glob("server-*/checks.json")):
        scenario = re.sub(r"^server-|-\d{4}-\d\d-\d\dT.*$", "", path.parent.name)
        if only is not None and scenario not in only:
            continue
        for check in json.loads(path.read_text(encoding="utf-8")):
            name, words = f"{scenario}: {check['id']}", str(check.get("errorMessage") or "")[:300]
            if check["status"] == "SUCCESS":
                passed += 1
            elif check["status"] == "FAILURE":
                failed[name] = words
            elif check["status"] == "WARNING":
                remarks[name] = words
    if not passed:
        raise RuntimeError("the suite has not run")
    return Result(passed, failed, remarks)


# --- judges ---


def _amagi() -> Result:
    words = ["--timeout", "10", "--allow-destructive", "--format", "json", "--", COMMAND, "mcp"]
    (server,) = json.loads(_run([python_tool("amagi-mcp-probe"), *words]).stdout)["servers"]
    failed, remarks = dict[str, str](), dict[str, str]()
    for tool in server["tools"]:
        for finding in tool["findings"]:
            kept = failed if finding["severity"] == "error" else remarks
            kept[f"{tool['name']}: {finding['check']}"] = _told(finding["message"])
    failed |= {each["check"]: each["message"] for each in server["findings"]}
    return Result(sum(tool["status"] == "pass" for tool in server["tools"]), failed, remarks)


def _told(message: str) -> str:
    """Return what our own error says inside of what the tool says."""
    found = re.search(r'"message":"((?:[^"\\]|\\.)*)"', message)
    return found[1] if found else message


def _conform() -> Result:
    found = json.loads(
        _run([python_tool("mcp-conform"), "server", "--command", f"{COMMAND} mcp", "--format", "json"]).stdout
    )
    return Result(found["passed"], {each["name"]: each["message"] for each in found["checks"] if not each["passed"]})


def _lighthouse() -> Result:
    done = _run([python_tool("mcp-lighthouse"), "scan", "--stdio", f"{COMMAND} mcp", "--fail-under", "95"])
    found: dict[str, dict[str, str]] = {
        mark: dict(re.findall(rf"{mark}\s+(\S+)\s+(.+)", done.stdout)) for mark in "✅⚠❌"
    }
    found["⚠"] = dict(re.findall(r"⚠\S*\s+(\S+)\s+(.+)", done.stdout))
    score = re.search(r"Overall Score: \d+", done.stdout)
    below = {} if done.returncode == 0 else {"score": score[0] if score else done.stderr[-200:]}
    return Result(len(found["✅"]), found["❌"] | below, found["⚠"])


def _npm(name: str) -> Callable[[], str]:
    return lambda: f"{name} {node_version(name)}"


def _suite(name: str) -> Callable[[], str]:
    return lambda: f"@modelcontextprotocol/conformance {node_version(name)}"


def _pip(name: str) -> Callable[[], str]:
    return lambda: f"{name} {PYTHON_TOOLS[name]}"


def _mcp() -> str:
    return f"mcp {package('mcp')} (Python)"


_V1, _V2, _INSPECTOR = (_npm(f"@modelcontextprotocol/{name}") for name in ("sdk", "client", "inspector"))

CHECKS: dict[str, Check] = {
    **{f"python-{mode}": Check(_mcp, f"Client(stdio_client(...), mode={mode!r})", _python(mode)) for mode in MODES},
    "typescript-v1": Check(_V1, "node ts_v1.mjs muxwright mcp", _typescript("ts_v1.mjs")),
    **{
        f"typescript-v2-{mode}": Check(_V2, f"node ts_v2.mjs {mode} muxwright mcp", _typescript("ts_v2.mjs", mode))
        for mode in ("legacy", "auto", "2026-07-28")
    },
    **{
        f"inspector-{era}": Check(
            _INSPECTOR, f"mcp-inspector --cli muxwright mcp --protocol-era {era} --method ...", _inspector(era)
        )
        for era in ("legacy", "modern")
    },
    "conformance-stable": Check(
        _suite("conformance-stable"), "conformance server --url FIXTURE", _conformance("conformance-stable")
    ),
    **{
        f"conformance-{revision}": Check(
            _suite("conformance-alpha"),
            f"conformance server --url FIXTURE --requirements {revision}",
            _conformance("conformance-alpha", "--requirements", revision),
        )
        for revision in ("2025-11-25", "2026-07-28")
    },
    **{
        f"conformance-real-{revision}": Check(
            _suite("conformance-alpha"),
            f"conformance server --url MUXWRIGHT --requirements {revision}",
            _conformance("conformance-alpha", "--requirements", revision, which="real"),
        )
        for revision in ("2025-11-25", "2026-07-28")
    },
    "amagi-mcp-probe": Check(
        _pip("amagi-mcp-probe"), "amagi-mcp-probe --timeout 10 --allow-destructive -- muxwright mcp", _amagi
    ),
    "mcp-conform": Check(_pip("mcp-conform"), 'mcp-conform server --command "muxwright mcp"', _conform),
    "mcp-lighthouse": Check(
        _pip("mcp-lighthouse"), 'mcp-lighthouse scan --stdio "muxwright mcp" --fail-under 95', _lighthouse
    ),
}
