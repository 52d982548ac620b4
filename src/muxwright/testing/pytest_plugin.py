"""The pytest plugin: private tmux servers, terminals with a program in them, pictures and traces of what failed.

Each worker of a parallel run has a server of its own, and each terminal a session of its own.
"""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from muxwright import OwnedServer, Session
    from muxwright.testing.snapshots import ScreenSnapshots
    from muxwright.testing.terminals import Terminals

__all__ = ["screen_snapshot", "terminal", "tmux_server", "tmux_session"]

_SIZE = (80, 24)
_PACKAGE = Path(__file__).parents[1]
_report = pytest.StashKey[bool]()
_terminals = pytest.StashKey["Terminals"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("muxwright", "terminal programs")
    group.addoption(
        "--terminal-trace",
        choices=("off", "on", "on-failure"),
        default="on-failure",
        help="keep a trace of each test with a terminal: every action, wait and screen, with a page to step through",
    )
    group.addoption("--terminal-results", default="terminal-results", help="folder of traces and pictures")
    group.addoption("--terminal-update", action="store_true", help="write the screens that screen_snapshot compares")
    group.addoption("--terminal-tmux", default=None, help="the tmux to run (default: the one on PATH)")


@pytest.fixture(scope="session")
def tmux_server(request: pytest.FixtureRequest) -> Iterator[OwnedServer]:
    """A private tmux server of this worker; dead programs keep their last screen."""
    from muxwright import OwnedServer

    wanted = request.config.getoption("--terminal-tmux") or "tmux"
    if shutil.which(wanted) is None:
        pytest.fail(f"{wanted} was not found: install tmux 3.2a or newer, or give --terminal-tmux")
    with OwnedServer(tmux=wanted, configuration="set -g remain-on-exit on\nset -g status off\n") as server:
        yield server


@pytest.fixture
def tmux_session(tmux_server: OwnedServer) -> Iterator[Session]:
    """A session with a plain shell, 80x24; it ends with the test."""
    from muxwright import SessionNotFound

    session = tmux_server.new_session(shell_command="PS1='$ ' ENV= exec sh", size=_SIZE)
    yield session
    with contextlib.suppress(SessionNotFound):
        session.kill()


@pytest.fixture
def terminal(request: pytest.FixtureRequest, tmux_server: OwnedServer) -> Iterator[Terminals]:
    """Start programs: ``terminal(argv, size=(80, 24), environment={...}, directory=...)`` returns their pane."""
    from muxwright.testing.terminals import Terminals

    terminals = Terminals(tmux_server, request.node.nodeid)
    request.node.stash[_terminals] = terminals
    yield terminals
    try:
        _keep(request, terminals)
    finally:
        terminals.close()


@pytest.fixture
def screen_snapshot(request: pytest.FixtureRequest) -> ScreenSnapshots:
    """Compare a pane, a locator or a screen with a file below ``__screens__`` beside the test."""
    from muxwright.testing.snapshots import FOLDER, ScreenSnapshots

    path = Path(request.node.path)
    update = bool(request.config.getoption("--terminal-update"))
    return ScreenSnapshots(path.parent / FOLDER / path.stem, request.node.name, update=update)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Generator[None, Any, Any]:
    """Show the screens of a test that failed, in its report, and of our own frames nothing but the error."""
    if call.excinfo is not None and not item.config.getoption("fulltrace"):
        _cut_our_frames(call.excinfo)
    report = yield
    terminals = item.stash.get(_terminals, None)
    if call.when == "call" and terminals is not None:
        item.stash[_report] = report.failed
        if report.failed:
            told = str(call.excinfo.value) if call.excinfo is not None else ""
            # What a failed expectation has shown is not shown again.
            report.sections += [(f"terminal {name}", text) for name, text in terminals.shown() if text not in told]
            if item.config.getoption("--terminal-trace") != "off":
                report.sections.append(("terminal trace", str(_folder(item) / "index.html")))
    return report


def _cut_our_frames(error: pytest.ExceptionInfo[BaseException]) -> None:
    """Let the traceback of one of our errors end where the test, or a function of it that we called, called us."""
    from muxwright import MuxwrightError

    if not isinstance(error.value, MuxwrightError):
        return
    entry: TracebackType | None = error.tb
    last = error.tb
    while entry is not None:
        if not Path(entry.tb_frame.f_code.co_filename).is_relative_to(_PACKAGE):
            last = entry
        entry = entry.tb_next
    last.tb_next = None


def _folder(item: pytest.Item) -> Path:
    name = re.sub(r"[^\w.-]+", "-", item.nodeid).strip("-")[-120:]
    results: str = item.config.getoption("--terminal-results")
    return item.config.rootpath / results / name


def _keep(request: pytest.FixtureRequest, terminals: Terminals) -> None:
    wanted = request.config.getoption("--terminal-trace")
    if wanted == "on" or (wanted == "on-failure" and request.node.stash.get(_report, False)):
        folder = _folder(request.node)
        shutil.rmtree(folder, ignore_errors=True)
        terminals.trace.write(folder)
