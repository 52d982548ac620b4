"""The asyncio driver of operations."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import TypeVar

from muxwright.errors import MuxwrightError
from muxwright.operations.steps import Operation, Outcome, Place, Wave
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

    async def execute_wave(self, wave: Wave, deadline: Deadline) -> list[Outcome]:
        """Return the outcome of each request, in their order."""
        turns = asyncio.Semaphore(wave.concurrency)

        async def one(request: Request) -> Outcome:
            async with turns:
                try:
                    return await self.execute(request, deadline)
                except MuxwrightError as error:
                    return error

        return await asyncio.gather(*[one(request) for request in wave.requests])

    async def aclose(self) -> None:  # noqa: B027 - a transport without anything to close need not say so
        """Release what the transport holds."""

    async def run(self, operation: Operation[T], timeout: float) -> T:
        """Run an operation within `timeout` seconds and return its result."""
        deadline = Deadline.after(timeout)
        try:
            step = next(operation)
            while True:
                answer: tuple[Section, ...] | list[Outcome]
                try:
                    if isinstance(step, Wave):
                        answer = await self.execute_wave(step, deadline)
                    else:
                        answer = await self.execute(step, deadline)
                except BaseException as error:
                    step = operation.throw(error)
                else:
                    step = operation.send(answer)
        except StopIteration as stop:
            result: T = stop.value
            return result
