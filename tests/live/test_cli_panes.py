"""The verbs about panes, run as a person would run them."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from muxwright import OwnedServer
from muxwright.testing import expect
from tests.support.verbs import run_here

MUXWRIGHT = str(Path(sys.executable).with_name("muxwright"))


@pytest.fixture
def shell(server: OwnedServer) -> str:
    """A session "shell" with an interactive shell; its prompt is there."""
    session = server.new_session("shell", window_name="w", shell_command="PS1='% ' exec sh", size=(40, 6))
    expect(session.active_pane()).to_have_text("%")
    return "shell"


def run(server: OwnedServer, *words: str, status: int = 0, process: bool = False) -> str:
    command = [words[0], "-S", server.socket_path, *words[1:]]
    if process:
        done = subprocess.run([MUXWRIGHT, *command], capture_output=True, check=False, timeout=40, text=True)
    else:
        done = run_here(command, Path.cwd(), os.environ)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def test_send_wait_and_screenshot(server: OwnedServer, shell: str, tmp_path: Path) -> None:
    run(server, "send", "shell", "printf '\\033[41mred\\033[0m%s\\n' $((6*7))", "--enter", process=True)
    assert run(server, "wait", "shell", "red42", "-t", "10", process=True) == "red42\n"
    assert "red42" in run(server, "screenshot", "shell:0", "-f", "txt", process=True)
    assert "\033[0;41mred" in run(server, "screenshot", "shell:0.0")
    for kind in ("svg", "png", "html", "json"):
        run(server, "screenshot", "shell", "-o", str(tmp_path / f"picture.{kind}"), "--window")
    ElementTree.parse(tmp_path / "picture.svg")
    assert "background:#" in (tmp_path / "picture.html").read_text()
    runs = [run for row in json.loads((tmp_path / "picture.json").read_text())["rows"] for run in row]
    assert {"column": 0, "text": "red", "style": {"background": 1}} in runs
    with Image.open(io.BytesIO((tmp_path / "picture.png").read_bytes())) as image:
        assert image.size == ((40 * 9 + 24) * 2, (6 * 18 + 24 + 30) * 2)


def test_waiting_says_how_it_ended(server: OwnedServer, shell: str) -> None:
    assert "deadline" in run(server, "wait", "shell", "never", "-t", "0.2", status=124, process=True)
    run(server, "wait", "shell", "--quiet", "0.05")
    run(server, "wait", "shell", "-E", "^%", "-t", "5")
    assert "one of them" in run(server, "wait", "shell", status=3)


def test_tree(server: OwnedServer, shell: str) -> None:
    text = run(server, "tree", process=True)
    assert "shell" in text and "40x6" in text
    data = json.loads(run(server, "tree", "--json"))
    sessions = {session["name"]: session for session in data["sessions"]}
    assert sessions["shell"]["windows"][0]["name"] == "w"
    assert sessions["shell"]["windows"][0]["panes"][0]["width"] == 40


@pytest.mark.parametrize("target", ["%99", "@99", "nobody", "shel", "shell:7", "shell:0.5", "a:b:c"])
def test_a_target_is_never_guessed(server: OwnedServer, shell: str, target: str) -> None:
    run(server, "screenshot", target, status=3)


def test_watch_ends_when_its_panes_are_gone(server: OwnedServer, shell: str) -> None:
    command = [MUXWRIGHT, "watch", "-S", server.socket_path, "shell:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert "shell:0" in process.stdout.readline()
            run(server, "send", "shell", "exit", "--enter")
            assert "gone" in process.communicate(timeout=20)[0]
            assert process.returncode == 0
        finally:
            # Leaving the block waits for it, without an end of its own.
            process.kill()
