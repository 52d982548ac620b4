"""The protocol over standard input and output.

The SDK's own transport reads and writes with threads that tools can use up, ignores what it cannot parse, holds a
connection to the era of a mere question, and cannot be ended by a signal. So bytes are moved here, by two threads that
nothing waits for, and its loop is given clean messages.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter
from mcp_types import JSONRPCNotification, JSONRPCRequest

from muxwright.mcp.application import Application
from muxwright.mcp.server import build, options

__all__ = ["serve"]

MAX_LINE = 2 * 1024 * 1024
MAX_QUEUED = 8 * 1024 * 1024
GRACE = 0.2  # seconds for the answers to what was asked last before the input ended
FLUSH = 0.2  # seconds for what is still to be written when we end
CHUNK = 65536

PARSE_ERROR, INVALID_REQUEST = -32700, -32600


async def serve(app: Application) -> int:
    """Serve until the input ends, a signal comes or nobody reads; return the exit status."""
    await app.prepare()
    with _own_streams() as (source, sink):
        return await _Connection(app, source, sink).run()


@contextlib.contextmanager
def _own_streams() -> Iterator[tuple[int, int]]:
    """Take the two streams away: what a child or a stray print writes goes to standard error, and reads nothing."""
    source, sink = os.dup(0), os.dup(1)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    try:
        yield source, sink
    finally:
        sys.stdout.flush()
        os.dup2(source, 0)
        os.dup2(sink, 1)


class _Lines:
    """Cuts a stream into lines; one that is too long is dropped whole and given as ``None``."""

    def __init__(self) -> None:
        self._held = b""
        self._dropping = False

    def feed(self, data: bytes) -> Iterator[bytes | None]:
        *lines, rest = (self._held + data).split(b"\n")
        for line in lines:
            if self._dropping or len(line) > MAX_LINE:
                self._dropping = False
                yield None
            elif line.strip():
                yield line
        self._held = rest
        if len(rest) > MAX_LINE:
            self._held, self._dropping = b"", True


class _Writer:
    """Writes lines in a thread of its own, so that a slow reader holds nobody up."""

    def __init__(self, sink: int, broken: asyncio.Event) -> None:
        self._sink = sink
        self._broken = broken
        self._loop = asyncio.get_running_loop()
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._size = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="mcp-writer", daemon=True)
        self._thread.start()

    def write(self, line: bytes) -> None:
        """Queue one line; too many of them end the connection instead of filling the memory."""
        with self._lock:
            self._size += len(line)
            full = self._size > MAX_QUEUED
        if full:
            self._broken.set()
        else:
            self._lines.put(line + b"\n")

    def _run(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                view = memoryview(line)
                while view:
                    view = view[os.write(self._sink, view) :]
            except OSError:
                with contextlib.suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(self._broken.set)
                return
            with self._lock:
                self._size -= len(line) - 1

    async def close(self) -> None:
        """Write what is queued, if somebody reads it soon."""
        self._lines.put(None)
        end = self._loop.time() + FLUSH
        while self._thread.is_alive() and self._loop.time() < end:
            await asyncio.sleep(0.002)


class _Connection:
    """One client on the two streams."""

    def __init__(self, app: Application, source: int, sink: int) -> None:
        self._app = app
        self._server: Server[Any] = build(app)
        self._source = source
        self._broken = asyncio.Event()
        self._reading = anyio.CancelScope()
        self._status = 0
        self._writer = _Writer(sink, self._broken)
        self._loop = asyncio.get_running_loop()
        # Nothing is read ahead: whoever sends faster than we answer has to wait.
        self._inbox: asyncio.Queue[bytes | None] = asyncio.Queue(4)
        self._opened = False
        self._pending: set[object] = set()

    async def run(self) -> int:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            self._loop.add_signal_handler(number, self._signal, number)
        threading.Thread(target=self._read, name="mcp-reader", daemon=True).start()
        session = asyncio.create_task(self._session())
        broken = asyncio.create_task(self._broken.wait())
        try:
            await asyncio.wait([session, broken], return_when=asyncio.FIRST_COMPLETED)
        finally:
            broken.cancel()
            session.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await session
            await self._app.close()
            await self._writer.close()
        return self._status

    def _signal(self, number: int) -> None:
        """Go on as if the input had ended: calls under way are told, and then it is over."""
        self._status = 130 if number == signal.SIGINT else 0
        self._reading.cancel()

    def _read(self) -> None:
        """Hand over what comes in; runs in a thread, which at the end may be left waiting for input."""
        while True:
            try:
                data = os.read(self._source, CHUNK)
            except OSError:
                data = b""
            try:
                asyncio.run_coroutine_threadsafe(self._inbox.put(data or None), self._loop).result()
            except (RuntimeError, concurrent.futures.CancelledError):
                return  # the loop has ended
            if not data:
                return

    async def _lines(self) -> AsyncIterator[bytes | None]:
        lines = _Lines()
        while (data := await self._inbox.get()) is not None:
            for line in lines.feed(data):
                yield line

    async def _session(self) -> None:
        """Run the SDK's loop between the two streams."""
        to_server, server_in = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        server_out, from_server = anyio.create_memory_object_stream[SessionMessage](0)
        async with anyio.create_task_group() as group:
            group.start_soon(self._pump, from_server)
            group.start_soon(self._server.run, server_in, server_out, options(self._server))
            async with to_server:
                with self._reading:
                    async for line in self._lines():
                        await self._take(line, to_server)
                    await self._answered()

    async def _take(self, line: bytes | None, to_server: Any) -> None:
        message = self._parse(line)
        if message is not None and self._is_question(message):
            await self._answer(message)
        elif message is not None:
            if isinstance(message, JSONRPCRequest):
                self._pending.add(message.id)
            await to_server.send(SessionMessage(message))

    async def _answered(self) -> None:
        """Give the last requests a moment: somebody may have piped them in and read until the end."""
        end = self._loop.time() + GRACE
        while self._pending and self._loop.time() < end:
            await asyncio.sleep(0.005)

    async def _pump(self, messages: Any) -> None:
        async for each in messages:
            self._pending.discard(getattr(each.message, "id", None))
            self._writer.write(each.message.model_dump_json(by_alias=True, exclude_unset=True).encode())

    def _parse(self, line: bytes | None) -> Any:
        """Return the message of a line; what is none is answered here."""
        if line is None:
            return self._refuse(PARSE_ERROR, f"Parse error: a message has at most {MAX_LINE} bytes", None)
        try:
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError:
            return self._refuse(*_complaint(line))
        if isinstance(message, JSONRPCNotification) and b'"id"' in line and "id" in _loaded(line):
            # An id of null or 1.5: the SDK would take it for a notification and never answer.
            return self._refuse(INVALID_REQUEST, "Invalid Request: the id of a request is a text or an integer", None)
        return message

    def _refuse(self, code: int, message: str, request_id: Any) -> None:
        error = {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}
        self._writer.write(json.dumps(error, separators=(",", ":")).encode())

    def _is_question(self, message: Any) -> bool:
        """Whether this is a discovery in front of everything else, which decides nothing about the connection."""
        if self._opened or not isinstance(message, JSONRPCRequest):
            return False
        self._opened = message.method != "server/discover"
        return not self._opened

    async def _answer(self, message: JSONRPCRequest) -> None:
        """Answer one request on a connection of its own."""
        to_server, server_in = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        server_out, from_server = anyio.create_memory_object_stream[SessionMessage](0)
        async with anyio.create_task_group() as group:
            group.start_soon(self._server.run, server_in, server_out, options(self._server))
            await to_server.send(SessionMessage(message))
            answer = await from_server.receive()
            await to_server.aclose()
            async for _ in from_server:
                pass
        self._writer.write(answer.message.model_dump_json(by_alias=True, exclude_unset=True).encode())


def _loaded(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _complaint(line: bytes) -> tuple[int, str, Any]:
    """Return how to answer a line that is no message, with its id where that can be told."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return PARSE_ERROR, "Parse error: a line is one JSON object", None
    if isinstance(value, list):
        return INVALID_REQUEST, "Invalid Request: batches are not part of this protocol", None
    found = value.get("id") if isinstance(value, dict) else None
    known = found if isinstance(found, str | int) and not isinstance(found, bool) else None
    return INVALID_REQUEST, 'Invalid Request: expected "jsonrpc": "2.0" and a method', known
