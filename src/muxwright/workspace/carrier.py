"""What a load needs of a server: processes that ask it, and one connection to the session that it makes.

The handles have all that and much more; a command that is to start fast does without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from muxwright.errors import StaleReference
from muxwright.operations import observe
from muxwright.operations.steps import Operation, Place
from muxwright.refs import SessionRef
from muxwright.transports.blocking.control import ControlTransport
from muxwright.transports.blocking.process import ProcessTransport
from muxwright.transports.deadline import Deadline
from muxwright.transports.endpoint import Endpoint
from muxwright.wire.versions import TmuxVersion

__all__ = ["Carrier", "left"]

T = TypeVar("T")


def left(deadline: Deadline) -> float:
    """Return the seconds that are left, as a budget: none is a very short one."""
    return max(deadline.remaining(), 1e-3)


class Carrier:
    """Runs operations on the server at an endpoint; nothing is held between two of them."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._transport = ProcessTransport(endpoint)

    @property
    def place(self) -> Place:
        """Where its operations run."""
        return self._transport.place

    def run(self, operation: Operation[T], timeout: float) -> T:
        """Run an operation, with a process for each of its requests."""
        return self._transport.run(operation, timeout)

    @contextmanager
    def connected(self, session: SessionRef, version: TmuxVersion, deadline: Deadline) -> Iterator[ControlTransport]:
        """A connection that is attached to exactly this session, of exactly this server.

        `version`: of the server, told to a process of ours; so our executable is one that the server understands.
        """
        generation = session.server.generation
        connection = ControlTransport.open(self.endpoint, session.id, (generation, version), deadline)
        try:
            found, _ = connection.run(observe.describe(connection.place), left(deadline))
            if found != generation:
                raise StaleReference(f"the server was replaced while connecting: {generation}, now {found}")
            yield connection
        finally:
            connection.close()
