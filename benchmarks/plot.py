"""The ratios as bars, in plain SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from benchmarks.measure import Comparison, Spread
from benchmarks.report import digits

__all__ = ["Bar", "bars", "draw"]

WIDTH, LEFT, RIGHT, ROW, BAR = 920, 300, 90, 34, 16
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
INK, SOFT, GRID, GOOD, BAD, MARK = "#1f2933", "#616e7c", "#e4e7eb", "#2b7a78", "#c0392b", "#d9822b"


class Bar(NamedTuple):
    """One ratio: its label, what it is measured against, median and spread, and its target if it has one."""

    label: str
    against: str
    value: Spread
    limit: float | None
    holds: bool | None


def bars(comparisons: Sequence[Comparison], kind: str) -> list[Bar]:
    """Return the claims of one kind, each as a bar."""
    return [
        Bar(claim.label, claim.reference or "", found.result(claim), claim.limit, found.holds(claim))
        for found in comparisons
        for claim in found.claims
        if claim.kind == kind
    ]


class _Scale(NamedTuple):
    """From a ratio to a position; the logarithmic one begins at 1."""

    top: float
    logarithmic: bool

    def __call__(self, value: float) -> float:
        share = math.log(max(value, 1)) / math.log(self.top) if self.logarithmic else value / self.top
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def ticks(self) -> list[float]:
        if self.logarithmic:
            return [tick for power in range(5) for tick in (10.0**power, 3 * 10.0**power) if tick <= self.top]
        step = 0.5 if self.top <= 4 else 1.0
        return [index * step for index in range(int(self.top / step) + 1)]


def _text(
    x: float, y: float, text: str, size: int = 13, colour: str = INK, anchor: str = "start", more: str = ""
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"{more}>'
        f"{escape(text, quote=False)}</text>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width:g}"/>'


def _row(bar: Bar, scale: _Scale, y: float) -> list[str]:
    middle = y + BAR / 2
    low, median, high = (scale(value) for value in bar.value)
    parts = [
        _text(LEFT - 12, middle - 1, bar.label, anchor="end"),
        _text(LEFT - 12, middle + 12, bar.against, 10, SOFT, "end"),
        f'<rect x="{LEFT}" y="{y:.1f}" width="{max(median - LEFT, 1):.1f}" height="{BAR}" rx="2"'
        f' fill="{BAD if bar.holds is False else GOOD}"/>',
        _line(low, middle, high, middle, INK, 1.5),
        *[_line(x, middle - 4, x, middle + 4, INK, 1.5) for x in (low, high)],
        _text(max(high, median) + 8, middle + 5, f"{digits(bar.value.median)}×", more=' font-weight="600"'),
    ]
    if bar.limit is not None:
        parts.append(_line(scale(bar.limit), y - 4, scale(bar.limit), y + BAR + 4, MARK, 3))
    return parts


def _panel(title: str, hint: str, found: Sequence[Bar], y: float, *, logarithmic: bool) -> tuple[list[str], float]:
    """Return a panel's elements and where it ends."""
    highest = max(max(bar.value.high, bar.limit or 0) for bar in found)
    scale = _Scale(highest * (1.6 if logarithmic else 1.12), logarithmic)
    parts = [_text(24, y, title, 16, more=' font-weight="600"'), _text(24, y + 18, hint, 12, SOFT)]
    top, bottom = y + 32, y + 38 + ROW * len(found)
    for tick in scale.ticks():
        parts.append(_line(scale(tick), top, scale(tick), bottom, GRID))
        parts.append(_text(scale(tick), bottom + 14, f"{tick:g}×", 11, SOFT, "middle"))
    for index, bar in enumerate(found):
        parts += _row(bar, scale, top + 12 + index * ROW)
    return parts, bottom + 14


def draw(comparisons: Sequence[Comparison], footer: str) -> str:
    """Return the picture: how much faster than others, and how close to the raw limit."""
    parts: list[str] = []
    y = 34.0
    panels = (
        ("faster", "How many times faster", "longer is better; logarithmic scale", True),
        ("at most", "How many times as long as the raw limit", "shorter is better; 1× is the limit itself", False),
    )
    for kind, title, hint, logarithmic in panels:
        if found := bars(comparisons, kind):
            panel, y = _panel(title, hint, found, y, logarithmic=logarithmic)
            parts += panel
            y += 40
    legend = "bar: median of the ratios of all blocks; whisker: p10 to p90; orange mark: target"
    parts += [_text(24, y, legend, 11, SOFT), _text(24, y + 16, footer, 11, SOFT)]
    height = y + 32
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}"'
        f' height="{height:.0f}" font-family="{FONT}" role="img" aria-label="Benchmark ratios">\n'
        f'<rect width="{WIDTH}" height="{height:.0f}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )
