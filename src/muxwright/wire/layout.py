"""Window layouts: the text tmux prints and takes, as an immutable tree.

tmux writes ``bb62,159x48,0,0{79x48,0,0,1,79x48,80,0,2}``: a checksum, then a cell. ``{}`` holds cells side by side,
``[]`` cells on top of each other, with one column or row of border between them. From 3.8 on it prints JSON instead
(`read_layout` reads both) but still takes the text, so the text is the one form to keep and to send.

A bad layout kills daemons, so `check_layout` lets through only what every version survives. Measured on real servers:

- tmux 3.3a dies of most words that are no layout, among them ``main`` (ambiguous) and names of later versions;
- 3.3a and 3.5a die of a split with a single child when the window has fewer panes than the layout has cells;
- 3.7c dies of a comma before a closing bracket, under a right checksum;
- all keep the extra cells' room for others when the layout has more cells than the window has panes, and refuse fewer;
- 3.7 prints floating panes as ``<...>`` behind the tree and does not take its own text back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from muxwright.errors import BadLayout, UnsupportedCapability
from muxwright.wire.versions import require, supports

if TYPE_CHECKING:
    from collections.abc import Iterator

    from muxwright.wire.versions import TmuxVersion

__all__ = [
    "LAYOUT_NAMES",
    "MIRRORED_LAYOUT_NAMES",
    "LayoutCell",
    "Split",
    "check_layout",
    "layout_checksum",
    "leaf",
    "left_right",
    "read_layout",
    "top_bottom",
]

Split = Literal["left-right", "top-bottom"]

MIRRORED_LAYOUT_NAMES: Final = ("main-horizontal-mirrored", "main-vertical-mirrored")
"""The preset layouts that need tmux 3.5."""

LAYOUT_NAMES: Final = (
    "even-horizontal",
    "even-vertical",
    "main-horizontal",
    "main-vertical",
    "tiled",
    *MIRRORED_LAYOUT_NAMES,
)
"""The preset layouts of tmux."""

MAX_TEXT: Final = 64 * 1024
MAX_JSON: Final = 1024 * 1024  # the same tree takes about four times the room of the text
MAX_DEPTH: Final = 64
MAX_CELLS: Final = 4096
MAX_SIZE: Final = 10_000  # tmux's own largest window; before 3.8 a layout may exceed it and the window then does too

_HEADER: Final = re.compile(r"([0-9a-fA-F]{4}),")
# An id is not an id when an x follows: then it is the width of the next cell.
_CELL: Final = re.compile(r"([0-9]{1,9})x([0-9]{1,9}),([0-9]{1,9}),([0-9]{1,9})(?:,([0-9]{1,9})(?![0-9x]))?")
_OPENING: Final[dict[str, Split]] = {"{": "left-right", "[": "top-bottom"}
_BRACKETS: Final = {"left-right": ("{", "}"), "top-bottom": ("[", "]")}


@dataclass(frozen=True, slots=True)
class LayoutCell:
    """One cell of a layout: a pane, or a split that holds two or more cells.

    Shape: `width`, `height`, `x`, `y` in character cells; `pane` is the number of ``%7`` or None when the text has no
    ids; `split` is None for a pane, ``"left-right"`` or ``"top-bottom"`` else; `children` in order.

    >>> LayoutCell.parse("0bc1,160x50,0,0{80x50,0,0,0,79x50,81,0,1}").panes
    (0, 1)
    """

    width: int
    height: int
    x: int = 0
    y: int = 0
    pane: int | None = None
    split: Split | None = None
    children: tuple[LayoutCell, ...] = ()

    @classmethod
    def parse(cls, text: str) -> LayoutCell:
        """Read tmux's layout text and verify checksum, shape and geometry.

        At most 64 KiB, 64 levels and 4096 cells. Raises `BadLayout` for anything else, floating panes and JSON
        included.

        >>> LayoutCell.parse("adfd,160x50,0,0,0").width
        160
        """
        if len(text) > MAX_TEXT:
            raise BadLayout(f"the layout has {len(text)} characters; at most {MAX_TEXT} are read")
        header = _HEADER.match(text)
        if header is None:
            raise BadLayout(f"not a layout: {text[:64]!r}; expected a checksum of 4 hex digits, a comma and the cells")
        body = text[5:]
        if (expected := layout_checksum(body)) != int(header[1], 16):
            raise BadLayout(f"the layout {text[:64]!r} has the wrong checksum; the right one is {expected:04x}")
        if "<" in body:
            raise BadLayout(f"the layout {text[:64]!r} has floating panes, which no tmux takes back")
        return _verified(_Reader(body).read())

    @property
    def panes(self) -> tuple[int, ...]:
        """The pane numbers in tmux's order; empty when the text has no ids."""
        return tuple(cell.pane for cell in self.leaves() if cell.pane is not None)

    @property
    def count(self) -> int:
        """How many panes the layout has room for."""
        return sum(1 for _ in self.leaves())

    def leaves(self) -> Iterator[LayoutCell]:
        """Yield the cells that hold panes, in tmux's order."""
        if self.split is None:
            yield self
        for child in self.children:
            yield from child.leaves()

    def moved(self, dx: int, dy: int) -> LayoutCell:
        """Return the same cell, with all that is in it, `dx` columns to the right and `dy` rows down."""
        children = tuple(child.moved(dx, dy) for child in self.children)
        return replace(self, x=self.x + dx, y=self.y + dy, children=children)

    def dump(self) -> str:
        """Return tmux's text for this tree, with its checksum.

        >>> leaf(160, 50, 0).dump()
        'adfd,160x50,0,0,0'
        """
        body = self._body()
        return f"{layout_checksum(body):04x},{body}"

    def __str__(self) -> str:
        return self.dump()

    def _body(self) -> str:
        body = f"{self.width}x{self.height},{self.x},{self.y}"
        if self.split is None:
            return body if self.pane is None else f"{body},{self.pane}"
        opening, closing = _BRACKETS[self.split]
        return f"{body}{opening}{','.join(child._body() for child in self.children)}{closing}"


def layout_checksum(body: str) -> int:
    """Return tmux's 16-bit checksum of the layout text behind the comma.

    >>> f"{layout_checksum('160x50,0,0,0'):04x}"
    'adfd'
    """
    checksum = 0
    for character in body:
        checksum = ((checksum >> 1) + ((checksum & 1) << 15) + ord(character)) & 0xFFFF
    return checksum


# --- building ---------------------------------------------------------------------------------------------------------


def leaf(width: int, height: int, pane: int | None = None) -> LayoutCell:
    """Return the layout of one pane."""
    return _verified(LayoutCell(width, height, pane=pane))


def left_right(*cells: LayoutCell) -> LayoutCell:
    """Return `cells` side by side, moved to their places; they must have one height. Raises `BadLayout`.

    >>> left_right(leaf(80, 50, 0), leaf(79, 50, 1)).dump()
    '0bc1,160x50,0,0{80x50,0,0,0,79x50,81,0,1}'
    """
    return _joined("left-right", cells)


def top_bottom(*cells: LayoutCell) -> LayoutCell:
    """Return `cells` from top to bottom, moved to their places; they must have one width. Raises `BadLayout`."""
    return _joined("top-bottom", cells)


def _joined(split: Split, cells: tuple[LayoutCell, ...]) -> LayoutCell:
    placed: list[LayoutCell] = []
    offset = 0
    for cell in cells:
        dx, dy = (offset, 0) if split == "left-right" else (0, offset)
        placed.append(cell.moved(dx - cell.x, dy - cell.y))
        offset += (cell.width if split == "left-right" else cell.height) + 1
    across = max((cell.height if split == "left-right" else cell.width for cell in cells), default=0)
    width, height = (offset - 1, across) if split == "left-right" else (across, offset - 1)
    return _verified(LayoutCell(width, height, split=split, children=tuple(placed)))


# --- reading ----------------------------------------------------------------------------------------------------------


class _Reader:
    """Reads the cells of one layout text; `position` is where it stands."""

    def __init__(self, body: str) -> None:
        self.body = body
        self.position = 0
        self.cells = 0

    def read(self) -> LayoutCell:
        root = self.cell(1)
        if self.position != len(self.body):
            raise self.unexpected("the end")
        return root

    def cell(self, depth: int) -> LayoutCell:
        self.cells += 1
        _bound(depth, self.cells)
        match = _CELL.match(self.body, self.position)
        if match is None:
            raise self.unexpected("a cell like 80x24,0,0,1")
        self.position = match.end()
        width, height, x, y = (int(number) for number in match.group(1, 2, 3, 4))
        pane = None if match[5] is None else int(match[5])
        split = _OPENING.get(self.body[self.position : self.position + 1])
        if split is None:
            return LayoutCell(width, height, x, y, pane)
        if pane is not None:
            raise self.unexpected("no split in a cell with a pane id")
        return LayoutCell(width, height, x, y, None, split, tuple(self.children(split, depth + 1)))

    def children(self, split: Split, depth: int) -> Iterator[LayoutCell]:
        closing = _BRACKETS[split][1]
        following = ","
        while following == ",":
            self.position += 1
            yield self.cell(depth)
            following = self.body[self.position : self.position + 1]
        if following != closing:
            raise self.unexpected(f"a comma or {closing}")
        self.position += 1

    def unexpected(self, expected: str) -> BadLayout:
        found = self.body[self.position : self.position + 16]
        return BadLayout(f"the layout has {found!r} at character {self.position + 5}; expected {expected}")


def read_layout(text: str) -> LayoutCell:
    """Read what ``#{window_layout}`` printed: the text, or the JSON of tmux 3.8 (at most 1 MiB).

    The `dump` of the result is a text that every tmux takes. Raises `BadLayout`, also for floating panes.

    >>> read_layout('{"V":2,"L":{"t":"p","w":160,"h":50,"x":0,"y":0,"i":0,"I":"%0"}}').dump()
    'adfd,160x50,0,0,0'
    """
    if not text.startswith("{"):
        return LayoutCell.parse(text)
    if len(text) > MAX_JSON:
        raise BadLayout(f"the layout has {len(text)} characters; at most {MAX_JSON} are read")
    import json  # not needed before 3.8

    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadLayout(f"the layout {text[:64]!r} is not valid JSON") from error
    if document.get("V") != 2:
        raise BadLayout(f"the layout {text[:64]!r} has an unknown version; 2 is the known one")
    return _verified(_from_json(document.get("L"), 1))


def _from_json(item: object, depth: int) -> LayoutCell:
    _bound(depth, 0)
    if not isinstance(item, dict):
        raise BadLayout(f"expected a cell in the JSON layout, found a value of type {type(item).__name__}")
    if "z" in item:
        raise BadLayout("the JSON layout has floating panes, which its text cannot say")
    numbers = [item.get(key) for key in ("w", "h", "x", "y")]
    width, height, x, y = (number if type(number) is int else -1 for number in numbers)
    kind = item.get("t")
    if kind == "p":
        name = item.get("I")
        match = re.fullmatch(r"%([0-9]{1,9})", name) if isinstance(name, str) else None
        if match is None:
            raise BadLayout("a cell of the JSON layout has no pane id")
        return LayoutCell(width, height, x, y, int(match[1]))
    children = item.get("c")
    if kind not in ("h", "v") or not isinstance(children, list):
        raise BadLayout("a cell of the JSON layout is neither a pane (p) nor a split (h, v) with cells")
    split: Split = "left-right" if kind == "h" else "top-bottom"
    return LayoutCell(width, height, x, y, None, split, tuple(_from_json(child, depth + 1) for child in children))


# --- verifying --------------------------------------------------------------------------------------------------------


def _bound(depth: int, cells: int) -> None:
    if depth > MAX_DEPTH:
        raise BadLayout(f"the layout is nested deeper than {MAX_DEPTH} levels")
    if cells > MAX_CELLS:
        raise BadLayout(f"the layout has more than {MAX_CELLS} cells")


def _verified(root: LayoutCell) -> LayoutCell:
    if (root.x, root.y) != (0, 0):
        raise BadLayout(f"the layout begins at {root.x},{root.y}; expected 0,0")
    waiting = [(root, 1)]
    cells = 0
    while waiting:
        cell, depth = waiting.pop()
        cells += 1
        _bound(depth, cells)
        _verify_cell(cell)
        waiting += [(child, depth + 1) for child in cell.children]
    return root


def _verify_cell(cell: LayoutCell) -> None:
    where = f"the cell {cell.width}x{cell.height},{cell.x},{cell.y}"
    if not (0 < cell.width <= MAX_SIZE and 0 < cell.height <= MAX_SIZE):
        raise BadLayout(f"{where} has an impossible size; expected 1 to {MAX_SIZE}")
    if cell.split is None:
        return
    if len(cell.children) < 2:
        raise BadLayout(f"{where} is split into {len(cell.children)}; expected two cells or more")
    across = cell.height if cell.split == "left-right" else cell.width
    x, y = cell.x, cell.y
    for child in cell.children:
        filled = child.height if cell.split == "left-right" else child.width
        if filled != across or (child.x, child.y) != (x, y):
            found = f"{child.width}x{child.height},{child.x},{child.y}"
            raise BadLayout(f"{where} holds {found}; expected one that fills it across, at {x},{y}")
        if cell.split == "left-right":
            x += child.width + 1
        else:
            y += child.height + 1
    filled = x - 1 - cell.x if cell.split == "left-right" else y - 1 - cell.y
    if filled != (cell.width if cell.split == "left-right" else cell.height):
        raise BadLayout(f"{where} is not filled by its cells: they take {filled}, borders included")


# --- sending ----------------------------------------------------------------------------------------------------------


def check_layout(text: str, version: TmuxVersion | None = None, panes: int | None = None) -> str:
    """Return the layout that may be sent to `select-layout`, or raise before anything is sent.

    `text` is a preset name (an unambiguous beginning will do, underscores stand for dashes) or a layout text; the
    result is the full name or the text as tmux writes it. Without `version` the oldest tmux is assumed. With `panes`
    the layout must have a cell for each of them. Raises `BadLayout`, or `UnsupportedCapability` for the mirrored names
    before 3.5.

    >>> check_layout("even_h")
    'even-horizontal'
    """
    name = _preset(text, version)
    if name is not None:
        return name
    if text.startswith("{"):
        raise BadLayout("a JSON layout is not sent; send read_layout(text).dump(), which every tmux takes")
    if _HEADER.match(text) is None:
        raise BadLayout(
            f"{text[:64]!r} is not a layout{_hint(text)}; expected {', '.join(LAYOUT_NAMES)} or a layout text"
        )
    root = LayoutCell.parse(text)
    if panes is not None and root.count < panes:
        raise BadLayout(f"the layout has {root.count} cells but the window has {panes} panes")
    return root.dump()


def _preset(text: str, version: TmuxVersion | None) -> str | None:
    wanted = text.replace("_", "-")
    if not wanted:
        return None
    if wanted in LAYOUT_NAMES:
        matches = [wanted]
    else:
        mirrored = version is not None and supports(version, "mirrored-layouts")
        known = [name for name in LAYOUT_NAMES if mirrored or name not in MIRRORED_LAYOUT_NAMES]
        matches = [name for name in known if name.startswith(wanted)]
        matches = matches or [name for name in MIRRORED_LAYOUT_NAMES if name.startswith(wanted)]
    if len(matches) > 1:
        raise BadLayout(f"the layout name {text!r} is ambiguous: {' or '.join(matches)}")
    if not matches:
        return None
    if matches[0] in MIRRORED_LAYOUT_NAMES:
        if version is None:
            raise UnsupportedCapability("mirrored-layouts", needs="tmux 3.5", has="a tmux of unknown version")
        require(version, "mirrored-layouts")
    return matches[0]


def _hint(text: str) -> str:
    from difflib import get_close_matches  # only for the message

    near = get_close_matches(text[:64].lower().replace("_", "-"), LAYOUT_NAMES, n=1)
    return f", did you mean {near[0]}?" if near else ""
