"""Batches and groups: an honest item for each command, in the order of the commands."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from muxwright import (
    BatchItem,
    CommandError,
    Connection,
    InvalidArgument,
    Server,
    Session,
    SessionNotFound,
)
from tests.support.between import counted_requests
from tests.support.judge import Judge
from tests.support.servers import TRANSPORTS, every_transport, open_host
from tests.support.swappable import SwappableServer

pytestmark = pytest.mark.live

Host = Server | Connection


def show(text: str) -> tuple[str, ...]:
    return ("display-message", "-p", text)


def statuses(items: list[BatchItem]) -> list[str]:
    return [item.status for item in items]


@every_transport
def test_a_batch_answers_in_its_order(host: Host, home: Session, judge: Judge) -> None:
    commands: list[tuple[str | bytes, ...]] = [show(f"n{number}\n%%end 1 2 1\n") for number in range(20)]
    commands[3] = ("kill-session", "-t", "=nobody")
    commands[7] = ("set-option", "-g", "no-such-option", "1")
    commands[11] = ("set-buffer", "-b", "mine", "--", b"\xff;")
    items = host.run_batch(commands, concurrency=8)
    assert [item.words for item in items] == commands
    for number, item in enumerate(items):
        if number in (3, 7):
            assert (item.status, item.output) == ("failed", b"")
        elif number == 11:
            assert item[1:] == ("completed", b"", None)
        else:
            assert item[1:] == ("completed", f"n{number}\n%end 1 2 1\n".encode(), None)
    assert isinstance(items[3].error, SessionNotFound)
    assert isinstance(items[7].error, CommandError)
    assert "no-such-option" in items[7].error.diagnostic
    assert judge.raw("show-buffer", "-b", "mine") == b"\xff;"
    assert host.run_batch([]) == []


@every_transport
def test_everything_is_checked_before_the_first_is_sent(host: Host, home: Session, judge: Judge) -> None:
    good = ("new-window", "-d", "sleep 1000")
    wrong: list[Any] = [
        [good, ()],
        [good, ("-L", "x")],
        [good, ("list-panes", b"a\0b")],
        [good, ("list-panes", "\ud800")],
        [good, ("list-panes", 5)],
        [good, "list-panes"],
        [good, ["set-buffer"] * 9_001],
        [good] * 257,
        [good, ("set-buffer", "x" * 1024 * 1024)],
    ]
    for commands in wrong:
        for run in (host.run_batch, host.run_group):
            with counted_requests(host) as requests, pytest.raises(InvalidArgument):
                run(commands)
            assert requests == []
    bounds: tuple[Any, ...] = (0, 65, True, "4", None)
    for concurrency in bounds:
        with pytest.raises(InvalidArgument):
            host.run_batch([good], concurrency=concurrency)
    assert len(judge.lines("list-windows", "-a")) == 1


def test_a_batch_at_its_bounds(host: Host, home: Session) -> None:
    items = host.run_batch([show("x")] * (256 if isinstance(host, Connection) else 20), concurrency=64, timeout=20)
    assert {item[1:] for item in items} == {("completed", b"x", None)}


@pytest.mark.parametrize("kind", TRANSPORTS)
def test_the_server_dies_in_the_middle(kind: str, swappable: SwappableServer) -> None:
    with asyncio.Runner() as runner:
        host = open_host(kind, swappable.socket_path, swappable.tmux, runner)
        commands = [show("before"), ("run-shell", "sleep 0.2"), ("kill-server",), show("after")]
        if kind.endswith("connection"):
            # Those commands cannot go over one; so the server is killed from outside, while it is kept from answering.
            commands = [show("before"), *[("set-buffer", "-b", "b", "x" * 4_000)] * 40, show("after")]
            done = host.run_batch(commands[:1], concurrency=1)
            assert statuses(done) == ["completed"]
            swappable.process.send_signal(19)
            timer = threading.Timer(0.3, swappable.process.kill)
            timer.start()
            items = host.run_batch(commands, concurrency=1, timeout=10)
            timer.join()
            assert statuses(items) == ["unknown"] + ["skipped"] * 41
        else:
            items = host.run_batch(commands, concurrency=1, timeout=10)
            assert statuses(items)[:2] == ["completed", "completed"]
            assert statuses(items)[2] in ("completed", "unknown")
            assert statuses(items)[3] in ("skipped", "unknown")
        for item in items:
            if item.status in ("skipped", "unknown"):
                assert item.error is not None
                assert item.error.sent is (item.status == "unknown")
        if kind.endswith("connection"):
            host.close()  # type: ignore[union-attr]  # a connection


@pytest.mark.parametrize("kind", TRANSPORTS)
def test_a_group_whose_server_is_gone(kind: str, swappable: SwappableServer) -> None:
    with asyncio.Runner() as runner:
        host = open_host(kind, swappable.socket_path, swappable.tmux, runner)
        swappable.kill()
        items = host.run_group([show("a"), show("b")])
        assert len(items) == 2
        assert len({item.status for item in items}) == 1
        assert items[0].status in ("skipped", "unknown")
        assert items[0].error is not None
        assert items[0].error.sent is (items[0].status == "unknown")
        again = host.run_group([show("a"), show("b")])
        assert statuses(again) == ["skipped", "skipped"]
        if kind.endswith("connection"):
            host.close()  # type: ignore[union-attr]  # a connection


@every_transport
def test_a_group_stops_at_its_first_failure(host: Host, home: Session, judge: Judge) -> None:
    before = ("set-buffer", "-b", "one", "1")
    failing = ("kill-session", "-t", "=nobody")
    after = ("set-buffer", "-b", "two", "2")
    for padding in ("", "x" * 20_000):  # the longer one takes another way to a process
        pad = [("set-buffer", "-b", "pad", padding or "x")]
        for place in range(5):
            commands: list[tuple[str, ...]] = [show("first\n"), before, show("third"), after, *pad]
            commands[place] = failing
            items = host.run_group(commands)
            expected = ["completed"] * place + ["failed"] + ["skipped"] * (4 - place)
            assert (place, statuses(items)) == (place, expected)
            assert [item.words for item in items] == commands
            assert isinstance(items[place].error, SessionNotFound)
            assert "nobody" in str(items[place].error)
            assert [item.output for item in items[:place]] == [b"first\n", b"", b"third", b""][:place]
            assert ("two" in judge("list-buffers", "-F", "#{buffer_name}").split()) is (place > 3)
            for name in ("one", "two", "pad"):
                judge.run("delete-buffer", "-b", name)
    assert statuses(host.run_group([show("a"), show("b")])) == ["completed", "completed"]
    assert host.run_group([]) == []


def test_nothing_comes_between_the_commands_of_a_group(host: Host, home: Session, judge: Judge) -> None:
    stop = threading.Event()

    def disturb() -> None:
        while not stop.is_set():
            judge.run("set-option", "-g", "@turn", "theirs")

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        for number in range(30):
            write = ("set-option", "-g", "@turn", f"ours {number}")
            items = host.run_group([write, *[show("#{@turn}")] * 10])
            assert {item.output for item in items[1:]} == {f"ours {number}".encode()}
    finally:
        stop.set()
        thread.join()
