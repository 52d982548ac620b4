"""What a value of a workspace may be: for each kind its JSON Schema and the reader that checks it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from muxwright.errors import BadLayout, MuxwrightError
from muxwright.wire.keys import check_key
from muxwright.wire.layout import LAYOUT_NAMES, check_layout
from muxwright.wire.versions import TmuxVersion
from muxwright.workspace.faults import Fault, near
from muxwright.workspace.node import Node

__all__ = ["KINDS", "Judge", "Kind", "bad"]

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OPTION = re.compile(r"[a-z][a-z0-9-]*|@[A-Za-z0-9_.-]+")
_SIZE = re.compile(r"([0-9]{1,5})x([0-9]{1,5})")
_PERCENT = re.compile(r"([0-9]{1,3})%")
_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
# Which layouts a tmux has is known only when it is asked: the newest counts here.
_NEWEST = TmuxVersion(0, 0, kind="master")
MAX_SECONDS = 3600


class Judge:
    """Collects faults and warnings while a document is read."""

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []

    def fault(self, code: str, path: str, message: str, at: Node | tuple[int | None, int | None]) -> None:
        """Note a fault at a node, or at a place."""
        line, column = (at.line, at.column) if isinstance(at, Node) else at
        self.faults.append(Fault(code, path, message, line, column))

    def warn(self, code: str, path: str, message: str, at: Node | tuple[int | None, int | None]) -> None:
        """Note what is a fault only for a strict judge."""
        if self.strict:
            self.fault(code, path, message, at)
            return
        line, column = (at.line, at.column) if isinstance(at, Node) else at
        self.warnings.append(Fault(code, path, message, line, column))


class _Bad:
    """Stands for a value that was refused; its fault is noted."""


bad = _Bad()

Reader = Callable[[Node, str, Judge], Any]


class Kind(NamedTuple):
    """What a value may be: words for people, JSON Schema, and the reader, which returns `bad` after noting a fault."""

    words: str
    schema: Mapping[str, Any]
    read: Reader


def _wrong(judge: Judge, path: str, node: Node, expected: str) -> Any:
    judge.fault("type", path, f"expected {expected}, found {node.what}", node)
    return bad


def _text(node: Node, path: str, judge: Judge) -> Any:
    if not isinstance(node.value, str):
        return _wrong(judge, path, node, "text (quote it)" if _is_scalar(node) else "text")
    if "\0" in node.value:
        judge.fault("value", path, "the text holds a NUL, which no program can be given", node)
        return bad
    return node.value


def _is_scalar(node: Node) -> bool:
    return isinstance(node.value, bool | int | float)


def _name(node: Node, path: str, judge: Judge) -> Any:
    """Read a name: what was written counts, so 2024 and yes are names."""
    if node.value is None or isinstance(node.value, list | dict):
        return _wrong(judge, path, node, "a name")
    if not node.text:
        judge.fault("value", path, "a name must not be empty", node)
        return bad
    if any(ord(char) < 32 or ord(char) == 127 for char in node.text):
        judge.fault("value", path, "a name must not hold control characters or line breaks", node)
        return bad
    if "\\" in node.text:
        judge.fault("value", path, "a name must not hold a backslash, which tmux would change", node)
        return bad
    return node.text


def _session_name(node: Node, path: str, judge: Judge) -> Any:
    name = _name(node, path, judge)
    if isinstance(name, str) and re.search(r"[.:]", re.sub(r"\$\{[^}]*\}+", "", name)):
        mapped = re.sub(r"[.:]", "_", name)
        judge.fault("value", path, f"a session's name must not hold '.' or ':'; tmux would call it {mapped}", node)
        return bad
    return name


def _bool(node: Node, path: str, judge: Judge) -> Any:
    if isinstance(node.value, bool):
        return node.value
    if isinstance(node.value, str) and node.value.lower() in _WORDS:
        return _WORDS[node.value.lower()]
    return _wrong(judge, path, node, "true or false")


def _seconds(node: Node, path: str, judge: Judge) -> Any:
    value = node.value
    if node.value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return _wrong(judge, path, node, "a number of seconds")
    if not 0 <= value <= MAX_SECONDS:
        judge.fault("value", path, f"seconds are 0 to {MAX_SECONDS}, not {node.text}", node)
        return bad
    return float(value)


def _integer(node: Node, what: str, low: int, high: int, path: str, judge: Judge) -> Any:
    value = int(node.value) if isinstance(node.value, str) and re.fullmatch("[0-9]{1,9}", node.value) else node.value
    if isinstance(value, bool) or not isinstance(value, int):
        return _wrong(judge, path, node, what)
    if not low <= value <= high:
        judge.fault("value", path, f"expected {what} from {low} to {high}, not {node.text}", node)
        return bad
    return value


def _index(node: Node, path: str, judge: Judge) -> Any:
    return _integer(node, "a window's index", 0, 2**31 - 2, path, judge)


def _version(node: Node, path: str, judge: Judge) -> Any:
    if type(node.value) is not int or node.value != 1:
        judge.fault("version", path, f"schema_version is the number 1, found {node.what}", node)
        return bad
    return 1


def _variable_name(name: str, path: str, judge: Judge, place: tuple[int | None, int | None]) -> bool:
    if _VARIABLE.fullmatch(name):
        return True
    judge.fault("value", path, f"{name[:60]!r} is no variable: letters, digits and _, no digit first", place)
    return False


def _environment(node: Node, path: str, judge: Judge) -> Any:
    if not isinstance(node.value, dict):
        return _wrong(judge, path, node, "a mapping of variables")
    found: dict[str, str | None] = {}
    for name, child in node.value.items():
        if isinstance(child.value, list | dict):
            _wrong(judge, f"{path}.{name}", child, "a plain value")
        elif "\0" in child.text:
            judge.fault("value", f"{path}.{name}", "the value holds a NUL", child)
        elif _variable_name(name, f"{path}.{name}", judge, node.keys[name]):
            found[name] = None if child.value is None else child.text
    return found


def _options(node: Node, path: str, judge: Judge) -> Any:
    if not isinstance(node.value, dict):
        return _wrong(judge, path, node, "a mapping of options")
    found: dict[str, Any] = {}
    for name, child in node.value.items():
        at = f"{path}.{name}"
        if not _OPTION.fullmatch(name):
            judge.fault("value", at, f"{name[:60]!r} is no option of tmux: expected a full name", node.keys[name])
            continue
        if isinstance(child.value, list):
            entries = [_option(entry, f"{at}[{index}]", judge) for index, entry in enumerate(child.value)]
            found[name] = tuple(str(entry) for entry in entries)
        else:
            found[name] = _option(child, at, judge)
    return found


def _option(node: Node, path: str, judge: Judge) -> Any:
    value = node.value
    if isinstance(value, bool | str) or (isinstance(value, int) and -(2**63) <= value < 2**63):
        return value
    if isinstance(value, float):
        return node.text
    return _wrong(judge, path, node, "text, a number, true or false")


def _layout(node: Node, path: str, judge: Judge) -> Any:
    if not isinstance(node.value, str):
        return _wrong(judge, path, node, "a layout's name or text")
    if node.value in LAYOUT_NAMES:
        return node.value
    try:
        if "," in node.value:
            return check_layout(node.value, _NEWEST)
        message = f"{node.value[:60]!r} is not a layout"
        message += near(node.value, LAYOUT_NAMES) or f": expected {', '.join(LAYOUT_NAMES)}, or a layout text"
    except BadLayout as error:
        message = str(error)
    judge.fault("value", path, message, node)
    return bad


def _size(node: Node, path: str, judge: Judge) -> Any:
    match = _SIZE.fullmatch(node.value) if isinstance(node.value, str) else None
    if match is None or not all(1 <= int(part) <= 10_000 for part in match.groups()):
        return _wrong(judge, path, node, "columns and rows such as 200x50")
    return int(match[1]), int(match[2])


def _share(node: Node, path: str, judge: Judge) -> Any:
    if isinstance(node.value, str) and (match := _PERCENT.fullmatch(node.value)) and 1 <= int(match[1]) <= 100:
        return node.value
    if type(node.value) is int and 1 <= node.value <= 10_000:
        return node.value
    return _wrong(judge, path, node, "a number of cells, or a percentage such as 30%")


def _choice(*words: str) -> Reader:
    def read(node: Node, path: str, judge: Judge) -> Any:
        if node.value in words:
            return node.value
        hint = near(node.value, words) if isinstance(node.value, str) else ""
        judge.fault("value", path, f"expected {' or '.join(words)}, found {node.what}{hint}", node)
        return bad

    return read


def _synchronize(node: Node, path: str, judge: Judge) -> Any:
    if node.value in ("before", "after"):
        return node.value
    value = _bool(node, path, judge)
    return value if value is bad else ("after" if value else None)


def _lines(node: Node, path: str, judge: Judge) -> Any:
    """Read lines of shell: one, or a list."""
    parts = node.value if isinstance(node.value, list) else [node]
    lines = [
        _text(part, f"{path}[{index}]" if isinstance(node.value, list) else path, judge)
        for index, part in enumerate(parts)
    ]
    return tuple(line for line in lines if isinstance(line, str))


def _key_names(node: Node, path: str, judge: Judge) -> Any:
    parts = node.value if isinstance(node.value, list) else [node]
    names = []
    for part in parts:
        name = part.text if not isinstance(part.value, list | dict) else ""
        try:
            names.append(check_key(name))
        except MuxwrightError as error:
            judge.fault("value", path, str(error), part)
    return tuple(names)


def _ignored(node: Node, path: str, judge: Judge) -> Any:
    return bad


_SCALAR = {"type": ["string", "number", "boolean", "null"]}
_TRUTH = {"anyOf": [{"type": "boolean"}, {"enum": [*_WORDS]}]}
_NAME_SCHEMA = {
    "anyOf": [{"type": "string", "pattern": r"^[^\x00-\x1f\x7f\\]+$"}, {"type": ["number", "boolean"]}],
}
_SESSION_SCHEMA = {
    "anyOf": [{"type": "string", "pattern": r"^[^\x00-\x1f\x7f\\.:]+$"}, {"type": ["integer", "boolean"]}],
}
_KEY_SCHEMA = {"anyOf": [{"type": "string", "minLength": 1}, {"type": "integer"}]}
_CELLS = "(?:[1-9][0-9]{0,3}|10000)"
_LINES_SCHEMA = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
_MAP_SCHEMA = {
    "type": "object",
    "propertyNames": {"pattern": f"^(?:{_VARIABLE.pattern})$"},
    "additionalProperties": _SCALAR,
}

KINDS: dict[str, Kind] = {
    "text": Kind("text", {"type": "string"}, _text),
    "name": Kind("name", _NAME_SCHEMA, _name),
    "session name": Kind("name without . and :", _SESSION_SCHEMA, _session_name),
    "truth": Kind("true or false", _TRUTH, _bool),
    "seconds": Kind("seconds", {"type": ["number", "null"], "minimum": 0, "maximum": MAX_SECONDS}, _seconds),
    "index": Kind(
        "index from 0",
        {
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": 2**31 - 2},
                {"type": "string", "pattern": "^[0-9]{1,9}$"},
            ]
        },
        _index,
    ),
    "version": Kind("the number 1", {"const": 1}, _version),
    "environment": Kind("mapping of variables; null takes one away", _MAP_SCHEMA, _environment),
    "variables": Kind("mapping of names to defaults; null means none", _MAP_SCHEMA, _environment),
    "options": Kind(
        "mapping of options; a list fills an array",
        {
            "type": "object",
            "propertyNames": {"pattern": f"^(?:{_OPTION.pattern})$"},
            "additionalProperties": {
                "anyOf": [
                    {"type": ["string", "number", "boolean"]},
                    {"type": "array", "items": {"type": ["string", "number", "boolean"]}},
                ]
            },
        },
        _options,
    ),
    "layout": Kind(
        "layout's name, or tmux's layout text",
        {"anyOf": [{"enum": list(LAYOUT_NAMES)}, {"type": "string", "pattern": "^[0-9a-fA-F]{4},"}]},
        _layout,
    ),
    "size": Kind("columns and rows, as 200x50", {"type": "string", "pattern": f"^{_CELLS}x{_CELLS}$"}, _size),
    "share": Kind(
        "cells, or a percentage as 30%",
        {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": 10_000},
                {"type": "string", "pattern": "^(?:[1-9][0-9]?|100)%$"},
            ]
        },
        _share,
    ),
    "direction": Kind(
        "below, right, above or left",
        {"enum": ["below", "right", "above", "left"]},
        _choice("below", "right", "above", "left"),
    ),
    "synchronize": Kind(
        "before, after, true or false", {"anyOf": [{"enum": ["before", "after"]}, _TRUTH]}, _synchronize
    ),
    "compat": Kind("tmuxp", {"const": "tmuxp"}, _choice("tmuxp")),
    "classic builder": Kind("classic", {"const": "classic"}, _choice("classic")),
    "lines": Kind("line of shell, or a list of them", _LINES_SCHEMA, _lines),
    "keys": Kind(
        "name of a key, or a list of them",
        {"anyOf": [_KEY_SCHEMA, {"type": "array", "items": _KEY_SCHEMA}]},
        _key_names,
    ),
    "readiness mode": Kind(
        "auto, always or none", {"enum": ["auto", "always", "none"]}, _choice("auto", "always", "none")
    ),
    "timeout policy": Kind("type, skip or fail", {"enum": ["type", "skip", "fail"]}, _choice("type", "skip", "fail")),
    "ignored": Kind("anything", {}, _ignored),
}
