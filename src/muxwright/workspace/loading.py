"""Make what a plan says: the calls for people, blocking and async, around the stages of a load."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from muxwright.errors import MuxwrightError, RequestCancelled
from muxwright.refs import SessionRef
from muxwright.transports.deadline import CLEANUP, Deadline
from muxwright.workspace.build import Load
from muxwright.workspace.carrier import Carrier, left
from muxwright.workspace.conclude import conclude, take_back
from muxwright.workspace.planning import WorkspacePlan
from muxwright.workspace.result import Event, OnEvent, Removed, WorkspaceApplyError, WorkspaceApplyResult

if TYPE_CHECKING:
    from muxwright import AsyncServer, Server

__all__ = ["DEFAULT_TIMEOUT", "ROLLBACK", "apply", "apply_async", "carry", "new_load"]

DEFAULT_TIMEOUT = 30.0
"""Seconds that a whole load may take."""

ROLLBACK = 10 * CLEANUP
"""Seconds that taking a load back may take."""


def apply(
    server: Server,
    plan: WorkspacePlan,
    *,
    timeout: float = DEFAULT_TIMEOUT,
    rollback: bool = True,
    append_to: SessionRef | None = None,
    take_focus: bool = True,
    readiness: bool = True,
    script_environment: Mapping[str, str] | None = None,
    on_event: OnEvent | None = None,
) -> WorkspaceApplyResult:
    """Make the session of a plan, detached, and return the evidence.

    `timeout`: seconds for all of it. `append_to`: a session that gets the windows in the end; its own options and
    variables stay as they are, and with `take_focus` one of them becomes its current window. `readiness`: ``False``
    types without waiting for any shell. `script_environment`: of scripts and hooks, default this process's. `on_event`
    is called as things happen; when it raises, the load ends.

    Raises `AlreadyExists` when the name is taken, `WorkspaceApplyError` (with the `result`) for everything that goes
    wrong later. With `rollback` what was made is then removed again, also after Ctrl-C; without it the session stays,
    marked as half built.
    """
    load = new_load(plan, (append_to, take_focus), readiness, script_environment, on_event)
    carry(Carrier(server._endpoint), load, timeout, rollback)
    return load.result


def carry(carrier: Carrier, load: Load, timeout: float, rollback: bool) -> None:
    """Take a load through its stages, and back when it fails."""
    deadline = Deadline.after(timeout)
    try:
        carrier.run(load.begin(carrier.place), left(deadline))
        assert load.session is not None, "the session was made"
        if load.connectable:
            assert load.version is not None, "the server told it with the session"
            with carrier.connected(load.session, load.version, deadline) as connection:
                connection.run(load.build(connection.place), left(deadline))
        else:
            carrier.run(load.build(carrier.place), left(deadline))
        carrier.run(conclude(carrier.place, load), left(deadline))
    except BaseException as error:
        removed = None
        if rollback:
            try:
                removed = carrier.run(take_back(carrier.place, load), ROLLBACK)
            except MuxwrightError as problem:
                error.add_note(f"what was made could not be removed: {problem}")
        _failed(load, error, removed)
        raise
    finally:
        load.handshake.close()
    _complete(load)


async def apply_async(
    server: AsyncServer,
    plan: WorkspacePlan,
    *,
    timeout: float = DEFAULT_TIMEOUT,
    rollback: bool = True,
    append_to: SessionRef | None = None,
    take_focus: bool = True,
    readiness: bool = True,
    script_environment: Mapping[str, str] | None = None,
    on_event: OnEvent | None = None,
) -> WorkspaceApplyResult:
    """Make the session of a plan; as `apply`, for an `AsyncServer`. A cancelled task counts as Ctrl-C."""
    load = new_load(plan, (append_to, take_focus), readiness, script_environment, on_event)
    deadline = Deadline.after(timeout)
    place = server._transport.place
    try:
        await server.run(load.begin(place), left(deadline))
        assert load.session is not None, "the session was made"
        if load.connectable:
            async with await server.connect(server.session(load.session), timeout=left(deadline)) as connection:
                await connection.run(load.build(connection._transport.place), left(deadline))
        else:
            await server.run(load.build(place), left(deadline))
        await server.run(conclude(place, load), left(deadline))
    except BaseException as error:
        removed = None
        if rollback:
            try:
                removed = await server.run(take_back(place, load), ROLLBACK)
            except MuxwrightError as problem:
                error.add_note(f"what was made could not be removed: {problem}")
        _failed(load, error, removed)
        raise
    finally:
        load.handshake.close()
    _complete(load)
    return load.result


def new_load(
    plan: WorkspacePlan,
    target: tuple[SessionRef | None, bool],
    readiness: bool,
    script_environment: Mapping[str, str] | None,
    on_event: OnEvent | None,
) -> Load:
    """Return a load with a random word of its own; `target`: where its windows go in the end, and whether to select."""
    return Load(
        plan,
        os.urandom(8).hex(),
        host=target[0],
        take_focus=target[1],
        readiness=readiness,
        environment=script_environment,
        on_event=on_event,
    )


def _complete(load: Load) -> None:
    result = load.result
    result.status = "complete"
    result.session = load.host or load.session
    result.steps = load.finish()
    if load.host is not None:
        result.borrowed.append(str(load.host))
    load.emit(Event("finished", result.status))


def _failed(load: Load, error: BaseException, removed: list[Removed] | None) -> None:
    """Raise what a failed load is told as; interrupts pass as they are, with the outcome as a note."""
    result = load.result
    result.steps = load.finish()
    result.removed = removed or []
    made = load.session is not None
    gone = removed is not None and all(one.status == "removed" for one in removed)
    if not made and (removed is None or not removed) and isinstance(error, MuxwrightError):
        load.emit(Event("finished", "failed"))
        return
    interrupted = isinstance(error, RequestCancelled) or not isinstance(error, Exception)
    result.status = "cancelled" if interrupted else "failed" if gone else "partial"
    if not gone:
        result.session = load.session
    load.emit(Event("finished", result.status))
    left = "nothing of it is left" if gone else f"the session {load.name!r} is left as it was then"
    if isinstance(error, Exception):
        raise WorkspaceApplyError(f"{error} ({left})", result) from error
    error.add_note(f"the load was interrupted: {left}")
