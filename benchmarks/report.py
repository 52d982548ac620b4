"""The figures as text, Markdown and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.measure import Claim, Comparison, Spread

__all__ = ["BEGIN", "END", "claims_table", "figures_table", "missed", "put_between", "text_table", "to_json"]

BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"

COUNTS = ("processes", "round trips")

HEAD = ("what", "muxwright", "against", "result", "target", "")


def quantity(value: float, unit: str) -> str:
    """Return a figure with its unit, to three digits.

    >>> quantity(0.0000421, "s"), quantity(0.31, "s"), quantity(31.4, "MB"), quantity(0.05, "s/MB")
    ('42.1 µs', '310 ms', '31.4 MB', '20.0 MB/s')
    """
    if unit in COUNTS:
        return f"{value:g}"
    if unit == "s/MB":
        return f"{digits(1 / value)} MB/s"
    if unit != "s":
        return f"{digits(value)} {unit}"
    if abs(value) >= 1:
        return f"{digits(value)} s"
    return f"{digits(value * 1e3)} ms" if abs(value) >= 1e-3 else f"{digits(value * 1e6)} µs"


def digits(value: float) -> str:
    """Return a number with three significant digits, with commas.

    >>> digits(20480.3), digits(3.14159), digits(31.4159), digits(1)
    ('20,480', '3.14', '31.4', '1.00')
    """
    size = abs(value)
    return f"{value:,.{0 if size >= 100 else 1 if size >= 10 else 2}f}"


def result(comparison: Comparison, claim: Claim) -> str:
    """Return a claim's figure with its spread."""
    found = comparison.result(claim)
    if claim.kind in ("at most", "faster"):
        body, unit = digits, "× as long" if claim.kind == "at most" else "× faster"
    elif claim.kind == "rate":
        body, unit = digits, "/s"
    else:
        sign = "+" if claim.kind == "added" else ""
        return sign + _range(found, lambda value: quantity(value, comparison.unit), "")
    return _range(found, body, unit)


def _range(found: Spread, show: Any, unit: str) -> str:
    low, median, high = map(show, found)
    return f"{median}{unit}" if low == high else f"{median}{unit} ({low} to {high})"


def target(comparison: Comparison, claim: Claim) -> str:
    """Return what a claim's figure has to be."""
    if claim.limit is None:
        return ""
    if claim.kind in ("at most", "faster"):
        shown = f"{claim.limit:g}×"
    elif claim.kind == "rate":
        shown = f"{claim.limit:,g}/s"
    elif comparison.unit == "s":
        shown = quantity(claim.limit, "s").replace(".0 ", " ")
    elif comparison.unit in COUNTS:
        shown = f"{claim.limit:g}"
    else:
        shown = f"{claim.limit:g} {comparison.unit}"
    return f"{'≥' if claim.kind in ('faster', 'rate') else '≤'} {shown}"


def rows(comparisons: Iterable[Comparison]) -> list[tuple[str, ...]]:
    """Return one row of words for each claim, as in `HEAD`."""
    table: list[tuple[str, ...]] = []
    for comparison in comparisons:
        for claim in comparison.claims:
            against = ""
            if claim.reference is not None:
                median = comparison.figures(claim.reference).median
                against = f"{claim.reference} {quantity(median, comparison.unit)}"
            subject = quantity(comparison.figures(claim.subject).median, comparison.unit)
            verdict = {True: "met", False: "MISSED", None: ""}[comparison.holds(claim)]
            row = (claim.label, subject, against, result(comparison, claim), target(comparison, claim), verdict)
            table.append(row)
    return table


def missed(comparisons: Iterable[Comparison]) -> list[str]:
    """Return the claims that do not hold."""
    return [
        f"{claim.label}: {result(comparison, claim)}, target {target(comparison, claim)}"
        for comparison in comparisons
        for claim in comparison.claims
        if comparison.holds(claim) is False
    ]


def text_table(comparisons: Iterable[Comparison]) -> str:
    """Return the claims for a terminal."""
    table = [HEAD, *rows(comparisons)]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _markdown(head: Sequence[str], body: Iterable[Sequence[str]], numbers: int = 0) -> str:
    marks = ["---"] * (len(head) - numbers) + ["---:"] * numbers
    lines = [head, marks, *body]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines)


def claims_table(comparisons: Iterable[Comparison], *, only_targets: bool = False) -> str:
    """Return the claims in Markdown; `only_targets`: those with a target, without the verdict column."""
    body = []
    for row in rows(comparisons):
        if only_targets and not row[4]:
            continue
        verdict = {"met": "", "MISSED": " **missed**", "": ""}[row[5]]
        body.append((*row[:4], row[4] + verdict))
    return _markdown(HEAD[:5], body)


def figures_table(comparison: Comparison) -> str:
    """Return all contenders of a comparison in Markdown: number of operations, median, p10 and p90."""
    body = []
    for name in comparison.samples:
        low, median, high = (quantity(value, comparison.unit) for value in comparison.figures(name))
        body.append((f"{name}", f"{comparison.count(name):,}", median, low, high))
    return _markdown(("Contender", "Operations", "Median", "p10", "p90"), body, 4)


def put_between(text: str, block: str, begin: str = BEGIN, end: str = END) -> str:
    """Return `text` with `block` between the two marker lines; raises `ValueError` when they are not there."""
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"no block between {begin} and {end}")
    return f"{before}{begin}\n{block.strip()}\n{end}{after}"


def to_json(comparisons: Iterable[Comparison], circumstances: Mapping[str, Any]) -> str:
    """Return everything, raw samples included: one line for each block of samples."""
    entries = []
    for comparison in comparisons:
        claims = [
            {
                **claim._asdict(),
                "result": comparison.result(claim)._asdict(),
                "blocks": [_short(value) for value in comparison.values(claim)],
                "holds": comparison.holds(claim),
            }
            for claim in comparison.claims
        ]
        entries.append(
            {
                "name": comparison.name,
                "title": comparison.title,
                "unit": comparison.unit,
                "operations_per_sample": dict(comparison.per_sample),
                "claims": claims,
                "samples": {
                    name: [[_short(value) for value in block] for block in blocks]
                    for name, blocks in comparison.samples.items()
                },
            }
        )
    lines = [json.dumps({**circumstances, "comparisons": 0}, indent=1)[:-4].rstrip()]
    parts = [_lines(entry) for entry in entries]
    return "\n".join(lines) + " [\n" + ",\n".join(parts) + "\n]}\n"


def _lines(entry: Mapping[str, Any]) -> str:
    """Return an entry with a line for each member and each block of samples: short, and readable in a diff."""
    members = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in entry.items() if key != "samples"]
    contenders = [
        f"   {json.dumps(name)}: [\n    " + ",\n    ".join(map(json.dumps, blocks)) + "\n   ]"
        for name, blocks in entry["samples"].items()
    ]
    members.append('  "samples": {\n' + ",\n".join(contenders) + "\n  }")
    return " {\n" + ",\n".join(members) + "\n }"


def _short(value: float) -> float:
    """Return a sample with five digits: no clock here is better than that."""
    return float(f"{value:.5g}")
