"""What is left of us, seen from outside."""

from __future__ import annotations

from pathlib import Path

from muxwright import OwnedServer
from tests.support.outside import processes_naming

__all__ = ["sinks"]


def sinks(server: OwnedServer) -> dict[int, str]:
    """Processes that were started with a directory of ours for fifos, which is beside the server's own."""
    base = Path(server.socket_path).parents[1]
    found = processes_naming(f"d={base}/muxwright-").items()
    return {pid: what for pid, what in found if " -c d=" in what}
