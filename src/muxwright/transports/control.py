"""What both control transports share: how the client is started, and what its end means."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess

from muxwright.errors import ConnectionLost, Effects, OutputLimitExceeded, RemoteProtocolError, bounded_diagnostic
from muxwright.refs import SessionId
from muxwright.transports.endpoint import Endpoint, Forks, spawn_error
from muxwright.wire.events import Block, Event, Notification
from muxwright.wire.request import Request, Section
from muxwright.wire.stream import Reply

__all__ = ["CHUNK", "Client", "Opening", "exit_reason", "reply_sections"]

CHUNK = 256 * 1024

# no-output from the first byte and for ever: before 3.8 a client that receives %output can kill or freeze the server.
# no-detach-on-destroy (3.6) moves us to another session when ours is killed; older versions ignore the flag.
_FLAGS = b"no-output,ignore-size,no-detach-on-destroy"


class Client:
    """A ``tmux -C`` process and our end of its socket. The process only introduces us to the server, then idles."""

    def __init__(self, endpoint: Endpoint, session: SessionId) -> None:
        ours, theirs = socket.socketpair()
        argv = [*endpoint.arguments(), b"attach-session", b"-E", b"-t", session.encode(), b"-f", _FLAGS]
        argv.insert(2, b"-C")
        try:
            self.process: subprocess.Popen[bytes] = subprocess.Popen(
                argv,
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=subprocess.PIPE,
                env=endpoint.environment,
                # Ctrl-C at the terminal is for us to handle: the client must not get it too.
                start_new_session=True,
            )
        except OSError as error:
            ours.close()
            raise spawn_error(endpoint.tmux, error) from None
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self.socket = ours
        self.born = Forks.count

    def stderr(self) -> bytes:
        """Return what the client process complained about; call once it has ended."""
        pipe = self.process.stderr
        if pipe is None:
            return b""
        os.set_blocking(pipe.fileno(), False)
        with contextlib.suppress(OSError, ValueError):
            return pipe.read(4096) or b""
        return b""

    def hang_up(self) -> None:
        """Close our end: tmux detaches the client, which then exits."""
        with contextlib.suppress(OSError):
            # Also for a child that holds a copy: closing alone would not reach tmux.
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def reap(self, kill: bool) -> bool:
        """Collect the client process; return whether it has ended."""
        if kill and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process.poll() is None:
            return False
        if self.process.stderr is not None:
            self.process.stderr.close()
        return True


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
