"""`spawn`: any program in a pane of its own; tmux tells how it ended."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from muxwright import CancellationToken, Connection, InvalidArgument, MuxwrightError, OwnedServer, Server, Session
from tests.support.judge import Judge
from tests.support.servers import every_transport
from tests.support.swappable import exists
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live


@pytest.fixture(autouse=True)
def nothing_left(server: OwnedServer, home: Session, base_dir: Path, judge: Judge) -> object:
    """Each program's pane, window or session is gone afterwards, and so are the files."""
    before = judge.lines("list-panes", "-a", "-F", "#{pane_id}")
    yield
    assert judge.lines("list-panes", "-a", "-F", "#{pane_id}") == before
    assert not list(base_dir.glob("muxwright-*/gate"))


@every_transport
def test_status_and_output(host: Server | Connection, home: Session) -> None:
    for status in (0, 1, 130, 255):
        result = host.spawn(["sh", "-c", f"echo out; echo err >&2; exit {status}"])
        assert (result.outcome, result.exit_status, result.signal) == ("completed", status, None)
        assert result.output == "out\nerr\n"
        assert (result.bytes, result.truncated, result.route, result.job) == (10, False, "pipe", None)
    assert host.session(home.ref).spawn(["true"]).ok


def test_arguments_arrive_as_they_are(connection: Connection) -> None:
    arguments = [
        "",
        "a b",
        "it's",
        ";",
        "a;",
        "$HOME",
        "`id`",
        "#{pid}",
        "-n",
        "*",
        "\\",
        "é日",
        "a\nb",
        "%1",
        "{",
        "~",
    ]
    program = "import sys; sys.stdout.write(ascii(sys.argv[1:]))"
    result = connection.spawn([sys.executable, "-I", "-c", program, *arguments])
    assert (result.exit_status, result.output) == (0, ascii(arguments))


def test_one_word_is_a_program_and_no_shell_text(connection: Connection) -> None:
    assert connection.spawn(["true"]).exit_status == 0
    result = connection.spawn(["exit 3"])
    assert result.exit_status == 127
    assert "not found" in result.output
    for wrong in ([], [""], ["-x"]):
        with pytest.raises(InvalidArgument):
            connection.spawn(wrong)


def test_no_shell_is_left_in_between(connection: Connection) -> None:
    script = "import os; print(os.getpid(), os.getsid(0), os.getpgrp(), os.isatty(0), os.isatty(1))"
    result = connection.spawn([sys.executable, "-I", "-c", script])
    own, session, group, *tty = result.output.split()
    assert own == session == group, "the program itself leads the pane's session"
    assert tty == ["True", "True"]


def test_directory_environment_and_size(connection: Connection, tmp_path: Path) -> None:
    result = connection.spawn(
        ["sh", "-c", "pwd -P; echo $MUXWRIGHT_TEST; stty size"],
        directory=str(tmp_path),
        environment={"MUXWRIGHT_TEST": "a b"},
        size=(91, 17),
    )
    # A status line takes a row.
    assert result.output in (f"{tmp_path}\na b\n17 91\n", f"{tmp_path}\na b\n16 91\n")


def test_a_death_by_a_signal(connection: Connection) -> None:
    for number in (signal.SIGKILL, signal.SIGTERM):
        result = connection.spawn(["sh", "-c", f"echo last words; kill -{int(number)} $$"])
        assert (result.outcome, result.exit_status, result.output) == ("completed", None, "last words\n")
        # tmux before 3.4 need not know which; some say a name.
        assert result.signal in (None, str(int(number)), number.name, number.name[3:])
        assert not result.ok


def test_what_takes_too_long_goes_on_as_a_job(connection: Connection) -> None:
    result = connection.spawn(["sh", "-c", "echo ready; exec sleep 60"], timeout=1)
    assert (result.outcome, result.exit_status) == ("deadline", None)
    job = result.job
    assert job is not None
    assert connection.jobs() == [job]
    assert "ready" in job.status().output
    job.interrupt()
    ended = job.wait(timeout=10)
    assert (ended.outcome, ended.exit_status, ended.job) == ("completed", None, None)
    assert ended.signal in (None, "2", "SIGINT", "INT")


def test_a_cancelled_wait(connection: Connection) -> None:
    token = CancellationToken()
    token.cancel()
    with pytest.raises(MuxwrightError):
        connection.spawn(["sleep", "60"], cancel=token)


def test_the_pane_is_killed(connection: Connection, judge: Judge) -> None:
    job = connection.spawn(["sleep", "60"], timeout=1).job
    assert job is not None
    judge("kill-pane", "-t", job.pane.id)
    ended = job.wait(timeout=5)
    assert (ended.outcome, ended.exit_status, ended.signal) == ("pane_closed", None, None)


def test_much_output(connection: Connection) -> None:
    # It ends with a pause: what a program prints in the very moment of its death, tmux may drop.
    result = connection.spawn(["sh", "-c", "head -c 1000000 /dev/zero | tr '\\000' x; sleep 0.3"])
    assert (result.exit_status, result.bytes, result.truncated) == (0, 1_000_000, True)
    assert result.output == "x" * (256 * 1024)


def test_many_at_once_under_load(connection: Connection) -> None:
    """tmux misses the end of a child now and then (3.3a of Debian does); no status may be missing for it."""
    statuses = [connection.spawn(["sh", "-c", f"exit {number}"]).exit_status for number in range(40)]
    assert statuses == list(range(40))


def test_a_program_whose_children_live_on(connection: Connection, tmp_path: Path) -> None:
    note = tmp_path / "child"
    result = connection.spawn(["sh", "-c", f"trap '' HUP; sleep 5 & echo $! > '{note}'; exit 3"])
    assert (result.outcome, result.exit_status) == ("completed", 3)
    child = int(note.read_text())
    os.kill(child, signal.SIGKILL)
    wait_until(lambda: not exists(child), what="the child is gone")
