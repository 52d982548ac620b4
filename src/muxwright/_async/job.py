"""Commands that go on while others work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from muxwright.model.outcome import JobStatus, RunOutcome
from muxwright.operations import jobs
from muxwright.operations.work import Work
from muxwright.transports.cancellation import CancellationToken

if TYPE_CHECKING:
    from muxwright._async.host import AsyncHost
    from muxwright._async.pane import AsyncPane

__all__ = ["AsyncJob"]


class AsyncJob:
    """A command in a pane that is not waited for at the moment; made by `Pane.start`, or by a wait that was too short.

    Its pane is reserved for it until its end is proved, and it is remembered by the server or connection that started
    it (`jobs`), which keeps 32: one that runs is never forgotten. `id` is a random name, `command` what was run.
    """

    def __init__(self, host: AsyncHost, work: Work) -> None:
        self.host = host
        self._work = work

    @property
    def id(self) -> str:
        """Its random name."""
        return self._work.id

    @property
    def command(self) -> str:
        """What was run."""
        return self._work.command

    @property
    def pane(self) -> AsyncPane:
        """Where it runs."""
        return self.host.pane(self._work.pane)

    async def status(self, cursor: int = 0, *, timeout: float | None = None) -> JobStatus:
        """Return how it stands now, without waiting, and its output from `cursor` on.

        `cursor`: the position that an earlier status gave (default 0: all that is kept).
        """
        return await self.host.run(jobs.status(self.host._transport.place, self._work, cursor), timeout)

    async def wait(
        self, *, timeout: float = jobs.RUN_TIMEOUT, cancel: CancellationToken | None = None
    ) -> RunOutcome[AsyncJob]:
        """Wait for its end, at most `timeout` seconds (default 30); return what became of it, as `Pane.run` does."""
        outcome = await self.host.run(jobs.wait(self.host._transport.place, self._work), timeout, cancel)
        return outcome.with_job(None if outcome.job is None else self)

    async def interrupt(self, key: Literal["C-c", "C-\\"] = "C-c", *, timeout: float | None = None) -> None:
        """Press C-c (or C-\\) for it; then `wait`. One that its shell has not begun never will.

        With `keep_state` the end is proved by a line that is typed afterwards. Raises like `Pane.send_keys`, and
        `NotAShell`, `PaneAttended` or `PaneSynchronized` when that line cannot be typed.
        """
        await self.host.run(jobs.interrupt(self.host._transport.place, self._work, key), timeout)

    def __eq__(self, other: object) -> bool:
        return self._work is other._work if isinstance(other, AsyncJob) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._work.id)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id} in {self._work.pane}: {self.command[:40]!r}>"
