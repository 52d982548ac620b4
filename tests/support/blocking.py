"""Async handles behind the blocking interface, so that one test covers both."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from muxwright._async.handle import AsyncBound
from muxwright._async.host import AsyncHost
from muxwright._async.job import AsyncJob
from muxwright._async.noticing import AsyncNoticeStream
from muxwright._async.observing import AsyncOutputStream
from muxwright._async.signals import AsyncSignal
from muxwright._async.watcher import AsyncWatcher

__all__ = ["Blocking"]

_WRAPPED = (AsyncHost, AsyncJob, AsyncBound, AsyncNoticeStream, AsyncOutputStream, AsyncSignal, AsyncWatcher)


class Blocking:
    """Stands for an async server, connection or handle; every awaitable answer is awaited in the runner's loop."""

    def __init__(self, target: Any, runner: asyncio.Runner) -> None:
        self._target = target
        self._runner = runner

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, "aclose" if name == "close" else name)
        if not inspect.ismethod(value):
            return self._wrap(value)

        def call(*arguments: Any, **options: Any) -> Any:
            result = value(*map(_unwrap, arguments), **{key: _unwrap(option) for key, option in options.items()})
            return self._wrap(self._runner.run(result) if inspect.iscoroutine(result) else result)

        return call

    def _wrap(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._wrap(item) for item in value]
        return Blocking(value, self._runner) if isinstance(value, _WRAPPED) else value

    def __eq__(self, other: object) -> bool:
        return bool(self._target == _unwrap(other))

    def __hash__(self) -> int:
        return hash(self._target)

    def __repr__(self) -> str:
        return repr(self._target)

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        try:
            return self._runner.run(self._target.__anext__())
        except StopAsyncIteration:
            raise StopIteration from None

    def __len__(self) -> int:
        return len(self._target)

    def __enter__(self) -> Any:
        return self._wrap(self._runner.run(self._target.__aenter__()))

    def __exit__(self, *what: Any) -> Any:
        return self._runner.run(self._target.__aexit__(*what))


def _unwrap(value: Any) -> Any:
    return value._target if isinstance(value, Blocking) else value
