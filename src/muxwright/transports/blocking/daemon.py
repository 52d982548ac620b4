"""Start and remove a private server, blocking."""

from __future__ import annotations

import contextlib
import time
import weakref
from collections.abc import Mapping

from muxwright.errors import OwnedServerCleanupError, ProtocolError, ServerError
from muxwright.operations.observe import complaint, describe_private
from muxwright.transports.blocking.process import ProcessTransport
from muxwright.transports.daemon import PROOF, TICK, Daemon

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
            runner.daemon.start()
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
        place = transport.place
        try:
            budget = max(deadline - time.monotonic(), TICK)
            generation, proof = transport.run(describe_private(place, PROOF), budget)
            self.daemon.proved(generation.pid)
            if not self.daemon.configured(proof):
                said = transport.run(complaint(place, self.daemon.configuration_path), budget)
                raise self.daemon.misconfigured(said)
        except (ProtocolError, ServerError) as error:
            raise self.daemon.silent(error) from error

    def stop(self) -> None:
        """End the daemon and its panes' programs, remove the directory; idempotent. A forked child does nothing."""
        if self._finalizer.alive:
            try:
                self.daemon.end()
            except OwnedServerCleanupError:
                self._finalizer.detach()
                raise
            self._finalizer.detach()
