"""Many runs, one after the other and at once: each result is right, and nothing is left."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from muxwright import AsyncServer, Connection, OwnedServer, Session
from muxwright.transports import staging
from tests.support.judge import Judge
from tests.support.outside import descriptors, processes_naming
from tests.support.shells import POSIX, open_shell
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

often = [pytest.mark.soak, pytest.mark.timeout(900, method="thread")]


@contextmanager
def nothing_more(base_dir: Path, judge: Judge) -> Iterator[None]:
    """Compare, from outside, what there is before and after: files, processes, clients, pipes, descriptors."""

    def found() -> tuple[object, ...]:
        return (
            sorted(base_dir.glob("muxwright-*")),
            sorted(processes_naming(f"{base_dir}/muxwright-")),
            judge.run("list-clients", "-F", "#{client_pid}").stdout,
            judge.lines("list-panes", "-a", "-F", "#{pane_id} #{pane_pipe} #{pane_pid}"),
            len(descriptors()),
            len(staging._reservations.holders),
        )

    def copying() -> bool:
        return any("oflag=nonblock" in what for what in processes_naming(f"{base_dir}/muxwright-").values())

    wait_until(lambda: not copying(), 20, "the sinks of what ran before are gone")
    before = found()
    yield
    wait_until(lambda: found() == before, 20, f"{before} is all there is again")


def work(random_source: random.Random) -> tuple[str, int, str]:
    """A command, its exit status and its output."""
    status = random_source.randrange(256)
    words = ["x" * random_source.randrange(1, 200) for _ in range(random_source.randrange(4))]
    # Without a space before a number that a shell could take for a descriptor.
    lines = "".join(f"printf '%s\\n' {word}\n" for word in words)
    return f"{lines}exit {status}", status, "".join(f"{word}\n" for word in words)


@pytest.mark.parametrize("count", [15, pytest.param(300, marks=often)])
@pytest.mark.parametrize("name", ["bash", "zsh"])
def test_in_a_row(
    name: str,
    count: int,
    connection: Connection,
    home: Session,
    judge: Judge,
    tmp_path: Path,
    base_dir: Path,
    seed: int,
) -> None:
    source = random.Random(seed)
    pane = open_shell(connection, home, name, tmp_path)
    pane.run("true")
    with nothing_more(base_dir, judge):
        for _ in range(count):
            command, status, output = work(source)
            result = pane.run(command, timeout=60)
            assert (result.outcome, result.exit_status, result.output) == ("completed", status, output)
            assert not result.truncated


@pytest.mark.parametrize(("panes", "each"), [(5, 3), pytest.param(20, 5, marks=often)])
def test_at_once(
    panes: int,
    each: int,
    server: OwnedServer,
    home: Session,
    judge: Judge,
    tmp_path: Path,
    base_dir: Path,
    seed: int,
) -> None:
    source = random.Random(seed)
    shells = [open_shell(server, home, POSIX[number % len(POSIX)], tmp_path) for number in range(panes)]

    async def main() -> None:
        host = AsyncServer(socket_path=server.socket_path, tmux=server.attach_command[0])
        async with await host.connect() as connection:
            await asyncio.gather(*[connection.pane(shell.ref).run("true", timeout=60) for shell in shells])

            async def some(number: int) -> None:
                pane = connection.pane(shells[number].ref)
                for _ in range(each):
                    command, status, output = work(source)
                    result = await pane.run(command, timeout=60)
                    assert (result.outcome, result.exit_status, result.output) == ("completed", status, output)

            with nothing_more(base_dir, judge):
                await asyncio.gather(*[some(number) for number in range(panes)])

    asyncio.run(main())


@pytest.mark.parametrize("count", [10, pytest.param(300, marks=often)])
def test_given_up_at_random_moments(
    count: int,
    server: OwnedServer,
    home: Session,
    judge: Judge,
    tmp_path: Path,
    base_dir: Path,
    seed: int,
) -> None:
    source = random.Random(seed)
    ref = open_shell(server, home, "dash", tmp_path).ref

    async def main() -> None:
        host = AsyncServer(socket_path=server.socket_path, tmux=server.attach_command[0])
        async with await host.connect() as connection:
            pane = connection.pane(ref)
            await pane.run("true")
            with nothing_more(base_dir, judge):
                for _ in range(count):
                    try:
                        async with asyncio.timeout(source.random() * 0.06):
                            await pane.run("sleep 0.02; exit 3")
                    except TimeoutError:
                        pass
                    # What had begun is a job, which ends by itself; what had not has left no trace.
                    if (job := pane.job()) is not None:
                        ended = await job.wait(timeout=30)
                        assert (ended.outcome, ended.exit_status) == ("completed", 3)
                    assert (await pane.run("exit 4", timeout=30)).exit_status == 4

    asyncio.run(main())
