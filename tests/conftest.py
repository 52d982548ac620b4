"""What holds for every test: a plain environment, one base directory, nothing left behind.

The environment is set on import, before any test module is, so that no collected module can see the user's server.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.support.outside import processes_naming

SEED = int(os.environ.get("MUXWRIGHT_SEED", "1"))
GRACE = 5.0  # seconds: a server that was told to exit is given this long before it counts as left behind

# Short and directly below /tmp: a socket path has about 100 bytes, and macOS has a long TMPDIR.
BASE = Path("/tmp") / f"mxw-{secrets.token_hex(4)}"

os.environ.update(
    ENV="/dev/null",
    BASH_ENV="/dev/null",
    SHELL="/bin/sh",
    TMUX_TMPDIR=str(BASE),  # named sockets (-L)
    XDG_RUNTIME_DIR=str(BASE),  # private directories of owned servers
)
for name in ("TMUX", "TMUX_PANE"):
    os.environ.pop(name, None)

# How fast a machine is says nothing about the code. The normal run draws the same examples every time, `make soak` many
# more, by its seed.
settings.register_profile(
    "common", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.register_profile("muxwright", settings.get_profile("common"), derandomize=True, max_examples=40)
settings.register_profile("soak", settings.get_profile("common"), max_examples=2000)
settings.load_profile("muxwright")

_leftovers = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def base_dir() -> Path:
    """The directory of this run: sockets and private directories go below it and are gone at the end."""
    return BASE


@pytest.fixture(scope="session")
def tmux_executable() -> str:
    """The tmux under test: MUXWRIGHT_TEST_TMUX, or the one on PATH."""
    wanted = os.environ.get("MUXWRIGHT_TEST_TMUX", "tmux")
    found = shutil.which(wanted)
    if found is None:
        pytest.fail(
            f"{wanted} was not found: install tmux 3.2a or newer "
            "(Debian and Ubuntu: apt install tmux; macOS: brew install tmux)"
        )
    return found


@pytest.fixture(scope="session")
def seed() -> int:
    """The seed of every random choice in a test (MUXWRIGHT_SEED, printed in the header)."""
    return SEED


def pytest_configure() -> None:
    BASE.mkdir(mode=0o700)


def pytest_unconfigure() -> None:
    shutil.rmtree(BASE, ignore_errors=True)


def pytest_report_header() -> str:
    tmux = shutil.which(os.environ.get("MUXWRIGHT_TEST_TMUX", "tmux"))
    version = (
        subprocess.run([tmux, "-V"], capture_output=True, text=True, check=False, timeout=10).stdout.strip()
        if tmux
        else "no tmux"
    )
    return f"muxwright: {version} ({tmux}), base directory {BASE}, MUXWRIGHT_SEED={SEED}"


# The leak check. It reads the process table instead of asking muxwright: the code under test cannot vouch for itself.
# Hooks and not a fixture: a failing fixture would be charged to whichever test happens to run last.


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    deadline = time.monotonic() + GRACE
    while (processes := processes_naming(str(BASE))) and time.monotonic() < deadline:
        time.sleep(0.02)  # why: the exit of a process that is not our child cannot be waited for
    found = [f"process {pid}: {what}" for pid, what in processes.items()]
    found += [f"path {path}" for path in _paths()]
    session.config.stash[_leftovers] = found + session.config.stash.get(_leftovers, [])
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["leftovers"] = found
    for pid in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if session.config.stash[_leftovers] and session.exitstatus in (
        pytest.ExitCode.OK,
        pytest.ExitCode.NO_TESTS_COLLECTED,
    ):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker of pytest-xdist found; each has a base directory of its own."""
    found = getattr(node, "workeroutput", {}).get("leftovers", [])
    node.config.stash[_leftovers] = node.config.stash.get(_leftovers, []) + found


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    found = config.stash.get(_leftovers, [])
    if found:
        terminalreporter.section("left behind by the tests (removed now)", red=True)
        for line in found:
            terminalreporter.line(line, red=True)


def _paths() -> list[Path]:
    """What is below the base directory, but for tmux's own directory of named sockets, which tmux never removes."""
    sockets = BASE / f"tmux-{os.getuid()}"
    return sorted(path for path in BASE.rglob("*") if path != sockets)
