"""Screens compared and described, for people."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from muxwright.screen.screen import Row, Screen
from muxwright.screen.style import DEFAULT, Style

__all__ = ["describe", "diff", "framed", "shortened"]

_SHOWN = 8  # style differences of one row that are told; more would hide the rest

_FEW = 3  # blank rows that are shown all the same


def framed(screen: Screen) -> str:
    """Return the text of a screen in a frame, the cursor's row marked on its left."""
    cursor = screen.cursor
    edge = f"  +{'-' * screen.width}+"
    rows = [
        f"{'>' if cursor is not None and cursor.visible and cursor.row == number else ' '} |{row.text}|"
        for number, row in enumerate(screen.rows)
    ]
    return "\n".join([edge, *rows, edge])


def shortened(screen: Screen) -> str:
    """Return `framed` for messages: blank rows at the end are counted and not shown."""
    cursor = screen.cursor
    last = max((number for number, row in enumerate(screen.rows) if row.text.strip()), default=0)
    if cursor is not None and cursor.visible:
        last = max(last, min(cursor.row, screen.height - 1))
    blank = screen.height - 1 - last
    if blank < _FEW:
        return framed(screen)
    *rows, edge = framed(screen).split("\n")
    return "\n".join([*rows[: last + 2], f"  :{f' {blank} blank rows '.center(screen.width)}:", edge])


def describe(screen: Screen) -> str:
    """Return the whole screen as text: equal screens give equal texts, and different ones different texts."""
    lines = [f"{screen.width}x{screen.height} {screen.title!r}", *_facts(screen), *framed(screen).split("\n")]
    for number, row in enumerate(screen.rows):
        for column, text, style in row.runs():
            if style != DEFAULT:
                lines.append(f"row {number}, column {column}: {text!r} {style}")
    return "\n".join(lines) + "\n"


def _facts(screen: Screen) -> Iterator[str]:
    cursor = screen.cursor
    if cursor is None:
        yield "no cursor"
    else:
        looks = [cursor.shape, *(["blinking"] if cursor.blinking else []), *([] if cursor.visible else ["hidden"])]
        yield f"cursor at row {cursor.row}, column {cursor.column} ({' '.join(looks)})"
    yield f"modes: {', '.join(name for name, value in screen.modes._asdict().items() if value) or 'none'}"


def diff(before: Screen, after: Screen) -> str:
    """Return what is different in `after`: each row that changed, marked below; then cursor, title and modes."""
    lines: list[str] = []
    if before.size != after.size:
        lines.append(f"size: {before.width}x{before.height} -> {after.width}x{after.height}")
    for number in range(max(before.height, after.height)):
        old = before.rows[number] if number < before.height else None
        new = after.rows[number] if number < after.height else None
        if old != new:
            lines += _row_diff(number, old, new)
    for name in ("cursor", "title"):
        old_value, new_value = getattr(before, name), getattr(after, name)
        if old_value != new_value:
            lines.append(f"{name}: {old_value!r} -> {new_value!r}")
    for name in before.modes._fields:
        old_value, new_value = getattr(before.modes, name), getattr(after.modes, name)
        if old_value != new_value:
            lines.append(f"mode {name}: {old_value} -> {new_value}")
    return "\n".join(lines)


def _row_diff(number: int, old: Row | None, new: Row | None) -> list[str]:
    if old is None or new is None:
        return [f"row {number}: {'missing' if new is None else 'added'}: |{(old or new or Row((), ())).text}|"]
    lines = []
    if old.texts != new.texts:
        # A wide character shows in both of its columns, the second of which has no text.
        marks = ["^" if one != other else " " for one, other in zip_longest(old.texts, new.texts)]
        head = f"row {number}:"
        lines = [
            f"{head} - |{old.text}|",
            f"{' ' * len(head)} + |{new.text}|",
            f"{' ' * len(head)}    {''.join(marks).rstrip()}",
        ]
    return lines + _style_diff(number, old, new)


def _style_diff(number: int, old: Row, new: Row) -> list[str]:
    spans: list[tuple[int, int, Style, Style]] = []
    for column, (one, other) in enumerate(zip(old.styles, new.styles, strict=False)):
        if one == other:
            continue
        if spans and spans[-1][1] == column and spans[-1][2:] == (one, other):
            spans[-1] = (spans[-1][0], column + 1, one, other)
        else:
            spans.append((column, column + 1, one, other))
    lines = [
        f"row {number}, columns {start}-{end - 1} {''.join(new.texts[start:end])!r}: {one} -> {other}"
        for start, end, one, other in spans[:_SHOWN]
    ]
    if len(spans) > _SHOWN:
        lines.append(f"row {number}: {len(spans) - _SHOWN} more differences of style")
    return lines
