"""Let something happen in the middle of an operation, before the step of a given number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from muxwright.operations.steps import Operation

__all__ = ["sabotaged"]

T = TypeVar("T")


def sabotaged(operation: Operation[T], number: int, happening: Callable[[], object]) -> Operation[T]:
    """Return the operation with `happening` called before its step `number`, if it comes to that."""
    answer: Any = None
    error: BaseException | None = None
    count = 0
    try:
        while True:
            step = operation.throw(error) if error is not None else operation.send(answer)
            if count == number:
                happening()
            count += 1
            answer = error = None
            try:
                answer = yield step
            except BaseException as problem:
                error = problem
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        operation.close()
