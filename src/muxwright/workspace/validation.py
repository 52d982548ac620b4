"""Judge a document: one pass, all faults, each with its place; the result is immutable and expands nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from muxwright.errors import BadLayout
from muxwright.wire.layout import LAYOUT_NAMES, LayoutCell
from muxwright.workspace.config import (
    SHELL,
    CommandConfig,
    HooksConfig,
    PaneConfig,
    ReadinessConfig,
    WindowConfig,
    WorkspaceConfig,
)
from muxwright.workspace.document import WorkspaceDocument
from muxwright.workspace.faults import WorkspaceConfigError, near
from muxwright.workspace.kinds import KINDS, Judge, bad
from muxwright.workspace.node import Node
from muxwright.workspace.schema import EXTENSION, UNSUPPORTED, Scope, keys_of

__all__ = ["BLANK", "validate"]

BLANK = ("blank", "pane")
"""Words that stand for no command."""


def validate(document: WorkspaceDocument | Mapping[str, Any], *, strict: bool = False) -> WorkspaceConfig:
    """Return the workspace that a document describes; raises `WorkspaceConfigError` with all its faults.

    Unknown keys are noted under `warnings`; with `strict` they are faults.
    """
    if not isinstance(document, WorkspaceDocument):
        document = WorkspaceDocument.of(document)
    validator = _Validator(strict)
    values = validator.session(document.root)
    if validator.faults:
        ordered = sorted(validator.faults, key=lambda fault: (fault.line or 0, fault.column or 0))
        raise WorkspaceConfigError(ordered, document.source_path)
    warnings = tuple(fault.describe(document.source_path) for fault in validator.warnings)
    return WorkspaceConfig(**values, source_path=document.source_path, warnings=warnings)


class _Validator(Judge):
    """Reads each scope by the table of keys; a kind with a structure of its own has a method here."""

    def session(self, root: Node) -> dict[str, Any]:
        if not isinstance(root.value, dict):
            what = "an empty document" if root.value is None else root.what
            self.fault("type", "", f"expected a mapping with session_name and windows, found {what}", root)
            return {}
        values = self.keys(root, "session", "")
        if not self.faults:
            self._across_windows(root, values)
            self._launchers(root, values)
        return values

    def keys(self, node: Node, scope: Scope, path: str) -> dict[str, Any]:
        """Read the keys of one mapping; what was refused is left out."""
        known = keys_of(scope)
        assert isinstance(node.value, dict)
        for name, key in known.items():
            if key.required and name not in node.value:
                self.fault("required", path, f"{name} is missing", node)
        values: dict[str, Any] = {}
        for name, child in node.value.items():
            at = f"{path}.{name}" if path else name
            if name.startswith(EXTENSION):
                continue
            if name not in known:
                self._unknown(name, scope, at, node.keys[name])
                continue
            kind = known[name].kind
            method = getattr(self, f"_{kind.replace(' ', '_')}", None)
            value = method(child, at) if method is not None else KINDS[kind].read(child, at, self)
            if value is not bad:
                values[name] = value
        return values

    def _unknown(self, name: str, scope: Scope, path: str, place: tuple[int | None, int | None]) -> None:
        if name in UNSUPPORTED:
            self.fault("unsupported", path, f"{name} is not supported: {UNSUPPORTED[name]}", place)
            return
        hint = near(name, list(keys_of(scope)))
        if scope == "pane" and name in ("cmd", "keys"):
            message = f"a pane has no {name}; write shell_command: [{{{name}: ...}}]"
            self.fault("unknown_key", path, message, place)
            return
        self.warn("unknown_key", path, f"{name[:60]} is no key of a {scope}{hint}", place)

    # --- structures ---

    def _windows(self, node: Node, path: str) -> Any:
        if not isinstance(node.value, list):
            self.fault("type", path, f"expected a list of windows, found {node.what}", node)
            return bad
        if not node.value:
            self.fault("value", path, "a workspace needs at least one window", node)
            return bad
        return tuple(self._window(child, f"{path}[{index}]") for index, child in enumerate(node.value))

    def _window(self, node: Node, path: str) -> WindowConfig:
        if not isinstance(node.value, dict):
            self.fault("type", path, f"expected a window (a mapping), found {node.what}", node)
            return WindowConfig()
        values = self.keys(node, "window", path)
        window = WindowConfig(**values)
        self._only_one(node, path, "panes", [pane.focus for pane in window.panes])
        self._fits(node, path, window)
        for index, pane in enumerate(window.panes):
            if window.layout is not None and (pane.split or pane.size):
                at = f"{path}.panes[{index}]"
                self.warn("value", at, "split and size have no effect in a window with a layout", node)
            if pane.zoom and not pane.focus and len(window.panes) > 1:
                self.fault("value", f"{path}.panes[{index}].zoom", "only the pane with the focus can be zoomed", node)
        return window

    def _panes(self, node: Node, path: str) -> Any:
        if not isinstance(node.value, list):
            self.fault("type", path, f"expected a list of panes, found {node.what}", node)
            return bad
        if not node.value:
            self.fault("value", path, "a window needs at least one pane; leave panes out for a blank one", node)
            return bad
        return tuple(self._pane(child, f"{path}[{index}]") for index, child in enumerate(node.value))

    def _pane(self, node: Node, path: str) -> PaneConfig:
        if isinstance(node.value, dict):
            return PaneConfig(**self.keys(node, "pane", path))
        commands = self._commands(node, path)
        return PaneConfig(shell_command=commands if isinstance(commands, tuple) else ())

    def _commands(self, node: Node, path: str) -> Any:
        """Read commands: nothing, text, a list, or tmuxp's mapping around one."""
        if isinstance(node.value, dict):
            if set(node.value) == {"shell_command"}:
                return self._commands(node.value["shell_command"], f"{path}.shell_command")
            self.fault("type", path, "expected a command or a list of commands; a mapping stands in a list", node)
            return bad
        if not isinstance(node.value, list):
            return self._blank_or(node, path)
        if len(node.value) == 1 and not isinstance(node.value[0].value, dict):
            return self._blank_or(node.value[0], f"{path}[0]")
        return tuple(self._command(child, f"{path}[{index}]") for index, child in enumerate(node.value))

    def _blank_or(self, node: Node, path: str) -> tuple[CommandConfig, ...]:
        if node.value is None or node.value in BLANK:
            return ()
        return (self._command(node, path),)

    def _command(self, node: Node, path: str) -> CommandConfig:
        if not isinstance(node.value, dict):
            if node.value is None:
                self.fault("type", path, "nothing stands among commands; give '' to press Enter alone", node)
                return CommandConfig()
            text = KINDS["text"].read(node, path, self)
            return CommandConfig() if text is bad else CommandConfig(cmd=text)
        values = self.keys(node, "command", path)
        if ("cmd" in node.value) is ("keys" in node.value):
            self.fault("required", path, "a command has either cmd or keys", node)
        # null takes back what the pane says
        for name in ("sleep_before", "sleep_after"):
            if name in values and values[name] is None:
                values[name] = 0.0
        return CommandConfig(**values)

    def _readiness(self, node: Node, path: str) -> Any:
        if isinstance(node.value, dict):
            return ReadinessConfig(**self.keys(node, "readiness", path))
        mode = KINDS["readiness mode"].read(node, path, self)
        return mode if mode is bad else ReadinessConfig(mode=mode)

    def _hooks(self, node: Node, path: str) -> Any:
        if not isinstance(node.value, dict):
            self.fault("type", path, f"expected a mapping of hooks, found {node.what}", node)
            return bad
        return HooksConfig(**self.keys(node, "hooks", path))

    def _builder(self, node: Node, path: str) -> Any:
        if not isinstance(node.value, dict):
            self.fault("type", path, f"expected a mapping, found {node.what}", node)
            return bad
        return ReadinessConfig(mode=self.keys(node, "builder", path).get("pane_readiness"))

    def _pane_readiness(self, node: Node, path: str) -> Any:
        word = node.text.lower()
        if word == "auto":
            return "auto"
        if word in ("always", "true", "on", "yes", "1"):
            return "always"
        if word in ("never", "false", "off", "no", "0"):
            return "none"
        self.fault("value", path, f"expected auto, always or never, found {node.what}", node)
        return bad

    # --- what spans several keys ---

    def _only_one(self, node: Node, path: str, key: str, focused: list[bool]) -> None:
        if sum(focused) > 1:
            second = [index for index, has in enumerate(focused) if has][1]
            at = f"{path}.{key}[{second}]" if path else f"{key}[{second}]"
            place = _child(_child(node, key), second)
            self.fault("value", f"{at}.focus", f"only one of the {key} can have the focus", _child(place, "focus"))

    def _fits(self, node: Node, path: str, window: WindowConfig) -> None:
        if window.layout is None or window.layout in LAYOUT_NAMES:
            return
        try:
            cells = LayoutCell.parse(window.layout).count
        except BadLayout:
            return  # a fault already
        if cells < len(window.panes):
            message = f"the layout has {cells} cells but the window has {len(window.panes)} panes"
            self.fault("value", f"{path}.layout", message, _child(node, "layout"))

    def _across_windows(self, root: Node, values: dict[str, Any]) -> None:
        windows: tuple[WindowConfig, ...] = values["windows"]
        self._only_one(root, "", "windows", [window.focus for window in windows])
        for what in ("window_index", "key"):
            seen: dict[Any, int] = {}
            for number, window in enumerate(windows):
                value = getattr(window, what)
                if value is not None and value in seen:
                    place = _child(_child(_child(root, "windows"), number), what)
                    message = f"{value} is taken by windows[{seen[value]}]"
                    self.fault("duplicate", f"windows[{number}].{what}", message, place)
                seen.setdefault(value, number)

    def _launchers(self, root: Node, values: dict[str, Any]) -> None:
        """A program that is no shell proves no readiness, so typing into it must be asked for."""
        if values.get("compat") == "tmuxp":
            return
        top = values.get("readiness", ReadinessConfig()).mode
        top = top or values.get("workspace_builder_options", ReadinessConfig()).mode
        everywhere = values.get("shell_command_before", ())
        for number, window in enumerate(values["windows"]):
            for index, pane in enumerate(window.panes):
                typed = everywhere or window.shell_command_before or pane.shell_command_before or pane.shell_command
                mode = pane.readiness.mode or window.readiness.mode or top
                program = pane.shell if pane.shell is not None else window.window_shell
                if typed and program and mode != "none" and not SHELL.fullmatch(program.strip()):
                    place = _child(_child(_child(_child(root, "windows"), number), "panes"), index)
                    self.fault(
                        "value",
                        f"windows[{number}].panes[{index}]",
                        "its program is no shell whose readiness can be proved; to type into it, say readiness: none",
                        place,
                    )


def _child(node: Node, key: str | int) -> Node:
    """Return a child, or the node itself where there is none: the nearest place."""
    value = node.value
    if isinstance(value, dict) and isinstance(key, str):
        return value.get(key, node)
    if isinstance(value, list) and isinstance(key, int) and key < len(value):
        return value[key]
    return node
