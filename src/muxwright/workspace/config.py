"""A workspace as its file says it: immutable records, nothing expanded, nothing inherited.

Named tuples and not data classes: making those would be half of what a load takes to start.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

__all__ = [
    "NOTHING",
    "SHELL",
    "CommandConfig",
    "HooksConfig",
    "OptionSetting",
    "PaneConfig",
    "ReadinessConfig",
    "WindowConfig",
    "WorkspaceConfig",
]

SHELL = re.compile(r"(?:exec +)?(?:[^ ]*/)?-?(?:sh|dash|ash|bash|zsh|ksh|mksh|fish)(?: +-[a-zA-Z-]+)*")
"""A program that is a shell whose readiness can be proved."""

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
"""A mapping without entries, which nobody can change."""

OptionSetting = bool | int | str | tuple[str, ...]
"""A value for an option; a tuple fills an array."""

Environment = Mapping[str, str | None]
"""Variables by name; ``None`` takes one away."""

ReadinessMode = Literal["auto", "always", "none"]
OnTimeout = Literal["type", "skip", "fail"]


class CommandConfig(NamedTuple):
    """One thing to type: text (`cmd`) or keys by name. ``None`` for `enter` and the sleeps means: as the pane says.

    `wait_for` is text that must stand on the pane's screen before the next command is typed.
    """

    cmd: str | None = None
    keys: tuple[str, ...] = ()
    enter: bool | None = None
    sleep_before: float | None = None
    sleep_after: float | None = None
    wait_for: str | None = None


class ReadinessConfig(NamedTuple):
    """Whether and how long a pane's shell is waited for; ``None`` means: as the level above says."""

    mode: ReadinessMode | None = None
    timeout: float | None = None
    on_timeout: OnTimeout | None = None


class HooksConfig(NamedTuple):
    """Lines of shell to run at moments of the session's life."""

    before_create: tuple[str, ...] = ()
    after_create: tuple[str, ...] = ()
    on_attach: tuple[str, ...] = ()
    on_detach: tuple[str, ...] = ()
    on_close: tuple[str, ...] = ()


class PaneConfig(NamedTuple):
    """A pane. `split` and `size` say how it divides the pane before it, where the window has no layout."""

    shell_command: tuple[CommandConfig, ...] = ()
    shell_command_before: tuple[CommandConfig, ...] = ()
    start_directory: str | None = None
    environment: Environment | None = None
    shell: str | None = None
    enter: bool = True
    sleep_before: float | None = None
    sleep_after: float | None = None
    suppress_history: bool | None = None
    focus: bool = False
    title: str | None = None
    split: str | None = None
    size: int | str | None = None
    zoom: bool = False
    options: Mapping[str, OptionSetting] = NOTHING
    readiness: ReadinessConfig = ReadinessConfig()
    key: str | None = None


class WindowConfig(NamedTuple):
    """A window with its panes."""

    window_name: str | None = None
    window_index: int | None = None
    panes: tuple[PaneConfig, ...] = (PaneConfig(),)
    start_directory: str | None = None
    shell_command_before: tuple[CommandConfig, ...] = ()
    environment: Environment | None = None
    options: Mapping[str, OptionSetting] = NOTHING
    options_after: Mapping[str, OptionSetting] = NOTHING
    layout: str | None = None
    window_shell: str | None = None
    suppress_history: bool | None = None
    focus: bool = False
    synchronize: Literal["before", "after"] | None = None
    readiness: ReadinessConfig = ReadinessConfig()
    key: str | None = None


class WorkspaceConfig(NamedTuple):
    """A whole workspace. `source_path`: the file it came from; `warnings`: what was noticed and is no fault."""

    session_name: str
    windows: tuple[WindowConfig, ...]
    schema_version: int = 1
    start_directory: str | None = None
    before_script: str | None = None
    before_script_timeout: float | None = None
    shell_command_before: tuple[CommandConfig, ...] = ()
    environment: Environment | None = None
    options: Mapping[str, OptionSetting] = NOTHING
    global_options: Mapping[str, OptionSetting] = NOTHING
    suppress_history: bool = True
    size: tuple[int, int] | None = None
    hooks: HooksConfig = HooksConfig()
    readiness: ReadinessConfig = ReadinessConfig()
    variables: Mapping[str, str | None] = NOTHING
    compat: Literal["tmuxp"] | None = None
    workspace_builder: str | None = None
    workspace_builder_options: ReadinessConfig = ReadinessConfig()
    source_path: str | None = None
    warnings: tuple[str, ...] = ()
