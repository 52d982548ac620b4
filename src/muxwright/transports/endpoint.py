"""Where a tmux server listens, and how one tmux process asks it."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import sys
from collections.abc import Mapping
from typing import NamedTuple

from muxwright.commands.refusals import server_refusal
from muxwright.errors import (
    InvalidArgument,
    OutputLimitExceeded,
    RemoteProtocolError,
    ServerLost,
    ServerUnreachable,
    TmuxNotFound,
)
from muxwright.wire.quoting import argv_size
from muxwright.wire.request import Request, Section, encode_process, encode_script, split_process_output
from muxwright.wire.stream import MAX_REPLY

__all__ = ["STDERR_LIMIT", "Endpoint", "Finished", "Forks", "new_nonce", "new_token"]

# Through argv tmux takes 16 KiB in one message and silently drops what is larger.
ARGV_LIMIT = 14 * 1024
STDERR_LIMIT = 1024 * 1024
# What fits into sockaddr_un with its terminating NUL.
SOCKET_PATH_LIMIT = 104 if sys.platform == "darwin" else 108


class Finished(NamedTuple):
    """A tmux process that has ended; a negative `returncode` is the signal that ended it."""

    stdout: bytes
    stderr: bytes
    returncode: int


_nonces: list[bytes] = []


def new_nonce() -> bytes:
    """Return 128 fresh random bits as hexadecimal text; the system is asked for many at a time."""
    try:
        return _nonces.pop()
    except IndexError:
        pool = os.urandom(16 * 64).hex().encode()
        _nonces.extend([pool[start : start + 32] for start in range(32, len(pool), 32)])
        return pool[:32]


class Forks:
    """How many forks lie between the first process and this one: cheaper to look at than the process id."""

    count = 0


def _forked() -> None:
    Forks.count += 1
    # The parent goes on with these.
    _nonces.clear()


os.register_at_fork(after_in_child=_forked)


def new_token() -> str:
    """Return a fresh random name."""
    return os.urandom(8).hex()


class Endpoint:
    """A tmux server's address: socket path, tmux executable, and the environment of the processes that ask it.

    Nothing is contacted. `environment` is copied; ``TMUX`` and ``TMUX_PANE`` are taken out, so nothing ambient decides,
    and so are ``LINES`` and ``COLUMNS``: programs would believe them rather than the size of their pane.
    """

    def __init__(self, socket_path: str, tmux: str = "tmux", environment: Mapping[str, str] | None = None) -> None:
        if not tmux:
            raise InvalidArgument("tmux is the name or path of an executable, not empty")
        self.socket_path = _checked_path(socket_path)
        self.tmux = tmux
        self.environment = dict(os.environ if environment is None else environment)
        for name in ("TMUX", "TMUX_PANE", "LINES", "COLUMNS"):
            self.environment.pop(name, None)

    @classmethod
    def select(
        cls,
        socket_path: str | None,
        socket_name: str | None,
        tmux: str = "tmux",
        environment: Mapping[str, str] | None = None,
    ) -> Endpoint:
        """Return the endpoint of exactly one selector; raises `InvalidArgument` for none or both."""
        if (socket_path is None) == (socket_name is None):
            raise InvalidArgument("give exactly one of socket_path and socket_name (or use Server.from_env())")
        if socket_path is None:
            assert socket_name is not None
            socket_path = named_socket(socket_name, os.environ if environment is None else environment)
        return cls(socket_path, tmux, environment)

    def arguments(self, *, starts_server: bool = False) -> list[bytes]:
        """Return the tmux command line up to the command: UTF-8, this socket, no server started unless asked for."""
        flags = [b"-u"] if starts_server else [b"-u", b"-N"]
        return [os.fsencode(self.tmux), *flags, b"-S", os.fsencode(self.socket_path)]

    def call(self, request: Request, nonce: bytes) -> tuple[list[bytes], bytes]:
        """Return the argument list and standard input of the process that runs `request`."""
        base = self.arguments(starts_server=request.starts_server)
        argv = encode_process(request, nonce)
        if argv_size(argv) <= ARGV_LIMIT:
            return [*base, *argv], b""
        # The same commands, read by tmux from a pipe: no limit of size there.
        return [*base, b"source-file", b"-"], encode_script(request, nonce)

    def sections(self, request: Request, nonce: bytes, finished: Finished) -> tuple[Section, ...]:
        """Return what the process answered; raises when it could not talk to a server."""
        if finished.returncode == 0:
            return split_process_output(request, nonce, finished.stdout, None)
        if finished.returncode < 0:
            raise RemoteProtocolError(
                f"the tmux process was ended by signal {-finished.returncode}", command=request.name
            )
        message = finished.stderr.strip() or finished.stdout.strip().rpartition(b"\n")[2]
        error = server_refusal(message, self.socket_path)
        if error is not None:
            raise self._lost(error) if isinstance(error, ServerLost) else error
        return split_process_output(request, nonce, finished.stdout, message)

    def _lost(self, error: ServerLost) -> ServerLost | ServerUnreachable:
        if not self.listening():
            return error
        return ServerUnreachable(
            f"the server at {self.socket_path} is alive but hung up on {self.tmux!r}: one of them is older than tmux"
            " 3.6 and the other is not; use the tmux executable that started the server",
            diagnostic=error.diagnostic,
        )

    def listening(self) -> bool:
        """Whether something accepts connections at the socket."""
        with socket.socket(socket.AF_UNIX) as probe, contextlib.suppress(OSError):
            probe.connect(self.socket_path)
            return True
        return False

    def executable(self) -> str:
        """Return the path of the tmux executable; raises `TmuxNotFound`."""
        found = shutil.which(self.tmux, path=self.environment.get("PATH", os.defpath))
        if found is None:
            raise TmuxNotFound(self.tmux)
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Endpoint):
            return NotImplemented
        return (self.socket_path, self.tmux) == (other.socket_path, other.tmux)

    def __hash__(self) -> int:
        return hash((self.socket_path, self.tmux))

    def __repr__(self) -> str:
        return f"Endpoint({self.socket_path!r}, tmux={self.tmux!r})"


def _checked_path(path: str) -> str:
    if not isinstance(path, str) or not path:
        raise InvalidArgument(f"a socket path is a non-empty str, not {path!r}")
    absolute = os.path.abspath(path)
    if any(ord(char) < 32 or ord(char) == 127 for char in absolute):
        raise InvalidArgument(f"the socket path {path!r} holds a control character, which tmux reports altered")
    size = len(os.fsencode(absolute))
    if size >= SOCKET_PATH_LIMIT:
        raise InvalidArgument(
            f"the socket path {absolute!r} has {size} bytes; the system allows {SOCKET_PATH_LIMIT - 1}"
        )
    return absolute


def named_socket(name: str, environment: Mapping[str, str]) -> str:
    """Return the path that tmux gives to ``-L name``: ``$TMUX_TMPDIR`` or ``/tmp``, then ``tmux-UID``."""
    if not isinstance(name, str) or not name or "/" in name:
        raise InvalidArgument(f"a socket name is not empty and holds no '/', not {name!r}; use socket_path for a path")
    base = environment.get("TMUX_TMPDIR") or "/tmp"
    return os.path.join(os.path.realpath(base), f"tmux-{os.getuid()}", name)


def ambient_socket(environment: Mapping[str, str]) -> str:
    """Return the socket that a tmux command would use here: that of ``$TMUX``, else the one named ``default``."""
    value = environment.get("TMUX", "")
    if not value:
        return named_socket("default", environment)
    # From the right: a path may hold commas.
    fields = value.rsplit(",", 2)
    if len(fields) != 3 or not fields[0] or not fields[1].isdecimal() or not fields[2].isdecimal():
        raise InvalidArgument(f"$TMUX is {value!r}; expected PATH,PID,SESSION")
    return fields[0]


def checked_output(size: int, request: Request) -> None:
    """Raise `OutputLimitExceeded` for an answer beyond the request's bound."""
    limit = min(request.limit, MAX_REPLY)
    if size > limit:
        raise OutputLimitExceeded(limit, command=request.name)
