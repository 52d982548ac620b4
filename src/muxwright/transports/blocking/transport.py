"""The blocking driver of operations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

from muxwright.operations.steps import Operation, Place
from muxwright.transports.deadline import Deadline
from muxwright.wire.request import Request, Section

__all__ = ["Transport"]

T = TypeVar("T")


class Transport(ABC):
    """Something that answers requests; `place` is what it knows of its server."""

    place: Place

    @abstractmethod
    def execute(self, request: Request, deadline: Deadline) -> tuple[Section, ...]:
        """Return the sections of one request."""

    def close(self) -> None:  # noqa: B027 - a transport without anything to close need not say so
        """Release what the transport holds."""

    def run(self, operation: Operation[T], timeout: float) -> T:
        """Run an operation within `timeout` seconds and return its result."""
        deadline = Deadline.after(timeout)
        try:
            request = next(operation)
            while True:
                try:
                    answer = self.execute(request, deadline)
                except BaseException as error:
                    request = operation.throw(error)
                else:
                    request = operation.send(answer)
        except StopIteration as stop:
            result: T = stop.value
            return result
