"""Window handles, and handles for the slots that hold windows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from muxwright._async.handle import AsyncHandle
from muxwright._async.link import AsyncWindowLink
from muxwright._async.pane import AsyncPane
from muxwright.commands.create import Program
from muxwright.model.infos import WindowInfo
from muxwright.model.snapshot import Snapshot
from muxwright.operations import change, observe, screens, topology
from muxwright.operations.create import CreatedRefs
from muxwright.refs import WindowRef
from muxwright.screen.screen import Screen

if TYPE_CHECKING:
    from muxwright._async.host import AsyncHost
    from muxwright._async.session import AsyncSession
    from muxwright.transports.cancellation import CancellationToken

__all__ = ["AsyncWindow"]


class AsyncWindow(AsyncHandle[WindowRef]):
    """A window: one object, in however many sessions it is linked."""

    def __init__(self, host: AsyncHost, ref: WindowRef, created: CreatedRefs | None = None) -> None:
        super().__init__(host, ref)
        self._created = created

    async def refresh(self, *, timeout: float | None = None) -> WindowInfo:
        """Return what tmux says of it now: the info of a fresh `snapshot`, with the same errors."""
        return await self._run(observe.window_info(self._place, self.ref), timeout)

    async def snapshot(self, *, timeout: float | None = None, cancel: CancellationToken | None = None) -> Snapshot:
        """Return one consistent graph of it: its panes, its links, and the sessions of those.

        Two listings in one queue item: it costs what this window costs, however much the server holds. Reading what it
        does not tell, such as other windows of those sessions, raises `SnapshotCoverageError`.

        Raises `WindowNotFound` when it is gone, `StaleReference` after a restart of the server.
        """
        return await self._run(observe.take_part(self._place, self.ref), timeout, cancel)

    async def screen(self, *, timeout: float | None = None) -> Screen:
        """Return all its panes and the borders between them as one screen, as an attached client would see them.

        Cells and places are of one moment. Of a zoomed window it is the zoomed pane; status lines are not part of it.
        """
        return await self._run(screens.take_window_screen(self._place, self.ref), timeout)

    async def rename(self, name: str, *, timeout: float | None = None) -> None:
        """Give it exactly this name and switch its automatic rename off.

        Raises `InvalidArgument` for a name that tmux would change.
        """
        await self._run(change.rename_window(self._place, self.ref, name), timeout)

    async def select(self, session: AsyncSession | None = None, *, timeout: float | None = None) -> None:
        """Make it the current window of `session`; without one, of the session that tmux considers its own."""
        ref = None if session is None else session.ref
        await self._run(change.select_window(self._place, self.ref, ref), timeout)

    async def resize(
        self, width: int | None = None, height: int | None = None, *, timeout: float | None = None
    ) -> None:
        """Resize it: `width`, `height` or both, in cells (1 to 10,000).

        tmux then keeps the size by hand (`window-size manual`).
        """
        await self._run(change.resize(self._place, self.ref, width, height), timeout)

    async def select_layout(self, layout: str, *, timeout: float | None = None) -> None:
        """Lay out its panes: a preset such as ``"tiled"``, or a layout as tmux prints it.

        Raises `BadLayout` before anything is sent for one that tmux cannot take: tmux 3.3a dies of some of them.
        `UnsupportedCapability` for a mirrored layout before tmux 3.5.
        """
        await self._run(change.select_layout(self._place, self.ref, layout), timeout)

    async def panes(self, *, timeout: float | None = None) -> list[AsyncPane]:
        """Return a handle for each of its panes, in the order of their indexes."""
        return [AsyncPane(self.host, info.ref) for info in (await self.refresh(timeout=timeout)).panes]

    async def active_pane(self, *, timeout: float | None = None) -> AsyncPane:
        """Return its active pane: of a window just made without asking, else from a snapshot."""
        if self._created is not None:
            return AsyncPane(self.host, self._created.pane)
        info = (await self.refresh(timeout=timeout)).active_pane
        assert info is not None, "tmux has no window without a pane"
        return AsyncPane(self.host, info.ref)

    async def link(
        self,
        session: AsyncSession,
        index: int | None = None,
        *,
        replace: bool = False,
        select: bool = False,
        timeout: float | None = None,
    ) -> None:
        """Link it into `session` as well (``link-window``), at exactly `index` or the next free one.

        `select`: it becomes the session's current window.

        Raises `AlreadyExists` for a taken index unless `replace`, which may end the window that is there.
        """
        operation = topology.link_window(self._place, self.ref, session.ref, index, replace, select)
        await self._run(operation, timeout)

    async def links(self, *, timeout: float | None = None) -> list[AsyncWindowLink]:
        """Return a handle for each slot that holds it."""
        return [AsyncWindowLink(self.host, info.ref) for info in (await self.refresh(timeout=timeout)).links]

    async def respawn(
        self,
        *,
        kill_running: bool = False,
        command: Sequence[str] | None = None,
        shell_command: str | None = None,
        directory: str | None = None,
        environment: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> None:
        """Start a program again in it (``respawn-window``); one pane is left.

        Raises `PaneInUse` while a program runs, unless `kill_running`. What runs and where: as for `new_session`.
        """
        program = Program(command, shell_command, directory, environment)
        await self._run(topology.respawn(self._place, self.ref, kill_running, program), timeout)

    async def rotate_panes(self, direction: Literal["up", "down"] = "up", *, timeout: float | None = None) -> None:
        """Rotate its panes through its places (``rotate-window``).

        `direction`: ``"up"``, each takes the place of the one before it, or ``"down"``.
        """
        await self._run(topology.rotate_panes(self._place, self.ref, direction), timeout)

    async def cycle_layout(
        self, direction: Literal["next", "previous"] = "next", *, timeout: float | None = None
    ) -> None:
        """Apply the next preset layout, or in the other direction the previous one (``next-layout``...)."""
        await self._run(topology.cycle_layout(self._place, self.ref, direction), timeout)
