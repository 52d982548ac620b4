"""Readiness by proof: the shell itself writes a marker that only this load can know, and then reads again.

A line is typed that sources a small file. The file clears the screen (what stood there goes to the history) and writes
the pane's marker. When it is there the shell has run a line of ours; whether it reads the next one is seen at its
terminal: a line editor has switched the canonical mode off, and everything typed has been taken.
"""

from __future__ import annotations

import array
import contextlib
import fcntl
import os
import shlex
import termios

from muxwright.transports.directories import remove, short_base

__all__ = ["Handshake", "reads_again"]

_SCRIPT = """\
printf '\\033[H\\033[2J'
printf '%s' "{token} $BASH_VERSION$ZSH_VERSION$FISH_VERSION." >{directory}/"$TMUX_PANE"
"""


class Handshake:
    """A private directory (0700) with the file to source and the markers. Make it with `start`, end it with `close`."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.directory = os.path.join(short_base(os.environ), f"muxwright-{token}")

    def start(self) -> None:
        """Make the directory and the file."""
        os.mkdir(self.directory, 0o700)
        with open(os.path.join(self.directory, "ready"), "x", encoding="ascii") as file:
            file.write(_SCRIPT.format(token=self.token, directory=shlex.quote(self.directory)))

    @property
    def line(self) -> str:
        """What is typed. It does nothing when the directory is gone, and the blank keeps it out of the history."""
        path = shlex.quote(os.path.join(self.directory, "ready"))
        return f" test -f {path} && . {path}"

    def shell_of(self, pane: str) -> str | None:
        """Return ``""``, or the version of a shell with a line editor; ``None`` until the pane's marker is whole."""
        try:
            with open(os.path.join(self.directory, pane), "rb") as file:
                said = file.read(256).decode("ascii", "replace")
        except OSError:
            return None
        token, _, version = said.partition(" ")
        return version[:-1] if token == self.token and version.endswith(".") else None

    def close(self) -> None:
        """Remove everything; idempotent."""
        remove(self.directory)


def reads_again(tty: str | None, has_editor: bool) -> bool | None:
    """Return whether the program at a terminal has taken all input and reads on; ``None`` when it cannot be seen."""
    if tty is None:
        return None
    try:
        descriptor = os.open(tty, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return None
    # Held only for this look: an open terminal would hide the end of the pane from tmux.
    try:
        with contextlib.suppress(OSError, termios.error):
            waiting = array.array("i", [0])
            fcntl.ioctl(descriptor, termios.FIONREAD, waiting)
            canonical = termios.tcgetattr(descriptor)[3] & termios.ICANON
            return not waiting[0] and not (has_editor and canonical)
        return None
    finally:
        os.close(descriptor)
