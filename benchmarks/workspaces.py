"""Loading workspaces: our command against tmuxp's and against tmux reading one file of commands."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import peers
from benchmarks.measure import Block, Claim, Comparison, Effort, measure

__all__ = ["loading"]

START = 0.3
"""Seconds that a slow shell takes to start."""


class _Place:
    """A directory with a file for each contender; every load gets a server of its own."""

    def __init__(self, directory: Path, windows: int, panes: int) -> None:
        self.directory = directory
        self.panes = windows * panes
        rows = [
            f"- {{window_name: w{n}, layout: tiled, panes: [{', '.join(['echo 1'] * panes)}]}}" for n in range(windows)
        ]
        (directory / "file.yaml").write_text("session_name: b\nwindows:\n" + "\n".join(rows) + "\n")
        (directory / "commands").write_text(_commands(windows, panes))
        (directory / "slow").write_text(f"sleep {START}\n")
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("TMUX", "TMUX_PANE", "PYTHONDONTWRITEBYTECODE")
        }
        # Each program is compiled by the first, unmeasured turn.
        self.environment |= {
            "SHELL": "/bin/sh",
            "ENV": "/dev/null",
            "HOME": str(directory),
            "PYTHONPYCACHEPREFIX": str(directory / "py"),
        }

    def load(self, words: list[str], slow: bool = False) -> float:
        """Run one load on a fresh server; check that all panes are there, and end the server."""
        environment = self.environment | ({"ENV": str(self.directory / "slow")} if slow else {})
        with _socket(self.directory) as socket:
            started = time.perf_counter()
            subprocess.run([word.format(s=socket) for word in words], env=environment, check=True, capture_output=True)
            seconds = time.perf_counter() - started
            listed = subprocess.run(
                ["tmux", "-S", socket, "list-panes", "-s", "-t", "=b:"], check=True, capture_output=True
            )
            assert listed.stdout.count(b"\n") == self.panes, "not all panes were made"
            return seconds


@contextmanager
def _socket(directory: Path) -> Iterator[str]:
    path = str(directory / f"s{time.monotonic_ns()}")
    try:
        yield path
    finally:
        subprocess.run(["tmux", "-S", path, "kill-server"], check=False, capture_output=True)


def _commands(windows: int, panes: int) -> str:
    lines = ["new-session -d -s b -x 160 -y 48 -n w0"]
    for number in range(windows):
        window = f"b:w{number}"
        if number:
            lines.append(f"new-window -d -t b: -n w{number}")
        lines += [f"split-window -d -t {window} ; select-layout -t {window} tiled"] * (panes - 1)
        lines += [f"send-keys -t {window}.{pane} ' echo 1' Enter" for pane in range(panes)]
    return "\n".join(lines) + "\n"


def _block(place: _Place, words: list[str]) -> Block:
    return lambda operations: [place.load(words) for _ in range(operations)]


def loading(effort: Effort, sizes: tuple[tuple[int, int], ...] = ((1, 1), (10, 4), (30, 4))) -> list[Comparison]:
    """Whole processes."""
    return [*(_size(effort, windows, panes) for windows, panes in sizes), _slow_shell(effort)]


def _size(effort: Effort, windows: int, panes: int) -> Comparison:
    ours, raw, theirs = "muxwright load", "tmux source-file", "tmuxp load -d"
    large = (windows, panes) == (10, 4)
    comparison = Comparison(
        f"load {windows}x{panes}",
        f"Loading {windows} windows with {panes} panes each, shells included",
        (
            Claim(f"load {windows}x{panes}", "at most", ours, raw, 3 if large else None),
            Claim(f"load {windows}x{panes}", "faster", ours, theirs, 6 if large else None),
        ),
    )
    with tempfile.TemporaryDirectory(prefix="mxwb-", dir="/tmp") as name:
        place = _Place(Path(name), windows, panes)
        file, commands = str(place.directory / "file.yaml"), str(place.directory / "commands")
        command = str(Path(sys.executable).parent / "muxwright")
        contenders = {
            ours: [command, "load", file, "-S", "{s}"],
            raw: ["tmux", "-f", "/dev/null", "-S", "{s}", "start-server", ";", "source-file", commands],
            theirs: [peers.command("tmuxp"), "load", "-d", "-S", "{s}", file],
        }
        measure(comparison, {label: _block(place, words) for label, words in contenders.items()}, effort)
    return comparison


def _slow_shell(effort: Effort) -> Comparison:
    """All shells start at the same time, so a slow one costs what it takes once."""
    quick, slow = "muxwright load", f"muxwright load, less the {START:g} s that each shell takes to start"
    comparison = Comparison(
        "load 10x4 slow shell",
        f"Loading 10 windows with 4 panes each, whose shells take {START:g} s to start",
        (Claim("load 10x4 slow shell", "at most", slow, quick, 1.5),),
    )
    with tempfile.TemporaryDirectory(prefix="mxwb-", dir="/tmp") as name:
        place = _Place(Path(name), 10, 4)
        words = [
            str(Path(sys.executable).parent / "muxwright"),
            "load",
            str(place.directory / "file.yaml"),
            "-S",
            "{s}",
        ]
        blocks: dict[str, Block] = {
            quick: _block(place, words),
            slow: lambda operations: [place.load(words, slow=True) - START for _ in range(operations)],
        }
        measure(comparison, blocks, effort)
    return comparison
