"""Plans, run against answers made up by hand: which steps go together, and what becomes of each."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from muxwright import (
    BadLayout,
    ConnectionLost,
    DeadlineExceeded,
    Generation,
    InvalidArgument,
    MuxwrightError,
    OutputLimitExceeded,
    PaneId,
    PaneRef,
    Plan,
    PlanItem,
    ServerIdentity,
    SessionId,
    SessionRef,
    TmuxNotFound,
    TmuxVersion,
    WindowId,
    WindowRef,
)
from muxwright.operations.plan import Slot, run_plan
from muxwright.operations.steps import Place, Wave
from muxwright.wire.request import Request, Section

GENERATION = Generation(7, 8)
SERVER = ServerIdentity("/s", GENERATION)
CONNECTION = Place("/s", float, str, GENERATION, TmuxVersion(3, 5))
PROCESS = Place("/s", float, str)
SESSION = SessionRef(SERVER, SessionId("$5"))
WINDOW = WindowRef(SERVER, WindowId("@5"))
PANE = PaneRef(SERVER, PaneId("%5"))

Answer = Callable[[Request], Any]


def answering() -> Answer:
    """Answer what makes something with ids that count up, and everything else with nothing."""
    count = itertools.count(10)

    def answer(request: Request) -> Any:
        if request.name in ("new-session", "new-window", "split-window"):
            number = next(count)
            return (Section("done", f"7 8 ${number} @{number} %{number} ".encode()),)
        return (Section("done"),)

    return answer


def run(
    plan: Plan, answer: Answer, place: Place = CONNECTION, *, stop_on_failure: bool = True
) -> tuple[list[PlanItem], list[list[str]]]:
    """Return the items, and the commands of each wave."""
    waves: list[list[str]] = []
    operation = run_plan(place, plan, stop_on_failure)
    try:
        step = next(operation)
        while True:
            assert isinstance(step, Wave)
            waves.append([b" ".join(request.commands[0].words).decode() for request in step.requests])
            step = operation.send([answer(request) for request in step.requests])
    except StopIteration as stop:
        return stop.value, waves


def grid(plan: Plan) -> None:
    """One session of ten windows with four panes each, recorded as one would write it down."""
    made = plan.new_session("s")
    for number in range(10):
        window = plan.new_window(made.session, f"w{number}") if number else made
        for _ in range(3):
            plan.split(window.pane)
        plan.select_layout(window.window, "tiled")


def test_a_grid_takes_three_waves() -> None:
    plan = Plan()
    grid(plan)
    assert (len(plan), plan.waves) == (50, 3)
    items, waves = run(plan, answering())
    assert {item.status for item in items} == {"completed"}
    assert [len(wave) for wave in waves] == [1, 13, 36]
    # Each window's splits are of its own pane, and its layout comes after them.
    last = [(wave.split()[0], wave.split()[wave.split().index("-t") + 1]) for wave in waves[2]]
    windows = [item.value.window.id for item in items if item.name == "new-window"]  # type: ignore[attr-defined]  # the refs of a creating step
    expected: list[tuple[str, str]] = []
    for window in windows:
        expected += [("split-window", window.replace("@", "%"))] * 3 + [("select-layout", window)]
    assert last == expected


def test_no_step_overtakes_an_earlier_one_on_the_same_object_or_around_it() -> None:
    plan = Plan()
    made = plan.new_session("s")
    right = plan.split(made.pane, "right")
    below = plan.split(right.pane)
    plan.send_text(below.pane, "deep")
    plan.select_layout(made.window, "tiled")
    plan.rename_window(right.window, "one")
    plan.rename_window(made.window, "two")
    plan.send_text(made.pane, "shallow")
    plan.kill(made.session)
    items, waves = run(plan, answering())
    assert {item.status for item in items} == {"completed"}
    order = [command for wave in waves for command in wave]
    assert [command.split()[0] for command in order] == [
        "new-session",
        "split-window",
        "split-window",
        "send-keys",
        "select-layout",
        "rename-window",
        "rename-window",
        "send-keys",
        "kill-session",
    ]
    assert (order[5][-3:], order[6][-3:]) == ("one", "two")


def test_real_refs_run_in_the_first_wave_in_their_order() -> None:
    plan = Plan()
    for text in ("a", "b", "c"):
        plan.send_text(PANE, text)
    plan.rename_window(WINDOW, "w")
    plan.new_window(SESSION)
    plan.kill(WINDOW)
    assert plan.waves == 1
    commands = [command.split()[0] for command in run(plan, answering())[1][0]]
    assert commands == ["send-keys"] * 3 + ["rename-window", "new-window", "kill-window"]


def test_processes_run_one_step_after_the_other() -> None:
    plan = Plan()
    plan.select_layout(WINDOW, "tiled")  # asks for the version first
    plan.send_text(PANE, "a")

    def answer(request: Request) -> Any:
        return (Section("done", b"3.5" if request.name == "display-message" else b""),)

    waves = run(plan, answer, PROCESS)[1]
    assert [wave[0].split()[0] for wave in waves] == ["display-message", "select-layout", "send-keys"]
    assert [len(wave) for wave in waves] == [1, 1, 1]


FAILURES: list[tuple[Any, str]] = [
    ((Section("failed", b"can't find session: x"),), "failed"),
    ((Section("refused", b"7 8 $9"),), "failed"),
    ((Section("refused", b"9 9 $5"),), "failed"),
    (ConnectionLost("gone"), "unknown"),
    (ConnectionLost("gone", effects="none"), "skipped"),
    (DeadlineExceeded(1, effects="possible"), "unknown"),
    (DeadlineExceeded(1, effects="none"), "skipped"),
    (OutputLimitExceeded(5), "unknown"),
    (TmuxNotFound("tmux"), "skipped"),
    ((Section("done", b"nonsense"),), "unknown"),
]


@pytest.mark.parametrize(("failure", "status"), FAILURES)
@pytest.mark.parametrize("stop_on_failure", [True, False])
def test_what_depends_on_a_failed_step_is_skipped(failure: Any, status: str, stop_on_failure: bool) -> None:
    plan = Plan()
    bad = plan.new_window(SESSION, "bad")
    good = plan.new_window(SESSION, "good")
    plan.split(bad.pane)
    deep = plan.split(good.pane)
    plan.send_text(deep.pane, "x")
    plan.rename_session(SESSION, "last")
    fine = answering()

    def answer(request: Request) -> Any:
        return failure if b"bad" in request.commands[0].words else fine(request)

    items, _ = run(plan, answer, stop_on_failure=stop_on_failure)
    later = "skipped" if stop_on_failure and status in ("failed", "unknown") else "completed"
    assert [item.status for item in items] == [status, "completed", "skipped", later, later, later]
    assert [item.name for item in items[:3]] == ["new-window", "new-window", "split-window"]
    assert isinstance(items[0].error, MuxwrightError)
    assert (items[0].error.sent, items[2].error, items[2].value) == (status == "unknown", None, None)


def test_arguments_are_checked_when_a_step_is_recorded() -> None:
    plan = Plan()
    made = plan.new_session("s")
    wrong: list[Callable[[], object]] = [
        lambda: plan.new_session("a.b"),
        lambda: plan.new_session(size=(0, 1)),
        lambda: plan.new_window(made.session, index=-1),
        lambda: plan.split(made.pane, "up"),  # type: ignore[arg-type]  # on purpose
        lambda: plan.split(made.pane, size="0%"),
        lambda: plan.send_keys(made.pane),
        lambda: plan.send_keys(made.pane, "Entr"),
        lambda: plan.send_text(made.pane, "a\0"),
        lambda: plan.resize(made.window),
        lambda: plan.select_layout(made.window, "nonsense"),
        lambda: plan.rename_session(made.session, ""),
        lambda: plan.set_title(made.pane, "\n"),
        # of the wrong kind, of no plan, of a step that makes nothing
        lambda: plan.split(made.window),
        lambda: plan.new_window(made.pane),
        lambda: plan.rename_window(PANE, "x"),  # type: ignore[arg-type]  # on purpose
        lambda: plan.send_text("%5", "x"),  # type: ignore[arg-type]  # on purpose
        lambda: plan.kill(None),  # type: ignore[arg-type]  # on purpose
        lambda: plan.select_window(made.window, made.window),
        lambda: plan.send_text(Slot(plan, 5, "pane"), "x"),
        lambda: plan.send_text(Slot(plan, -1, "pane"), "x"),
        lambda: plan.send_text(Plan().new_session().pane, "x"),
        lambda: plan.select_window(made.window, Plan().new_session().session),
        lambda: plan.select_window(Plan().new_session().window, made.session),
    ]
    for record in wrong:
        with pytest.raises((InvalidArgument, BadLayout)):
            record()
    assert (len(plan), plan.waves) == (1, 1)
    plan.send_text(made.pane, "x")
    with pytest.raises(InvalidArgument):
        plan.send_text(Slot(plan, 1, "pane"), "x")


def test_a_slot_of_another_plan_is_refused_even_where_its_number_fits() -> None:
    """Taken for a slot of this plan it would name another object without a word."""
    plan, other = Plan(), Plan()
    plan.new_session("one")
    foreign = other.new_session("two")
    assert foreign.session != plan.new_session("three").session
    with pytest.raises(InvalidArgument, match="is no slot of <Plan of 2 steps>"):
        plan.new_window(foreign.session)
    assert (len(plan), plan.waves) == (2, 1)


def test_an_empty_plan_asks_nothing() -> None:
    assert (len(Plan()), Plan().waves, run(Plan(), answering())) == (0, 0, ([], []))
