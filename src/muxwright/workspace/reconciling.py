"""Make what is missing of a workspace that runs, leave alone what is there, and say what differs.

A window is known again by the key that a load has put on it, else by its name; a pane by its key, and in a window
without any by its position. Commands are typed only into panes that are new.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from muxwright.errors import MuxwrightError
from muxwright.model.infos import PaneInfo, WindowInfo
from muxwright.operations import observe
from muxwright.operations.steps import Operation, Place
from muxwright.refs import PaneRef, SessionRef, WindowRef
from muxwright.transports.deadline import Deadline
from muxwright.wire.layout import LAYOUT_NAMES
from muxwright.workspace import marks
from muxwright.workspace.build import Load
from muxwright.workspace.carrier import Carrier, left
from muxwright.workspace.conclude import take_back
from muxwright.workspace.config import HooksConfig
from muxwright.workspace.expansion import ExpandedWindow, ExpandedWorkspace
from muxwright.workspace.freezing import Observed, observe_session
from muxwright.workspace.loading import DEFAULT_TIMEOUT, ROLLBACK, apply, apply_async
from muxwright.workspace.planning import PlanStep, WorkspacePlan, plan
from muxwright.workspace.recorder import Recorder, option_text
from muxwright.workspace.result import OnEvent, WorkspaceApplyError, WorkspaceApplyResult
from muxwright.workspace.sketch import Position, Sketch

if TYPE_CHECKING:
    from muxwright import AsyncServer, Server

__all__ = ["Comparison", "ReconcileResult", "compare", "reconcile", "reconcile_async"]


@dataclass(slots=True)
class Comparison:
    """What a session has of a workspace. Positions count from 1, as in a plan."""

    windows: dict[int, WindowRef] = field(default_factory=dict)
    panes: dict[Position, PaneRef] = field(default_factory=dict)
    missing_windows: list[int] = field(default_factory=list)
    missing_panes: list[Position] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ReconcileResult:
    """The outcome of `reconcile`: `made` names what was missing, `differences` what is otherwise than the file says."""

    session: SessionRef | None
    made: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def add_windows(self, comparison: Comparison, result: WorkspaceApplyResult) -> None:
        """Note that the missing windows were made."""
        self.made += [f"windows[{number - 1}]" for number in comparison.missing_windows]
        self.warnings += result.warnings

    def add_panes(self, comparison: Comparison, result: WorkspaceApplyResult) -> None:
        """Note that the missing panes were made."""
        self.made += [f"windows[{window - 1}].panes[{pane - 1}]" for window, pane in comparison.missing_panes]
        self.warnings += result.warnings

    def as_data(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        session = None if self.session is None else self.session.id
        return {
            "session": session,
            "made": self.made,
            "differences": self.differences,
            "warnings": self.warnings,
        }


def reconcile(
    server: Server,
    workspace_plan: WorkspacePlan,
    *,
    timeout: float = DEFAULT_TIMEOUT,
    readiness: bool = True,
    on_event: OnEvent | None = None,
) -> ReconcileResult:
    """Make the windows and panes of a plan that its session lacks; a session that is not there is made whole.

    Nothing that runs is touched: no command is typed again, nothing is renamed, moved or ended, no option of what is
    there is changed. A second call does nothing. Raises `WorkspaceApplyError`; what this call has made is then removed.
    """
    workspace = workspace_plan.workspace
    deadline = Deadline.after(timeout)
    found = server.find_session(workspace.session_name)
    if found is None:
        result = apply(server, workspace_plan, timeout=timeout, readiness=readiness, on_event=on_event)
        made = [f"windows[{number}]" for number in range(len(workspace.windows))]
        return ReconcileResult(result.session, made, [], result.warnings)
    observed = server.run(observe_session(server._transport.place, found.ref), left(deadline))
    comparison = compare(workspace, observed)
    outcome = ReconcileResult(found.ref, differences=comparison.differences)
    if comparison.missing_windows:
        part = plan(_only(workspace, comparison.missing_windows), workspace_plan.size)
        options: dict[str, Any] = {"append_to": found.ref, "take_focus": False}
        result = apply(server, part, timeout=left(deadline), readiness=readiness, on_event=on_event, **options)
        outcome.add_windows(comparison, result)
    if comparison.missing_panes:
        load = _Repair.of(workspace_plan, comparison, found.ref, readiness, on_event)
        outcome.add_panes(comparison, _repair(Carrier(server._endpoint), load, comparison, deadline))
    return outcome


async def reconcile_async(
    server: AsyncServer,
    workspace_plan: WorkspacePlan,
    *,
    timeout: float = DEFAULT_TIMEOUT,
    readiness: bool = True,
    on_event: OnEvent | None = None,
) -> ReconcileResult:
    """Make what a plan's session lacks; as `reconcile`, for an `AsyncServer`. A cancelled task counts as Ctrl-C."""
    workspace = workspace_plan.workspace
    deadline = Deadline.after(timeout)
    found = await server.find_session(workspace.session_name)
    if found is None:
        result = await apply_async(server, workspace_plan, timeout=timeout, readiness=readiness, on_event=on_event)
        made = [f"windows[{number}]" for number in range(len(workspace.windows))]
        return ReconcileResult(result.session, made, [], result.warnings)
    observed = await server.run(observe_session(server._transport.place, found.ref), left(deadline))
    comparison = compare(workspace, observed)
    outcome = ReconcileResult(found.ref, differences=comparison.differences)
    if comparison.missing_windows:
        part = plan(_only(workspace, comparison.missing_windows), workspace_plan.size)
        options: dict[str, Any] = {"append_to": found.ref, "take_focus": False}
        result = await apply_async(
            server, part, timeout=left(deadline), readiness=readiness, on_event=on_event, **options
        )
        outcome.add_windows(comparison, result)
    if comparison.missing_panes:
        load = _Repair.of(workspace_plan, comparison, found.ref, readiness, on_event)
        outcome.add_panes(comparison, await _repair_async(server, load, comparison, deadline))
    return outcome


def _only(workspace: ExpandedWorkspace, numbers: Sequence[int]) -> ExpandedWorkspace:
    """Return a workspace of these windows, without what happens once in a session's life."""
    windows = [workspace.windows[number - 1] for number in numbers]
    focused = [windows[0]._replace(focus=True), *[window._replace(focus=False) for window in windows[1:]]]
    return workspace._replace(windows=tuple(focused), script=None, global_options={}, hooks=HooksConfig(), warnings=())


# --- comparing; pure ---


def compare(workspace: ExpandedWorkspace, observed: Observed) -> Comparison:
    """Return what of a workspace is there, what is missing and what differs."""
    comparison = Comparison()
    info = observed.snapshot.session(observed.session.id)
    unmatched = {link.window.id: link.window for link in info.links}
    keys = {id: str(observed.of_windows[id].get(marks.WINDOW, "")) for id in unmatched}  # noqa: A001 - a window's id
    indexes = {link.window.id: link.index for link in info.links}
    for number, window in enumerate(workspace.windows, 1):
        match = _match(window, unmatched, keys)
        if match is None:
            comparison.missing_windows.append(number)
            continue
        del unmatched[match.id]
        comparison.windows[number] = match.ref
        path = f"windows[{number - 1}]"
        if window.name is not None and window.name != match.name:
            comparison.differences.append(f"{path}: it is called {match.name!r}, not {window.name!r}")
        if window.window_index is not None and window.window_index != indexes[match.id]:
            comparison.differences.append(f"{path}: its index is {indexes[match.id]}, not {window.window_index}")
        wanted = {**window.options, **window.options_after}
        comparison.differences += _options(f"{path}.options", wanted, observed.of_windows[match.id])
        _compare_panes(comparison, number, window, match, observed)
    comparison.differences += [f"the window {window.name!r} is not in the file" for window in unmatched.values()]
    comparison.differences += _options("options", workspace.options, observed.options)
    for name, value in workspace.environment.items():
        entry = observed.variables.get(name)
        if entry is None or entry.value != value:
            comparison.differences.append(f"environment.{name}: it is otherwise in the session")
    return comparison


def _match(window: ExpandedWindow, unmatched: Mapping[Any, WindowInfo], keys: Mapping[Any, str]) -> WindowInfo | None:
    for found in unmatched.values():
        if keys[found.id] == window.key:
            return found
    return next((found for found in unmatched.values() if not keys[found.id] and found.name == window.name), None)


def _options(path: str, wanted: Mapping[str, Any], there: Mapping[str, Any]) -> list[str]:
    found = []
    for name, value in wanted.items():
        now = there.get(name)
        entries = list(now.values()) if isinstance(now, dict) else [now]
        asked = list(value) if isinstance(value, tuple) else [value]
        if now is None or [option_text(one) for one in entries] != [option_text(one) for one in asked]:
            found.append(f"{path}.{name}: it is otherwise in the session")
    return found


def _compare_panes(
    comparison: Comparison, number: int, window: ExpandedWindow, match: WindowInfo, observed: Observed
) -> None:
    unmatched: dict[str, PaneInfo] = {}
    for position, info in enumerate(match.panes):
        key, _ = marks.read_mark(observed.of_panes[info.id].get(marks.PANE))
        unmatched[key or f"#{position}"] = info
    for index, pane in enumerate(window.panes, 1):
        found = unmatched.pop(pane.key, None)
        if found is None:
            comparison.missing_panes.append((number, index))
        else:
            comparison.panes[number, index] = found.ref
    for info in unmatched.values():
        comparison.differences.append(f"windows[{number - 1}]: the pane {info.id} is not in the file")


# --- making the panes that are missing ---


class _Repair(Load):
    """A load into windows that are there: only its own panes are ever touched."""

    @classmethod
    def of(
        cls,
        workspace_plan: WorkspacePlan,
        comparison: Comparison,
        session: SessionRef,
        readiness: bool,
        on_event: OnEvent | None,
    ) -> _Repair:
        """Return the load that makes the missing panes of a session."""
        part = workspace_plan._replace(steps=tuple(_repair_steps(workspace_plan, comparison)), warnings=())
        load = cls(part, os.urandom(8).hex(), readiness=readiness, on_event=on_event)
        load.session, load.guest = session, True
        load.panes |= comparison.panes
        return load

    def repair(self, place: Place, comparison: Comparison) -> Operation[None]:
        """Split the panes that are missing off their neighbours, and type into them."""
        assert self.session is not None, "the session is there"
        self._directories()
        sketch = Sketch(self.plan, self.session, {}, comparison.windows, comparison.panes)
        for number, step in self.steps("split_pane", "set_option", "select_layout"):
            with self._recording(number):
                sketch.record(number, step)
        yield from self._build_from(place, sketch)
        yield from self._deliver(place)
        recorder, numbers = Recorder(), list[int | None]()
        for number, step in self.steps("set_title"):
            with self._recording(number):
                self._record_finish(recorder, step)
            numbers.append(number)
        yield from self._run(place, recorder, numbers)


def _repair(carrier: Carrier, load: _Repair, comparison: Comparison, deadline: Deadline) -> WorkspaceApplyResult:
    assert load.session is not None, "the session is there"
    _, version = carrier.run(observe.describe(carrier.place), left(deadline))
    try:
        with carrier.connected(load.session, version, deadline) as connection:
            connection.run(load.repair(connection.place, comparison), left(deadline))
    except BaseException as error:
        load.result.removed = carrier.run(take_back(carrier.place, load), ROLLBACK)
        _taken_back(load, error)
        raise
    finally:
        load.handshake.close()
    load.result.steps = load.finish()
    return load.result


async def _repair_async(
    server: AsyncServer, load: _Repair, comparison: Comparison, deadline: Deadline
) -> WorkspaceApplyResult:
    assert load.session is not None, "the session is there"
    try:
        async with await server.connect(server.session(load.session), timeout=left(deadline)) as connection:
            await connection.run(load.repair(connection._transport.place, comparison), left(deadline))
    except BaseException as error:
        load.result.removed = await server.run(take_back(server._transport.place, load), ROLLBACK)
        _taken_back(load, error)
        raise
    finally:
        load.handshake.close()
    load.result.steps = load.finish()
    return load.result


def _taken_back(load: _Repair, error: BaseException) -> None:
    """Raise what a failed repair is told as; interrupts pass as they are."""
    if isinstance(error, MuxwrightError):
        raise WorkspaceApplyError(f"{error} (what was missing is missing again)", load.result) from error


def _repair_steps(workspace_plan: WorkspacePlan, comparison: Comparison) -> list[PlanStep]:
    """Return the steps for the panes that are missing; a layout that has a name is then applied again."""
    missing = set(comparison.missing_panes)
    steps = []
    for window, pane in comparison.missing_panes:
        wanted = workspace_plan.workspace.windows[window - 1]
        what = wanted.panes[pane - 1]
        arguments = {
            "direction": what.split or "below",
            "size": None,
            "directory": what.directory,
            "environment": dict(what.environment),
            "shell": what.shell,
        }
        steps.append(PlanStep("split_pane", window, pane, arguments))
        if wanted.layout in LAYOUT_NAMES:
            steps.append(PlanStep("select_layout", window, None, {"layout": wanted.layout, "final": True}))
    for step in workspace_plan.steps:
        of_missing = step.window is not None and step.pane is not None and (step.window, step.pane) in missing
        if of_missing and step.action in ("wait_ready", "send_command", "set_title", "set_option"):
            steps.append(step)
    return steps
