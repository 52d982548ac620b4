"""Private servers of a given size, and libtmux attached to them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from muxwright import OwnedServer, Server, Session

__all__ = ["TMUX", "fill", "libtmux_fields", "libtmux_server", "private_server"]

TMUX = os.environ.get("MUXWRIGHT_TEST_TMUX") or "tmux"


@contextlib.contextmanager
def private_server(configuration: str | None = None) -> Iterator[OwnedServer]:
    """Run a private server whose panes run a plain shell."""
    environment = {**os.environ, "SHELL": "/bin/sh", "ENV": "/dev/null", "BASH_ENV": "/dev/null"}
    with OwnedServer(tmux=TMUX, environment=environment, configuration=configuration, timeout=30) as server:
        yield server
        # Bit by bit: hanging up on a thousand programs takes longer than the end of a server may.
        for session in server.sessions()[1:]:
            session.kill()
        server.command("kill-window", "-a", "-t", "$0:")


def fill(server: Server, sessions: int, windows: int, panes: int) -> Session:
    """Make so many sessions, windows and panes in all, shared out evenly; return the first session."""
    first = server.new_session("s0", size=(200, 100))
    with server.connect(first) as connection:
        homes = [connection.session(first.ref)]
        homes += [connection.new_session(f"s{index}", size=(200, 100)) for index in range(1, sessions)]
        made = [home.active_window() for home in homes]
        made += [homes[index % sessions].new_window(f"window {index}") for index in range(windows - sessions)]
        first_panes = [window.active_pane() for window in made]
        for index in range(panes - windows):
            first_panes[index % windows].split()
            made[index % windows].select_layout("tiled")
    return first


def libtmux_server(server: OwnedServer) -> Any:
    """Return libtmux's server at the same socket."""
    return import_module("libtmux").Server(socket_path=server.socket_path, tmux_bin=TMUX)


def libtmux_fields(server: OwnedServer) -> tuple[str, ...]:
    """Return the format variables that `libtmux.Server.panes` asks for."""
    _, version = server.describe()
    fields, _ = import_module("libtmux.neo").get_output_format("list-panes", str(version))
    return tuple(fields)
