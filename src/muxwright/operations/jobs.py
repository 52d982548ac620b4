"""Runs and jobs as they are called: a command that is waited for, and one that goes on while others work."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Literal

from muxwright.commands.create import Program
from muxwright.commands.runs import requirements, type_line
from muxwright.errors import DeadlineExceeded, InvalidArgument, RequestCancelled, TooManyJobs
from muxwright.model.outcome import JobStatus, RunOutcome
from muxwright.operations.runs import Options, Run, in_foreground, start_run
from muxwright.operations.spawn import start_program
from muxwright.operations.steps import Operation, Pause, Place, act
from muxwright.operations.terminal import send_keys
from muxwright.operations.work import Work, follow, look_once
from muxwright.refs import PaneRef, SessionRef

__all__ = [
    "JOB_LIMIT",
    "RUN_TIMEOUT",
    "JobTable",
    "interrupt",
    "run_command",
    "run_program",
    "start_job",
    "status",
    "wait",
]

RUN_TIMEOUT = 30.0
"""Seconds that a command is waited for unless the caller says otherwise."""

JOB_LIMIT = 32
"""Jobs that are remembered; one that runs is never forgotten."""

_MOST = 16 * 1024 * 1024  # bytes that one look takes in, so that a flood does not hold it for ever
_KEYS = ("C-c", "C-\\")
_PROBES = 3
_LOOKS = 20
_SETTLE = 0.05  # seconds between two looks whether the shell is back at its prompt
_ANSWER = 0.5  # seconds that a probe is given


class JobTable:
    """The jobs of one server or connection handle, by id."""

    def __init__(self) -> None:
        self._runs: dict[str, Work] = {}

    def __iter__(self) -> Iterator[Work]:
        return iter(list(self._runs.values()))

    def check(self) -> None:
        """Refuse another job while as many as are kept are running."""
        if len([run for run in self if run.outcome is None]) >= JOB_LIMIT:
            raise TooManyJobs(f"{JOB_LIMIT} jobs are running; wait for one, or interrupt it")

    def keep(self, run: Work) -> None:
        """Remember a run; the oldest that are over make room."""
        self._runs[run.id] = run
        over = [old.id for old in self if old.outcome is not None]
        for identity in over[: max(len(self._runs) - JOB_LIMIT, 0)]:
            del self._runs[identity]

    def get(self, identity: str) -> Work | None:
        """Return the run of an id."""
        return self._runs.get(identity)

    def close(self) -> None:
        """Hear none of them any more; their panes stay reserved until their ends are proved."""
        for run in self:
            if run.outcome is None:
                run.lose_watch()


def run_command(
    place: Place, table: JobTable, pane: PaneRef, command: str, options: Options
) -> Operation[RunOutcome[Work]]:
    """Run a command and wait for its end; what is not over by then goes on as a job."""
    run = yield from start_run(place, pane, command, options, table.keep)
    return (yield from _await_end(place, table, run))


def _await_end(place: Place, table: JobTable, work: Work) -> Operation[RunOutcome[Work]]:
    """Wait for the end of what was started; what is not over by then goes on as a job, or never begins."""
    try:
        result = yield from wait(place, work)
    except BaseException:
        if not work.withdraw():
            table.keep(work)
        raise
    if work.outcome is None and not work.withdraw():
        table.keep(work)
    return work.result("cancelled" if result.outcome == "cancelled" else "deadline")


def run_program(
    place: Place, table: JobTable, argv: Program, session: SessionRef | None, size: tuple[int, int] | None
) -> Operation[RunOutcome[Work]]:
    """Run a program in a pane of its own and wait for its end; what is not over by then goes on as a job."""
    spawned = yield from start_program(place, argv, session, size)
    return (yield from _await_end(place, table, spawned))


def start_job(place: Place, table: JobTable, pane: PaneRef, command: str, options: Options) -> Operation[Work]:
    """Type a command and let it run."""
    table.check()
    run = yield from start_run(place, pane, command, options, table.keep)
    table.keep(run)
    return run


def wait(place: Place, run: Work) -> Operation[RunOutcome[Work]]:
    """Wait for the end of a job; what is not over by then goes on."""
    ended: Literal["deadline", "cancelled"] = "deadline"
    try:
        yield from follow(place, run)
    except (DeadlineExceeded, RequestCancelled) as error:
        ended = "cancelled" if isinstance(error, RequestCancelled) else "deadline"
        # What came in the last moment counts.
        with contextlib.suppress(DeadlineExceeded, RequestCancelled):
            yield from look_once(place, run, 0.0)
    return run.result(ended)


def status(place: Place, run: Work, cursor: int) -> Operation[JobStatus]:
    """Return what is known now, and the text from `cursor` on."""
    if isinstance(cursor, bool) or not isinstance(cursor, int) or cursor < 0:
        raise InvalidArgument(f"a cursor is a position from an earlier status, 0 or more, not {cursor!r}")
    until = run.output.size + _MOST
    while run.outcome is None and run.output.size < until:
        before = run.output.size
        yield from look_once(place, run, 0.0)
        if run.output.size == before:
            break
    text, lost = run.output.since(cursor)
    return JobStatus(run.outcome or "running", run.exit_status, text, run.output.cursor, lost)


def interrupt(place: Place, run: Work, key: str) -> Operation[None]:
    """Press C-c (or C-\\) for a job; one that has not begun never will."""
    if key not in _KEYS:
        raise InvalidArgument(f"a job is interrupted with {' or '.join(_KEYS)}, not {key!r}")
    if run.outcome is not None or run.withdraw():
        return
    yield from send_keys(place, run.pane, [key])
    if isinstance(run, Run) and run.frame is not None and run.frame.keep_state:
        yield from _probe(place, run)


def _probe(place: Place, run: Run) -> Operation[None]:
    """Type the closing record's line once the shell is back in the foreground: the interrupt took the frame with it."""
    assert run.stage is not None and run.frame is not None
    run.stage.write("probe", run.frame.probe())
    words = type_line(run.pane.id, run.frame.probe_line)
    for _ in range(_PROBES):
        for _ in range(_LOOKS):
            yield Pause(_SETTLE)
            if run.outcome is None and (yield from in_foreground(place, run)):
                break
        if run.outcome is not None:
            return
        yield from act(place, run.pane, words, requirements(run.seen, shared=True))
        yield from look_once(place, run, _ANSWER)
