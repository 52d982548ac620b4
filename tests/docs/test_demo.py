"""The command itself and ``muxwright demo``: what a newcomer sees first, and what is left afterwards."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

from muxwright import __version__

MAIN = "import sys; from muxwright.cli import main; sys.exit(main())"
WITHOUT = "import sys; sys.modules[{!r}] = None\n" + MAIN


@pytest.fixture
def environment(base_dir: Path, tmux_executable: str) -> Iterator[dict[str, str]]:
    """The demo's directories go below a directory of this test, which must be empty afterwards."""
    with tempfile.TemporaryDirectory(dir=base_dir) as place:
        plain = {
            name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")
        }
        yield plain | {
            "MUXWRIGHT_TEST_TMUX": tmux_executable,
            "XDG_RUNTIME_DIR": place,
            "TMPDIR": place,
            "PYTHONIOENCODING": "utf-8",
        }
        assert os.listdir(place) == []


def run(*words: str, env: dict[str, str] | None = None, code: str = MAIN) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=40,
        check=False,
    )


@pytest.mark.live
def test_demo_shows_true_results_on_a_plain_stream(environment: dict[str, str]) -> None:
    done = run("demo", env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\033" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    for expected in ("λ → ∞  naïve café  Привет  端末", "│42 ", "│%end 1 2 1 ", "100 of 100 later answers right"):
        assert expected in done.stdout
    assert done.stdout.count("✓") == 4
    assert "✗" not in done.stdout
    assert re.search(r"\d+  round trips over the connection", done.stdout)


@pytest.mark.live
def test_demo_where_the_stream_takes_ascii_only(environment: dict[str, str]) -> None:
    done = run("demo", env=environment | {"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()


@pytest.mark.live
def test_demo_writes_a_picture_that_needs_nothing_else(environment: dict[str, str], base_dir: Path) -> None:
    picture = base_dir / "demo.svg"
    try:
        assert run("demo", "--svg", str(picture), env=environment).returncode == 0
        text = picture.read_text(encoding="utf-8")
    finally:
        picture.unlink(missing_ok=True)
    ET.fromstring(text)
    assert "url(http" not in text
    assert "@font-face" not in text
    assert len(text.encode()) < 150_000


@pytest.mark.live
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_the_demo_quietly_and_nothing_is_left(
    environment: dict[str, str], number: signal.Signals, status: int
) -> None:
    place = Path(environment["TMPDIR"])
    process = subprocess.Popen(
        [sys.executable, "-c", f"import signal; signal.signal(2, signal.default_int_handler)\n{MAIN}", "demo"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        while not list(place.glob("muxwright-*/s")):
            assert process.poll() is None
            time.sleep(0.002)  # why: the appearance of another process's socket cannot be waited for
        process.send_signal(number)
        _, stderr = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == status
    assert "Traceback" not in stderr


def test_version() -> None:
    assert run("--version").stdout == f"muxwright {__version__}\n"


def test_help_lists_every_verb_without_loading_one() -> None:
    code = f"import sys; sys.modules['rich'] = None\n{MAIN}"
    done = run("--help", code=code)
    assert (done.returncode, done.stderr) == (0, "")
    assert "demo " in done.stdout


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_a_missing_extra_gives_one_line(missing: str) -> None:
    done = run("demo", code=WITHOUT.format(missing))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "the muxwright command needs: pip install 'muxwright[cli]'\n"


def test_a_missing_tmux_gives_one_line() -> None:
    done = run("demo", "--tmux", "no-such-tmux")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("muxwright: 'no-such-tmux' was not found: install tmux")
    assert done.stderr.count("\n") == 1


def test_wrong_usage() -> None:
    done = run("no-such-verb")
    assert (done.returncode, done.stdout) == (2, "")
    assert "No such command 'no-such-verb'" in done.stderr
