"""`expect` on real panes: woken by output, strict, negated, and errors that show what was there."""

from __future__ import annotations

import asyncio
import re
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from muxwright import (
    AsyncServer,
    Connection,
    Expectation,
    ExpectFailed,
    Locator,
    MouseOff,
    MultipleMatchesError,
    NoMatchError,
    Pane,
    Session,
)
from muxwright.testing import expect
from tests.support.painter import Painter

SHORT = 0.3  # seconds that an expectation which has to fail is given


@pytest.fixture
def painter(connection: Connection, home: Session) -> Painter:
    window = home.new_window("painter", command=Painter.argv)
    window.resize(40, 8)
    return Painter(connection.pane(window.active_pane().ref))


@pytest.fixture
def meanwhile() -> Iterator[Callable[[Callable[[], object]], threading.Thread]]:
    """Runs something beside the test."""
    threads: list[threading.Thread] = []

    def start(work: Callable[[], object]) -> threading.Thread:
        threads.append(threading.Thread(target=work))
        threads[-1].start()
        return threads[-1]

    yield start
    for thread in threads:
        thread.join()


def test_what_is_there_holds_at_once(painter: Painter) -> None:
    painter.paint("\033]2;the title\033\\\033[1;32mDone\033[0m and done\033[2;3H")
    pane = painter.pane
    expect(pane.get_by_text("Done")).to_be_visible()
    expect(pane.get_by_text("Gone")).not_.to_be_visible()
    expect(pane.get_by_text("Done")).to_have_style(bold=True, foreground="green")
    expect(pane.get_by_text("and")).not_.to_have_style(bold=True)
    expect(pane.get_by_regex("[Dd]one")).to_have_count(2)
    expect(pane).to_have_text("Done and")
    expect(pane.row(0)).to_have_text(re.compile("^Done.*done$"))
    expect(pane).to_have_cursor_at(1, 2)
    expect(pane).to_have_title("the title")
    expect(pane).to_have_title(re.compile("^the"))
    assert expect(pane).to_pass(lambda screen: screen.width == 40).size == (40, 8)
    expect(pane).to_be_stable(0.05)


def test_it_waits_until_the_program_prints_it(painter: Painter, meanwhile: Callable) -> None:
    pane = painter.pane
    for number in range(5):
        meanwhile(lambda text=f"text {number}": painter.paint(f"\033[H\033[2J{text}"))
        screen = expect(pane.get_by_text(f"text {number}")).to_be_visible(timeout=5)
        assert screen.lines[0] == f"text {number}"
    meanwhile(lambda: painter.paint("\033[2J"))
    expect(pane.get_by_text("text 4")).not_.to_be_visible(timeout=5)


def test_async_expectations(painter: Painter, home: Session) -> None:
    async def body() -> None:
        server = AsyncServer(socket_path=home.ref.server.socket_path, tmux=home.host.attach_command[0])  # type: ignore[attr-defined]  # a server's handle
        async with await server.connect() as opened:
            pane = opened.pane(painter.pane.ref)
            waiting = asyncio.create_task(expect(pane.get_by_text("later")).to_be_visible())
            await asyncio.to_thread(painter.paint, "later")
            assert (await waiting).lines[0] == "later"
            with pytest.raises(ExpectFailed):
                await expect(pane.get_by_text("never")).to_be_visible(timeout=SHORT)

    asyncio.run(body())


def see(target: Pane | Locator) -> Expectation:
    """An expectation with a server's usual time replaced by a short one."""
    target.host.timeout = SHORT
    return expect(target)


@pytest.mark.parametrize(
    ("painted", "fail", "told"),
    [
        ("[ save ]", lambda p: see(p.get_by_text("Save")).to_be_visible(), "with other letters: 'save'"),
        ("Sa  ve", lambda p: see(p.get_by_text("Sa ve")).to_be_visible(), "with other blanks: 'Sa  ve'"),
        ("Sxve it", lambda p: see(p.get_by_text("Save it")).to_be_visible(), "row 0 has 'Sxve it'"),
        ("OK OK", lambda p: see(p.get_by_text("OK")).to_have_style(bold=True), "2 matches"),
        ("OK", lambda p: see(p.get_by_text("OK")).to_have_style(foreground="red"), "foreground='red'"),
        ("OK", lambda p: see(p.get_by_text("OK")).to_have_style(bold=True), "found 'OK', which is plain"),
        ("OK", lambda p: see(p.row(0)).to_have_text("No"), "expected row 0 to have the text 'No'\n  found 'OK' (not"),
        ("OK", lambda p: see(p.get_by_text("OK")).not_.to_be_visible(), "expected text 'OK' not to be visible"),
        ("OK", lambda p: see(p).to_have_cursor_at(5, 5), "it at row 0, column 2"),
        ("OK", lambda p: see(p.get_by_text("OK")).to_have_count(2), "found 1: row 0, columns 0-1"),
        ("OK", lambda p: see(p).to_have_title("x"), "the title 'ready'"),
        ("", lambda p: see(p.get_by_text("y").get_by_text("x")).to_be_visible(), "there is no text 'y'"),
    ],
)  # fmt: skip
def test_a_failure_tells_the_nearest_and_shows_the_screen(
    painter: Painter, painted: str, fail: Callable, told: str
) -> None:
    painter.paint(painted)
    with pytest.raises(ExpectFailed) as caught:
        fail(painter.pane)
    message = str(caught.value)
    assert told in message
    assert f"|{painted.ljust(40)}|" in message
    assert "7 blank rows" in message
    assert f"not within {SHORT:g} s" in message
    assert isinstance(caught.value, AssertionError)


def test_a_program_that_ends_ends_the_waiting(connection: Connection, home: Session) -> None:
    pane = connection.pane(home.new_window("short", command=["sh", "-c", "read x"]).active_pane().ref)
    expect(pane).to_be_stable(0.05)
    pane.send_keys("Enter")
    with pytest.raises(ExpectFailed, match=r"ended|the pane is gone"):
        expect(pane.get_by_text("never")).to_be_visible(timeout=30)


def test_a_screen_that_blinks_is_not_stable(connection: Connection, home: Session) -> None:
    blinking = "while :; do printf '\\ra'; sleep 0.02; printf '\\rb'; sleep 0.02; done"
    pane = connection.pane(home.new_window("blink", shell_command=blinking).active_pane().ref)
    with pytest.raises(ExpectFailed, match="a screen that changed again"):
        # Far longer than it stands still, on a busy machine too.
        expect(pane).to_be_stable(1.5, timeout=2)


def test_printing_the_same_again_is_stable(connection: Connection, home: Session) -> None:
    same = "while :; do printf '\\ra'; sleep 0.02; done"
    pane = connection.pane(home.new_window("same", shell_command=same).active_pane().ref)
    expect(pane.get_by_text("a")).to_be_visible()
    expect(pane).to_be_stable(0.25)


# --- mouse ---

_MOUSE = r"""
import os, sys, tty
tty.setraw(0)
os.write(1, b"\033[?1002h" + (b"\033[?1006h" if sys.argv[1] == "sgr" else b"") + b"\033[2;5H[ OK ]\033[5;1H")
while True:
    os.write(1, repr(os.read(0, 1024))[2:-1].encode())
"""


@pytest.mark.parametrize("kind", ["sgr", "old"])
def test_clicks_reach_a_program_that_asked(connection: Connection, home: Session, kind: str) -> None:
    window = home.new_window("mouse", command=[sys.executable, "-c", _MOUSE, kind])
    window.resize(120, 12)
    pane = connection.pane(window.active_pane().ref)
    expect(pane.get_by_text("OK")).to_be_visible()
    sgr = kind == "sgr"
    pane.get_by_text("[ OK ]").click(modifiers=["control"])
    expect(pane).to_have_text("\\x1b[<16;8;2M\\x1b[<16;8;2m" if sgr else '\\x1b[M0("\\x1b[M3("')
    pane.scroll("down", 2)
    expect(pane).to_have_text("\\x1b[<65;61;7M" * 2 if sgr else "\\x1b[Ma]'" * 2)
    pane.drag((0, 0), (1, 2), button="right")
    expect(pane).to_have_text("[<2;1;1M\\x1b[<34;3;2M\\x1b[<2;3;2m" if sgr else '[M"!!\\x1b[MB#"\\x1b[M##"')


def test_a_program_that_did_not_ask_gets_nothing(painter: Painter) -> None:
    painter.paint("OK OK")
    with pytest.raises(MouseOff):
        painter.pane.get_by_text("OK").first.click()
    with pytest.raises(MultipleMatchesError, match="2 matches"):
        painter.pane.get_by_text("OK").click()
    with pytest.raises(NoMatchError, match="the nearest"):
        painter.pane.get_by_text("ok").click()
