"""Observing panes: every byte, nobody's pipe taken, and each end told from the others."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from muxwright import (
    Connection,
    DeadlineExceeded,
    ForkedConnection,
    ObservationLost,
    OutputStream,
    OwnedServer,
    Pane,
    PaneNotFound,
    PipeInUse,
    RequestCancelled,
    Server,
    Session,
)
from muxwright.transports.cancellation import CancellationToken
from muxwright.wire.versions import TmuxVersion
from tests.support.judge import Judge
from tests.support.outside import descriptors
from tests.support.servers import every_transport
from tests.support.survival import sinks
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

# Raw, so that what is printed is what arrives; then it prints the file once a line was typed.
PRINTS = 'stty raw -echo; echo ready; read x; cat "$1"; exec sleep 1000'


def _pane(host: Any, home: Session, *command: str) -> Pane:
    return cast(Pane, host.pane(home.new_window(command=list(command) or ["cat"]).active_pane().ref))


def _collect(stream: OutputStream, size: int) -> bytes:
    data = b""
    while len(data) < size:
        output = stream.take()
        assert output is not None
        data += output.data
        assert output.cursor.offset - stream.cursor.offset == 0
    return data


def _piped(judge: Judge, pane: Pane) -> str:
    return judge.show(pane.id, "pane_pipe")


@every_transport
def test_every_byte_arrives_as_it_was_printed(
    host: Server | Connection, home: Session, judge: Judge, tmp_path: Path, seed: int
) -> None:
    hostile = bytes(range(256)) + b"\x1b]0;t\x07%end 1 2 1\n%exit\n" + "λ→🙂".encode() + b"\xff\xfe\xc3"
    data = hostile + random.Random(seed).randbytes(300_000)
    (tmp_path / "data").write_bytes(data)
    pane = _pane(host, home, "sh", "-c", PRINTS, "sh", str(tmp_path / "data"))
    assert pane.wait_for_text("ready")
    with pane.observe_output() as stream:
        assert (stream.route, stream.continuity) == ("pipe", "stream")
        assert _piped(judge, pane) == "1"
        judge("send-keys", "-t", pane.id, "C-j")
        assert _collect(stream, len(data)) == data
        with pytest.raises(DeadlineExceeded) as caught:
            stream.take(timeout=0.05)
        assert caught.value.effects == "none"
    wait_until(lambda: _piped(judge, pane) == "0", what="the pipe is closed")


@every_transport
def test_several_readers_share_a_pipe_and_replay(host: Server | Connection, home: Session, judge: Judge) -> None:
    pane = _pane(host, home)
    with pane.observe_output() as first, pane.observe_output() as second:
        assert len(judge("list-panes", "-a", "-f", "#{pane_pipe}", "-F", "x").split()) == 1
        pane.send_text("one")
        assert (_collect(first, 3), _collect(second, 3)) == (b"one", b"one")
        cursor = first.cursor
        pane.send_text("two")
        assert _collect(first, 3) == b"two"
        with pane.observe_output(after=cursor) as third:
            assert _collect(third, 3) == b"two"
        assert _collect(second, 3) == b"two"
    with pytest.raises(ObservationLost) as caught:
        pane.observe_output(after=cursor).open()
    assert caught.value.reason == "cursor_expired"


@every_transport
def test_a_baseline_lies_between_two_places(host: Server | Connection, home: Session) -> None:
    pane = _pane(host, home)
    with pane.observe_output() as stream:
        pane.send_text("before λ")
        assert _collect(stream, len("before λ".encode())).decode() == "before λ"
        baseline = stream.capture_baseline()
        assert baseline.continuity == "reset"
        assert baseline.before == baseline.after == stream.cursor
        assert "before λ" in baseline.capture
        pane.send_text(" after")
        assert _collect(stream, 6) == b" after"


@every_transport
def test_a_users_pipe_is_left_alone(host: Server | Connection, home: Session, judge: Judge, tmp_path: Path) -> None:
    pane = _pane(host, home)
    log = tmp_path / "log"
    judge("pipe-pane", "-t", pane.id, f"cat > {log}")
    with pytest.raises(PipeInUse):
        pane.observe_output(route="pipe").open()
    with pane.observe_output(route="poll") as stream:
        assert (stream.route, stream.continuity) == ("poll", "poll")
        pane.send_text("logged\n")
        text = b""
        while b"logged\nlogged" not in text:
            output = stream.take()
            assert output is not None
            text += output.data
    assert _piped(judge, pane) == "1"
    wait_until(lambda: b"logged" in log.read_bytes(), what="the user's log goes on")
    judge("pipe-pane", "-t", pane.id)


def test_a_users_pipe_means_the_output_route_where_that_is_safe(
    host: Server | Connection, home: Session, judge: Judge
) -> None:
    pane = _pane(host, home)
    judge("pipe-pane", "-t", pane.id, "cat > /dev/null")
    with pane.observe_output() as stream:
        expected = "output" if host.describe()[1].reaches(TmuxVersion(3, 8)) else "poll"
        assert stream.route == expected
        if expected == "output":
            pane.send_text("\\ λ\x01")
            assert _collect(stream, 6) == "\\ λ^A".encode()


@every_transport
@pytest.mark.parametrize(
    ("command", "reason"), [(["cat > /dev/null"], "pipe_taken"), ([], "pipe_closed")], ids=["taken", "closed"]
)
def test_somebody_elses_pipe_ends_ours(
    host: Server | Connection, home: Session, judge: Judge, command: list[str], reason: str
) -> None:
    pane = _pane(host, home)
    with pane.observe_output() as stream:
        pane.send_text("last")
        assert _collect(stream, 4) == b"last"
        judge("pipe-pane", "-t", pane.id, *command)
        with pytest.raises(ObservationLost) as caught:
            stream.take()
        assert caught.value.reason == reason
    assert _piped(judge, pane) == str(len(command)), "what they made is theirs"


@every_transport
def test_the_end_of_a_pane_ends_the_iteration(host: Server | Connection, home: Session, judge: Judge) -> None:
    pane = _pane(host, home, "sh", "-c", "read x; printf 'last words'")
    with pane.observe_output() as stream:
        judge("send-keys", "-t", pane.id, "Enter")
        assert b"".join(output.data for output in stream).endswith(b"last words")
        assert stream.take() is None
    with pytest.raises(PaneNotFound):
        pane.observe_output().open()


@every_transport
def test_the_end_of_a_program_ends_it_too(host: Server | Connection, home: Session, judge: Judge) -> None:
    pane = _pane(host, home, "sh", "-c", "read x; printf 'last words'")
    judge("set-option", "-p", "-t", pane.id, "remain-on-exit", "on")
    with pane.observe_output() as stream:
        judge("send-keys", "-t", pane.id, "Enter")
        assert b"".join(output.data for output in stream).endswith(b"last words")
    assert judge.show(pane.id, "pane_dead") == "1"


@every_transport
def test_it_survives_respawns_and_moves(host: Server | Connection, home: Session, judge: Judge) -> None:
    pane = _pane(host, home)
    with pane.observe_output() as stream:
        for number in range(3):
            pane.respawn(kill_running=True, command=["sh", "-c", f"printf 'life {number}'; exec cat"])
            assert _collect(stream, 6) == b"life %d" % number
        other = judge("new-session", "-d", "-s", "other", "-P", "-F", "#{window_id}", "sleep 1000")
        judge("join-pane", "-d", "-s", pane.id, "-t", other)
        pane.send_text("moved")
        assert _collect(stream, 5) == b"moved"


def test_a_pane_that_leaves_the_session_of_an_output_client(
    host: Server | Connection, home: Session, judge: Judge
) -> None:
    pane = _pane(host, home)
    other = judge("new-session", "-d", "-s", "other", "-P", "-F", "#{window_id}", "sleep 1000")
    with pane.observe_output(route="output") as stream:
        pane.send_text("here")
        assert _collect(stream, 4) == b"here"
        judge("join-pane", "-d", "-s", pane.id, "-t", other)
        with pytest.raises(ObservationLost) as caught:
            stream.take()
        assert caught.value.reason == "target_changed"


@every_transport
def test_a_slow_reader_loses_only_its_own(host: Server | Connection, home: Session) -> None:
    pane = _pane(host, home)
    with pane.observe_output(max_bytes=8) as slow, pane.observe_output() as fast:
        pane.send_text("0123456789")
        assert _collect(fast, 10) == b"0123456789"
        for _ in range(2):
            with pytest.raises(ObservationLost) as caught:
                slow.take()
            assert caught.value.reason == "overflow"
        pane.send_text("more")
        assert _collect(fast, 4) == b"more"


def test_a_process_that_does_not_read_is_cut_off(host: Server | Connection, home: Session, judge: Judge) -> None:
    pane = _pane(host, home, "sh", "-c", "read x; exec yes")
    with pane.observe_output() as stream:
        opened: Any = stream._observation.watch.feed
        with opened.source.changed:  # the reading thread waits for this
            judge("send-keys", "-t", pane.id, "Enter")
            wait_until(lambda: _piped(judge, pane) == "0", 20, "tmux has closed the pipe")
        with pytest.raises(ObservationLost) as caught:
            for _ in stream:
                pass
        assert caught.value.reason in ("stalled", "overflow")
    with pane.observe_output(max_bytes=64 << 20) as stream:
        assert stream.take() is not None, "the pane prints on, and can be observed again"
    pane.send_keys("C-c")


@every_transport
def test_a_token_ends_a_take(host: Server | Connection, home: Session) -> None:
    pane = _pane(host, home)
    token = CancellationToken()
    with pane.observe_output() as stream:
        timer = threading.Timer(0.05, token.cancel)
        timer.start()
        with pytest.raises(RequestCancelled):
            stream.take(timeout=50, cancel=token)
        timer.join()
        pane.send_text("on")
        assert _collect(stream, 2) == b"on"


def test_nothing_is_left_and_no_thread_but_while_observing(
    host: Server | Connection, home: Session, server: OwnedServer, judge: Judge
) -> None:
    pane = _pane(host, home)
    before, threads = descriptors(), threading.active_count()
    for _ in range(5):
        with pane.observe_output(), pane.observe_output():
            assert threading.active_count() == threads + 1
        assert threading.active_count() == threads
    assert descriptors() == before
    wait_until(lambda: _piped(judge, pane) == "0", what="the pipe is closed")
    wait_until(lambda: not sinks(server), what="no sink is left")
    base = Path(server.socket_path).parents[1]
    assert not list(base.glob("muxwright-*/data"))


def test_a_forked_child_neither_reads_nor_keeps_the_pipe(connection: Connection, home: Session, judge: Judge) -> None:
    pane = _pane(connection, home)
    stream = pane.observe_output().open()
    ready, done = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover - in the child
        status = 1
        try:
            try:
                stream.take(timeout=1)
            except ForkedConnection:
                status = 0
            os.write(ready[1], b"x")
            os.read(done[0], 1)
        finally:
            os._exit(status)
    os.read(ready[0], 1)
    pane.send_text("ours")
    assert _collect(stream, 4) == b"ours"
    stream.close()
    wait_until(lambda: _piped(judge, pane) == "0", what="the pipe ends although the child lives")
    os.write(done[1], b"x")
    assert os.waitpid(child, 0)[1] == 0
    for descriptor in (*ready, *done):
        os.close(descriptor)


@pytest.mark.parametrize("lose", ["kill-server", "SIGKILL"])
def test_a_lost_server_is_said(
    host: Server | Connection, home: Session, server: OwnedServer, judge: Judge, lose: str
) -> None:
    pane = _pane(host, home)
    actions: dict[str, Callable[[], object]] = {
        "kill-server": lambda: judge.run("kill-server"),
        "SIGKILL": lambda: os.kill(server.pid, signal.SIGKILL),
    }
    with pane.observe_output() as stream:
        actions[lose]()
        with pytest.raises(ObservationLost) as caught:
            for _ in stream:
                pass
        assert caught.value.reason in ("server_lost", "connection_lost")
