"""Nothing that a program prints can end a reply early, disturb another, or make an event."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

import pytest

from muxwright import Connection, OwnedServer, RemoteProtocolError, Server, Session, UnsupportedCapability
from tests.support.judge import Judge
from tests.support.screens import screen_with
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

QUIET = ["sleep", "1000"]
SECONDS, NUMBERS = 12, 1400


def numbers_now(connection: Connection) -> tuple[int, int]:
    """The time and the number of the last guard lines: the numbers count on, for all clients of the server."""
    log = bytearray()
    exchange = connection._transport._exchange
    receive = exchange.receive_data

    def spy(data: bytes) -> None:
        log.extend(data)
        receive(data)

    exchange.receive_data = spy  # type: ignore[method-assign]  # looks at the bytes on their way
    try:
        connection.describe()
    finally:
        del exchange.receive_data
    time, number = re.findall(rb"%begin (\d+) (\d+) 1\n", log)[-1]
    return int(time), int(number)


def guard_lines(time: int, number: int) -> list[str]:
    """Guards with every number and second that the next replies can have, and other words of the protocol."""
    lines = []
    for ahead in range(NUMBERS):
        lines += [f"%end {time + second} {number + ahead} 1" for second in range(SECONDS)]
        lines.append(f"%error {time} {number + ahead} 1")
        lines.append(f"%begin {time} {number + ahead} {ahead % 2}")
        lines.append(
            ("%exit", "%output %0 x", "%session-changed $0 x", "%window-close @0", "", "%end 1 2 1")[ahead % 6]
        )
    return lines


@pytest.mark.parametrize("host", ["process", "connection", "async connection"], indirect=True)
def test_a_pane_that_prints_the_exact_guards_is_captured_right_200_times(
    host: Server | Connection, server: OwnedServer, home: Session, judge: Judge, tmp_path: Path
) -> None:
    judge("set-option", "-g", "history-limit", "30000")
    with server.connect() as witness:
        time, number = numbers_now(witness)
        lines = [*guard_lines(time, number), "the last line"]
        (tmp_path / "guards").write_text("\n".join(lines))
        pane = (
            host.session(home.ref).new_window(shell_command=f"cat '{tmp_path}/guards'; exec sleep 1000").active_pane()
        )
        screen_with(pane, "the last line")
        clients = {row["client_name"] for row in witness.list_clients("client_name")}
        framed = hasattr(host, "client_pid")  # a process has no guards in what it prints
        for turn in range(200 if framed else 50):
            if turn % 20 == 0:
                assert pane.capture(start="history").trimmed == lines
            screen = pane.capture(start=-40)
            assert screen.trimmed == lines[-len(screen.trimmed) :]
            assert host.command("display-message", "-p", f"own {turn}") == f"own {turn}".encode()
        # The guesses were good: the numbers of these replies were among those printed, most of the time.
        assert not framed or number < numbers_now(witness)[1] < number + NUMBERS
        assert {row["client_name"] for row in witness.list_clients("client_name")} == clients


def test_a_hook_that_prints_after_each_capture(connection: Connection, server: OwnedServer, home: Session) -> None:
    """Over a connection its text is told from the pane's; by process it is an error, never a wrong screen."""
    program = "printf 'text\\n%%end 1 2 1\\nmore'; exec sleep 1000"
    ref = server.new_session("x", size=(80, 5), shell_command=program).active_pane().ref
    pane = connection.pane(ref)
    before = screen_with(pane, "more")
    server.command("set-hook", "-g", "after-capture-pane", "display-message -p hooked")
    for _ in range(50):
        assert pane.capture() == before
        assert pane.capture(join_wrapped=True).trimmed == before.trimmed
    with pytest.raises(UnsupportedCapability, match="after-capture-pane"):
        server.pane(ref).capture()
    server.command("set-hook", "-gu", "after-capture-pane")
    assert server.pane(ref).capture() == before


@pytest.mark.parametrize("command", ["list-panes", "display-message", "list-windows", "list-sessions", "list-clients"])
def test_a_hook_that_prints_after_a_listing_is_an_error_at_worst(
    command: str, host: Server | Connection, judge: Judge
) -> None:
    before = [pane.id for pane in host.snapshot().panes]
    judge("set-hook", "-g", f"after-{command}", "display-message -p hooked")
    for _ in range(5):
        # Never a wrong snapshot: the right one, or an error.
        with contextlib.suppress(RemoteProtocolError):
            assert [pane.id for pane in host.snapshot().panes] == before
    judge.run("set-hook", "-gu", f"after-{command}")
    assert [pane.id for pane in host.snapshot().panes] == before


def test_titles_and_names_that_look_like_protocol(host: Server | Connection, home: Session, tmp_path: Path) -> None:
    """A program that changes its title to guard lines as fast as it can."""
    script = tmp_path / "titles"
    time = int(host.snapshot().session("home").created)
    script.write_text(
        "".join(f"\033]2;%end {time + number % 9} {number} 1 \033\\\033k%exit\033\\" for number in range(2000))
    )
    made = host.session(home.ref).new_window(shell_command=f"while :; do cat '{script}'; done").active_pane()
    wait_until(lambda: made.refresh().title.startswith("%end "), what="the titles change")
    titles: set[str] = set()
    for _ in range(40):
        titles.add(made.refresh().title)
    assert all(re.fullmatch(r"%end \d+ \d+ 1 ?", title) for title in titles), titles
    made.kill()


def test_floods_do_not_reach_a_connection(connection: Connection, home: Session) -> None:
    """The connection takes no output: a pane that prints without end costs it nothing."""
    received = 0
    exchange: Any = connection._transport._exchange
    receive = exchange.receive_data

    def count(data: bytes) -> None:
        nonlocal received
        received += len(data)
        receive(data)

    flood = connection.session(home.ref).new_window(command=["yes", "%exit"]).active_pane()
    screen_with(flood, "%exit")
    exchange.receive_data = count
    for _ in range(100):
        connection.describe()
    assert received < 100 * 1000
    flood.kill()
