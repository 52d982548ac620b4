"""Programs that ours are measured against, each installed below build/ the first time, apart from our packages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

__all__ = ["VERSIONS", "command"]

VERSIONS = {"libtmux-mcp": "0.1.0a22", "tmuxp": "1.76.0"}

_BUILD = Path(__file__).resolve().parent.parent / "build"


def command(name: str) -> str:
    """Return the path of a program; it is called like its package."""
    place = _BUILD / f"{name}-{VERSIONS[name]}"
    found = place / "bin" / name
    if not found.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
        pip = [str(place / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        subprocess.run([*pip, f"{name}=={VERSIONS[name]}"], check=True)
    return str(found)
