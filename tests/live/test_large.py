"""Large things: correct, and within their bounds."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import pytest

from muxwright import Connection, OutputLimitExceeded, OwnedServer, Server, Session
from tests.support.judge import Judge
from tests.support.recorder import Recorder
from tests.support.screens import screen_with
from tests.support.servers import every_transport

pytestmark = pytest.mark.live

QUIET = ["sleep", "1000"]


@every_transport
def test_fifty_thousand_lines_are_captured(host: Server | Connection, judge: Judge, tmp_path: Path) -> None:
    lines = [f"{number:05d} é " + "x" * (number % 60) + "|" for number in range(50_000)]
    (tmp_path / "lines").write_text("\n".join(lines))
    judge("set-option", "-g", "history-limit", "60000")
    pane = host.new_session("long", shell_command=f"cat '{tmp_path}/lines'; exec sleep 1000").active_pane()
    screen_with(pane, lines[-1], 20)
    assert pane.capture(start="history", timeout=20).lines == lines
    assert pane.capture(start=-100, end=-50).lines == lines[-148:-97]
    with pytest.raises(OutputLimitExceeded) as caught:
        pane.capture(start="history", max_bytes=1024 * 1024, timeout=20)
    assert caught.value.limit == 1024 * 1024
    assert pane.capture().lines == lines[-48:]


@every_transport
def test_a_paste_and_a_text_of_300_kb_arrive(recorder: Recorder) -> None:
    data = "".join(f"{number:06d};é #{{pid}}\t\n" for number in range(300_000 // 18))
    assert len(data.encode()) > 280_000
    recorder.pane.paste(data, timeout=20)
    recorder.pane.send_text(data, timeout=20)
    raw = bytes(range(1, 256)) * 1200
    recorder.pane.paste(raw, timeout=20)
    recorder.expect(data.encode() * 2 + raw, 20)


@pytest.mark.soak
@pytest.mark.timeout(240)
def test_a_thousand_panes(server: OwnedServer, home: Session, judge: Judge) -> None:
    with server.connect(home) as connection:
        for number in range(50):
            session = connection.new_session(f"s{number}", size=(200, 200), command=QUIET)
            pane = session.active_pane()
            for _ in range(19):
                pane.split(size=8, command=QUIET)
        for host in (server, connection):
            snapshot = host.snapshot(timeout=20)
            assert len(snapshot.panes) == 1001
            assert {len(session.windows[0].panes) for session in snapshot.sessions if session.name != "home"} == {20}
            ids = set(judge.lines("list-panes", "-a", "-F", "#{pane_id}"))
            assert {pane.id for pane in snapshot.panes} == ids
    if sys.platform == "linux":
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 300 * 1024  # the test run, not the library alone
