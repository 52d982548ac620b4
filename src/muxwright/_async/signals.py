"""Signals through tmux: from a script in a pane to us, or from us to whoever waits."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from muxwright._async.watcher import AsyncFollowing
from muxwright.errors import InvalidArgument
from muxwright.model.signalled import SignalResult
from muxwright.operations import signals
from muxwright.transports.aio import AsyncProcessTransport, AsyncTransport
from muxwright.transports.cancellation import CancellationToken

__all__ = ["AsyncSignal", "AsyncSignalling"]


class AsyncSignal:
    """A signal that is sent once and waited for once, on a channel of its own; made by `new_signal`.

    It may be sent before it is waited for. Use it as a context manager, or close it: a signal that nobody waited for
    would stay in tmux.
    """

    def __init__(self, transport: AsyncTransport, timeout: float) -> None:
        self._transport = transport
        self._timeout = timeout
        self._channel = f"muxwright-{transport.place.token()}".encode()
        self._sent = False
        self._waited = False

    @property
    def channel(self) -> str:
        """The channel's name, which nothing else uses."""
        return self._channel.decode()

    @property
    def command(self) -> list[str]:
        """What a program has to run, once, to send it: a tmux command line, for any shell after `shlex.join`."""
        endpoint = self._transport.endpoint
        return [endpoint.executable(), "-S", endpoint.socket_path, "wait-for", "-S", self.channel]

    async def notify(self, *, timeout: float | None = None) -> None:
        """Send it; the second time does nothing."""
        if not self._sent:
            self._sent = True
            await self._transport.run(signals.send_signal(self._transport.place, self._channel), self._budget(timeout))

    async def wait(self, *, timeout: float | None = None, cancel: CancellationToken | None = None) -> SignalResult:
        """Wait until it was sent. The second time is `InvalidArgument`.

        A deadline and a cancellation are outcomes of the result, which is true when the signal came. Whatever happens,
        the channel is left empty. A tmux process waits, no connection does.
        """
        if self._waited:
            raise InvalidArgument("this signal was waited for already; make a new one")
        self._waited = True
        budget = self._budget(timeout)
        operation = signals.wait_for_signal(self._transport.place, self._channel, budget, private=True)
        return await self._transport.run(operation, budget, cancel)

    async def aclose(self) -> None:
        """Leave nothing of it in tmux; idempotent."""
        if not self._waited:
            self._waited = True
            operation = signals.empty_channel(self._transport.place, self._channel)
            await self._transport.run(operation, self._timeout)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def _budget(self, timeout: float | None) -> float:
        return self._timeout if timeout is None else timeout


class AsyncSignalling(AsyncFollowing):
    """The signals of a server or a connection."""

    def new_signal(self) -> AsyncSignal:
        """Return a signal on a new channel; nothing is sent."""
        return AsyncSignal(self._processes, self.timeout)

    async def wait_for_channel(
        self, channel: str, *, timeout: float | None = None, cancel: CancellationToken | None = None
    ) -> SignalResult:
        """Wait for a signal on a channel of your own naming (``wait-for``); one that was sent before counts.

        Each wait is a tmux process. A wait that is given up on tmux before 3.8 wakes the others on its channel, too:
        tmux would go on waiting for it, and spend the next signal on it.
        """
        transport, budget = self._processes, self.timeout if timeout is None else timeout
        operation = signals.wait_for_signal(transport.place, signals.check_channel(channel), budget, private=False)
        return await transport.run(operation, budget, cancel)

    async def signal_channel(self, channel: str, *, timeout: float | None = None) -> None:
        """Wake all who wait on a channel (``wait-for -S``); with nobody waiting, the next one who does.

        Of two signals that nobody waits for, the second takes the first away.
        """
        transport, budget = self._processes, self.timeout if timeout is None else timeout
        await transport.run(signals.send_signal(transport.place, signals.check_channel(channel)), budget)

    @property
    def _processes(self) -> AsyncTransport:
        """A transport for what would block a connection."""
        return AsyncProcessTransport(self._transport.endpoint)
