"""An independent witness: plain tmux processes, none of the library."""

from __future__ import annotations

import os
import subprocess

__all__ = ["Judge"]


class Judge:
    """Runs the tmux under test on one socket and returns what it printed, without the last newline."""

    def __init__(self, socket_path: str, tmux: str) -> None:
        self.socket_path = socket_path
        self.tmux = tmux

    def run(self, *words: str | bytes, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [self.tmux, "-u", "-N", "-S", self.socket_path, *words],
            input=stdin,
            capture_output=True,
            check=False,
            timeout=20,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )

    def raw(self, *words: str | bytes) -> bytes:
        done = self.run(*words)
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout.removesuffix(b"\n")

    def __call__(self, *words: str | bytes) -> str:
        return self.raw(*words).decode()

    def show(self, target: str, *variables: str) -> str:
        """Return format variables of one object, separated by blanks."""
        return self("display-message", "-p", "-t", target, " ".join(f"#{{{name}}}" for name in variables))

    def lines(self, *words: str) -> list[str]:
        return self(*words).split("\n")

    def alive(self) -> bool:
        """Whether the server still answers."""
        return self.run("display-message", "-p", "alive").stdout == b"alive\n"
