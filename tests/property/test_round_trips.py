"""Every string arrives unchanged or is refused before anything is sent; `docs/reference/text.md` is the table.

Which are refused is read from `muxwright.commands.names`, not repeated here. Each channel takes `BATCH` strings an
example, so that one look at the server (by an independent tmux process) judges all of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as hypothesis_seed
from hypothesis import strategies as st

from muxwright import (
    Connection,
    InvalidArgument,
    LocalProtocolError,
    MuxwrightError,
    OwnedServer,
    Pane,
    Server,
)
from muxwright.commands.names import (
    check_directory,
    check_environment,
    check_name,
    check_session_name,
    check_title,
    text_bytes,
)
from tests.support.between import counted_requests
from tests.support.hostile import hostile_bytes, hostile_text
from tests.support.judge import Judge
from tests.support.recorder import Recorder
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

BATCH = 25
EXAMPLES, MANY = 5, 40
QUIET = ["sleep", "1000"]
DUMP = 'env -0 > "$1.part"; mv "$1.part" "$1"'

Batch = list[Any]


class World:
    """A server that stays for the whole module, with a session, a window and a pane for each string of a batch."""

    def __init__(self, server: OwnedServer, host: Server | Connection, directory: Path) -> None:
        self.judge = Judge(server.socket_path, server.attach_command[0])
        self.directory = directory
        self.sessions = [server.new_session(f"s{number}", command=QUIET) for number in range(BATCH)]
        self.host = host
        self.main = host.session(self.sessions[0].ref)
        self.windows = [host.window(session.active_window().ref) for session in self.sessions]
        self.panes = [host.pane(session.active_pane().ref) for session in self.sessions]
        self.sessions = [host.session(session.ref) for session in self.sessions]
        self.recorder = Recorder(directory / "received")
        window = self.main.new_window("recorder", command=self.recorder.argv)
        self.recorder.pane = window.active_pane()
        self.recorder.ready()
        self.count = 0

    def fresh(self) -> Path:
        """A new path below our directory."""
        self.count += 1
        return self.directory / f"d{self.count}"

    def received(self, expected: bytes) -> None:
        """Compare what the recorder got since the last time, and forget it."""
        self.recorder.expect(self.seen + expected)
        self.seen += expected

    seen = b""


@pytest.fixture(scope="module", params=["process", "connection"])
def world(
    request: pytest.FixtureRequest, tmux_executable: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    directory = tmp_path_factory.mktemp("trips")
    with OwnedServer(tmux=tmux_executable) as server:
        server.new_session("anchor", command=QUIET)
        if request.param == "process":
            yield World(server, Server(socket_path=server.socket_path, tmux=tmux_executable), directory)
        else:
            with server.connect() as connection:
                yield World(server, connection, directory)


def sort(
    world: World,
    batch: Batch,
    check: Callable[[Any], object],
    send: Callable[[int, Any], object],
    errors: tuple[type[MuxwrightError], ...] = (InvalidArgument,),
) -> dict[int, Any]:
    """Return the strings that the rule lets through, by their place; the others are refused before anything is sent."""
    good = {}
    for index, text in enumerate(batch):
        try:
            check(text)
        except errors:
            with counted_requests(world.host) as requests, pytest.raises(errors) as caught:
                send(index, text)
            assert caught.value.effects == "none"
            # What cannot be written at all is found out when it is about to be.
            assert not requests or isinstance(caught.value, LocalProtocolError)
        else:
            good[index] = text
    return good


def sent(
    world: World, batch: Batch, check: Callable[[Any], object], send: Callable[[int, Any], object]
) -> dict[int, Any]:
    """Send what the rule lets through, see the rest refused; return the strings sent, by their place in the batch."""
    good = sort(world, batch, check, send)
    for index, text in good.items():
        send(index, text)
    return good


# --- one function for each channel: send a batch, compare what is there -------------------------------------------


def session_names(world: World, batch: Batch) -> None:
    for index, session in enumerate(world.sessions):
        world.judge("rename-session", "-t", session.id, f"s{index}")
    # A name twice, or one that is taken, is another refusal (`AlreadyExists`).
    batch = [f"s{index}" if text in batch[:index] else text for index, text in enumerate(batch)]
    good = sent(world, batch, check_session_name, lambda index, text: world.sessions[index].rename(text))
    rows = world.judge("list-sessions", "-F", "#{session_id} #{session_name}").split("\n")
    names = dict(row.split(" ", 1) for row in rows)
    assert {index: names[world.sessions[index].id] for index in good} == good


def window_names(world: World, batch: Batch) -> None:
    good = sent(world, batch, check_name, lambda index, text: world.windows[index].rename(text))
    rows = world.judge("list-windows", "-a", "-F", "#{window_id} #{window_name}").split("\n")
    names = dict(row.split(" ", 1) for row in rows)
    assert {index: names[world.windows[index].id] for index in good} == good


def pane_titles(world: World, batch: Batch) -> None:
    good = sent(world, batch, check_title, lambda index, text: world.panes[index].set_title(text))
    rows = world.judge("list-panes", "-a", "-F", "#{pane_id} #{pane_title}").split("\n")
    titles = dict(row.split(" ", 1) for row in rows)
    assert {index: titles[world.panes[index].id] for index in good} == good


def typed_text(world: World, batch: Batch) -> None:
    pane = world.recorder.pane
    good = sent(world, batch, lambda text: text_bytes(text, "text"), lambda _, text: pane.send_text(text))
    world.received("".join(good.values()).encode())


def check_paste(data: str | bytes) -> None:
    if isinstance(data, str):
        text_bytes(data, "text")
    elif b"\0" in data:
        raise InvalidArgument("NUL")


def pastes(world: World, batch: Batch) -> None:
    pane: Pane = world.recorder.pane
    good = sent(world, batch, check_paste, lambda _, data: pane.paste(data))
    world.received(b"".join(data if isinstance(data, bytes) else data.encode() for data in good.values()))
    assert "muxwright" not in world.judge("list-buffers")


def environment_values(world: World, batch: Batch) -> None:
    def run(environment: dict[str, str], *program: str) -> None:
        world.main.new_window(environment=environment, command=program)

    good = sort(
        world,
        batch,
        lambda value: check_environment("V", value),
        lambda index, value: run({f"V{index}": value}, "true"),
    )
    path = world.fresh()
    run({f"V{index}": value for index, value in good.items()}, "sh", "-c", DUMP, "sh", str(path))
    wait_until(path.exists, what="the program has written its environment")
    entries = dict(entry.split(b"=", 1) for entry in path.read_bytes().rstrip(b"\0").split(b"\0"))
    assert {index: os.fsdecode(entries[b"V%d" % index]) for index in good} == good


def start_directories(world: World, batch: Batch) -> None:
    base = world.fresh()
    base.mkdir()

    def start(index: int, name: str) -> None:
        world.main.new_window(directory=f"{base}/{index}{name}", command=["touch", "arrived"])

    batch = [name.replace("/", "") for name in batch]
    good = sort(world, batch, lambda name: check_directory(f"/{name}"), start)
    paths = [Path(f"{base}/{index}{name}") for index, name in good.items()]
    for path in paths:
        path.mkdir()
    for index, name in good.items():
        start(index, name)
    wait_until(lambda: all((path / "arrived").exists() for path in paths), what="each has started in its directory")


def buffers(world: World, batch: Batch) -> None:
    """Through the caller's own command: any bytes."""

    def check(data: bytes) -> None:
        if b"\0" in data:
            raise LocalProtocolError("NUL")

    def store(index: int, data: bytes) -> None:
        world.host.command("set-buffer", "-b", f"b{index}", "--", data)

    # tmux has no empty buffers.
    good = sort(world, [data or b"x" for data in batch], check, store, (LocalProtocolError,))
    for index, data in good.items():
        store(index, data)
    base = world.fresh()
    base.mkdir()
    words = [word for index in good for word in (";", "save-buffer", "-b", f"b{index}", f"{base}/{index}")]
    if words:
        world.judge(*words[1:])
    assert {index: (base / str(index)).read_bytes() for index in good} == good


TEXT = hostile_text()
CHANNELS: dict[str, tuple[Callable[[World, Batch], None], st.SearchStrategy[Any]]] = {
    "session names": (session_names, TEXT),
    "window names": (window_names, TEXT),
    "pane titles": (pane_titles, TEXT),
    "typed text": (typed_text, TEXT),
    "pastes": (pastes, st.one_of(TEXT, hostile_bytes())),
    "environment": (environment_values, TEXT),
    "start directories": (start_directories, TEXT),
    "buffers": (buffers, hostile_bytes()),
}
assert len(CHANNELS) * BATCH * EXAMPLES >= 1_000, "at least 2,000 strings on both transports together"


@pytest.mark.parametrize("examples", [EXAMPLES, pytest.param(MANY, marks=[pytest.mark.soak, pytest.mark.timeout(900)])])
@pytest.mark.parametrize("channel", CHANNELS)
def test_strings_arrive_unchanged_or_are_refused(channel: str, examples: int, world: World, seed: int) -> None:
    run, strategy = CHANNELS[channel]

    @hypothesis_seed(seed)
    @settings(
        max_examples=examples,
        phases=[Phase.generate],  # the assertion shows which string it was, and shrinking a batch takes minutes
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(strategy, min_size=BATCH, max_size=BATCH))
    def property_holds(batch: Batch) -> None:
        run(world, batch)

    property_holds()
