"""The pytest plugin, used as its users do: a folder of tests, pytest in a process of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.outside import plain_environment

# A pytest of its own takes seconds on a busy machine.
pytestmark = pytest.mark.timeout(300)

TESTS = """
import asyncio
import sys
import pytest
from muxwright import AsyncServer
from muxwright.testing import expect

PROGRAM = "import sys; print('hello', sys.argv[1], flush=True); input(); print('bye')"

@pytest.fixture
def hello(terminal):
    return terminal([sys.executable, "-c", PROGRAM, "you"], size=(30, 5))
"""


@pytest.fixture
def suite(tmp_path: Path, tmux_executable: str) -> Suite:
    return Suite(tmp_path, tmux_executable)


class Suite:
    """A folder with one file of tests."""

    def __init__(self, folder: Path, tmux: str) -> None:
        self.folder = folder
        self.tmux = tmux
        (folder / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n")

    def run(self, tests: str, *options: str) -> tuple[int, str]:
        (self.folder / "test_it.py").write_text(TESTS + tests)
        argv = [sys.executable, "-m", "pytest", "-q", f"--terminal-tmux={self.tmux}", *options]
        # pytest's summary repeats each message in full where these are set.
        env = {name: value for name, value in plain_environment().items() if name not in ("CI", "BUILD_NUMBER")}
        done = subprocess.run(argv, cwd=self.folder, env=env, capture_output=True, text=True, check=False, timeout=50)
        return done.returncode, done.stdout + done.stderr

    @property
    def results(self) -> Path:
        return self.folder / "terminal-results"


def test_terminals_sessions_and_servers(suite: Suite) -> None:
    status, output = suite.run(
        """
def test_terminal(hello):
    expect(hello.get_by_text("hello you")).to_be_visible()
    assert hello.screen().size == (30, 5)
    hello.send_keys("Enter")
    assert hello.wait_for_exit().exit_status in (0, None)
    assert "bye" in hello.screen()

def test_several_terminals(terminal):
    panes = [terminal(["sh", "-c", f"echo number {n}; read x"]) for n in range(3)]
    for number, pane in enumerate(panes):
        expect(pane).to_have_text(f"number {number}")

def test_a_shell(tmux_session):
    pane = tmux_session.active_pane()
    pane.wait_ready()
    assert pane.run("echo $((6 * 7))").output.strip() == "42"

def test_async(tmux_server, tmux_session):
    async def body():
        server = AsyncServer(socket_path=tmux_server.socket_path)
        pane = server.pane(tmux_session.active_pane().ref)
        await pane.wait_ready()
        await pane.send_text("echo as$((1))ync")
        await pane.send_keys("Enter")
        await expect(pane.get_by_text("as1ync")).to_be_visible()
    asyncio.run(body())

def test_the_server_is_private(tmux_server, tmux_session):
    assert tmux_server.pid
    assert len(tmux_server.snapshot().sessions) == 1
"""
    )
    assert status == 0, output
    assert not suite.results.exists()


def test_a_failure_shows_the_screen_and_leaves_a_trace(suite: Suite) -> None:
    status, output = suite.run(
        """
def test_fails(hello):
    expect(hello.get_by_text("hello you")).to_be_visible()
    hello.send_keys("x")
    expect(hello.get_by_text("hullo you")).to_be_visible(timeout=0.3)
"""
    )
    assert status == 1
    assert "row 0 has 'hello you'" in output
    # The screen is shown once, in the message, and of our own code nothing.
    assert output.count("|hello you                     |") == 1
    assert not re.search(r"-+ terminal %\d+ -+", output)
    assert "expectation.py" not in output
    (folder,) = suite.results.iterdir()
    assert str(folder / "index.html") in output
    data = json.loads((folder / "trace.json").read_text())
    names = [step["name"] for step in data["steps"]]
    assert names[-2:] == ["send_keys", "expect"]
    assert data["steps"][-1]["error"].startswith("ExpectFailed: expected text 'hullo you' to be visible")
    assert data["steps"][-1]["screen"] is not None
    assert "hello you" in (folder / f"screen-{data['steps'][-1]['screen']:03}.txt").read_text()
    page = (folder / "index.html").read_text()
    assert "send_keys" in page and "test_fails" in page


@pytest.mark.parametrize(("mode", "kept"), [("off", False), ("on", True)])
def test_traces_can_be_kept_always_or_never(suite: Suite, mode: str, kept: bool) -> None:
    tests = """
def test_it(hello):
    expect(hello).to_have_text("hello")
"""
    assert suite.run(tests, f"--terminal-trace={mode}")[0] == 0
    assert suite.results.exists() is kept


def test_snapshots_are_written_compared_and_updated(suite: Suite) -> None:
    tests = """
def test_it(hello, screen_snapshot):
    expect(hello).to_have_text("hello")
    screen_snapshot(hello)
    screen_snapshot(hello.get_by_text("you"), "name")

def test_it_again(hello, screen_snapshot):
    expect(hello).to_have_text("hello")
    screen_snapshot(hello)
"""
    status, output = suite.run(tests)
    assert status == 1
    assert "write it with --terminal-update" in output
    assert suite.run(tests, "--terminal-update")[0] == 0
    kept = suite.folder / "__screens__" / "test_it" / "test_it-0.txt"
    assert "|hello you                     |" in kept.read_text()
    kept.write_text(kept.read_text().replace("hello", "hullo"))
    status, output = suite.run(tests)
    assert status == 1
    assert "1 failed, 1 passed" in output
    assert "-  |hullo you                     |" in output
    assert "+  |hello you                     |" in output


def test_a_snapshot_waits_for_its_screen(suite: Suite) -> None:
    tests = """
def test_it(terminal, screen_snapshot):
    pane = terminal(["sh", "-c", "read x; sleep 0.3; echo first; sleep 0.3; echo then; read x"], size=(20, 4))
    pane.send_keys("Enter")
    if screen_snapshot.update:
        expect(pane).to_have_text("then")
    screen_snapshot(pane.row(2))
    screen_snapshot(pane)
"""
    status, output = suite.run(tests, "--terminal-update")
    assert status == 0, output
    assert "|then" in (suite.folder / "__screens__" / "test_it" / "test_it-1.txt").read_text()
    status, output = suite.run(tests)
    assert status == 0, output


def test_workers_have_servers_of_their_own(suite: Suite) -> None:
    pytest.importorskip("xdist")
    status, output = suite.run(
        """
@pytest.mark.parametrize("number", range(4))
def test_it(terminal, tmux_server, number):
    pane = terminal(["sh", "-c", f"echo {number}; read x"])
    expect(pane).to_have_text(str(number))
    assert len(tmux_server.snapshot().sessions) == 1
""",
        "-n2",
    )
    assert status == 0, output
    assert "4 passed" in output
