"""People at a terminal: real tmux clients, attached through a pseudo-terminal."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self

import pytest

from muxwright import OwnedServer
from tests.support.judge import Judge
from tests.support.waiting import wait_until

__all__ = ["Terminal", "terminals"]


class Terminal:
    """A pseudo-terminal whose output is read and forgotten; `attach` starts a client on it."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self._ours, self._theirs = pty.openpty()
        self.name = os.ttyname(self._theirs)
        self.process: subprocess.Popen[bytes] | None = None
        self._reader = threading.Thread(target=self._drain, daemon=True)
        self._reader.start()

    def _drain(self) -> None:
        # Nobody else has the other end open once it is closed here and the client has ended.
        with contextlib.suppress(OSError):
            while os.read(self._ours, 65536):
                pass

    def attach(self, session: str, **environment: str) -> Self:
        """Attach a client to a session, in place of the one before, and wait until it is listed."""
        self.hang_up()
        self.process = subprocess.Popen(
            [self.judge.tmux, "-u", "-S", self.judge.socket_path, "attach-session", "-t", session],
            env={**os.environ, "TERM": "xterm-256color", **environment},
            stdin=self._theirs,
            stdout=self._theirs,
            stderr=self._theirs,
            start_new_session=True,
        )
        wait_until(lambda: self.pid_there() == self.process_pid, 20, "the client is attached")
        return self

    @property
    def process_pid(self) -> int:
        assert self.process is not None, "attach first"
        return self.process.pid

    def _listed(self, what: str) -> str:
        rows = self.judge.lines("list-clients", "-F", f"#{{client_name}} #{{{what}}}")
        return next((value for name, _, value in (row.partition(" ") for row in rows) if name == self.name), "")

    def pid_there(self) -> int:
        """The process of the client that is attached under this terminal's name, 0 for none."""
        return int(self._listed("client_pid") or 0)

    def session(self) -> str:
        """The name of the session that it shows."""
        return self._listed("session_name")

    def hang_up(self) -> None:
        """End the client, whatever it does, and wait until tmux has noticed."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(10)
            self.process = None
            wait_until(lambda: not self.judge.alive() or not self.pid_there(), 20, "the client is gone")

    def close(self) -> None:
        try:
            self.hang_up()
        finally:
            os.close(self._theirs)
            self._reader.join(10)
            os.close(self._ours)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@pytest.fixture
def terminals(server: OwnedServer, judge: Judge) -> Iterator[Callable[[], Terminal]]:
    """Makes terminals, which are closed at the end."""
    with contextlib.ExitStack() as stack:
        yield lambda: stack.enter_context(Terminal(judge))
