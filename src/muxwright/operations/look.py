"""A look at a pane's screen that knows where the cursor is: what stands above it is finished, its own line may not be.

Text and cursor are of one moment: they are read in one queue item.
"""

from __future__ import annotations

from typing import NamedTuple

from muxwright.commands.guards import guarded
from muxwright.operations.hooks import hook_query, refuse_hook
from muxwright.operations.steps import Operation, Place, bind, guarded_output, output
from muxwright.refs import PaneRef
from muxwright.screen.widths import MODERN
from muxwright.wire.request import Command, Request

__all__ = ["Cursor", "Look", "cursor_of", "read_rows", "take_look"]

_TRIES = 4
_CURSOR = "#{history_size} #{cursor_x} #{cursor_y} #{pane_width} #{pane_height} #{alternate_on} #{pane_dead}"


class Cursor(NamedTuple):
    """Where the cursor is: column `x` and row `y` of the screen, below `history` rows that have scrolled out.

    `alternate`: a program has the whole screen; `dead`: the pane's program has exited.
    """

    history: int
    x: int
    y: int
    width: int
    height: int
    alternate: bool
    dead: bool = False


class Look(NamedTuple):
    """What stands in a pane, wrapped lines joined and without blanks at their ends.

    `above`: the lines above the cursor's; `line`: the one it stands in, up to the end of its row, with the blanks in
    front of the cursor; `below`: the rows under it. `exact`: the cursor did not move while we asked; otherwise `above`
    holds only what was certainly above it, and the rest is empty.
    """

    above: str
    line: str
    below: str
    cursor: Cursor
    exact: bool = True

    @property
    def text(self) -> str:
        """Everything, as one text."""
        return f"{self.above}\n{self.line}\n{self.below}"


def _cursor_words(pane: PaneRef) -> tuple[bytes, ...]:
    return (b"display-message", b"-p", b"-t", pane.id.encode(), _CURSOR.encode())


def _read_cursor(text: bytes) -> Cursor:
    *numbers, alternate, dead = text.split(b" ")
    history, x, y, width, height = map(int, numbers)
    return Cursor(history, x, y, width, height, alternate == b"1", dead == b"1")


def cursor_of(place: Place, pane: PaneRef) -> Operation[Cursor]:
    """Return where the cursor of exactly this pane is."""
    bind(place, pane)
    words = _cursor_words(pane)
    (section,) = yield Request((guarded(words, pane),))
    return _read_cursor(guarded_output(section, pane, words))


def read_rows(place: Place, pane: PaneRef, first: int) -> Operation[tuple[Cursor, list[str]]]:
    """Return the cursor, and the rows from `first` on (at most 0; negative: in the history) to the screen's bottom."""
    bind(place, pane)
    words = _cursor_words(pane)
    capture = Command((b"capture-pane", b"-p", b"-t", pane.id.encode(), b"-S", b"%d" % first))
    state, text, *hook = yield Request((guarded(words, pane), capture, *hook_query(place, pane.id)))
    cursor = _read_cursor(guarded_output(state, pane, words))
    refuse_hook(hook)
    return cursor, [row.rstrip() for row in _lines(output(text, "capture-pane", str(pane.id)))]


def take_look(
    place: Place, pane: PaneRef, guess: Cursor | None = None, up: int = 0, since: int | None = None
) -> Operation[Look]:
    """Return what stands in exactly this pane, and the last `up` rows of its history.

    `guess`: the cursor as it was last; a right guess saves a round trip. `since`: nothing before this row, counted from
    the first the pane ever had; while rows scroll out, some after it may be left out too.
    """
    bind(place, pane)
    if guess is None:
        guess = yield from cursor_of(place, pane)
    look: Look | None = None
    for _ in range(_TRIES):
        first = -up if since is None else max(since - guess.history, -up)
        look = yield from _look(place, pane, guess.y, first)
        if look.exact:
            break
        guess = look.cursor
    assert look is not None, "there was a try"
    return look


def _look(place: Place, pane: PaneRef, row: int, first: int) -> Operation[Look]:
    words = _cursor_words(pane)
    capture = (b"capture-pane", b"-p", b"-J", b"-t", pane.id.encode())
    commands = [
        guarded(words, pane),
        Command((*capture, b"-S", b"%d" % min(first, row), b"-E", b"%d" % row)),
        # Swapped by tmux when the row is the last: then this is the cursor's own row, and not used.
        Command((*capture, b"-S", b"%d" % (row + 1))),
        *hook_query(place, pane.id),
    ]
    state, upper, lower, *hook = yield Request(tuple(commands))
    cursor = _read_cursor(guarded_output(state, pane, words))
    refuse_hook(hook)
    *above, line = _lines(output(upper, "capture-pane", str(pane.id)))
    if cursor.y != row:
        # Of a cursor that has gone down, the rows above the old place are above it all the more.
        return Look("\n".join(map(str.rstrip, above)) if cursor.y > row else "", "", "", cursor, exact=False)
    below = _lines(output(lower, "capture-pane", str(pane.id))) if row + 1 < cursor.height else []
    return Look("\n".join(map(str.rstrip, above)), _padded(line, cursor), "\n".join(map(str.rstrip, below)), cursor)


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").split("\n")


def _padded(line: str, cursor: Cursor) -> str:
    """Return the cursor's line with the blanks before the cursor and without those behind it, which tmux may add."""
    text = line.rstrip(" ")
    width = sum([columns for _, columns in MODERN.split(text)]) % cursor.width
    return text + " " * min(max(cursor.x - width, 0), len(line) - len(text))
