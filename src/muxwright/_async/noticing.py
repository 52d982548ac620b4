"""Listening to what tmux announces: notifications, and values of formats."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, cast

from muxwright._async.settings import InObject
from muxwright._async.signals import AsyncSignalling
from muxwright.commands.formats import FormatField
from muxwright.errors import DeadlineExceeded, InvalidArgument
from muxwright.model.notices import FormatUpdate, NoticeCursor, NotificationEvent
from muxwright.operations import notices
from muxwright.operations.notices import MAX_EVENTS, Notices
from muxwright.operations.observation import MAX_BYTES
from muxwright.operations.steps import Operation
from muxwright.transports.cancellation import CancellationToken

if TYPE_CHECKING:
    from muxwright._async.host import AsyncHost
    from muxwright.refs import Ref

__all__ = ["AsyncNoticeStream", "AsyncNoticing"]

E = TypeVar("E", NotificationEvent, FormatUpdate)

_LONG = 3600.0  # seconds; an iteration waits again after that


class AsyncNoticeStream(Generic[E]):
    """What tmux announces from the moment it is entered. One reader reads it: iterate over it, or `take`.

    It is told to a control client of its own, which `list-clients` shows; streams of this process that need the same
    client share it. The stream is lost (`ObservationLost`): ``"overflow"`` - more waited than this reader allowed;
    ``"connection_lost"`` - tmux ended the client; ``"target_changed"`` - the object of a subscription is not where it
    was.
    """

    def __init__(self, host: AsyncHost, begin: Callable[[], Operation[Notices]]) -> None:
        self._host = host
        self._begin = begin
        self._opened: Notices | None = None

    async def open(self, *, timeout: float | None = None, cancel: CancellationToken | None = None) -> Self:
        """Begin to listen, as entering it does; close it in the end."""
        self._opened = await self._host.run(self._begin(), timeout, cancel)
        return self

    @property
    def _notices(self) -> Notices:
        if self._opened is None:
            raise InvalidArgument("this stream is not open: use it as a context manager, or call open()")
        return self._opened

    @property
    def cursor(self) -> NoticeCursor:
        """The place behind what was taken last."""
        return self._notices.consumed

    async def take(self, *, timeout: float | None = None, cancel: CancellationToken | None = None) -> E:
        """Return what comes next.

        Raises `DeadlineExceeded` when nothing comes in time (default: the host's timeout), `RequestCancelled`,
        `ObservationLost`.
        """
        operation = notices.take_notice(self._host._transport.place, self._notices)
        event: E = await self._host.run(operation, timeout, cancel)
        return event

    async def aclose(self) -> None:
        """Stop listening; idempotent."""
        if self._opened is not None:
            await self._host.run(notices.close_notices(self._host._transport.place, self._opened))

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> E:
        while True:
            with contextlib.suppress(DeadlineExceeded):
                return await self.take(timeout=_LONG)

    def __del__(self) -> None:
        if self._opened is not None and not self._opened.closed:
            with contextlib.suppress(Exception):
                self._opened.feed.release()


class AsyncNoticing(AsyncSignalling):
    """The announcements of a server or a connection."""

    def notifications(
        self,
        kinds: Sequence[str] = (),
        *,
        after: NoticeCursor | None = None,
        max_events: int = MAX_EVENTS,
        max_bytes: int = MAX_BYTES,
    ) -> AsyncNoticeStream[NotificationEvent]:
        """Return a stream of tmux's notifications, of the `kinds` given (``"window-renamed"``); none: of all.

        They are those that a control client of the connection's session is told; of a server, of the session used last.
        `after`: a cursor to go on from, while another stream of the same client is open; `ObservationLost` when that is
        too old. `max_events` (1 to 65,536, default 64) and `max_bytes` (1 to 64 MiB, default 1 MiB): how far this
        reader may be behind. Opening it raises `NoSessions` when there is none.
        """
        place = self._transport.place

        def begin() -> Operation[Notices]:
            return notices.open_notifications(place, kinds, after, max_events, max_bytes)

        return AsyncNoticeStream[NotificationEvent](self, begin)  # type: ignore[arg-type]  # a host has this as base

    def subscribe_format(
        self,
        target: InObject,
        field: FormatField[Any],
        *,
        max_events: int = MAX_EVENTS,
        max_bytes: int = MAX_BYTES,
    ) -> AsyncNoticeStream[FormatUpdate]:
        """Return a stream of the values of a field of the target, a session, window or pane: the first, then changes.

        tmux looks once a second; what changes and changes back in between is not told. Of a window linked more than
        once there is an update for each link. Opening it raises `InvalidArgument` for a variable that no tmux knows,
        `UnsupportedCapability` for one that this tmux does not have, `...NotFound`, `StaleReference`. `max_events` and
        `max_bytes`: as for `notifications`.
        """
        place, ref = self._transport.place, cast("Ref", getattr(target, "ref", target))

        def begin() -> Operation[Notices]:
            return notices.subscribe(place, ref, field, max_events, max_bytes)

        return AsyncNoticeStream[FormatUpdate](self, begin)  # type: ignore[arg-type]  # a host has this as base
