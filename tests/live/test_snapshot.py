"""Snapshots: one consistent graph, whatever others do to the server meanwhile."""

from __future__ import annotations

import contextlib
import random
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from muxwright import Connection, MuxwrightError, OwnedServer, Server, Session, Snapshot, read_layout
from tests.support.judge import Judge
from tests.support.servers import every_transport
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

QUIET = ["sleep", "1000"]


class Churn:
    """Changes the topology as fast as one connection can, in a thread: windows come, go, move, swap, are linked."""

    def __init__(self, server: OwnedServer, seed: int) -> None:
        self._random = random.Random(seed)
        self._connection = server.connect()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.done: Counter[str] = Counter()

    def _run(self) -> None:
        with self._connection as connection:
            while not self._stop.is_set():
                with contextlib.suppress(MuxwrightError):  # the victim of an earlier step
                    self._step(connection)

    def _step(self, connection: Connection) -> None:
        windows = [row["window_id"] for row in connection.list_windows("window_id")]
        one, other = self._random.choice(windows), self._random.choice(windows)
        session = self._random.choice(["left", "right"])
        steps: dict[str, tuple[str, ...]] = {
            "link-window": ("-d", "-s", one, "-t", f"={session}:"),
            "unlink-window": ("-t", f"={session}:{one}"),
            "move-window": ("-d", "-r", "-t", f"={session}:"),
            "swap-window": ("-d", "-s", one, "-t", other),
            "rename-window": ("-t", one, "--", self._random.choice(["a b", "%end 1 2 1", "é\N{BLACK STAR}", "-n"])),
            "split-window": ("-d", "-t", one, *QUIET),
            "kill-window": ("-t", one),
            "new-window": ("-d", "-t", f"={session}:", *QUIET),
            "new-session": ("-d", "-s", "brief", *QUIET),
            "kill-session": ("-t", "=brief"),
            "join-pane": ("-d", "-s", one, "-t", other),
            "rotate-window": ("-t", one),
        }
        # Some eight windows, so that a listing takes long enough to be torn.
        if len(windows) > 16:
            name = "kill-window"
        elif len(windows) < 8:
            name = "new-window"
        else:
            name = self._random.choice(list(steps))
        if name == "new-session":
            connection.new_session("brief", command=QUIET)
        else:
            connection.command(name, *steps[name])
        self.done[name] += 1

    def __enter__(self) -> Churn:
        self._thread.start()
        return self

    def __exit__(self, *what: object) -> None:
        self._stop.set()
        self._thread.join(20)
        assert not self._thread.is_alive()


def check_consistency(snapshot: Snapshot) -> None:
    """Every edge leads somewhere, every session and window has what tmux never lets it be without."""
    for session in snapshot.sessions:
        assert session.active_window is not None
        indexes = [link.index for link in session.links]
        assert indexes == sorted(set(indexes))
        assert sum(link.active for link in session.links) == 1
    for window in snapshot.windows:
        assert window.links
        assert [pane.index for pane in window.panes] == list(range(len(window.panes)))
        assert sum(pane.active for pane in window.panes) == 1
        # The layout was read with the window, the panes with another listing: torn, they would differ.
        layout = read_layout(window.layout)
        assert sorted(layout.panes) == sorted(int(pane.id[1:]) for pane in window.panes)
        assert (layout.width, layout.height) == (window.width, window.height)
    occurrences = Counter(occurrence.pane.id for occurrence in snapshot.pane_occurrences)
    assert occurrences == {pane.id: len(pane.window.links) for pane in snapshot.panes}


@pytest.mark.parametrize("host", ["process", "connection", "async connection"], indirect=True)
@pytest.mark.parametrize("count", [50, pytest.param(1000, marks=[pytest.mark.soak, pytest.mark.timeout(600)])])
def test_no_snapshot_is_torn(count: int, host: Server | Connection, server: OwnedServer, seed: int) -> None:
    for name in ("left", "right"):
        host.new_session(name, command=QUIET)
    seen: set[tuple[str, ...]] = set()
    with Churn(server, seed) as churn:
        for _ in range(count):
            snapshot = host.snapshot()
            check_consistency(snapshot)
            seen.add(tuple(f"{link.label}{link.window_id}" for link in snapshot.links))
    print(f"MUXWRIGHT_SEED={seed}: {len(seen)} topologies in {count} snapshots, {churn.done.total()} changes")
    # It was really changing: many snapshots saw something of their own.
    assert len(seen) > count // 5


@every_transport
def test_linked_windows_are_one_window_with_several_links(
    host: Server | Connection, home: Session, judge: Judge
) -> None:
    shared = host.session(home.ref).new_window("shared", command=QUIET)
    second = shared.active_pane().split(command=QUIET)
    other = host.new_session("other", command=QUIET)
    judge("link-window", "-d", "-s", shared.id, "-t", "=other:5")
    judge("kill-window", "-t", "=other:0")
    judge("kill-window", "-t", "=home:0")
    judge("link-window", "-d", "-s", shared.id, "-t", "=home:9")
    lone = host.session(home.ref).new_window("lone", index=3, command=QUIET)
    snapshot = host.snapshot()
    assert [window.id for window in snapshot.windows] == [shared.id, lone.id]
    assert {(link.session.name, link.index, link.window_id) for link in snapshot.links} == {
        ("home", 1, shared.id),
        ("home", 3, lone.id),
        ("home", 9, shared.id),
        ("other", 5, shared.id),
    }
    # Two panes in three links, and one more.
    assert Counter(each.pane.id for each in snapshot.pane_occurrences) == {
        shared.active_pane().id: 3,
        second.id: 3,
        lone.active_pane().id: 1,
    }
    assert len(set(snapshot.pane_occurrences)) == 7
    assert [window.id for window in snapshot.session("home").windows] == [shared.id, lone.id]
    assert [window.id for window in snapshot.session("other").windows] == [shared.id]
    assert snapshot.session(other.id).links[0].ref.index == 5
    check_consistency(snapshot)


def test_an_empty_server_has_an_empty_snapshot(server: OwnedServer) -> None:
    snapshot = server.snapshot()
    assert (snapshot.identity.generation.pid, snapshot.identity.socket_path) == (server.pid, server.socket_path)
    for selection in (snapshot.sessions, snapshot.windows, snapshot.links, snapshot.panes, snapshot.clients):
        assert list(selection) == []
    server.new_session("x", command=QUIET).kill()
    assert list(server.snapshot().sessions) == []


def test_a_server_emptied_under_a_connection(connection: Connection, home: Session, judge: Judge) -> None:
    """Its only session ends: the connection ends with it, or goes on and tells that there is nothing."""
    judge("kill-session", "-t", "=home")
    with contextlib.suppress(MuxwrightError):
        assert list(connection.snapshot().sessions) == []
    assert judge.alive()


HOSTILE = [
    "blank s  and tabs",
    "␞ | , ; : & < >",
    "%begin 1 2 1",
    "%end 1 2 1",
    "#{pid} #(id) #S ##",
    'it\'s "quoted" `x` $(id)',
    "-t",
    "日本語 é 😀 \u202ertl",
    "*?[a-z]{b,c}!~",
]


@pytest.fixture
def paths(tmp_path: Path) -> Iterator[list[Path]]:
    """Directories with names that no separator survives, broken UTF-8 included."""
    names = [*HOSTILE, "new\nline", "tab\tand\x1besc", "back\\slash\\n\\033", "\udcff\udcfe", "trailing ", " "]
    made = [tmp_path / name for name in names]
    for path in made:
        path.mkdir()
    yield made
    for path in made:  # pytest cannot print some of these when it cleans up
        path.rmdir()


def test_hostile_names_titles_and_paths(
    host: Server | Connection, home: Session, judge: Judge, paths: list[Path]
) -> None:
    session = host.session(home.ref)
    for name in HOSTILE:
        window = session.new_window(name, command=["sh", "-c", "exec sleep 1000", name])
        window.active_pane().set_title(name)
    by_id = {session.new_window(directory=str(path), command=QUIET).active_pane().id: str(path) for path in paths}
    wait_until(
        lambda: all(host.snapshot().pane(key).as_dict().get("current_path") == path for key, path in by_id.items()),
        what="every program is in its directory",
    )
    snapshot = host.snapshot()
    named = [window for window in snapshot.session("home").windows if window.name in HOSTILE]
    assert [window.name for window in named] == HOSTILE
    assert [window.panes[0].title for window in named] == HOSTILE
    check_consistency(snapshot)
    assert len(snapshot.panes) == len(judge.lines("list-panes", "-a", "-F", "#{pane_id}"))
    rows = host.list_panes("pane_id", "pane_current_path", "pane_title")
    assert {row["pane_id"]: row["pane_current_path"] for row in rows if row["pane_id"] in by_id} == by_id
