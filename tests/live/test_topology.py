"""Rearranging: links, moves, swaps, breaks, respawns, zoom, history; an independent tmux process is the witness."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

import pytest

from muxwright import (
    AlreadyExists,
    AsyncServer,
    Connection,
    InvalidArgument,
    LastLink,
    OwnedServer,
    Pane,
    PaneInUse,
    PaneNotFound,
    Server,
    Session,
    SessionNotFound,
    StaleReference,
    Window,
    WindowLink,
    WindowRef,
)
from tests.support.between import before_the_act
from tests.support.judge import Judge
from tests.support.screens import exited_with, screen_with
from tests.support.servers import every_transport
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

QUIET = ["sleep", "1000"]
Host = Server | Connection


def slots(judge: Judge, session: Session) -> str:
    """The windows of a session, as ``INDEX@ID``."""
    return judge("list-windows", "-t", session.id, "-F", "#{window_index}#{window_id}").replace("\n", " ")


def panes(judge: Judge, window: Window | WindowRef) -> list[str]:
    return judge("list-panes", "-t", window.id, "-F", "#{pane_id}").split()


def pids(judge: Judge) -> dict[str, str]:
    return dict(row.split() for row in judge("list-panes", "-a", "-F", "#{pane_id} #{pane_pid}").split("\n"))


def link_of(host: Host, window: Window, session: Session) -> WindowLink:
    """The handle of the one slot of `session` that holds `window`."""
    (link,) = [link for link in host.window(window).links() if link.ref.session == session.ref]
    return link


@pytest.fixture
def other(host: Host) -> Session:
    """A second session of two windows, at 0 and 5."""
    made = host.new_session("other", command=QUIET)
    made.new_window(index=5, command=QUIET)
    return made


# --- links ------------------------------------------------------------------------------------------------------------


def test_link_and_unlink(host: Host, home: Session, other: Session, judge: Judge) -> None:
    shared = host.window(home.active_window().ref)
    first, second = other.windows()
    shared.link(other, 3)
    shared.link(other)
    assert slots(judge, other) == f"0{first.id} 1{shared.id} 3{shared.id} 5{second.id}"
    assert judge.show(f"{other.id}:", "window_id") == first.id
    for taken in (5, 3):
        with pytest.raises(AlreadyExists) as caught:
            shared.link(other, taken)
        assert caught.value.effects == "none"
    shared.link(other, 5, replace=True, select=True)
    assert slots(judge, other) == f"0{first.id} 1{shared.id} 3{shared.id} 5{shared.id}"
    assert judge.show(f"{other.id}:", "window_index") == "5"
    assert second.id not in judge("list-windows", "-a", "-F", "#{window_id}").split()
    host.link(shared.refresh().links[-1].ref).unlink()
    assert slots(judge, other) == f"0{first.id} 1{shared.id} 3{shared.id}"
    # Of two slots of one window only the named one goes, and a slot that was emptied is not found again.
    gone = next(link for link in shared.links() if link.ref.index == 3)
    gone.unlink()
    with pytest.raises(StaleReference) as stale:
        gone.unlink()
    assert stale.value.effects == "none"
    assert slots(judge, other) == f"0{first.id} 1{shared.id}"
    with pytest.raises(LastLink) as last:
        link_of(host, first, other).unlink()
    assert last.value.effects == "none"
    link_of(host, first, other).unlink(allow_destroy=True)
    assert slots(judge, other) == f"1{shared.id}"
    # The window lives on elsewhere, but the session would not.
    with pytest.raises(LastLink):
        link_of(host, shared, other).unlink()
    assert slots(judge, other) == f"1{shared.id}"
    link_of(host, shared, other).unlink(allow_destroy=True)
    assert judge("list-sessions", "-F", "#{session_name}") == "home"
    with pytest.raises(SessionNotFound):
        shared.link(other)


def test_select_a_slot(host: Host, home: Session, other: Session, judge: Judge) -> None:
    shared = host.window(home.active_window().ref)
    shared.link(other, 3)
    link_of(host, shared, other).select()
    assert judge.show(f"{other.id}:", "window_index") == "3"


def test_move_a_window(host: Host, home: Session, other: Session, judge: Judge) -> None:
    first, second = other.windows()
    here = host.window(home.active_window().ref)
    link_of(host, second, other).move(other, 9)
    assert slots(judge, other) == f"0{first.id} 9{second.id}"
    for taken in (0, 9):
        with pytest.raises(AlreadyExists) as caught:
            link_of(host, second, other).move(other, taken)
        assert caught.value.effects == "none"
    link_of(host, second, other).move(host.session(home), select=True)
    assert (slots(judge, home), slots(judge, other)) == (f"0{here.id} 1{second.id}", f"0{first.id}")
    assert judge.show(f"{home.id}:", "window_id") == second.id
    with pytest.raises(LastLink) as last:
        link_of(host, first, other).move(host.session(home))
    assert last.value.effects == "none"
    assert slots(judge, other) == f"0{first.id}"
    link_of(host, first, other).move(other, 4)
    link_of(host, first, other).move(host.session(home), 1, replace=True, allow_destroy=True)
    assert slots(judge, home) == f"0{here.id} 1{first.id}"
    assert judge("list-sessions", "-F", "#{session_name}") == "home"


SLOT_ACTS: dict[str, Callable[[WindowLink, WindowLink, Session], object]] = {
    "select": lambda link, _, session: link.select(),
    "unlink": lambda link, _, session: link.unlink(allow_destroy=True),
    "move": lambda link, _, session: link.move(session, 8, allow_destroy=True),
    "swap": lambda link, second, _: link.swap(second),
    "swap, the other one changed": lambda link, second, _: second.swap(link),
}


@pytest.mark.parametrize("name", SLOT_ACTS)
def test_a_slot_that_changes_in_between(name: str, host: Host, home: Session, other: Session, judge: Judge) -> None:
    first, second = other.windows()
    link, elsewhere = link_of(host, second, other), link_of(host, host.window(home.active_window().ref), home)
    swap = ("swap-window", "-d", "-s", f"{other.id}:0", "-t", f"{other.id}:5")
    with before_the_act(host, lambda: judge(*swap)), pytest.raises(StaleReference) as caught:
        SLOT_ACTS[name](link, elsewhere, host.session(home))
    assert caught.value.effects == "none"
    assert str(link.ref) in str(caught.value)
    assert slots(judge, other) == f"0{second.id} 5{first.id}"
    assert judge.show(f"{other.id}:", "window_index") == "5"  # by the swap of the judge


def test_swap_windows(host: Host, home: Session, other: Session, judge: Judge) -> None:
    first, second = other.windows()
    here = host.window(home.active_window().ref)
    before = pids(judge)
    link_of(host, first, other).swap(link_of(host, second, other))
    assert slots(judge, other) == f"0{second.id} 5{first.id}"
    link_of(host, here, home).swap(link_of(host, first, other))
    assert (slots(judge, home), slots(judge, other)) == (f"0{first.id}", f"0{second.id} 5{here.id}")
    assert judge.show(f"{other.id}:", "window_index") == "0"
    third = other.new_window(index=7, command=QUIET)
    link_of(host, third, other).swap(link_of(host, here, other), select=True)
    assert slots(judge, other) == f"0{second.id} 5{third.id} 7{here.id}"
    assert judge.show(f"{other.id}:", "window_index") == "5"
    link_of(host, second, other).swap(link_of(host, here, other))
    assert judge.show(f"{other.id}:", "window_index") == "5"
    del before[first.active_pane().id]
    assert before.items() <= pids(judge).items()


# --- panes ------------------------------------------------------------------------------------------------------------


def test_move_panes(host: Host, pane: Pane, home: Session, other: Session, judge: Judge) -> None:
    first, second = other.windows()
    gone = first.active_pane()
    moved = pane.split(command=QUIET)
    before = pids(judge)
    moved.move(first.active_pane(), "left", size=20)
    assert set(panes(judge, first)) == {moved.id, gone.id}  # tmux 3.7 numbers them otherwise than they stand
    assert judge.show(moved.id, "pane_left", "pane_width", "pane_active") == "0 20 0"
    moved.move(second.active_pane(), "above", size="25%", full=True, select=True)
    assert judge.show(moved.id, "window_id", "pane_top", "pane_active") == f"{second.id} 0 1"
    # The only pane of a window takes the window away with it; that of a session is protected.
    gone.move(moved)
    assert (slots(judge, other), len(panes(judge, second))) == (f"5{second.id}", 3)
    with pytest.raises(LastLink) as caught:
        pane.move(moved)
    assert (caught.value.effects, caught.value.target) == ("none", pane.id)
    assert pids(judge) == before
    with pytest.raises(InvalidArgument):
        moved.move(pane, "up")  # type: ignore[arg-type]  # on purpose
    gone.kill()
    acts: list[Callable[[], None]] = [
        lambda: moved.move(gone),
        lambda: gone.move(moved),
        lambda: moved.swap(gone),
        lambda: gone.swap(moved),
    ]
    for act in acts:
        with pytest.raises(PaneNotFound) as missing:
            act()
        assert missing.value.effects == "none"
    pane.move(moved, allow_destroy=True)
    assert judge("list-sessions", "-F", "#{session_name}") == "other"
    del before[gone.id]
    assert pids(judge) == before


def test_the_only_pane_of_any_session_is_protected(host: Host, home: Session, other: Session, judge: Judge) -> None:
    """Its window ends in all sessions, whichever tmux looks at for it."""
    target = host.pane(other.active_pane().ref)
    shared = host.session(home.ref).new_window("shared", command=QUIET)
    lone = host.new_session("lone", command=QUIET)
    first = lone.active_window()
    shared.link(lone, 7)
    first.kill()
    assert (slots(judge, lone), len(home.windows())) == (f"7{shared.id}", 2)
    # The session that was used last is the one that tmux looks at: in turn one that goes on, and one that does not.
    for latest in ("home", "lone", "other"):
        judge("select-window", "-t", f"={latest}:")
        with pytest.raises(LastLink, match="the only pane of a session") as caught:
            shared.active_pane().move(target)
        assert (caught.value.effects, caught.value.target) == ("none", shared.active_pane().id)
    # Twice in one session is no other window.
    shared.link(lone, 9)
    with pytest.raises(LastLink):
        shared.active_pane().move(target)
    assert slots(judge, lone) == f"7{shared.id} 9{shared.id}"
    kept = lone.new_window(index=3, command=QUIET)
    shared.active_pane().move(target)
    assert slots(judge, lone) == f"3{kept.id}"
    assert judge("list-sessions", "-F", "#{session_name}").split() == ["home", "lone", "other"]


def test_a_break_ends_no_session_that_goes_on_showing_the_window(
    host: Host, home: Session, other: Session, judge: Judge
) -> None:
    shared = host.session(home.ref).new_window("shared", command=QUIET)
    lone = host.new_session("lone", command=QUIET)
    shared.link(lone, 7)
    lone.active_window().kill()
    for index, latest in enumerate(("home", "lone"), 20):
        judge("select-window", "-t", f"={latest}:")
        with contextlib.suppress(LastLink):
            shared.active_pane().break_out(other.ref, index=index)
        assert judge("list-sessions", "-F", "#{session_name}").split() == ["home", "lone", "other"]
        assert slots(judge, lone) == f"7{shared.id}"


def test_swap_panes(host: Host, pane: Pane, other: Session, judge: Judge) -> None:
    beside, far = pane.split("right", command=QUIET), other.active_pane()
    before, window = pids(judge), host.window(judge_window(host, pane))
    pane.swap(beside)
    assert panes(judge, window) == [beside.id, pane.id]
    pane.swap(far)
    assert panes(judge, window) == [beside.id, far.id]
    assert panes(judge, other.active_window()) == [pane.id]
    assert pids(judge) == before


def judge_window(host: Host, pane: Pane) -> WindowRef:
    return host.snapshot().window(pane.refresh().window_id).ref


def test_break_panes(host: Host, pane: Pane, home: Session, other: Session, judge: Judge) -> None:
    one, two, three = (pane.split(size=5, command=QUIET) for _ in range(3))
    before = pids(judge)
    made = one.break_out(home.ref, name="broken #1")
    assert panes(judge, made) == [one.id]
    assert judge.show(made.id, "window_name", "window_index", "window_active") == "broken #1 1 0"
    made = two.break_out(other.ref, index=7, select=True)
    assert judge.show(made.id, "session_name", "window_index", "window_active", "pane_id") == f"other 7 1 {two.id}"
    with pytest.raises(AlreadyExists) as caught:
        three.break_out(other.ref, index=7)
    assert caught.value.effects == "none"
    # The only pane of a window takes that window along, on every version with an answer.
    assert two.break_out(other.ref, index=8) == made
    assert judge.show(made.id, "window_index") == "8"
    assert pids(judge) == before
    other.kill()
    with pytest.raises(SessionNotFound):
        three.break_out(other.ref)
    lone = host.new_session("lone", command=QUIET)
    with pytest.raises(LastLink):
        lone.active_pane().break_out(home.ref)
    window = lone.active_pane().break_out(lone.ref, index=6)
    assert (window, slots(judge, lone)) == (lone.active_window().ref, f"6{window.id}")
    assert lone.active_pane().break_out(home.ref, index=6, allow_destroy=True) == window
    assert judge("list-sessions", "-F", "#{session_name}") == "home"


def test_respawn(host: Host, home: Session, pane: Pane, judge: Judge) -> None:
    judge("set-option", "-g", "remain-on-exit", "on")
    pid = judge.show(pane.id, "pane_pid")
    window = host.window(home.active_window().ref)
    for protected in (pane.respawn, window.respawn):
        with pytest.raises(PaneInUse) as caught:
            protected()
        assert caught.value.effects == "none"
    assert judge.show(pane.id, "pane_pid") == pid
    pane.respawn(
        kill_running=True,
        command=["sh", "-c", 'echo "$MINE" "$PWD"; read line; exit 3'],
        environment={"MINE": "a b;"},
        directory="/",
    )
    # Ended at once, its last words could be lost: tmux may hear of its end before it has read them.
    screen_with(pane, "a b; /")
    pane.send_keys("Enter")
    exited_with(pane, 3, host.describe()[0].pid)
    pane.respawn(command=QUIET)
    assert judge.show(pane.id, "pane_dead", "pane_start_command").startswith("0 ")
    pane.split(command=QUIET)
    with pytest.raises(PaneInUse):
        window.respawn(command=QUIET)
    assert len(panes(judge, window)) == 2
    window.respawn(kill_running=True, shell_command="exec sleep 999")
    assert panes(judge, window) == [pane.id]
    wait_until(lambda: judge.show(pane.id, "pane_current_command") == "sleep", what="the new program runs")


# --- the inside of a window -------------------------------------------------------------------------------------------


def test_rotate_and_cycle(host: Host, home: Session, pane: Pane, judge: Judge) -> None:
    window = host.window(home.active_window().ref)
    second = pane.split(command=QUIET)
    third = second.split(command=QUIET)
    window.rotate_panes()
    assert panes(judge, window) == [second.id, third.id, pane.id]
    window.rotate_panes("down")
    assert panes(judge, window) == [pane.id, second.id, third.id]
    shape = "#{pane_left},#{pane_top}"
    window.select_layout("even-horizontal")
    flat = judge("list-panes", "-t", window.id, "-F", shape)
    window.cycle_layout()
    assert {row[:2] for row in judge.lines("list-panes", "-t", window.id, "-F", shape)} == {"0,"}
    window.cycle_layout("previous")
    assert judge("list-panes", "-t", window.id, "-F", shape) == flat
    for act in (window.rotate_panes, window.cycle_layout):
        with pytest.raises(InvalidArgument):
            act("left")  # type: ignore[arg-type]  # on purpose


def test_zoom(host: Host, pane: Pane, judge: Judge) -> None:
    def zoomed() -> str:
        """Whether the window is zoomed, and its active pane."""
        active = judge("list-panes", "-t", pane.id, "-f", "#{pane_active}", "-F", "#{pane_id}")
        return judge.show(pane.id, "window_zoomed_flag") + active

    assert pane.set_zoom(True) is False  # alone
    other = pane.split(command=QUIET)
    assert pane.set_zoom(False) is False
    assert (pane.set_zoom(True), zoomed()) == (True, f"1{pane.id}")
    assert (pane.set_zoom(True), zoomed()) == (False, f"1{pane.id}")
    assert (other.set_zoom(False), zoomed()) == (False, f"1{pane.id}")
    assert (other.set_zoom(True), zoomed()) == (True, f"1{other.id}")
    assert (other.set_zoom(True), zoomed()) == (False, f"1{other.id}")
    assert (other.set_zoom(False), zoomed()) == (True, f"0{other.id}")
    other.kill()
    with pytest.raises(PaneNotFound):
        other.set_zoom(True)


def test_clear_history(host: Host, home: Session, judge: Judge) -> None:
    made = host.session(home.ref).new_window(shell_command="seq 200; exec sleep 1000").active_pane()
    wait_until(lambda: int(judge.show(made.id, "history_size")) > 100, what="lines have scrolled out")
    made.clear_history()
    assert judge.show(made.id, "history_size") == "0"
    assert "200" in judge("capture-pane", "-p", "-t", made.id)


@pytest.mark.parametrize("connected", [False, True])
def test_async_topology(connected: bool, server: OwnedServer, home: Session, judge: Judge) -> None:
    async def scenario() -> None:
        asked = AsyncServer(socket_path=server.socket_path, tmux=server.attach_command[0])
        host = await asked.connect() if connected else asked
        here, there = await host.get_session("home"), await host.new_session("there", command=QUIET)
        window = await there.new_window("w", command=QUIET)
        pane = await window.active_pane()
        second = await pane.split(command=QUIET)
        assert await second.set_zoom(True) is True
        assert judge.show(second.id, "window_zoomed_flag") == "1"
        await pane.swap(second)
        assert panes(judge, window.ref) == [second.id, pane.id]
        broken = await second.break_out(here.ref, index=4)
        assert judge.show(second.id, "window_id", "window_index") == f"{broken.id} 4"
        (link,) = await window.links()
        await link.move(here, 6)
        assert judge.show(window.id, "session_name", "window_index") == "home 6"
        with pytest.raises(StaleReference):
            await link.select()
        with pytest.raises(PaneInUse):
            await pane.respawn()
        if host is not asked:
            await host.aclose()  # type: ignore[union-attr]  # a connection

    asyncio.run(scenario())


@every_transport
def test_titles_and_zoom_on_every_transport(host: Host, pane: Pane, judge: Judge) -> None:
    other = pane.split(command=QUIET)
    other.set_title("mine")
    assert (pane.set_zoom(True), judge.show(other.id, "pane_title", "window_zoomed_flag")) == (True, "mine 1")
