"""Everything that README, guide and examples show runs as shown.

A ```python block is a whole program; a ```text block right after it is its output (``...`` stands for anything). A
block that cannot run has ``<!-- no-test: reason -->`` on the line before it. In ```console blocks the make targets and
the verbs of the command have to exist.
"""

from __future__ import annotations

import contextlib
import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from muxwright import OwnedServer
from muxwright.cli import VERBS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md")), ROOT / "docs" / "mcp" / "README.md"]
LINKED = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NO_TEST = re.compile(r"<!-- no-test: (.+?) -->\s*\Z")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")


class Block(NamedTuple):
    """A fenced block of a page; `expected` is the output shown after it."""

    page: str
    line: int
    language: str
    text: str
    skip: str | None
    expected: str | None


def blocks(path: Path) -> list[Block]:
    text = path.read_text(encoding="utf-8")
    found = []
    fences = list(FENCE.finditer(text))
    for number, fence in enumerate(fences):
        after = fences[number + 1] if number + 1 < len(fences) else None
        is_output = after is not None and after[1] == "text" and not text[fence.end() : after.start()].strip()
        skip = NO_TEST.search(text[: fence.start()])
        found.append(
            Block(
                page=str(path.relative_to(ROOT)),
                line=text.count("\n", 0, fence.start()) + 1,
                language=fence[1],
                text=fence[2],
                skip=skip[1] if skip else None,
                expected=after[2] if after is not None and is_output else None,
            )
        )
    return found


BLOCKS = [block for page in PAGES for block in blocks(page)]
PROGRAMS = [block for block in BLOCKS if block.language == "python"]
COMMANDS = [
    (f"{block.page}:{block.line}", line.removeprefix("$ "))
    for block in BLOCKS
    if block.language == "console"
    for line in block.text.splitlines()
    if line.startswith("$ ")
]


@pytest.fixture
def surroundings(base_dir: Path, tmux_executable: str) -> Iterator[dict[str, str]]:
    """An environment in which a program finds the tmux under test, and no server but its own."""
    place = Path(tempfile.mkdtemp(dir=base_dir))
    tools = place / "bin"
    tools.mkdir()
    # A script and not a link: a tmux that was unpacked somewhere finds its libraries beside itself.
    (tools / "tmux").write_text(f'#!/bin/sh\nexec {shlex.quote(tmux_executable)} "$@"\n')
    (tools / "tmux").chmod(0o755)
    installed = Path(sys.executable).parent  # where the `muxwright` command is
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(tools), str(installed), os.environ.get("PATH", os.defpath)]),
        "HOME": str(place),
        "TMUX_TMPDIR": str(place),
        "PYTHONWARNINGS": "error",
        "PYTHONIOENCODING": "utf-8",
    }
    yield environment
    for socket in place.glob("tmux-*/*"):
        with contextlib.suppress(subprocess.CalledProcessError):
            subprocess.run([tmux_executable, "-S", str(socket), "kill-server"], check=True, capture_output=True)
    shutil.rmtree(place)


def run(arguments: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=environment["HOME"],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=40,
        check=False,
    )


def compare(expected: str, got: str) -> None:
    checker, flags = doctest.OutputChecker(), doctest.ELLIPSIS
    example = doctest.Example("", expected)
    assert checker.check_output(expected, got, flags), checker.output_difference(example, got, flags)


@pytest.mark.live
@pytest.mark.parametrize("block", PROGRAMS, ids=lambda block: f"{block.page}:{block.line}")
def test_a_python_block_runs_as_shown(block: Block, surroundings: dict[str, str]) -> None:
    if block.skip is not None:
        pytest.skip(block.skip)
    done = run(["-c", block.text], surroundings)
    assert (done.returncode, done.stderr) == (0, "")
    if block.expected is None:
        assert done.stdout == "", "the page does not show what this prints"
    else:
        compare(block.expected, done.stdout)


def test_the_pages_show_programs() -> None:
    shown = {block.page for block in PROGRAMS}
    assert {"README.md", "docs/guide/getting-started.md"} <= shown
    assert sum("async def" in block.text for block in PROGRAMS if block.page == "README.md") == 1


def test_every_output_block_belongs_to_a_program() -> None:
    shown = [block.page for block in BLOCKS if block.language == "text"]
    compared = [block.page for block in PROGRAMS if block.expected is not None]
    assert shown == compared


@pytest.mark.parametrize(("where", "line"), COMMANDS, ids=[f"{where} {line}" for where, line in COMMANDS])
def test_a_console_line_names_what_exists(where: str, line: str) -> None:
    words = shlex.split(line)
    if words[0] == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        targets = {word for line in re.findall(r"^\.PHONY:(.*)$", makefile, re.MULTILINE) for word in line.split()}
        assert {word for word in words[1:] if "=" not in word} <= targets
    else:
        assert words[0] == "muxwright", f"{where}: nothing checks {line!r}"
        assert words[1] in VERBS


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


# --- examples/ ---


def test_every_example_is_tested() -> None:
    assert [path.stem for path in EXAMPLES] == [
        "attach_to_running",
        "cancel_wait",
        "capture_pane",
        "follow_log",
        "hello",
        "hello_async",
        "observe_output",
        "run_and_report",
        "run_in_ten_panes",
        "server_tree",
        "shared_windows",
        "workspace_load",
    ]


def leftovers(environment: dict[str, str]) -> list[str]:
    """What a program left where private servers and sockets are made."""
    return sorted(path.name for path in Path(environment["XDG_RUNTIME_DIR"]).iterdir())


@pytest.fixture
def audited(surroundings: dict[str, str]) -> dict[str, str]:
    """The surroundings, with a place of their own for private servers."""
    place = Path(surroundings["HOME"]) / "run"
    place.mkdir(mode=0o700)
    return {**surroundings, "XDG_RUNTIME_DIR": str(place)}


@pytest.mark.live
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "capture_pane",
            """\
screen:
  line 4
  line 5
  line 6
  done
with history:
  line 1
  line 2
  line 3
  line 4
  line 5
  line 6
  done
""",
        ),
        ("observe_output", "observed terminal echo: λ pipe 26\n"),
        (
            "follow_log",
            "[fetch] done\n[build] done\n[test] done\n[deploy] ERROR: no space left\n"
            "stopped by 'ERROR: no space left', seen in its output\n",
        ),
        ("cancel_wait", "cancelled\nsignalled\n1 control client\n"),
        ("shared_windows", "2 sessions\n2 windows\n3 links\n3 panes\n5 occurrences\n"),
        (
            "run_and_report",
            "0: ['no newline at the end']\n7: ['3']\n1: []\n0: ['42']\ndeadline running\ngot 42\n",
        ),
        ("run_in_ten_panes", "".join(f"{number} pane {number}\n" for number in range(10))),
        ("workspace_load", "Loaded 1 window and 2 panes; frozen names, layout, paths and focus\n"),
        ("attach_to_running", "attached to work as one of 1 clients\ndetached; kept: work\nkept: nothing\n"),
    ],
)
def test_an_example_prints_and_leaves_nothing(name: str, expected: str, audited: dict[str, str]) -> None:
    done = run([str(ROOT / "examples" / f"{name}.py")], audited)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", expected)
    assert leftovers(audited) == []


@pytest.mark.live
def test_example_attach_to_running_keeps_a_server_that_is_not_its_own(
    audited: dict[str, str], tmux_executable: str
) -> None:
    program = str(ROOT / "examples" / "attach_to_running.py")
    with OwnedServer(tmux=tmux_executable) as server:
        server.new_session("api")
        before = server.snapshot()
        done = run([program, server.socket_path], audited)
        after = server.snapshot()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "attached to api as one of 1 clients\ndetached; kept: api\nkept: the server, which is not ours\n"
    )
    assert after.identity == before.identity
    assert [pane.id for pane in after.panes] == [pane.id for pane in before.panes]
    assert len(after.clients) == 0
    # The server is gone now: one line, nothing started, nothing left.
    done = run([program, server.socket_path], audited)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("attach_to_running: ")
    assert leftovers(audited) == []


@pytest.mark.live
def test_example_hello(surroundings: dict[str, str]) -> None:
    done = run([str(ROOT / "examples" / "hello.py")], surroundings)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("hello from tmux 7\n")
    assert done.stdout.count("\n") == 1


@pytest.mark.live
def test_example_hello_async(surroundings: dict[str, str]) -> None:
    done = run([str(ROOT / "examples" / "hello_async.py")], surroundings)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "pane 1\npane 2\npane 3\n"


@pytest.mark.live
def test_example_server_tree(surroundings: dict[str, str], tmux_executable: str) -> None:
    program = str(ROOT / "examples" / "server_tree.py")
    with OwnedServer(tmux=tmux_executable) as server:
        session = server.new_session("a session", window_name="first")
        session.new_window("second").active_pane().split("below")
        done = run([program, server.socket_path], surroundings)
    assert (done.returncode, done.stderr) == (0, "")
    head, *rest = done.stdout.splitlines()
    assert head.endswith(server.socket_path)
    assert [line.partition(" pid ")[0] for line in rest] == [
        "  a session",
        "    0: first*",
        "      %0 160x48",
        "    1: second",
        "      %1 160x24",
        "      %2 160x23",
    ]
    # Without a server the usual one is asked, here of a private place.
    done = run([program], surroundings)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("server_tree: ")
    assert done.stderr.count("\n") == 1
