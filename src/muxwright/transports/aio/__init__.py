"""Asyncio transports: a process for each request, or one control connection with pipelined requests."""

from muxwright.transports.aio.control import AsyncControlTransport
from muxwright.transports.aio.daemon import AsyncDaemonRunner
from muxwright.transports.aio.process import AsyncProcessTransport
from muxwright.transports.aio.transport import AsyncTransport

__all__ = ["AsyncControlTransport", "AsyncDaemonRunner", "AsyncProcessTransport", "AsyncTransport"]
