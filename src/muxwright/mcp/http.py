"""The protocol over streamable HTTP, for clients that cannot start a process: loopback unless told otherwise.

Whoever reaches the port can run commands as this user, so every request needs a bearer token, and Host and Origin must
be this server's own: a web page in the user's browser is not a client.
"""

from __future__ import annotations

import hmac
import secrets
import socket
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings

from muxwright.errors import InvalidArgument
from muxwright.mcp.application import Application
from muxwright.mcp.server import build

__all__ = ["guarded", "read_address", "serve_http"]

PATH = "/mcp"
_SHORTEST = 16  # characters of a token

Message = MutableMapping[str, Any]
Asgi = Callable[[Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]


def read_address(text: str) -> tuple[str, int]:
    """Return host and port of ``HOST:PORT`` or ``PORT``; raises `InvalidArgument`."""
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise InvalidArgument(f"--http: {text!r} is no HOST:PORT, such as 127.0.0.1:8080")
    return host.strip("[]") or "127.0.0.1", int(port)


async def serve_http(app: Application, host: str, port: int, token: str | None) -> int:
    """Serve until a signal comes; a token is made up and shown when none is given."""
    if token is not None and len(token) < _SHORTEST:
        raise InvalidArgument(f"--http-token: expected at least {_SHORTEST} characters")
    await app.prepare()
    shown = token or secrets.token_urlsafe(24)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family)
    port = listener.getsockname()[1]
    asgi = guarded(build(app), host, port, shown)
    config = uvicorn.Config(asgi, log_level="error", access_log=False)
    hint = "" if token is not None else f"muxwright: Authorization: Bearer {shown}\n"
    sys.stderr.write(f"muxwright: http://{_bracketed(host)}:{port}{PATH}\n{hint}")
    sys.stderr.flush()
    try:
        await uvicorn.Server(config).serve(sockets=[listener])
    finally:
        await app.close()
    return 0


def _bracketed(host: str) -> str:
    """Return a host as it stands in an address."""
    return f"[{host}]" if ":" in host else host


def guarded(server: Server[Any], host: str, port: int, token: str, **more: Any) -> Asgi:
    """Return the server as an ASGI application for those who have the token and name it by one of its own addresses.

    `more`: options of the SDK's ``streamable_http_app``.
    """
    own = [f"{each}:{port}" for each in dict.fromkeys((_bracketed(host), "localhost", "127.0.0.1", "[::1]"))]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=own, allowed_origins=[f"http://{each}" for each in own]
    )
    app = server.streamable_http_app(streamable_http_path=PATH, host=host, transport_security=security, **more)
    return _Guard(app, token)


class _Guard:
    """Lets requests with the token through."""

    def __init__(self, app: Asgi, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and not hmac.compare_digest(self._given(scope), self._wanted):
            headers = [(b"www-authenticate", b"Bearer"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        await self._app(scope, receive, send)

    def _given(self, scope: Message) -> bytes:
        found: bytes = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        return found
