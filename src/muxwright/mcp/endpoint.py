"""The tmux server behind the tools: a private one of this process, or a borrowed one, and the ways to talk to it.

Nothing is started or contacted before the first call. A private server is talked to over one connection, which costs
a tenth of a process; a borrowed one by a process for each call, so that no client of ours shows up on it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from muxwright import (
    AsyncConnection,
    AsyncOwnedServer,
    AsyncServer,
    ConnectionClosed,
    ConnectionLost,
    MuxwrightError,
    NoSessions,
    ServerError,
    ServerLost,
    ServerNotRunning,
)
from muxwright.mcp.errors import ToolError
from muxwright.operations.steps import Place

__all__ = ["Ask", "Borrowed", "Endpoint", "Host", "Private", "place_of"]

T = TypeVar("T")
Host = AsyncServer | AsyncConnection
Ask = Callable[[Any], Awaitable[T]]

_GONE = (ConnectionLost, ConnectionClosed, ServerLost, ServerNotRunning)

# Programs that a model reads write UTF-8; hosts pass no locale on.
_LOCALE = ("LC_ALL", "LC_CTYPE", "LANG")


class Endpoint:
    """A borrowed or private server."""

    private = False

    def __init__(self, tmux: str = "tmux") -> None:
        self.tmux = tmux

    @property
    def socket_path(self) -> str | None:
        """Where the server listens; ``None`` while a private one is not started."""
        raise NotImplementedError

    async def server(self) -> AsyncServer:
        """Return the server, started if it is ours."""
        raise NotImplementedError

    async def read(self, ask: Ask[T]) -> T:
        """Ask for something; a read may be repeated when the way to the server was lost."""
        return await ask(await self.server())

    async def act(self, ask: Ask[T]) -> T:
        """Do something, at most once."""
        return await ask(await self.server())

    async def alone(self, ask: Ask[T]) -> T:
        """Do something by a process: a connection ends with the last session, and there is none before the first."""
        return await ask(await self.server())

    async def close(self) -> None:
        """End what is ours."""


class Borrowed(Endpoint):
    """Somebody else's server; it is never ended here."""

    def __init__(self, server: AsyncServer, tmux: str = "tmux") -> None:
        super().__init__(tmux)
        self._server = server

    @property
    def socket_path(self) -> str:
        return self._server.socket_path

    async def server(self) -> AsyncServer:
        return self._server


class Private(Endpoint):
    """A server of this process, started by the first call and started again if it ended."""

    private = True

    def __init__(self, tmux: str = "tmux", environment: Mapping[str, str] | None = None) -> None:
        super().__init__(tmux)
        self._environment = _with_locale(os.environ if environment is None else environment)
        self._server: AsyncOwnedServer | None = None
        self._connection: AsyncConnection | None = None
        self._lock = asyncio.Lock()
        self._suspect = False
        self._closed = False

    @property
    def socket_path(self) -> str | None:
        return None if self._server is None else self._server.socket_path

    async def server(self) -> AsyncServer:
        async with self._lock:
            if self._closed:
                raise ToolError("closed", "the server is shutting down")
            if self._server is not None and self._suspect and not await self._server.is_running():
                await self._discard()
            self._suspect = False
            if self._server is None:
                self._server = await AsyncOwnedServer(tmux=self.tmux, environment=self._environment).start()
            return self._server

    async def _discard(self) -> None:
        server, self._server = self._server, None
        await self._disconnect()
        if server is not None:
            with contextlib.suppress(MuxwrightError):
                await server.aclose()

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.aclose()

    async def _host(self) -> Host:
        """Return the connection, or the server while it has no session to attach to."""
        server = await self.server()
        async with self._lock:
            if self._connection is None:
                with contextlib.suppress(NoSessions, ServerError):
                    self._connection = await server.connect()
            return self._connection or server

    async def read(self, ask: Ask[T]) -> T:
        host = await self._host()
        try:
            return await ask(host)
        except _GONE:
            await self._lost(host)
            return await ask(await self.server())

    async def act(self, ask: Ask[T]) -> T:
        host = await self._host()
        try:
            return await ask(host)
        except _GONE as error:
            await self._lost(host)
            if error.sent:
                raise
            return await ask(await self.server())

    async def _lost(self, host: Host) -> None:
        async with self._lock:
            self._suspect = True
            if self._connection is host:
                await self._disconnect()

    async def close(self) -> None:
        async with self._lock:
            self._closed = True
            await self._discard()


def _with_locale(environment: Mapping[str, str]) -> dict[str, str]:
    if any(environment.get(name) for name in _LOCALE):
        return dict(environment)
    return {**environment, "LC_CTYPE": "C.UTF-8"}


def place_of(host: Host) -> Place:
    """Return where operations of a host run, for those that no handle has."""
    return host._transport.place
