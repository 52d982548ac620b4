"""``muxwright run`` and ``muxwright trace``, as a person would run them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from muxwright import OwnedServer
from muxwright.testing import expect
from muxwright.testing.trace import Trace, TracedHost

MUXWRIGHT = str(Path(sys.executable).with_name("muxwright"))


@pytest.fixture
def shell(server: OwnedServer) -> str:
    session = server.new_session("shell", shell_command="PS1='% ' ENV= exec sh", size=(60, 6))
    expect(session.active_pane()).to_have_text("%")
    return "shell"


def run(*words: str) -> tuple[int, str, str]:
    done = subprocess.run([MUXWRIGHT, *words], capture_output=True, check=False, timeout=40, text=True)
    return done.returncode, done.stdout, done.stderr


def test_run_prints_the_output_and_exits_with_the_status(server: OwnedServer, shell: str) -> None:
    at = ["-S", server.socket_path, shell]
    assert run("run", *at, "--", "printf", "%s\\n", "a  b;'c'") == (0, "a  b;'c'\n", "")
    assert run("run", *at, "--shell", "--", "echo $((6 * 7)); exit 3")[:2] == (3, "42\n")
    status, output, errors = run("run", *at, "-t", "0.5", "--", "sleep", "30")
    assert (status, output) == (124, "")
    assert "deadline" in errors
    assert run("run", "-S", server.socket_path, "nobody", "--", "true")[0] == 125


def test_a_trace_is_shown_with_the_screen_that_failed(server: OwnedServer, shell: str, tmp_path: Path) -> None:
    trace = Trace("it")
    with server.connect() as connection:
        pane = TracedHost(connection, trace).pane(server.get_session(shell).active_pane().ref)
        pane.send_text("echo x")
        with pytest.raises(AssertionError):
            expect(pane.get_by_text("never")).to_be_visible(timeout=0.2)
    trace.write(tmp_path / "trace")
    status, output, _ = run("trace", "show", str(tmp_path / "trace"))
    assert status == 0
    assert "send_text" in output and "ExpectFailed" in output
    assert "|% echo x" in output
    assert "the screen after step 1" in output
    assert run("trace", "show", str(tmp_path))[0] == 3
