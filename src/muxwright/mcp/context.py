"""One call: its time, its effects, its way to tmux, and the checks of what it is pointed at."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from muxwright import MuxwrightError, PaneRef, ServerIdentity, SessionRef, Snapshot, WindowRef
from muxwright.mcp.endpoint import Ask, Host, place_of
from muxwright.mcp.errors import ToolError, as_tool_error
from muxwright.mcp.targets import pane_target, read_pane_id, session_target, window_target
from muxwright.operations import jobs
from muxwright.operations.work import Work

if TYPE_CHECKING:
    from muxwright.mcp.application import Application
    from muxwright.mcp.tool import Tool

__all__ = ["Context", "Progress"]

T = TypeVar("T")
Progress = Callable[[str], Awaitable[None]]


async def _silent(message: str) -> None:
    """Progress that nobody asked for."""


class Context:
    """What a handler works with.

    `touched` becomes true with the first change that was made and stays so: an error after it has effects.
    """

    def __init__(self, app: Application, tool: Tool, timeout: float, progress: Progress | None = None) -> None:
        self.app = app
        self.tool = tool
        self.progress = progress or _silent
        self.touched = False
        self.timeout = timeout
        self._end = time.monotonic() + timeout

    def tell(self, message: str) -> None:
        """Report progress from where nothing can be awaited."""
        self.app.background(self._tell(message))

    async def _tell(self, message: str) -> None:
        await self.progress(message)

    def extend(self, seconds: float) -> None:
        """Give the call its own time in place of the general one."""
        self.timeout = seconds
        self._end = time.monotonic() + seconds

    @property
    def remaining(self) -> float:
        """Seconds left; raises when there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise ToolError(
                "deadline",
                f"the {self.timeout:g} s of this call are over",
                effects="possible" if self.touched else "none",
            )
        return left

    # --- tmux ---

    async def read(self, ask: Ask[T]) -> T:
        """Ask tmux for something."""
        return await self._asked(self.app.endpoint.read, ask, reading=True)

    async def act(self, ask: Ask[T]) -> T:
        """Have tmux do something, at most once."""
        done = await self._asked(self.app.endpoint.act, ask, reading=False)
        self.touched = True
        return done

    async def alone(self, ask: Ask[T]) -> T:
        """Have tmux end something, or make the first session, at most once."""
        done = await self._asked(self.app.endpoint.alone, ask, reading=False)
        self.touched = True
        return done

    async def _asked(self, way: Callable[[Ask[T]], Awaitable[T]], ask: Ask[T], *, reading: bool) -> T:
        try:
            return await way(ask)
        except MuxwrightError as error:
            raise as_tool_error(error, reading=reading, touched=self.touched) from error

    async def snapshot(self) -> Snapshot:
        """Return everything the server holds; bare ids are those of its generation from now on."""
        snapshot: Snapshot = await self.read(lambda host: host.snapshot(timeout=self.remaining))
        self.app.seen = snapshot.identity.generation
        return snapshot

    async def socket_path(self) -> str:
        """Return where the server listens; a private one is started."""
        try:
            return (await self.app.endpoint.server()).socket_path
        except MuxwrightError as error:
            raise as_tool_error(error, touched=self.touched) from error

    # --- what is meant ---

    async def pane(self, arguments: dict[str, Any]) -> PaneRef:
        """Return the pane of ``target``, or the caller pane; one that may be a target."""
        target = arguments.get("target")
        if target is not None:
            ref = pane_target(await self.socket_path(), target)
        elif self.app.caller is not None:
            ref = self.app.caller
        else:
            raise ToolError("target_required", "name a target as list_panes gives it")
        return self.allowed(ref)

    async def bare_pane(self, text: str) -> PaneRef:
        """Return the pane of an id alone: of the server that this process has seen last."""
        pane_id = read_pane_id(text)
        path = await self.socket_path()
        if self.app.seen is None:
            self.app.seen, _ = await self.read(lambda host: host.describe(timeout=self.remaining))
        return self.allowed(PaneRef(ServerIdentity(path, self.app.seen), pane_id))

    def allowed(self, ref: PaneRef) -> PaneRef:
        """Refuse a pane that is not among the allowed ones."""
        if self.app.allowed is not None and ref not in self.app.allowed:
            raise ToolError("target_denied", f"{ref.id} is not among the panes that --allow-pane names")
        return ref

    async def window(self, target: dict[str, Any]) -> WindowRef:
        """Return the window of a target all of whose panes may be targets."""
        ref = window_target(await self.socket_path(), target)
        if self.app.allowed is not None:
            part = await self.read(lambda host: host.window(ref).snapshot(timeout=self.remaining))
            self.all_allowed(pane.ref for pane in part.window(ref.id).panes)
        return ref

    async def session(self, target: dict[str, Any]) -> SessionRef:
        """Return the session of a target all of whose panes may be targets."""
        ref = session_target(await self.socket_path(), target)
        if self.app.allowed is not None:
            part = await self.read(lambda host: host.session(ref).snapshot(timeout=self.remaining))
            self.all_allowed(pane.ref for pane in part.session(ref.id).panes)
        return ref

    async def any_target(self, target: dict[str, Any]) -> PaneRef | WindowRef | SessionRef:
        """Return the pane, window or session of a target that names one of them."""
        given = [name for name in ("paneId", "windowId", "sessionId") if name in target]
        if len(given) != 1:
            raise ToolError("invalid_arguments", "a target has exactly one of paneId, windowId and sessionId")
        if given == ["paneId"]:
            return await self.pane({"target": target})
        return await (self.window(target) if given == ["windowId"] else self.session(target))

    def all_allowed(self, refs: Iterable[PaneRef]) -> None:
        """Refuse a window or a session that holds a pane which is not allowed."""
        for ref in refs:
            self.allowed(ref)

    def adopt(self, refs: Iterable[PaneRef]) -> None:
        """Allow panes that were made here."""
        if self.app.allowed is not None:
            self.app.allowed.update(refs)

    async def not_reserved(self, ref: PaneRef) -> None:
        """Refuse a pane in which a command runs that was started here."""
        for run in self.app.jobs:
            if run.pane != ref or run.outcome is not None:
                continue

            async def look(host: Host, run: Work = run) -> None:
                await host.run(jobs.status(place_of(host), run, 0), self.remaining)

            await self.read(look)
            if run.outcome is None:
                raise ToolError(
                    "active_run",
                    f"the job {run.id} runs in {ref.id}; wait for it with job_status, or interrupt it:"
                    ' send_keys with ["C-c"] alone passes',
                    retryable=True,
                )

    # --- ourselves ---

    async def not_ourselves(self, ref: PaneRef, *, typing: bool = False) -> None:
        """Refuse the pane that this process runs in, unless it is the named caller.

        `typing`: refuse also a pane whose input ours would get, since they are synchronized.
        """
        own = self.app.own
        if not own.on(ref.server):
            return
        mine = own.ref(ref.server)
        if mine is None:
            raise ToolError(
                "self_protection",
                "this process runs in a pane of this server, and $TMUX_PANE does not say which: use --caller-pane",
            )
        if mine == self.app.caller:
            return
        if ref == mine:
            raise ToolError(
                "self_protection", f"{ref.id} is the pane this server runs in; only --caller-pane allows that"
            )
        if typing and await self._shares_input(ref, mine):
            raise ToolError(
                "self_protection", f"{ref.id} shares its input with {mine.id}, the pane this server runs in"
            )

    async def _shares_input(self, ref: PaneRef, mine: PaneRef) -> bool:
        part = await self.read(lambda host: host.pane(ref).refresh(timeout=self.remaining))
        return part.synchronized and any(pane.ref == mine and pane.synchronized for pane in part.window.panes)

    async def not_around_us(self, ref: WindowRef | SessionRef) -> None:
        """Refuse to end the window or session that this process runs in."""
        mine = self.app.own.ref(ref.server)
        if mine is None:
            return
        snapshot = await self.snapshot()
        holder = snapshot.window(ref.id) if isinstance(ref, WindowRef) else snapshot.session(ref.id)
        if any(pane.ref == mine for pane in holder.panes):
            raise ToolError("self_protection", f"{ref.id} holds {mine.id}, the pane this server runs in")
