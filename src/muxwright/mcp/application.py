"""The application: a tmux server, a choice of tools, and what lives from one call to the next."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from muxwright import AsyncServer, Generation, MuxwrightError, PaneRef, SessionRef
from muxwright.mcp.audit import Audit
from muxwright.mcp.catalogue import advertise
from muxwright.mcp.context import Context, Progress
from muxwright.mcp.endpoint import Borrowed, Endpoint, Host, Private
from muxwright.mcp.errors import ToolError, as_tool_error
from muxwright.mcp.policy import Policy, Selection, select
from muxwright.mcp.targets import OwnPane
from muxwright.mcp.tool import Picture, Result, Screen, Tool
from muxwright.mcp.tools.common import RESULT_LIMIT, as_json
from muxwright.mcp.validate import check
from muxwright.operations.follow import Follower
from muxwright.operations.jobs import JobTable

__all__ = ["CLEANUP", "Application", "Outcome", "UnknownTool"]

_log = logging.getLogger(__name__)

FOLLOWED = 64  # panes that capture_since remembers
HEARD, HEARD_FOR = 16, 30.0  # panes, and seconds that each is heard on after a command was run in it

CLEANUP = 0.9
"""Seconds for the removal of sessions that were made here."""


class UnknownTool(LookupError):
    """No tool of that name is offered."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call gives: text, for facts the same as a structure, perhaps a picture. `code`, `effects`: for the log."""

    text: str
    structured: dict[str, Any] | None = None
    png: bytes | None = None
    is_error: bool = False
    code: str = "ok"
    effects: str | None = None


_CANCELLED = Outcome("", is_error=True, code="cancelled")


class Application:
    """Tools over one tmux server.

    `server`: a borrowed one, or ``None`` for a private server of this process, which the first call starts.
    `selection`: what is offered; `policy`: what that may do; `audit`: where calls are written down. Nothing is
    contacted before `prepare` or the first call.
    """

    def __init__(
        self,
        server: AsyncServer | None = None,
        *,
        selection: Selection | None = None,
        policy: Policy | None = None,
        tmux: str = "tmux",
        environment: Mapping[str, str] | None = None,
        audit: Audit | None = None,
    ) -> None:
        self.policy = policy or Policy()
        self.endpoint: Endpoint = Private(tmux, environment) if server is None else Borrowed(server, tmux)
        self.own = OwnPane(environment)
        caller = self.policy.caller_pane is not None
        chosen = select(selection or Selection(), private=self.endpoint.private, caller=caller)
        self.offered: dict[str, Tool] = {tool.name: tool for tool in chosen}
        self.seen: Generation | None = None
        self.caller: PaneRef | None = None
        self.allowed: set[PaneRef] | None = None
        self.owned: dict[SessionRef, float] = {}
        self.creating = 0
        # Panes that stay only because what respawn_pane started in them has ended.
        self.kept: set[PaneRef] = set()
        self.jobs = JobTable()
        self._heard: dict[PaneRef, float] = {}
        self.follower = Follower(FOLLOWED)
        self._active: set[asyncio.Task[Any]] = set()
        self._admitted = 0
        self._workers = asyncio.Semaphore(self.policy.workers)
        self._audit = audit
        self._closed = False

    # --- what is offered ---

    def tools(self) -> list[dict[str, Any]]:
        """Return the catalogue as `tools/list` shows it; a fresh copy."""
        return [advertise(tool) for tool in self.offered.values()]

    @property
    def may_create(self) -> bool:
        """Whether sessions may be made here."""
        return self.endpoint.private or self.policy.allow_create

    async def prepare(self) -> None:
        """Bind the configured panes to the server that answers now; does nothing when there are none.

        Raises `PaneNotFound` for a pane that is not there.
        """
        wanted = {*(self.policy.allowed_panes or ()), *filter(None, [self.policy.caller_pane])}
        if self.policy.allowed_panes is None and not wanted:
            return
        snapshot = await (await self.endpoint.server()).snapshot(timeout=self.policy.timeout)
        found = {pane_id: snapshot.pane(pane_id).ref for pane_id in wanted}
        self.seen = snapshot.identity.generation
        if self.policy.caller_pane is not None:
            self.caller = found[self.policy.caller_pane]
        if self.policy.allowed_panes is not None:
            self.allowed = {found[pane_id] for pane_id in self.policy.allowed_panes}

    # --- calls ---

    async def call(self, name: str, arguments: Any, progress: Progress | None = None) -> Outcome:
        """Run a tool; every failure is an outcome, but for a name that is not offered."""
        tool = self.offered.get(name)
        if tool is None:
            raise UnknownTool(name)
        context = Context(self, tool, self.policy.timeout, progress)
        began, ended = time.monotonic(), _CANCELLED
        try:
            ended = outcome = await self._run(tool, context, arguments)
        finally:
            if self._audit is not None:
                self._record(tool, context, arguments, ended, time.monotonic() - began)
        return outcome

    async def _run(self, tool: Tool, context: Context, arguments: Any) -> Outcome:
        try:
            if self._audit is not None:
                self._audit.open()
            return _bounded(context, _success(await self._admit(tool, context, arguments)))
        except ToolError as error:
            return _failure(tool, error)
        except MuxwrightError as error:
            return _failure(tool, as_tool_error(error, reading=tool.read_only, touched=context.touched))

    def _record(self, tool: Tool, context: Context, arguments: Any, outcome: Outcome, seconds: float) -> None:
        assert self._audit is not None, "there is a log"
        unsure = context.touched or (outcome is _CANCELLED and not tool.read_only)
        effects = outcome.effects or ("possible" if unsure else "none")
        try:
            self._audit.record(tool.name, arguments, outcome=outcome.code, effects=effects, seconds=seconds)
        except (OSError, ToolError) as error:
            _log.error("the audit log cannot be written: %s", error)

    async def _admit(self, tool: Tool, context: Context, arguments: Any) -> Result:
        if self._closed:
            raise ToolError("closed", "the server is shutting down")
        if self._admitted >= self.policy.capacity:
            raise ToolError(
                "busy", f"{self.policy.capacity} calls are under way; try again when one is done", retryable=True
            )
        check(tool.input, arguments)
        task = asyncio.current_task()
        assert task is not None, "calls run in tasks"
        self._admitted += 1
        self._active.add(task)
        try:
            async with self._workers:
                result = await tool.handler(context, arguments)
        finally:
            self._admitted -= 1
            self._active.discard(task)
        return result

    async def serve(self) -> int:
        """Serve a client on standard input and output until it hangs up; return the exit status."""
        from muxwright.mcp.stdio import serve

        return await serve(self)

    def background(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start something that goes on beside the calls, until it is done or everything is closed."""
        task = asyncio.create_task(work)
        self._active.add(task)
        task.add_done_callback(self._active.discard)
        return task

    def hear_on(self, pane: PaneRef) -> None:
        """Keep what hears a pane for a while: the next command there finds it armed, which is half of its time.

        Only on a server of our own: nobody else is there to wonder about a pipe.
        """
        fresh = pane not in self._heard
        if self.endpoint.private and (not fresh or len(self._heard) < HEARD):
            self._heard[pane] = time.monotonic() + HEARD_FOR
            if fresh:
                self.background(self._hear(pane))

    async def _hear(self, pane: PaneRef) -> None:
        async def hear(host: Host) -> None:
            async with host.pane(pane).observe_output(route="pipe"):
                while (left := self._heard[pane] - time.monotonic()) > 0:
                    await asyncio.sleep(left)

        try:
            with contextlib.suppress(MuxwrightError, ToolError):
                await self.endpoint.read(hear)
        finally:
            del self._heard[pane]

    async def close(self) -> None:
        """End the calls under way, then remove the sessions that were made here and a private server."""
        if self._closed:
            return
        self._closed = True
        current = asyncio.current_task()
        running = [task for task in self._active if task is not current]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=CLEANUP)
        self.follower.close()
        for run in self.jobs:
            run.close()
        if not self.endpoint.private:
            await self._remove_owned()
        await self.endpoint.close()
        if self._audit is not None:
            self._audit.close()

    async def _remove_owned(self) -> None:
        end = time.monotonic() + CLEANUP
        for ref in list(self.owned):
            left = end - time.monotonic()
            if left <= 0:
                return
            with contextlib.suppress(MuxwrightError):
                await (await self.endpoint.server()).session(ref).kill(timeout=left)
            self.owned.pop(ref, None)


def _bounded(context: Context, outcome: Outcome) -> Outcome:
    size = len(outcome.text.encode() if outcome.png is None else outcome.png)
    if size <= RESULT_LIMIT:
        return outcome
    effects: Any = "possible" if context.touched else "none"
    raise ToolError(
        "result_limit", f"the result has {size} bytes, more than {RESULT_LIMIT}; ask for less", effects=effects
    )


def _success(result: Result) -> Outcome:
    if isinstance(result, Screen):
        return Outcome(f"{as_json(result.facts)}\n{result.text}")
    if isinstance(result, Picture):
        return Outcome(as_json(result.facts), result.facts, result.png)
    error = result.get("error")
    if error is None:
        return Outcome(as_json(result), result)
    return Outcome(as_json(result), result, is_error=True, code=error["code"], effects=error["effects"])


def _failure(tool: Tool, error: ToolError) -> Outcome:
    payload = {"error": error.as_json()}
    structured = None if tool.plain_errors else payload
    return Outcome(as_json(payload), structured, is_error=True, code=error.code, effects=error.effects)
