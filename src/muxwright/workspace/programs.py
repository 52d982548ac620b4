"""Which program a pane shows: the whole argument vector of its terminal's foreground process."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Sequence

__all__ = ["DEFAULT_PROGRAMS", "foreground"]

DEFAULT_PROGRAMS = (
    "vi", "vim", "nvim", "emacs", "nano", "man", "less", "more", "tail", "top", "htop", "watch", "irssi", "weechat",
    "mutt",
)  # fmt: skip
"""Programs that are started again as they were."""


_HAS_PROC = os.path.exists("/proc/self/stat")


def foreground(pid: int) -> tuple[str, ...]:
    """Return the arguments of the process in front at the terminal of `pid`; empty when that is `pid` or unknown."""
    try:
        group = _group(pid)
        if group in (pid, -1, 0):
            return ()
        return _arguments(group)
    except (OSError, ValueError, IndexError, subprocess.SubprocessError):
        return ()


def _group(pid: int) -> int:
    if _HAS_PROC:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            # The name in brackets may hold anything.
            return int(file.read().rpartition(")")[2].split()[5])
    return int(_ps("tpgid=", pid))


def _arguments(pid: int) -> tuple[str, ...]:
    if _HAS_PROC:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return tuple(os.fsdecode(word) for word in file.read().split(b"\0")[:-1])
    return tuple(shlex.split(_ps("command=", pid)))


def _ps(field: str, pid: int) -> str:
    done: subprocess.CompletedProcess[str] = subprocess.run(
        ["ps", "-o", field, "-p", str(pid)], capture_output=True, text=True, check=True, timeout=2
    )
    return done.stdout.strip()


def is_listed(arguments: Sequence[str], programs: Sequence[str]) -> bool:
    """Return whether the program is one of those that are started again."""
    return bool(arguments) and os.path.basename(arguments[0]) in programs
