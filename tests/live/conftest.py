"""Fixtures of the live tests."""

from tests.support.servers import connection, home, host, judge, pane, recorder, server, swappable

__all__ = ["connection", "home", "host", "judge", "pane", "recorder", "server", "swappable"]
