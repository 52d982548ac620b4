"""An act reaches exactly the object it was meant for, in the state it needs, or does nothing and says why.

The daemon is replaced, the pane dies, is killed or enters copy mode *between* the two steps: after the object was
observed, or after the request was made and before it is sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from muxwright import (
    Connection,
    ConnectionLost,
    CrossServerReference,
    MuxwrightError,
    OwnedServer,
    Pane,
    PaneDead,
    PaneInfo,
    PaneInMode,
    PaneInputOff,
    PaneNotFound,
    Server,
    Session,
    StaleReference,
    Window,
)
from tests.support.between import before_the_act
from tests.support.judge import Judge
from tests.support.recorder import Recorder
from tests.support.servers import TRANSPORTS, open_host
from tests.support.swappable import SwappableServer
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

TYPING: dict[str, Callable[[Pane], object]] = {
    "send_keys": lambda pane: pane.send_keys("C-c", "Enter"),
    "send_text": lambda pane: pane.send_text("rm -rf x\n"),
    "send_text, long": lambda pane: pane.send_text("x" * 20_000),
    "paste": lambda pane: pane.paste("rm -rf x\n"),
    "paste, long": lambda pane: pane.paste(b"x" * 20_000),
    "paste, empty": lambda pane: pane.paste(b""),
}
PANE_ACTS: dict[str, Callable[[Pane], object]] = TYPING | {
    "split": lambda pane: pane.split(),
    "kill": lambda pane: pane.kill(),
    "resize": lambda pane: pane.resize(height=5),
    "select": lambda pane: pane.select(),
    "set_title": lambda pane: pane.set_title("mine"),
    "leave_mode": lambda pane: pane.leave_mode(),
    "capture": lambda pane: pane.capture(),
    "respawn": lambda pane: pane.respawn(kill_running=True, command=["sleep", "1"]),
    "set_zoom": lambda pane: pane.set_zoom(True),
    "clear_history": lambda pane: pane.clear_history(),
    "pipe": lambda pane: pane.pipe("cat"),
}
WINDOW_ACTS: dict[str, Callable[[Window], object]] = {
    "kill": lambda window: window.kill(),
    "rename": lambda window: window.rename("mine"),
    "select": lambda window: window.select(),
    "resize": lambda window: window.resize(100, 30),
    "select_layout": lambda window: window.select_layout("tiled"),
    "respawn": lambda window: window.respawn(kill_running=True, command=["sleep", "1"]),
    "rotate_panes": lambda window: window.rotate_panes(),
    "cycle_layout": lambda window: window.cycle_layout(),
}
SESSION_ACTS: dict[str, Callable[[Session], object]] = {
    "kill": lambda session: session.kill(),
    "rename": lambda session: session.rename("mine"),
    "new_window": lambda session: session.new_window("mine"),
}
ACTS: dict[str, Callable[[Any], object]] = {
    f"{kind}.{name}": act
    for kind, acts in (("pane", PANE_ACTS), ("window", WINDOW_ACTS), ("session", SESSION_ACTS))
    for name, act in acts.items()
}


class Handles:
    """The three objects of a `SwappableServer`, as a host has observed them."""

    def __init__(self, host: Server | Connection) -> None:
        self.session, self.window, self.pane = host.get_session("main"), host.get_window("@0"), host.get_pane("%0")

    def perform(self, name: str) -> None:
        """Do one of `ACTS`."""
        ACTS[name](getattr(self, name.partition(".")[0]))

    def at(self, host: Server | Connection) -> Handles:
        """The same objects through another host."""
        other = object.__new__(Handles)
        other.session, other.window, other.pane = (
            host.session(self.session.ref),
            host.window(self.window.ref),
            host.pane(self.pane.ref),
        )
        return other


def world(judge: Judge) -> str:
    """Everything that one of the acts would change."""
    return judge("list-panes", "-a", "-F", "#{session_name} #{window_name} #{window_layout} #{pane_id} #{pane_title}")


@pytest.fixture(params=TRANSPORTS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def reach(kind: str, swappable: SwappableServer) -> Iterator[Callable[[], Server | Connection]]:
    """Opens another host of the kind to the server that answers now."""
    with asyncio.Runner() as runner, contextlib.ExitStack() as opened:

        def reach() -> Server | Connection:
            host = open_host(kind, swappable.socket_path, swappable.tmux, runner)
            if kind.endswith("connection"):
                opened.callback(cast(Connection, host).close)
            return host

        yield reach


# --- the daemon is replaced -------------------------------------------------------------------------------------------


def test_every_act_on_a_replaced_server_is_stale(
    kind: str, reach: Callable[[], Server | Connection], swappable: SwappableServer
) -> None:
    """Observed before, acted on after: by process, and by a new connection with the old refs."""
    host = reach()
    handles = Handles(host)
    swappable.swap()
    before = world(swappable.judge)
    if kind.endswith("connection"):
        with pytest.raises(ConnectionLost):
            handles.pane.send_text("x")
        with pytest.raises(ConnectionLost) as lost:
            handles.pane.send_text("x")
        assert lost.value.effects == "none"
        host = reach()
        handles = handles.at(host)
    for name in ACTS:
        with pytest.raises(StaleReference) as caught:
            handles.perform(name)
        assert (name, caught.value.effects) == (name, "none")
    assert not (handles.pane.exists() or handles.window.exists() or handles.session.exists())
    for refresh in (handles.pane.refresh, handles.window.refresh, handles.session.refresh):
        with pytest.raises(StaleReference):
            refresh()
    swappable.nothing_typed()
    assert world(swappable.judge) == before


def test_no_connection_is_attached_to_a_session_of_an_earlier_server(swappable: SwappableServer) -> None:
    server = Server(socket_path=swappable.socket_path, tmux=swappable.tmux)
    session = server.get_session("main")
    swappable.swap()
    with pytest.raises(StaleReference):
        server.connect(session)
    assert swappable.judge("list-clients") == ""


@pytest.mark.parametrize("of", ["pane", "window", "session"])
def test_the_daemon_is_replaced_after_the_request_was_made(of: str, swappable: SwappableServer) -> None:
    """By process: the request is complete, then the daemon changes, then the request is sent."""
    host = Server(socket_path=swappable.socket_path, tmux=swappable.tmux)
    for name in (name for name in ACTS if name.startswith(f"{of}.")):
        handles = Handles(host)
        before = world(swappable.judge)
        with before_the_act(host, swappable.swap), pytest.raises(StaleReference) as caught:
            handles.perform(name)
        assert (name, caught.value.effects) == (name, "none")
        swappable.nothing_typed()
        assert world(swappable.judge) == before, name


@pytest.mark.parametrize("kind", ["async process", "connection", "async connection"])
def test_the_daemon_is_replaced_before_it_is_typed(
    kind: str, reach: Callable[[], Server | Connection], swappable: SwappableServer
) -> None:
    """The same for the other hosts; a connection is lost with its daemon and types into no other."""
    expected = ConnectionLost if kind.endswith("connection") else StaleReference
    for type_it in TYPING.values():
        host = reach()
        pane = host.get_pane("%0")
        with before_the_act(host, swappable.swap), pytest.raises(expected):
            type_it(pane)
        swappable.nothing_typed()


# --- the pane changes -------------------------------------------------------------------------------------------------


def kill_it(judge: Judge, recorder: Recorder) -> None:
    judge("kill-pane", "-t", recorder.pane.id)


def let_it_die(judge: Judge, recorder: Recorder) -> None:
    judge("set-option", "-p", "-t", recorder.pane.id, "remain-on-exit", "on")
    judge("send-keys", "-t", recorder.pane.id, "-l", "before")
    recorder.expect(b"before")
    os.kill(int(judge.show(recorder.pane.id, "pane_pid")), signal.SIGTERM)
    wait_until(lambda: judge.show(recorder.pane.id, "pane_dead") == "1", what="the pane is dead")


def enter_copy_mode(judge: Judge, recorder: Recorder) -> None:
    judge("copy-mode", "-t", recorder.pane.id)


def switch_input_off(judge: Judge, recorder: Recorder) -> None:
    judge("select-pane", "-d", "-t", recorder.pane.id)


CHANGES: dict[str, tuple[Callable[[Judge, Recorder], None], type[MuxwrightError]]] = {
    "is killed": (kill_it, PaneNotFound),
    "dies": (let_it_die, PaneDead),
    "enters copy mode": (enter_copy_mode, PaneInMode),
    "takes no input": (switch_input_off, PaneInputOff),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_pane_changes_before_it_is_typed(
    change: str, host: Server | Connection, home: Session, judge: Judge, tmp_path: Path
) -> None:
    happen, error = CHANGES[change]
    for number, (name, type_it) in enumerate(TYPING.items()):
        recorder = Recorder(tmp_path / str(number))
        recorder.pane = host.session(home.ref).new_window(command=recorder.argv).active_pane()
        recorder.ready()
        with before_the_act(host, lambda: happen(judge, recorder)), pytest.raises(error) as caught:  # noqa: B023 - called before the next turn
            type_it(recorder.pane)
        assert (name, caught.value.effects, caught.value.target) == (name, "none", recorder.pane.id)
        assert judge("list-buffers") == "", name
        # Nothing was typed there, nor into the pane that is current now, and the connection goes on.
        assert recorder.received() in (b"", b"before"), name
        assert host.get_session("home").active_pane().capture().trimmed == [], name
        if change in ("enters copy mode", "takes no input"):
            recorder.pane.leave_mode()
            judge("select-pane", "-e", "-t", recorder.pane.id)
            recorder.pane.send_text("after")
            recorder.expect(b"after")


def test_the_pane_is_killed_before_another_act(
    host: Server | Connection, home: Session, judge: Judge, tmp_path: Path
) -> None:
    for name in PANE_ACTS.keys() - TYPING.keys():
        recorder = Recorder(tmp_path / name)
        recorder.pane = host.session(home.ref).new_window(command=recorder.argv).active_pane()
        recorder.ready()
        with before_the_act(host, lambda: kill_it(judge, recorder)), pytest.raises(PaneNotFound) as caught:  # noqa: B023 - called before the next turn
            PANE_ACTS[name](recorder.pane)
        assert (name, caught.value.effects, caught.value.target) == (name, "none", recorder.pane.id)
        assert len(judge.lines("list-panes", "-a")) == 1, name


def test_a_dead_or_dying_pane_can_still_be_looked_at_and_killed(
    host: Server | Connection, judge: Judge, recorder: Recorder
) -> None:
    let_it_die(judge, recorder)
    info: PaneInfo = recorder.pane.refresh()
    assert info.dead
    assert len(recorder.pane.capture().lines) == info.height
    recorder.pane.set_title("late")
    recorder.pane.kill()
    assert not recorder.pane.exists()


# --- another server ---------------------------------------------------------------------------------------------------


def test_a_ref_of_another_endpoint_is_refused(host: Server | Connection, home: Session, tmux_executable: str) -> None:
    with OwnedServer(tmux=tmux_executable) as elsewhere:
        ref = elsewhere.new_session("home", command=["sleep", "1000"]).active_pane().ref
        assert ref.id == home.active_pane().id
        for call in cast("tuple[Any, ...]", (Pane.send_text, Pane.paste, Pane.set_title)):
            with pytest.raises(CrossServerReference) as caught:
                getattr(host.pane(ref), call.__name__)("x")
            assert caught.value.effects == "none"
    assert home.active_pane().capture().trimmed == []
