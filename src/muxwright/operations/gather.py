"""Run operations side by side: their requests go out together, wave after wave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from muxwright.errors import MuxwrightError
from muxwright.operations.steps import Operation, Outcome, Wave
from muxwright.wire.request import Request

__all__ = ["Result", "gather"]

T = TypeVar("T")


class Result(NamedTuple):
    """What became of one operation: its `value`, or its `error`."""

    value: object = None
    error: MuxwrightError | None = None


def gather(operations: Sequence[Operation[T]], concurrency: int = 64) -> Operation[list[Result]]:
    """Run independent operations together; return their results in their order.

    A connection writes each wave in one go. An error of one operation does not stop the others.
    """
    results: list[Result] = [Result()] * len(operations)
    waiting: dict[int, Request] = {}
    try:
        for index, operation in enumerate(operations):
            _advance(operation, index, None, waiting, results)
        while waiting:
            indexes = list(waiting)
            outcomes: list[Outcome] = yield Wave(tuple(waiting.values()), concurrency)
            waiting = {}
            for index, outcome in zip(indexes, outcomes, strict=True):
                _advance(operations[index], index, outcome, waiting, results)
    finally:
        for operation in operations:
            operation.close()
    return results


def _advance(
    operation: Operation[T], index: int, outcome: Outcome | None, waiting: dict[int, Request], results: list[Result]
) -> None:
    """Give an operation its answer; note its next request, or its result."""
    try:
        step = operation.throw(outcome) if isinstance(outcome, MuxwrightError) else operation.send(outcome)
        assert isinstance(step, Request), "an operation that is gathered yields requests, not waves"
        waiting[index] = step
    except StopIteration as stop:
        results[index] = Result(stop.value)
    except MuxwrightError as error:
        results[index] = Result(error=error)
