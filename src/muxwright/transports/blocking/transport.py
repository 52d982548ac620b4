"""The blocking driver of operations."""

from __future__ import annotations

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
from muxwright.transports.blocking import feeds
from muxwright.transports.cancellation import CancellationToken
from muxwright.transports.deadline import Deadline
from muxwright.transports.endpoint import Endpoint
from muxwright.wire.request import Request, Section

__all__ = ["Transport"]

T = TypeVar("T")


class Transport(ABC):
    """Something that answers requests; `place` is what it knows of its server, `endpoint` where that listens."""

    place: Place
    endpoint: Endpoint

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

    def run(self, operation: Operation[T], timeout: float, cancel: CancellationToken | None = None) -> T:
        """Run an operation within `timeout` seconds and return its result; `cancel` ends its waiting."""
        deadline = Deadline.after(timeout, cancel)
        cleaning = False
        try:
            step = next(operation)
            while True:
                answer: object
                try:
                    answer = self.execute(step, deadline) if type(step) is Request else self._answer(step, deadline)
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

    def _answer(self, step: Step, deadline: Deadline) -> object:
        """Do what a step other than a request asks for."""
        if isinstance(step, Wave):
            return self.execute_wave(step, deadline)
        if isinstance(step, OpenClient | Ask | EndFeed):
            return self._listen(step, deadline)
        if isinstance(step, OpenFeed):
            return feeds.open_feed(step)
        if isinstance(step, Prepare):
            return staging.prepare()
        if isinstance(step, Reserve):
            return staging.reserve(step)
        assert not isinstance(step, Request), "the loop answers those"
        end, cancel = deadline.within(step.timeout), deadline.cancel
        if isinstance(step, Pause):
            feeds.pause(end, cancel)
        elif isinstance(step, Opened) and feeds.wait_opened(step.feed, end, cancel):
            return True
        elif isinstance(step, Receive) and (received := feeds.receive(step.feed, end, step.limit, cancel)):
            return received
        if end == deadline.at or deadline.remaining() < 0:
            raise deadline.exceeded("the wait", "none")
        return Received() if isinstance(step, Receive) else False

    def _listen(self, step: OpenClient | Ask | EndFeed, deadline: Deadline) -> object:
        """Do what concerns a control client of its own, which is itself a transport."""
        from muxwright.transports.blocking import listening

        if isinstance(step, OpenClient):
            return listening.open_client(step, self.endpoint, deadline)
        if isinstance(step, Ask):
            return listening.ask(step, deadline)
        listening.end(step.feed)
        return None
