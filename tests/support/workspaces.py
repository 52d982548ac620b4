"""Loading workspaces in tests, shells with start-up files of their own, and terminals that attach."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from muxwright import OwnedServer, Pane, PaneInfo, Server
from muxwright.workspace import WorkspaceApplyResult, WorkspacePlan, apply, expand, parse, plan, validate
from tests.support.waiting import wait_until

__all__ = ["attached", "load", "panes_of", "planned", "shell_server", "shows"]


def planned(text: str, directory: Path, size: tuple[int, int] = (80, 24), **given: Any) -> WorkspacePlan:
    """Return the plan of a file with this text in `directory`."""
    document = parse(text, "yaml", str(directory / "workspace.yaml"))
    return plan(expand(validate(document), given.pop("env", {}), str(directory)), size)


def load(
    server: Server, text: str, directory: Path, size: tuple[int, int] = (80, 24), **options: Any
) -> WorkspaceApplyResult:
    """Load a file with this text."""
    env = options.pop("env", {})
    return apply(server, planned(text, directory, size, env=env), **options)


def panes_of(server: Server, session: str, window: str) -> list[PaneInfo]:
    """Return the panes of a window in their order."""
    (link,) = [link for link in server.get_session(session).refresh().links if link.window.name == window]
    return list(link.window.panes)


@contextmanager
def shell_server(tmux: str, home: Path, shell: str, start_up: str) -> Iterator[OwnedServer]:
    """A private server whose shells read this start-up file."""
    for name in (".bashrc", ".zshrc", ".profile"):
        (home / name).write_text(start_up)
    (home / ".config" / "fish").mkdir(parents=True, exist_ok=True)
    (home / ".config" / "fish" / "config.fish").write_text(start_up)
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "SHELL": shell, "PS1": "$ ", "LC_ALL": "C.UTF-8"}
    environment["ENV"] = str(home / ".profile")
    with OwnedServer(tmux=tmux, environment=environment) as server:
        yield server


def shows(pane: Pane, *lines: str, timeout: float = 10.0) -> list[str]:
    """Return the rows of a pane once each of these lines stands in it."""

    def found() -> list[str]:
        rows = pane.capture().trimmed
        return rows if all(line in rows for line in lines) else []

    return wait_until(found, timeout, f"{lines} on the screen of {pane.id}")


@contextmanager
def attached(server: Server, session: str, columns: int, rows: int) -> Iterator[subprocess.Popen[bytes]]:
    """A terminal of that size that is attached to a session."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = {**os.environ, "TERM": "xterm"}
    client = subprocess.Popen(
        [*server.attach_command, "-t", f"={session}"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        wait_until(lambda: _drained(ours) and _is_attached(server, client.pid), what="the terminal is attached")
        yield client
    finally:
        client.terminate()
        os.close(ours)
        client.wait()


def _is_attached(server: Server, pid: int) -> bool:
    return any(client.pid == pid and client.session is not None for client in server.snapshot().clients)


def _drained(descriptor: int) -> bool:
    """Take what tmux draws, so that it never waits for us."""
    os.set_blocking(descriptor, False)
    try:
        while os.read(descriptor, 65536):
            pass
    except BlockingIOError:
        pass
    return True
