"""Observing a pane: the bytes that it prints, as they come."""

from __future__ import annotations

import contextlib
from types import TracebackType
from typing import Literal, Self

from muxwright._async.handle import AsyncHandle
from muxwright.errors import DeadlineExceeded, InvalidArgument
from muxwright.model.observed import ObservationBaseline, OutputCursor, PaneOutput
from muxwright.operations import observation
from muxwright.operations.observation import MAX_BYTES, Observation
from muxwright.operations.watch import Route
from muxwright.refs import PaneRef
from muxwright.transports.cancellation import CancellationToken

__all__ = ["AsyncObserving", "AsyncOutputStream"]

_LONG = 3600.0  # seconds; an iteration waits again after that


class AsyncOutputStream:
    """What a pane prints from the moment it is entered; made by `observe_output`. One reader reads it.

    Iterate over it, or `take` one piece at a time. It ends when the pane is gone or its program has ended. Otherwise it
    is lost (`ObservationLost`): ``"overflow"`` - more than `max_bytes` were waiting for this reader; ``"stalled"`` -
    this process did not run for so long that its pipe was cut off; ``"pipe_taken"``, ``"pipe_closed"`` - somebody else
    has piped the pane, or stopped a pipe; ``"target_changed"`` - by the output route, the pane has left the session;
    ``"connection_lost"``, ``"server_lost"``. Other readers of the pane go on.
    """

    def __init__(
        self, handle: AsyncHandle[PaneRef], after: OutputCursor | None, route: Route | None, max_bytes: int
    ) -> None:
        self._handle = handle
        self._after = after
        self._route = route
        self._max_bytes = max_bytes
        self._opened: Observation | None = None

    async def open(self, *, timeout: float | None = None, cancel: CancellationToken | None = None) -> Self:
        """Begin to observe, as entering it does; close it in the end.

        Raises `PaneNotFound`, `StaleReference`; `ObservationLost` for a cursor that is not remembered; with an explicit
        route what hinders that one (`PipeInUse`, `UnsupportedCapability`).
        """
        handle = self._handle
        operation = observation.open_observation(
            handle._place, handle.ref, after=self._after, route=self._route, max_bytes=self._max_bytes
        )
        self._opened = await handle.host.run(operation, timeout, cancel)
        return self

    @property
    def _observation(self) -> Observation:
        if self._opened is None:
            raise InvalidArgument("this observation is not open: use it as a context manager, or call open()")
        return self._opened

    @property
    def cursor(self) -> OutputCursor:
        """The place behind what was taken last; `observe_output(after=...)` goes on from there while it is remembered.

        That is as long as any observation of the pane in this process stays open, and for the last 4 MiB.
        """
        return self._observation.cursor

    @property
    def route(self) -> Route:
        """How the pane is watched: ``"pipe"``, or where that is somebody else's ``"output"`` or ``"poll"``."""
        return self._observation.watch.route

    @property
    def continuity(self) -> Literal["stream", "poll"]:
        """Whether the bytes are those that were printed, or rows of the screen that were seen in time."""
        return "poll" if self.route == "poll" else "stream"

    async def take(self, *, timeout: float | None = None, cancel: CancellationToken | None = None) -> PaneOutput | None:
        """Return what comes next, ``None`` at the end.

        Raises `DeadlineExceeded` when nothing comes in time (default: the host's timeout), `RequestCancelled`,
        `ObservationLost`.
        """
        operation = observation.take_output(self._handle._place, self._observation)
        return await self._handle.host.run(operation, timeout, cancel)

    async def capture_baseline(
        self,
        *,
        start: int | Literal["history"] | None = None,
        end: int | Literal["bottom"] | None = None,
        escapes: bool = False,
        join_wrapped: bool = False,
        timeout: float | None = None,
    ) -> ObservationBaseline:
        """Capture the screen between two places of the stream, without taking anything from it; options as `capture`'s.

        Screen and stream cannot be joined to the byte, which `continuity` (``"reset"``) says.
        """
        operation = observation.capture_baseline(
            self._handle._place,
            self._observation,
            start=start,
            end=end,
            escapes=escapes,
            join_wrapped=join_wrapped,
        )
        return await self._handle.host.run(operation, timeout)

    async def aclose(self) -> None:
        """Stop observing; idempotent. A pipe of ours ends with its last reader."""
        if self._opened is not None:
            await self._handle.host.run(observation.close_observation(self._opened))

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> PaneOutput:
        while True:
            with contextlib.suppress(DeadlineExceeded):
                output = await self.take(timeout=_LONG)
                if output is None:
                    raise StopAsyncIteration
                return output

    def __del__(self) -> None:
        if self._opened is not None:
            with contextlib.suppress(Exception):
                self._opened.watch.release()


class AsyncObserving(AsyncHandle[PaneRef]):
    """The observation of a pane."""

    def observe_output(
        self, *, after: OutputCursor | None = None, route: Route | None = None, max_bytes: int = MAX_BYTES
    ) -> AsyncOutputStream:
        """Return a stream of the raw bytes that the pane prints, of any session; enter it to begin.

        The bytes come through ``pipe-pane`` and a sink that never holds tmux up and ends with us; where somebody else
        has a pipe on the pane, through a control client of our own on tmux 3.8 and newer, else by looking at its screen
        (`route`, `continuity`). With ``route="output"`` the client is used on older versions, too, where it can kill
        the server: when the pane is respawned, or we die. `after`: a cursor to go on from, `ObservationLost` when that
        is too old. `max_bytes`: how far this reader may be behind, 1 to 64 MiB, default 1 MiB.
        """
        return AsyncOutputStream(self, after, route, max_bytes)
