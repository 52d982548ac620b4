"""What became of a load: evidence for each step, what was made, what remains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from muxwright.errors import MuxwrightError
from muxwright.refs import SessionRef

__all__ = ["ApplyStatus", "Event", "OnEvent", "Removed", "StepResult", "WorkspaceApplyError", "WorkspaceApplyResult"]

ApplyStatus = Literal["complete", "failed", "partial", "cancelled"]


class Event(NamedTuple):
    """Something happened in a load.

    `kind`: ``stage`` (`text` says which), ``step`` (`step` is its number from 1 and `status` its outcome), ``output``
    (a line of a script), ``warning`` or ``finished``.
    """

    kind: Literal["stage", "step", "output", "warning", "finished"]
    text: str = ""
    step: int | None = None
    status: str | None = None

    def as_data(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        data = {"kind": self.kind, "text": self.text, "step": self.step, "status": self.status}
        return {name: value for name, value in data.items() if value not in (None, "")}


OnEvent = Callable[[Event], None]


class StepResult(NamedTuple):
    """What became of step `number` (from 1) of the plan.

    `status`: ``completed``, ``failed``, ``skipped``, ``unknown`` (sent, its answer is lost) or ``not_ready`` (a shell).
    """

    number: int
    action: str
    status: str
    detail: str = ""


class Removed(NamedTuple):
    """What a rollback did with something that the load had made; ``unresolved``: it may still be there."""

    target: str
    status: Literal["removed", "unresolved"]


@dataclass(slots=True)
class WorkspaceApplyResult:
    """The outcome of `apply`.

    `status`: ``complete``; ``failed`` (nothing of it is left); ``partial`` (something is); ``cancelled``. `session`:
    where the windows are. `created`: ids of what this load made. `unknown_effects`: what cannot be taken back, in
    words. `dead`: panes whose program has ended, with its exit status where tmux knows it.
    """

    status: ApplyStatus = "failed"
    session: SessionRef | None = None
    session_name: str = ""
    created: list[str] = field(default_factory=list)
    borrowed: list[str] = field(default_factory=list)
    steps: list[StepResult] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unknown_effects: list[str] = field(default_factory=list)
    removed: list[Removed] = field(default_factory=list)
    dead: dict[str, int | None] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        session = None
        if self.session is not None:
            server = self.session.server
            session = {
                "kind": "session",
                "id": self.session.id,
                "socket": server.socket_path,
                "generation": str(server.generation),
            }
        return {
            "status": self.status,
            "session": session,
            "session_name": self.session_name,
            "created": self.created,
            "borrowed": self.borrowed,
            "steps": [
                {"number": step.number, "action": step.action, "status": step.status, "detail": step.detail}
                for step in self.steps
            ],
            "warnings": self.warnings,
            "unknown_effects": self.unknown_effects,
            "removed": [{"target": one.target, "status": one.status} for one in self.removed],
            "dead": self.dead,
        }


class WorkspaceApplyError(MuxwrightError):
    """A load did not come to its end; `result` says what was done and what remains, `__cause__` why."""

    def __init__(self, message: str, result: WorkspaceApplyResult) -> None:
        left = result.status == "partial" or result.unknown_effects
        super().__init__(message, effects="possible" if left else "none")
        self.result = result
