"""What both control transports share: how the client is started, and what its end means."""

from __future__ import annotations

import contextlib
import select
import socket
import subprocess
import time

from muxwright.errors import ConnectionLost, Effects, OutputLimitExceeded, RemoteProtocolError, bounded_diagnostic
from muxwright.refs import SessionId
from muxwright.transports.deadline import CLEANUP
from muxwright.transports.endpoint import Endpoint, Forks
from muxwright.transports.spawn import discard, spawn, without_interrupt
from muxwright.transports.tether import Tether
from muxwright.wire.events import Block, Event, Notification
from muxwright.wire.request import Request, Section
from muxwright.wire.stream import Reply

__all__ = ["CHUNK", "Client", "Opening", "exit_reason", "reply_sections"]

CHUNK = 256 * 1024

# no-output from the first byte and for ever: before 3.8 a client that receives %output can kill or freeze the server.
# no-detach-on-destroy (3.6) moves us to another session when ours is killed; older versions ignore the flag.
_FLAGS = b"ignore-size,no-detach-on-destroy"


class Client:
    """A ``tmux -C`` process and our end of its socket. The process only introduces us to the server, then idles.

    `takes_output`: what the panes of its session print is sent to it.
    """

    _discarded = False

    def __init__(self, endpoint: Endpoint, session: SessionId, takes_output: bool = False) -> None:
        self.born = Forks.count
        ours, theirs = _pair()
        self.socket = ours
        argv = [*endpoint.arguments(), b"attach-session", b"-E", b"-t", session.encode(), b"-f"]
        argv.append(_FLAGS if takes_output else b"no-output," + _FLAGS)
        argv.insert(2, b"-C")
        try:
            self._tether = Tether()
            self.process = spawn(
                argv,
                endpoint.environment,
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=self._tether.theirs,
            )
            self._tether.tie(self.process.pid)
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()

    def stderr(self) -> bytes:
        """Return what the client process complained about; call once it has ended."""
        return self._tether.read()

    def hang_up(self) -> None:
        """Tell tmux that this is the end: it detaches the client, which then exits."""
        with contextlib.suppress(OSError):
            # A call of another thread that waits at the socket wakes; closing alone would take it away under its feet.
            self.socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Hang up and collect the client process; idempotent. In a forked child only the copies are closed."""
        try:
            if self.born == Forks.count:
                deadline = time.monotonic() + CLEANUP
                self._part(deadline)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(max(deadline - time.monotonic(), 0))
        finally:
            self.discard()

    def _part(self, deadline: float) -> None:
        """Say that nothing more comes, then take what comes: tmux lets no client go that has something unread."""
        poll = select.poll()
        with contextlib.suppress(OSError, ValueError):
            poll.register(self.socket, select.POLLIN)
            self.socket.shutdown(socket.SHUT_WR)
            while poll.poll(max(deadline - time.monotonic(), 0) * 1000):
                if not self.socket.recv(CHUNK, socket.MSG_DONTWAIT):
                    return

    def discard(self) -> None:
        """Close everything without waiting for tmux; idempotent. In a forked child only the copies are closed."""
        if self.born == Forks.count:
            self.hang_up()
            discard(self.process)
        self._tether.close()
        self.socket.close()
        self._discarded = True

    def __del__(self) -> None:
        # Ctrl-C may take a connection away before anybody has a name for it.
        if not self._discarded:
            with contextlib.suppress(Exception):
                self.discard()


def _pair() -> list[socket.socket]:
    """Return two connected sockets; between the descriptors and their objects Ctrl-C would lose them."""
    made: list[socket.socket] = []
    try:
        without_interrupt(lambda: made.extend(socket.socketpair()))
    except BaseException:
        for end in made:
            end.close()
        raise
    return made


class Opening:
    """Reads the attach handshake: one block that nobody asked for, then ``%session-changed``."""

    def __init__(self) -> None:
        self.done = False
        self.problem: str | None = None

    def event(self, event: Event) -> None:
        """Take the next event."""
        if isinstance(event, Block) and event.failed:
            self.problem = bounded_diagnostic(event.text)
        elif isinstance(event, Notification) and event.name == "session-changed":
            self.done = True


def exit_reason(event: Event) -> str | None:
    """Return why tmux ends the connection, when the event says so."""
    if isinstance(event, Notification) and event.name == "exit":
        text = bounded_diagnostic(event.arguments[0])
        return text or "tmux detached the client (its session ended, or someone detached it)"
    return None


def reply_sections(reply: Reply, request: Request) -> tuple[Section, ...]:
    """Return the sections of a reply; raises when it was too large or cannot be trusted."""
    if reply.problem is not None:
        raise RemoteProtocolError(f"the reply to {request.name} is ambiguous: {reply.problem}", command=request.name)
    if reply.sections is None:
        raise OutputLimitExceeded(request.limit, command=request.name)
    return reply.sections


def lost(reason: str, effects: Effects, command: str | None = None) -> ConnectionLost:
    """Return the error for a connection that has ended."""
    return ConnectionLost(reason, effects=effects, command=command)
