"""A private tmux server to put questions to, for the tools that write tables."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["PrivateTmux", "source_words"]

WORDS_AT_ONCE = 100


class PrivateTmux:
    """One server of the tmux at `executable` on a socket of its own, with the session "a" and a control client.

    The client keeps the server alive whatever an option is set to.
    """

    def __init__(self, executable: str) -> None:
        self.executable = executable

    def __enter__(self) -> Self:
        self.directory = Path(tempfile.mkdtemp(prefix="mxw-"))
        self.environment = {"PATH": os.environ["PATH"], "HOME": "/", "SHELL": "/bin/sh", "LC_ALL": "C.UTF-8"}
        self.base = [self.executable, "-u", "-S", str(self.directory / "s"), "-f", "/dev/null"]
        self.version = self.ask("-V").removeprefix("tmux ")
        self.ask("new-session", "-d", "-x", "160", "-y", "48", "-s", "a", "--", "sleep", "1000")
        self.client = subprocess.Popen(
            [*self.base, "-C", "attach-session", "-t", "=a"],
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.ask("wait-for", "-S", "ready")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.run("kill-server")
        self.client.communicate(timeout=10)
        shutil.rmtree(self.directory)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self.base, *words],
            env=self.environment,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            check=False,
            timeout=60,
        )

    def ask(self, *words: str) -> str:
        """Return what a command printed, without the last newline; it must not fail."""
        done = self.run(*words)
        if done.returncode:
            raise SystemExit(f"{self.executable}: {words} failed: {done.stderr}")
        return done.stdout.removesuffix("\n")

    def source(self, lines: Iterable[str]) -> subprocess.CompletedProcess[str]:
        """Run lines of tmux's command language."""
        script = self.directory / "script"
        script.write_text("".join(f"{line}\n" for line in lines))
        return self.run("source-file", str(script))

    def expand(self, target: str, formats: list[str]) -> list[str]:
        """Return what formats expand to in a pane; none may give a newline."""
        found: list[str] = []
        for start in range(0, len(formats), WORDS_AT_ONCE):
            part = formats[start : start + WORDS_AT_ONCE]
            found += self.ask("display-message", "-p", "-t", target, "\t".join(part)).split("\t")
        return found


def source_words(server: PrivateTmux, pattern: str) -> set[str]:
    """Return the words that end a string in the server's own executable; empty where that cannot be read.

    A linker stores a string that is the tail of another only once, so tails that begin at a word's edge count too.
    """
    pid = server.ask("display-message", "-p", "#{pid}")
    try:
        maps = Path(f"/proc/{pid}/maps").read_text()
    except OSError:
        return set()
    # The loader may be the process's executable; tmux is mapped then.
    paths = {line.split(maxsplit=5)[5] for line in maps.splitlines() if line.endswith("/tmux")}
    # A look-ahead, so that the tails of what was found are found too.
    wanted = re.compile(rb"(?<![a-z0-9])(?=(" + pattern.encode() + rb")\0)")
    return {word.decode() for path in paths for word in wanted.findall(Path(path).read_bytes())}
