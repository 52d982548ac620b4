"""The one table of keys: it drives the validator, the JSON Schema and the key reference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from muxwright.workspace.kinds import KINDS

__all__ = ["EXTENSION", "KEYS", "SCOPES", "UNSUPPORTED", "Key", "Scope", "json_schema", "key_reference", "keys_of"]

Scope = Literal["session", "window", "pane", "command", "readiness", "hooks", "builder"]

EXTENSION = "x-"
"""Keys that begin so are the file's own: a place for anchors."""


class Key(NamedTuple):
    """A key of the file. `kind`: of `kinds.KINDS`, or a further scope; `origin`: tmuxp, or muxwright's own."""

    scope: Scope
    name: str
    kind: str
    doc: str
    required: bool = False
    origin: Literal["tmuxp", "muxwright"] = "tmuxp"


def _own(scope: Scope, name: str, kind: str, doc: str) -> Key:
    return Key(scope, name, kind, doc, origin="muxwright")


KEYS: tuple[Key, ...] = (
    Key("session", "session_name", "session name", "The session's name.", required=True),
    Key("session", "windows", "windows", "The windows, in order; at least one.", required=True),
    _own("session", "schema_version", "version", "The version of this schema. Without it: 1."),
    Key("session", "start_directory", "text", "Where panes start; relative to the file. Without it: the caller's own."),
    Key(
        "session",
        "before_script",
        "text",
        "A program with arguments (no shell) to run before the windows are made, in start_directory; when it fails, "
        "nothing is left. A relative program with a / is beside the file.",
    ),
    _own("session", "before_script_timeout", "seconds", "Seconds that before_script may take. Without it: the load's."),
    Key("session", "shell_command_before", "commands", "Typed first in every pane."),
    Key("session", "environment", "environment", "Variables of the session, and of every program in it."),
    Key("session", "options", "options", "Session options; a window option here is set on each window."),
    Key("session", "global_options", "options", "Options of the whole server (global, or server options)."),
    Key(
        "session",
        "suppress_history",
        "truth",
        "Type commands with a leading space, which keeps them out of the shell's history. Without it: true.",
    ),
    _own("session", "size", "size", "The size of the windows until somebody attaches. Without it: the terminal's."),
    _own("session", "hooks", "hooks", "Lines of shell for moments of the session's life."),
    _own("session", "readiness", "readiness", "Whether and how long the shells are waited for."),
    _own("session", "variables", "variables", "Variables that the file may use, with their defaults."),
    _own("session", "compat", "compat", "tmuxp: variables in commands are expanded, as tmuxp does."),
    Key("session", "workspace_builder", "classic builder", "Only tmuxp's default builder is known."),
    Key("session", "workspace_builder_options", "builder", "tmuxp's name for readiness."),
    Key("session", "config", "ignored", "Written by tmuxp's importers; without effect."),
    Key("session", "socket_name", "ignored", "Written by tmuxp's importers; say -L on the command line."),
    Key("window", "window_name", "name", "The window's name. Without it tmux names it after its program."),
    Key("window", "window_index", "index", "Its index, each only once. Without it: the lowest that is free."),
    Key("window", "panes", "panes", "The panes, in order. Without it: one, blank."),
    Key("window", "start_directory", "text", "Where its panes start; relative to the session's."),
    Key("window", "shell_command_before", "commands", "Typed after the session's, before the pane's."),
    Key("window", "environment", "environment", "Variables of its panes, over the session's."),
    Key("window", "options", "options", "Window options, set before the panes are split."),
    Key("window", "options_after", "options", "Window options, set after all commands were typed."),
    Key("window", "layout", "layout", "Its layout, applied when all panes are there."),
    Key("window", "window_shell", "text", "What its panes run in place of the shell, unless they say it themselves."),
    Key("window", "suppress_history", "truth", "As for the session."),
    Key("window", "focus", "truth", "The current window in the end; only one. Without it: the first."),
    _own(
        "window",
        "synchronize",
        "synchronize",
        "Type in all its panes at once: after (or true) when the commands were typed, before already then.",
    ),
    _own("window", "readiness", "readiness", "As for the session."),
    _own("window", "key", "name", "By what reconcile knows the window again. Without it: by its name."),
    Key("pane", "shell_command", "commands", "Typed in order, with Enter after each."),
    Key("pane", "shell_command_before", "commands", "Typed after the window's."),
    Key("pane", "start_directory", "text", "Where it starts; relative to the window's."),
    Key("pane", "environment", "environment", "Its variables, over the window's."),
    Key("pane", "shell", "text", "What it runs in place of the shell, as text for sh. Typing into it needs readiness."),
    Key("pane", "enter", "truth", "Press Enter after each command. Without it: true."),
    Key("pane", "sleep_before", "seconds", "Seconds to wait before each command."),
    Key("pane", "sleep_after", "seconds", "Seconds to wait after each command."),
    Key("pane", "suppress_history", "truth", "As for the session."),
    Key("pane", "focus", "truth", "The active pane in the end; only one. Without it: the last one."),
    _own("pane", "title", "text", "Its title."),
    _own("pane", "split", "direction", "On which side of the pane before it stands, in a window without a layout."),
    _own("pane", "size", "share", "How much of the divided pane it takes, in a window without a layout."),
    _own("pane", "zoom", "truth", "Zoom it in the end; it needs the focus."),
    _own("pane", "options", "options", "Pane options."),
    _own("pane", "readiness", "readiness", "As for the session."),
    _own("pane", "key", "name", "By what reconcile knows the pane again. Without it: by its position."),
    Key("command", "cmd", "text", "What to type, literally."),
    _own("command", "keys", "keys", "Keys to press by name, in place of cmd."),
    Key("command", "enter", "truth", "Whether Enter follows this command; of keys it does not."),
    Key("command", "sleep_before", "seconds", "Seconds to wait before this command; null: none."),
    Key("command", "sleep_after", "seconds", "Seconds to wait after this command; null: none."),
    _own("command", "wait_for", "text", "Text that must be on the screen before anything else is typed."),
    _own("readiness", "mode", "readiness mode", "auto: panes with commands; always: every shell; none."),
    _own("readiness", "timeout", "seconds", "Seconds for a shell to be ready. Without it: 10."),
    _own(
        "readiness",
        "on_timeout",
        "timeout policy",
        "What happens with the commands of a pane that did not get ready. Without it: type.",
    ),
    _own("hooks", "before_create", "lines", "Before anything is made; a failure ends the load."),
    _own("hooks", "after_create", "lines", "When everything stands."),
    _own("hooks", "on_attach", "lines", "Each time a terminal attaches."),
    _own("hooks", "on_detach", "lines", "Each time a terminal detaches."),
    _own("hooks", "on_close", "lines", "When the session ends."),
    Key("builder", "pane_readiness", "pane readiness", "auto, always or never (also true, false, on, off)."),
)

UNSUPPORTED = {
    "plugins": "plugins of tmuxp are Python code for its own objects; use hooks or before_script",
    "workspace_builder_paths": "other builders of tmuxp cannot run here",
    "extends": "files cannot be combined; use anchors",
    "import": "files cannot be combined; use anchors",
    "imports": "files cannot be combined; use anchors",
    "sleep": "give sleep_before or sleep_after",
}
"""Keys that are known and refused, with the reason."""

SCOPES: dict[Scope, str] = {
    "session": "The file",
    "window": "A window",
    "pane": "A pane",
    "command": "A command",
    "readiness": "Readiness",
    "hooks": "Hooks",
    "builder": "workspace_builder_options",
}

PANE_READINESS = ("auto", "always", "never", "true", "false", "on", "off", "yes", "no", "1", "0")

_COMMAND_TEXT = {"type": ["string", "null"]}
_COMMANDS: Mapping[str, Any] = {
    "anyOf": [
        _COMMAND_TEXT,
        {"type": "array", "maxItems": 1, "items": {"type": "null"}},
        {"type": "array", "items": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/command"}]}},
    ]
}

# Kinds that have a structure of their own: words and schema. The validator has a method for each.
STRUCTURES: dict[str, tuple[str, Mapping[str, Any]]] = {
    "windows": ("list of windows", {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/window"}}),
    "panes": (
        "list of panes",
        {"type": "array", "minItems": 1, "items": {"anyOf": [*_COMMANDS["anyOf"], {"$ref": "#/$defs/pane"}]}},
    ),
    "commands": (
        "command, or a list of commands (text or mapping)",
        {
            "anyOf": [
                *_COMMANDS["anyOf"],
                {
                    "type": "object",
                    "properties": {"shell_command": _COMMANDS},
                    "required": ["shell_command"],
                    "additionalProperties": False,
                },
            ]
        },
    ),
    "readiness": (
        "auto, always, none, or a mapping",
        {"anyOf": [KINDS["readiness mode"].schema, {"$ref": "#/$defs/readiness"}]},
    ),
    "hooks": ("mapping", {"$ref": "#/$defs/hooks"}),
    "builder": ("mapping", {"$ref": "#/$defs/builder"}),
    "pane readiness": (
        "auto, always or never",
        {"anyOf": [{"enum": list(PANE_READINESS)}, {"type": "boolean"}, {"enum": [0, 1]}]},
    ),
}


def keys_of(scope: Scope) -> dict[str, Key]:
    """Return the keys of one scope by name."""
    return {key.name: key for key in KEYS if key.scope == scope}


def _schema_of(key: Key) -> dict[str, Any]:
    schema = STRUCTURES[key.kind][1] if key.kind in STRUCTURES else KINDS[key.kind].schema
    return {**schema, "description": key.doc}


def _object(scope: Scope) -> dict[str, Any]:
    keys = keys_of(scope)
    refused = dict.fromkeys(UNSUPPORTED, False) if scope == "session" else {}
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {**{name: _schema_of(key) for name, key in keys.items()}, **refused},
        "patternProperties": {f"^{EXTENSION}": {}},
        "additionalProperties": False,
    }
    required = [name for name, key in keys.items() if key.required]
    if required:
        schema["required"] = required
    if scope == "command":
        schema["oneOf"] = [{"required": ["cmd"]}, {"required": ["keys"]}]
    return schema


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a workspace file, for editors: what it takes, the strict validator takes.

    Beyond it the validator knows what spans several keys, such as an index that stands twice.
    """
    scopes: list[Scope] = ["window", "pane", "command", "readiness", "hooks", "builder"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "muxwright workspace",
        **_object("session"),
        "$defs": {scope: _object(scope) for scope in scopes},
    }


def key_reference() -> str:
    """Return the reference of all keys in Markdown."""
    lines = [
        "# Keys of a workspace file",
        "",
        "Written by `tools/gen_keys.py` from the table that validates files.",
        "",
    ]
    for scope, title in SCOPES.items():
        lines += [f"## {title}", "", "| key | value | meaning | from |", "|---|---|---|---|"]
        for name, key in keys_of(scope).items():
            words = STRUCTURES[key.kind][0] if key.kind in STRUCTURES else KINDS[key.kind].words
            star = " (required)" if key.required else ""
            lines.append(f"| `{name}`{star} | {words} | {key.doc} | {key.origin} |")
        lines.append("")
    lines += ["## Known and refused", "", "| key | reason |", "|---|---|"]
    lines += [f"| `{name}` | {reason} |" for name, reason in UNSUPPORTED.items()]
    return "\n".join(lines) + "\n"
