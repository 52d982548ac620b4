"""Snapshots of one session or window: as consistent as those of everything, and of exactly that object."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from muxwright import (
    Connection,
    NotFound,
    OwnedServer,
    PaneNotFound,
    PaneWhere,
    Server,
    Session,
    SessionInfo,
    SessionNotFound,
    SnapshotCoverageError,
    StaleReference,
    WindowInfo,
    WindowNotFound,
    read_layout,
)
from tests.live.test_snapshot import QUIET, Churn
from tests.support.between import counted_requests
from tests.support.judge import Judge
from tests.support.servers import every_transport
from tests.support.swappable import SwappableServer

pytestmark = pytest.mark.live


def described(info: SessionInfo | WindowInfo) -> list[object]:
    """Everything that a snapshot of this object tells, but for what tmux asks the system for at that moment."""
    links = list(info.links)
    windows = list(info.windows) if isinstance(info, SessionInfo) else [info]
    found: list[object] = [link.as_dict() for link in links]
    found += [link.session.as_dict() for link in links]
    for window in windows:
        found.append(window.as_dict())
        panes = [pane.as_dict() for pane in window.panes]
        found += [{name: row[name] for name in row if not name.startswith("current_")} for row in panes]
    return found


@every_transport
def test_the_part_is_the_same_as_in_the_whole(host: Server | Connection, home: Session, judge: Judge) -> None:
    shared = host.session(home.ref).new_window("sh ar;ed", command=QUIET)
    shared.active_pane().split(command=QUIET)
    other = host.new_session("other", command=QUIET)
    for target in ("=other:5", "=home:9"):
        judge("link-window", "-d", "-s", shared.id, "-t", target)
    host.new_session("unrelated", command=QUIET)
    with counted_requests(host) as requests:
        of_session, of_window = host.session(home.ref).snapshot(), shared.snapshot()
    assert len(requests) == 2
    whole = host.snapshot()
    assert described(of_session.session(home.id)) == described(whole.session(home.id))
    assert described(of_window.window(shared.id)) == described(whole.window(shared.id))
    assert [link.session.name for link in of_window.window(shared.id).links] == ["home", "home", "other"]
    assert (of_session.identity, of_session.version) == (whole.identity, whole.version)
    assert of_session.acquired[0] < of_session.acquired[1] <= of_window.acquired[1]
    # Other links of the shared window exist, and a session's snapshot must not look as if they did not.
    with pytest.raises(SnapshotCoverageError):
        of_session.window(shared.id).links  # noqa: B018 - reading it is what is tested
    with pytest.raises(SnapshotCoverageError):
        of_session.session(other.id)


@every_transport
def test_refresh_reads_the_part(host: Server | Connection, home: Session) -> None:
    session = host.session(home.ref)
    window = session.new_window("build", command=QUIET)
    second = window.active_pane().split("right", command=QUIET)
    host.new_session("other", command=QUIET)
    assert session.refresh().snapshot.scope == session.ref
    assert window.refresh().snapshot.scope == window.ref
    info = second.refresh()
    assert (info.id, info.snapshot.scope) == (second.id, window.ref)
    assert [pane.id for pane in info.window.panes.filter(PaneWhere(active=True))] == [window.active_pane().id]
    assert [link.session.name for link in info.window.links] == ["home"]


@every_transport
def test_what_is_gone_is_not_found(host: Server | Connection, home: Session, judge: Judge) -> None:
    window = host.session(home.ref).new_window(command=QUIET)
    pane = window.active_pane()
    other = host.new_session("other", command=QUIET)
    judge("kill-window", "-t", window.id)
    judge("kill-session", "-t", "=other")
    reads: list[tuple[Callable[[], object], type[NotFound], str]] = [
        (window.snapshot, WindowNotFound, window.id),
        (window.refresh, WindowNotFound, window.id),
        (other.snapshot, SessionNotFound, other.id),
        (other.refresh, SessionNotFound, other.id),
        (pane.refresh, PaneNotFound, pane.id),
    ]
    for read, error, target in reads:
        with pytest.raises(error) as gone:
            read()
        assert (gone.value.effects, gone.value.target) == ("none", target)


def test_another_life_of_the_server_is_stale(swappable: SwappableServer) -> None:
    server = Server(socket_path=swappable.socket_path, tmux=swappable.tmux)
    session, window, pane = server.get_session("main"), server.get_window("@0"), server.get_pane("%0")
    swappable.swap()
    reads: list[Callable[[], object]] = [
        session.snapshot, session.refresh, window.snapshot, window.refresh, pane.refresh,
    ]  # fmt: skip
    for read in reads:
        with pytest.raises(StaleReference):
            read()


@pytest.mark.parametrize("host", ["process", "connection"], indirect=True)
def test_no_part_is_torn(host: Server | Connection, server: OwnedServer, seed: int) -> None:
    for name in ("left", "right"):
        host.new_session(name, command=QUIET)
    session = host.get_session("left")
    seen: set[tuple[str, ...]] = set()
    with Churn(server, seed):
        while len(seen) < 20:  # it was really changing
            info = session.refresh()
            for window in info.windows:
                layout = read_layout(window.layout)
                assert sorted(layout.panes) == sorted(int(pane.id[1:]) for pane in window.panes)
            assert sum(link.active for link in info.links) == 1
            seen.add(tuple(f"{link.label}{link.window_id}" for link in info.links))
