"""What a run holds outside of tmux: a private directory, and the reservation of its pane. A driver makes both."""

from __future__ import annotations

from abc import ABC, abstractmethod

__all__ = ["Holder", "Lease", "Stage"]


class Stage(ABC):
    """A directory (0700) for the files of one run (0600); its path needs no quoting in any shell.

    `owner`: the id of this process.
    """

    owner: int
    directory: str

    @abstractmethod
    def write(self, name: str, text: str) -> None:
        """Write a file."""

    @abstractmethod
    def claim(self) -> bool:
        """Take the claim of the run; ``False`` when it is taken: by the frame, which then has begun."""

    @abstractmethod
    def status(self) -> bytes:
        """Return what the frame has written about the end, ``b""`` when nothing yet."""

    @abstractmethod
    def gate(self) -> str:
        """Make a gate and return its path: who reads from there waits until it is opened, or is gone."""

    @abstractmethod
    def open_gate(self) -> None:
        """Let who waits at the gate go on."""

    @abstractmethod
    def remove(self) -> None:
        """Remove everything; idempotent."""


class Lease(ABC):
    """The reservation of a pane."""

    @abstractmethod
    def release(self) -> None:
        """Give it up; idempotent."""


class Holder(ABC):
    """Who has reserved a pane."""

    @abstractmethod
    def server_gone(self) -> None:
        """The server of the pane has ended, and with it everything in it."""
