"""Screens: how soon an expectation holds, what cells and pictures cost, and what recording costs the pane."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from benchmarks.measure import Block, Claim, Comparison, Effort, measure, timed
from benchmarks.output import text
from benchmarks.servers import TMUX, private_server
from benchmarks.waiting import latency, printer
from muxwright.pictures.png import to_png
from muxwright.screen.read import read_rows
from muxwright.screen.screen import Cursor, Screen
from muxwright.testing import expect
from muxwright.testing.recording import Recording
from muxwright.testing.stage import Stage

__all__ = ["expectations", "pictures", "recording"]


def expectations(effort: Effort) -> list[Comparison]:
    """From a text printed by a program to the return of the expectation."""
    comparison = Comparison(
        "expect",
        "From text printed to `expect(...).to_be_visible()` returned, on a connection",
        (Claim("`to_be_visible` after the text", "value", "to_be_visible", None, 0.010),),
    )
    with tempfile.TemporaryDirectory() as directory, printer(directory) as (program, say), private_server() as server:
        session = server.new_session("home", command=program, size=(80, 24))
        with server.connect(session) as connection:
            pane = connection.pane(session.active_pane().ref)
            block = latency(say, lambda wanted: expect(pane.get_by_text(wanted)).to_be_visible())
            measure(comparison, {"to_be_visible": block}, effort)
    return [comparison]


def captured(width: int, height: int, *, coloured: bool) -> str:
    """Return what a capture of words looks like, `coloured`: each in a colour of its own, a cell in eight blank."""
    chance = random.Random(1)
    rows = []
    for _ in range(height):
        words, length = [], 0
        while length < width - 12:
            word = "".join(chance.choices("abcdefgh", k=chance.randint(2, 9)))
            length += len(word) + 1
            words.append(f"\033[38;5;{16 + 7 * len(word)}m{word}\033[39m" if coloured else word)
        rows.append(" ".join(words) + " " * (width - length))
    return "\n".join(rows) + "\n"


def pictures(effort: Effort) -> list[Comparison]:
    """Captures to cells, and cells to pictures; no tmux takes part."""
    small, large = captured(80, 24, coloured=True), captured(200, 50, coloured=True)
    screen = Screen(read_rows(small, 80, 24), 80, Cursor(1, 1), "bench")
    comparison = Comparison(
        "screens",
        "A coloured screen as cells and as pictures",
        (
            Claim("a screen of 80x24 to cells", "value", "cells, 80x24", None, 0.002),
            Claim("a screen of 200x50 to cells", "value", "cells, 200x50", None, 0.010),
            Claim("a screen as SVG", "value", "SVG, 80x24", None, 0.010),
            Claim("a screen as PNG", "value", "PNG, 80x24", None, 0.060),
        ),
    )
    contenders = {
        "cells, 80x24": timed(lambda: read_rows(small, 80, 24)),
        "cells, 200x50": timed(lambda: read_rows(large, 200, 50)),
        "SVG, 80x24": timed(screen.to_svg),
        "PNG, 80x24": timed(lambda: to_png(screen)),
    }
    return [measure(comparison, contenders, effort)]


def recording(effort: Effort, size: int) -> list[Comparison]:
    """Coloured text through a pane, recorded and not."""
    comparison = Comparison(
        "recording",
        "A megabyte of coloured text through a pane",
        (Claim("a pane that is recorded", "at most", "recorded", "not recorded", 1.1),),
        unit="s/MB",
    )
    printed = text(size, coloured=True).decode().replace("\n", "\r\n")
    with Stage(80, 24, tmux=TMUX) as stage, tempfile.TemporaryDirectory() as directory:

        def show(operations: int) -> list[float]:
            samples = []
            for _ in range(operations):
                started = time.perf_counter()
                stage.show(printed)
                samples.append((time.perf_counter() - started) * 1e6 / len(printed.encode()))
            return samples

        def recorded(operations: int) -> list[float]:
            with Recording(stage.pane, Path(directory, "it.cast")):
                return show(operations)

        contenders: dict[str, Block] = {"not recorded": show, "recorded": recorded}
        measure(comparison, contenders, effort)
    return [comparison]
