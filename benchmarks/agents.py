"""The MCP server against libtmux-mcp: both get the same lines from the same client, over the same tmux."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Self

from benchmarks import peers
from benchmarks.measure import Block, Claim, Comparison, Effort, measure, timed
from benchmarks.servers import TMUX, fill, private_server
from benchmarks.waiting import latency, printer
from muxwright import Server

__all__ = ["calls", "starts", "waits"]

OURS, THEIRS = "muxwright mcp", "libtmux-mcp"

_INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class _Client:
    """A server's process and the lines to and from it."""

    def __init__(self, words: list[str], environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )
        self._numbers = itertools.count(1)

    def say(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Return the result of one request; what comes unasked is passed over."""
        number = next(self._numbers)
        self.say({"id": number, "method": method, "params": params})
        assert self.process.stdout is not None
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == number:
                return answer["result"]
        raise EOFError("the process has ended")

    def begin(self) -> Self:
        self.ask("initialize", _INITIALIZE)
        self.say({"method": "notifications/initialized"})
        return self

    def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        assert not result.get("isError"), result
        return result

    def megabytes(self) -> float:
        """Return the memory that is resident."""
        told = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(self.process.pid)], check=True, capture_output=True, text=True
        )
        return int(told.stdout) / 1024

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


class _Place:
    """How both servers are started so that they use one tmux server."""

    def __init__(self, directory: str) -> None:
        # Both are compiled by the first, unmeasured turn.
        kept = {name: value for name, value in os.environ.items() if name not in ("TMUX", "PYTHONDONTWRITEBYTECODE")}
        shell = {"SHELL": "/bin/sh", "ENV": "/dev/null"}
        self._environment = kept | shell | {"PYTHONPYCACHEPREFIX": directory}

    def ours(self) -> _Client:
        command = str(Path(sys.executable).parent / "muxwright")
        return _Client([command, "mcp", "--tmux", TMUX, "--toolset", "inspect,manage,execute"], self._environment)

    def theirs(self, socket: str) -> _Client:
        return _Client([peers.command(THEIRS)], self._environment | {"LIBTMUX_SOCKET_PATH": socket})


@contextlib.contextmanager
def _both() -> Iterator[tuple[_Client, _Client, Server]]:
    """Start ours, which starts a private tmux server, and then the other on that; yield that as well."""
    with tempfile.TemporaryDirectory() as directory:
        place = _Place(directory)
        with place.ours() as ours:
            socket = ours.begin().call("get_server_info", {})["structuredContent"]["socketPath"]
            with place.theirs(socket) as theirs:
                yield ours, theirs.begin(), Server(socket_path=socket, tmux=TMUX)


def starts(effort: Effort) -> list[Comparison]:
    """From starting the process to its first list of tools, and the memory it has then."""
    label = "MCP: start to the first list of tools"
    times = Comparison("mcp-start", "From the start of the process to the first tools/list", (_less(label, 0.7),))
    memory = Comparison(
        "mcp-memory", "Resident memory after the first tools/list", (_less("MCP: memory after it", 0.85),), unit="MB"
    )
    held: dict[str, list[list[float]]] = {OURS: [], THEIRS: []}
    with private_server() as server, tempfile.TemporaryDirectory() as directory:
        server.new_session("home")
        place = _Place(directory)
        begin: dict[str, Callable[[], _Client]] = {OURS: place.ours, THEIRS: partial(place.theirs, server.socket_path)}

        def block(name: str) -> Block:
            def once() -> float:
                began = time.perf_counter()
                with begin[name]() as client:
                    assert client.begin().ask("tools/list", {})["tools"]
                    took = time.perf_counter() - began
                    held[name][-1].append(client.megabytes())
                return took

            def several(operations: int) -> list[float]:
                held[name].append([])
                return [once() for _ in range(operations)]

            return several

        measure(times, {name: block(name) for name in held}, effort)
    memory.samples = {name: blocks[effort.warm_up :] for name, blocks in held.items()}
    return [times, memory]


def calls(effort: Effort) -> list[Comparison]:
    """Single calls, from line to line."""
    found = []
    with _both() as (ours, theirs, server):
        fill(server, 1, 10, 100)
        assert len(ours.call("list_panes", {"limit": 100})["structuredContent"]["panes"]) == 100
        found.append(
            _call(
                "MCP: list_panes, 100 panes",
                effort,
                (ours, "list_panes", {"limit": 100}),
                (theirs, "list_panes", {}),
            )
        )
    with _both() as (ours, theirs, server):
        server.new_session("home", command=["/bin/sh"])
        pane = ours.call("list_panes", {})["structuredContent"]["panes"][0]
        target, bare = {"target": pane["target"]}, {"pane_id": pane["target"]["paneId"]}
        found += [
            _call(f"MCP: {tool}", effort, (ours, tool, target), (theirs, tool, bare))
            for tool in ("capture_pane", "snapshot_pane")
        ]
        run = {"pane": bare["pane_id"], "command": "true"}
        assert ours.call("run_shell_command", run)["structuredContent"]["exit_status"] == 0
        found.append(
            _call(
                'MCP: run_shell_command("true")',
                effort,
                (ours, "run_shell_command", run),
                (theirs, "run_command", bare | {"command": "true"}),
            )
        )
    return found


Call = tuple[_Client, str, dict[str, Any]]


def _call(label: str, effort: Effort, ours: Call, theirs: Call) -> Comparison:
    comparison = Comparison(label.partition(" ")[2], f"{label}: one call", (Claim(label, "faster", OURS, THEIRS, 4),))

    def once(call: Call) -> Callable[[], object]:
        client, tool, arguments = call
        return lambda: client.call(tool, arguments)

    return measure(comparison, {OURS: timed(once(ours)), THEIRS: timed(once(theirs))}, effort)


def waits(effort: Effort) -> list[Comparison]:
    """From a text printed by a program to the answer of the call that waits for it."""
    label = "MCP: wait_for_text"
    comparison = Comparison(
        "mcp-wait", "From text printed to wait_for_text answered", (Claim(label, "faster", OURS, THEIRS, 5),)
    )
    with (
        tempfile.TemporaryDirectory() as directory,
        printer(directory) as (program, say),
        _both() as (ours, theirs, server),
    ):
        server.new_session("home", command=program)
        target = ours.call("list_panes", {})["structuredContent"]["panes"][0]["target"]

        def our_wait(text: str) -> object:
            return ours.call("wait_for_text", {"target": target, "text": text})

        def their_wait(text: str) -> object:
            return theirs.call("wait_for_text", {"pane_id": target["paneId"], "patterns": [text], "timeout": 30})

        # Printed when both must have begun to wait: what stands there before counts for one of them only.
        contenders = {name: latency(say, wait, (0.25, 0.35)) for name, wait in ((OURS, our_wait), (THEIRS, their_wait))}
        measure(comparison, contenders, effort)
    return [comparison]


def _less(label: str, limit: float) -> Claim:
    return Claim(label, "at most", OURS, THEIRS, limit)
