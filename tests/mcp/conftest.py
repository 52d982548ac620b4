"""Fixtures of the tools' tests."""

from tests.live.conftest import home, judge, server, swappable
from tests.mcp.support import borrowed, tools

__all__ = ["borrowed", "home", "judge", "server", "swappable", "tools"]
