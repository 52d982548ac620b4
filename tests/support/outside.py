"""The process table, read from outside: the code under test cannot vouch for itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

__all__ = ["children", "descriptors", "plain_environment", "processes_naming"]


def plain_environment() -> dict[str, str]:
    """This process's environment without what pytest and its workers tell each other: for a pytest of its own.

    The plugins of our own tests, which it does not use, stay out: they take as long to load as the rest.
    """
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return plain | {"PYTEST_ADDOPTS": "-p no:hypothesispytest -p no:timeout -p no:anyio -p no:libtmux"}


def processes_naming(text: str) -> dict[int, str]:
    """Processes other than this one that have `text` in their arguments or, where it can be read, their environment."""
    return {pid: what for pid, (what, where) in _table().items() if pid != os.getpid() and text in where}


def _table() -> dict[int, tuple[str, str]]:
    if sys.platform == "linux":
        table = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                arguments = _read(entry / "cmdline")
                table[int(entry.name)] = (arguments, arguments + " " + _read(entry / "environ"))
        return table
    rows = (line.strip().partition(" ") for line in _ps("-E", "-o", "pid=,command=").splitlines())
    return {int(pid): (command[:200], command) for pid, _, command in rows}


def children(pid: int) -> list[int]:
    """Return the children of a process, the ones included that have ended and were not collected."""
    if sys.platform == "linux":
        stats = {int(entry.name): _read(entry / "stat") for entry in Path("/proc").iterdir() if entry.name.isdigit()}
        return [
            child for child, stat in sorted(stats.items()) if stat and int(stat.rpartition(")")[2].split()[1]) == pid
        ]
    rows = [line.split() for line in _ps("-o", "pid=,ppid=,command=").splitlines()]
    return [int(row[0]) for row in rows if int(row[1]) == pid and row[2:3] != ["ps"]]


def descriptors() -> set[str]:
    """The open file descriptors of this process."""
    return set(os.listdir("/dev/fd"))


def _ps(*options: str) -> str:
    return subprocess.run(
        ["ps", "-axww", *options],
        env={"PATH": os.environ["PATH"]},  # ps lists itself, and must not look like something the tests started
        capture_output=True,
        text=True,
        errors="replace",
        check=True,
    ).stdout


def _read(path: Path) -> str:
    try:
        return path.read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:  # gone by now, or another user's
        return ""
