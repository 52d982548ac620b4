"""JSON with the place of every value; duplicate keys and ``NaN`` are refused."""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]  # private in typeshed, public in fact since 2.6

from muxwright.workspace.faults import Fault, WorkspaceConfigError
from muxwright.workspace.node import Limits, Node

__all__ = ["read_tree"]

_BLANKS = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?")
_WORDS: dict[str, bool | None] = {"null": None, "true": True, "false": False}


def read_tree(text: str, limits: Limits) -> Node:
    """Return the tree of a JSON text; raises `WorkspaceConfigError`."""
    reader = _Reader(text, limits)
    root = reader.value(1)
    reader.blanks()
    if reader.position != len(text):
        raise reader.fault("documents", "something follows the end of the document")
    return root


class _Reader:
    """Reads one value after the other; `position` is where it stands."""

    def __init__(self, text: str, limits: Limits) -> None:
        self.text = text
        self.limits = limits
        self.position = 0
        self.count = 0

    def blanks(self) -> str:
        """Skip blanks; return the next character, empty at the end."""
        match = _BLANKS.match(self.text, self.position)
        assert match is not None, "the pattern matches everywhere"
        self.position = match.end()
        return self.text[self.position : self.position + 1]

    def place(self) -> tuple[int, int]:
        return self.text.count("\n", 0, self.position) + 1, self.position - self.text.rfind("\n", 0, self.position)

    def fault(self, code: str, message: str) -> WorkspaceConfigError:
        return WorkspaceConfigError([Fault(code, "", message, *self.place())])

    def value(self, depth: int) -> Node:
        first = self.blanks()
        self.count += 1
        if depth > self.limits.max_depth:
            raise self.fault("limit", f"the document is nested deeper than {self.limits.max_depth} levels")
        if self.count > self.limits.max_nodes:
            raise self.fault("limit", f"the document has more than {self.limits.max_nodes} values")
        place = self.place()
        if first == "{":
            return self.mapping(depth, place)
        if first == "[":
            return self.sequence(depth, place)
        if first == '"':
            text = self.string()
            return Node(text, text, *place)
        return self.scalar(place)

    def string(self) -> str:
        try:
            text, self.position = scanstring(self.text, self.position + 1, True)
        except json.JSONDecodeError:
            raise self.fault("syntax", "the text in quotes is not valid JSON") from None
        return str(text)

    def scalar(self, place: tuple[int, int]) -> Node:
        for word, value in _WORDS.items():
            if self.text.startswith(word, self.position):
                self.position += len(word)
                return Node(value, "" if value is None else word, *place)
        match = _NUMBER.match(self.text, self.position)
        if match is None:
            raise self.fault("syntax", "expected a value")
        self.position = match.end()
        text = match[0]
        return Node(int(text) if text.lstrip("-").isdecimal() else float(text), text, *place)

    def sequence(self, depth: int, place: tuple[int, int]) -> Node:
        self.position += 1
        items: list[Node] = []
        if self.blanks() == "]":
            self.position += 1
            return Node(items, "", *place)
        while True:
            items.append(self.value(depth + 1))
            if self.closes("]"):
                return Node(items, "", *place)

    def mapping(self, depth: int, place: tuple[int, int]) -> Node:
        self.position += 1
        node = Node(children := {}, "", *place)
        if self.blanks() == "}":
            self.position += 1
            return node
        while True:
            if self.blanks() != '"':
                raise self.fault("syntax", "expected a key in double quotes")
            at = self.place()
            key = self.string()
            if key in children:
                raise WorkspaceConfigError([Fault("duplicate", "", f"the key {key[:60]!r} stands here twice", *at)])
            if self.blanks() != ":":
                raise self.fault("syntax", "expected a colon")
            self.position += 1
            children[key] = self.value(depth + 1)
            node.keys[key] = at
            if self.closes("}"):
                return node

    def closes(self, end: str) -> bool:
        """Pass a comma or the end of what is being read; return whether it was the end."""
        found = self.blanks()
        if found not in (",", end) or not found:
            raise self.fault("syntax", f"expected a comma or {end}")
        self.position += 1
        return found == end
