"""What an import costs."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping

from benchmarks.measure import Block, Claim, Comparison, Effort, measure

__all__ = ["import_time"]


def _seconds(code: str, environment: Mapping[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    return time.perf_counter() - started


def _net(code: str, environment: Mapping[str, str]) -> Block:
    """Return the block that times whole processes, each less one that does nothing just before it."""
    return lambda operations: [-_seconds("pass", environment) + _seconds(code, environment) for _ in range(operations)]


def import_time(effort: Effort) -> list[Comparison]:
    """Whole processes, less an empty one. Names are loaded when first used, so an import that uses some counts."""
    statements = ("import muxwright", "from muxwright import Server", "from libtmux import Server")
    comparison = Comparison(
        "import",
        "Importing: a whole process, less one that runs `pass`",
        (
            Claim("import", "value", "import muxwright", None, 0.050),
            Claim("import of `Server`", "faster", "from muxwright import Server", "from libtmux import Server", 1),
        ),
    )
    with tempfile.TemporaryDirectory() as compiled:
        # Both packages are compiled by the first, unmeasured turn, whether or not they were when they were installed.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = compiled
        measure(comparison, {statement: _net(statement, environment) for statement in statements}, effort)
    return [comparison]
