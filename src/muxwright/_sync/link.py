# Generated from _async/link.py by tools/generate_sync.py: do not edit.
"""Handles for window links: one slot of a session, and the window expected there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muxwright._sync.handle import Bound
from muxwright.operations import topology
from muxwright.refs import WindowLinkRef

if TYPE_CHECKING:
    from muxwright._sync.session import Session

__all__ = ["WindowLink"]


class WindowLink(Bound[WindowLinkRef]):
    """One slot of a session (``$1:2``).

    Each act is checked in tmux itself: a slot that no longer holds this window raises `StaleReference`, and nothing was
    done.
    """

    def select(self, *, timeout: float | None = None) -> None:
        """Make it the current window of its session."""
        self._run(topology.select_link(self._place, self.ref), timeout)

    def unlink(self, *, allow_destroy: bool = False, timeout: float | None = None) -> None:
        """Empty the slot (``unlink-window``).

        Raises `LastLink` for the last slot of the window or of the session, unless `allow_destroy`.
        """
        self._run(topology.unlink_window(self._place, self.ref, allow_destroy), timeout)

    def move(
        self,
        session: Session,
        index: int | None = None,
        *,
        replace: bool = False,
        select: bool = False,
        allow_destroy: bool = False,
        timeout: float | None = None,
    ) -> None:
        """Move the window to another session or index (``move-window``), default the next free one.

        `select`: it becomes the current window there. Raises `AlreadyExists` for a taken index unless `replace`;
        `LastLink` when its session would end without it, unless `allow_destroy`.
        """
        operation = topology.move_window(self._place, self.ref, session.ref, index, replace, select, allow_destroy)
        self._run(operation, timeout)

    def swap(self, other: WindowLink, *, select: bool = False, timeout: float | None = None) -> None:
        """Swap the windows of two slots (``swap-window``); other slots of theirs stay.

        Each session keeps its current index; with `select` the slots become the current ones of their sessions, in one
        and the same session that of `other`.
        """
        self._run(topology.swap_windows(self._place, self.ref, other.ref, select), timeout)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.ref} with {self.ref.window.id}>"
