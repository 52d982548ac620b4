"""Captures: the screen, the lines asked for, and the options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from muxwright import CaptureDecodeError, Connection, InvalidArgument, OutputLimitExceeded, Server, Session
from tests.support.judge import Judge
from tests.support.screens import screen_with
from tests.support.servers import every_transport
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.live, every_transport]

QUIET = ["sleep", "1000"]
Host = Server | Connection


def test_capture_options(host: Host, home: Session, judge: Judge, tmp_path: Path) -> None:
    rows = [f"row {number}" for number in range(30)]
    wrapped, red = "w" * 100, "\033[31mred\033[0m and plain  "
    (tmp_path / "text").write_bytes("\r\n".join([*rows, wrapped, red, "end"]).encode())
    session = host.new_session("cap", size=(80, 10), shell_command=f"stty raw; cat '{tmp_path}/text'; exec sleep 1000")
    pane = session.active_pane()
    screen = screen_with(pane, "end")
    assert screen.lines == [*rows[24:], "w" * 80, "w" * 20, "red and plain", "end"]
    assert screen.text == judge("capture-pane", "-p", "-t", pane.id)
    assert pane.capture(start="history").lines == [*rows, *screen.lines[6:]]
    assert pane.capture(start=-2, end=1).lines == rows[22:26]
    assert pane.capture(start=9, end="bottom").lines == ["end"]
    assert pane.capture(start=2, end=2).lines == [rows[26]]
    assert pane.capture(join_wrapped=True).trimmed[-3] == wrapped
    assert pane.capture(keep_trailing=True).lines[8].startswith("red and plain  ")
    assert "\033[31mred\033[39m" in pane.capture(escapes=True)
    with pytest.raises(OutputLimitExceeded):
        pane.capture(start="history", max_bytes=1)
    wrong_options: list[dict[str, Any]] = [
        {"start": "top"},
        {"end": 1.5},
        {"start": True},
        {"start": 2**15},
        {"max_bytes": 0},
        {"max_bytes": "1"},
    ]
    for options in wrong_options:
        with pytest.raises(InvalidArgument):
            pane.capture(**options)
    # The next call has its own answer, also after one that was too large.
    assert pane.capture() == screen


def test_capture_of_the_alternate_screen_and_of_broken_text(host: Host, home: Session) -> None:
    session = host.session(home.ref)
    vi = session.new_window(shell_command="printf 'before\\033[?1049hinside'; exec sleep 1000").active_pane()
    assert screen_with(vi, "inside").trimmed == ["      inside"] or "before" not in vi.capture()
    assert vi.capture(alternate=True).trimmed == ["before"]
    broken = session.new_window(shell_command="printf 'x\\377\\376y'; exec sleep 1000").active_pane()
    wait_until(lambda: b"y" in broken.capture().data, what="the text is there")
    capture = broken.capture()
    if b"\xff" in capture.data:
        with pytest.raises(CaptureDecodeError):
            _ = capture.text
    assert capture.decode("replace").startswith("x")


@pytest.mark.parametrize("height", [1, 2, 7, 48])
def test_a_capture_has_exactly_the_rows_of_the_pane(height: int, host: Host, judge: Judge) -> None:
    text = "printf 'a\\n\\n\\nb\\n\\n'; exec sleep 1000"
    pane = host.new_session("rows", size=(40, height), shell_command=text).active_pane()
    wait_until(lambda: pane.refresh().cursor_y == min(5, height - 1), what="the program has printed")
    assert len(pane.capture(escapes=True).lines) == len(pane.capture(keep_trailing=True).lines) == height
    assert len(pane.capture().lines) == height
    if height > 2:
        pane.split(size=height // 3, command=QUIET)
        assert len(pane.capture().lines) == int(judge.show(pane.id, "pane_height")) < height
