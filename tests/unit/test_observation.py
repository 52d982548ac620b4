"""Observations of a scripted pane: cursors, bounds, ends."""

from __future__ import annotations

import pytest

from muxwright import DeadlineExceeded, InvalidArgument, ObservationLost, OutputCursor, PaneNotFound
from muxwright.operations.observation import (
    Observation,
    capture_baseline,
    close_observation,
    open_observation,
    take_output,
)
from muxwright.refs import PaneId, PaneRef
from muxwright.wire.versions import TmuxVersion
from tests.support.scripted import PANE, Scripted, ScriptedSource


@pytest.fixture
def pane() -> Scripted:
    return Scripted()


def _open(pane: Scripted, max_bytes: int = 1000, after: OutputCursor | None = None) -> Observation:
    return pane.run(open_observation(pane.place, PANE, after=after, max_bytes=max_bytes))


def _take(pane: Scripted, observation: Observation, timeout: float = 5.0) -> bytes | None:
    output = pane.run(take_output(pane.place, observation), timeout)
    return None if output is None else output.data


def _cut(pane: Scripted, status: int | None) -> None:
    source: ScriptedSource = pane.source
    source.status, source.ended = status, True


def test_bytes_come_with_their_place(pane: Scripted) -> None:
    observation = _open(pane)
    pane.at(1.0, lambda: pane.prints(b"one"))
    pane.at(2.0, lambda: pane.prints(b"\xff\x00two"))
    assert observation.cursor.offset == 0
    assert _take(pane, observation) == b"one"
    assert pane.now == 1.0
    assert _take(pane, observation) == b"\xff\x00two"
    assert observation.cursor == OutputCursor(PANE, "epoch0", 8)
    with pytest.raises(DeadlineExceeded) as caught:
        _take(pane, observation, 1.0)
    assert caught.value.effects == "none"


def test_a_slow_reader_loses_only_its_own(pane: Scripted) -> None:
    slow, fast = _open(pane, max_bytes=10), _open(pane)
    pane.prints(b"x" * 11)
    with pytest.raises(ObservationLost) as caught:
        _take(pane, slow)
    assert caught.value.reason == "overflow"
    with pytest.raises(ObservationLost, match="more than 10 bytes"):
        _take(pane, slow)
    assert _take(pane, fast) == b"x" * 11


def test_going_on_from_a_cursor(pane: Scripted) -> None:
    first = _open(pane)
    pane.prints(b"one two")
    _take(pane, first)
    cursor = OutputCursor(PANE, "epoch0", 4)
    again = _open(pane, after=cursor)
    assert _take(pane, again) == b"two"
    for wrong, reason in (
        (cursor._replace(epoch="other"), "cursor_expired"),
        (cursor._replace(offset=100), "invalid_cursor"),
        (cursor._replace(pane=PaneRef(PANE.server, PaneId("%9"))), "invalid_cursor"),
    ):
        with pytest.raises(ObservationLost) as caught:
            _open(pane, after=wrong)
        assert caught.value.reason == reason
    pane.prints(b"x" * pane.source.ring.limit)
    with pytest.raises(ObservationLost) as caught:
        _open(pane, after=cursor)
    assert caught.value.reason == "cursor_expired"


@pytest.mark.parametrize(
    ("status", "piped", "reason"),
    [(1, False, "stalled"), (0, True, "pipe_taken"), (0, False, "pipe_closed"), (None, False, "pipe_closed")],
)
def test_a_lost_pipe_ends_it_after_the_last_byte(pane: Scripted, status: int | None, piped: bool, reason: str) -> None:
    observation = _open(pane)
    pane.prints(b"last")
    _cut(pane, status)
    pane.piped = piped
    assert _take(pane, observation) == b"last"
    with pytest.raises(ObservationLost) as caught:
        _take(pane, observation)
    assert (caught.value.reason, caught.value.target) == (reason, "%1")
    assert pane.source.closed


def test_the_end_of_the_pane_ends_it(pane: Scripted) -> None:
    observation = _open(pane)
    pane.prints(b"last")
    _cut(pane, 0)
    pane.gone = True
    assert [_take(pane, observation) for _ in range(3)] == [b"last", None, None]
    assert observation.ended == "pane_closed"
    with pytest.raises(PaneNotFound):
        _open(pane)


def test_the_end_of_the_program_ends_it_when_all_has_come(pane: Scripted) -> None:
    def end() -> None:
        pane.dead, pane.pid = True, 0
        pane.source.exits += 1

    observation = _open(pane)
    pane.at(1.0, end)
    pane.at(1.04, lambda: pane.prints(b"late"))
    assert [_take(pane, observation) for _ in range(2)] == [b"late", None]
    assert observation.ended == "pane_dead"


def test_a_baseline_takes_nothing(pane: Scripted) -> None:
    observation = _open(pane)
    pane.prints(b"hello", "hello")
    baseline = pane.run(capture_baseline(pane.place, observation))
    assert (baseline.before.offset, baseline.after.offset, baseline.continuity) == (5, 5, "reset")
    assert "hello" in baseline.capture
    assert _take(pane, observation) == b"hello"


def test_the_poll_route_says_so(pane: Scripted) -> None:
    pane.piped = True
    observation = _open(pane)
    assert observation.watch.route == "poll"
    pane.at(1.0, lambda: pane.prints(b"", "one", "two"))
    assert _take(pane, observation) == b"one\ntwo"
    assert observation.cursor.offset == 7


def test_the_output_route_where_it_is_safe(pane: Scripted) -> None:
    pane.piped = True
    pane.place = pane.place._replace(version=TmuxVersion(3, 8))
    observation = _open(pane)
    assert observation.watch.route == "output"
    (client,) = pane.clients
    client.ring.append(b"raw \xff")
    assert _take(pane, observation) == b"raw \xff"

    def move() -> None:
        pane.moved = True
        client.exits += 1

    pane.at(pane.now + 1, move)
    with pytest.raises(ObservationLost) as caught:
        _take(pane, observation)
    assert caught.value.reason == "target_changed"
    assert client.closed


def test_a_client_that_tmux_ended(pane: Scripted) -> None:
    observation = pane.run(open_observation(pane.place, PANE, route="output"))
    pane.clients[0].ended = True
    with pytest.raises(ObservationLost) as caught:
        _take(pane, observation)
    assert caught.value.reason == "connection_lost"
    pane.run(close_observation(observation))
    assert pane.clients[0].closed


@pytest.mark.parametrize("wrong", [0, -1, 64 * 1024 * 1024 + 1, True, "1"])
def test_bounds(pane: Scripted, wrong: int) -> None:
    with pytest.raises(InvalidArgument):
        _open(pane, max_bytes=wrong)


def test_one_reader(pane: Scripted) -> None:
    observation = _open(pane)
    first = take_output(pane.place, observation)
    next(first)
    with pytest.raises(InvalidArgument, match="read already"):
        _take(pane, observation)
    first.close()
    pane.prints(b"x")
    assert _take(pane, observation) == b"x"
