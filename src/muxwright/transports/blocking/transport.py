"""The blocking driver of operations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

from muxwright.errors import MuxwrightError, RequestCancelled
from muxwright.operations.feed import Received
from muxwright.operations.steps import Opened, OpenFeed, Operation, Outcome, Pause, Place, Receive, Step, Wave
from muxwright.transports.blocking import feeds
from muxwright.transports.cancellation import CancellationToken
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

    def run(self, operation: Operation[T], timeout: float, cancel: CancellationToken | None = None) -> T:
        """Run an operation within `timeout` seconds and return its result; `cancel` ends its waiting."""
        deadline = Deadline.after(timeout)
        cleaning = False
        try:
            step = next(operation)
            while True:
                answer: object
                try:
                    if cancel is not None and cancel.cancelled and not cleaning:
                        raise RequestCancelled("the call was cancelled")
                    if type(step) is Request:
                        answer = self.execute(step, deadline)
                    else:
                        answer = self._answer(step, deadline, None if cleaning else cancel)
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

    def _answer(self, step: Step, deadline: Deadline, cancel: CancellationToken | None) -> object:
        """Do what a step other than a request asks for."""
        if isinstance(step, Wave):
            return self.execute_wave(step, deadline)
        if isinstance(step, OpenFeed):
            return feeds.open_feed(step)
        assert not isinstance(step, Request), "the loop answers those"
        end = deadline.within(step.timeout)
        if isinstance(step, Pause):
            feeds.pause(end, cancel)
        elif isinstance(step, Opened) and feeds.wait_opened(step.feed, end, cancel):
            return True
        elif isinstance(step, Receive) and (received := feeds.receive(step.feed, end, step.limit, cancel)):
            return received
        if cancel is not None and cancel.cancelled:
            raise RequestCancelled("the call was cancelled while it waited")
        if end == deadline.at:
            raise deadline.exceeded("the wait", "none")
        return Received() if isinstance(step, Receive) else False
