"""Recordings: what is replayed shows the same, times and sizes are kept, and pictures move."""

from __future__ import annotations

import io
import itertools
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from PIL import Image

from muxwright import Connection, PipeInUse, Session
from muxwright.screen.cast import CastEvent, read_cast
from muxwright.testing import expect
from muxwright.testing.recording import Recording
from muxwright.testing.stage import Stage, frames
from tests.support.painter import Painter
from tests.support.waiting import wait_until

MUXWRIGHT = str(Path(sys.executable).with_name("muxwright"))


@pytest.fixture
def painter(connection: Connection, home: Session) -> Painter:
    window = home.new_window("painter", command=Painter.argv)
    window.resize(40, 8)
    return Painter(connection.pane(window.active_pane().ref))


@pytest.mark.parametrize("version", [2, 3])
def test_a_recording_has_output_markers_input_and_sizes(
    painter: Painter, connection: Connection, tmp_path: Path, version: int
) -> None:
    painter.paint("before")
    path = tmp_path / "it.cast"
    with Recording(painter.pane, path, version=version) as recording:
        painter.paint("\r\n\033[32mgreen 日本\033[0m")
        recording.mark("painted")
        recording.note_input("x")
        connection.window(painter.pane.refresh().window.ref).resize(50, 10)
        expect(painter.pane).to_pass(lambda screen: screen.size == (50, 10))
        painter.paint("\r\nwide")
        wait = read_until(path, "r")
    cast = read_cast(path.read_text())
    assert (cast.width, cast.height) == (40, 8)
    assert [event.data for event in cast.events if event.code == "m"] == ["painted"]
    assert [event.data for event in cast.events if event.code == "i"] == ["x"]
    assert wait.data == "50x10"
    output = "".join(event.data for event in cast.events if event.code == "o")
    assert "before" in output and "\033[32mgreen 日本\033[0m" in output and "wide" in output
    assert all(one.time <= other.time for one, other in itertools.pairwise(cast.events))
    *_, last = frames(cast)
    assert last.screen.lines[:3] == ["before", "green 日本", "wide"]
    assert last.screen.size == (50, 10)


def read_until(path: Path, code: str) -> CastEvent:
    """Wait for an event in a file that is being written."""

    def look() -> CastEvent | None:
        text = path.read_text()
        complete = text[: text.rfind("\n") + 1]
        return next((event for event in read_cast(complete).events if event.code == code), None)

    found = wait_until(look, what=f"an event {code}")
    assert found is not None
    return found


def test_the_end_of_the_program_ends_the_recording(connection: Connection, home: Session, tmp_path: Path) -> None:
    pane = connection.pane(home.new_window("short", command=["sh", "-c", "read x; printf bye"]).active_pane().ref)
    path = tmp_path / "it.cast"
    with Recording(pane, path):
        pane.send_keys("Enter")
        pane.wait_for_exit()
    assert "bye" in "".join(event.data for event in read_cast(path.read_text()).events)


def test_a_pipe_of_somebody_else_is_not_taken(painter: Painter, tmp_path: Path) -> None:
    painter.pane.pipe("cat >/dev/null")
    with pytest.raises(PipeInUse):
        Recording(painter.pane, tmp_path / "it.cast").start()


texts = st.lists(
    st.sampled_from(
        [
            *[
                "text ",
                "日本",
                "e\u0301",
                "\r\n",
                "\n",
                "\b",
                "\t",
                "\033[H",
                "\033[2J",
                "\033[K",
                "\033[1;31m",
                "\033[0m",
            ],
            *["\033[3;7H", "\033[5;1H", "\033[L", "\033[M", "\033[2;6r", "\033[r", "\033M", "\033[44m", "\033[?25l"],
            *["\033[?1049h", "\033[?1049l", "\033[38;5;99m", "\033(0qqx\033(B", "\033[4:3m", "x" * 45],
        ]
    ),
    max_size=12,
).map("".join)


def wait_for_resizes(path: Path, count: int) -> None:
    """A recording looks at the size now and then; what is printed before it has is replayed in the old one."""
    wait_until(lambda: path.read_text().count('"r"') == count, 20, "the resize is recorded")


sizes = st.sampled_from([(30, 6), (60, 12), (40, 5)])


def check_replay(painter: Painter, path: Path, during: list[str | tuple[int, int]]) -> None:
    resizes = 0
    with Recording(painter.pane, path):
        for step in during:
            if isinstance(step, str):
                painter.paint(step)
            elif painter.pane.screen().size != step:
                painter.pane.host.window(painter.pane.refresh().window.ref).resize(*step)
                resizes += 1
                wait_for_resizes(path, resizes)
        painter.pane.wait_for_quiet(0.03)
    wanted = painter.pane.screen()
    cast = read_cast(path.read_text())
    with Stage(cast.width, cast.height) as stage:
        for event in cast.events:
            if event.code == "o":
                stage.show(event.data)
            elif event.code == "r":
                stage.resize(*map(int, event.data.split("x")))
        assert stage.pane.screen().rows == wanted.rows, during


@pytest.mark.timeout(180)
def test_a_replay_shows_the_same(connection: Connection, home: Session, tmp_path: Path) -> None:
    replay(connection, home, tmp_path / "it.cast", 5)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_many_replays_show_the_same(connection: Connection, home: Session, tmp_path: Path) -> None:
    replay(connection, home, tmp_path / "it.cast", 150)


def replay(connection: Connection, home: Session, path: Path, examples: int) -> None:
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(st.one_of(texts, texts, sizes), min_size=1, max_size=4))
    def body(during: list[str | tuple[int, int]]) -> None:
        # A pane of its own: no capture tells what is saved in an old one, such as the cursor that 1049 brings back.
        window = home.new_window("painter", command=Painter.argv)
        window.resize(40, 8)
        check_replay(Painter(connection.pane(window.active_pane().ref)), path, during)
        window.kill()

    body()


@pytest.mark.timeout(180)
def test_record_and_play_from_the_command_line(painter: Painter, home: Session, tmp_path: Path) -> None:
    path = tmp_path / "it.cast"
    socket = home.ref.server.socket_path
    argv = [MUXWRIGHT, "record", "-S", socket, painter.pane.id, "-o", str(path)]
    with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True) as process:
        try:
            read_file_until_header(path)
            painter.paint("\033[41mone\033[0m")
            painter.paint(" two")
            expect(painter.pane).to_have_text("one two")
            read_until_output(path, " two")
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
        finally:
            # Leaving the block waits for it, without an end of its own.
            process.kill()
    played = subprocess.run([MUXWRIGHT, "play", str(path), "-s", "1000"], capture_output=True, check=True, timeout=60)
    assert b"\033[41mone\033[0m" in played.stdout
    for name in ("it.svg", "it.gif"):
        subprocess.run([MUXWRIGHT, "play", str(path), "-o", str(tmp_path / name)], check=True, timeout=60)
    assert "one" in "".join(ElementTree.parse(tmp_path / "it.svg").getroot().itertext())
    with Image.open(io.BytesIO((tmp_path / "it.gif").read_bytes())) as image:
        assert image.size == (40 * 9 + 24, 8 * 18 + 24 + 30)
        assert getattr(image, "n_frames", 1) >= 1
    subprocess.run([MUXWRIGHT, "play", str(path), "--last", "-o", str(tmp_path / "it.txt")], check=True, timeout=60)
    assert (tmp_path / "it.txt").read_text() == "one two\n"
    # In a pane, playing is the replay of a pane.
    replay_pane = home.new_window("replay", shell_command=f"{MUXWRIGHT} play -s 100 {path}; read x").active_pane()
    expect(replay_pane).to_have_text("one two", timeout=20)


def read_file_until_header(path: Path) -> None:
    wait_until(lambda: path.exists() and path.read_text().count("\n") > 0, 20, "the recording has begun")


def read_until_output(path: Path, text: str) -> None:
    wait_until(lambda: text in path.read_text(), 20, f"{text!r} is recorded")
