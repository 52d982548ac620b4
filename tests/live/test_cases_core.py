"""The situations of tests/cases/core.toml that break a tmux library: names, listings, servers and identity.

One test for each number, with the right outcome. What is typed and captured is in test_cases_pane.py.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from muxwright import (
    AlreadyExists,
    AtLeast,
    BadLayout,
    Connection,
    Contains,
    DeadlineExceeded,
    InvalidArgument,
    MuxwrightError,
    NoSpace,
    OwnedServer,
    Pane,
    PaneNotFound,
    PaneWhere,
    Server,
    ServerNotRunning,
    ServerUnreachable,
    Session,
    SessionNotFound,
    StaleReference,
    WindowNotFound,
)
from tests.support.between import counted_requests
from tests.support.judge import Judge
from tests.support.screens import exited_with, screen_with
from tests.support.swappable import SwappableServer
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

QUIET = ["sleep", "1000"]


def test_case_01_newline_in_directory_or_window_name(
    host: Server | Connection, home: Session, judge: Judge, tmp_path: Path
) -> None:
    directory = tmp_path / "evil\ndir"
    directory.mkdir()
    made = host.session(home.ref).new_window(command=QUIET, directory=str(directory)).active_pane()
    wait_until(
        lambda: made.refresh().as_dict().get("current_path") == str(directory), what="the program is in its directory"
    )
    # tmux stores the newline in a form of its own, or refuses it; either way the listing holds.
    judge.run("rename-window", "-t", home.active_window().id, "evil\nname")
    assert [info.id for info in host.snapshot().panes] == [home.active_pane().id, made.id]
    assert host.snapshot().window(home.active_window().id).name == judge.show(home.active_window().id, "window_name")


def test_case_02_separators_in_a_title(host: Server | Connection, home: Session, judge: Judge, tmp_path: Path) -> None:
    # Since 3.7 tmux itself doubles a backslash when a program sets the title.
    for title in ("a␞b | %end 1 2 1 #{pid} ## #[x] 'q\" $HOME ${x} ~ ; é日😀", "back\\slash \\n\\033 \\"):
        script = tmp_path / "title"
        script.write_text(f"\033]2;{title}\033\\")
        made = host.session(home.ref).new_window(shell_command=f"cat '{script}'; exec sleep 1000").active_pane()
        stored = (title, title.replace("\\", "\\\\"))[: 1 + ("\\" in title)]
        wait_until(lambda made=made, stored=stored: made.refresh().title in stored, what="the title round-trips")  # type: ignore[misc]  # default arguments
        rows = {row["pane_id"]: row["pane_title"] for row in host.list_panes("pane_id", "pane_title")}
        assert rows[made.id] == judge.show(made.id, "pane_title") == made.refresh().title


def test_case_03_locale_of_the_caller_changes_no_byte(
    server: OwnedServer, home: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    title, name = "é日\t😀".replace("\t", " "), "naïve"
    monkeypatch.setenv("LC_ALL", "C")
    caller = Server(socket_path=server.socket_path, tmux=server.attach_command[0])
    session = caller.new_session(name, shell_command="printf 'tab\\there caf\\303\\251'; exec sleep 1000")
    session.active_pane().set_title(title)
    with caller.connect() as connection:
        for host in (caller, connection):
            assert host.snapshot().session(name).name == name
            assert host.pane(session.active_pane().ref).refresh().title == title
            text = screen_with(host.pane(session.active_pane().ref), "caf").trimmed
            assert text in (["tab     here café"], ["tab\there café"])  # captures keep tabs since tmux 3.6


PANE_CALLS: dict[str, Callable[[Pane], object]] = {
    "send_keys": lambda pane: pane.send_keys("Enter"),
    "send_text": lambda pane: pane.send_text("x"),
    "paste": lambda pane: pane.paste("x"),
    "capture": lambda pane: pane.capture(),
    "split": lambda pane: pane.split(),
    "select": lambda pane: pane.select(),
    "resize": lambda pane: pane.resize(width=10),
    "set_title": lambda pane: pane.set_title("x"),
    "leave_mode": lambda pane: pane.leave_mode(),
    "refresh": lambda pane: pane.refresh(),
    "kill": lambda pane: pane.kill(),
}


def test_case_04_a_killed_object_is_one_typed_error(host: Server | Connection, home: Session, judge: Judge) -> None:
    window = host.session(home.ref).new_window(command=QUIET)
    gone = window.active_pane()
    judge("kill-pane", "-t", gone.id)
    assert not gone.exists()
    for name, call in PANE_CALLS.items():
        with pytest.raises(PaneNotFound) as caught:
            call(gone)
        assert (name, caught.value.target, caught.value.effects) == (name, gone.id, "none")
    for use_window in (window.refresh, window.kill, lambda: window.rename("x"), lambda: window.select_layout("tiled")):
        with pytest.raises(WindowNotFound) as lost:
            use_window()
        assert lost.value.target == window.id
    session = host.new_session("short", command=QUIET)
    judge("kill-session", "-t", session.id)
    for use_session in (session.refresh, session.kill, session.new_window, lambda: session.rename("x")):
        with pytest.raises(SessionNotFound):
            use_session()
    assert len(judge.lines("list-panes", "-a")) == 1


def test_case_09_a_frozen_server_costs_one_deadline(host: Server | Connection, server: OwnedServer) -> None:
    os.kill(server.pid, 19)  # SIGSTOP: it accepts, and never answers
    try:
        started = time.monotonic()
        for call in (host.snapshot, host.describe, lambda timeout: host.new_session("late", timeout=timeout)):
            with pytest.raises(DeadlineExceeded) as caught:
                call(timeout=0.2)
            assert isinstance(caught.value, TimeoutError)
            assert (caught.value.timeout, caught.value.effects, bool(caught.value.command)) == (0.2, "possible", True)
        assert time.monotonic() - started < 3 * 1.2
    finally:
        os.kill(server.pid, 18)  # SIGCONT
    # The late replies belong to nobody: each of these gets its own.
    for number in range(20):
        assert host.command("display-message", "-p", f"own {number}") == f"own {number}".encode()


BAD_LAYOUTS = (
    "garbage not-a-layout main  bogus 0000,80x24,0,0,0 adfd,160x50,0,0,9999999999 {} [] -E b25d,"
    ' b25d,80x24,0,0{} ;kill-server even-horizontal; {"V":2} '
).split(" ")


def test_case_11_bad_layouts_never_reach_the_server(host: Server | Connection, home: Session, judge: Judge) -> None:
    window = host.session(home.ref).new_window(command=QUIET)
    window.active_pane().split(command=QUIET)
    before = judge.show(window.id, "window_layout")
    for layout in (*BAD_LAYOUTS, "garb\nage", "\0", "x" * 100_000, "é"):
        with counted_requests(host) as requests, pytest.raises(BadLayout) as caught:
            window.select_layout(layout)
        assert caught.value.effects == "none"
        assert all("select-layout" not in request.name for request in requests), layout
        assert judge.alive(), layout
    assert judge.show(window.id, "window_layout") == before
    window.select_layout("even-horizontal")
    assert judge.show(window.id, "window_layout") != before


LISTINGS: dict[str, Callable[[Server], object]] = {
    "snapshot": lambda server: list(server.snapshot().sessions),
    "sessions": lambda server: server.sessions(),
    "windows": lambda server: server.windows(),
    "panes": lambda server: server.panes(),
    "list_sessions": lambda server: server.list_sessions("session_id"),
    "list_windows": lambda server: server.list_windows("window_id"),
    "list_panes": lambda server: server.list_panes("pane_id"),
    "list_clients": lambda server: server.list_clients("client_name"),
}


@pytest.mark.parametrize("listing", LISTINGS)
def test_case_13_no_server_unreachable_and_empty_are_three(
    listing: str, server: OwnedServer, tmux_executable: str, tmp_path: Path
) -> None:
    ask = LISTINGS[listing]
    assert ask(server) == []
    with pytest.raises(ServerNotRunning) as absent:
        ask(Server(socket_path=str(tmp_path / "nobody"), tmux=tmux_executable))
    (tmp_path / "file").write_text("")
    with pytest.raises(ServerUnreachable) as unreachable:
        ask(Server(socket_path=str(tmp_path / "file" / "s"), tmux=tmux_executable))
    assert (absent.value.effects, unreachable.value.effects) == ("none", "none")
    with pytest.raises(InvalidArgument, match="the system allows"):
        Server(socket_path="/tmp/" + "x" * 200, tmux=tmux_executable)


def test_case_14_names_are_exact(host: Server | Connection, judge: Judge) -> None:
    other = host.new_session("dev-2", window_name="build-docs", command=QUIET)
    assert host.find_session("dev") is None
    assert host.find_session("dev-*") is None
    for wanted in ("dev", "=dev-2", "dev-2:", "*"):
        with pytest.raises(SessionNotFound):
            host.get_session(wanted)
    with pytest.raises(AlreadyExists):
        host.new_session("dev-2")
    dev = host.new_session("dev", command=QUIET)
    dev.kill()
    assert judge.lines("list-sessions", "-F", "#{session_name}") == ["dev-2", "home"]
    assert host.get_session("dev-2").ref == other.ref


def test_case_15_a_pane_of_grouped_sessions_is_one(host: Server | Connection, home: Session, judge: Judge) -> None:
    judge("new-session", "-d", "-t", "home", "-s", "beta")
    pane = home.active_pane()
    assert judge.lines("list-panes", "-a", "-F", "#{pane_id}") == [pane.id, pane.id]
    assert host.get_pane(pane.id).ref == pane.ref
    assert [each.id for each in host.panes()] == [pane.id]
    snapshot = host.snapshot()
    links = snapshot.pane(pane.id).window.links
    assert [(link.session.name, link.index) for link in links] == [("home", 0), ("beta", 0)] or [
        (link.session.name, link.index) for link in links
    ] == [("beta", 0), ("home", 0)]
    assert len(snapshot.pane_occurrences) == 2
    assert {session.group for session in snapshot.sessions} == {"home"}


def test_case_19_a_handle_never_reaches_another_server(swappable: SwappableServer) -> None:
    server = Server(socket_path=swappable.socket_path, tmux=swappable.tmux)
    session, pane = server.get_session("main"), server.get_pane("%0")
    swappable.swap()
    for call in (pane.refresh, session.refresh, lambda: pane.send_text("x"), lambda: session.rename("mine")):
        with pytest.raises(StaleReference) as caught:
            call()
        assert caught.value.effects == "none"
    assert not pane.exists()
    swappable.nothing_typed()
    assert swappable.judge.show("%0", "session_name") == "main"


def test_case_19_a_respawned_pane_shows_its_new_process(host: Server | Connection, pane: Pane, judge: Judge) -> None:
    before = pane.refresh()
    judge("respawn-pane", "-k", "-t", pane.id, "sleep", "2000")
    after = pane.refresh()
    assert after.pid == int(judge.show(pane.id, "pane_pid"))
    assert after.pid != before.pid
    assert after.snapshot.acquired[0] >= before.snapshot.acquired[1]


MISTYPED: tuple[tuple[dict[str, object], str], ...] = (
    ({"titel": "x"}, "pane has no field 'titel'; did you mean 'title'?"),
    ({"title__contains": "x"}, "pane has no field 'title__contains'"),
    ({"title": AtLeast(3)}, "pane.title takes a str"),
    ({"width": Contains("16")}, "pane.width takes an int"),
    ({"width": "160"}, "pane.width takes an int"),
    ({"id": "%0"}, "pane.id takes a PaneId"),
    ({"window": "home"}, "pane.window takes a window criterion"),
)


def test_case_21_a_mistyped_field_or_operator_is_a_typed_error(host: Server | Connection) -> None:
    """It never answers "nothing", and never as if it had not been there."""
    panes = host.snapshot().panes
    assert len(panes.filter(PaneWhere(width=160))) == 1, "a right question has an answer here"
    for wrong, message in MISTYPED:
        with pytest.raises(InvalidArgument) as caught:
            panes.filter(PaneWhere(**wrong))  # type: ignore[arg-type]  # wrong on purpose
        assert str(caught.value).startswith(message)
        assert caught.value.effects == "none"
    for name, message in (("pane_widht", "did you mean pane_width?"), ("#{pane_width", "is no format variable")):
        with counted_requests(host) as requests, pytest.raises(InvalidArgument, match=re.escape(message)):
            host.list_panes("pane_id", name)
        assert requests == []


@pytest.mark.parametrize("name", ["a#{session_name}b", "#(touch x)", "#H #S #[fg=red]", "##", "100%", "~", "a;"])
def test_case_22_names_and_directories_are_not_formats(
    name: str, host: Server | Connection, judge: Judge, tmp_path: Path
) -> None:
    directory = tmp_path / name
    directory.mkdir()
    session = host.new_session(name, window_name=name, directory=str(directory), command=QUIET)
    wait_until(
        lambda: session.active_pane().refresh().as_dict().get("current_path") == str(directory), what="the directory"
    )
    assert judge.show(session.id, "session_name", "window_name") == f"{name} {name}"
    session.active_pane().set_title(name)
    session.active_window().rename(name + name)
    session.rename(f"{name}2")
    assert judge.show(session.id, "session_name", "window_name", "pane_title") == f"{name}2 {name}{name} {name}"
    assert list(tmp_path.iterdir()) == [directory]


def test_case_22_a_session_named_like_an_id(host: Server | Connection, judge: Judge) -> None:
    session = host.new_session("$7", command=QUIET)
    assert session.refresh().name == "$7" == judge.show(session.id, "session_name")
    assert host.get_session("$7").ref == session.ref


def test_case_25_values_are_typed(host: Server | Connection, home: Session, judge: Judge) -> None:
    judge("set-option", "-g", "remain-on-exit", "on")
    info = home.active_pane().refresh()
    assert (info.dead, info.exit_status, info.mode, info.piped, info.active) == (False, None, None, False, True)
    assert (info.width, info.height, info.index) == (160, 48, 0)
    made = host.session(home.ref).new_window(command=["sh", "-c", "exit 3"]).active_pane()
    exited_with(made, 3, host.describe()[0].pid)
    assert (made.refresh().dead, made.refresh().exit_status) == (True, 3)
    session = host.snapshot().session("home")
    assert abs(session.created - time.time()) < 60
    assert session.group is None


def test_case_27_no_room_is_an_error_with_the_sizes(host: Server | Connection, judge: Judge) -> None:
    pane = host.new_session("small", size=(80, 24), command=QUIET).active_pane()
    for _ in range(3):
        pane = pane.split(command=QUIET)
    with pytest.raises(NoSpace) as caught:
        pane.split(command=QUIET)
    width, height = judge.show(pane.id, "pane_width", "pane_height").split()
    assert f"is {width}x{height}, its window 80x24" in str(caught.value)
    assert (caught.value.target, caught.value.effects) == (pane.id, "none")
    # The default size has room for it.
    pane = host.new_session("roomy", command=QUIET).active_pane()
    for _ in range(4):
        pane = pane.split(command=QUIET)


def test_case_28_walking_costs_no_request(host: Server | Connection) -> None:
    with counted_requests(host) as requests:
        snapshot = host.snapshot()
        for pane in snapshot.panes:
            assert [link.session.name for link in pane.window.links] == ["home"]
            assert pane.window.active_pane == pane
        for session in snapshot.sessions:
            assert session.active_window is not None and session.windows[0].panes
    assert len(requests) == 1


def test_regression_locale(server: OwnedServer, home: Session) -> None:
    """Output is decoded as UTF-8 whatever the locale of Python."""
    home.rename("naïve日")
    program = (
        "import sys; from muxwright import Server;"
        "print(ascii([s.name for s in Server(socket_path=sys.argv[1], tmux=sys.argv[2]).snapshot().sessions]))"
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", program, server.socket_path, server.attach_command[0]],
        env={**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
    )
    assert done.stdout.strip() == ascii(["naïve日"])


def test_regression_linked_window(host: Server | Connection, home: Session, judge: Judge) -> None:
    """A linked window answers with the session it was asked for."""
    other = host.new_session("other", command=QUIET)
    window = host.session(home.ref).new_window("shared", command=QUIET)
    judge("link-window", "-s", window.id, "-t", "other:7")
    for session in (host.session(home.ref), other):
        assert window in session.windows()
    links = {link.session.name: link.index for link in window.refresh().links}
    assert links == {"home": 1, "other": 7}
    window.select(other)
    assert judge("list-windows", "-t", "other", "-F", "#{window_index} #{window_active}") == "0 0\n7 1"
    window.select(host.session(home.ref))
    assert judge("list-windows", "-t", "home", "-F", "#{window_index} #{window_active}") == "0 0\n1 1"
    with pytest.raises(MuxwrightError):
        host.new_session("third", command=QUIET).active_window().select(other)


def test_regression_socket_files(tmux_executable: str, base_dir: Path) -> None:
    """No socket file is left behind."""
    before = set(base_dir.rglob("*"))
    with OwnedServer(tmux=tmux_executable) as server:
        server.new_session("x", command=QUIET)
        directory = Path(server.socket_path).parent
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert not directory.exists()
    assert set(base_dir.rglob("*")) <= before
