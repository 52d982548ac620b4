"""The fuzzer: a slice of it with every test run, a million inputs in `make soak`."""

from __future__ import annotations

import pytest

from tests.fuzz import fuzz_stream

APART = 10**9  # two seeds share no input


@pytest.mark.parametrize(
    "count",
    [
        8_000,
        pytest.param(1_000_000, marks=[pytest.mark.soak, pytest.mark.timeout(3600)]),
    ],
)
def test_the_stream_survives_anything(count: int, seed: int) -> None:
    figures = fuzz_stream.run(count, seed * APART)
    print(f"fuzz_stream: MUXWRIGHT_SEED={seed} {figures}")
    # It must reach both outcomes, or it tests nothing.
    assert figures["events"] > count
    assert 0 < figures["broken"] < count // 2
