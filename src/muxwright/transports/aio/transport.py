"""The asyncio driver of operations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

from muxwright.operations.steps import Operation, Place
from muxwright.transports.deadline import Deadline
from muxwright.wire.request import Request, Section

__all__ = ["AsyncTransport"]

T = TypeVar("T")


class AsyncTransport(ABC):
    """Something that answers requests; `place` is what it knows of its server."""

    place: Place

    @abstractmethod
    async def execute(self, request: Request, deadline: Deadline) -> tuple[Section, ...]:
        """Return the sections of one request."""

    async def aclose(self) -> None:  # noqa: B027 - a transport without anything to close need not say so
        """Release what the transport holds."""

    async def run(self, operation: Operation[T], timeout: float) -> T:
        """Run an operation within `timeout` seconds and return its result."""
        deadline = Deadline.after(timeout)
        answer: tuple[Section, ...] | None = None
        error: BaseException | None = None
        try:
            while True:
                # The first send starts the generator, for which `None` is the only value it takes.
                request = operation.send(answer) if error is None else operation.throw(error)  # type: ignore[arg-type]
                answer, error = None, None
                try:
                    answer = await self.execute(request, deadline)
                except BaseException as caught:
                    error = caught
        except StopIteration as stop:
            result: T = stop.value
            return result
