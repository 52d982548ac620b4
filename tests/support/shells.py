"""The shells that commands are run in: how each is started, and panes with one."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

import pytest

from muxwright import Connection, Job, Pane, Server, Session
from tests.support.waiting import wait_until

__all__ = ["POSIX", "SHELLS", "SLEEPS", "interrupted", "open_shell", "quoted", "running", "shell_argv"]

# Name as tmux shows it -> program and arguments; none reads a start-up file.
_ARGV = {
    "sh": ["dash"],  # on Debian; elsewhere it is another one
    "sh (bash)": ["bash"],
    "dash": ["dash"],
    "ash": ["busybox"],
    "bash": ["bash", "--norc"],
    "zsh": ["zsh", "-f"],
    "ksh93": ["ksh93"],
    "mksh": ["mksh"],
    "fish": ["fish", "--no-config"],
}

SHELLS = tuple(_ARGV)
POSIX = tuple(name for name in SHELLS if name != "fish")

# The program says itself that it is there: bash loses a C-c that comes between its fork and the program's start.
SLEEPS = "sh -c 'echo ready; exec sleep 60'"


def running(pane: Pane, command: str = SLEEPS) -> Job:
    """Start a command and wait until it has printed "ready"."""
    job = pane.start(command)
    wait_until(lambda: "ready" in job.status().output, 20, "the command runs")
    return job


def shell_argv(name: str, directory: Path) -> list[str]:
    """Return the command of a shell; one that is missing is a failure where all have to be there, else a skip."""
    program, *arguments = _ARGV[name]
    found = shutil.which(program)
    if found is None:
        message = f"{program} is not installed (Debian: apt install zsh fish ksh93u+m mksh busybox)"
        if os.environ.get("MUXWRIGHT_ALL_SHELLS"):
            pytest.fail(message)
        pytest.skip(message)
    if (shown := name.split()[0]) != program:
        # Which shell it is to be, it takes from its own name.
        link = directory / name.strip("()").replace(" (", "-") / shown
        link.parent.mkdir(exist_ok=True)
        if not link.exists():
            link.symlink_to(found)
        found = str(link)
    return [found, *arguments]


def open_shell(host: Server | Connection, home: Session, name: str, directory: Path) -> Pane:
    """Return a pane with a shell that shows its prompt."""
    # A home of its own: no start-up files, and fish writes into both.
    environment = {"HOME": str(directory), "XDG_RUNTIME_DIR": str(directory)}
    argv = shell_argv(name, directory)
    pane = host.session(home.ref).new_window(name.split()[0], command=argv, environment=environment).active_pane()

    def ready() -> bool:
        shows = pane.capture().text.strip()
        return pane.refresh().as_dict().get("current_command") == name.split()[0] and bool(shows)

    wait_until(ready, 20, f"{name} shows its prompt")
    return pane


def interrupted(name: str, key: str) -> int:
    """The exit status that a shell gives to a subshell that was ended by C-c or C-\\."""
    signal = {"C-c": 2, "C-\\": 3}[key]
    return signal if name == "ksh93" else 128 + signal


def quoted(name: str, text: str) -> str:
    """Return a text as one word of a shell."""
    if name == "fish":
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return shlex.quote(text)
