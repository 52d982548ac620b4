"""Let something happen between the making of a request and its way to tmux."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from muxwright.wire.request import Request
from tests.support.blocking import Blocking

__all__ = ["before_the_act", "before_the_request", "counted_requests"]


@contextlib.contextmanager
def before_the_act(host: Any, happening: Callable[[], object], act: bytes = b"") -> Iterator[list[Request]]:
    """Call `happening` once, when the first guarded request is complete and nothing of it has been sent.

    `act`: the name of the guarded command that counts.
    """
    seen: list[Request] = []

    def notice(request: Request) -> None:
        guarded = [command.words[0] for command in request.commands if command.guard is not None]
        if not seen and guarded and (not act or act in guarded):
            seen.append(request)
            happening()

    with _noticing(host, notice):
        yield seen
    assert seen, "no guarded request was made"


@contextlib.contextmanager
def before_the_request(host: Any, number: int, happening: Callable[[], object]) -> Iterator[list[Request]]:
    """Call `happening` before request `number`, counted from 0; the list stays empty when there are not so many."""
    seen: list[Request] = []
    happened: list[Request] = []

    def notice(request: Request) -> None:
        seen.append(request)
        if len(seen) == number + 1:
            happened.append(request)
            happening()

    with _noticing(host, notice):
        yield happened


@contextlib.contextmanager
def counted_requests(host: Any) -> Iterator[list[Request]]:
    """Give the list of the requests that are made."""
    seen: list[Request] = []
    with _noticing(host, seen.append):
        yield seen


@contextlib.contextmanager
def _noticing(host: Any, notice: Callable[[Request], None]) -> Iterator[None]:
    """Call `notice` before each request; the `execute` of an async transport is passed through as a coroutine."""
    transport = (host._target if isinstance(host, Blocking) else host)._transport
    original = transport.execute

    def execute(request: Request, deadline: Any) -> Any:
        notice(request)
        return original(request, deadline)

    transport.execute = execute
    try:
        yield
    finally:
        del transport.execute
