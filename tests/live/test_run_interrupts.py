"""C-c and C-\\ during a run: the command ends, the frame does not, and the status is what the shell says."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from muxwright import Connection, Pane, Session
from tests.support.shells import POSIX, SHELLS, SLEEPS, interrupted, open_shell, running
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live


@pytest.mark.parametrize("name", SHELLS)
def test_an_interrupted_command(name: str, connection: Connection, home: Session, tmp_path: Path) -> None:
    pane = open_shell(connection, home, name, tmp_path)
    for key in ("C-c", "C-\\"):
        job = running(pane, f"{SLEEPS}; echo never")
        job.interrupt(key)
        ended = job.wait(timeout=10)
        assert (ended.outcome, ended.exit_status) == ("completed", interrupted(name, key)), ended
        assert "never" not in ended.output
        assert ended.job is None
    # The pane is free again.
    assert pane.run("exit 4").exit_status == 4


@pytest.mark.parametrize("name", POSIX)
def test_an_interrupted_loop_of_the_shell(name: str, connection: Connection, home: Session, tmp_path: Path) -> None:
    pane = open_shell(connection, home, name, tmp_path)
    job = running(pane, "echo ready; while :; do :; done")
    job.interrupt()
    ended = job.wait(timeout=10)
    assert ended.outcome == "completed"
    # A loop of its own builtins ksh93 ends with 0 now and then, in any subshell.
    assert ended.exit_status in ((2, 0) if name == "ksh93" else (interrupted(name, "C-c"),))


@pytest.mark.parametrize("name", POSIX)
def test_a_command_that_handles_the_interrupt_goes_on(
    name: str, connection: Connection, home: Session, tmp_path: Path
) -> None:
    pane = open_shell(connection, home, name, tmp_path)
    job = running(pane, "sh -c 'trap \"echo handled; exit 5\" INT; echo ready; while :; do sleep 0.05; done'")
    job.interrupt()
    ended = job.wait(timeout=10)
    assert ended.outcome == "completed"
    # Some shells take the child's own status, others are interrupted themselves and do not wait for what it does.
    assert ended.exit_status in (5, interrupted(name, "C-c"))
    if ended.exit_status == 5:
        assert "handled" in ended.output


def test_keys_of_anybody_end_a_run_that_is_waited_for(connection: Connection, home: Session, tmp_path: Path) -> None:
    pane = open_shell(connection, home, "bash", tmp_path)
    interrupter = threading.Thread(target=lambda: pressed_when_ready(pane))
    interrupter.start()
    result = pane.run(SLEEPS, timeout=20)
    interrupter.join()
    assert (result.outcome, result.exit_status) == ("completed", 130)


def pressed_when_ready(pane: Pane) -> None:
    # The echo of our line holds no word of the command.
    wait_until(lambda: "ready" in pane.capture(), 20, "the command runs")
    pane.send_keys("C-c")
