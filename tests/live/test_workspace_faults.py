"""Loads that are interrupted, and tmux failing at every single request: the server ends as it was before."""

from __future__ import annotations

import os
import random
import signal
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from muxwright import CommandError, OwnedServer, Server, ServerLost, Session
from muxwright.errors import MuxwrightError
from muxwright.transports.blocking import ControlTransport, ProcessTransport
from muxwright.workspace import Event, WorkspaceApplyError, apply
from tests.support.workspaces import load, planned

pytestmark = pytest.mark.live

TEXT = """\
session_name: faults
options: {status: off}
environment: {A: b}
windows:
- {window_name: a, layout: tiled, panes: [echo 1, blank, {title: t, options: {'@x': y}}]}
- {window_name: b, window_index: 5, options: {mode-keys: vi}, panes: [blank, {shell: sleep 1000}]}
- {window_name: c, panes: [blank]}
"""


def state(server: Server) -> Any:
    """What a load must leave as it was."""
    snapshot = server.snapshot()
    panes = [(pane.id, pane.width, pane.height, pane.active, pane.pid) for pane in snapshot.panes]
    links = [(link.session_id, link.index, link.window.name, link.active) for link in snapshot.session("home").links]
    hooks = server.command("show-hooks", "-g")
    return [session.name for session in snapshot.sessions], links, panes, hooks, server.list_options("global_session")


class Stop(Exception):
    """What a callback raises."""


def stopping_at(number: int, error: BaseException) -> Callable[[Event], None]:
    """Return a callback that raises at the event of that number."""
    count = iter(range(1, 10_000))

    def on_event(event: Event) -> None:
        if event.kind != "finished" and next(count) == number:
            raise error

    return on_event


def events_of_a_load(server: Server, tmp_path: Path) -> int:
    """Return how many events a whole load has; its session is removed again."""
    seen: list[Event] = []
    load(server, TEXT, tmp_path, on_event=seen.append)
    server.get_session("faults").kill()
    return len(seen) - 1


@pytest.mark.parametrize("error", [Stop("no"), KeyboardInterrupt()], ids=["error", "interrupt"])
def test_a_load_that_ends_at_any_event(
    error: BaseException, server: OwnedServer, home: Session, tmp_path: Path, seed: int
) -> None:
    before = state(server)
    count = events_of_a_load(server, tmp_path)
    for number in sorted(random.Random(seed).sample(range(1, count + 1), 4)):
        for host in (None, home.ref):
            with pytest.raises((WorkspaceApplyError, KeyboardInterrupt)):
                load(server, TEXT, tmp_path, on_event=stopping_at(number, error), append_to=host)
            assert state(server) == before, f"stopped at event {number}"


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_a_load_that_ends_at_every_event(server: OwnedServer, home: Session, tmp_path: Path) -> None:
    before = state(server)
    for number in range(1, events_of_a_load(server, tmp_path) + 1):
        for host in (None, home.ref):
            with pytest.raises(KeyboardInterrupt):
                load(server, TEXT, tmp_path, on_event=stopping_at(number, KeyboardInterrupt()), append_to=host)
            assert state(server) == before, f"stopped at event {number}"


def interrupted(server: Server, tmp_path: Path, delay: float) -> None:
    """Load, and send this process a Ctrl-C after some seconds; one that comes too late is not heard."""
    main = threading.main_thread().ident
    assert main is not None
    loading = True

    def on_signal(number: int, frame: object) -> None:
        if loading:
            raise KeyboardInterrupt

    previous = signal.signal(signal.SIGINT, on_signal)
    timer = threading.Timer(delay, signal.pthread_kill, (main, signal.SIGINT))
    try:
        timer.start()
        load(server, TEXT, tmp_path)
        loading = False
    except KeyboardInterrupt:
        loading = False
    finally:
        timer.join()
        signal.signal(signal.SIGINT, previous)
    if (session := server.find_session("faults")) is not None:
        assert server.get_option(session.ref, "@muxwright-state", inherit=False) == "complete", "half a session is left"
        session.kill()


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_ctrl_c_at_random_moments(server: OwnedServer, home: Session, tmp_path: Path, seed: int) -> None:
    before = state(server)
    chance = random.Random(seed)
    for round_number in range(50):
        delay = chance.uniform(0.001, 0.5)
        interrupted(server, tmp_path, delay)
        assert state(server) == before, f"round {round_number}, after {delay:.4f} s"


class Faults:
    """Counts requests of both transports and fails the one of a number: before it is done, or after."""

    def __init__(self, number: int, after: bool) -> None:
        self.number = number
        self.after = after
        self.count = 0

    def hit(self) -> bool:
        self.count += 1
        return self.count == self.number

    @contextmanager
    def installed(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        with monkeypatch.context() as patch:
            for transport in (ControlTransport, ProcessTransport):
                patch.setattr(transport, "execute", self._execute(transport.execute))
            patch.setattr(ControlTransport, "execute_wave", self._execute_wave(ControlTransport.execute_wave))
            yield

    def _execute(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def execute(transport: Any, request: Any, deadline: Any) -> Any:
            failing = self.hit()
            if failing and not self.after:
                raise CommandError(f"request {self.number} was refused", effects="none", command=request.name)
            answer = original(transport, request, deadline)
            if failing:
                raise ServerLost(f"the answer to request {self.number} was lost", command=request.name)
            return answer

        return execute

    def _execute_wave(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def execute_wave(transport: Any, wave: Any, deadline: Any) -> Any:
            failing = [number for number, _ in enumerate(wave.requests) if self.hit()]
            if failing and not self.after:
                refused = CommandError(f"request {self.number} was refused", effects="none")
                done = original(transport, wave._replace(requests=wave.requests[: failing[0]]), deadline)
                return [*done, *[refused] * (len(wave.requests) - len(done))]
            outcomes = original(transport, wave, deadline)
            for number in failing:
                outcomes[number] = ServerLost(f"the answer to request {self.number} was lost")
            return outcomes

        return execute_wave


def failing_everywhere(
    server: Server, home: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int, start: int
) -> None:
    """Fail every `step`-th request, before and after, with and without a host."""
    before = state(server)
    plan = planned(TEXT, tmp_path)
    statuses: set[str] = set()
    for after in (False, True):
        for host in (None, home.ref):
            number = start
            while True:
                faults = Faults(number, after)
                try:
                    with faults.installed(monkeypatch):
                        apply(server, plan, append_to=host)
                except WorkspaceApplyError as error:
                    statuses.add(error.result.status)
                except MuxwrightError:
                    pass  # nothing had been made
                assert faults.count >= number or number > 10, "too few requests to be a load"
                if faults.count < number:
                    break
                if server.find_session("faults") is not None:  # it does not depend on every answer
                    server.get_session("faults").kill()
                if host is not None:
                    for window in home.windows()[1:]:
                        window.kill()
                assert state(server) == before, f"request {number} failed, {after=}, {host=}"
                number += step
            if host is None:
                server.get_session("faults").kill()
            else:
                for window in home.windows()[1:]:
                    window.kill()
    assert statuses == {"failed"}


def test_some_requests_fail(
    server: OwnedServer, home: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    failing_everywhere(server, home, tmp_path, monkeypatch, step=29, start=1 + seed % 29)


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_every_request_fails_once(
    server: OwnedServer, home: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing_everywhere(server, home, tmp_path, monkeypatch, step=1, start=1)


def test_every_process_of_tmux_fails_once(
    server: OwnedServer, home: Session, tmp_path: Path, tmux_executable: str
) -> None:
    """The n-th process that a load starts exits at once; the others, those that clean up too, are the real one."""
    before = state(server)
    wrapper = tmp_path / "tmux"
    for number in range(1, 20):
        counter = tmp_path / "count"
        counter.write_text("0")
        wrapper.write_text(
            f"#!/bin/sh\nn=$(($(cat {counter}) + 1))\necho $n >{counter}\n"
            f'[ $n -eq {number} ] && {{ echo broken >&2; exit 1; }}\nexec {tmux_executable} "$@"\n'
        )
        wrapper.chmod(stat.S_IRWXU)
        broken = Server(socket_path=server.socket_path, tmux=str(wrapper))
        try:
            load(broken, TEXT, tmp_path)
        except MuxwrightError:
            assert state(server) == before, f"process {number}"
        else:
            server.get_session("faults").kill()
        if int(counter.read_text()) < number:
            break
    else:
        pytest.fail("the wrapper was never passed by")
    assert number > 4
    assert os.path.exists(server.socket_path)
