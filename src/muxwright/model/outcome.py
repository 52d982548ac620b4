"""What became of a command: the result of a run, and the state of one that goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

__all__ = ["JobStatus", "RunEnd", "RunOutcome", "RunState"]

J = TypeVar("J", covariant=True)
K = TypeVar("K")

RunState = Literal["completed", "deadline", "pane_closed", "cancelled", "no_shell"]
RunEnd = Literal["completed", "pane_closed", "no_shell"]


@dataclass(frozen=True, slots=True)
class RunOutcome(Generic[J]):
    """What became of a command.

    `outcome`: ``"completed"`` - it has ended, `exit_status` is its own (0-255); ``"deadline"`` and ``"cancelled"`` -
    only the waiting is over, and `job` goes on with the same command (without one it never began, and never will);
    ``"pane_closed"`` - its pane, the pane's program or the server is gone, and nothing is known of its end;
    ``"no_shell"`` - the line was typed, nothing answered it in time, and the command never ran and never will.

    `output`: what the pane printed from the beginning to the end of the command, as text: no prompt, no echo of the
    line, the newest 256 KiB. `bytes`: its size before anything was dropped or filtered; `truncated`: there is more than
    `output` holds. `route`: ``"pipe"`` - each byte was heard; ``"poll"`` - the output was read from the screen.
    `duration`: seconds. `signal`: what ended a spawned program (``"TERM"``), from tmux 3.4 on.
    """

    outcome: RunState
    exit_status: int | None
    output: str
    bytes: int
    truncated: bool
    route: Literal["pipe", "output", "poll"]
    duration: float
    signal: str | None = None
    job: J | None = None

    @property
    def ok(self) -> bool:
        """Whether the command has ended with status 0."""
        return self.outcome == "completed" and self.exit_status == 0

    def with_job(self, job: K | None) -> RunOutcome[K]:
        """Return the same outcome with `job` as the way to go on."""
        return RunOutcome(
            self.outcome,
            self.exit_status,
            self.output,
            self.bytes,
            self.truncated,
            self.route,
            self.duration,
            self.signal,
            job,
        )


@dataclass(frozen=True, slots=True)
class JobStatus:
    """What is known of a job.

    `state`: ``"running"``, or how it ended (see `RunOutcome`). `output`: the text from the cursor asked for on;
    `cursor`: where to go on from; `lost`: bytes of text after the cursor asked for that are gone.
    """

    state: RunEnd | Literal["running"]
    exit_status: int | None
    output: str
    cursor: int
    lost: int
