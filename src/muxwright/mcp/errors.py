"""Failures as a caller reads them: a stable code, one sentence, what may have changed, whether to try again."""

from __future__ import annotations

from typing import Any

from muxwright import errors
from muxwright.errors import Effects, MuxwrightError

__all__ = ["ToolError", "as_tool_error"]

MESSAGE_LIMIT = 512


class ToolError(Exception):
    """A call that failed in a way that its caller can understand.

    `code` is a stable word, `effects` is ``"none"`` or ``"possible"``, `retryable`: the same call may succeed later.
    """

    def __init__(self, code: str, message: str, *, effects: Effects = "none", retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.effects: Effects = effects
        self.retryable = retryable

    def as_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "message": _bounded(str(self)),
            "effects": self.effects,
            "retryable": self.retryable,
        }


def _bounded(text: str) -> str:
    """Return one printable line of at most 512 bytes, which never cuts a character."""
    text = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    data = text.encode("utf-8", "replace")
    return text if len(data) <= MESSAGE_LIMIT else data[: MESSAGE_LIMIT - 3].decode("utf-8", "ignore") + "..."


# The first that fits counts. A target that is gone is worth a look at what is there now, whoever it belonged to.
_CODES: tuple[tuple[type[MuxwrightError], str], ...] = (
    (errors.StaleReference, "stale_target"),
    (errors.CrossServerReference, "stale_target"),
    (errors.UnknownOption, "unknown_option"),
    (errors.NotFound, "not_found"),
    (errors.AlreadyExists, "already_exists"),
    (errors.NoSpace, "no_space"),
    (errors.BadLayout, "invalid_arguments"),
    (errors.BadValue, "invalid_arguments"),
    (errors.PaneDead, "pane_dead"),
    (errors.PaneInMode, "pane_in_mode"),
    (errors.PaneInputOff, "input_off"),
    (errors.PaneInUse, "pane_in_use"),
    (errors.PaneReserved, "active_run"),
    (errors.NotAShell, "no_shell"),
    (errors.PaneAttended, "pane_attended"),
    (errors.PaneSynchronized, "pane_synchronized"),
    (errors.TooManyJobs, "too_many_jobs"),
    (errors.PipeInUse, "pipe_in_use"),
    (errors.LastLink, "last_link"),
    (errors.AlreadySo, "already_so"),
    (errors.InvalidArgument, "invalid_arguments"),
    (errors.WireCriteriaError, "invalid_arguments"),
    (errors.UnsupportedCriterion, "invalid_arguments"),
    (errors.UnsupportedCapability, "unsupported"),
    (errors.ServerNotRunning, "server_not_running"),
    (errors.ServerUnreachable, "server_unreachable"),
    (errors.ServerLost, "server_lost"),
    (errors.ConnectionLost, "server_lost"),
    (errors.ConnectionClosed, "closed"),
    (errors.ServerError, "server_unreachable"),
    (errors.DeadlineExceeded, "deadline"),
    (errors.RequestCancelled, "cancelled"),
    (errors.ObservationLost, "observation_lost"),
    (errors.OutputLimitExceeded, "output_limit"),
    (errors.CaptureDecodeError, "invalid_utf8"),
    (errors.SnapshotCoverageError, "incomplete_observation"),
    (errors.TmuxNotFound, "tmux_not_found"),
    (errors.OwnedServerStartError, "server_not_running"),
)
_NEXT = {
    "stale_target": "call list_panes for what is there now",
    "not_found": "call list_panes for what is there now",
}


def as_tool_error(error: MuxwrightError, *, reading: bool = False, touched: bool = False) -> ToolError:
    """Return how an error of the library reads. `reading`: the tool changes nothing; `touched`: it already has."""
    code = next((code for kind, code in _CODES if isinstance(error, kind)), "operation_failed")
    message = str(error)
    if code in _NEXT:
        message = f"{message.removesuffix('; take a new snapshot')}; {_NEXT[code]}"
    effects: Effects = "possible" if touched else "none" if reading else error.effects
    retryable = code in ("active_run", "too_many_jobs") or (reading and code in ("deadline", "server_lost"))
    return ToolError(code, message, effects=effects, retryable=retryable)
