"""Fixtures: a private server, ways to talk to it, and panes to talk about."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from muxwright import AsyncServer, Connection, OwnedServer, Pane, Server, Session
from tests.support.blocking import Blocking
from tests.support.judge import Judge
from tests.support.recorder import Recorder
from tests.support.swappable import SwappableServer

__all__ = [
    "TRANSPORTS",
    "connection",
    "every_transport",
    "home",
    "host",
    "judge",
    "open_host",
    "pane",
    "recorder",
    "server",
    "swappable",
]

TRANSPORTS = ("process", "connection", "async process", "async connection")

every_transport = pytest.mark.parametrize("host", TRANSPORTS, indirect=True)
"""For a test that is worth its time on the async handles too; the logic below them is the same."""


@pytest.fixture
def server(tmux_executable: str) -> Iterator[OwnedServer]:
    """A private server without sessions."""
    with OwnedServer(tmux=tmux_executable) as owned:
        yield owned


@pytest.fixture
def judge(server: OwnedServer, tmux_executable: str) -> Judge:
    """A witness that asks the private server without the library."""
    return Judge(server.socket_path, tmux_executable)


@pytest.fixture
def home(server: OwnedServer) -> Session:
    """A session "home" with one quiet pane, so that there is something to attach to."""
    return server.new_session("home", command=["sleep", "1000"])


def open_host(kind: str, socket_path: str, tmux: str, runner: asyncio.Runner) -> Server | Connection:
    """Return a way to the server at `socket_path`; an async one is wrapped. Close it."""
    server: Any
    if kind.startswith("async "):
        server = Blocking(AsyncServer(socket_path=socket_path, tmux=tmux), runner)
    else:
        server = Server(socket_path=socket_path, tmux=tmux)
    return cast("Server | Connection", server.connect() if kind.endswith("connection") else server)


@pytest.fixture(params=TRANSPORTS[:2])
def host(request: pytest.FixtureRequest, server: OwnedServer, home: Session) -> Iterator[Server | Connection]:
    """A borrowed server, by process and by connection (see `every_transport`); the session "home" is there."""
    with asyncio.Runner() as runner:
        opened = open_host(request.param, server.socket_path, server.attach_command[0], runner)
        yield opened
        if request.param.endswith("connection"):
            cast(Connection, opened).close()


@pytest.fixture
def connection(server: OwnedServer, home: Session) -> Iterator[Connection]:
    """A blocking connection."""
    with server.connect() as opened:
        yield opened


@pytest.fixture
def pane(host: Server | Connection, home: Session) -> Pane:
    """The pane of "home", which types and prints nothing."""
    return host.pane(home.active_pane().ref)


@pytest.fixture
def recorder(host: Server | Connection, home: Session, tmp_path: Path) -> Recorder:
    """A pane of a window of its own that records in raw mode what it receives."""
    made = Recorder(tmp_path / "received")
    made.pane = host.pane(home.new_window("recorder", command=made.argv).active_pane().ref)
    return made.ready()


@pytest.fixture
def swappable(base_dir: Path, tmux_executable: str) -> Iterator[SwappableServer]:
    """A server that can be replaced at its socket."""
    with SwappableServer(base_dir / "swappable", tmux_executable) as started:
        yield started
