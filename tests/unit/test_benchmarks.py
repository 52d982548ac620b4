"""The benchmarks' tables, plot and JSON, on samples made up here; no figure is judged."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import pytest

from benchmarks import measure, plot, report
from benchmarks.measure import Claim, Comparison, Effort, Spread

MICRO = 1e-6
CLAIMS = (
    Claim("one command", "at most", "ours", "raw", 1.6),
    Claim("one command", "faster", "ours", "theirs", 20),
    Claim("guard", "added", "ours", "raw", 60e-6),
    Claim("rate", "rate", "ours", None, 20_000),
    Claim("import", "value", "theirs", None, 0.001),
    Claim("only shown", "at most", "theirs", "raw"),
)


def fake() -> Comparison:
    """Two blocks: the second ran on a machine half as fast, which no ratio shows."""
    blocks = {"raw": [30, 31, 32], "ours": [44, 45, 49], "theirs": [2000, 2100, 2200]}
    samples = {name: [[v * MICRO for v in block], [2 * v * MICRO for v in block]] for name, block in blocks.items()}
    return Comparison("command", "One command", CLAIMS, samples=samples, per_sample={"ours": 10})


def test_ratios_are_formed_within_a_block() -> None:
    comparison = fake()
    found = [comparison.result(claim).median for claim in CLAIMS]
    assert found[:3] == [pytest.approx(45 / 31), pytest.approx(2100 / 45), pytest.approx(21 * MICRO)]
    assert found[3] == pytest.approx((1 / 45 + 1 / 90) / 2 / MICRO)
    assert [comparison.holds(claim) for claim in CLAIMS] == [True, True, True, False, False, None]
    assert comparison.result(CLAIMS[0]).low == pytest.approx(comparison.result(CLAIMS[0]).high)
    assert (comparison.count("raw"), comparison.count("ours")) == (6, 60)


def test_spread() -> None:
    assert measure.spread([3.0]) == Spread(3, 3, 3)
    assert measure.spread([float(n) for n in range(11)]) == Spread(1, 5, 9)


def test_contenders_take_turns() -> None:
    seen: list[str] = []

    def block(name: str) -> Callable[[int], list[float]]:
        def run(operations: int) -> list[float]:
            seen.append(name * operations)
            return [1.0] * operations

        return run

    comparison = measure.measure(Comparison("x", "x", ()), {"a": block("a"), "b": block("b")}, Effort(3, 4))
    assert seen == ["aa", "bb", *["aaaa", "bbbb"] * 3]
    assert comparison.samples == {"a": [[1.0] * 4] * 3, "b": [[1.0] * 4] * 3}


def test_tables() -> None:
    comparison = fake()
    text = report.text_table([comparison])
    assert "1.45× as long" in text
    assert "≤ 1.6×" in text
    assert text.count("MISSED") == 2
    lines = report.claims_table([comparison], only_targets=True).splitlines()
    assert len({line.count("|") for line in lines}) == 1
    assert len(lines) == 2 + 5
    assert "| one command | 68.5 µs | theirs 3.10 ms | 46.7× faster | ≥ 20× |" in lines
    assert report.figures_table(comparison).splitlines()[3].startswith("| ours | 60 | 68.5 µs |")
    assert len(report.missed([comparison])) == 2


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (42.1e-6, "s", "42.1 µs"),
        (-0.2e-3, "s", "-200 µs"),
        (0.05, "s/MB", "20.0 MB/s"),
        (1, "processes", "1"),
    ],
)
def test_quantities(value: float, unit: str, shown: str) -> None:
    assert report.quantity(value, unit) == shown


def test_the_block_in_a_file_is_replaced_and_nothing_else() -> None:
    text = f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n"
    replaced = report.put_between(text, "new\n")
    assert replaced == f"before\n{report.BEGIN}\nnew\n{report.END}\nafter\n"
    assert report.put_between(replaced, "new") == replaced
    with pytest.raises(ValueError):
        report.put_between("no markers", "new")


def test_json_holds_every_sample() -> None:
    comparison = fake()
    read = json.loads(report.to_json([comparison, comparison], {"date": "today", "machine": {"cores": 2}}))
    assert (read["date"], read["machine"], len(read["comparisons"])) == ("today", {"cores": 2}, 2)
    entry = read["comparisons"][0]
    assert entry["samples"]["raw"] == [[3e-5, 3.1e-5, 3.2e-5], [6e-5, 6.2e-5, 6.4e-5]]
    assert [claim["holds"] for claim in entry["claims"]] == [True, True, True, False, False, None]


def test_the_plot_is_svg_with_a_bar_for_each_ratio() -> None:
    picture = ElementTree.fromstring(plot.draw([fake()], "a & b < c"))
    texts = ["".join(element.itertext()) for element in picture.iter() if element.tag.endswith("text")]
    assert "46.7×" in texts
    assert "a & b < c" in texts
    bars = [element for element in picture.iter() if element.tag.endswith("rect") and element.get("rx")]
    assert len(bars) == 3
    width, height = float(picture.get("width", 0)), float(picture.get("height", 0))
    assert all(0 <= float(line.get(axis, 0)) <= width for line in picture.iter() for axis in ("x1", "x2"))
    assert all(float(bar.get("y", 0)) < height for bar in bars)
