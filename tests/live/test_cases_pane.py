"""The situations of tests/cases/core.toml about what is typed into a pane and captured from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from muxwright import Connection, LocalProtocolError, Pane, Server, Session
from tests.support.judge import Judge
from tests.support.recorder import Recorder
from tests.support.screens import screen_with

pytestmark = pytest.mark.live


def test_case_05_trailing_semicolons_arrive(recorder: Recorder) -> None:
    texts = ["hello;", ";", ";;", "\\;", "a\\;", "x ;", "; kill-server ;"]
    for text in texts:
        recorder.pane.send_text(text)
    recorder.pane.send_keys(";", "a", ";")
    recorder.pane.paste("p;")
    recorder.expect("".join([*texts, ";a;", "p;"]).encode())


def test_case_06_leading_dashes_are_text(
    recorder: Recorder, host: Server | Connection, home: Session, judge: Judge
) -> None:
    texts = ["-l foo", "-", "--", "-t", "-X", "-R"]
    for text in texts:
        recorder.pane.send_text(text)
    recorder.pane.send_keys("-", "-")
    recorder.pane.paste("-a")
    recorder.expect("".join([*texts, "--", "-a"]).encode())
    session = host.session(home.ref)
    session.rename("-x")
    session.active_window().rename("-n")
    recorder.pane.set_title("-t")
    made = host.new_session("-d", window_name="-P", command=["sleep", "1000"])
    assert judge.show(recorder.pane.id, "session_name", "pane_title") == "-x -t"
    assert judge.show(home.active_window().id, "window_name") == "-n"
    assert judge.show(made.id, "session_name", "window_name") == "-d -P"


@pytest.mark.parametrize("size", [16_000, 20_000, 140_000, 300_000])
def test_case_07_long_text_arrives_whole(size: int, recorder: Recorder) -> None:
    text = "".join(f"{number:07d}," for number in range(size // 8))
    recorder.pane.send_text(text, timeout=20)
    recorder.expect(text.encode(), 20)


def test_case_07_long_pastes_and_many_keys_arrive_whole(recorder: Recorder) -> None:
    text = "".join(f"{number:07d}\n" for number in range(300_000 // 8))
    recorder.pane.paste(text, timeout=20)
    recorder.expect(text.encode(), 20)
    recorder.pane.send_keys(*"k" * 8_000, timeout=20)
    # More words than tmux's parser can hold: refused before anything is sent.
    with pytest.raises(LocalProtocolError) as caught:
        recorder.pane.send_keys(*"k" * 20_000, timeout=20)
    assert caught.value.effects == "none"
    recorder.expect(text.encode() + b"k" * 8_000, 20)


def test_case_23_a_screen_has_the_rows_of_the_pane(host: Server | Connection, home: Session, judge: Judge) -> None:
    blank = host.new_session("blank", size=(80, 10), command=["sleep", "1000"]).active_pane()
    assert blank.capture().lines == [""] * 10
    one = host.new_session("one", size=(80, 10), shell_command="printf '\\n\\n\\nline'; exec sleep 1000").active_pane()
    capture = screen_with(one, "line")
    assert capture.lines == ["", "", "", "line", *[""] * 6]
    assert capture.lines[one.refresh().cursor_y] == "line"
    assert capture.trimmed == ["", "", "", "line"]
    one.split(size=4, command=["sleep", "1000"])
    assert len(one.capture().lines) == one.refresh().height == int(judge.show(one.id, "pane_height"))


def test_regression_target_in_text(recorder: Recorder, pane: Pane) -> None:
    """`-t` inside sent text is text."""
    recorder.pane.send_text(f"-t {pane.id} x -t")
    recorder.pane.send_keys("-", "t")
    recorder.expect(f"-t {pane.id} x -t-t".encode())


def test_regression_blank_lines(host: Server | Connection, home: Session, tmp_path: Path) -> None:
    """Blank lines in the middle of a capture stay."""
    lines = ["first", "", "", "  indented", "", "last"]
    (tmp_path / "text").write_text("\n".join(lines))
    made = host.session(home.ref).new_window(shell_command=f"cat '{tmp_path}/text'; exec sleep 1000").active_pane()
    capture = screen_with(made, "last")
    assert capture.trimmed == lines
