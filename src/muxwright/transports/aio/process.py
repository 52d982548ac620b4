"""One tmux process for each request, under asyncio: no shell, everything bounded, always reaped.

The child is watched through its pipes: both end when it does. asyncio's own child watchers would start a thread for
each process on Python 3.11.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import time
from collections.abc import Mapping, Sequence

from muxwright.errors import OutputLimitExceeded
from muxwright.operations.steps import Place
from muxwright.transports.aio.heed import heeding
from muxwright.transports.aio.transport import AsyncTransport
from muxwright.transports.deadline import Deadline
from muxwright.transports.endpoint import (
    STDERR_LIMIT,
    Endpoint,
    Finished,
    new_nonce,
    new_token,
)
from muxwright.transports.spawn import Process, spawn
from muxwright.wire.request import Request, Section
from muxwright.wire.stream import MAX_REPLY

__all__ = ["AsyncProcessTransport", "run_process"]

_CHUNK = 256 * 1024
_TICK = 0.0005


class AsyncProcessTransport(AsyncTransport):
    """Runs each request as one tmux process; holds nothing between calls."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.place = Place(endpoint.socket_path, time.monotonic, new_token)

    async def execute(self, request: Request, deadline: Deadline) -> tuple[Section, ...]:
        """Return the sections of one request; raises `ServerNotRunning` and the like when there is no server."""
        nonce = new_nonce()
        argv, stdin = self.endpoint.call(request, nonce)
        limit = min(request.limit, MAX_REPLY)
        finished = await run_process(argv, self.endpoint.environment, stdin, limit, deadline, request.name)
        return self.endpoint.sections(request, nonce, finished)


async def run_process(
    argv: Sequence[bytes], environment: Mapping[str, str], stdin: bytes, limit: int, deadline: Deadline, command: str
) -> Finished:
    """Run a process to its end; it is killed and reaped whatever happens, cancellation included.

    Raises `DeadlineExceeded`, `RequestCancelled`, `OutputLimitExceeded`, `TmuxNotFound`, `ProcessSpawnError`.
    """
    if deadline.remaining() <= 0:
        raise deadline.exceeded(command, "none")
    process = spawn(
        argv,
        environment,
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    pipes = _Pipes(process, stdin, (limit, STDERR_LIMIT), command)
    try:
        async with asyncio.timeout(max(deadline.remaining(), 0)) as timer:
            with heeding(deadline.cancel, lambda: timer.reschedule(0)):
                await pipes.finished
                while process.poll() is None:
                    await asyncio.sleep(_TICK)
        out, err = pipes.buffers
        return Finished(bytes(out), bytes(err), process.returncode)
    except TimeoutError:
        raise deadline.exceeded(command, "possible") from None
    finally:
        pipes.close()
        if process.returncode is None:
            process.kill()
            # A killed process that reads and writes nothing any more ends at once.
            process.wait()


class _Pipes:
    """Feeds and drains a child's pipes; `finished` is done when both outputs have ended."""

    def __init__(self, process: Process, stdin: bytes, limits: tuple[int, int], command: str) -> None:
        assert process.stdout is not None and process.stderr is not None
        self._loop = asyncio.get_running_loop()
        self._process = process
        self._command = command
        self.finished: asyncio.Future[None] = self._loop.create_future()
        self.buffers = (bytearray(), bytearray())
        self._open = {}
        for pipe, buffer, limit in zip((process.stdout, process.stderr), self.buffers, limits, strict=True):
            self._open[pipe.fileno()] = (buffer, limit)
            self._loop.add_reader(pipe.fileno(), self._read, pipe.fileno())
        self._pending = memoryview(stdin)
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            self._loop.add_writer(process.stdin.fileno(), self._feed)

    def _read(self, descriptor: int) -> None:
        buffer, limit = self._open[descriptor]
        data = os.read(descriptor, _CHUNK)
        buffer += data
        if len(buffer) > limit and not self.finished.done():
            self.finished.set_exception(OutputLimitExceeded(limit, command=self._command))
        if not data:
            self._loop.remove_reader(descriptor)
            del self._open[descriptor]
            if not self._open and not self.finished.done():
                self.finished.set_result(None)

    def _feed(self) -> None:
        assert self._process.stdin is not None
        try:
            written = os.write(self._process.stdin.fileno(), self._pending[:_CHUNK])
            self._pending = self._pending[written:]
        except BrokenPipeError:
            # tmux hung up; its exit status will tell why.
            self._pending = self._pending[:0]
        if not self._pending:
            self._loop.remove_writer(self._process.stdin.fileno())
            self._process.stdin.close()

    def close(self) -> None:
        for descriptor in self._open:
            self._loop.remove_reader(descriptor)
        stdin = self._process.stdin
        if stdin is not None and not stdin.closed:
            self._loop.remove_writer(stdin.fileno())
        for pipe in (stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        # An exception that nobody awaits any more (cancellation came first) must not be reported as lost.
        if self.finished.done() and not self.finished.cancelled():
            self.finished.exception()
