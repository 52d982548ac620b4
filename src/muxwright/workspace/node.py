"""The tree of a document: values with their source text and their place, whatever the format was."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from muxwright.workspace.faults import Fault, WorkspaceConfigError

__all__ = ["Limits", "Node", "from_data", "resolve_plain", "to_data"]

_NULL = {"", "~", "null", "Null", "NULL"}
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]{1,19}|0x[0-9a-fA-F]{1,16}|0o[0-7]{1,21}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,3})?")

Scalar = None | bool | int | float | str


class Limits(NamedTuple):
    """Bounds of a document, checked while it is read: bytes, levels of nesting, and nodes after anchors are copied."""

    max_bytes: int = 1024 * 1024
    max_depth: int = 32
    max_nodes: int = 20_000


@dataclass(slots=True)
class Node:
    """A value with its place. `value`: a scalar, a list of nodes, or a dict of nodes by key.

    `text` is a scalar's source text, `keys` the place of each key of a mapping. `line` and `column` count from 1.
    """

    value: Scalar | list[Node] | dict[str, Node]
    text: str = ""
    line: int | None = None
    column: int | None = None
    keys: dict[str, tuple[int | None, int | None]] = field(default_factory=dict)

    @property
    def what(self) -> str:
        """What the value is, for messages."""
        value = self.value
        if isinstance(value, dict):
            return "a mapping"
        if isinstance(value, list):
            return "a list"
        if value is None:
            return "nothing"
        if isinstance(value, bool):
            return f"the truth value {self.text}"
        return f"the number {self.text}" if isinstance(value, int | float) else f"the text {self.text[:60]!r}"

    def copy(self) -> Node:
        """Return a tree of its own, so that no two places share a value."""
        value = self.value
        if isinstance(value, dict):
            value = {key: child.copy() for key, child in value.items()}
        elif isinstance(value, list):
            value = [child.copy() for child in value]
        return Node(value, self.text, self.line, self.column, dict(self.keys))

    def walk(self) -> Iterator[Node]:
        """Yield the node and all nodes in it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            if isinstance(node.value, dict):
                waiting += node.value.values()
            elif isinstance(node.value, list):
                waiting += node.value


def resolve_plain(text: str) -> Scalar:
    """Return what an unquoted word stands for; ``yes``, ``on`` and ``12:30`` stay text.

    >>> [resolve_plain(word) for word in ("yes", "12", "0x10", "1.5", "~", "true")]
    ['yes', 12, 16, 1.5, None, True]
    """
    if text in _NULL:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if _INT.fullmatch(text):
        return int(text, 0) if text[:2] in ("0x", "0o") else int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def from_data(data: object, limits: Limits | None = None) -> Node:
    """Return the tree of plain data (mappings, sequences, scalars); raises `WorkspaceConfigError` for anything else."""
    limits = limits or Limits()
    count = 0

    def build(value: object, path: str, depth: int) -> Node:
        nonlocal count
        count += 1
        if depth > limits.max_depth or count > limits.max_nodes:
            raise WorkspaceConfigError([Fault("limit", path, "the data is nested too deeply or too large")])
        if isinstance(value, Mapping):
            for key in value:
                if not isinstance(key, str):
                    raise WorkspaceConfigError([Fault("type", path, f"a key must be text, not {key!r}")])
            children = {key: build(child, f"{path}.{key}".lstrip("."), depth + 1) for key, child in value.items()}
            return Node(children, keys=dict.fromkeys(children, (None, None)))
        if isinstance(value, Sequence) and not isinstance(value, str | bytes):
            return Node([build(child, f"{path}[{index}]", depth + 1) for index, child in enumerate(value)])
        if isinstance(value, float) and not math.isfinite(value):
            raise WorkspaceConfigError([Fault("value", path, f"{value} is no number that a file can hold")])
        if value is None or isinstance(value, bool | int | float | str):
            return Node(value, _text(value))
        raise WorkspaceConfigError([Fault("type", path, f"a {type(value).__name__} cannot stand in a workspace")])

    return build(data, "", 1)


def _text(value: Scalar) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def to_data(node: Node) -> Any:
    """Return plain data without places."""
    if isinstance(node.value, dict):
        return {key: to_data(child) for key, child in node.value.items()}
    if isinstance(node.value, list):
        return [to_data(child) for child in node.value]
    return node.value
