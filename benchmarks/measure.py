"""Contenders that take turns, and what is claimed of them."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

__all__ = ["Claim", "Comparison", "Effort", "Spread", "measure", "spread", "timed", "timed_async"]

Block = Callable[[int], list[float]]
"""Performs the operation so many times; returns what each took (seconds, or the comparison's own unit)."""


class Spread(NamedTuple):
    """A median with the tenth and the ninetieth percentile."""

    low: float
    median: float
    high: float


def spread(values: Sequence[float]) -> Spread:
    """Return median, p10 and p90 of at least one value."""
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    tenths = statistics.quantiles(values, n=10, method="inclusive")
    return Spread(tenths[0], statistics.median(values), tenths[-1])


class Effort(NamedTuple):
    """How much is measured: blocks (turns), operations in each, and the turns thrown away before."""

    blocks: int
    operations: int
    warm_up: int = 1


class Claim(NamedTuple):
    """What is claimed of a contender, worked out in each block.

    `kind`: ``"at most"`` - `subject` takes at most `limit` times what `reference` takes; ``"faster"`` - at least
    `limit` times faster than it; ``"added"`` - takes at most `limit` more, in the comparison's unit; ``"rate"`` - at
    least `limit` operations a second; ``"value"`` - at most `limit`, by itself. A claim without a limit is only shown.
    """

    label: str
    kind: Literal["at most", "faster", "added", "rate", "value"]
    subject: str
    reference: str | None = None
    limit: float | None = None

    def of(self, medians: Mapping[str, float]) -> float:
        """Return the claim's figure for one block."""
        subject = medians[self.subject]
        if self.kind == "rate":
            return 1 / subject
        if self.kind == "value":
            return subject
        assert self.reference is not None, "this kind of claim compares"
        reference = medians[self.reference]
        return {"at most": subject / reference, "faster": reference / subject}.get(self.kind, subject - reference)

    def holds(self, value: float) -> bool | None:
        """Return whether the figure meets the limit; ``None`` without one."""
        if self.limit is None:
            return None
        return value >= self.limit if self.kind in ("faster", "rate") else value <= self.limit


@dataclass
class Comparison:
    """One measured comparison: the samples of each contender, block by block.

    `unit`: ``"s"`` for times, or what the figures are. `per_sample`: operations that one sample stands for.
    """

    name: str
    title: str
    claims: Sequence[Claim]
    unit: str = "s"
    note: str = ""
    per_sample: Mapping[str, int] = field(default_factory=dict)
    samples: dict[str, list[list[float]]] = field(default_factory=dict)

    def figures(self, contender: str) -> Spread:
        """Return the spread over all samples of a contender."""
        return spread([value for block in self.samples[contender] for value in block])

    def count(self, contender: str) -> int:
        """Return how many operations of a contender were measured."""
        return sum(map(len, self.samples[contender])) * self.per_sample.get(contender, 1)

    def values(self, claim: Claim) -> list[float]:
        """Return a claim's figure for each block, from the medians within the block."""
        blocks = zip(*self.samples.values(), strict=True)
        return [
            claim.of({name: statistics.median(b) for name, b in zip(self.samples, block, strict=True)})
            for block in blocks
        ]

    def result(self, claim: Claim) -> Spread:
        """Return the median of a claim's figures over the blocks, with its spread."""
        return spread(self.values(claim))

    def holds(self, claim: Claim) -> bool | None:
        """Return whether the median of a claim's figures meets its limit; ``None`` when it has none."""
        return claim.holds(self.result(claim).median)


def measure(comparison: Comparison, contenders: Mapping[str, Block], effort: Effort) -> Comparison:
    """Let the contenders take turns; the first turns only warm up."""
    for _ in range(effort.warm_up):
        for block in contenders.values():
            block(max(1, effort.operations // 2))
    comparison.samples = {name: [] for name in contenders}
    for _ in range(effort.blocks):
        for name, block in contenders.items():
            comparison.samples[name].append(block(effort.operations))
    return comparison


def timed(operation: Callable[[], object]) -> Block:
    """Return the block that times each call of `operation`."""

    def block(operations: int) -> list[float]:
        clock = time.perf_counter
        samples = []
        for _ in range(operations):
            started = clock()
            operation()
            samples.append(clock() - started)
        return samples

    return block


def timed_async(runner: asyncio.Runner, operation: Callable[[], Awaitable[object]]) -> Block:
    """Return the block that times each call of `operation`, one after the other, in the runner's loop."""

    async def measured(operations: int) -> list[float]:
        clock = time.perf_counter
        samples = []
        for _ in range(operations):
            started = clock()
            await operation()
            samples.append(clock() - started)
        return samples

    return lambda operations: runner.run(measured(operations))
