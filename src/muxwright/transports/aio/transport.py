"""The asyncio driver of operations."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import TypeVar

from muxwright.errors import MuxwrightError
from muxwright.operations.feed import Received
from muxwright.operations.steps import (
    Ask,
    EndFeed,
    OpenClient,
    Opened,
    OpenFeed,
    Operation,
    Outcome,
    Pause,
    Place,
    Prepare,
    Receive,
    Reserve,
    Step,
    Wave,
)
from muxwright.transports import staging
from muxwright.transports.aio import feeds
from muxwright.transports.cancellation import CancellationToken
from muxwright.transports.deadline import Deadline
from muxwright.transports.endpoint import Endpoint
from muxwright.wire.request import Request, Section

__all__ = ["AsyncTransport"]

T = TypeVar("T")


class AsyncTransport(ABC):
    """Something that answers requests; `place` is what it knows of its server, `endpoint` where that listens."""

    place: Place
    endpoint: Endpoint

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

    async def run(self, operation: Operation[T], timeout: float, cancel: CancellationToken | None = None) -> T:
        """Run an operation within `timeout` seconds and return its result; `cancel` ends its waiting."""
        deadline = Deadline.after(timeout, cancel)
        cleaning = False
        try:
            step = next(operation)
            while True:
                answer: object
                try:
                    if type(step) is Request:
                        answer = await self.execute(step, deadline)
                    else:
                        answer = await self._answer(step, deadline)
                except BaseException as error:
                    if not cleaning:
                        cleaning, deadline = True, deadline.for_cleanup()
                    step = operation.throw(error)
                else:
                    step = operation.send(answer)
        except StopIteration as stop:
            result: T = stop.value
            return result
        finally:
            operation.close()

    async def _answer(self, step: Step, deadline: Deadline) -> object:
        """Do what a step other than a request asks for."""
        if isinstance(step, Wave):
            return await self.execute_wave(step, deadline)
        if isinstance(step, OpenClient | Ask | EndFeed):
            return await self._listen(step, deadline)
        if isinstance(step, OpenFeed):
            return feeds.open_feed(step)
        if isinstance(step, Prepare):
            return staging.prepare()
        if isinstance(step, Reserve):
            return staging.reserve(step)
        assert not isinstance(step, Request), "the loop answers those"
        end, cancel = deadline.within(step.timeout), deadline.cancel
        if isinstance(step, Pause):
            await feeds.pause(end, cancel)
        elif isinstance(step, Opened) and await feeds.wait_opened(step.feed, end, cancel):
            return True
        elif isinstance(step, Receive) and (received := await feeds.receive(step.feed, end, step.limit, cancel)):
            return received
        if end == deadline.at or deadline.remaining() < 0:
            raise deadline.exceeded("the wait", "none")
        return Received() if isinstance(step, Receive) else False

    async def _listen(self, step: OpenClient | Ask | EndFeed, deadline: Deadline) -> object:
        """Do what concerns a control client of its own, which is itself a transport."""
        from muxwright.transports.aio import listening

        if isinstance(step, OpenClient):
            return await listening.open_client(step, self.endpoint, deadline)
        if isinstance(step, Ask):
            return await listening.ask(step, deadline)
        await listening.end(step.feed)
        return None
