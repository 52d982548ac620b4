"""The building of windows and panes, recorded: which slot or ref stands for which window and pane of the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from muxwright.operations.plan import Pane, PlanItem, Slot, Window
from muxwright.refs import PaneRef, SessionRef, WindowRef
from muxwright.workspace import marks
from muxwright.workspace.planning import PlanStep, WorkspacePlan
from muxwright.workspace.recorder import Recorder, program_of

__all__ = ["Sketch"]

Position = tuple[int, int]
"""A window and a pane of the file, from 1."""


class Sketch:
    """Records the building steps of a plan. `numbers`: for which step of the plan each recorded one is.

    Windows and panes that are there already are given as refs; new ones are slots until `resolve`.
    """

    def __init__(
        self,
        plan: WorkspacePlan,
        session: SessionRef,
        indexes: Mapping[int, int],
        windows: Mapping[int, WindowRef] | None = None,
        panes: Mapping[Position, PaneRef] | None = None,
    ) -> None:
        self.plan = plan
        self.session = session
        self.indexes = indexes
        self.windows: dict[int, Window] = dict(windows or {})
        self.panes: dict[Position, Pane] = dict(panes or {})
        self.recorder = Recorder()
        self.numbers: list[int | None] = []

    def record(self, number: int, step: PlanStep) -> None:
        """Record one step, and the marks by which its object is known again."""
        before = len(self.recorder)
        self._record(step)
        self.numbers += [number] + [None] * (len(self.recorder) - before - 1)

    def _record(self, step: PlanStep) -> None:
        assert step.window is not None, "a step of a window"
        window, pane, arguments, recorder = step.window, step.pane, step.arguments, self.recorder
        if step.action == "create_window":
            made = recorder.make_window(self.session, self.indexes[window], arguments["name"], program_of(arguments))
            self.windows[window] = made.window
            recorder.set_option(made.window, marks.WINDOW, arguments["key"])
            self._made(window, 1, made.pane)
        elif step.action == "split_pane":
            assert pane is not None, "a step of a pane"
            beside = self._beside(window, pane)
            program = program_of(arguments)
            self._made(
                window, pane, recorder.split_pane(beside, arguments["direction"], arguments["size"], program).pane
            )
        elif step.action == "select_layout":
            recorder.select_layout(self.windows[window], arguments["layout"])
        else:
            target = self.windows[window] if pane is None else self.panes[window, pane]
            recorder.set_option(target, arguments["name"], arguments["value"])

    def _beside(self, window: int, pane: int) -> Pane:
        """Return the pane to divide: the nearest one before it in the file, else the first one."""
        there = [index for at, index in self.panes if at == window]
        before = [index for index in there if index < pane]
        return self.panes[window, max(before) if before else min(there)]

    def _made(self, window: int, pane: int, slot: Slot) -> None:
        self.panes[window, pane] = slot
        commands = [
            dict(step.arguments)
            for step in self.plan.steps
            if step.action == "send_command" and (step.window, step.pane) == (window, pane)
        ]
        key = self.plan.workspace.windows[window - 1].panes[pane - 1].key
        self.recorder.set_option(slot, marks.PANE, marks.pane_mark(key, commands))

    def resolve(self, items: Sequence[PlanItem]) -> tuple[dict[int, WindowRef], dict[Position, PaneRef]]:
        """Return the refs of all windows and panes, once everything was made."""
        windows = {key: _ref(items, window) for key, window in self.windows.items()}
        panes = {key: _ref(items, pane) for key, pane in self.panes.items()}
        return windows, panes  # type: ignore[return-value]  # a slot of a window is a window


def _ref(items: Sequence[PlanItem], target: Window | Pane) -> WindowRef | PaneRef:
    if not isinstance(target, Slot):
        return target
    found: WindowRef | PaneRef = getattr(items[target.step].value, target.kind)
    return found
