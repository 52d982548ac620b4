"""Screens judged by pyte: the same bytes, in a pane of tmux and in an independent emulator, give the same cells."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import shutil
import struct
import sys
import termios
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from muxwright import Connection, Session
from tests.support.painter import Painter
from tests.support.pyte_judge import seen_by_pyte, seen_by_us

WIDTH, HEIGHT = 40, 8
TODO = Path(__file__).resolve().parents[2] / "examples" / "todo" / "todo.py"


@pytest.fixture
def painter(connection: Connection, home: Session) -> Iterator[Painter]:
    window = home.new_window("painter", command=Painter.argv)
    yield Painter(connection.pane(window.active_pane().ref))
    window.kill()


def compare(painter: Painter, data: bytes, width: int, height: int) -> None:
    painter.pane.host.window(painter.pane.refresh().window.ref).resize(width, height)
    # The title that the painter sets is its own; everything else is as in a terminal just switched on.
    painter.paint(b"\033c" + data)
    ours, theirs = seen_by_us(painter.pane.screen()), seen_by_pyte(data, width, height)
    for number, (row, other) in enumerate(zip(ours.cells, theirs.cells, strict=True)):
        for column, (cell, judged) in enumerate(zip(row, other, strict=True)):
            text = unicodedata.normalize("NFC", cell[0])
            assert (text, *cell[1:]) == judged, f"row {number}, column {column} of {data!r}"
    assert ours.cursor == theirs.cursor, data


# What the streams leave out, because tmux and pyte differ there:
# - a wide character of which one half is written over or erased, or that does not fit into the last column;
# - backgrounds of what is erased, inserted or scrolled in (tmux's capture tells them only from 3.5 on), and attributes
#   there: pyte gives them to blanks, tmux and other terminals do not;
# - insert and delete line away from the first column: pyte moves the cursor there, tmux does not;
# - delete line, and reverse index above the scroll region: pyte 0.8.2 leaves text behind, or moves to the region;
# - a reset of the scroll region without a move: tmux homes the cursor, pyte does not.
looks = st.sampled_from(
    ["0", "1", "3", "4", "7", "9", "5", "31", "92", "39", "22", "23", "24", "27", "29", "25", "38;5;99", "38;2;1;2;3"]
).map(lambda code: f"\033[{code}m")
backgrounds = st.sampled_from(["44", "48;5;20", "104", "48;2;9;8;7"]).map(lambda code: f"\033[{code}mx\033[49m")
narrow = st.one_of(
    looks, backgrounds, st.text("abc xyz", min_size=1, max_size=6), st.sampled_from(["e\u0301", "ñ", "λ"])
)
wide = st.one_of(narrow, st.sampled_from(["日", "本語", "한", "ｆ"]))


def lines(parts: st.SearchStrategy[str], columns: st.SearchStrategy[int]) -> st.SearchStrategy[str]:
    """Rows that are erased from a column on and written."""
    written = st.lists(parts, max_size=5).map("".join)
    made = st.tuples(st.integers(1, HEIGHT), columns, written)
    return made.map(lambda one: f"\033[{one[0]};{one[1]}H\033[0m\033[K{one[2]}")


# These keep wide characters whole.
whole = st.sampled_from(
    [
        *[
            "\r\n",
            "\r",
            "\033[0m\033[2J",
            "\033[2;6r",
            "\033[r\033[H",
            "\033[3;1H\033[0m\033[L",
            "\033[2;1H\033[0m\033[2K",
        ],
        *["\033[r\033[1;1H\033[0m\033M", "\033[r\033[8;1H\033[0m\033D", "\0337", "\033[0m\033[H\033[J"],
    ]
)
moves = st.sampled_from(
    [
        *["\033[0m\033[K", "\033[0m\033[1K", "\033[0m\033[J", "\033[4;1H\033[0m\033[2@", "\033[5;1H\033[0m\033[3P"],
        *["\033[2A", "\033[3B", "\033[5C", "\033[2D", "\033[7G", "\033[4d", "\0338", "\033[0m\033[2X", "\t", "\b"],
    ]
)
narrow_streams = st.lists(st.one_of(lines(narrow, st.integers(1, 10)), whole, moves), min_size=1, max_size=10)
wide_streams = st.lists(st.one_of(lines(wide, st.just(1)), whole), min_size=1, max_size=10)
streams = st.one_of(narrow_streams, wide_streams).map("".join)


def check(painter: Painter, examples: int) -> None:
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(streams)
    def body(text: str) -> None:
        compare(painter, text.encode(), WIDTH, HEIGHT)

    body()


def test_streams_give_the_same_cells(painter: Painter) -> None:
    check(painter, 20)


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_many_streams_give_the_same_cells(painter: Painter) -> None:
    check(painter, 400)


# --- real programs ---


def output_of(argv: list[str], keys: list[bytes], width: int, height: int) -> list[bytes]:
    """Run a program on a terminal and return what it has printed after the start and after each key."""
    pid, descriptor = pty.fork()
    if pid == 0:
        os.environ.update(TERM="linux", LC_ALL="C.UTF-8", LINES=str(height), COLUMNS=str(width))
        os.execvp(argv[0], argv)
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
    printed, parts = b"", []
    try:
        for key in [b"", *keys]:
            if key:
                os.write(descriptor, key)
            end = time.monotonic() + 5
            # Linux says EIO when the program has ended.
            with contextlib.suppress(OSError):
                while time.monotonic() < end and select.select([descriptor], [], [], 0.3)[0]:
                    printed += os.read(descriptor, 65536)
            parts.append(printed)
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        os.close(descriptor)
    return parts


VIM = ["vim", "-u", "NONE", "-i", "NONE", "-n", "-N", str(TODO)]
PROGRAMS = {
    "vim": (VIM, [b"jj", b"\x06", b":syntax on\r", b"iab\033", b"dd", b"/def\r"]),
    "less": (["less", str(TODO)], [b" ", b"/self\r", b"G", b"b"]),
    "todo": ([sys.executable, str(TODO), "milk", "bread", "tea"], [b"jj", b" ", b"anew\n", b"d", b"/e\n"]),
    "ls": (["ls", "-l", "--color=always", "/"], []),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_give_the_same_cells(painter: Painter, name: str) -> None:
    argv, keys = PROGRAMS[name]
    if shutil.which(argv[0]) is None:
        pytest.skip(f"{argv[0]} is not installed")
    for part in output_of(argv, keys, 80, 24):
        compare(painter, part, 80, 24)
