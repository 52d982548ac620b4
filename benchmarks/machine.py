"""Where and with what the figures were taken."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks import peers
from benchmarks.servers import TMUX
from muxwright import Server, __version__

__all__ = ["circumstances", "sentence"]


def _cpu() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        found = subprocess.run(
            ["sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True, check=False
        )
        return found.stdout.strip() or platform.processor()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.machine()


def circumstances(*, quick: bool) -> dict[str, Any]:
    """Return date, versions and machine."""
    tmux = Server(socket_name="never-started", tmux=TMUX).client_version()
    return {
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "quick": quick,
        "versions": {
            "tmux": str(tmux),
            "python": platform.python_version(),
            "muxwright": __version__,
            "libtmux": metadata.version("libtmux"),
            **peers.VERSIONS,
        },
        "machine": {
            "cpu": _cpu(),
            "cores": os.cpu_count(),
            "kernel": f"{platform.system()} {platform.release()}",
            "load": [round(value, 2) for value in os.getloadavg()],
        },
    }


def sentence(found: dict[str, Any]) -> str:
    """Return date, versions and machine in one line."""
    versions, machine = found["versions"], found["machine"]
    programs = ("tmux", "muxwright", "libtmux", *peers.VERSIONS)
    listed = ", ".join(f"{name} {versions[name]}" for name in programs if name in versions)
    return (
        f"{found['date'][:10]}: Python {versions['python']}, {listed};"
        f" {machine['cpu']}, {machine['cores']} cores, {machine['kernel']},"
        f" load {machine['load'][0]:.1f} before the run."
    )
