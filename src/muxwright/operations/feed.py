"""What is heard of one pane while it is watched: the bytes it prints, and that something happened to it.

A `Source` is a stream that the driver fills: the one pipe that a process has to a pane, or a control client of its own.
A `Feed` is one reader's view of it: several readers share a source, each at a position of its own. Nothing here waits
or does input or output; a driver wakes a reader whose `ready` has become true.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, NamedTuple, TypeVar

from muxwright.operations.ring import RING_LIMIT, Ring
from muxwright.refs import PaneRef

__all__ = ["Feed", "PipeSource", "Received", "Source"]


class Received(NamedTuple):
    """What one `Receive` brought.

    `data`: the next bytes, from stream offset `start` on; ``b""`` when none came in time. `missed`: bytes in front of
    them that are gone (the reader was slower than the bound). `exited`: something has happened since the last time that
    no byte tells, such as the end of the program. `ended`: all bytes are read and no more can come.
    """

    data: bytes = b""
    start: int = 0
    missed: int = 0
    exited: bool = False
    ended: bool = False


class Source(ABC):
    """A stream that some readers of this process share.

    `opened`: it has begun. `ended`: nothing more comes. `exits`: how often something happened that a byte does not
    tell, such as the end of a program; `hears_exits`: whether the end of the program would be heard at once. `epoch`: a
    name that no other source has, so that an offset of one is not taken for an offset of another.
    """

    def __init__(self, epoch: str, limit: int = RING_LIMIT) -> None:
        self.epoch = epoch
        self.ring = Ring(limit)
        self.opened = False
        self.ended = False
        self.exits = 0
        self.hears_exits = False
        self.readers = 0

    def join(self) -> None:
        """Count one reader more."""
        self.readers += 1

    def leave(self) -> None:
        """Count one reader less; the last one closes the source."""
        self.readers -= 1
        if not self.readers:
            self.close()

    @abstractmethod
    def close(self) -> None:
        """Close our ends; idempotent."""


class PipeSource(Source):
    """The pipe of a pane.

    `opened`: the sink has said that it runs. `status`: the exit status of the sink's copier (0: tmux closed the pipe;
    1: it was cut off because nobody read), ``None`` when it did not say. `failure`: why it could not be opened, for the
    readers that waited for it.
    """

    def __init__(self, pane: PaneRef, epoch: str, limit: int = RING_LIMIT) -> None:
        super().__init__(epoch, limit)
        self.pane = pane
        self.status: int | None = None
        self.failure: Exception | None = None

    @property
    @abstractmethod
    def directory(self) -> str:
        """Where the fifos ``data``, ``life`` and ``status`` of the sink are."""

    @abstractmethod
    def remove_paths(self) -> None:
        """Remove the fifos' names: the sink has opened them."""

    @abstractmethod
    def watch(self, pid: int) -> None:
        """Let the end of a process count as an event; it takes the place of the process watched before."""

    @abstractmethod
    def settled(self) -> bool | None:
        """Whether all that tmux has written to the pipe has arrived; ``None`` where the system does not tell."""

    @abstractmethod
    def fail(self, error: Exception | None) -> None:
        """Say that it is not opened: because of `error`, or because who was opening it gave up."""


S_co = TypeVar("S_co", bound=Source, covariant=True)


class Feed(Generic[S_co]):
    """One reader's view of a source. `fresh`: this reader has to open the route; `recent`: ours ended a moment ago."""

    def __init__(self, source: S_co, *, fresh: bool, recent: bool = False) -> None:
        self.source = source
        self.fresh = fresh
        self.recent = recent
        self.offset = source.ring.end
        self._exits = source.exits
        self._released = False
        source.join()

    @property
    def ready(self) -> bool:
        """Whether `take` would bring something."""
        source = self.source
        return source.ring.end > self.offset or source.exits > self._exits or source.ended

    def take(self, limit: int) -> Received:
        """Return what is there, at most `limit` bytes, and go on behind it."""
        ring = self.source.ring
        start = max(self.offset, ring.start)
        data = ring.read(start, limit) if start < ring.end else b""
        missed, self.offset = start - self.offset, start + len(data)
        exited, self._exits = self.source.exits > self._exits, self.source.exits
        return Received(data, start, missed, exited, self.source.ended and self.offset == ring.end)

    def rewind(self, offset: int) -> None:
        """Go on reading from an earlier offset, which must still be there."""
        assert self.source.ring.start <= offset <= self.source.ring.end, "the caller looks first"
        self.offset = offset

    def release(self) -> None:
        """Stop reading; the last reader closes the source. Idempotent."""
        if not self._released:
            self._released = True
            self.source.leave()
