"""Byte streams for terminals: what Hypothesis makes, and what `tools/record_streams.py` has recorded."""

from __future__ import annotations

import base64
import itertools
import json
import lzma
from pathlib import Path
from typing import NamedTuple

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

__all__ = ["DATA", "HEIGHT", "WIDTH", "Stream", "generated", "recorded", "streams"]

DATA = Path(__file__).resolve().parents[1] / "live" / "data" / "streams.json.xz"
WIDTH, HEIGHT = 40, 8

# What is left out, because tmux and pyte differ there: docs/guide/screens.md lists it.
looks = st.sampled_from(
    ["0", "1", "3", "4", "7", "9", "5", "31", "92", "39", "22", "23", "24", "27", "29", "25", "38;5;99", "38;2;1;2;3"]
).map(lambda code: f"\033[{code}m")
backgrounds = st.sampled_from(["44", "48;5;20", "104", "48;2;9;8;7"]).map(lambda code: f"\033[{code}mx\033[49m")
narrow = st.one_of(
    looks, backgrounds, st.text("abc xyz", min_size=1, max_size=6), st.sampled_from(["e\u0301", "ñ", "λ"])
)
wide = st.one_of(narrow, st.sampled_from(["日", "本語", "한", "ｆ"]))


def _lines(parts: st.SearchStrategy[str], columns: st.SearchStrategy[int]) -> st.SearchStrategy[str]:
    """Rows that are erased from a column on and written."""
    written = st.lists(parts, max_size=5).map("".join)
    made = st.tuples(st.integers(1, HEIGHT), columns, written)
    return made.map(lambda one: f"\033[{one[0]};{one[1]}H\033[K{one[2]}")


# These keep wide characters whole.
whole = st.sampled_from(
    [
        *["\r\n", "\r", "\033[2J", "\033[2;6r", "\033[r\033[H", "\033[3;1H\033[0m\033[L"],
        *["\033[2;1H\033[2K", "\033[r\033[1;1H\033[0m\033M", "\033[r\033[8;1H\033[0m\033D", "\0337"],
        "\033[H\033[J",
    ]
)
moves = st.sampled_from(
    [
        *["\033[K", "\033[1K", "\033[J", "\033[4;1H\033[0m\033[2@", "\033[5;1H\033[0m\033[3P"],
        *["\033[2A", "\033[3B", "\033[5C", "\033[2D", "\033[7G", "\033[4d", "\0338", "\033[2X", "\t", "\b"],
    ]
)
_narrow_streams = st.lists(st.one_of(_lines(narrow, st.integers(1, 10)), whole, moves), min_size=1, max_size=10)
_wide_streams = st.lists(st.one_of(_lines(wide, st.just(1)), whole), min_size=1, max_size=10)
streams = st.one_of(_narrow_streams, _wide_streams).map("".join)


def generated(count: int) -> list[str]:
    """Return so many different streams, the same ones each time with one version of Hypothesis."""
    made: dict[str, None] = {}

    @settings(
        max_examples=4 * count,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(streams)
    def collect(text: str) -> None:
        if len(text) > 20 and len(made) < count:
            made[text] = None

    collect()
    return list(made)


class Stream(NamedTuple):
    """What is printed on a terminal of a size, and where it comes from."""

    name: str
    data: bytes
    width: int
    height: int


def recorded() -> list[Stream]:
    """Return what was recorded: a program's output up to each key, and what Hypothesis made."""
    kept = json.loads(lzma.decompress(DATA.read_bytes()))
    found = []
    for program in kept["programs"]:
        parts = itertools.accumulate(map(base64.b64decode, program["parts"]))
        found += [Stream(f"{program['program']}-{n}", data, *program["size"]) for n, data in enumerate(parts)]
    made = kept["generated"]
    for number, text in enumerate(made["streams"]):
        found.append(Stream(f"generated-{number}", base64.b64decode(text), *made["size"]))
    return found
