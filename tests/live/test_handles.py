"""Every method of the handles does what its docstring says; an independent tmux process is the witness."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from muxwright import (
    AlreadyExists,
    CommandError,
    Connection,
    CrossServerReference,
    InvalidArgument,
    LocalProtocolError,
    Pane,
    PaneDead,
    PaneInMode,
    PaneNotFound,
    Server,
    Session,
    SessionNotFound,
    UnsupportedCapability,
    Window,
    WindowNotFound,
    read_layout,
)
from muxwright.wire.versions import supports
from tests.support.judge import Judge
from tests.support.recorder import Recorder
from tests.support.screens import exited_with, screen_with
from tests.support.servers import every_transport
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.live, every_transport]

QUIET = ["sleep", "1000"]
Host = Server | Connection


# --- the host ---------------------------------------------------------------------------------------------------------


def test_describe_and_listings(host: Host, home: Session, judge: Judge) -> None:
    generation, version = host.describe()
    assert f"{generation.pid} {generation.start_time} {version}" == judge(
        "display-message", "-p", "#{pid} #{start_time} #{version}"
    )
    pane = home.active_pane()
    assert host.list_sessions("session_id", "session_name") == [{"session_id": home.id, "session_name": "home"}]
    assert host.list_windows("window_id", "session_name") == [
        {"window_id": home.active_window().id, "session_name": "home"}
    ]
    assert host.list_panes("pane_id", "pane_width") == [{"pane_id": pane.id, "pane_width": "160"}]
    assert [row["client_name"] for row in host.list_clients("client_name")] == judge(
        "list-clients", "-F", "#{client_name}"
    ).split()
    for wrong in ((), ("pane id",), ("#{pane_id}",), ("pane_id}",)):
        with pytest.raises(InvalidArgument):
            host.list_panes(*wrong)


def test_command_takes_literal_words(host: Host, home: Session, judge: Judge) -> None:
    text = "a; #{pid} $HOME ~ 'x' \"y\" \\ é\t;"
    assert host.command("set-buffer", "-b", "mine", "--", text) == b""
    assert judge.raw("show-buffer", "-b", "mine") == text.encode()
    assert host.command("list-buffers", "-F", "#{buffer_size}") == str(len(text.encode())).encode()
    assert host.command("display-message", "-p", "a; b\\ ~ 'x' \"y\" é") == "a; b\\ ~ 'x' \"y\" é".encode()
    host.command("set-buffer", "-b", "mine", "--", b"\xff;")
    assert judge.raw("show-buffer", "-b", "mine") == b"\xff;"
    with pytest.raises(CommandError) as caught:
        host.command("set-option", "-g", "no-such-option", "1")
    assert (caught.value.command, "no-such-option" in caught.value.diagnostic) == ("set-option", True)
    for wrong in ((), ("",), ("a b",), ("list-panes;",), ("-x",), ("-Lother",), ("display-message", "a\0")):
        with pytest.raises((InvalidArgument, LocalProtocolError)):
            host.command(*wrong)
    assert judge.alive()


def test_lookups(host: Host, home: Session, judge: Judge) -> None:
    made = host.new_session("two", command=QUIET)
    window, pane = made.active_window(), made.active_pane()
    assert {session.id for session in host.sessions()} == {home.id, made.id}
    assert {each.id for each in host.windows()} == {home.active_window().id, window.id}
    assert {each.id for each in host.panes()} == {home.active_pane().id, pane.id}
    for found in (host.get_session("two"), host.get_session(made.id), host.find_session("two"), host.session(made.ref)):
        assert found == made
    assert host.find_session("none") is None
    assert host.get_window(window.id) == window == host.window(window.refresh())
    assert host.get_pane(pane.id) == pane == host.pane(pane.refresh())
    assert (made.id, window.id, pane.id) == (f"{made.ref.id}", f"{window.ref.id}", f"{pane.ref.id}")
    for lookup, error in (
        (host.get_session, SessionNotFound),
        (host.get_window, WindowNotFound),
        (host.get_pane, PaneNotFound),
    ):
        for key in ("$99", "@99", "%99", "tw", "two:", "%"):
            with pytest.raises(error):
                lookup(key)
    wrong_handles: tuple[Any, ...] = ("%0", 0, None, made.ref)
    for wrong in wrong_handles:
        with pytest.raises(InvalidArgument):
            host.pane(wrong)
    wrong_keys: tuple[Any, ...] = ("", None, 3)
    for wrong in wrong_keys:
        with pytest.raises(InvalidArgument):
            host.find_session(wrong)


def test_new_session(host: Host, home: Session, judge: Judge, tmp_path: Path) -> None:
    made = host.new_session(
        "work",
        window_name="first",
        size=(100, 30),
        directory=str(tmp_path),
        environment={"MINE": "x y;\n$HOME"},
        shell_command='printf %s "$MINE" > value; exec sleep 1000',
    )
    wait_until(lambda: (tmp_path / "value").exists() and (tmp_path / "value").read_text(), what="the value is written")
    assert (tmp_path / "value").read_text() == "x y;\n$HOME"
    shown = judge.show(made.id, "session_name", "window_name", "window_width", "window_height", "session_attached")
    assert shown == "work first 100 30 0"
    numbered = host.new_session()
    assert judge.show(numbered.id, "session_name", "window_width", "window_height") == f"{numbered.id[1:]} 160 48"
    with pytest.raises(AlreadyExists) as caught:
        host.new_session("work")
    assert caught.value.effects == "none"
    wrong: list[dict[str, Any]] = [
        {"size": (0, 10)},
        {"size": (10, 10_001)},
        {"directory": "relative"},
        {"environment": {"a=b": "x"}},
        {"environment": {"": "x"}},
        {"command": []},
        {"command": "ls -l"},
        {"command": ["-x"]},
        {"command": ["x"], "shell_command": "y"},
        {"name": "a.b"},
        {"name": "a:b"},
        {"name": ""},
        {"window_name": "a\nb"},
    ]
    for options in wrong:
        with pytest.raises(InvalidArgument):
            host.new_session(**options)
    assert len(judge.lines("list-sessions")) == 3


def test_programs_are_not_shell_text(host: Host, home: Session, judge: Judge, tmp_path: Path) -> None:
    session = host.session(home.ref)
    target = tmp_path / "args"
    words = ["a b", "$HOME", "", ";", "x;", "#{pid}", "-t", "\n", "'"]
    session.new_window(command=["sh", "-c", 'printf "%s|" "$@" > "$0.part"; mv "$0.part" "$0"', str(target), *words])
    wait_until(target.exists, what="the program has run")
    assert target.read_text() == "".join(f"{word}|" for word in words)
    program = tmp_path / "one program; with $pecial #chars"
    program.write_text(f"#!/bin/sh\n: > '{tmp_path}/ran'\n")
    program.chmod(0o755)
    session.new_window(command=[str(program)])
    wait_until((tmp_path / "ran").exists, what="a program without arguments has run")


# --- sessions and windows ---------------------------------------------------------------------------------------------


def test_session_methods(host: Host, home: Session, judge: Judge) -> None:
    session = host.session(home.ref)
    assert session.exists()
    session.rename("renamed")
    assert judge.show(session.id, "session_name") == session.refresh().name == "renamed"
    host.new_session("taken", command=QUIET)
    with pytest.raises(AlreadyExists):
        session.rename("taken")
    first = session.active_window()
    quiet = session.new_window("quiet", index=5, command=QUIET)
    chosen = session.new_window("chosen", select=True, command=QUIET)
    assert judge("list-windows", "-t", session.id, "-F", "#{window_index} #{window_name} #{window_active}").split("\n")[
        1:
    ] == [
        "1 chosen 1",
        "5 quiet 0",
    ]
    with pytest.raises(AlreadyExists) as caught:
        session.new_window(index=5)
    assert caught.value.effects == "none"
    assert session.windows() == [first, chosen, quiet]
    assert host.get_session("renamed").active_window() == chosen
    assert host.get_session("renamed").active_pane() == chosen.active_pane()
    wrong_indexes: tuple[Any, ...] = (-1, 2**31, True, "1")
    for wrong in wrong_indexes:
        with pytest.raises(InvalidArgument):
            session.new_window(index=wrong)
    other = host.get_session("taken")
    other.kill()
    assert not other.exists()
    assert judge("list-sessions", "-F", "#{session_name}") == "renamed"


def test_window_methods(host: Host, home: Session, judge: Judge) -> None:
    session = host.session(home.ref)
    window: Window = session.new_window("one", command=QUIET)
    pane = window.active_pane()
    window.rename("uno")
    assert judge.show(window.id, "window_name", "automatic-rename") == "uno 0"
    assert window.refresh().name == "uno"
    window.select()
    assert judge.show(f"{session.id}:", "window_id") == window.id
    host.window(home.active_window().ref).select(session)
    assert judge.show(f"{session.id}:", "window_id") == home.active_window().id
    window.resize(100, 30)
    assert judge.show(window.id, "window_width", "window_height") == "100 30"
    window.resize(height=20)
    assert judge.show(window.id, "window_width", "window_height") == "100 20"
    second = pane.split("right", command=QUIET)
    assert window.panes() == [pane, second]
    assert host.get_window(window.id).active_pane() == pane
    layout = window.refresh().layout
    window.select_layout("even-vertical")
    assert (second.refresh().left, second.refresh().top > 0) == (0, True)
    window.select_layout(read_layout(layout).dump())
    assert (second.refresh().left > 0, second.refresh().top) == (True, 0)
    mirrored = "main-vertical-mirrored"
    if host.describe()[1].reaches(host.describe()[1].parse("3.5")):
        window.select_layout(mirrored)
    else:
        with pytest.raises(UnsupportedCapability) as caught:
            window.select_layout(mirrored)
        assert caught.value.needs == "tmux 3.5"
    wrong_sizes: list[dict[str, Any]] = [{}, {"width": 0}, {"height": 10_001}, {"width": "5"}]
    for wrong in wrong_sizes:
        with pytest.raises(InvalidArgument):
            window.resize(**wrong)
    window.kill()
    assert not window.exists()
    assert window.id not in judge("list-windows", "-a", "-F", "#{window_id}").split()


# --- panes ------------------------------------------------------------------------------------------------------------


def test_split(host: Host, pane: Pane, judge: Judge) -> None:
    below = pane.split(size=10, command=QUIET)
    above = pane.split("above", size="20%", command=QUIET)
    left = pane.split("left", size=30, command=QUIET)
    right = pane.split("right", size=40, command=QUIET)
    wide = pane.split("below", full=True, size=5, select=True, command=QUIET)
    rows = judge("list-panes", "-t", pane.id, "-F", "#{pane_id} #{pane_left} #{pane_top} #{pane_width} #{pane_height}")
    where = {name: tuple(map(int, rest)) for name, *rest in map(str.split, rows.split("\n"))}
    x, y, width, height = where[pane.id]
    assert where[below.id][1] == y + height + 1
    assert where[above.id][:2] == (0, 0)
    assert (where[left.id][0], where[left.id][2], where[left.id][1]) == (0, 30, y)
    assert (where[right.id][0], where[right.id][2], where[right.id][1]) == (x + width + 1, 40, y)
    assert (where[wide.id][0], where[wide.id][2], where[wide.id][3]) == (0, 160, 5)
    assert judge.show(f"{pane.refresh().window_id}", "pane_id") == wide.id
    wrong: list[dict[str, Any]] = [
        {"direction": "up"},
        {"size": 0},
        {"size": "0%"},
        {"size": "101%"},
        {"size": "10"},
        {"size": "-5%"},
        {"size": True},
    ]
    for options in wrong:
        with pytest.raises(InvalidArgument):
            pane.split(**options)
    assert len(judge.lines("list-panes", "-t", pane.id)) == 6


def test_pane_select_resize_title_and_kill(host: Host, pane: Pane, judge: Judge) -> None:
    other = pane.split(command=QUIET)
    other.select()
    assert judge.show(f"{other.id}", "pane_active") == "1"
    pane.select()
    assert judge.show(f"{other.id}", "pane_active") == "0"
    pane.resize(height=10)
    assert judge.show(pane.id, "pane_height") == "10"
    assert pane.refresh().height == 10
    pane.set_title("t #{pid}")
    assert judge.show(pane.id, "pane_title") == "t #{pid}"
    pane.set_title("")
    assert judge.show(pane.id, "pane_title") == ""
    assert pane.exists()
    other.kill()
    assert not other.exists()
    assert judge("list-panes", "-a", "-F", "#{pane_id}") == pane.id


def test_keys_text_and_pastes(host: Host, recorder: Recorder, judge: Judge) -> None:
    pane = recorder.pane
    pane.send_keys("Enter", "C-c", "a", "Up", "Escape", "Space", "M-x", "BSpace", "Tab", "é", ";", "-")
    sent = b"\r\x03a\x1b[A\x1b \x1bx\x7f\t\xc3\xa9;-"
    recorder.expect(sent)
    for wrong in ((), ("Entr",), ("C-c C-c",), ("",), ("ab",), ("C-Enterr",)):
        with pytest.raises(InvalidArgument):
            pane.send_keys(*wrong)
    text = "Enter C-c #{pid} ~ $HOME\nline\ttab é😀;"
    pane.send_text(text)
    sent += text.encode()
    recorder.expect(sent)
    pane.send_text("")
    pane.paste(text)
    pane.paste(b"\xff\x00"[:1] + b"\x1b[31m\r\n")
    pane.paste("")
    sent += text.encode() + b"\xff\x1b[31m\r\n"
    recorder.expect(sent)
    wrong_data: tuple[Any, ...] = ("a\0b", b"\0", 5, None)
    for data in wrong_data:
        with pytest.raises(InvalidArgument):
            pane.paste(data)
    for data in ("a\0b", "\ud800", b"x", None):
        with pytest.raises(InvalidArgument):
            pane.send_text(data)  # type: ignore[arg-type]  # on purpose
    recorder.expect_nothing_but_more(sent, lambda marker: judge("send-keys", "-t", pane.id, "-l", "--", marker))
    assert judge("list-buffers") == ""


def test_keys_that_only_newer_versions_press(host: Host, recorder: Recorder, judge: Judge) -> None:
    _, version = host.describe()
    target = recorder.pane.ref
    if supports(version, "extended-keys"):
        host.pane(target).send_keys("S-Enter", "C-Tab")
        judge("send-keys", "-t", target.id, "-l", "|end|")
        wait_until(lambda: recorder.received().endswith(b"|end|"), what="everything has arrived")
        assert b"Enter" not in recorder.received() and b"Tab" not in recorder.received()
        assert len(recorder.received()) > len(b"|end|")
    else:
        with pytest.raises(UnsupportedCapability, match="the key S-Enter needs tmux") as caught:
            host.pane(target).send_keys("a", "S-Enter")
        assert caught.value.effects == "none"
        recorder.expect_nothing_but(lambda marker: judge("send-keys", "-t", target.id, "-l", "--", marker))


def test_a_bracketed_paste_only_where_it_was_asked_for(host: Host, home: Session, tmp_path: Path) -> None:
    plain, asked = Recorder(tmp_path / "plain"), Recorder(tmp_path / "asked")
    asked.argv[2] = "printf '\\033[?2004h'; " + asked.argv[2]
    for recorder in (plain, asked):
        recorder.pane = host.session(home.ref).new_window(command=recorder.argv).active_pane()
        recorder.ready()
    # The request of the program stands before its readiness, but tmux may read it after.
    asked.pane.paste("x")
    asked.expect(b"x")
    asked.pane.paste("a\nb", bracketed=True)
    asked.expect(b"x\x1b[200~a\nb\x1b[201~")
    plain.pane.paste("a\nb", bracketed=True)
    plain.expect(b"a\nb")


def test_modes(host: Host, recorder: Recorder, judge: Judge) -> None:
    pane = recorder.pane
    pane.leave_mode()
    judge("copy-mode", "-t", pane.id)
    assert pane.refresh().mode == "copy-mode"
    for method in ("send_keys", "send_text", "paste"):
        with pytest.raises(PaneInMode) as caught:
            getattr(pane, method)("q")
        assert (caught.value.target, caught.value.effects) == (pane.id, "none")
    pane.leave_mode()
    assert judge.show(pane.id, "pane_in_mode") == "0"
    pane.send_text("q")
    recorder.expect(b"q")


def test_dead_panes(host: Host, pane: Pane, judge: Judge) -> None:
    judge("set-option", "-g", "remain-on-exit", "on")
    judge("respawn-pane", "-k", "-t", pane.id, "sh -c 'echo last words; read x; exit 7'")
    screen_with(pane, "last words")
    pane.send_keys("Enter")
    exited_with(pane, 7, host.describe()[0].pid)
    for method, text in (("send_keys", "q"), ("send_text", "q"), ("paste", "q" * 50_000)):
        with pytest.raises(PaneDead) as caught:
            getattr(pane, method)(text)
        assert (caught.value.target, caught.value.effects) == (pane.id, "none")
    assert "last words" in pane.capture(start="history")
    assert judge.alive()


def test_handles_are_values(host: Host, home: Session) -> None:
    one, two = host.get_pane(home.active_pane().id), host.get_pane(home.active_pane().id)
    assert one == two
    assert len({one, two}) == 1
    assert one != host.get_window(home.active_window().id)
    assert home.id in repr(host.get_session(home.id))
    with pytest.raises(CrossServerReference):
        host.pane(type(one.ref)(one.ref.server._replace(socket_path="/elsewhere"), one.ref.id)).kill()
