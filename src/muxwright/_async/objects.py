"""Handles for sessions, windows and panes: a ref, and the host that executes for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from muxwright.commands.create import Direction, Program
from muxwright.model.capture import Capture
from muxwright.model.infos import PaneInfo, SessionInfo, WindowInfo
from muxwright.operations import change, create, observe, terminal
from muxwright.operations.create import CreatedRefs
from muxwright.operations.steps import Operation, Place
from muxwright.refs import PaneRef, SessionRef, WindowRef

if TYPE_CHECKING:
    from muxwright._async.host import AsyncHost

__all__ = ["AsyncPane", "AsyncSession", "AsyncWindow"]

T = TypeVar("T")
R = TypeVar("R", SessionRef, WindowRef, PaneRef)


class _AsyncHandle(Generic[R]):
    """An object of tmux that can be acted on.

    Every act is checked in tmux itself, in the same queue item: it reaches exactly this object of this server
    generation or raises `StaleReference` or `...NotFound`, and then did nothing.
    """

    def __init__(self, host: AsyncHost, ref: R) -> None:
        self.host = host
        self.ref: R = ref

    @property
    def _place(self) -> Place:
        return self.host._transport.place

    async def _run(self, operation: Operation[T], timeout: float | None) -> T:
        return await self.host.run(operation, timeout)

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

    def __eq__(self, other: object) -> bool:
        return self.ref == other.ref if isinstance(other, _AsyncHandle) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.ref)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.ref.id} on {self.ref.server.socket_path}>"


class AsyncSession(_AsyncHandle[SessionRef]):
    """A session."""

    def __init__(self, host: AsyncHost, ref: SessionRef, created: CreatedRefs | None = None) -> None:
        super().__init__(host, ref)
        self._created = created

    async def refresh(self, *, timeout: float | None = None) -> SessionInfo:
        """Return what a fresh snapshot says of it; raises `SessionNotFound`."""
        return await self._run(observe.session_info(self._place, self.ref), timeout)

    async def rename(self, name: str, *, timeout: float | None = None) -> None:
        """Give it exactly this name.

        Raises `AlreadyExists` for one in use, `InvalidArgument` for one that tmux would change.
        """
        await self._run(change.rename_session(self._place, self.ref, name), timeout)

    async def new_window(
        self,
        name: str | None = None,
        *,
        index: int | None = None,
        select: bool = False,
        command: Sequence[str] | None = None,
        shell_command: str | None = None,
        directory: str | None = None,
        environment: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> AsyncWindow:
        """Make a window (``new-window``) and return it; it does not become the current one unless `select`.

        `index`: exactly this one, `AlreadyExists` when it is taken; default the next free one. What runs in it and
        where: as for `new_session`.
        """
        program = Program(command, shell_command, directory, environment)
        operation = create.new_window(self._place, self.ref, index, name, select, program)
        refs = await self._run(operation, timeout)
        return AsyncWindow(self.host, refs.window, refs)

    async def windows(self, *, timeout: float | None = None) -> list[AsyncWindow]:
        """Return a handle for each of its windows, in the order of their indexes."""
        return [AsyncWindow(self.host, info.ref) for info in (await self.refresh(timeout=timeout)).windows]

    async def active_window(self, *, timeout: float | None = None) -> AsyncWindow:
        """Return its current window: of a session just made without asking, else from a snapshot."""
        if self._created is not None:
            return AsyncWindow(self.host, self._created.window, self._created)
        info = (await self.refresh(timeout=timeout)).active_window
        assert info is not None, "tmux has no session without a window"
        return AsyncWindow(self.host, info.ref)

    async def active_pane(self, *, timeout: float | None = None) -> AsyncPane:
        """Return the active pane of its current window."""
        window = await self.active_window(timeout=timeout)
        return await window.active_pane(timeout=timeout)


class AsyncWindow(_AsyncHandle[WindowRef]):
    """A window: one object, in however many sessions it is linked."""

    def __init__(self, host: AsyncHost, ref: WindowRef, created: CreatedRefs | None = None) -> None:
        super().__init__(host, ref)
        self._created = created

    async def refresh(self, *, timeout: float | None = None) -> WindowInfo:
        """Return what a fresh snapshot says of it; raises `WindowNotFound`."""
        return await self._run(observe.window_info(self._place, self.ref), timeout)

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
        """Resize it, in cells (1 to 10,000); tmux then keeps the size by hand (`window-size manual`)."""
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


class AsyncPane(_AsyncHandle[PaneRef]):
    """A pane: a terminal with a program in it."""

    async def refresh(self, *, timeout: float | None = None) -> PaneInfo:
        """Return what a fresh snapshot says of it; raises `PaneNotFound`."""
        return await self._run(observe.pane_info(self._place, self.ref), timeout)

    async def send_keys(self, *keys: str, timeout: float | None = None) -> None:
        """Press keys by their tmux names: ``"Enter"``, ``"C-c"``, ``"Up"``, ``"a"``.

        A name that tmux would type as text is `InvalidArgument`. Raises `PaneDead`, `PaneInMode` or `PaneInputOff` when
        the program would not get them; then nothing was pressed.
        """
        await self._run(terminal.send_keys(self._place, self.ref, keys), timeout)

    async def send_text(self, text: str, *, timeout: float | None = None) -> None:
        """Type text exactly as it is, of any size; nothing is added and no key name is looked up.

        Synchronized panes get it too, as if typed. Raises like `send_keys`.
        """
        await self._run(terminal.send_text(self._place, self.ref, text), timeout)

    async def paste(self, data: str | bytes, *, bracketed: bool = False, timeout: float | None = None) -> None:
        """Paste text or bytes (any but NUL) unchanged, into this pane only; newlines stay newlines.

        `bracketed`: with the markers of a bracketed paste if the program asked for them. Raises like `send_keys`.
        """
        data = data.encode() if isinstance(data, str) else data
        await self._run(terminal.paste(self._place, self.ref, data, bracketed), timeout)

    async def leave_mode(self, *, timeout: float | None = None) -> None:
        """Leave copy mode or any other mode; does nothing when the pane is in none."""
        await self._run(terminal.leave_mode(self._place, self.ref), timeout)

    async def capture(
        self,
        *,
        start: int | Literal["history"] | None = None,
        end: int | Literal["bottom"] | None = None,
        escapes: bool = False,
        join_wrapped: bool = False,
        keep_trailing: bool = False,
        alternate: bool = False,
        max_bytes: int = terminal.CAPTURE_LIMIT,
        timeout: float | None = None,
    ) -> Capture:
        """Return what stands in the pane (``capture-pane``): its screen, exactly as many rows as the pane is high.

        `start`, `end`: line numbers, 0 the first row of the screen, negative in the history, ``"history"`` its
        beginning.
        `escapes`: with colours and attributes as escape sequences. `join_wrapped`: wrapped lines as one.
        `keep_trailing`: with blanks at the ends of lines. `alternate`: the saved screen of a full-screen program.
        Raises `OutputLimitExceeded` beyond `max_bytes` (default 8 MiB).
        """
        operation = terminal.capture(
            self._place,
            self.ref,
            start=start,
            end=end,
            escapes=escapes,
            join_wrapped=join_wrapped,
            keep_trailing=keep_trailing,
            alternate=alternate,
            max_bytes=max_bytes,
        )
        return await self._run(operation, timeout)

    async def split(
        self,
        direction: Direction = "below",
        *,
        size: int | str | None = None,
        full: bool = False,
        select: bool = False,
        command: Sequence[str] | None = None,
        shell_command: str | None = None,
        directory: str | None = None,
        environment: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> AsyncPane:
        """Split it (``split-window``) and return the new pane, which does not become active unless `select`.

        `size`: cells, or a percentage such as ``"30%"``; `full`: over the whole window. Raises `NoSpace` with the sizes
        when there is no room. What runs in it and where: as for `new_session`.
        """
        program = Program(command, shell_command, directory, environment)
        operation = create.split(self._place, self.ref, direction, size, full, select, program)
        return AsyncPane(self.host, (await self._run(operation, timeout)).pane)

    async def select(self, *, timeout: float | None = None) -> None:
        """Make it the active pane of its window."""
        await self._run(change.select_pane(self._place, self.ref), timeout)

    async def resize(
        self, width: int | None = None, height: int | None = None, *, timeout: float | None = None
    ) -> None:
        """Resize it, in cells (1 to 10,000); tmux gives what the layout allows."""
        await self._run(change.resize(self._place, self.ref, width, height), timeout)

    async def set_title(self, title: str, *, timeout: float | None = None) -> None:
        """Set its title (``select-pane -T``); the program may set another.

        An empty title is allowed, control characters and backslashes are `InvalidArgument`.
        """
        await self._run(change.set_title(self._place, self.ref, title), timeout)
