"""Start and remove a private server, under asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import time
import weakref
from collections.abc import Mapping

from muxwright.errors import OwnedServerCleanupError, ProtocolError, ServerError
from muxwright.operations.observe import complaint, describe_private
from muxwright.transports.aio.process import AsyncProcessTransport
from muxwright.transports.daemon import PROOF, TICK, Daemon

__all__ = ["AsyncDaemonRunner"]


class AsyncDaemonRunner:
    """Owns one `Daemon`; `stop` always removes it, and so does the interpreter's exit."""

    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self._finalizer = weakref.finalize(self, daemon.abandon)

    @classmethod
    async def start(
        cls, tmux: str, environment: Mapping[str, str] | None, configuration: str | None, timeout: float
    ) -> AsyncDaemonRunner:
        """Start a daemon and prove that it answers; on failure everything is removed again."""
        runner = cls(Daemon(tmux, environment, configuration))
        try:
            runner.daemon.start()
            await runner._await_ready(timeout)
        except BaseException:
            with contextlib.suppress(OwnedServerCleanupError):
                await runner.stop()
            raise
        return runner

    async def _await_ready(self, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        while not self.daemon.ready():
            if time.monotonic() >= deadline:
                raise self.daemon.not_ready(timeout)
            await asyncio.sleep(TICK)
        transport = AsyncProcessTransport(self.daemon.endpoint)
        place = transport.place
        try:
            budget = max(deadline - time.monotonic(), TICK)
            generation, proof = await transport.run(describe_private(place, PROOF), budget)
            self.daemon.proved(generation.pid)
            if not self.daemon.configured(proof):
                said = await transport.run(complaint(place, self.daemon.configuration_path), budget)
                raise self.daemon.misconfigured(said)
        except (ProtocolError, ServerError) as error:
            raise self.daemon.silent(error) from error

    async def stop(self) -> None:
        """End the daemon and its panes' programs, remove the directory; idempotent, also when cancelled.

        A forked child does nothing.
        """
        if not self._finalizer.alive or not self.daemon.mine():
            return
        try:
            self.daemon.terminate()
            while pause := self.daemon.waiting():
                await asyncio.sleep(pause)
        except BaseException:
            self.daemon.abort()
            raise
        else:
            self.daemon.remove()
        finally:
            self._finalizer.detach()
