"""`python -m benchmarks`: run the comparisons, show them, and on demand write them down."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks import (
    agents,
    calls,
    core,
    large,
    listings,
    output,
    report,
    running,
    screens,
    startup,
    waiting,
    workspaces,
)
from benchmarks.machine import circumstances, sentence
from benchmarks.measure import Comparison, Effort
from benchmarks.plot import draw

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "benchmarks.md"
PLOT = ROOT / "docs" / "images" / "benchmarks.svg"
RESULTS = ROOT / "benchmarks" / "results" / "latest.json"

Runs = dict[str, Callable[[], list[Comparison]]]


def runs(*, quick: bool) -> Runs:
    """Return every run by its name; a full one measures at least 200 operations of each contender."""

    def effort(blocks: int, operations: int, warm_up: int = 1) -> Effort:
        return (
            Effort(max(3, blocks // 4), max(1, operations // 2), warm_up)
            if quick
            else Effort(blocks, operations, warm_up)
        )

    size = 2_000_000 if quick else 12_000_000
    return {
        "command": lambda: calls.one_command(effort(40, 20)),
        "guard": lambda: calls.guard(effort(40, 50)),
        "pipelined": lambda: calls.pipelined(effort(25, 8), 1000),
        "listing": lambda: listings.pane_listing(effort(25, 8)),
        "walk": lambda: listings.walk(effort(40, 5)),
        "snapshot": lambda: listings.snapshot(effort(25, 8)),
        "process": lambda: listings.process_snapshot(effort(25, 8)),
        "batch": lambda: core.batch(effort(25, 8)),
        "criteria": lambda: core.criteria(effort(25, 8), 200 if quick else 1000),
        "plan": lambda: core.plan(effort(10, 2)),
        "wait": lambda: waiting.waiting(effort(10, 20)),
        "run": lambda: running.running(effort(10, 20)),
        "follow": lambda: running.following(effort(10, 5), 50),
        "expect": lambda: screens.expectations(effort(10, 20)),
        "screens": lambda: screens.pictures(effort(25, 8)),
        "recording": lambda: screens.recording(effort(10, 4), size // 4),
        "decode": lambda: output.decode(effort(5, 1, 0), size),
        "workspace": lambda: workspaces.loading(effort(5, 2)),
        "mcp-start": lambda: agents.starts(effort(10, 2)),
        "mcp-call": lambda: agents.calls(effort(20, 10)),
        "mcp-wait": lambda: agents.waits(effort(10, 20)),
        "import": lambda: startup.import_time(effort(20, 10)),
        "large": lambda: large.large(effort(5, 4, 0), 200 if quick else 1000),
    }


def main() -> int:
    """Measure; the exit status is 1 with --strict when a target is missed."""
    chosen = _arguments()
    if find_spec("libtmux") is None:
        print("libtmux is not installed: use `make bench`, or pip install -e '.[bench]'", file=sys.stderr)
        return 2
    found = circumstances(quick=chosen.quick)
    comparisons: list[Comparison] = []
    for name, run in runs(quick=chosen.quick).items():
        if chosen.only and name not in chosen.only:
            continue
        started = time.monotonic()
        print(f"{name} ...", end=" ", flush=True, file=sys.stderr)
        comparisons += run()
        print(f"{time.monotonic() - started:.0f} s", file=sys.stderr)
    print(report.text_table(comparisons))
    print(sentence(found))
    if chosen.write:
        write(comparisons, found)
    missed = report.missed(comparisons)
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return int(chosen.strict and bool(missed))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks", description="Ratios against libtmux and the raw limit.")
    names = list(runs(quick=True))
    parser.add_argument("--only", action="append", choices=names, metavar="NAME", help=f"one of {', '.join(names)}")
    parser.add_argument("--quick", action="store_true", help="a look, with few operations each")
    parser.add_argument("--strict", action="store_true", help="exit with 1 when a target is missed")
    parser.add_argument(
        "--write",
        action="store_true",
        help="write README's table, docs/reference/benchmarks.md, the plot and the samples",
    )
    chosen = parser.parse_args()
    if chosen.write and (chosen.only or chosen.quick):
        parser.error("--write takes a whole run: not with --only or --quick")
    return chosen


def write(comparisons: list[Comparison], found: dict[str, Any]) -> None:
    """Write the table into README, the page, the plot and the raw samples."""
    for path in (PAGE, PLOT, RESULTS):
        path.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(report.to_json(comparisons, found), encoding="utf-8")
    PLOT.write_text(draw(comparisons, sentence(found)), encoding="utf-8")
    PAGE.write_text(page(comparisons, sentence(found)), encoding="utf-8")
    readme = ROOT / "README.md"
    block = (
        report.claims_table(comparisons, only_targets=True)
        + f"\n\n{sentence(found)}\nMedians of at least 200 operations, taken in turns; in brackets p10 to p90."
        " [All figures](docs/reference/benchmarks.md)."
    )
    readme.write_text(report.put_between(readme.read_text(encoding="utf-8"), block), encoding="utf-8")


def page(comparisons: list[Comparison], where: str) -> str:
    """Return the page of all figures."""
    parts = [
        "# Benchmarks\n\nWritten by `make bench ARGS=--write`; do not edit.",
        where,
        "![Ratios](../images/benchmarks.svg)",
        METHOD,
        report.claims_table(comparisons),
        "## Figures",
    ]
    for comparison in comparisons:
        parts += [f"### {comparison.title}", report.figures_table(comparison)]
        parts += [comparison.note] if comparison.note else []
    return "\n\n".join(parts) + "\n"


METHOD = """The contenders of a comparison take turns in short blocks (A B C A B C ...) on the same private server.
A ratio is formed from the medians within one turn; shown is the median of all turns' ratios, in brackets p10 and p90.
The *raw loop* is a control client of the same kind that sends the same bytes, its fence included and with a fresh nonce
each time, over a bare socket, and reads until the fence has come back: nothing that uses a control connection can be
faster. All samples: [`benchmarks/results/latest.json`](../../benchmarks/results/latest.json)."""


if __name__ == "__main__":
    sys.exit(main())
