"""The blocking driver of operations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

from muxwright.errors import MuxwrightError
from muxwright.operations.steps import Operation, Outcome, Place, Wave
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

    def execute_wave(self, wave: Wave, deadline: Deadline) -> list[Outcome]:
        """Return the outcome of each request, in their order; one after the other unless a transport can do better."""
        outcomes: list[Outcome] = []
        for request in wave.requests:
            try:
                outcomes.append(self.execute(request, deadline))
            except MuxwrightError as error:
                outcomes.append(error)
        return outcomes

    def close(self) -> None:  # noqa: B027 - a transport without anything to close need not say so
        """Release what the transport holds."""

    def run(self, operation: Operation[T], timeout: float) -> T:
        """Run an operation within `timeout` seconds and return its result."""
        deadline = Deadline.after(timeout)
        try:
            step = next(operation)
            while True:
                answer: tuple[Section, ...] | list[Outcome]
                try:
                    if isinstance(step, Wave):
                        answer = self.execute_wave(step, deadline)
                    else:
                        answer = self.execute(step, deadline)
                except BaseException as error:
                    step = operation.throw(error)
                else:
                    step = operation.send(answer)
        except StopIteration as stop:
            result: T = stop.value
            return result
