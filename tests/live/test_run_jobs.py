"""Runs that go on as jobs, the routes by which a pane is heard, and the ways to the server."""

from __future__ import annotations

import asyncio
import signal
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from muxwright import (
    AsyncServer,
    CancellationToken,
    Connection,
    InvalidArgument,
    Job,
    OwnedServer,
    Pane,
    Server,
    Session,
)
from tests.support.judge import Judge
from tests.support.servers import every_transport
from tests.support.shells import SHELLS, SLEEPS, open_shell, running
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live


@pytest.fixture
def shell(connection: Connection, home: Session, tmp_path: Path) -> Pane:
    """A pane with bash."""
    return open_shell(connection, home, "bash", tmp_path)


@every_transport
def test_every_way_to_the_server(host: Server | Connection, home: Session, tmp_path: Path) -> None:
    pane = open_shell(host, home, "dash", tmp_path)
    result = pane.run("echo one; exit 3")
    assert (result.outcome, result.exit_status, result.output, result.bytes) == ("completed", 3, "one\n", 5)
    assert not result.ok
    assert pane.run("true").ok
    job = running(pane)
    assert host.jobs()[0].id == job.id
    job.interrupt()
    assert job.wait(timeout=10).exit_status == 130


def test_a_deadline_hands_back_the_same_run(shell: Pane, connection: Connection) -> None:
    result = shell.run(f"echo started; {SLEEPS}", timeout=1)
    assert (result.outcome, result.exit_status) == ("deadline", None)
    assert "started\n" in result.output
    assert 0.9 < result.duration < 3
    job = result.job
    assert job is not None
    assert job.status().state == "running"
    assert job.pane == shell
    again = job.wait(timeout=0.2)
    assert (again.outcome, again.job) == ("deadline", job)
    job.interrupt()
    ended = job.wait(timeout=10)
    assert (ended.outcome, ended.exit_status, ended.job) == ("completed", 130, None)
    assert ended.output.startswith("started\nready\n")
    # What is over can be asked again.
    assert job.wait() == ended
    assert job.status().state == "completed"
    job.interrupt()
    assert connection.jobs() == [job]


def says(job: Job, text: str) -> bool:
    return text in job.status().output


def test_output_since_a_cursor(shell: Pane) -> None:
    job = shell.start("for i in 1 2 3; do echo line $i; read answer; done; exit 4")
    texts, cursor = [], 0
    for number in (1, 2, 3):
        wait_until(partial(says, job, f"line {number}"), 20, "the line")
        status = job.status(cursor)
        assert (status.state, status.exit_status, status.lost) == ("running", None, 0)
        texts.append(status.output)
        cursor = status.cursor
        shell.send_keys("Enter")
    assert job.wait(timeout=10).exit_status == 4
    last = job.status(cursor)
    assert (last.state, last.exit_status, last.lost) == ("completed", 4, 0)
    assert [text.strip() for text in texts] == ["line 1", "line 2", "line 3"]
    assert "".join(texts) + last.output == job.status().output
    wrong: list[Any] = [-1, True, "0"]
    for value in wrong:
        with pytest.raises(InvalidArgument):
            job.status(value)


def test_output_that_is_lost_is_counted(shell: Pane) -> None:
    job = shell.start("head -c 600000 /dev/zero | tr '\\000' x; echo; echo end")
    assert job.wait(timeout=20).exit_status == 0
    status = job.status(1000)
    assert len(status.output) == 256 * 1024
    assert status.output.endswith("x\nend\n")
    assert 1000 + status.lost + len(status.output) == status.cursor == 600_005


def test_a_cancelled_wait(shell: Pane) -> None:
    token = CancellationToken()
    timer = threading.Timer(0.5, token.cancel)
    timer.start()
    result = shell.run(SLEEPS, cancel=token)
    timer.join()
    assert (result.outcome, result.exit_status) == ("cancelled", None)
    assert result.job is not None
    # A token that was used up ends the waiting, not the job.
    assert result.job.wait(cancel=token).outcome == "cancelled"
    assert result.job.status().state == "running"
    result.job.interrupt()
    assert result.job.wait(timeout=10).exit_status == 130


def test_a_run_that_is_cancelled_before_it_has_begun_never_begins(shell: Pane) -> None:
    shell.send_text("while :; do :; done")
    shell.send_keys("Enter")
    token = CancellationToken()
    timer = threading.Timer(0.5, token.cancel)
    timer.start()
    result = shell.run("touch ran", cancel=token)
    timer.join()
    assert (result.outcome, result.job) == ("cancelled", None)
    shell.send_keys("C-c")
    assert shell.run("ls ran").exit_status != 0


def test_control_c_leaves_a_job(shell: Pane, connection: Connection) -> None:
    def strike() -> None:
        wait_until(lambda: "ready" in shell.capture(), 20, "the command runs")
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    # A process that was started in the background has it ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    striker = threading.Thread(target=strike)
    striker.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            shell.run(SLEEPS)
    finally:
        striker.join()
        signal.signal(signal.SIGINT, before)
    (job,) = connection.jobs()
    assert shell.job() == job
    job.interrupt()
    assert job.wait(timeout=10).exit_status == 130


def test_a_cancelled_task_leaves_a_job(server: OwnedServer, home: Session, tmp_path: Path) -> None:
    ref = open_shell(server, home, "dash", tmp_path).ref

    async def main() -> None:
        host = AsyncServer(socket_path=server.socket_path, tmux=server.attach_command[0])
        async with await host.connect() as connection:
            pane = connection.pane(ref)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(1):
                    await pane.run(SLEEPS)
            (job,) = connection.jobs()
            assert (await job.status()).state == "running"
            await job.interrupt()
            assert (await job.wait(timeout=10)).exit_status == 130
            assert (await pane.run("exit 3")).exit_status == 3

    asyncio.run(main())


def test_two_waits_for_one_job(shell: Pane) -> None:
    job = running(shell)
    results = []
    waiters = [threading.Thread(target=lambda: results.append(job.wait(timeout=20))) for _ in range(3)]
    for waiter in waiters:
        waiter.start()
    job.interrupt()
    for waiter in waiters:
        waiter.join()
    assert [result.exit_status for result in results] == [130] * 3
    assert len({result.output for result in results}) == 1


def test_ten_panes_at_once(server: OwnedServer, home: Session, tmp_path: Path) -> None:
    refs = [open_shell(server, home, "dash", tmp_path).ref for _ in range(10)]

    async def main() -> list[tuple[int | None, str]]:
        host = AsyncServer(socket_path=server.socket_path, tmux=server.attach_command[0])
        async with await host.connect() as connection:
            runs = [connection.pane(ref).run(f"echo {number}; exit {number}") for number, ref in enumerate(refs)]
            return [(result.exit_status, result.output) for result in await asyncio.gather(*runs)]

    assert asyncio.run(main()) == [(number, f"{number}\n") for number in range(10)]


# --- without a pipe of ours ---


@pytest.mark.parametrize("name", SHELLS)
def test_a_pane_that_somebody_else_has_piped(
    name: str, connection: Connection, home: Session, judge: Judge, tmp_path: Path
) -> None:
    pane = open_shell(connection, home, name, tmp_path)
    log = tmp_path / "log"
    judge("pipe-pane", "-t", pane.id, f"cat >> '{log}'")
    for command, status, output in (
        ("echo one; exit 3", 3, "one\n"),
        ("printf 'no newline'", 0, "no newline"),
        ("true", 0, ""),
        (f"echo {'x' * 400}", 0, "x" * 400 + "\n"),
        ("echo one; echo; echo two; echo; exit 255", 255, "one\n\ntwo\n\n"),
    ):
        result = pane.run(command)
        assert (result.outcome, result.exit_status, result.output) == ("completed", status, output)
        assert (result.route, result.truncated) == ("poll", False)
    assert judge.show(pane.id, "pane_pipe") == "1", "the pipe is still there"
    wait_until(lambda: "two" in log.read_text(errors="replace"), 20, "the log has gone on")


def test_much_output_without_a_pipe(shell: Pane, judge: Judge) -> None:
    judge("pipe-pane", "-t", shell.id, "cat >/dev/null")
    result = shell.run("seq 1000; exit 4")
    assert (result.outcome, result.exit_status, result.route, result.truncated) == ("completed", 4, "poll", False)
    assert result.output == "".join(f"{number}\n" for number in range(1, 1001))
    # More than the history holds: the beginning is gone, and that is said.
    result = shell.run("seq 5000; exit 5")
    assert (result.outcome, result.exit_status, result.truncated) == ("completed", 5, True)
    assert result.output.endswith("4999\n5000\n")
    # The status does not depend on the screen.
    result = shell.run("printf '\\033[2J\\033[3J\\033[H'; exit 6")
    assert (result.outcome, result.exit_status) == ("completed", 6)


def test_a_job_without_a_pipe(shell: Pane, judge: Judge) -> None:
    judge("pipe-pane", "-t", shell.id, "cat >/dev/null")
    result = shell.run(SLEEPS, timeout=1)
    assert (result.outcome, result.route) == ("deadline", "poll")
    assert result.job is not None
    result.job.interrupt()
    assert result.job.wait(timeout=10).exit_status == 130


def test_the_pipe_is_taken_in_the_middle(shell: Pane, judge: Judge) -> None:
    job = running(shell)
    judge("pipe-pane", "-t", shell.id, "cat >/dev/null")
    assert job.wait(timeout=0.5).outcome == "deadline"
    job.interrupt()
    ended = job.wait(timeout=10)
    assert (ended.outcome, ended.exit_status, ended.truncated) == ("completed", 130, True)
    assert judge.show(shell.id, "pane_pipe") == "1", "the pipe is still there"
