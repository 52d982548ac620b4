"""Pane handles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from muxwright._async.running import AsyncRunning
from muxwright._async.viewing import AsyncViewing
from muxwright._async.waiting import AsyncWaiting
from muxwright.commands.create import Direction, Program
from muxwright.model.capture import Capture
from muxwright.model.infos import PaneInfo
from muxwright.operations import buffers, change, create, observe, terminal, topology
from muxwright.refs import BufferRef, SessionRef, WindowRef
from muxwright.transports.cancellation import CancellationToken

__all__ = ["AsyncPane"]


class AsyncPane(AsyncWaiting, AsyncViewing, AsyncRunning):
    """A pane: a terminal with a program in it."""

    async def refresh(self, *, timeout: float | None = None) -> PaneInfo:
        """Return what tmux says of it now, in a snapshot of its window (see `Window.snapshot`).

        Raises `PaneNotFound` when it is gone, `StaleReference` after a restart of the server.
        """
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

    async def paste(
        self,
        data: str | bytes,
        *,
        bracketed: bool = False,
        timeout: float | None = None,
        cancel: CancellationToken | None = None,
    ) -> None:
        """Paste data, text or bytes (any but NUL), unchanged into this pane only; newlines stay newlines.

        `bracketed`: with the markers of a bracketed paste if the program asked for them. Raises like `send_keys`.
        """
        await self._run(terminal.paste(self._place, self.ref, data, bracketed), timeout, cancel)

    async def paste_buffer(self, ref: BufferRef, *, bracketed: bool = False, timeout: float | None = None) -> None:
        """Paste the buffer `ref` of `load_buffer` unchanged, into this pane only; the buffer stays.

        `bracketed`: as for `paste`. Raises like `send_keys`, and `BufferNotFound` when the buffer is gone.
        """
        await self._run(buffers.paste_buffer(self._place, self.ref, ref, bracketed), timeout)

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
        cancel: CancellationToken | None = None,
    ) -> Capture:
        """Return what stands in the pane (``capture-pane``): its screen, exactly as many rows as the pane is high.

        `start`, `end`: line numbers, 0 the first row of the screen, negative in the history, ``"history"`` its
        beginning.
        `escapes`: with colours and attributes as escape sequences. `join_wrapped`: wrapped lines as one.
        `keep_trailing`: with blanks at the ends of lines. `alternate`: the saved screen of a full-screen program.
        Raises `OutputLimitExceeded` beyond `max_bytes` (default 8 MiB), and by process `UnsupportedCapability` on a
        server with the hook ``after-capture-pane``, whose output it would mix in.
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
        return await self._run(operation, timeout, cancel)

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

        `direction`: where the new one goes, ``"above"``, ``"below"``, ``"left"`` or ``"right"``. `size`: cells, or a
        percentage such as ``"30%"``; `full`: over the whole window. Raises `NoSpace` with the sizes when there is no
        room. What runs in it and where: as for `new_session`.
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
        """Resize it: `width`, `height` or both, in cells (1 to 10,000); tmux gives what the layout allows."""
        await self._run(change.resize(self._place, self.ref, width, height), timeout)

    async def set_title(self, title: str, *, timeout: float | None = None) -> None:
        """Set its title (``select-pane -T``); the program may set another.

        An empty title is allowed, control characters and backslashes are `InvalidArgument`.
        """
        await self._run(change.set_title(self._place, self.ref, title), timeout)

    async def move(
        self,
        beside: AsyncPane,
        direction: Direction = "below",
        *,
        size: int | str | None = None,
        full: bool = False,
        select: bool = False,
        allow_destroy: bool = False,
        timeout: float | None = None,
    ) -> None:
        """Move it beside another pane, of any window (``join-pane``); its id and program stay.

        `direction`, `size`, `full` and `select`: as for `split`.

        Raises `LastLink` for the only pane of a session (of any that shows its window), which would end without it,
        unless `allow_destroy`.
        """
        operation = topology.move_pane(self._place, self.ref, beside.ref, direction, size, full, select, allow_destroy)
        await self._run(operation, timeout)

    async def swap(self, other: AsyncPane, *, select: bool = False, timeout: float | None = None) -> None:
        """Swap it with the other pane, of any window (``swap-pane``).

        `select`: each becomes the active pane of the window that it comes to; within one window, the other.
        """
        await self._run(topology.swap_panes(self._place, self.ref, other.ref, select), timeout)

    async def break_out(
        self,
        session: SessionRef,
        *,
        index: int | None = None,
        name: str | None = None,
        select: bool = False,
        allow_destroy: bool = False,
        timeout: float | None = None,
    ) -> WindowRef:
        """Give it a window of its own in `session` (``break-pane``) and return that window's ref.

        `index`: default the next free one. `name`: default that of its program. `select`: the window becomes the
        session's current one.

        The only pane of a window takes that window along. Raises `AlreadyExists` for a taken `index`, `LastLink` for
        the only pane of another session, which would end without it, unless `allow_destroy`.
        """
        operation = topology.break_pane(self._place, self.ref, session, index, name, select, allow_destroy)
        return (await self._run(operation, timeout)).window

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
        """Start a program again in it (``respawn-pane``); its id stays.

        Raises `PaneInUse` while a program runs, unless `kill_running`. What runs and where: as for `new_session`.
        """
        program = Program(command, shell_command, directory, environment)
        await self._run(topology.respawn(self._place, self.ref, kill_running, program), timeout)

    async def set_zoom(self, zoom: bool, *, timeout: float | None = None) -> bool:
        """Zoom it over its window, or not; return whether that changed anything.

        It takes over the zoom of another pane. The only pane of a window is never zoomed.
        """
        return await self._run(topology.set_zoom(self._place, self.ref, zoom), timeout)

    async def clear_history(self, *, timeout: float | None = None) -> None:
        """Drop the lines that have scrolled out of it (``clear-history``)."""
        await self._run(topology.clear_history(self._place, self.ref), timeout)

    async def pipe(
        self,
        shell_command: str | None,
        *,
        read_output: bool = True,
        write_input: bool = False,
        replace: bool = False,
        expand_formats: bool = False,
        timeout: float | None = None,
    ) -> None:
        """Pipe it through `shell_command`, a line of ``/bin/sh`` (``pipe-pane``); ``None`` closes its pipe.

        The command reads what the pane prints (`read_output`), types what it writes itself (`write_input`), or both.
        Raises `PipeInUse` when there is a pipe already, unless `replace`. Formats and ``%`` are literal unless
        `expand_formats`.
        """
        operation = topology.pipe_pane(
            self._place,
            self.ref,
            shell_command,
            read_output=read_output,
            write_input=write_input,
            replace=replace,
            expand_formats=expand_formats,
        )
        await self._run(operation, timeout)
