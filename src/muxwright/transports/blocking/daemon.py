"""Start and remove a private server, blocking."""

from __future__ import annotations

import contextlib
import time
import weakref
from collections.abc import Mapping

from muxwright.errors import MuxwrightError, OwnedServerCleanupError
from muxwright.operations.observe import describe, list_rows
from muxwright.transports.blocking.process import ProcessTransport
from muxwright.transports.daemon import TICK, Daemon
from muxwright.transports.deadline import CLEANUP

__all__ = ["DaemonRunner"]


class DaemonRunner:
    """Owns one `Daemon`; `stop` always removes it, and so does the interpreter's exit."""

    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self._finalizer = weakref.finalize(self, daemon.abandon)

    @classmethod
    def start(
        cls, tmux: str, environment: Mapping[str, str] | None, configuration: str | None, timeout: float
    ) -> DaemonRunner:
        """Start a daemon and prove that it answers; on failure everything is removed again."""
        runner = cls(Daemon(tmux, environment, configuration))
        try:
            runner._await_ready(timeout)
        except BaseException:
            with contextlib.suppress(OwnedServerCleanupError):
                runner.stop()
            raise
        return runner

    def _await_ready(self, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        while not self.daemon.ready():
            if time.monotonic() >= deadline:
                raise self.daemon.not_ready(timeout)
            time.sleep(TICK)
        transport = ProcessTransport(self.daemon.endpoint)
        generation, _ = transport.run(describe(transport.place), max(deadline - time.monotonic(), TICK))
        self.daemon.proved(generation.pid)

    def stop(self) -> None:
        """End the daemon and its panes' programs, remove the directory; idempotent."""
        if not self._finalizer.detach():
            return
        try:
            with contextlib.suppress(MuxwrightError):
                transport = ProcessTransport(self.daemon.endpoint)
                rows = transport.run(list_rows(transport.place, "panes", ("pane_pid",)), CLEANUP)
                self.daemon.remember([int(row["pane_pid"]) for row in rows if row["pane_pid"].isdecimal()])
            self.daemon.terminate()
            deadline = time.monotonic() + CLEANUP
            while not self.daemon.exited() and time.monotonic() < deadline:
                time.sleep(TICK)
        finally:
            self.daemon.remove()
