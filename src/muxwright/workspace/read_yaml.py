"""YAML with the place of every value, built from the parser's events, so that every bound holds before memory does."""

from __future__ import annotations

from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from muxwright.workspace.faults import Fault, WorkspaceConfigError
from muxwright.workspace.node import Limits, Node, resolve_plain

__all__ = ["read_tree"]

# The tags of plain data; a quoted word or one with such a tag is what the tag says.
_TAGS = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq")}
_MERGE = "<<"


def read_tree(text: str, limits: Limits) -> Node:
    """Return the tree of one YAML document; raises `WorkspaceConfigError`."""
    builder = _Builder(limits)
    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            builder.take(event)
    except WorkspaceConfigError:
        raise
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise WorkspaceConfigError(
            [Fault("syntax", "", f"this is not valid YAML: {_problem(error)}", *_place(mark))]
        ) from None
    except (YAMLError, ValueError) as error:
        place = _character_place(text, getattr(error, "position", None))
        raise WorkspaceConfigError([Fault("syntax", "", "this is not valid YAML", *place)]) from None
    return builder.root if builder.root is not None else Node(None, "", 1, 1)


def _problem(error: MarkedYAMLError) -> str:
    # The parser's own words, without the part of the file that it shows.
    words = " ".join(part for part in (error.context, error.problem) if part)
    return words.splitlines()[0][:120] if words else "unknown reason"


def _place(mark: Any) -> tuple[int | None, int | None]:
    return (None, None) if mark is None else (mark.line + 1, mark.column + 1)


def _character_place(text: str, position: int | None) -> tuple[int, int]:
    at = position or 0
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


class _Open:
    """A list or mapping that is being read; of a mapping, the key that waits for its value."""

    def __init__(self, node: Node, anchor: str | None) -> None:
        self.node = node
        self.anchor = anchor
        self.key: str | None = None
        self.key_place: tuple[int | None, int | None] = (None, None)
        self.merges: list[Node] = []


class _Builder:
    """Builds the tree from events."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.root: Node | None = None
        self.documents = 0
        self.count = 0
        self.open: list[_Open] = []
        self.anchors: dict[str, Node] = {}

    def take(self, event: Any) -> None:
        place = _place(event.start_mark)
        if isinstance(event, DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise _fault("documents", "the file holds more than one document", place)
        elif isinstance(event, ScalarEvent):
            self.add(_scalar(event, place), event.anchor, event)
        elif isinstance(event, AliasEvent):
            self.alias(event, place)
        elif isinstance(event, SequenceStartEvent | MappingStartEvent):
            self.start(event, place)
        elif isinstance(event, SequenceEndEvent | MappingEndEvent):
            self.end()

    def start(self, event: Any, place: tuple[int | None, int | None]) -> None:
        _check_tag(event, place)
        if len(self.open) + 1 > self.limits.max_depth:
            raise _fault("limit", f"the document is nested deeper than {self.limits.max_depth} levels", place)
        is_mapping = isinstance(event, MappingStartEvent)
        if self.open and isinstance(self.open[-1].node.value, dict) and self.open[-1].key is None:
            raise _fault("type", "a key must be text", place)
        node = Node({} if is_mapping else [], "", *place)
        self.tally(1, place)
        self.open.append(_Open(node, event.anchor))

    def end(self) -> None:
        finished = self.open.pop()
        node = finished.node
        if isinstance(node.value, dict):
            # What stands in the mapping itself counts, then the merged mappings, the first one first.
            for other in finished.merges:
                assert isinstance(other.value, dict)
                for key, child in other.value.items():
                    if key not in node.value:
                        node.value[key] = child
                        node.keys[key] = other.keys[key]
        self.add(node, finished.anchor, None)

    def alias(self, event: Any, place: tuple[int | None, int | None]) -> None:
        known = self.anchors.get(event.anchor)
        if known is None:
            raise _fault("syntax", "this alias has no anchor before it, or stands in the anchor's own value", place)
        self.tally(sum(1 for _ in known.walk()), place)
        self.add(known.copy(), None, None)

    def tally(self, count: int, place: tuple[int | None, int | None]) -> None:
        self.count += count
        if self.count > self.limits.max_nodes:
            raise _fault("limit", f"the document has more than {self.limits.max_nodes} values", place)

    def add(self, node: Node, anchor: str | None, event: Any) -> None:
        """Put a finished value where it belongs; a scalar may be a key."""
        if event is not None:
            self.tally(1, (node.line, node.column))
        if anchor is not None:
            self.anchors[anchor] = node
        if not self.open:
            self.root = node
            return
        holder = self.open[-1]
        if isinstance(holder.node.value, list):
            holder.node.value.append(node)
        elif holder.key is None:
            self.key(holder, node, plain=event is not None and event.style is None)
        elif holder.key == _MERGE:
            holder.merges += _merged(node)
            holder.key = None
        else:
            assert isinstance(holder.node.value, dict)
            if node.value is None:  # a value that is left out has no place of its own
                node.line, node.column = holder.key_place
            holder.node.value[holder.key] = node
            holder.node.keys[holder.key] = holder.key_place
            holder.key = None

    def key(self, holder: _Open, node: Node, plain: bool) -> None:
        place = (node.line, node.column)
        if isinstance(node.value, dict | list):
            raise _fault("type", "a key must be text", place)
        text = node.text
        assert isinstance(holder.node.value, dict)
        if text in holder.node.value:
            raise _fault("duplicate", f"the key {text[:60]!r} stands here twice", place)
        if text == _MERGE and not plain:
            raise _fault("value", "a key cannot be called '<<'", place)
        holder.key, holder.key_place = text, place


def _merged(node: Node) -> list[Node]:
    parts = node.value if isinstance(node.value, list) else [node]
    for part in parts:
        if not isinstance(part.value, dict):
            raise _fault("type", "'<<' merges a mapping, or a list of mappings", (node.line, node.column))
    return list(parts)


def _scalar(event: Any, place: tuple[int | None, int | None]) -> Node:
    _check_tag(event, place)
    text = event.value
    tag = None if event.tag is None else str(event.tag)
    plain = event.style is None and tag in (None, "!") and event.implicit[0]
    if plain or (tag in _TAGS and tag.rpartition(":")[2] != "str"):
        value = resolve_plain(text)
        # ``~`` is nothing, not a text of one character.
        return Node(value, "" if value is None else text, *place)
    return Node(text, text, *place)


def _check_tag(event: Any, place: tuple[int | None, int | None]) -> None:
    tag = None if event.tag is None else str(event.tag)
    if tag not in (None, "!", *_TAGS):
        raise _fault("type", "this tag is not one of plain data", place)


def _fault(code: str, message: str, place: tuple[int | None, int | None]) -> WorkspaceConfigError:
    return WorkspaceConfigError([Fault(code, "", message, *place)])
