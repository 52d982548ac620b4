"""What `run` refuses before anything is typed, also when it comes true between its two checks; nothing is left then."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from muxwright import (
    Connection,
    InvalidArgument,
    MuxwrightError,
    NotAShell,
    Pane,
    PaneAttended,
    PaneDead,
    PaneInMode,
    PaneInputOff,
    PaneNotFound,
    PaneReserved,
    PaneSynchronized,
    Server,
    Session,
    TooManyJobs,
)
from tests.support.between import before_the_act
from tests.support.judge import Judge
from tests.support.recorder import Recorder
from tests.support.shells import SLEEPS, open_shell, running
from tests.support.terminals import Terminal
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live


@pytest.fixture
def shell(connection: Connection, home: Session, tmp_path: Path) -> Pane:
    """A pane with bash, in a window of its own."""
    return open_shell(connection, home, "bash", tmp_path)


def refused(pane: Pane, error: type[MuxwrightError], base_dir: Path, command: str = "echo typed") -> str:
    """Expect that a run is refused, and that it has left nothing: no text, no file, no pipe, no reservation."""
    before = pane.capture().text if pane.exists() else ""
    files = sorted(base_dir.glob("muxwright-*"))
    with pytest.raises(error) as caught:
        pane.run(command, timeout=5)
    assert caught.value.effects == "none"
    assert sorted(base_dir.glob("muxwright-*")) == files
    if pane.exists():
        assert pane.capture().text.count("/frame") <= before.count("/frame")
    return str(caught.value)


def test_a_command_that_cannot_be_typed(shell: Pane) -> None:
    with pytest.raises(InvalidArgument, match="NUL"):
        shell.run("echo \0")
    with pytest.raises(InvalidArgument, match="surrogate"):
        shell.run("echo \udc80")


def test_a_program_that_is_no_shell(recorder: Recorder, judge: Judge, base_dir: Path) -> None:
    message = refused(recorder.pane, NotAShell, base_dir)
    assert "'cat'" in message
    assert "spawn" in message
    recorder.expect_nothing_but(lambda text: judge("send-keys", "-t", recorder.pane.id, "-l", "--", text))


def test_states_of_the_pane(shell: Pane, judge: Judge, base_dir: Path) -> None:
    judge("copy-mode", "-t", shell.id)
    refused(shell, PaneInMode, base_dir)
    shell.leave_mode()
    judge("select-pane", "-d", "-t", shell.id)
    refused(shell, PaneInputOff, base_dir)
    judge("select-pane", "-e", "-t", shell.id)
    assert shell.run("exit 3").exit_status == 3


def test_a_dead_pane_and_one_that_is_gone(shell: Pane, judge: Judge, base_dir: Path) -> None:
    judge("set-option", "-p", "-t", shell.id, "remain-on-exit", "on")
    os.kill(shell.refresh().pid or 0, signal.SIGKILL)
    wait_until(lambda: shell.refresh().dead, what="the shell is dead")
    refused(shell, PaneDead, base_dir)
    shell.kill()
    refused(shell, PaneNotFound, base_dir)


def test_synchronized_panes(shell: Pane, judge: Judge, base_dir: Path) -> None:
    judge("split-window", "-d", "-t", shell.id, "sleep 1000")
    judge("set-option", "-w", "-t", shell.id, "synchronize-panes", "on")
    refused(shell, PaneSynchronized, base_dir)
    # A pane's own option counts: alone in its cohort, it may be typed into.
    judge("set-option", "-w", "-t", shell.id, "synchronize-panes", "off")
    judge("set-option", "-p", "-t", shell.id, "synchronize-panes", "on")
    assert shell.run("exit 3").exit_status == 3


def test_a_pane_that_a_person_looks_at(
    shell: Pane, home: Session, judge: Judge, terminals: Callable[[], Terminal], base_dir: Path
) -> None:
    terminals().attach("home")
    assert shell.run("exit 3").exit_status == 3, "its window is not the one that is shown"
    judge("select-window", "-t", shell.refresh().window.id)
    assert "shared" in refused(shell, PaneAttended, base_dir)
    assert shell.run("exit 4", shared=True).exit_status == 4
    # Zoomed, a window shows only its active pane.
    other = shell.split(command=["sleep", "1000"])
    judge("resize-pane", "-Z", "-t", other.id)
    assert shell.run("exit 5").exit_status == 5
    judge("resize-pane", "-Z", "-t", shell.id)
    refused(shell, PaneAttended, base_dir)


def test_a_pane_in_which_a_command_runs(shell: Pane, base_dir: Path) -> None:
    job = running(shell)
    assert job.id in refused(shell, PaneReserved, base_dir)
    assert shell.job() == job
    job.interrupt()
    assert job.wait(timeout=10).outcome == "completed"
    assert shell.job() is None
    assert shell.run("exit 3").exit_status == 3


def test_the_reservation_is_of_the_pane_and_not_of_a_handle(shell: Pane, server: Server, base_dir: Path) -> None:
    job = running(shell)
    refused(server.pane(shell.ref), PaneReserved, base_dir)
    # A respawn ends the command for everybody.
    server.pane(shell.ref).respawn(kill_running=True)
    assert server.pane(shell.ref).run("exit 3").exit_status == 3
    assert job.wait(timeout=5).outcome == "pane_closed"


def test_more_jobs_than_are_kept(connection: Connection, home: Session, tmp_path: Path, judge: Judge) -> None:
    panes = [open_shell(connection, home, "dash", tmp_path) for _ in range(33)]
    jobs = [running(pane) for pane in panes[:32]]
    assert connection.jobs() == jobs[::-1]
    with pytest.raises(TooManyJobs):
        panes[32].start("sleep 60")
    # A run is never refused, and can become a job.
    late = panes[32].run(SLEEPS, timeout=1).job
    assert late is not None
    assert len(connection.jobs()) == 33
    for job in [*jobs, late]:
        job.interrupt()
    for job in [*jobs, late]:
        assert job.wait(timeout=20).outcome == "completed"
    made = panes[0].start("true")
    assert made.wait().exit_status == 0
    assert len(connection.jobs()) == 32
    assert connection.jobs()[0] == made


# --- between the two checks ---


def test_what_changes_at_the_last_moment(
    shell: Pane, connection: Connection, judge: Judge, terminals: Callable[[], Terminal], base_dir: Path
) -> None:
    def twice(act: Callable[[], object], error: type[MuxwrightError], undo: Callable[[], object]) -> None:
        judge("send-keys", "-R", "-t", shell.id)
        with before_the_act(connection, act, b"send-keys"), pytest.raises(error) as caught:
            shell.run("echo typed", timeout=5)
        assert caught.value.effects == "none"
        undo()
        assert "frame" not in shell.capture()
        assert not list(base_dir.glob("muxwright-*/frame"))
        assert shell.run("exit 3").exit_status == 3

    twice(lambda: judge("copy-mode", "-t", shell.id), PaneInMode, shell.leave_mode)
    twice(
        lambda: judge("select-pane", "-d", "-t", shell.id),
        PaneInputOff,
        lambda: judge("select-pane", "-e", "-t", shell.id),
    )
    judge("split-window", "-d", "-t", shell.id, "sleep 1000")
    twice(
        lambda: judge("set-option", "-w", "-t", shell.id, "synchronize-panes", "on"),
        PaneSynchronized,
        lambda: judge("set-option", "-w", "-t", shell.id, "synchronize-panes", "off"),
    )
    terminal = terminals()
    judge("select-window", "-t", shell.refresh().window.id)
    twice(lambda: terminal.attach("home"), PaneAttended, terminal.hang_up)


def test_another_program_at_the_last_moment(shell: Pane, connection: Connection, judge: Judge, base_dir: Path) -> None:
    def replace() -> None:
        judge("respawn-pane", "-k", "-t", shell.id, "--", "sleep", "1000")

    with before_the_act(connection, replace, b"send-keys"), pytest.raises(NotAShell):
        shell.run("echo typed", timeout=5)
    assert not list(base_dir.glob("muxwright-*/frame"))
    assert "frame" not in shell.capture()


def test_a_pane_that_is_killed_at_the_last_moment(
    shell: Pane, connection: Connection, judge: Judge, base_dir: Path
) -> None:
    kill = before_the_act(connection, lambda: judge("kill-pane", "-t", shell.id), b"send-keys")
    with kill, pytest.raises(PaneNotFound):
        shell.run("echo typed", timeout=5)
    assert not list(base_dir.glob("muxwright-*/frame"))


# --- nobody answers ---


def test_a_frame_whose_claim_is_taken_does_nothing(
    shell: Pane, connection: Connection, base_dir: Path, tmp_path: Path
) -> None:
    def take() -> None:
        (frame,) = base_dir.glob("muxwright-*/frame")
        frame.with_name("claim").touch()

    with before_the_act(connection, take, b"send-keys"):
        result = shell.run(f"touch {tmp_path}/ran", timeout=1)
    # Here nobody knows who has it; in a run it is either the frame or we.
    assert (result.outcome, result.output.count("frame")) == ("deadline", 1)
    assert not (tmp_path / "ran").exists()
    shell.respawn(kill_running=True)
    assert result.job is not None
    assert result.job.wait(timeout=5).outcome == "pane_closed"


def test_a_shell_that_does_not_read(shell: Pane, base_dir: Path) -> None:
    # The shell is busy with a builtin, and nothing tells that from a prompt.
    shell.send_text("while :; do :; done")
    shell.send_keys("Enter")
    result = shell.run("touch ran", timeout=0.5)
    assert (result.outcome, result.exit_status, result.job) == ("no_shell", None, None)
    assert result.bytes == 0
    assert not list(base_dir.glob("muxwright-*/frame"))
    # The command never ran and never will, although the shell reads the line that was typed.
    shell.send_keys("C-c")
    again = shell.run("ls ran")
    assert again.outcome == "completed"
    assert again.exit_status != 0
