"""What one load knows of itself, and what it tells while it runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from muxwright.operations.create import CreatedRefs
from muxwright.refs import PaneRef, SessionRef, WindowRef
from muxwright.wire.versions import TmuxVersion
from muxwright.workspace.planning import PlanStep, WorkspacePlan
from muxwright.workspace.ready import Handshake
from muxwright.workspace.result import Event, OnEvent, StepResult, WorkspaceApplyResult

__all__ = ["HOOK", "LATE", "Evidence"]

HOOK = 4207
"""The index of our entries in hooks, which are arrays: those of others stay."""

LATE = ("renumber-windows", "destroy-unattached")
"""Session options that are set in the end: before, they would move windows, or end the session with our client."""


class Evidence:
    """The state of one load: what it is asked, what it has made, and what became of each step."""

    def __init__(
        self,
        plan: WorkspacePlan,
        run: str,
        *,
        host: SessionRef | None = None,
        take_focus: bool = True,
        readiness: bool = True,
        environment: Mapping[str, str] | None = None,
        on_event: OnEvent | None = None,
    ) -> None:
        self.plan = plan
        self.run = run
        self.host = host
        self.take_focus = take_focus
        # Whether it works in somebody else's windows, so that each of its panes has to be known at once.
        self.guest = False
        self.readiness = readiness
        given = os.environ if environment is None else environment
        self.environment = {name: value for name, value in given.items() if name not in ("TMUX", "TMUX_PANE")}
        self.on_event = on_event
        self.handshake = Handshake(run)
        self.result = WorkspaceApplyResult(session_name=plan.workspace.session_name, warnings=list(plan.warnings))
        self.session: SessionRef | None = None
        self.version: TmuxVersion | None = None
        self.holder: CreatedRefs | None = None
        self.connectable = True
        self.windows: dict[int, WindowRef] = {}
        self.panes: dict[tuple[int, int], PaneRef] = {}
        self.moved: list[WindowRef | PaneRef] = []
        self._results: dict[int, StepResult] = {}

    # --- evidence ---

    def emit(self, event: Event) -> None:
        if self.on_event is not None:
            self.on_event(event)

    def output(self, line: str) -> None:
        """Pass on a line that a script has printed."""
        self.emit(Event("output", line))

    def stage(self, text: str) -> None:
        self.emit(Event("stage", text))

    def warn(self, text: str) -> None:
        self.result.warnings.append(text)
        self.emit(Event("warning", text))

    def report(self, number: int, status: str, detail: str = "") -> None:
        """Note what became of a step."""
        self._results[number] = StepResult(number, self.plan.steps[number - 1].action, status, detail)
        self.emit(Event("step", detail, number, status))
        if status == "not_ready":
            self.warn(detail)

    def steps(self, *actions: str) -> Iterator[tuple[int, PlanStep]]:
        """Yield the steps of these actions with their numbers."""
        for number, step in enumerate(self.plan.steps, 1):
            if step.action in actions:
                yield number, step

    def finish(self) -> list[StepResult]:
        """Return the evidence for all steps."""
        return [
            self._results.get(number, StepResult(number, step.action, "skipped"))
            for number, step in enumerate(self.plan.steps, 1)
        ]

    @property
    def name(self) -> str:
        """The name of the session that is built: a passing one, when its windows go to another session."""
        return self.plan.workspace.session_name if self.host is None else f"muxwright-{self.run}"

    def is_late(self, step: PlanStep) -> bool:
        """Whether an option would disturb the building, and is set in the end."""
        scope, name = step.arguments["scope"], step.arguments["name"]
        return (scope == "session" and name in LATE) or (scope == "window" and name == "remain-on-exit")
