"""What a wait has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from muxwright.errors import DeadlineExceeded, MuxwrightError, PaneDead, PaneNotFound, RequestCancelled, WaitStopped
from muxwright.refs import PaneRef

__all__ = ["WaitOutcome", "WaitResult"]

WaitOutcome = Literal["matched", "quiet", "exited", "stopped", "deadline", "pane_closed", "cancelled"]

_NOTE = 1000
_ECHO = (
    "A match was not counted: it held what had been typed, as an echo does. Match something else of the answer, "
    "or pass accept_echo=True."
)
_FOUND = ("matched", "quiet", "exited")


@dataclass(frozen=True, slots=True)
class WaitResult:
    """How a wait ended, and what that proves. It is true when what was waited for has come.

    A deadline, a stop pattern, the end of the pane and a cancellation are outcomes; `check` turns them into errors. An
    error is raised only where tmux itself is lost or refuses.

    - `outcome`: ``"matched"``, ``"quiet"``, ``"exited"``: it has come. ``"stopped"``: a stop pattern was there first.
      ``"deadline"``: the time is over. ``"pane_closed"``: the pane is gone, or its program ended and nothing more can
      come. ``"cancelled"``: the call was given up.
    - `source`: ``"baseline"``: it stood there when the wait began. ``"output"``: it came afterwards.
    - `pattern`: the index of the pattern, in the list of patterns or of stop patterns; `text`: what it matched.
    - `pending`: the cursor's line, when a pattern matched there but what we had typed is not entered yet.
    - `echo_seen`: a match was found only in the echo of what this process had typed, and was not counted.
    - `received_bytes`: output during the wait; `dropped_bytes`: of it, those that could not be searched; `gap`: more
      was missed than can be counted.
    - `route`: how the pane was watched (``"pipe"``, ``"output"``, ``"poll"``); `duration`: seconds.
    - `tail`: the last text of the output, at most 4,096 characters.
    - `exit_status`, `signal`: of a program that has exited; tmux before 3.4 knows no signal, and no status then.
    """

    pane: PaneRef
    outcome: WaitOutcome
    timeout: float
    duration: float
    route: str
    source: Literal["baseline", "output"] | None = None
    pattern: int | None = None
    text: str = ""
    pending: str | None = None
    echo_seen: bool = False
    received_bytes: int = 0
    dropped_bytes: int = 0
    gap: bool = False
    tail: str = ""
    exit_status: int | None = None
    signal: str = ""

    def __bool__(self) -> bool:
        return self.outcome in _FOUND

    def check(self) -> Self:
        """Return itself when what was waited for has come.

        Raises `DeadlineExceeded`, `WaitStopped`, `PaneDead`, `PaneNotFound` or `RequestCancelled`; a note shows the
        last output.
        """
        if self:
            return self
        error = self._error()
        if last := self.tail.strip()[-_NOTE:]:
            error.add_note(f"the last output was:\n{last}")
        if self.echo_seen:
            error.add_note(_ECHO)
        raise error

    def _error(self) -> MuxwrightError:
        where = str(self.pane.id)
        if self.outcome == "deadline":
            return DeadlineExceeded(self.timeout, command="the wait", target=where)
        if self.outcome == "stopped":
            return WaitStopped(f"the stop pattern {self.text!r} came first on {where}", target=where)
        if self.outcome == "cancelled":
            return RequestCancelled(f"the wait on {where} was cancelled", target=where)
        if self.exit_status is not None or self.signal:
            how = f"status {self.exit_status}" if self.exit_status is not None else f"signal {self.signal}"
            return PaneDead(f"the program in {where} exited ({how}) before what was waited for", target=where)
        return PaneNotFound(f"the pane {where} closed before what was waited for", target=where)
