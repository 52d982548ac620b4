"""The raw limit: a bare loop over the socket of a control client of the same kind, which sends the same bytes."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from muxwright import OwnedServer
from muxwright.operations.steps import Operation, Place
from muxwright.refs import SessionId
from muxwright.transports.control import CHUNK, Client
from muxwright.transports.endpoint import Endpoint, new_nonce, new_token
from muxwright.wire.request import Request, encode_control

__all__ = ["RawClient", "endpoint_of", "place_of", "request_of"]

_PLACEHOLDER = b"0" * 32


def endpoint_of(server: OwnedServer) -> Endpoint:
    """Return the endpoint of a private server."""
    return Endpoint(server.socket_path, server.attach_command[0])


def place_of(server: OwnedServer) -> Place:
    """Return where operations on a connection to the server run."""
    return Place(server.socket_path, time.monotonic, new_token, *server.describe())


def request_of(operation: Operation[Any]) -> Request:
    """Return the one request that an operation makes."""
    request = next(operation)
    assert isinstance(request, Request), "the operation makes one request, not a wave"
    return request


class RawClient:
    """An attached control client and the shortest loop that gets a reply out of it: no parsing, no deadline."""

    def __init__(self, server: OwnedServer) -> None:
        self._client = Client(endpoint_of(server), SessionId("$0"))
        self._socket = self._client.socket
        self._socket.setblocking(True)
        # What is sent before this notification may run before the attach itself.
        self._read(b"\n%session-changed ")

    def _read(self, end: bytes) -> bytes:
        received = self._socket.recv(CHUNK)
        # The end is the last thing; a long reply is not searched again with each part of it.
        while received.find(end, -4096) < 0 or received[-1] != 10:
            received += self._socket.recv(CHUNK)
        return received

    def _call(self, data: bytes, end: bytes) -> bytes:
        self._socket.send(data)
        return self._read(end)

    def loop(self, request: Request) -> Callable[[], object]:
        """Return the operation that sends what the library sends for `request`, with a fresh nonce each time."""
        parts = encode_control(request, _PLACEHOLDER).split(_PLACEHOLDER)

        def operation() -> bytes:
            nonce = new_nonce()
            return self._call(nonce.join(parts), b"\n" + nonce + b"\n%end ")

        return operation

    def pipelined(self, request: Request, count: int) -> Callable[[], object]:
        """Return the operation that sends `count` of these requests in one go and reads all their replies."""
        parts = encode_control(request, _PLACEHOLDER).split(_PLACEHOLDER)

        def operation() -> None:
            self._socket.sendall(b"".join([new_nonce().join(parts) for _ in range(count)]))
            # A block for the command and one for its fence.
            missing, tail = 2 * count, b""
            while missing > 0:
                data = tail + self._socket.recv(CHUNK)
                missing -= data.count(b"\n%end ")
                tail = data[-5:]
            while tail[-1] != 10:
                tail = self._socket.recv(CHUNK)

        return operation

    def close(self) -> None:
        """Detach and collect the client."""
        self._client.hang_up()
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
