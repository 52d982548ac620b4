"""The suite of the example program: it passes every time, and tells what is wrong when something is."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.outside import plain_environment

# A pytest of its own takes seconds on a busy machine.
pytestmark = pytest.mark.timeout(300)

TODO = Path(__file__).resolve().parents[2] / "examples" / "todo"


class Bug(NamedTuple):
    """A change of the program, a test that must find it, and what the failure must tell."""

    old: str
    new: str
    test: str
    told: str


BUGS = (
    Bug("self.at += 1", "self.at += 2", "test_moving and keys0", r"found text 'b?read|> \[ \] tea"),
    Bug("[{'x' if todo.done", "[{'*' if todo.done", "test_done and 0", r"\|> \[\*\] milk"),
    Bug("curses.COLOR_GREEN", "curses.COLOR_RED", "test_done and 0", r"'\[x\]', which is .*red"),
    Bug('self.message = "added"', 'self.message = "addded"', "test_adding and eggs", "4 open, 0 done  addded"),
    Bug("curses.curs_set(1 if app.asking else 0)", "", "test_the_cursor_stands", "expected <lambda> to hold"),
    Bug("self.todos.remove(shown[self.at])", "self.todos.pop(0)", "test_deleting and 2", r"\|> \[ \] tea"),
    Bug("if self.filter.lower() in", "if self.filter in", "test_filtering and MILK", "nothing here"),
    Bug("self.at = row - 2", "self.at = row - 1", "test_a_click_selects and bread", r"\|> \[ \] tea"),
    Bug(
        "open_ones = sum(not todo.done", "open_ones = sum(todo.done", "test_done and 0", "1 open, 2 done|0 open, 3 done"
    ),
    Bug(
        "curses.init_pair(2, curses.COLOR_YELLOW",
        "curses.init_pair(2, curses.COLOR_WHITE",
        "test_help",
        "is white on blue",
    ),
    Bug("app = App(", "raise SystemError('boom')\n    app = App(", "test_no_todos", "SystemError: boom"),
)


def run(folder: Path, *options: str) -> tuple[int, str]:
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(folder)]
    done = subprocess.run(
        argv, cwd=folder, env=plain_environment(), capture_output=True, text=True, check=False, timeout=280
    )
    return done.returncode, done.stdout + done.stderr


def copy(tmp_path: Path, bug: Bug | None = None) -> Path:
    folder = tmp_path / "todo"
    shutil.copytree(TODO, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "pytest.ini").touch()
    if bug is not None:
        program = folder / "todo.py"
        text = program.read_text()
        assert text.count(bug.old) == 1, f"{bug.old!r} is no longer in the example"
        program.write_text(text.replace(bug.old, bug.new))
    return folder


def check(tmp_path: Path, bug: Bug) -> None:
    status, output = run(copy(tmp_path, bug), "-k", bug.test)
    assert status == 1, output
    assert re.search(bug.told, output), output
    assert "  +-----" in output  # the last screen
    assert "index.html" in output


def test_the_suite_in_parallel(tmp_path: Path) -> None:
    status, output = run(copy(tmp_path), "-n2", "-k", "test_deleting")
    assert status == 0, output
    assert "4 passed" in output


@pytest.mark.parametrize("bug", BUGS[:1], ids=lambda bug: bug.test)
def test_a_bug_is_told(tmp_path: Path, bug: Bug) -> None:
    check(tmp_path, bug)


@pytest.mark.soak
@pytest.mark.parametrize("bug", BUGS[1:], ids=lambda bug: f"{bug.test}: {bug.new}")
def test_every_bug_is_told(tmp_path: Path, bug: Bug) -> None:
    check(tmp_path, bug)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_the_suite_passes_20_times_in_a_row(tmp_path: Path) -> None:
    folder = copy(tmp_path)
    for number in range(20):
        status, output = run(folder, "-n4")
        assert status == 0, f"run {number}: {output}"
        assert "60 passed" in output
