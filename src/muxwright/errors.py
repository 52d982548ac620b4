"""The error tree: every failure of muxwright is a `MuxwrightError`.

Two questions matter after a failure, and every error answers both:

- `effects`: ``"none"`` - nothing reached tmux, it is safe to try again; ``"possible"`` - tmux may have changed.
- `command` and `target`: what was asked, of which object (``None`` where there was none).

Errors inherit the built-in a Python programmer would catch (`LookupError`, `TimeoutError`, `ValueError`,
`ConnectionError`, `FileNotFoundError`) beside the family root.
"""

from __future__ import annotations

from typing import Literal

__all__ = [
    "AlreadyExists",
    "AlreadySo",
    "AmbiguousOption",
    "AttachFailed",
    "BadLayout",
    "BadValue",
    "BufferNotFound",
    "CaptureDecodeError",
    "ClientNotFound",
    "CommandError",
    "ConnectionBusy",
    "ConnectionClosed",
    "ConnectionLost",
    "CreationResponseError",
    "CrossServerReference",
    "DeadlineExceeded",
    "Effects",
    "ExpectFailed",
    "ForkedConnection",
    "FormatValueError",
    "InconsistentSnapshot",
    "InvalidArgument",
    "LastLink",
    "LocalProtocolError",
    "MouseOff",
    "MultipleMatchesError",
    "MuxwrightError",
    "NoMatchError",
    "NoSessions",
    "NoSpace",
    "NotAShell",
    "NotFound",
    "ObservationLost",
    "OutputLimitExceeded",
    "OwnedServerCleanupError",
    "OwnedServerStartError",
    "PaneAttended",
    "PaneDead",
    "PaneInMode",
    "PaneInUse",
    "PaneInputOff",
    "PaneNotFound",
    "PaneReserved",
    "PaneSynchronized",
    "PipeInUse",
    "ProcessIOError",
    "ProcessSpawnError",
    "ProtocolError",
    "RemoteProtocolError",
    "RequestCancelled",
    "ServerError",
    "ServerLost",
    "ServerNotRunning",
    "ServerUnreachable",
    "SessionNotFound",
    "SnapshotCoverageError",
    "StaleReference",
    "TmuxNotFound",
    "TooManyJobs",
    "UnknownOption",
    "UnsupportedCapability",
    "UnsupportedCriterion",
    "WaitStopped",
    "WindowNotFound",
    "WireCriteriaError",
]

Effects = Literal["none", "possible"]

# tmux repeats our own arguments in its messages; a diagnostic is for people, not a transport for 300 kB.
DIAGNOSTIC_LIMIT = 256


def bounded_diagnostic(data: bytes | str) -> str:
    """Return tmux's own words on one line, cut at 256 bytes with the cut said."""
    raw = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
    text = raw[:DIAGNOSTIC_LIMIT].decode("utf-8", "replace")
    text = "".join(c if c.isprintable() else " " for c in text).strip()
    return f"{text} [cut, {len(raw)} bytes]" if len(raw) > DIAGNOSTIC_LIMIT else text


class MuxwrightError(Exception):
    """Root of all errors of this library.

    Attributes: `effects` (``"none"`` or ``"possible"``), `command` (the tmux command's name), `target` (an id such as
    ``"%3"``), `diagnostic` (tmux's own words, at most 256 bytes).
    """

    default_effects: Effects = "none"

    def __init__(
        self,
        message: str,
        *,
        effects: Effects | None = None,
        command: str | None = None,
        target: str | None = None,
        diagnostic: str = "",
    ) -> None:
        super().__init__(message)
        self.effects: Effects = self.default_effects if effects is None else effects
        self.command = command
        self.target = target
        self.diagnostic = diagnostic

    @property
    def sent(self) -> bool:
        """Whether the request may have reached tmux."""
        return self.effects == "possible"


class InvalidArgument(MuxwrightError, ValueError):
    """An argument was refused before anything was sent; the message says what was given and what is expected."""


class UnsupportedCapability(MuxwrightError):
    """The running tmux (or this transport) cannot do it; raised before anything is sent.

    Attributes: `needs` (for example ``"tmux 3.5"``) and `has` (for example ``"tmux 3.3a"``).
    """

    def __init__(self, operation: str, *, needs: str, has: str) -> None:
        super().__init__(f"{operation} needs {needs}, but this is {has}", command=operation)
        self.operation = operation
        self.needs = needs
        self.has = has


# --- tmux said no -----------------------------------------------------------------------------------------------------


class CommandError(MuxwrightError):
    """tmux refused a command; `diagnostic` holds its own words."""

    default_effects: Effects = "possible"


class NotFound(CommandError, LookupError):
    """The exact object is not there; there is never a fallback to another one."""

    default_effects: Effects = "none"


class SessionNotFound(NotFound):
    """No such session."""


class WindowNotFound(NotFound):
    """No such window."""


class PaneNotFound(NotFound):
    """No such pane."""


class ClientNotFound(NotFound):
    """No such client."""


class BufferNotFound(NotFound):
    """No such paste buffer."""


class AlreadyExists(CommandError):
    """A session of that name, or a window at that index, is already there."""

    default_effects: Effects = "none"


class NoSpace(CommandError):
    """The window has no room for another pane of the size asked for."""

    default_effects: Effects = "none"


class BadLayout(CommandError, ValueError):
    """The layout is not one that this tmux and this window can take; some versions die of such a layout."""

    default_effects: Effects = "none"


class UnknownOption(CommandError, LookupError):
    """This tmux has no option or hook of exactly that name; a user option that is not set is no error."""

    default_effects: Effects = "none"


class AmbiguousOption(UnknownOption):
    """The name begins several options; names are never completed here."""


class BadValue(CommandError, ValueError):
    """tmux does not take this value for the option; of an array, entries may have been changed before."""

    default_effects: Effects = "none"


# --- identity and state -----------------------------------------------------------------------------------------------


class StaleReference(MuxwrightError):
    """The daemon that the reference belongs to is gone; another one answers at its socket."""


class CrossServerReference(MuxwrightError, ValueError):
    """A reference of one endpoint was used on another."""


class PaneDead(MuxwrightError):
    """The pane is there, but its program has exited (`remain-on-exit`)."""


class PaneInMode(MuxwrightError):
    """The pane is in a mode (copy mode, a menu, ...), which would swallow the input."""


class PaneInputOff(MuxwrightError):
    """Input to the pane was switched off (`select-pane -d`); tmux would drop it silently."""


class MouseOff(MuxwrightError):
    """The program in the pane has not asked for mouse events; they would reach it as keys."""


class PaneInUse(MuxwrightError):
    """A program still runs there, and would be ended."""


class NotAShell(MuxwrightError):
    """The program in the foreground of the pane is no shell that a command can be run in."""


class PaneReserved(MuxwrightError):
    """A command that this process has started in the pane has not been proved to be over."""


class PaneAttended(MuxwrightError):
    """A person is looking at the pane through an attached terminal, or came or went at this very moment."""


class PaneSynchronized(MuxwrightError):
    """What is typed into the pane would reach others as well (`synchronize-panes`)."""


class TooManyJobs(MuxwrightError):
    """As many jobs as can be kept are still running."""


class PipeInUse(MuxwrightError):
    """The pane's output is piped already (`pipe-pane`), perhaps to somebody's log."""


class LastLink(MuxwrightError):
    """The window or session would end with its last link."""


class AlreadySo(MuxwrightError):
    """The object is in the state that was asked for."""


# --- servers and connections ------------------------------------------------------------------------------------------


class ServerError(MuxwrightError, ConnectionError):
    """There is no tmux server to talk to."""


class ServerNotRunning(ServerError):
    """Nothing listens at the socket."""


class ServerUnreachable(ServerError):
    """The socket cannot be asked (permission, path too long, a client of another protocol, ...)."""


class ServerLost(ServerError):
    """The server went away in the middle of the call."""

    default_effects: Effects = "possible"


class NoSessions(MuxwrightError, LookupError):
    """A connection attaches to a session, and the server has none."""


class AttachFailed(ServerError):
    """A connection could not be opened; the message says at which step."""


class ConnectionLost(ServerError):
    """An open connection ended; `reason` says why. It is final: open a new one."""

    default_effects: Effects = "possible"

    def __init__(self, reason: str, *, effects: Effects | None = None, command: str | None = None) -> None:
        super().__init__(f"connection lost: {reason}", effects=effects, command=command)
        self.reason = reason


class ConnectionBusy(MuxwrightError):
    """A signal handler used the connection whose own call it had interrupted."""


class ConnectionClosed(MuxwrightError):
    """The connection was closed by its owner."""


class ForkedConnection(ConnectionClosed):
    """The connection belongs to the parent process; open one of your own after `fork`."""


class DeadlineExceeded(MuxwrightError, TimeoutError):
    """The deadline passed; `timeout` is the budget in seconds. `effects` tells whether it was sent."""

    default_effects: Effects = "possible"

    def __init__(
        self, timeout: float, *, effects: Effects | None = None, command: str | None = None, target: str | None = None
    ) -> None:
        what = f" for {command}" if command else ""
        where = f" on {target}" if target else ""
        super().__init__(
            f"no answer{what}{where} within {timeout:g} s", effects=effects, command=command, target=target
        )
        self.timeout = timeout


class RequestCancelled(MuxwrightError):
    """The call was given up by its `cancel` token; what tmux did before stays done."""

    default_effects: Effects = "possible"


class WaitStopped(MuxwrightError):
    """A pattern that was to stop the wait came before what was waited for."""


class ExpectFailed(MuxwrightError, AssertionError):
    """A screen did not become what was expected in time; the message shows it, with the nearest miss."""


class ObservationLost(MuxwrightError):
    """An observation has a gap, or ended before its pane did; `reason` says why.

    Reasons: ``"overflow"`` (this reader was too slow), ``"stalled"`` (this process was), ``"pipe_taken"`` and
    ``"pipe_closed"`` (by somebody else), ``"server_lost"``, ``"connection_lost"``, ``"cursor_expired"``,
    ``"invalid_cursor"``, ``"target_changed"``.
    """

    def __init__(self, reason: str, message: str, *, target: str | None = None) -> None:
        super().__init__(message, target=target)
        self.reason = reason


class ProtocolError(MuxwrightError):
    """The control-mode conversation broke its rules."""


class LocalProtocolError(ProtocolError, ValueError):
    """We were asked to send something that the protocol cannot carry; nothing was sent."""


class RemoteProtocolError(ProtocolError):
    """tmux sent something that the protocol does not allow."""

    default_effects: Effects = "possible"


# --- processes --------------------------------------------------------------------------------------------------------


class TmuxNotFound(MuxwrightError, FileNotFoundError):
    """The tmux executable is not there."""

    def __init__(self, executable: str) -> None:
        super().__init__(
            f"{executable!r} was not found: install tmux 3.2a or newer"
            " (Debian and Ubuntu: apt install tmux; macOS: brew install tmux)"
        )
        self.executable = executable

    # OSError would print "[Errno ...]" for some argument shapes.
    def __str__(self) -> str:
        return str(self.args[0])


class ProcessSpawnError(MuxwrightError):
    """A tmux process could not be started."""


class ProcessIOError(MuxwrightError):
    """Talking to a tmux process failed."""

    default_effects: Effects = "possible"


class OutputLimitExceeded(MuxwrightError):
    """The answer is larger than the bound; it is refused whole, never cut, since a short answer would lie."""

    default_effects: Effects = "possible"

    def __init__(self, limit: int, *, command: str | None = None, stream: str = "reply") -> None:
        super().__init__(f"the {stream} is larger than the bound of {limit} bytes", command=command)
        self.limit = limit
        self.stream = stream


class OwnedServerStartError(MuxwrightError):
    """A private server did not come up; it was removed again."""


class OwnedServerCleanupError(MuxwrightError):
    """A private server could not be removed without force, or something of it is left."""

    default_effects: Effects = "possible"


# --- observed data ----------------------------------------------------------------------------------------------------


class SnapshotCoverageError(MuxwrightError, LookupError):
    """The value was not captured: neither known nor known to be absent."""


class InconsistentSnapshot(MuxwrightError):
    """The listings contradict each other."""


class CreationResponseError(MuxwrightError):
    """Something was created, but tmux's answer does not tell what."""

    default_effects: Effects = "possible"


class CaptureDecodeError(MuxwrightError, ValueError):
    """Captured bytes are not valid UTF-8; `data` holds them."""

    def __init__(self, message: str, data: bytes, *, target: str | None = None) -> None:
        super().__init__(message, command="capture-pane", target=target)
        self.data = data


class FormatValueError(MuxwrightError, ValueError):
    """A format variable is not what it was read as; `field` is its name, `expected` the type, `raw` tmux's bytes."""

    def __init__(self, field: str, expected: str, raw: bytes, *, target: str | None = None) -> None:
        super().__init__(f"{field} is {raw[:80]!r}, which is no {expected}", command="list-panes", target=target)
        self.field = field
        self.expected = expected
        self.raw = raw


# --- queries ----------------------------------------------------------------------------------------------------------


class _WrongCount(MuxwrightError, LookupError):
    def __init__(self, entity: str, message: str) -> None:
        super().__init__(message)
        self.entity = entity


class NoMatchError(_WrongCount):
    """Nothing matched where a match was asked for; `entity` is ``"pane"``, ``"window"``, ... or ``"item"``."""


class MultipleMatchesError(_WrongCount):
    """More than one matched where exactly one was asked for; `entity` as for `NoMatchError`."""


class WireCriteriaError(MuxwrightError, ValueError):
    """A criteria document was refused.

    Attributes: `code` (a stable word such as ``"limit"`` or ``"shape"``), `path` (where in the document, such as
    ``"$.where.args[1]"``, positions from 1) and `message`.
    """

    def __init__(self, code: str, path: str, message: str) -> None:
        super().__init__(f"criteria {code} at {path}: {message}")
        self.code = code
        self.path = path
        self.message = message


class UnsupportedCriterion(MuxwrightError, ValueError):
    """A criterion means something that the other profile does not share.

    Attributes: `profile` (``"typescript_v1"``, ``"rust_v1"`` or ``"filter_v1"``), `path` and `reason`.
    """

    def __init__(self, profile: str, path: str, reason: str) -> None:
        super().__init__(f"{profile} criterion at {path}: {reason}")
        self.profile = profile
        self.path = path
        self.reason = reason
