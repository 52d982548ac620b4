"""One tmux process for each request: no shell, everything bounded, always reaped."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import time
from collections.abc import Mapping, Sequence

from muxwright.errors import OutputLimitExceeded
from muxwright.operations.steps import Place
from muxwright.transports.blocking.transport import Transport
from muxwright.transports.deadline import Deadline
from muxwright.transports.endpoint import (
    STDERR_LIMIT,
    Endpoint,
    Finished,
    new_nonce,
    new_token,
)
from muxwright.transports.spawn import Process, discard, spawn
from muxwright.wire.request import Request, Section
from muxwright.wire.stream import MAX_REPLY

__all__ = ["ProcessTransport", "run_process"]

_CHUNK = 256 * 1024


class ProcessTransport(Transport):
    """Runs each request as one tmux process; holds nothing between calls."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.place = Place(endpoint.socket_path, time.monotonic, new_token)

    def execute(self, request: Request, deadline: Deadline) -> tuple[Section, ...]:
        """Return the sections of one request; raises `ServerNotRunning` and the like when there is no server."""
        nonce = new_nonce()
        argv, stdin = self.endpoint.call(request, nonce)
        limit = min(request.limit, MAX_REPLY)
        finished = run_process(argv, self.endpoint.environment, stdin, limit, deadline, request.name)
        return self.endpoint.sections(request, nonce, finished)


def run_process(
    argv: Sequence[bytes], environment: Mapping[str, str], stdin: bytes, limit: int, deadline: Deadline, command: str
) -> Finished:
    """Run a process to its end; it is killed and reaped whatever happens.

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
    try:
        out, err = _communicate(process, stdin, (limit, STDERR_LIMIT), deadline, command)
        # Both outputs have ended, so the process is about to.
        while process.poll() is None:
            if not (patience := deadline.patience()):
                raise deadline.exceeded(command, "possible")
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(patience)
        return Finished(out, err, process.returncode)
    finally:
        discard(process)


def _communicate(
    process: Process, stdin: bytes, limits: tuple[int, int], deadline: Deadline, command: str
) -> tuple[bytes, bytes]:
    assert process.stdout is not None and process.stderr is not None
    buffers = {process.stdout.fileno(): bytearray(), process.stderr.fileno(): bytearray()}
    bounds = dict(zip(buffers, limits, strict=True))
    pending = memoryview(stdin)
    with selectors.DefaultSelector() as selector:
        for descriptor in buffers:
            selector.register(descriptor, selectors.EVENT_READ)
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin.fileno(), selectors.EVENT_WRITE)
        while selector.get_map():
            if not (patience := deadline.patience()):
                raise deadline.exceeded(command, "possible")
            for key, _ in selector.select(patience):
                if key.fd not in buffers:
                    pending = _feed(process, pending, selector)
                    continue
                data = os.read(key.fd, _CHUNK)
                if not data:
                    selector.unregister(key.fd)
                buffers[key.fd] += data
                if len(buffers[key.fd]) > bounds[key.fd]:
                    raise OutputLimitExceeded(bounds[key.fd], command=command)
    out, err = buffers.values()
    return bytes(out), bytes(err)


def _feed(process: Process, pending: memoryview, selector: selectors.BaseSelector) -> memoryview:
    """Write what the pipe takes; close it at the end, or when tmux hung up (its exit status tells why)."""
    assert process.stdin is not None
    try:
        pending = pending[os.write(process.stdin.fileno(), pending[:_CHUNK]) :]
    except BrokenPipeError:
        pending = pending[:0]
    if not pending:
        selector.unregister(process.stdin.fileno())
        process.stdin.close()
    return pending
