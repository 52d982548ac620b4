"""Plans on a real server: what was recorded is what is there, in as few round trips as there are waves."""

from __future__ import annotations

from typing import Any

import pytest

from muxwright import AlreadyExists, Connection, CrossServerReference, Plan, Program, Server, Session, StaleReference
from tests.support.judge import Judge
from tests.support.recorder import Recorder
from tests.support.servers import every_transport
from tests.support.swappable import SwappableServer

pytestmark = pytest.mark.live

QUIET = Program(["sleep", "1000"])
Host = Server | Connection


@every_transport
def test_a_grid_of_ten_windows_with_four_panes_each(host: Host, home: Session, judge: Judge) -> None:
    plan = Plan()
    made = plan.new_session("grid", size=(200, 60), window_name="w0", program=QUIET)
    for number in range(10):
        window = plan.new_window(made.session, f"w{number}", program=QUIET) if number else made
        for _ in range(3):
            plan.split(window.pane, "right", size=20, program=QUIET)
        plan.select_layout(window.window, "tiled")
    assert plan.waves == 3
    waves: list[int] = []
    transport: Any = getattr(host, "_target", host)._transport
    original = transport.execute_wave

    def execute_wave(wave: Any, deadline: Any) -> Any:
        waves.append(len(wave.requests))
        return original(wave, deadline)

    transport.execute_wave = execute_wave
    items = host.run_plan(plan, timeout=60)
    if transport.place.generation is not None:
        assert waves == [1, 13, 36]
    assert [item.status for item in items] == ["completed"] * 50
    rows = judge.lines(
        "list-windows", "-t", "=grid", "-F", "#{window_index} #{window_name} #{window_panes} #{window_id}"
    )
    names = [item.value.window.id for item in items if item.name in ("new-session", "new-window")]  # type: ignore[attr-defined]  # the refs of a creating step
    assert rows == [f"{number} w{number} 4 {names[number]}" for number in range(10)]
    # The layout came after the last split: four panes in a square.
    for window_id in names:
        shape = judge.lines("list-panes", "-t", window_id, "-F", "#{pane_left} #{pane_top}")
        assert shape == ["0 0", "101 0", "0 31", "101 31"] or len({row.split()[0] for row in shape}) == 2
    panes = {item.value.pane.id for item in items if hasattr(item.value, "pane")}
    assert panes == set(judge("list-panes", "-s", "-t", "=grid", "-F", "#{pane_id}").split())


def test_what_is_typed_keeps_its_order(host: Host, recorder: Recorder) -> None:
    plan = Plan()
    for number in range(20):
        plan.send_text(recorder.pane.ref, f"{number} ")
    plan.send_keys(recorder.pane.ref, "Enter", "a")
    plan.set_title(recorder.pane.ref, "typed")
    assert plan.waves == 1
    assert {item.status for item in host.run_plan(plan, timeout=20)} == {"completed"}
    recorder.expect("".join(f"{number} " for number in range(20)).encode() + b"\ra")
    assert recorder.pane.refresh().title == "typed"


def test_every_step_does_what_it_says(host: Host, home: Session, judge: Judge) -> None:
    plan = Plan()
    made = plan.new_session("one", program=QUIET)
    second = plan.new_window(made.session, "second", index=4, program=QUIET)
    right = plan.split(second.pane, "right", program=QUIET)
    plan.rename_session(made.session, "renamed")
    plan.rename_window(made.window, "first")
    plan.select_window(second.window, made.session)
    plan.select_pane(right.pane)
    plan.resize(right.pane, width=30)
    plan.select_layout(made.window, "tiled")
    gone = plan.new_window(made.session, "gone", program=QUIET)
    plan.kill(gone.window)
    items = host.run_plan(plan, timeout=20)
    assert [item.status for item in items] == ["completed"] * 11
    rows = judge.lines("list-windows", "-t", "=renamed", "-F", "#{window_index} #{window_name} #{window_active}")
    assert rows == ["0 first 0", "4 second 1"]
    pane_id = items[2].value.pane.id  # type: ignore[attr-defined]  # the refs of a creating step
    assert judge.show(pane_id, "pane_active", "pane_width") == "1 30"


@every_transport
@pytest.mark.parametrize("stop", [True, False])
def test_a_failed_step(stop: bool, host: Host, home: Session, judge: Judge) -> None:
    plan = Plan()
    taken = plan.new_session("home")
    fine = plan.new_session("fine", program=QUIET)
    plan.new_window(taken.session)
    plan.new_window(fine.session, "more", program=QUIET)
    items = host.run_plan(plan, stop_on_failure=stop)
    assert [item.status for item in items] == ["failed", "completed", "skipped", "skipped" if stop else "completed"]
    assert isinstance(items[0].error, AlreadyExists)
    assert len(judge.lines("list-windows", "-t", "=fine")) == (1 if stop else 2)
    assert len(judge.lines("list-windows", "-t", "=home")) == 1


def test_refs_of_elsewhere_and_of_before(host: Host, home: Session, swappable: SwappableServer) -> None:
    other = Server(socket_path=swappable.socket_path, tmux=swappable.tmux)
    stale = other.get_pane("%0").ref
    plan = Plan()
    plan.send_text(stale, "x")
    (item,) = host.run_plan(plan)
    assert (item.status, type(item.error)) == ("failed", CrossServerReference)
    swappable.swap()
    (item,) = other.run_plan(plan)
    assert (item.status, type(item.error)) == ("failed", StaleReference)
    swappable.nothing_typed()
