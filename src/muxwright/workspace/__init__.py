"""Workspaces: a file that says which windows, panes and commands a session has, and what brings it about.

`read` or `parse`, `validate`, `expand` and `plan` are pure: they touch no tmux and no ambient variable. `apply` makes
what a plan says, `reconcile` what is missing of it, and `freeze` is the way back. YAML needs the extra ``workspace``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from muxwright.workspace.config import (
        CommandConfig,
        HooksConfig,
        PaneConfig,
        ReadinessConfig,
        WindowConfig,
        WorkspaceConfig,
    )
    from muxwright.workspace.document import Limits, WorkspaceDocument, parse, read
    from muxwright.workspace.expansion import (
        ExpandedCommand,
        ExpandedPane,
        ExpandedWindow,
        ExpandedWorkspace,
        expand,
    )
    from muxwright.workspace.faults import Fault, WorkspaceConfigError
    from muxwright.workspace.files import WorkspaceFile, find_file, list_files
    from muxwright.workspace.freezing import freeze, freeze_async
    from muxwright.workspace.loading import apply, apply_async
    from muxwright.workspace.planning import PlanStep, WorkspacePlan, plan
    from muxwright.workspace.reconciling import ReconcileResult, reconcile, reconcile_async
    from muxwright.workspace.result import (
        Event,
        Removed,
        StepResult,
        WorkspaceApplyError,
        WorkspaceApplyResult,
    )
    from muxwright.workspace.schema import json_schema
    from muxwright.workspace.script import BeforeScriptError
    from muxwright.workspace.validation import validate
    from muxwright.workspace.writing import dump

_MODULES = {
    "config": ("CommandConfig", "HooksConfig", "PaneConfig", "ReadinessConfig", "WindowConfig", "WorkspaceConfig"),
    "document": ("Limits", "WorkspaceDocument", "parse", "read"),
    "expansion": ("ExpandedCommand", "ExpandedPane", "ExpandedWindow", "ExpandedWorkspace", "expand"),
    "faults": ("Fault", "WorkspaceConfigError"),
    "files": ("WorkspaceFile", "find_file", "list_files"),
    "freezing": ("freeze", "freeze_async"),
    "loading": ("apply", "apply_async"),
    "planning": ("PlanStep", "WorkspacePlan", "plan"),
    "reconciling": ("ReconcileResult", "reconcile", "reconcile_async"),
    "result": ("Event", "Removed", "StepResult", "WorkspaceApplyError", "WorkspaceApplyResult"),
    "schema": ("json_schema",),
    "script": ("BeforeScriptError",),
    "validation": ("validate",),
    "writing": ("dump",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "BeforeScriptError",
    "CommandConfig",
    "Event",
    "ExpandedCommand",
    "ExpandedPane",
    "ExpandedWindow",
    "ExpandedWorkspace",
    "Fault",
    "HooksConfig",
    "Limits",
    "PaneConfig",
    "PlanStep",
    "ReadinessConfig",
    "ReconcileResult",
    "Removed",
    "StepResult",
    "WindowConfig",
    "WorkspaceApplyError",
    "WorkspaceApplyResult",
    "WorkspaceConfig",
    "WorkspaceConfigError",
    "WorkspaceDocument",
    "WorkspaceFile",
    "WorkspacePlan",
    "apply",
    "apply_async",
    "dump",
    "expand",
    "find_file",
    "freeze",
    "freeze_async",
    "json_schema",
    "list_files",
    "parse",
    "plan",
    "read",
    "reconcile",
    "reconcile_async",
    "validate",
]


def __getattr__(name: str) -> object:
    module = _HOME.get(name)
    if module is None:
        raise AttributeError(f"module 'muxwright.workspace' has no attribute {name!r}")
    value = getattr(import_module(f"muxwright.workspace.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
