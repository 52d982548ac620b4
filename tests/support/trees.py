"""What a loaded session looks like from outside, as plain data: our loads and tmuxp's are compared by it."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.support.judge import Judge

__all__ = ["FILES", "HOME", "SIZE", "TREES", "WORD", "prepare", "tree_of"]

FILES = Path(__file__).parent.parent / "live" / "data" / "tmuxp"
"""Example files, one for each thing that tmuxp documents."""

TREES = FILES / "trees"
"""What tmuxp made of them: one file for each version of tmux."""

SIZE = (120, 40)
WORD = "word"
HOME = "HOME"
"""What stands in a tree for the directory that the files were in."""

_PANE = (
    "window_index", "pane_index", "pane_left", "pane_top", "pane_width", "pane_height", "pane_active",
    "pane_current_command", "pane_pid", "pane_current_path",
)  # fmt: skip
_GLOBAL = ("repeat-time", "status-left")
_VARIABLES = ("EDITOR", "FROM", "OF_WINDOW", "OF_PANE")
_OURS = ("@muxwright", "default-size")  # tmuxp pins the size for ever, a load of ours does not


def prepare(directory: Path) -> None:
    """Copy the files to a directory, with what they name."""
    for path in FILES.iterdir():
        if path.is_file():
            shutil.copy(path, directory)
    (directory / "place" / "sub").mkdir(parents=True)
    (directory / "script").write_text("#!/bin/sh\nexit 0\n")
    (directory / "script").chmod(0o700)


def tree_of(judge: Judge, session: str, directory: Path) -> list[str]:
    """Return the windows, panes, options and variables of a session, a line each."""
    target = f"={session}:"
    lines = []
    for line in judge.lines("list-windows", "-t", target, "-F", "#{window_index} #{window_active} #{window_name}"):
        index, active, name = line.split(" ", 2)
        options = _options(judge, "-w", "-t", f"={session}:{index}")
        named = f"name {name}" if "automatic-rename off" in options else "no name"
        lines.append(f"window {index} active {active} {named}")
        lines += [f"window {index} option {option}" for option in options]
    for line in judge.lines("list-panes", "-s", "-t", target, "-F", " ".join(f"#{{{name}}}" for name in _PANE)):
        window, number, left, top, width, height, active, program, pid, path = line.split(" ", len(_PANE) - 1)
        what = [f"at {left},{top} {width}x{height}", f"active {active}", f"program {program}", f"in {path}"]
        lines += [f"pane {window}.{number} {words}" for words in what + _variables(pid)]
    lines += [f"option {option}" for option in _options(judge, "-t", target)]
    lines += [f"global option {name} {judge('show-options', '-g', '-v', name)}" for name in _GLOBAL]
    variables = sorted(judge.lines("show-environment", "-t", target))
    lines += [f"variable {line}" for line in variables if line[:1] not in ("", "-")]
    return [line.replace(str(directory), HOME) for line in lines]


def _options(judge: Judge, *where: str) -> list[str]:
    return sorted(line for line in judge.lines("show-options", *where) if line and not line.startswith(_OURS))


def _variables(pid: str) -> list[str]:
    """Return what we asked for of a process's environment; it is empty for a moment while the program starts."""
    try:
        entries = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    except OSError:
        return []
    return sorted(entry for entry in entries if entry.partition("=")[0] in _VARIABLES)
