"""What all handles have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from muxwright.operations import change, observe
from muxwright.operations.steps import Operation, Place
from muxwright.refs import PaneRef, SessionRef, WindowRef

if TYPE_CHECKING:
    from muxwright._async.host import AsyncHost
    from muxwright.transports.cancellation import CancellationToken

__all__ = ["AsyncBound", "AsyncHandle"]

T = TypeVar("T")
Q = TypeVar("Q")
R = TypeVar("R", SessionRef, WindowRef, PaneRef)


class AsyncBound(Generic[Q]):
    """What a ref names, and who acts on it; `host` is the server or connection, `ref` the identity."""

    def __init__(self, host: AsyncHost, ref: Q) -> None:
        self.host = host
        self.ref: Q = ref

    @property
    def _place(self) -> Place:
        return self.host._transport.place

    async def _run(self, operation: Operation[T], timeout: float | None, cancel: CancellationToken | None = None) -> T:
        return await self.host.run(operation, timeout, cancel)

    def __eq__(self, other: object) -> bool:
        return self.ref == other.ref if isinstance(other, AsyncBound) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.ref)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.ref} on {self._place.socket_path}>"


class AsyncHandle(AsyncBound[R]):
    """An object of tmux that can be acted on.

    Every act is checked in tmux itself, in the same queue item: it reaches exactly this object of this server
    generation or raises `StaleReference` or `...NotFound`, and then did nothing.
    """

    async def exists(self, *, timeout: float | None = None) -> bool:
        """Return whether exactly this object is there; ``False`` also after a restart of the server."""
        return await self._run(observe.exists(self._place, self.ref), timeout)

    async def kill(self, *, timeout: float | None = None) -> None:
        """Kill it (``kill-session``, ``kill-window``, ``kill-pane``); the last session takes the server with it."""
        await self._run(change.kill(self._place, self.ref), timeout)

    @property
    def id(self) -> str:
        """tmux's id: ``$1``, ``@1`` or ``%1``."""
        return str(self.ref.id)
