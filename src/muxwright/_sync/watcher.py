# Generated from _async/watcher.py by tools/generate_sync.py: do not edit.
"""Following many panes at once, and asking what changed."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

from muxwright._sync.settings import Settings
from muxwright.model.followed import Changes, Since
from muxwright.operations import changes, follow
from muxwright.operations.follow import Follower

if TYPE_CHECKING:
    from muxwright._sync.handle import Handle
    from muxwright._sync.host import Host
    from muxwright.refs import PaneRef

__all__ = ["Following", "Watcher"]


class Watcher:
    """Follows panes: each call of `capture_since` tells what a pane wrote since an earlier one.

    A pane is followed from its first call on, without a client of tmux and without a task of ours; what it prints waits
    (256 KiB of bytes, and as many of text) until it is asked for. Close it, or use it as a context manager.
    """

    def __init__(self, host: Host, capacity: int) -> None:
        self._host = host
        self._follower = Follower(capacity)

    def capture_since(self, pane: Handle[PaneRef], cursor: str | None = None, *, timeout: float | None = None) -> Since:
        """Return what a pane wrote since `cursor`, as text without escape sequences; it does not wait for more.

        Without a cursor it is the pane's screen (``first``). A cursor that is no longer known gives the screen, too,
        and says so (``missed``), as does one after which more was written than is kept. Raises `InvalidArgument` for
        another pane's cursor, `PaneNotFound` when a pane that is not followed yet is gone.
        """
        operation = follow.capture_since(self._host._transport.place, self._follower, pane.ref, cursor)
        return self._host.run(operation, timeout)

    def __len__(self) -> int:
        return len(self._follower)

    def close(self) -> None:
        """Follow no pane any longer; idempotent."""
        self._follower.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Following(Settings):
    """What a server and a connection offer to those who watch many panes."""

    timeout: float

    def watcher(self, capacity: int = 64) -> Watcher:
        """Return a watcher of at most `capacity` panes (1 to 1024, default 64); the one unused longest gives way.

        Each pane takes three small processes and four descriptors of ours.
        """
        return Watcher(self, capacity)  # type: ignore[arg-type]  # a host is what has this as its base

    def what_changed(self, since: int | None = None, *, timeout: float | None = None) -> Changes:
        """Return the windows in which something was printed or typed at or after `since`, the last one first.

        `since` is the ``now`` of an earlier answer: seconds of the server's own clock. Within one second a window may
        be told again; none is left out. ``None``: all windows.
        """
        return self.run(changes.what_changed(self._transport.place, since), timeout)
