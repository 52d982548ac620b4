"""Screens judged by pyte: the same bytes, in a pane of tmux and in an independent emulator, give the same cells."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from muxwright import Connection, Session
from muxwright.wire.versions import TmuxVersion
from tests.support.painter import Painter
from tests.support.pyte_judge import differences, seen_by_pyte, seen_by_us
from tests.support.streams import HEIGHT, WIDTH, Stream, recorded, streams

SLICE = 25  # recorded streams of the normal run


@pytest.fixture
def painter(connection: Connection, home: Session) -> Iterator[Painter]:
    window = home.new_window("painter", command=Painter.argv)
    yield Painter(connection.pane(window.active_pane().ref))
    window.kill()


def compare(painter: Painter, connection: Connection, all_streams: Iterable[Stream]) -> None:
    window = connection.window(painter.pane.refresh().window.ref)
    # Until 3.3a a capture leaves away the background of what was erased.
    told = connection.version.reaches(TmuxVersion(3, 4))
    for stream in all_streams:
        window.resize(stream.width, stream.height)
        # The title that the painter sets is its own; everything else is as in a terminal just switched on.
        painter.paint(b"\033c" + stream.data)
        theirs = seen_by_pyte(stream.data, stream.width, stream.height)
        found = differences(seen_by_us(painter.pane.screen()), theirs, erased_backgrounds=told)
        assert not found, f"{stream.name}: {found[:10]}\n{stream.data!r}"


def test_recorded_streams_give_the_same_cells(painter: Painter, connection: Connection, seed: int) -> None:
    compare(painter, connection, random.Random(seed).sample(recorded(), SLICE))


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_all_recorded_streams_give_the_same_cells(painter: Painter, connection: Connection) -> None:
    everything = recorded()
    assert len(everything) >= 200
    compare(painter, connection, everything)


def check_new_ones(painter: Painter, connection: Connection, examples: int) -> None:
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
        compare(painter, connection, [Stream("new", text.encode(), WIDTH, HEIGHT)])

    body()


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_many_new_streams_give_the_same_cells(painter: Painter, connection: Connection) -> None:
    check_new_ones(painter, connection, 400)
