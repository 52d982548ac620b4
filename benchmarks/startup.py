"""What an import costs."""

from __future__ import annotations

import subprocess
import sys
import time

from benchmarks.measure import Block, Claim, Comparison, Effort, measure

__all__ = ["import_time"]


def _seconds(code: str) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - started


def _net(code: str) -> Block:
    """Return the block that times whole processes, each less one that does nothing just before it."""
    return lambda operations: [-_seconds("pass") + _seconds(code) for _ in range(operations)]


def import_time(effort: Effort) -> list[Comparison]:
    """Whole processes, less an empty one. Names are loaded when first used, so an import that uses some counts."""
    statements = ("import muxwright", "from muxwright import Server", "from libtmux import Server")
    comparison = Comparison(
        "import",
        "Importing: a whole process, less one that runs `pass`",
        (
            Claim("import", "value", "import muxwright", None, 0.050),
            Claim("import of `Server`", "value", "from muxwright import Server", None, 0.050),
            Claim("import of `Server`", "faster", "from muxwright import Server", "from libtmux import Server", 1),
        ),
    )
    return [measure(comparison, {statement: _net(statement) for statement in statements}, effort)]
