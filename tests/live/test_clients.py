"""Attached clients: switched and detached by name and incarnation, and never another one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from muxwright import (
    Client,
    ClientId,
    ClientNotFound,
    ClientRef,
    Connection,
    ConnectionLost,
    InvalidArgument,
    MuxwrightError,
    OwnedServer,
    Server,
    Session,
    SessionNotFound,
    StaleReference,
)
from tests.support.between import before_the_act
from tests.support.judge import Judge
from tests.support.servers import every_transport
from tests.support.swappable import SwappableServer
from tests.support.terminals import Terminal
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

QUIET = ["sleep", "1000"]
Terminals = Callable[[], Terminal]
Act = Callable[[], object]


def client_of(host: Server | Connection, terminal: Terminal) -> Client:
    (client,) = [client for client in host.clients() if client.name == terminal.name]
    return client


@every_transport
def test_a_client_is_switched_and_detached_and_no_other(
    host: Server | Connection, home: Session, terminals: Terminals
) -> None:
    other = host.new_session("other", command=QUIET)
    one, two = terminals().attach("=home"), terminals().attach("=home")
    client = client_of(host, one)
    info = client.refresh()
    assert (info.pid, info.tty, info.control) == (one.process_pid, one.name, False)
    assert info.session is not None and info.session.name == "home"
    client.switch(other)
    assert (one.session(), two.session()) == ("other", "home")
    client.detach()
    wait_until(lambda: not one.pid_there(), what="it is detached")
    assert two.session() == "home"
    assert not client.exists()
    assert client_of(host, two).exists()
    assert other.exists()


@every_transport
def test_a_name_used_again_is_another_client(host: Server | Connection, home: Session, terminals: Terminals) -> None:
    other = host.new_session("other", command=QUIET)
    terminal = terminals().attach("=home")
    client = client_of(host, terminal)
    terminal.hang_up()
    acts: list[Act] = [client.detach, lambda: client.switch(other), client.refresh]
    for act in acts:
        with pytest.raises(ClientNotFound, match="is gone") as gone:
            act()
        assert (gone.value.effects, gone.value.target) == ("none", terminal.name)
    terminal.attach("=home")
    for act in acts:
        with pytest.raises(StaleReference, match="is another one by now") as stale:
            act()
        assert (stale.value.effects, stale.value.target) == ("none", terminal.name)
    assert not client.exists()
    assert (terminal.session(), terminal.pid_there()) == ("home", terminal.process_pid)


def test_another_client_that_comes_just_before_the_act(
    host: Server | Connection, home: Session, terminals: Terminals
) -> None:
    terminal = terminals().attach("=home")
    client = client_of(host, terminal)

    def replace() -> None:
        terminal.attach("=home")

    with before_the_act(host, replace, b"detach-client"), pytest.raises(StaleReference, match="another one") as stale:
        client.detach()
    _, version = host.describe()
    if (version.major, version.minor) >= (3, 4):
        assert stale.value.effects == "none"
        assert terminal.pid_there() == terminal.process_pid
    else:
        # It could not be prevented, and it is said.
        assert stale.value.effects == "possible"
        wait_until(lambda: not terminal.pid_there(), what="the other client is detached")


@every_transport
def test_a_session_that_is_gone(host: Server | Connection, home: Session, terminals: Terminals, judge: Judge) -> None:
    terminal = terminals().attach("=home")
    other = host.new_session("other", command=QUIET)
    judge("kill-session", "-t", "=other")
    with pytest.raises(SessionNotFound) as gone:
        client_of(host, terminal).switch(other)
    assert gone.value.effects == "none"
    assert terminal.session() == "home"


def test_the_environment_is_copied_when_asked_for(
    host: Server | Connection, home: Session, terminals: Terminals
) -> None:
    host.set_option("global_session", "update-environment", {0: "MUXWRIGHT_TEST"})
    other = host.new_session("other", command=QUIET)
    host.unset_environment(other, "MUXWRIGHT_TEST")
    client = client_of(host, terminals().attach("=home", MUXWRIGHT_TEST="here"))
    client.switch(other)
    assert host.get_environment(other, "MUXWRIGHT_TEST") is None
    client.switch(other, update_environment=True)
    copied = host.get_environment(other, "MUXWRIGHT_TEST")
    assert copied is not None and copied.value == "here"


@pytest.mark.parametrize("host", ["connection", "async connection"], indirect=True)
def test_a_connection_leaves_its_own_client_alone(host: Connection, server: OwnedServer, home: Session) -> None:
    (own,) = host.clients()
    assert own.refresh().pid == host.client_pid
    acts: list[Act] = [own.detach, lambda: own.switch(host.session(home.ref))]
    for act in acts:
        with pytest.raises(InvalidArgument, match=r"the connection's own client") as refused:
            act()
        assert refused.value.effects == "none"
    assert host.get_session("home").ref == home.ref
    # It was not a question of what kind of client it is: somebody else may detach it.
    server.client(own.ref).detach()
    with pytest.raises(ConnectionLost):
        wait_until(lambda: not host.list_sessions("session_id"), what="the connection ends")


def test_another_life_of_the_server_is_stale(swappable: SwappableServer) -> None:
    server = Server(socket_path=swappable.socket_path, tmux=swappable.tmux)
    session = server.get_session("main")
    with Terminal(swappable.judge) as terminal:
        client = client_of(server, terminal.attach("=main"))
        swappable.swap()
        terminal.attach("=main")
        acts: list[Act] = [client.detach, lambda: client.switch(session), client.refresh]
        for act in acts:
            with pytest.raises(StaleReference):
                act()
        assert not client.exists()
        assert terminal.pid_there() == terminal.process_pid


@pytest.mark.parametrize("name", ["", "a,b", "#{pid}", "}", "two words", "new\nline", "a#b"])
def test_a_name_that_tmux_never_gives_is_refused(host: Server | Connection, home: Session, name: str) -> None:
    client = host.client(ClientRef(home.ref.server, ClientId(name, "1:2")))
    with pytest.raises(InvalidArgument, match="no client's name") as refused:
        client.detach()
    assert refused.value.effects == "none"


def test_a_handle_is_made_of_what_names_a_client(host: Server | Connection, home: Session) -> None:
    with pytest.raises(InvalidArgument, match="expected a ClientRef"):
        host.client("client-7")  # type: ignore[arg-type]  # what is tested
    ref = ClientRef(home.ref.server, ClientId("client-7", "7:8"))
    assert host.client(ref) == host.client(host.client(ref))
    assert len({host.client(ref), host.client(ref)}) == 1
    assert "client-7" in repr(host.client(ref))
    assert issubclass(ClientNotFound, MuxwrightError)
