"""What will be done, as inert data in the order of doing: panes first, then readiness, then commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from muxwright.commands.create import DEFAULT_SIZE
from muxwright.model.options import option_spec
from muxwright.workspace.config import NOTHING, OptionSetting
from muxwright.workspace.expansion import ExpandedPane, ExpandedWindow, ExpandedWorkspace
from muxwright.workspace.faults import Fault, WorkspaceConfigError
from muxwright.workspace.geometry import Split, splits

__all__ = ["PlanStep", "WorkspacePlan", "plan"]


class PlanStep(NamedTuple):
    """One step. `window` and `pane` are positions in the file from 1, not tmux indexes; `arguments` are plain data."""

    action: str
    window: int | None = None
    pane: int | None = None
    arguments: Mapping[str, Any] = NOTHING

    def as_data(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"action": self.action, "window": self.window, "pane": self.pane, "arguments": dict(self.arguments)}

    def describe(self) -> str:
        """Return the step on one line, for people."""
        place = "" if self.window is None else f" {self.window}" + ("" if self.pane is None else f".{self.pane}")
        words = [f"{name}={value!r}" for name, value in self.arguments.items() if value not in (None, {}, (), [])]
        return " ".join([f"{self.action}{place}", *words])


class WorkspacePlan(NamedTuple):
    """The steps that bring a workspace about; `size` is that of its windows, `warnings` what was noticed."""

    workspace: ExpandedWorkspace
    steps: tuple[PlanStep, ...]
    size: tuple[int, int]
    warnings: tuple[str, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "schema_version": 1,
            "session_name": self.workspace.session_name,
            "size": list(self.size),
            "steps": [step.as_data() for step in self.steps],
            "warnings": list(self.warnings),
        }


def plan(workspace: ExpandedWorkspace, size: tuple[int, int] | None = None) -> WorkspacePlan:
    """Return the plan of a workspace; nothing is touched.

    `size`: columns and rows where the file gives none (default 160x48). Raises `WorkspaceConfigError` when a window
    has no room for its panes.
    """
    dimensions = workspace.size or size or DEFAULT_SIZE
    planner = _Planner(workspace, dimensions)
    steps = tuple(planner.steps())
    if planner.faults:
        raise WorkspaceConfigError(planner.faults, workspace.source_path)
    return WorkspacePlan(workspace, steps, dimensions, (*workspace.warnings, *planner.warnings))


def _value(value: OptionSetting) -> Any:
    return list(value) if isinstance(value, tuple) else value


class _Planner:
    """Writes the steps of one workspace."""

    def __init__(self, workspace: ExpandedWorkspace, size: tuple[int, int]) -> None:
        self.workspace = workspace
        self.size = size
        self.faults: list[Fault] = []
        self.warnings: list[str] = []

    def steps(self) -> Iterator[PlanStep]:
        workspace = self.workspace
        if workspace.hooks.before_create:
            yield PlanStep("before_create", arguments={"lines": list(workspace.hooks.before_create)})
        yield PlanStep(
            "create_session",
            arguments={"name": workspace.session_name, "size": list(self.size), "directory": workspace.directory},
        )
        if workspace.script is not None:
            script = workspace.script
            yield PlanStep(
                "before_script",
                arguments={"argv": list(script.argv), "directory": script.directory, "timeout": script.timeout},
            )
        yield from self._settings()
        for number, window in enumerate(workspace.windows, 1):
            yield from self._window(window, number)
        for wanted in ("wait_ready", "send_command"):
            for number, window in enumerate(workspace.windows, 1):
                for index, pane in enumerate(window.panes, 1):
                    yield from (self._wait if wanted == "wait_ready" else self._commands)(pane, number, index)
        for number, window in enumerate(workspace.windows, 1):
            yield from self._finish(window, number)
        focus = next(number for number, window in enumerate(workspace.windows, 1) if window.focus)
        yield PlanStep("focus_window", focus)
        for hook in ("on_attach", "on_detach", "on_close"):
            if lines := getattr(workspace.hooks, hook):
                yield PlanStep("set_hook", arguments={"hook": hook, "lines": list(lines)})
        if workspace.hooks.after_create:
            yield PlanStep("after_create", arguments={"lines": list(workspace.hooks.after_create)})

    def _settings(self) -> Iterator[PlanStep]:
        for name, value in self.workspace.options.items():
            yield PlanStep("set_option", arguments={"scope": "session", "name": name, "value": _value(value)})
        for name, value in self.workspace.global_options.items():
            scopes = {"s": "server", "g": "global_session", "w": "global_window", "p": "global_window"}
            spec = option_spec(name)
            scope = scopes[spec.scopes[0]] if spec is not None and spec.scopes else "global_session"
            yield PlanStep("set_option", arguments={"scope": scope, "name": name, "value": _value(value)})
        for name, variable in self.workspace.environment.items():
            yield PlanStep("set_environment", arguments={"name": name, "value": variable})

    def _window(self, window: ExpandedWindow, number: int) -> Iterator[PlanStep]:
        first = window.panes[0]
        arguments = {"name": window.name, "index": window.window_index, "key": window.key, **_program(first)}
        yield PlanStep("create_window", number, None, arguments)
        for name, value in window.options.items():
            yield PlanStep("set_option", number, None, {"scope": "window", "name": name, "value": _value(value)})
        if window.synchronize == "before":
            arguments = {"scope": "window", "name": "synchronize-panes", "value": True}
            yield PlanStep("set_option", number, None, arguments)
        found = splits(window, self.size)
        if found is None:
            path = f"windows[{number - 1}].panes"
            message = f"there is no room for {len(window.panes)} panes in {self.size[0]}x{self.size[1]}; give a size"
            self.faults.append(Fault("value", path, message))
            return
        how, remark = found
        if remark is not None:
            self.warnings.append(f"windows[{number - 1}]: {remark}")
        for index, (pane, split) in enumerate(zip(window.panes[1:], how, strict=True), 2):
            yield from self._split(pane, split, number, index)
        for index, pane in enumerate(window.panes, 1):
            for name, value in pane.options.items():
                yield PlanStep("set_option", number, index, {"scope": "pane", "name": name, "value": _value(value)})
        if window.layout is not None:
            yield PlanStep("select_layout", number, None, {"layout": window.layout, "final": True})

    def _split(self, pane: ExpandedPane, split: Split, number: int, index: int) -> Iterator[PlanStep]:
        arguments = {"direction": split.direction, "size": split.size, **_program(pane)}
        yield PlanStep("split_pane", number, index, arguments)
        if split.tiled:
            yield PlanStep("select_layout", number, None, {"layout": "tiled", "final": False})

    def _wait(self, pane: ExpandedPane, number: int, index: int) -> Iterator[PlanStep]:
        if pane.readiness.wait:
            arguments = {"timeout": pane.readiness.timeout, "on_timeout": pane.readiness.on_timeout}
            yield PlanStep("wait_ready", number, index, arguments)

    def _commands(self, pane: ExpandedPane, number: int, index: int) -> Iterator[PlanStep]:
        for command in pane.commands:
            arguments = {
                "text": command.text,
                "keys": list(command.keys),
                "enter": command.enter,
                "sleep_before": command.sleep_before,
                "sleep_after": command.sleep_after,
                "wait_for": command.wait_for,
            }
            kept = {name: value for name, value in arguments.items() if value not in (None, [], 0.0) or name == "enter"}
            yield PlanStep("send_command", number, index, kept)

    def _finish(self, window: ExpandedWindow, number: int) -> Iterator[PlanStep]:
        after = dict(window.options_after)
        if window.synchronize == "after":
            after = {"synchronize-panes": True} | after
        for index, pane in enumerate(window.panes, 1):
            if pane.title is not None:
                yield PlanStep("set_title", number, index, {"title": pane.title})
        for name, value in after.items():
            arguments = {"scope": "window", "name": name, "value": _value(value), "after": True}
            yield PlanStep("set_option", number, None, arguments)
        focused = next(index for index, pane in enumerate(window.panes, 1) if pane.focus)
        yield PlanStep("focus_pane", number, focused)
        if window.panes[focused - 1].zoom:
            yield PlanStep("zoom_pane", number, focused)


def _program(pane: ExpandedPane) -> dict[str, Any]:
    return {"directory": pane.directory, "environment": dict(pane.environment), "shell": pane.shell}
