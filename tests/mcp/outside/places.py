"""Where the tools of others are installed: below build/, which git ignores; nothing of them is in the repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

__all__ = ["COMMAND", "HERE", "ROOT", "environment", "node", "node_version", "package", "python_tool"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = ROOT / "build" / "outside"
COMMAND = str(Path(sys.executable).parent / "muxwright")

# Each in an environment of its own: they ask for versions of the SDK that exclude each other.
PYTHON_TOOLS = {"amagi-mcp-probe": "0.1.0", "mcp-conform": "0.1.0", "mcp-lighthouse": "0.4.0"}


def environment() -> dict[str, str]:
    """Return the environment of a user whose packages are compiled, without a tmux around."""
    kept = {name: value for name, value in os.environ.items() if name not in ("TMUX", "PYTHONDONTWRITEBYTECODE")}
    return kept | {"PYTHONPYCACHEPREFIX": str(BUILD / "compiled"), "SHELL": "/bin/sh", "ENV": "/dev/null"}


def node() -> Path:
    """Install what package.json asks for, a Node that is new enough included; return the directory."""
    place = BUILD / "node"
    place.mkdir(parents=True, exist_ok=True)
    for source in (HERE / "package.json", *HERE.glob("*.mjs")):
        shutil.copy(source, place)
    stamp, wanted = place / ".installed", (HERE / "package.json").read_text(encoding="utf-8")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent"], cwd=place, check=True)
        stamp.write_text(wanted, encoding="utf-8")
    return place


def node_version(name: str) -> str:
    """Return the version of an installed package of npm."""
    found = json.loads((BUILD / "node" / "node_modules" / name / "package.json").read_text(encoding="utf-8"))
    return str(found["version"])


def python_tool(name: str) -> str:
    """Install a tool into an environment of its own; return its command."""
    place = BUILD / "python" / f"{name}-{PYTHON_TOOLS[name]}"
    command = place / "bin" / name
    if not command.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
        pip = [str(place / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        subprocess.run([*pip, f"{name}=={PYTHON_TOOLS[name]}"], check=True)
    return str(command)


def package(name: str) -> str:
    """Return the version of a package beside us."""
    return metadata.version(name)
