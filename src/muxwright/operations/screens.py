"""Screens: the cells of a pane or of a whole window, with cursor, title and modes of the same moment."""

from __future__ import annotations

from typing import Final

from muxwright.commands.guards import guarded
from muxwright.errors import InconsistentSnapshot
from muxwright.operations.hooks import hook_query, refuse_hook
from muxwright.operations.steps import Operation, Place, bind, guarded_output, output
from muxwright.refs import PaneRef, WindowRef
from muxwright.screen.compose import PlacedPane, compose
from muxwright.screen.read import read_rows
from muxwright.screen.screen import Cursor, CursorShape, Modes, Screen
from muxwright.screen.widths import MODERN, OLD
from muxwright.wire.quoting import Words
from muxwright.wire.request import Command, Request, Section
from muxwright.wire.rows import Column, decode_text_rows, row_format
from muxwright.wire.versions import TmuxVersion

__all__ = ["take_screen", "take_window_screen"]

# Variables that a tmux does not know expand to nothing: those of the cursor's looks before 3.6, bracketed paste before
# 3.7.
_PANE: Final = tuple(
    Column(name, free=name in ("pane_title", "window_name"))
    for name in """
    version pane_id pane_width pane_height cursor_x cursor_y cursor_flag cursor_shape cursor_blinking alternate_on
    insert_flag keypad_cursor_flag keypad_flag mouse_any_flag mouse_sgr_flag mouse_all_flag bracket_paste_flag
    pane_left pane_top pane_active window_width window_height window_zoomed_flag window_name pane_title
    """.split()
)
_FORMAT = row_format(_PANE)
_MODERN_WIDTHS: Final = TmuxVersion(3, 4)
_TRIES = 3
_SHAPES: Final[dict[str, CursorShape]] = {"underline": "underline", "bar": "bar"}


def take_screen(place: Place, pane: PaneRef) -> Operation[Screen]:
    """Return the screen of exactly this pane; cells and cursor are of one moment."""
    bind(place, pane)
    words: Words = (b"display-message", b"-p", b"-t", pane.id.encode(), _FORMAT)
    facts, cells, *hook = yield Request((guarded(words, pane), _capture(pane.id), *hook_query(place, pane.id)))
    (row,) = _facts(guarded_output(facts, pane, words))
    refuse_hook(hook)
    return _screen(row, output(cells, "capture-pane", str(pane.id)))


def take_window_screen(place: Place, window: WindowRef) -> Operation[Screen]:
    """Return all panes of a window as one screen, with their borders; of a zoomed window, what is seen."""
    bind(place, window)
    words: Words = (b"list-panes", b"-t", window.id.encode(), b"-F", _FORMAT)
    (listed,) = yield Request((guarded(words, window),))
    rows = _facts(guarded_output(listed, window, words))
    for _ in range(_TRIES):
        panes = [row["pane_id"] for row in rows]
        captures = [_capture(pane) for pane in panes]
        sections = yield Request((guarded(words, window), *captures, *hook_query(place, panes[0])))
        rows = _facts(guarded_output(sections[0], window, words))
        if [row["pane_id"] for row in rows] == panes:
            refuse_hook(sections[1 + len(panes) :])
            return _composed(rows, sections[1 : 1 + len(panes)])
    raise InconsistentSnapshot(
        f"the panes of {window.id} changed {_TRIES} times while they were captured", target=str(window.id)
    )


def _facts(data: bytes) -> list[dict[str, str]]:
    names = [column.variable for column in _PANE]
    return [dict(zip(names, row, strict=True)) for row in decode_text_rows(data, len(_PANE))]


def _capture(pane: str) -> Command:
    return Command((b"capture-pane", b"-p", b"-e", b"-N", b"-t", pane.encode()))


def _screen(facts: dict[str, str], data: bytes) -> Screen:
    width, height = int(facts["pane_width"]), int(facts["pane_height"])
    widths = MODERN if TmuxVersion.parse(facts["version"]).reaches(_MODERN_WIDTHS) else OLD
    rows = read_rows(data.decode("utf-8", "replace"), width, height, widths)
    cursor = Cursor(
        int(facts["cursor_y"]),
        int(facts["cursor_x"]),
        facts["cursor_flag"] == "1",
        _SHAPES.get(facts["cursor_shape"], "block"),
        facts["cursor_blinking"] == "1",
    )
    paste = facts["bracket_paste_flag"]
    modes = Modes(
        alternate=facts["alternate_on"] == "1",
        insert=facts["insert_flag"] == "1",
        application_cursor=facts["keypad_cursor_flag"] == "1",
        application_keypad=facts["keypad_flag"] == "1",
        mouse=facts["mouse_any_flag"] == "1",
        mouse_sgr=facts["mouse_sgr_flag"] == "1",
        mouse_motion=facts["mouse_all_flag"] == "1",
        bracketed_paste=paste == "1" if paste else None,
    )
    return Screen(rows, width, cursor, facts["pane_title"], modes)


def _composed(rows: list[dict[str, str]], sections: tuple[Section, ...]) -> Screen:
    zoomed = rows[0]["window_zoomed_flag"] == "1"
    panes = [
        PlacedPane(
            int(row["pane_top"]),
            int(row["pane_left"]),
            _screen(row, output(section, "capture-pane", row["pane_id"])),
            row["pane_active"] == "1",
        )
        for row, section in zip(rows, sections, strict=True)
        if not zoomed or row["pane_active"] == "1"
    ]
    first = rows[0]
    return compose(panes, int(first["window_width"]), int(first["window_height"]), first["window_name"])
