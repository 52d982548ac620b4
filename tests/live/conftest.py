"""Fixtures of the live tests."""

from tests.support.servers import connection, home, host, judge, pane, recorder, server, swappable
from tests.support.terminals import terminals

__all__ = ["connection", "home", "host", "judge", "pane", "recorder", "server", "swappable", "terminals"]
