"""Resolve what a workspace inherits and refers to. Pure: only the variables and the home that are given count.

In names, directories, variables, options and before_script ``$NAME`` and ``${NAME}`` are replaced, and a leading ``~``.
Commands are the shell's text: there only ``${{NAME}}`` is, which no shell could mean; ``$${{`` is the escape. What was
put in is not looked at again.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeVar

from muxwright.model.options import option_spec
from muxwright.workspace.config import (
    NOTHING,
    SHELL,
    CommandConfig,
    HooksConfig,
    OnTimeout,
    OptionSetting,
    PaneConfig,
    ReadinessConfig,
    ReadinessMode,
    WindowConfig,
    WorkspaceConfig,
)
from muxwright.workspace.faults import WorkspaceConfigError
from muxwright.workspace.references import Options, References

__all__ = [
    "ExpandedCommand",
    "ExpandedPane",
    "ExpandedWindow",
    "ExpandedWorkspace",
    "Readiness",
    "Script",
    "expand",
]

READY_TIMEOUT = 10.0

T = TypeVar("T")
F = TypeVar("F", "ExpandedWindow", "ExpandedPane")


class ExpandedCommand(NamedTuple):
    """What is typed: text as it arrives, or keys; then Enter or not; seconds around it; text to wait for after it."""

    text: str | None
    keys: tuple[str, ...] = ()
    enter: bool = True
    sleep_before: float = 0.0
    sleep_after: float = 0.0
    wait_for: str | None = None


class Readiness(NamedTuple):
    """Whether a pane's shell is waited for, how long, and what then happens with its commands."""

    wait: bool
    timeout: float = READY_TIMEOUT
    on_timeout: OnTimeout = "type"


class Script(NamedTuple):
    """A program to run: its arguments, its directory (``None``: the caller's), and its own limit in seconds."""

    argv: tuple[str, ...]
    directory: str | None
    timeout: float | None


class ExpandedPane(NamedTuple):
    """A pane with all that it inherits. `directory` is absolute, or ``None`` for the session's own."""

    commands: tuple[ExpandedCommand, ...]
    directory: str | None
    environment: Mapping[str, str]
    shell: str | None
    readiness: Readiness
    focus: bool = False
    title: str | None = None
    split: str | None = None
    size: int | str | None = None
    zoom: bool = False
    options: Options = NOTHING
    key: str = ""


class ExpandedWindow(NamedTuple):
    """A window with all that it inherits. `options_after` holds what must wait until all commands are typed."""

    name: str | None
    window_index: int | None
    panes: tuple[ExpandedPane, ...]
    layout: str | None = None
    options: Options = NOTHING
    options_after: Options = NOTHING
    synchronize: Literal["before", "after"] | None = None
    focus: bool = False
    key: str = ""


class ExpandedWorkspace(NamedTuple):
    """A workspace that says everything; `variables` in `environment` that are ``None`` are taken away."""

    session_name: str
    windows: tuple[ExpandedWindow, ...]
    directory: str | None
    script: Script | None
    environment: Mapping[str, str | None]
    options: Options
    global_options: Options
    hooks: HooksConfig
    size: tuple[int, int] | None
    source_path: str | None
    forgiving: bool = False
    warnings: tuple[str, ...] = ()


def expand(
    config: WorkspaceConfig,
    env: Mapping[str, str] | None = None,
    home: str | None = None,
    base_directory: str | None = None,
    unknown_variables: Literal["preserve", "error"] = "preserve",
) -> ExpandedWorkspace:
    """Return the workspace with all inheritance resolved and all references replaced.

    `env`: the only variables there are; `home`: what ``~`` stands for; both directories are absolute. Directories
    resolve lexically: the session's against `base_directory` (default: that of the file), the window's against the
    session's, the pane's against the window's. Raises `WorkspaceConfigError` with all faults.
    """
    expander = _Expander(config, dict(env or {}), home, base_directory, unknown_variables)
    expanded = expander.workspace()
    if expander.faults:
        raise WorkspaceConfigError(expander.faults, config.source_path)
    return expanded


class _Expander(References):
    """Expands one workspace and collects faults."""

    def __init__(
        self, config: WorkspaceConfig, env: dict[str, str], home: str | None, base: str | None, unknown: str
    ) -> None:
        self.config = config
        self.given_base = base
        base = base or (posixpath.dirname(config.source_path) if config.source_path else None)
        given = {name: default for name, default in config.variables.items() if default is not None} | env
        if base is not None:
            given.setdefault("config_dir", base)
        super().__init__(given, home, base, unknown == "error", config.compat == "tmuxp")
        self._check_given()

    def _check_given(self) -> None:
        for what, path in (("home", self.home), ("base_directory", self.given_base)):
            if path is not None and not path.startswith("/"):
                self.fault("path", "", f"{what} must be absolute, not {path!r}")
        for name, default in self.config.variables.items():
            if default is None and name not in self.env:
                self.fault("variable", f"variables.{name}", f"{name} has no default: give it, --env {name}=VALUE")

    # --- levels ---

    def workspace(self) -> ExpandedWorkspace:
        config = self.config
        directory = self.directory(config.start_directory, self.given_base, "start_directory")
        options = self.options(config.options, "options")
        of_windows = {name: options.pop(name) for name in list(options) if _is_window_option(name)}
        windows = tuple(
            self._window(window, number, directory, of_windows) for number, window in enumerate(config.windows)
        )
        if not any(window.focus for window in windows):
            windows = (_focused(windows[0]), *windows[1:])
        hooks = HooksConfig(
            **{
                name: tuple(self.command(line, f"hooks.{name}") for line in getattr(config.hooks, name))
                for name in ("before_create", "after_create", "on_attach", "on_detach", "on_close")
            }
        )
        return ExpandedWorkspace(
            session_name=self.name(config.session_name, "session_name"),
            windows=windows,
            directory=directory,
            script=self._script(directory),
            environment=self.environment(config.environment, "environment"),
            options=options,
            global_options=self.options(config.global_options, "global_options"),
            hooks=hooks,
            size=config.size,
            source_path=config.source_path,
            forgiving=config.compat == "tmuxp",
            warnings=config.warnings,
        )

    def _script(self, directory: str | None) -> Script | None:
        text = self.config.before_script
        if text is None:
            return None
        try:
            argv = shlex.split(self.plain(text, "before_script"))
        except ValueError:
            self.fault("value", "before_script", "a quote has no end")
            return None
        if not argv or not argv[0]:
            self.fault("value", "before_script", "there is no program in it")
            return None
        if "/" in argv[0]:
            program = self.user(argv[0], "before_script")
            if not program.startswith("/") and self.base is None:
                self.fault("path", "before_script", "the program is relative, and there is no file")
            argv[0] = posixpath.normpath(posixpath.join(self.base or "/", program))
        return Script(tuple(argv), directory, self.config.before_script_timeout)

    def _window(
        self, window: WindowConfig, number: int, above: str | None, inherited: dict[str, OptionSetting]
    ) -> ExpandedWindow:
        path = f"windows[{number}]"
        directory = self.directory(window.start_directory, above, f"{path}.start_directory")
        environment = self._over(self.environment(window.environment, f"{path}.environment"), {}, path)
        panes = [
            self._pane(pane, window, f"{path}.panes[{index}]", directory, environment)
            for index, pane in enumerate(window.panes)
        ]
        if not any(pane.focus for pane in panes):
            panes[-1] = _focused(panes[-1])
        name = None if window.window_name is None else self.name(window.window_name, f"{path}.window_name")
        options = inherited | self.options(window.options, f"{path}.options")
        after = self.options(window.options_after, f"{path}.options_after")
        if "synchronize-panes" in options:
            # On already, it would type every command in every pane.
            after = {"synchronize-panes": options.pop("synchronize-panes")} | after
        return ExpandedWindow(
            name=name,
            window_index=window.window_index,
            panes=tuple(panes),
            layout=window.layout,
            options=options,
            options_after=after,
            synchronize=window.synchronize,
            focus=window.focus,
            key=window.key or name or f"#{number}",
        )

    def _over(self, values: dict[str, str | None], below: Mapping[str, str], path: str) -> dict[str, str]:
        for name in [name for name, value in values.items() if value is None]:
            self.fault("value", f"{path}.environment.{name}", "only the session can take a variable away")
        return {**below, **{name: value for name, value in values.items() if value is not None}}

    def _pane(
        self, pane: PaneConfig, window: WindowConfig, path: str, above: str | None, environment: Mapping[str, str]
    ) -> ExpandedPane:
        config = self.config
        suppress = _first(pane.suppress_history, window.suppress_history, config.suppress_history)
        shell = pane.shell if pane.shell is not None else window.window_shell
        before = (*config.shell_command_before, *window.shell_command_before, *pane.shell_command_before)
        commands = tuple(
            self._typed(command, pane, bool(suppress), f"{path}.shell_command")
            for command in (*before, *pane.shell_command)
        )
        return ExpandedPane(
            commands=commands,
            directory=self.directory(pane.start_directory, above, f"{path}.start_directory"),
            environment=self._over(self.environment(pane.environment, f"{path}.environment"), environment, path),
            shell=None if not shell else self.marked(shell, f"{path}.shell"),
            readiness=self._readiness(pane, window, shell or None, bool(commands)),
            focus=pane.focus,
            title=None if pane.title is None else self.plain(pane.title, f"{path}.title"),
            split=pane.split,
            size=pane.size,
            zoom=pane.zoom,
            options=self.options(pane.options, f"{path}.options"),
            key=pane.key or f"#{path.rpartition('[')[2][:-1]}",
        )

    def _typed(self, command: CommandConfig, pane: PaneConfig, suppress: bool, path: str) -> ExpandedCommand:
        text = None if command.cmd is None else self.command(command.cmd, path)
        enter = command.enter if command.enter is not None else (pane.enter if text is not None else False)
        return ExpandedCommand(
            text=f" {text}" if text and suppress else text,
            keys=command.keys,
            enter=enter,
            sleep_before=_first(command.sleep_before, pane.sleep_before, 0.0) or 0.0,
            sleep_after=_first(command.sleep_after, pane.sleep_after, 0.0) or 0.0,
            wait_for=None if command.wait_for is None else self.command(command.wait_for, path),
        )

    def _readiness(self, pane: PaneConfig, window: WindowConfig, shell: str | None, typed: bool) -> Readiness:
        config = self.config
        levels = (pane.readiness, window.readiness, config.readiness, config.workspace_builder_options)
        mode: ReadinessMode = _level(levels, "mode") or "auto"
        provable = shell is None or SHELL.fullmatch(shell.strip()) is not None
        wait = provable and (mode == "always" or (mode == "auto" and typed))
        timeout: float | None = _level(levels, "timeout")
        policy: OnTimeout = _level(levels, "on_timeout") or "type"
        return Readiness(wait, READY_TIMEOUT if timeout is None else timeout, policy)


def _first(*values: T | None) -> T | None:
    return next((value for value in values if value is not None), None)


def _level(levels: tuple[ReadinessConfig, ...], name: str) -> Any:
    return next((getattr(level, name) for level in levels if getattr(level, name) is not None), None)


def _is_window_option(name: str) -> bool:
    spec = option_spec(name)
    return spec is not None and "w" in spec.scopes and "g" not in spec.scopes and not name.startswith("@")


def _focused(item: F) -> F:
    return item._replace(focus=True)
