"""Waiting for a pane: what it prints, that it is quiet, that its program ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from muxwright._async.observing import AsyncObserving
from muxwright.model.capture import Capture
from muxwright.model.patterns import Pattern
from muxwright.model.waiting import WaitResult
from muxwright.operations import judges, waits
from muxwright.operations.watch import Route
from muxwright.transports.cancellation import CancellationToken

__all__ = ["AsyncWaiting"]


class AsyncWaiting(AsyncObserving):
    """The waits of a pane.

    Each is woken by the pane's output and returns a `WaitResult`, which is true when what was waited for has come. A
    deadline (`timeout` seconds, default that of the host), a cancellation (`cancel`) and the end of the pane are
    outcomes; ``result.check()`` turns them into errors. Errors are raised where tmux refuses or is lost:
    `PaneNotFound` when the pane is gone at the start, `ServerError`, `StaleReference`.

    Text that this process has typed into the pane is never taken for output, unless `accept_echo`. `route`: ``"pipe"``
    or ``"poll"``, default the best that can be had; the result says which it was.
    """

    async def wait_for_text(
        self,
        text: str,
        *,
        stop: Sequence[Pattern] = (),
        baseline: bool = True,
        match_case: bool = True,
        accept_echo: bool = False,
        route: Route | None = None,
        timeout: float | None = None,
        cancel: CancellationToken | None = None,
    ) -> WaitResult:
        """Wait until a literal text is there; as `wait_for` with that one pattern."""
        return await self.wait_for(
            [text],
            stop=stop,
            baseline=baseline,
            match_case=match_case,
            accept_echo=accept_echo,
            route=route,
            timeout=timeout,
            cancel=cancel,
        )

    async def wait_for(
        self,
        patterns: Sequence[Pattern],
        *,
        stop: Sequence[Pattern] = (),
        baseline: bool = True,
        match_case: bool = True,
        accept_echo: bool = False,
        route: Route | None = None,
        timeout: float | None = None,
        cancel: CancellationToken | None = None,
    ) -> WaitResult:
        """Wait until one of the patterns is there: a text, or a compiled regular expression.

        `stop`: patterns that end the wait without success (outcome ``"stopped"``); they win. `baseline`: what stands on
        the screen already counts, too. `match_case`: of the texts; expressions say it themselves. Raises
        `InvalidArgument` beyond 32 patterns, 4,096 bytes each or 16,384 in all.
        """
        operation = waits.wait_for(
            self._place,
            self.ref,
            waits.Wanted(patterns, stop, match_case, baseline, accept_echo),
            self._budget(timeout),
            route=route,
        )
        return await self.host.run(operation, timeout, cancel)

    async def send_and_wait(
        self,
        text: str,
        patterns: Sequence[Pattern],
        *,
        keys: Sequence[str] = ("Enter",),
        stop: Sequence[Pattern] = (),
        match_case: bool = True,
        accept_echo: bool = False,
        route: Route | None = None,
        timeout: float | None = None,
        cancel: CancellationToken | None = None,
    ) -> WaitResult:
        """Type `text`, press `keys`, and wait until one of the patterns comes as output.

        The pane is watched before anything is typed, so nothing is missed, and what stood there before does not count.
        `stop` and `match_case`: as for `wait_for`. Raises like `send_text`; then nothing was typed.
        """
        operation = waits.send_and_wait(
            self._place,
            self.ref,
            text,
            keys,
            waits.Wanted(patterns, stop, match_case, False, accept_echo),
            self._budget(timeout),
            route=route,
        )
        return await self.host.run(operation, timeout, cancel)

    async def wait_for_quiet(
        self,
        quiet: float = 0.1,
        *,
        route: Route | None = None,
        timeout: float | None = None,
        cancel: CancellationToken | None = None,
    ) -> WaitResult:
        """Wait until the pane has printed nothing for `quiet` seconds (default 0.1); no proof that anything is done."""
        judge = judges.QuietJudge(self.ref, waits.check_quiet(quiet))
        operation = waits.wait(self._place, self.ref, judge, self._budget(timeout), route=route)
        return await self.host.run(operation, timeout, cancel)

    async def wait_ready(
        self,
        quiet: float = 0.05,
        *,
        route: Route | None = None,
        timeout: float | None = None,
        cancel: CancellationToken | None = None,
    ) -> WaitResult:
        """Wait until the program has drawn something and then nothing for `quiet` seconds, default 0.05.

        For a shell just started, that is its prompt as a rule; text typed before would be kept, but be shown twice.
        """
        judge = judges.QuietJudge(self.ref, waits.check_quiet(quiet), drawn=True)
        operation = waits.wait(self._place, self.ref, judge, self._budget(timeout), route=route)
        return await self.host.run(operation, timeout, cancel)

    async def wait_for_exit(
        self, *, timeout: float | None = None, cancel: CancellationToken | None = None
    ) -> WaitResult:
        """Wait until the pane's program has ended; with `remain-on-exit` the result has its status or signal."""
        operation = waits.wait(self._place, self.ref, judges.ExitJudge(), self._budget(timeout))
        return await self.host.run(operation, timeout, cancel)

    async def wait_until(
        self,
        predicate: Callable[[Capture], object],
        *,
        route: Route | None = None,
        timeout: float | None = None,
        cancel: CancellationToken | None = None,
    ) -> WaitResult:
        """Wait until `predicate` is true of the rendered screen; called with a `Capture` after the pane has printed."""
        judge = judges.ScreenJudge(self.ref, predicate)
        operation = waits.wait(self._place, self.ref, judge, self._budget(timeout), route=route)
        return await self.host.run(operation, timeout, cancel)

    def _budget(self, timeout: float | None) -> float:
        return self.host.timeout if timeout is None else timeout
