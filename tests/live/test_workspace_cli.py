"""The verbs of the workspace manager: outputs, exit statuses, no traceback ever."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muxwright import OwnedServer, Session
from tests.support.verbs import run_here
from tests.support.waiting import wait_until
from tests.support.workspaces import shows

pytestmark = pytest.mark.live

ROOT = Path(__file__).resolve().parents[2]
MUXWRIGHT = str(Path(sys.executable).parent / "muxwright")
TEXT = "session_name: cli\nwindows: [{window_name: w, layout: tiled, panes: [echo a''b, blank]}]\n"
SLOW = "session_name: slow\nwindows: [{panes: [{shell_command: a, sleep_before: 30}]}]\n"

Run = Callable[..., subprocess.CompletedProcess[str]]


def surroundings(home: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "PROJECT": "ambient", **more}


@pytest.fixture
def here(tmp_path: Path) -> Run:
    """Run a verb as `run` does, without a process."""

    def here(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        return run_here(words, tmp_path, surroundings(tmp_path, **more))

    (tmp_path / "f.yaml").write_text(TEXT)
    return here


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a verb in a process and a directory of its own; a verb that asks tmux gets a socket (`of_server`)."""

    def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [MUXWRIGHT, *words],
            cwd=tmp_path,
            env=surroundings(tmp_path, **more),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=40,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done

    (tmp_path / "f.yaml").write_text(TEXT)
    return run


def of_server(server: OwnedServer) -> list[str]:
    return ["--socket", server.socket_path, "--tmux", server.attach_command[0]]


def test_load_freeze_stop(server: OwnedServer, run: Run, here: Run, tmp_path: Path) -> None:
    loaded = run("load", "f.yaml", *of_server(server))
    assert (loaded.returncode, loaded.stdout, loaded.stderr) == (0, "loaded cli\n", "")
    shows(server.get_session("cli").active_window().panes()[0], "ab")
    frozen = here("freeze", "cli", "-o", "out.yaml", *of_server(server))
    assert (frozen.returncode, frozen.stdout) == (0, "written: out.yaml\n")
    assert here("freeze", "cli", "-o", "out.yaml", *of_server(server)).returncode == 2
    assert here("freeze", "cli", "-o", "out.yaml", "--force", *of_server(server)).returncode == 0
    assert here("stop", "cl", *of_server(server)).returncode == 2
    assert here("stop", "cli", *of_server(server)).returncode == 0
    assert here("load", "out.yaml", "-s", "renamed", *of_server(server)).returncode == 0
    again = json.loads(here("freeze", "renamed", "--output", "json", *of_server(server)).stdout)
    assert again["status"] == "frozen"
    assert again["workspace"]["windows"][0]["panes"][0]["shell_command"] == ["echo a''b"]


def test_json_is_one_record(server: OwnedServer, here: Run) -> None:
    loaded = here("load", "f.yaml", "--output", "json", *of_server(server))
    data = json.loads(loaded.stdout)
    assert (data["status"], data["result"]["status"], loaded.stderr) == ("loaded", "complete", "")
    assert {step["status"] for step in data["result"]["steps"]} == {"completed"}
    assert data["result"]["session"]["socket"] == server.socket_path
    refused = here("load", "f.yaml", "--output", "json", *of_server(server))
    data = json.loads(refused.stdout)
    assert (refused.returncode, data["exit_code"], data["error"]["code"]) == (2, 2, "already_exists")


def test_ndjson_ends_with_exactly_one_record(server: OwnedServer, run: Run) -> None:
    loaded = run("load", "f.yaml", "--output", "ndjson", *of_server(server))
    records = [json.loads(line) for line in loaded.stdout.splitlines()]
    assert [record["sequence"] for record in records] == list(range(1, len(records) + 1))
    assert [record["event"] for record in records].count("result") == 1
    assert records[-1]["event"] == "result"
    stages = [record["text"] for record in records if record.get("kind") == "stage"]
    assert stages == ["creating", "building", "typing", "finishing"]
    bad = run("validate", "gone.yaml", "--output", "ndjson")
    assert [json.loads(line)["event"] for line in bad.stdout.splitlines()] == ["error"]


def test_a_plan_with_a_variable_as_json(here: Run) -> None:
    """The documented example: a shipped file, planned with a variable, as JSON; tmux is not needed."""
    example = str(ROOT / "examples" / "workspace.yaml")
    planned = here("plan", example, "--env", "PROJECT=example", "--output", "json")
    data = json.loads(planned.stdout)
    assert (planned.returncode, data["status"], data["plan"]["session_name"]) == (0, "planned", "example-workspace")
    typed = [step["arguments"]["text"] for step in data["plan"]["steps"] if step["action"] == "send_command"]
    assert typed[0] == ' echo "this is example"'
    assert json.loads(here("plan", example, "--pure", "--output", "json").stdout)["plan"]["session_name"] == (
        "demo-workspace"
    )
    assert json.loads(here("plan", example, "--output", "json").stdout)["plan"]["session_name"] == "ambient-workspace"


def test_all_that_is_wrong_with_a_file(here: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("session_name: a.b\nwindows: 3\n")
    found = here("validate", "bad.yaml")
    assert (found.returncode, found.stdout) == (2, "")
    assert [line.rpartition("/")[2][:12] for line in found.stderr.splitlines()] == ["bad.yaml:1:1", "bad.yaml:2:1"]
    (tmp_path / "odd.yaml").write_text(TEXT + "windws: 1\n")
    found = here("validate", "odd.yaml")
    assert (found.returncode, found.stdout) == (0, "valid\n")
    assert "did you mean windows?" in found.stderr
    assert here("validate", "--strict", "odd.yaml").returncode == 2


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["load"], 2),
        (["load", "gone"], 2),
        (["load", "f.yaml", "--attach", "-d"], 2),
        (["load", "f.yaml", "--attach"], 2),
        (["load", "f.yaml", "-L", "a", "-S", "b"], 2),
        (["load", "f.yaml", "-L", "a", "-L", "b"], 2),
        (["load", "f.yaml", "--env", "X"], 2),
        (["load", "f.yaml", "--env", "X=1", "--env", "X=2"], 2),
        (["load", "f.yaml", "--append", "-L", "muxwright-test-none"], 2),
        (["plan", "f.yaml", "--socket", "x"], 2),
        (["freeze", "nobody", "-L", "muxwright-test-none"], 3),
        (["load", "f.yaml", "-L", "muxwright-test-none", "--tmux", "no-such-tmux"], 3),
        (["load", "f.yaml", "-L", "muxwright-test-none", "--timeout", "-1"], 2),
        (["import", "tmuxinator", "gone.yml"], 2),
        (["search", "("], 2),
    ],
)
def test_exit_statuses(words: list[str], status: int, here: Run) -> None:
    done = here(*words)
    assert done.returncode == status, done.stderr
    assert done.stderr
    assert "Errno" not in done.stderr and "Traceback" not in done.stderr


def test_a_load_that_is_too_slow(server: OwnedServer, home: Session, here: Run, tmp_path: Path) -> None:
    (tmp_path / "slow.yaml").write_text(
        "session_name: slow\nwindows: [{panes: [{shell_command: a, sleep_before: 30}]}]\n"
    )
    done = here("load", "slow.yaml", "--timeout", "2", *of_server(server))
    assert done.returncode == 6
    assert done.stderr
    (tmp_path / "script.yaml").write_text("session_name: slow\nbefore_script: sleep 30\nwindows: [{}]\n")
    assert here("load", "script.yaml", "--timeout", "2", *of_server(server)).returncode == 6
    (tmp_path / "fails.yaml").write_text("session_name: slow\nbefore_script: 'false'\nwindows: [{}]\n")
    assert here("load", "fails.yaml", *of_server(server)).returncode == 3
    assert here("load", "fails.yaml", "--keep-partial", *of_server(server)).returncode == 4
    assert sorted(session.name for session in server.snapshot().sessions) == ["home", "slow"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_load_that_is_interrupted(
    number: signal.Signals, server: OwnedServer, home: Session, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "slow.yaml").write_text(
        "session_name: slow\nwindows: [{panes: [{shell_command: a, sleep_before: 30}]}]\n"
    )
    process = subprocess.Popen(
        [MUXWRIGHT, "load", "slow.yaml", *of_server(server)],
        cwd=tmp_path,
        env=surroundings(tmp_path),
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: server.find_session("slow") is not None, what="the session is there")
    process.send_signal(number)
    _, said = process.communicate(timeout=20)
    assert process.returncode == (5 if number == signal.SIGINT else 143)
    assert "Traceback" not in said
    assert [session.name for session in server.snapshot().sessions] == ["home"]


def test_load_attaches_a_terminal(server: OwnedServer, home: Session, run: Run, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    command = [MUXWRIGHT, "load", "f.yaml", "--attach", *of_server(server)]
    client = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=surroundings(tmp_path, TERM="xterm"),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    os.set_blocking(ours, False)
    shown = bytearray()

    def is_attached() -> bool:
        with contextlib.suppress(BlockingIOError):
            shown.extend(os.read(ours, 65536))
        clients = server.snapshot().clients
        return any(one.pid == client.pid and one.session is not None and one.session.name == "cli" for one in clients)

    try:
        wait_until(is_attached, timeout=20, what="the terminal is attached to the session")
        assert [pane.width for pane in server.get_session("cli").refresh().panes][:1] == [100]
        assert b"\rcli [####################] 100% finishing" in shown
    finally:
        client.terminate()
        os.close(ours)
        client.wait()


def test_append_and_reconcile(server: OwnedServer, home: Session, here: Run) -> None:
    pane = home.active_pane().id
    appended = here("load", "f.yaml", "--append", *of_server(server), TMUX_PANE=pane)
    assert appended.returncode == 0, appended.stderr
    assert len(home.windows()) == 2
    made = here("load", "f.yaml", "--reconcile", *of_server(server))
    assert made.stdout == "made cli: windows[0]\n"
    assert here("load", "f.yaml", "--reconcile", *of_server(server)).stdout == "nothing is missing in cli\n"


def test_files_are_found_and_searched(here: Run, tmp_path: Path) -> None:
    for name in (".config/tmuxp/one.yaml", ".config/muxwright/two.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / ".config/tmuxp/one.yaml").write_text(TEXT)
    (tmp_path / ".config/muxwright/two.json").write_text('{"session_name": "j", "windows": [{"window_name": "logs"}]}')
    listed = json.loads(here("ls", "--output", "json").stdout)
    assert [(file["name"], file["session_name"]) for file in listed["workspaces"]] == [("two", "j"), ("one", "cli")]
    assert "two" in here("search", "window:logs").stdout
    assert "one" not in here("search", "window:logs").stdout
    assert here("search", "-v", "name:.*").stdout == "no workspace matches\n"
    planned = here("load", "one", "--dry-run")
    assert planned.stdout.startswith("create_session name='cli'")


def test_convert_import_edit_schema(here: Run, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("# kept\nsession_name: c  # this too\nwindows:\n- {}\n")
    assert json.loads(here("convert", "c.yaml").stdout) == {"session_name": "c", "windows": [{}]}
    assert here("convert", "c.yaml", "-o", "d.yaml").returncode == 0
    assert "# kept" in (tmp_path / "d.yaml").read_text() and "# this too" in (tmp_path / "d.yaml").read_text()
    assert here("convert", "c.yaml", "-o", "c.json").returncode == 0
    assert "session_name: c" in here("convert", "c.json").stdout
    (tmp_path / "mux.yml").write_text("name: m\npost: bye\nwindows: [{a: vim}]\n")
    imported = here("import", "tmuxinator", "mux.yml", "-o", "m.yaml")
    assert imported.returncode == 0
    assert "mux.yml:2:1: post:" in imported.stderr
    assert here("validate", "--strict", "m.yaml").returncode == 0
    assert here("edit", "c.yaml", EDITOR="sh -c 'echo wrong: 1 >>\"$0\"'").returncode == 0
    assert "wrong" in (tmp_path / "c.yaml").read_text()
    assert here("edit", "c.yaml", EDITOR="false").returncode == 2
    schema: dict[str, Any] = json.loads(here("schema").stdout)
    assert schema["required"] == ["session_name", "windows"]


def test_debug_info_and_completion(server: OwnedServer, run: Run, here: Run) -> None:
    known = json.loads(here("debug-info", "--output", "json", *of_server(server)).stdout)["debug_info"]
    assert known["server"].startswith(f"tmux {known['tmux']}")
    for shell in ("bash", "zsh", "fish"):
        assert "_MUXWRIGHT_COMPLETE" in here("completion", shell).stdout
    completed = run(_MUXWRIGHT_COMPLETE="bash_complete", COMP_WORDS="muxwright va", COMP_CWORD="1")
    assert "validate" in completed.stdout
