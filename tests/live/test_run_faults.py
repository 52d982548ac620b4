"""The pane is moved, killed or respawned, its session or the daemon killed, in each phase of a run.

Whatever happens, the answer is a typed error or an outcome, within the deadline, and nothing of the run is left.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from muxwright import Connection, Job, MuxwrightError, OwnedServer, Pane, RunOutcome, Server, Session
from tests.support.between import before_the_request
from tests.support.judge import Judge
from tests.support.shells import SLEEPS, open_shell
from tests.support.swappable import SwappableServer
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

TIMEOUT = 10.0
SLACK = 4.0  # seconds: a machine that is busy with other tests

Event = Callable[[Judge, Pane], object]

EVENTS: dict[str, Event] = {
    "pane moved": lambda judge, pane: judge("break-pane", "-d", "-s", pane.id, "-t", "home:"),
    "pane killed": lambda judge, pane: judge("kill-pane", "-t", pane.id),
    "pane respawned": lambda judge, pane: judge("respawn-pane", "-k", "-t", pane.id, "--", "dash"),
    "shell killed": lambda judge, pane: os.kill(int(judge.show(pane.id, "pane_pid")), signal.SIGKILL),
    "session killed": lambda judge, pane: judge("kill-session", "-t", "=work"),
}


@pytest.fixture
def shell(host: Server | Connection, home: Session, judge: Judge, tmp_path: Path) -> Pane:
    """A pane with dash, in a session of its own, with a neighbour."""
    return fresh_shell(host, judge, tmp_path)


def fresh_shell(host: Server | Connection, judge: Judge, tmp_path: Path) -> Pane:
    if judge.run("has-session", "-t", "=work").returncode == 0:
        judge("kill-session", "-t", "=work")
    work = host.session(host.new_session("work", command=["sleep", "1000"]).ref)
    pane = open_shell(host, work, "dash", tmp_path)
    pane.split(command=["sleep", "1000"])
    return pane


def timed(run: Callable[[], RunOutcome[Job]]) -> RunOutcome[Job] | MuxwrightError:
    began = time.monotonic()
    result: RunOutcome[Job] | MuxwrightError
    try:
        result = run()
    except MuxwrightError as error:
        result = error
    assert time.monotonic() - began < TIMEOUT + SLACK, result
    return result


def nothing_left(base_dir: Path) -> None:
    assert not list(base_dir.glob("muxwright-*/frame"))


@pytest.mark.parametrize("name", EVENTS)
def test_while_the_command_runs(
    name: str, host: Server | Connection, shell: Pane, judge: Judge, base_dir: Path
) -> None:
    def happen() -> None:
        wait_until(lambda: "ready" in judge("capture-pane", "-p", "-t", shell.id), 20, "the command runs")
        EVENTS[name](judge, shell)
        if name == "pane moved":
            judge("send-keys", "-t", shell.id, "C-c")

    thread = threading.Thread(target=happen)
    thread.start()
    result = timed(lambda: shell.run(SLEEPS, timeout=TIMEOUT))
    thread.join()
    assert isinstance(result, RunOutcome)
    if name == "pane moved":
        assert (result.outcome, result.exit_status) == ("completed", 130)
    else:
        assert (result.outcome, result.exit_status, result.job) == ("pane_closed", None, None)
        assert result.output.startswith("ready\n")
    nothing_left(base_dir)


@pytest.mark.parametrize("name", EVENTS)
def test_before_each_request(
    name: str, host: Server | Connection, home: Session, judge: Judge, tmp_path: Path, base_dir: Path
) -> None:
    for number in range(20):
        pane = fresh_shell(host, judge, tmp_path)
        with before_the_request(host, number, partial(EVENTS[name], judge, pane)) as happened:
            result = timed(partial(pane.run, "echo done; exit 3", timeout=TIMEOUT))
        if isinstance(result, RunOutcome) and result.outcome == "completed":
            assert (result.exit_status, result.output) == (3, "done\n")
        else:
            assert name != "pane moved", result
            assert isinstance(result, MuxwrightError) or result.outcome in ("pane_closed", "no_shell")
        nothing_left(base_dir)
        assert host.jobs() == []
        if not happened:
            assert number >= 4, "a run makes more requests than that"
            return
    raise AssertionError("a run of nothing made twenty requests")


def test_the_end_of_the_daemon(swappable: SwappableServer, tmp_path: Path, base_dir: Path) -> None:
    def dash() -> Pane:
        judge = swappable.judge
        identity = judge("new-window", "-d", "-P", "-F", "#{pane_id}", "-t", "main:", "dash")
        pane = next(pane for pane in host.panes() if pane.id == identity)
        wait_until(lambda: bool(pane.capture().text.strip()), 20, "the prompt")
        return pane

    for number in range(20):
        with Server(socket_path=swappable.socket_path, tmux=swappable.tmux).connect() as host:
            pane = dash()
            with before_the_request(host, number, swappable.kill) as happened:
                result = timed(partial(pane.run, "echo done; exit 3", timeout=TIMEOUT))
            if happened:
                assert isinstance(result, MuxwrightError) or result.outcome == "pane_closed", result
            nothing_left(base_dir)
        if not happened:
            break
        swappable.swap()
    with Server(socket_path=swappable.socket_path, tmux=swappable.tmux).connect() as host:
        pane = dash()
        killer = threading.Timer(0.5, swappable.kill)
        killer.start()
        result = timed(lambda: pane.run("sleep 60", timeout=TIMEOUT))
        killer.join()
        assert isinstance(result, RunOutcome)
        assert result.outcome == "pane_closed"
        nothing_left(base_dir)


OWNER = """
import sys
from muxwright import Server
with Server(socket_path=sys.argv[1], tmux=sys.argv[2]).connect() as host:
    pane = next(pane for pane in host.panes() if pane.id == sys.argv[3])
    pane.run("echo ready; sleep 1; echo done", timeout=60)
"""


def test_the_end_of_the_process_that_runs_it(shell: Pane, server: OwnedServer, judge: Judge, base_dir: Path) -> None:
    arguments = [server.socket_path, server.attach_command[0], shell.id]
    owner = subprocess.Popen([sys.executable, "-c", OWNER, *arguments])
    wait_until(lambda: "ready" in judge("capture-pane", "-p", "-t", shell.id), 20, "the command runs")
    assert list(base_dir.glob("muxwright-*/frame"))
    owner.kill()
    owner.wait(10)
    wait_until(lambda: judge.show(shell.id, "pane_pipe") == "0", 20, "the pipe is gone")
    # The command goes on; at its end the frame removes the files, since nobody else will.
    wait_until(lambda: "done" in judge("capture-pane", "-p", "-t", shell.id), 20, "the command has ended")
    wait_until(lambda: not list(base_dir.glob("muxwright-*/frame")), 20, "the files are gone")
    assert shell.run("exit 3").exit_status == 3


def test_a_server_that_does_not_answer_at_the_deadline(shell: Pane, host: Server | Connection, judge: Judge) -> None:
    pid = int(judge.show(shell.id, "pid"))
    stopper = threading.Timer(0.5, lambda: os.kill(pid, signal.SIGSTOP))
    stopper.start()
    try:
        result = timed(lambda: shell.run(SLEEPS, timeout=2))
    finally:
        stopper.join()
        os.kill(pid, signal.SIGCONT)
    assert isinstance(result, RunOutcome)
    assert result.outcome == "deadline"
    assert result.job is not None
    result.job.interrupt()
    assert result.job.wait(timeout=10).exit_status == 130
