"""A client that knows nothing but lines: it can say what no SDK would."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

__all__ = ["COMMAND", "ENVELOPE", "RawClient"]

COMMAND = str(Path(sys.executable).parent / "muxwright")

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "raw", "version": "1"},
}


class RawClient:
    """`muxwright mcp` in a process, with its three streams."""

    def __init__(self, *options: str, tmux: str = "tmux", environment: Mapping[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [COMMAND, "mcp", "--tmux", tmux, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.stdin, self.stdout, self.stderr = self.process.stdin, self.process.stdout, self.process.stderr
        self._selector = selectors.DefaultSelector()
        self._selector.register(self.stdout, selectors.EVENT_READ)
        self._buffer = b""
        self._next = 0
        self._answers: dict[int | str | None, dict[str, Any]] = {}
        self.notifications: list[dict[str, Any]] = []

    def send(self, data: bytes) -> None:
        self.stdin.write(data)
        self.stdin.flush()

    def line(self, message: object) -> None:
        self.send(json.dumps(message).encode() + b"\n")

    def request(self, method: str, params: dict[str, Any] | None = None, request_id: int | str | None = None) -> Any:
        """Send a request without waiting and return its id."""
        self._next += 1
        request_id = self._next if request_id is None else request_id
        self.line({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params or {}})
        return request_id

    def receive(self, timeout: float = 40.0) -> dict[str, Any]:
        """Return the next message; fails when there is none in time."""
        end = time.monotonic() + timeout
        while b"\n" not in self._buffer:
            if not self._selector.select(max(0.0, end - time.monotonic())):
                raise AssertionError(f"no message within {timeout:g} s")
            data = os.read(self.stdout.fileno(), 1 << 20)
            if not data:
                raise EOFError(self.stderr.read().decode())
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        message: dict[str, Any] = json.loads(line)
        return message

    def answer(self, request_id: int | str | None, timeout: float = 40.0) -> dict[str, Any]:
        """Return the answer to one request; notifications in between are kept, and so are the answers to others."""
        while request_id not in self._answers:
            message = self.receive(timeout)
            if "id" in message and "method" not in message:
                self._answers[message["id"]] = message
            else:
                self.notifications.append(message)
        return self._answers.pop(request_id)

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        return self.answer(self.request(method, params))

    def initialize(self) -> dict[str, Any]:
        answer = self.ask("initialize", INITIALIZE)
        self.line({"jsonrpc": "2.0", "method": "notifications/initialized"})
        result: dict[str, Any] = answer["result"]
        return result

    def call(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a tool (legacy) and return its result."""
        answer = self.ask("tools/call", {"name": name, "arguments": arguments})
        result: dict[str, Any] = answer["result"]
        return result

    def start_call(self, name: str, /, meta: dict[str, Any] | None = None, **arguments: Any) -> Any:
        params: dict[str, Any] = {"name": name, "arguments": arguments}
        return self.request("tools/call", params | ({"_meta": meta} if meta else {}))

    def shell(self, *command: str) -> dict[str, str]:
        made = self.call("create_session", name="work", command=list(command or ("cat",)))
        target: dict[str, str] = made["structuredContent"]["panes"][0]
        return target

    def clear(self) -> None:
        """End all sessions, and forget what was not asked for: the next test finds it as new."""
        info = self.call("get_server_info")["structuredContent"]
        for session in info["sessions"]:
            self.call("kill_session", target={"sessionId": session["sessionId"], "generation": info["generation"]})
        self.notifications.clear()

    def end(self, how: int | None = None, timeout: float = 30.0) -> tuple[int, float, str]:
        """End by closing the input, or by a signal; return status, seconds and standard error."""
        began = time.monotonic()
        if how is None:
            with contextlib.suppress(BrokenPipeError):
                self.stdin.close()
        else:
            os.kill(self.process.pid, how)
        status = self.process.wait(timeout)
        took = time.monotonic() - began
        return status, took, self.stderr.read().decode()

    def close(self) -> None:
        if self.process.poll() is None:
            with contextlib.suppress(BrokenPipeError):
                self.stdin.close()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.send_signal(signal.SIGKILL)
                self.process.wait()
        self._selector.close()
        for stream in (self.stdin, self.stdout, self.stderr):
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
