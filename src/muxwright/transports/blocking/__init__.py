"""Blocking transports: a process for each request, or one control connection. No threads."""

from muxwright.transports.blocking.control import ControlTransport
from muxwright.transports.blocking.daemon import DaemonRunner
from muxwright.transports.blocking.process import ProcessTransport
from muxwright.transports.blocking.transport import Transport

__all__ = ["ControlTransport", "DaemonRunner", "ProcessTransport", "Transport"]
