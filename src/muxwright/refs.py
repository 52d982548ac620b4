"""Identity: which object, of which server, of which life of that server.

tmux counts its ids from 0 again after a restart, and the socket's path (even its inode) survives one: ``%3`` alone
names no pane. A *ref* therefore carries the server's `Generation` (pid and start time), and every act is checked
against it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

from muxwright.errors import InvalidArgument

__all__ = [
    "BufferRef",
    "ClientId",
    "ClientRef",
    "Generation",
    "PaneId",
    "PaneRef",
    "Ref",
    "ServerIdentity",
    "SessionId",
    "SessionRef",
    "WindowId",
    "WindowLinkRef",
    "WindowRef",
]

_NUMBER = re.compile(r"0|[1-9][0-9]*")


class _Id(str):
    """An id as tmux writes it; `prefix` makes the kinds distinct."""

    __slots__ = ()
    prefix: ClassVar[str] = ""
    kind: ClassVar[str] = ""

    def __new__(cls, text: str) -> Self:
        if not (isinstance(text, str) and text[:1] == cls.prefix and _NUMBER.fullmatch(text, 1)):
            raise InvalidArgument(f"{text!r} is no {cls.kind} id: expected {cls.prefix}N, such as {cls.prefix}3")
        return super().__new__(cls, text)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class SessionId(_Id):
    """A session's id, ``$N``."""

    __slots__ = ()
    prefix, kind = "$", "session"


class WindowId(_Id):
    """A window's id, ``@N``."""

    __slots__ = ()
    prefix, kind = "@", "window"


class PaneId(_Id):
    """A pane's id, ``%N``."""

    __slots__ = ()
    prefix, kind = "%", "pane"


class ClientId(NamedTuple):
    """A client's name and its incarnation ``PID:CREATED``; names are used again."""

    name: str
    incarnation: str


class Generation(NamedTuple):
    """One life of a tmux server: its process id and its start time in epoch seconds."""

    pid: int
    start_time: int

    def __str__(self) -> str:
        return f"{self.pid}:{self.start_time}"

    @classmethod
    def parse(cls, text: str) -> Generation:
        """Read the text ``PID:START_TIME``; raises `InvalidArgument` for any other.

        >>> Generation.parse("812:1796065828")
        Generation(pid=812, start_time=1796065828)
        """
        pid, _, start_time = text.partition(":")
        if not (pid.isdecimal() and start_time.isdecimal()):
            raise InvalidArgument(f"{text!r} is no generation: expected PID:START_TIME")
        return cls(int(pid), int(start_time))


class ServerIdentity(NamedTuple):
    """One life of the server at one socket."""

    socket_path: str
    generation: Generation


@dataclass(frozen=True, slots=True)
class SessionRef:
    """A session of one server generation."""

    server: ServerIdentity
    id: SessionId

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True, slots=True)
class WindowRef:
    """A window of one server generation."""

    server: ServerIdentity
    id: WindowId

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True, slots=True)
class PaneRef:
    """A pane of one server generation."""

    server: ServerIdentity
    id: PaneId

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True, slots=True)
class ClientRef:
    """A client in one of its incarnations."""

    server: ServerIdentity
    id: ClientId

    def __str__(self) -> str:
        return self.id.name


@dataclass(frozen=True, slots=True)
class BufferRef:
    """A paste buffer of one server generation."""

    server: ServerIdentity
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class WindowLinkRef:
    """One slot of a session: the window that is expected at `index`. A window may be linked several times."""

    session: SessionRef
    window: WindowRef
    index: int

    def __post_init__(self) -> None:
        if self.session.server != self.window.server:
            raise InvalidArgument("a window link joins a session and a window of one server generation")
        if isinstance(self.index, bool) or not 0 <= self.index < 2**31:
            raise InvalidArgument(f"a window's index is 0 to 2147483647, not {self.index!r}")

    def __str__(self) -> str:
        return f"{self.session.id}:{self.index}"


Ref = SessionRef | WindowRef | PaneRef
"""What an act can be guarded by."""
