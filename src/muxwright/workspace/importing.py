"""Turn the files of other managers into workspaces. Pure: trees in, plain data and remarks out.

What has no equal here is never dropped in silence: it is remarked, with its line.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from muxwright.workspace.document import WorkspaceDocument
from muxwright.workspace.faults import Fault, WorkspaceConfigError
from muxwright.workspace.node import Node, to_data

__all__ = ["IMPORTERS", "Imported", "convert_file"]


@dataclass(slots=True)
class Imported:
    """A workspace as plain data, and what of the file has no equal."""

    data: dict[str, Any] = field(default_factory=dict)
    remarks: list[Fault] = field(default_factory=list)


def convert_file(kind: str, document: WorkspaceDocument) -> Imported:
    """Return the workspace that a file of `kind` describes; raises `WorkspaceConfigError` for what is none."""
    if not isinstance(document.root.value, dict):
        fault = Fault("type", "", f"expected a mapping, found {document.root.what}", document.root.line, 1)
        raise WorkspaceConfigError([fault], document.source_path)
    found = IMPORTERS[kind](document.root)
    for node in document.root.walk():
        if isinstance(node.value, str) and "<%" in node.value:
            found.remarks.append(Fault("unsupported", "", "ERB is not run: write the value", node.line, node.column))
    return found


class _Keys:
    """The keys of one mapping: each is taken once, what nobody takes is remarked."""

    def __init__(self, node: Node, path: str, imported: Imported) -> None:
        self.path = path
        self.imported = imported
        self.nodes = dict(node.value) if isinstance(node.value, dict) else {}
        self.places = node.keys

    def take(self, *names: str) -> Node | None:
        """Return the first of these keys that is there and has a value; all of them count as taken."""
        found = [self.nodes.pop(name, None) for name in names]
        return next((node for node in found if node is not None and node.value is not None), None)

    def text(self, *names: str) -> str | None:
        node = self.take(*names)
        return None if node is None else _text(node)

    def commands(self, *names: str) -> list[str]:
        """Return all commands of these keys: text, or lists of text."""
        return [line for name in names for line in _lines(self.nodes.pop(name, None))]

    def remark(self, name: str, message: str) -> None:
        """Remark that a key has no equal, if it is there."""
        if self.nodes.pop(name, None) is not None:
            self._remark(name, message)

    def rest(self) -> None:
        """Remark every key that is left."""
        for name in list(self.nodes):
            self._remark(name, "it has no equal here")

    def _remark(self, name: str, message: str) -> None:
        path = f"{self.path}.{name}" if self.path else name
        self.imported.remarks.append(Fault("unsupported", path, message, *self.places.get(name, (None, None))))


def _text(node: Node) -> str:
    return node.text if not isinstance(node.value, list | dict) else ""


def _lines(node: Node | None) -> list[str]:
    if node is None or node.value is None:
        return []
    parts = node.value if isinstance(node.value, list) else [node]
    return [_text(part) for part in parts if part.value is not None]


def _name(text: str | None) -> str | None:
    return None if text is None else re.sub("[.:]", "_", text)


def _is_true(node: Node | None) -> bool:
    return node is not None and node.text.lower() in ("true", "yes", "on")


def _script(commands: list[str], joint: str) -> str | None:
    return f"sh -c {shlex.quote(joint.join(commands))}" if commands else None


def _filled(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value not in (None, [], {}, "")}


def _list(node: Node | None) -> list[Node]:
    return node.value if node is not None and isinstance(node.value, list) else []


# --- tmuxinator ---

_RUN = "name them on the command line of load (-L, -S, --tmux)"


def _tmuxinator(root: Node) -> Imported:
    imported = Imported()
    keys = _Keys(root, "", imported)
    before = keys.commands("pre_window", "pre_tab")
    if version := keys.text("rvm"):
        before = [f"rvm use {version}"]
    if version := keys.text("rbenv"):
        before = [f"rbenv shell {version}"]
    script = keys.commands("on_project_start", "pre", "on_project_first_start")
    hooks = {"on_detach": keys.commands("on_project_exit"), "on_close": keys.commands("on_project_stop")}
    imported.data = {
        "session_name": _name(keys.text("name", "project_name")),
        "start_directory": keys.text("root", "project_root"),
        "before_script": _script(script, "; "),
        "shell_command_before": "; ".join(before),
        "suppress_history": False,
        "hooks": _filled(hooks),
        "options": _titles(keys),
    }
    windows = [
        _tmuxinator_window(item, f"windows[{n}]", imported)
        for n, item in enumerate(_list(keys.take("windows", "tabs")))
    ]
    _startup(keys, windows)
    keys.remark("on_project_restart", "a load never restarts a session; there is no moment for it")
    keys.remark("post", "nothing runs when the loader ends; use hooks.after_create or on_detach")
    keys.remark("attach", "load is detached unless --attach is given")
    for name in ("socket_name", "socket_path", "tmux_options", "cli_args", "tmux_command"):
        keys.remark(name, _RUN)
    keys.rest()
    imported.data = _filled(imported.data) | {"suppress_history": False, "windows": windows}
    return imported


def _titles(keys: _Keys) -> dict[str, Any]:
    position = keys.text("pane_title_position") or "top"
    form = keys.text("pane_title_format") or "#{pane_index}: #{pane_title}"
    if not _is_true(keys.take("enable_pane_titles")):
        return {}
    return {"pane-border-status": position, "pane-border-format": form}


def _startup(keys: _Keys, windows: list[dict[str, Any]]) -> None:
    """Give the focus to the startup window and pane: a name, or an index from 0."""
    wanted, pane = keys.text("startup_window"), keys.text("startup_pane")
    chosen = next((n for n, window in enumerate(windows) if window.get("window_name") == wanted), None)
    if chosen is None:
        chosen = int(wanted) if wanted and wanted.isdecimal() and int(wanted) < len(windows) else 0
    if windows:
        windows[chosen]["focus"] = True
        if pane and pane.isdecimal():
            _focus(windows[chosen]["panes"], int(pane))


def _focus(panes: list[Any], index: int) -> None:
    for number, pane in enumerate(panes):
        if isinstance(pane, dict):
            pane.pop("focus", None)
            if number == index:
                pane["focus"] = True


def _tmuxinator_window(item: Node, path: str, imported: Imported) -> dict[str, Any]:
    if not isinstance(item.value, dict) or not item.value:
        return {"panes": [_pane([])]}
    ((name, value),) = list(item.value.items())[:1]
    data: dict[str, Any] = {"window_name": name} if name and name != "~" else {}
    if not isinstance(value.value, dict):
        return data | {"panes": [_pane(_lines(value), focus=True)]}
    keys = _Keys(value, f"{path}.{name}", imported)
    panes = [_titled_pane(pane) for pane in _list(keys.take("panes"))] or [_pane([])]
    focused = keys.text("focused_pane") or "0"
    titles = [pane.get("title") for pane in panes]
    _focus(panes, titles.index(focused) if focused in titles else int(focused) if focused.isdecimal() else 0)
    synchronize = keys.take("synchronize")
    data |= _filled(
        {
            "start_directory": keys.text("root"),
            "layout": keys.text("layout") or ("tiled" if len(panes) > 1 else None),
            "shell_command_before": " && ".join(keys.commands("pre")),
            "synchronize": "after" if synchronize is not None and synchronize.text == "after" else None,
        }
    )
    if synchronize is not None and synchronize.text in ("before", "true"):
        data["synchronize"] = "before"
    keys.rest()
    return data | {"panes": panes}


def _titled_pane(node: Node) -> dict[str, Any]:
    if isinstance(node.value, dict) and node.value:
        ((title, commands),) = list(node.value.items())[:1]
        return {"title": title, **_pane(_lines(commands))}
    return _pane(_lines(node))


def _pane(commands: list[str], focus: bool = False) -> dict[str, Any]:
    # A mapping for each: such a word as blank is a command there.
    return {"shell_command": [{"cmd": command} for command in commands]} | ({"focus": True} if focus else {})


# --- smug ---


def _smug(root: Node) -> Imported:
    imported = Imported()
    keys = _Keys(root, "", imported)
    hooks = {name: keys.commands(old) for name, old in
             (("on_attach", "attach_hook"), ("on_detach", "detach_hook"), ("on_close", "stop"))}  # fmt: skip
    environment = keys.take("env")
    sleep = keys.text("sendkeys_timeout")
    imported.data = {
        "session_name": _name(keys.text("session")),
        "start_directory": keys.text("root"),
        "environment": to_data(environment) if environment is not None else None,
        "before_script": _script(keys.commands("before_start"), " && "),
        "hooks": _filled(hooks),
    }
    pause = int(sleep) / 1000 if sleep and sleep.isdecimal() else None
    windows = [
        _smug_window(item, f"windows[{n}]", imported, pause) for n, item in enumerate(_list(keys.take("windows")))
    ]
    keys.remark("attach", "load is detached unless --attach is given")
    keys.remark("tmux_options", _RUN)
    keys.rest()
    imported.data = _filled(imported.data) | {"suppress_history": False, "windows": windows}
    return imported


def _smug_window(item: Node, path: str, imported: Imported, pause: float | None) -> dict[str, Any]:
    keys = _Keys(item, path, imported)
    root = keys.text("root")
    panes = [_paused(_pane(keys.commands("commands"), focus=True), pause)]
    for number, node in enumerate(_list(keys.take("panes"))):
        of_pane = _Keys(node, f"{path}.panes[{number}]", imported)
        pane = _paused(_pane(of_pane.commands("commands")), pause)
        pane["start_directory"] = of_pane.text("root")
        of_pane.remark("type", "the layout decides how panes lie")
        of_pane.rest()
        panes.append(_filled(pane) | {"shell_command": pane["shell_command"]})
    data = {
        "window_name": keys.text("name"),
        "start_directory": root,
        "layout": keys.text("layout") or ("even-horizontal" if len(panes) > 1 else None),
        "focus": _is_true(keys.take("selected")) or None,
        "panes": panes,
    }
    keys.remark("manual", "every window of the file is made")
    keys.remark("before_start", "smug reads it and never runs it")
    keys.rest()
    return _filled(data)


def _paused(pane: dict[str, Any], pause: float | None) -> dict[str, Any]:
    return pane if pause is None else {**pane, "sleep_before": pause}


# --- teamocil ---


def _teamocil(root: Node) -> Imported:
    imported = Imported()
    assert isinstance(root.value, dict), "a mapping, as was checked"
    inner = root.value.get("session", root)
    keys = _Keys(inner, "", imported)
    name, directory = _name(keys.text("name")), keys.text("root")
    windows = [_teamocil_window(item, f"windows[{n}]", imported) for n, item in enumerate(_list(keys.take("windows")))]
    keys.rest()
    if name is None:
        imported.remarks.append(Fault("required", "name", "the file names no session: write session_name", 1, 1))
    data = {"session_name": name or "teamocil", "start_directory": directory}
    imported.data = _filled(data) | {"suppress_history": False, "windows": windows}
    return imported


def _teamocil_window(item: Node, path: str, imported: Imported) -> dict[str, Any]:
    keys = _Keys(item, path, imported)
    nodes = _list(keys.take("panes", "splits"))
    panes = [_teamocil_pane(node, f"{path}.panes[{n}]", imported) for n, node in enumerate(nodes)] or [_pane([])]
    if not any(pane.get("focus") for pane in panes):
        panes[0]["focus"] = True
    options = keys.take("options")
    filters = keys.take("filters")
    data = {
        "window_name": keys.text("name"),
        "start_directory": keys.text("root"),
        "layout": keys.text("layout"),
        "focus": _is_true(keys.take("focus")) or None,
        "options": to_data(options) if options is not None else None,
        "panes": panes,
    }
    if filters is not None:
        of_filters = _Keys(filters, f"{path}.filters", imported)
        data["shell_command_before"] = "; ".join(of_filters.commands("before"))
        of_filters.rest()
    keys.rest()
    return _filled(data)


def _teamocil_pane(node: Node, path: str, imported: Imported) -> dict[str, Any]:
    if not isinstance(node.value, dict):
        return _pane(_lines(node))
    keys = _Keys(node, path, imported)
    joined = "; ".join(keys.commands("commands", "cmd"))
    pane = _pane([joined] if joined else [], focus=_is_true(keys.take("focus")))
    keys.rest()
    return pane


# --- tmuxp ---


def _tmuxp(root: Node) -> Imported:
    """Keep everything that has a meaning here; a file of tmuxp loads as it is anyway."""
    from muxwright.workspace.schema import UNSUPPORTED

    imported = Imported()
    keys = _Keys(root, "", imported)
    for name, reason in UNSUPPORTED.items():
        keys.remark(name, reason)
    for name in ("config", "socket_name"):
        keys.remark(name, "it has no effect in a file; say it on the command line")
    imported.data = {name: to_data(node) for name, node in keys.nodes.items()}
    for node in root.walk():
        if isinstance(node.value, str) and re.search(r"\$\{?[A-Za-z_]", node.value):
            message = "tmuxp expands the variable in a command when it loads, here the shell does; see compat"
            imported.remarks.append(Fault("variable", "", message, node.line, node.column))
    return imported


IMPORTERS: dict[str, Callable[[Node], Imported]] = {
    "tmuxinator": _tmuxinator,
    "smug": _smug,
    "teamocil": _teamocil,
    "tmuxp": _tmuxp,
}
"""The managers whose files are read, by name."""
