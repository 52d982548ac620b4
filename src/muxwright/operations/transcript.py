"""What a command has printed, read from the screen and its history: between two lines that nothing else prints."""

from __future__ import annotations

from muxwright.operations.steps import Operation, Pause, Place
from muxwright.operations.terminal import capture
from muxwright.refs import PaneRef
from muxwright.shells.records import Records

__all__ = ["screen_output"]

# Rows of the history to look at, one try after the other; a long capture keeps the server busy.
_ROWS = (0, 2_000, 20_000)
_TRIES = 50
_PAUSE = 0.01


def screen_output(place: Place, pane: PaneRef, records: Records, exit_status: int) -> Operation[tuple[str, bool]]:
    """Return the text between the records, without blanks at the ends of lines, and whether it is all there."""
    before, _ = records.closing
    closing = f"{before}{exit_status}\n"
    text = ""
    lines: list[str] = []
    for rows in _ROWS:
        # The frame writes its file before it prints the closing record.
        for _ in range(_TRIES):
            lines = yield from _lines(place, pane, rows)
            text, found, _ = "\n".join(lines).partition(closing)
            if found:
                break
            yield Pause(_PAUSE)
        _, found, output = text.partition(records.opening)
        if found:
            return output, True
        if len(lines) < rows:
            break
    return text, False


def _lines(place: Place, pane: PaneRef, rows: int) -> Operation[list[str]]:
    found = yield from capture(place, pane, start=-rows, join_wrapped=True)
    return [line.rstrip() for line in [*found.decode("replace").split("\n"), ""]]
