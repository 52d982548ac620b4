"""Waits on real panes: what counts, what does not, and what happens to the pane meanwhile."""

from __future__ import annotations

import os
import re
import shutil
import signal
import threading
import time
from collections.abc import Callable
from typing import Any, cast

import pytest

from muxwright import (
    CancellationToken,
    Connection,
    MuxwrightError,
    OwnedServer,
    Pane,
    PaneInMode,
    PaneNotFound,
    Server,
    ServerError,
    Session,
    WaitResult,
)
from muxwright.operations.waits import Wanted, wait_for
from tests.support.judge import Judge
from tests.support.sabotage import sabotaged
from tests.support.servers import every_transport
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

SHELLS = [shell for shell in ("sh", "bash", "zsh", "mksh", "fish") if shutil.which(shell)]
FLAGS = {"bash": ["--norc", "--noprofile"], "zsh": ["-f"], "fish": ["--no-config"]}


def _pane(host: Any, home: Session, *command: str) -> Pane:
    return cast(Pane, host.pane(home.new_window(command=list(command) or ["cat"]).active_pane().ref))


def _shell(host: Any, home: Session, name: str, width: int | None = None) -> Pane:
    # fish leaves a file where it can.
    plain = ["env", "XDG_RUNTIME_DIR=/nowhere", "HOME=/nowhere"]
    window = home.new_window(command=[*plain, name, *FLAGS.get(name, []), "-i"])
    if width is not None:
        window.resize(width=width, height=24)
    pane = cast(Pane, host.pane(window.active_pane().ref))
    assert pane.wait_ready(timeout=20)
    return pane


def _later(seconds: float, action: Callable[[], object]) -> threading.Timer:
    timer = threading.Timer(seconds, action)
    timer.start()
    return timer


@every_transport
def test_output_is_waited_for(host: Server | Connection, home: Session, judge: Judge) -> None:
    pane = _pane(host, home, "sh", "-c", "read x; echo first; read x; printf 'second? '; read x")
    _later(0.1, lambda: judge("send-keys", "-t", pane.id, "Enter"))
    result = pane.wait_for(["nothing", "first"], timeout=10)
    assert (result.outcome, result.pattern, result.text, result.route) == ("matched", 1, "first", "pipe")
    assert pane.wait_for_text("first").source == "baseline"
    assert pane.wait_for_text("first", baseline=False, timeout=0.2).outcome == "deadline"
    _later(0.1, lambda: judge("send-keys", "-t", pane.id, "Enter"))
    assert pane.wait_for([re.compile(r"second\? $")], timeout=10).outcome == "matched"


@every_transport
def test_a_stop_pattern_ends_it(host: Server | Connection, home: Session, judge: Judge) -> None:
    pane = _pane(host, home, "sh", "-c", "read x; echo 'all done, with an ERROR'; sleep 1000")
    _later(0.05, lambda: judge("send-keys", "-t", pane.id, "Enter"))
    result = pane.wait_for_text("done", stop=["error"], match_case=False, timeout=10)
    assert (result.outcome, result.pattern, result.text) == ("stopped", 0, "ERROR")


@every_transport
def test_text_drawn_by_cursor_movements_is_found(host: Server | Connection, home: Session, judge: Judge) -> None:
    draw = r"read x; printf '\033[2J\033[5;4Hnted\033[5;1Hwa\033[1m\033[H'; sleep 1000"
    pane = _pane(host, home, "sh", "-c", draw)
    _later(0.05, lambda: judge("send-keys", "-t", pane.id, "Enter"))
    result = pane.wait_for(["wanted"], stop=["wa nted"], timeout=10)
    assert result.outcome == "stopped", "there is a gap of one cell"


@pytest.mark.parametrize("route", ["pipe", "poll"])
@pytest.mark.parametrize("shell", SHELLS)
def test_the_echo_of_what_we_type_is_no_output(
    host: Server | Connection, home: Session, shell: str, route: Any
) -> None:
    pane = _shell(host, home, shell, width=60)
    for number, line in enumerate(("true MARK1", f"true {'x' * 150} MARK1")):
        # What is typed is on the screen for a while before the output that ends the wait.
        line += f"; sleep 0.2; echo EN'D'{number}"
        result = pane.send_and_wait(line, ["MARK1"], stop=[f"END{number}"], timeout=20, route=route)
        assert result.outcome == "stopped", line
    result = pane.send_and_wait(f"echo MA'RK2' {'x' * 150}", ["MARK2"], timeout=10, route=route)
    assert (result.outcome, result.source) == ("matched", "output")
    result = pane.send_and_wait("true MARK3", ["MARK3"], timeout=10, accept_echo=True, route=route)
    assert (result.outcome, result.source) == ("matched", "output")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_that_shows_typed_text_twice(host: Server | Connection, home: Session, shell: str) -> None:
    pane = _shell(host, home, shell)
    pane.send_text("sleep 0.4\n")
    assert pane.wait_for_text("sleep 0.4", accept_echo=True)
    result = pane.send_and_wait("true MARK; sleep 0.2; echo EN'D'", ["MARK"], stop=["END"], timeout=20)
    assert result.outcome == "stopped"


@every_transport
def test_wanted_text_before_during_and_after(host: Server | Connection, home: Session, judge: Judge) -> None:
    pane = _shell(host, home, "sh")
    judge("send-keys", "-t", pane.id, "-l", "echo WANTED")
    judge("send-keys", "-t", pane.id, "Enter")
    assert pane.wait_for([re.compile("^WANTED$", re.MULTILINE)]).source in ("baseline", "output")
    # Once more, and it does not count that it stands there already.
    result = pane.send_and_wait("sleep 0.3; echo WANT'ED'", ["WANTED"], timeout=10)
    assert (result.outcome, result.source) == ("matched", "output")
    assert result.duration >= 0.3
    result = pane.send_and_wait("clear; echo WANT'ED'", ["WANTED"], timeout=10)
    assert result.outcome == "matched"
    assert pane.send_and_wait("clear", ["WANTED"], timeout=0.5).outcome == "deadline"


@every_transport
def test_what_is_typed_but_not_entered_is_pending(host: Server | Connection, home: Session) -> None:
    pane = _shell(host, home, "sh")
    pane.send_text("echo MARK")
    result = pane.wait_for_text("MARK", timeout=0.4)
    assert result.outcome == "deadline"
    assert result.pending is not None
    assert result.pending.endswith("echo MARK")
    pane.send_keys("Enter")
    assert pane.wait_for_text("MARK", timeout=10)


@every_transport
def test_nothing_is_typed_into_a_pane_that_does_not_take_it(
    host: Server | Connection, home: Session, judge: Judge
) -> None:
    pane = _pane(host, home)
    judge("copy-mode", "-t", pane.id)
    with pytest.raises(PaneInMode):
        pane.send_and_wait("text", ["text"])
    judge("send-keys", "-t", pane.id, "-X", "cancel")
    wait_until(lambda: judge.show(pane.id, "pane_pipe") == "0", what="the pipe is closed")
    judge("send-keys", "-t", pane.id, "-l", "text")
    assert pane.wait_for_text("text", timeout=10), "what was refused is not taken for typed"


@every_transport
def test_quiet(host: Server | Connection, home: Session, judge: Judge) -> None:
    pane = _pane(host, home, "sh", "-c", "read x; for i in 1 2 3 4 5; do echo $i; sleep 0.1; done; sleep 1000")
    judge("send-keys", "-t", pane.id, "Enter")
    result = pane.wait_for_quiet(0.3, timeout=10)
    assert result.outcome == "quiet"
    assert 0.6 < result.duration < 5
    assert pane.send_and_wait("x", ["never"], timeout=0.2).outcome == "deadline"


@every_transport
def test_case_29_a_shell_is_ready_once_it_has_drawn(host: Server | Connection, home: Session) -> None:
    session = host.new_session("fresh")
    pane = session.active_pane()
    assert pane.wait_ready(timeout=20)
    assert str(pane.capture()).strip(), "its prompt is there"


@every_transport
@pytest.mark.parametrize("how", ["exit 7", "kill -KILL $$"])
def test_the_exit_of_the_program(host: Server | Connection, home: Session, judge: Judge, how: str) -> None:
    pane = _pane(host, home, "sh", "-c", f"read x; echo bye; {how}")
    judge("set-option", "-p", "-t", pane.id, "remain-on-exit", "on")
    _later(0.05, lambda: judge("send-keys", "-t", pane.id, "Enter"))
    result = pane.wait_for_exit(timeout=10)
    assert result.outcome == "exited"
    assert "bye" in result.tail
    assert result.exit_status in ((7, None) if how == "exit 7" else (None,))
    result = pane.wait_for_text("never", timeout=10)
    assert result.outcome == "pane_closed"


@every_transport
def test_a_pane_that_goes_with_its_program(host: Server | Connection, home: Session, judge: Judge) -> None:
    pane = _pane(host, home, "sh", "-c", "read x; exit 7")
    _later(0.05, lambda: judge("send-keys", "-t", pane.id, "Enter"))
    result = pane.wait_for_exit(timeout=10)
    assert (result.outcome, result.exit_status) == ("exited", None)
    with pytest.raises(PaneNotFound):
        pane.wait_for_text("never")


@every_transport
def test_a_state_of_the_screen(host: Server | Connection, home: Session, judge: Judge) -> None:
    pane = _pane(host, home, "sh", "-c", r"printf '10%%'; read x; printf '\r100%%'; sleep 1000")
    assert pane.wait_until(lambda screen: "10%" in screen).outcome == "matched"
    _later(0.05, lambda: judge("send-keys", "-t", pane.id, "x", "Enter"))
    assert pane.wait_until(lambda screen: any(line.startswith("100%") for line in screen.lines), timeout=10)
    assert pane.wait_until(lambda screen: False, timeout=0.1).outcome == "deadline"


@every_transport
def test_a_token_ends_a_wait(host: Server | Connection, home: Session) -> None:
    pane = _pane(host, home)
    token = CancellationToken()
    _later(0.1, token.cancel)
    before = time.monotonic()
    assert pane.wait_for_text("never", timeout=50, cancel=token).outcome == "cancelled"
    assert time.monotonic() - before < 5
    assert pane.send_and_wait("on", ["on"], accept_echo=True).outcome == "matched"


@every_transport
def test_a_moved_or_respawned_pane_is_waited_for_on(host: Server | Connection, home: Session, judge: Judge) -> None:
    pane = _pane(host, home)
    other = judge("new-session", "-d", "-s", "other", "-P", "-F", "#{window_id}", "sleep 1000")

    def happen() -> None:
        judge("join-pane", "-d", "-s", pane.id, "-t", other)
        judge("respawn-pane", "-k", "-t", pane.id, "sh -c 'sleep 0.1; echo wan''ted; sleep 1000'")

    _later(0.1, happen)
    result = pane.wait_for_text("wanted", timeout=10)
    assert (result.outcome, result.gap, result.route) == ("matched", False, "pipe")


@pytest.mark.parametrize("command", [["cat > /dev/null"], []], ids=["taken", "closed"])
def test_a_wait_goes_on_without_its_pipe(
    host: Server | Connection, home: Session, judge: Judge, command: list[str]
) -> None:
    pane = _pane(host, home)
    _later(0.1, lambda: judge("pipe-pane", "-t", pane.id, *command))
    _later(0.4, lambda: judge("send-keys", "-t", pane.id, "-l", "wanted"))
    result = pane.wait_for_text("wanted", timeout=10)
    assert (result.outcome, result.gap) == ("matched", True)
    assert result.route == ("pipe" if not command else result.route)
    if command:
        assert judge.show(pane.id, "pane_pipe") == "1", "what they made is theirs"


def test_with_a_flood_beside_it(connection: Connection, home: Session) -> None:
    _pane(connection, home, "yes")
    pane = _pane(connection, home, "sh", "-c", "while read x; do echo go $x; done")
    for number in range(10):
        result = pane.send_and_wait(f"{number}", [f"go {number}"], timeout=20)
        assert (result.outcome, result.source) == ("matched", "output")


def test_in_the_middle_of_a_flood(host: Server | Connection, home: Session) -> None:
    pane = _pane(host, home, "sh", "-c", "read x; yes | head -30000; echo wanted; exec yes")
    result = pane.send_and_wait("", ["wanted"], timeout=30)
    assert (result.outcome, result.source) == ("matched", "output"), result
    pane.send_keys("C-c")


# --- something ends in each phase of a wait ---------------------------------------------------------------------------

PHASES, BUDGET = 8, 10.0
ENDS: dict[str, Callable[[OwnedServer, Pane, Judge], object]] = {
    "pane killed": lambda server, pane, judge: judge.run("kill-pane", "-t", pane.id),
    "session killed": lambda server, pane, judge: judge.run("kill-session", "-t", "=doomed"),
    "program killed": lambda server, pane, judge: judge.run("send-keys", "-t", pane.id, "C-d"),
    "server killed": lambda server, pane, judge: judge.run("kill-server"),
    "server SIGKILLed": lambda server, pane, judge: os.kill(server.pid, signal.SIGKILL),
}


@pytest.mark.parametrize("end", [end for end in ENDS if not end.startswith("server")])
@every_transport
def test_an_end_in_each_phase_of_a_wait(
    host: Server | Connection, home: Session, judge: Judge, server: OwnedServer, end: str
) -> None:
    for phase in range(PHASES):
        _end_in_phase(host, server, judge, end, phase)


@pytest.mark.parametrize("end", [end for end in ENDS if end.startswith("server")])
@every_transport
def test_the_server_ends_in_the_middle_of_a_wait(
    host: Server | Connection, home: Session, judge: Judge, server: OwnedServer, end: str
) -> None:
    _end_in_phase(host, server, judge, end, 6)


def _end_in_phase(host: Any, server: OwnedServer, judge: Judge, end: str, phase: int) -> None:
    doomed = server.new_session("doomed", command=["cat"])
    pane = cast(Pane, host.pane(doomed.active_pane().ref))
    operation = wait_for(pane._place, pane.ref, Wanted(["never"]), BUDGET)
    before = time.monotonic()
    happened: list[object] = []
    outcome: object
    try:
        happening = sabotaged(operation, phase, lambda: happened.append(ENDS[end](server, pane, judge)))
        outcome = host.run(happening, BUDGET)
    except MuxwrightError as error:
        outcome = error
    assert happened, "a wait has that many steps"
    assert time.monotonic() - before < BUDGET, (end, phase, outcome)
    if isinstance(outcome, WaitResult):
        assert outcome.outcome == "pane_closed", (end, phase, outcome)
    else:
        assert isinstance(outcome, PaneNotFound | ServerError), (end, phase, outcome)
    judge.run("kill-session", "-t", "=doomed")


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("end", [end for end in ENDS if end.startswith("server")])
@pytest.mark.parametrize("over", ["process", "connection"])
def test_the_server_ends_in_each_phase_of_a_wait(tmux_executable: str, end: str, over: str) -> None:
    for phase in range(PHASES):
        with OwnedServer(tmux=tmux_executable) as server:
            server.new_session("home", command=["sleep", "1000"])
            judge = Judge(server.socket_path, tmux_executable)
            host: Server | Connection = server
            if over == "connection":
                host = server.connect()
            try:
                _end_in_phase(host, server, judge, end, phase)
            finally:
                if isinstance(host, Connection):
                    host.close()
