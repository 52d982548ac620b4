# Generated from _async/connection.py by tools/generate_sync.py: do not edit.
"""A control connection to one server generation."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from muxwright._sync.host import Host
from muxwright.errors import StaleReference
from muxwright.operations import observe
from muxwright.refs import Generation
from muxwright.transports.blocking import ControlTransport
from muxwright.transports.deadline import DEFAULT_TIMEOUT, Deadline
from muxwright.wire.versions import TmuxVersion

__all__ = ["Connection"]


class Connection(Host):
    """One persistent control client, attached to one server generation; made by `Server.connect`.

    Losing it is final: calls then raise `ConnectionLost` with the reason and whether they were sent. Nothing is ever
    repeated.
    """

    _transport: ControlTransport

    def __init__(self, transport: ControlTransport, timeout: float = DEFAULT_TIMEOUT) -> None:
        super().__init__(transport, timeout)

    @property
    def generation(self) -> Generation:
        """The server's pid and start time."""
        generation = self._transport.place.generation
        assert generation is not None, "a control transport knows its server"
        return generation

    @property
    def version(self) -> TmuxVersion:
        """The server's version."""
        version = self._transport.place.version
        assert version is not None, "a control transport knows its server"
        return version

    @property
    def client_pid(self) -> int:
        """The process id of our control client, as `list_clients` shows it."""
        pid = self._transport.place.client_pid
        assert pid is not None, "a control transport knows its client"
        return pid

    def _prove(self, deadline: Deadline) -> None:
        """Check over the connection itself that the server is the one that was asked before attaching."""
        generation, _ = self._transport.run(observe.describe(self._transport.place), *deadline.rest())
        if generation != self.generation:
            raise StaleReference(f"the server was replaced while connecting: {self.generation}, now {generation}")

    def close(self) -> None:
        """Detach and collect the client; calls that still wait get `ConnectionClosed`. Idempotent.

        Commands of its jobs go on, and are not heard any more.
        """
        self._jobs.close()
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} to {self._transport.place.socket_path} ({self.generation})>"
