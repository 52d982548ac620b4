"""The end of a load: what must not meet our own client, and the way back."""

from __future__ import annotations

from muxwright.commands.guards import guarded
from muxwright.commands.listings import listing
from muxwright.commands.settings import set_words, unset_words
from muxwright.errors import MuxwrightError, NoSessions, ServerNotRunning
from muxwright.operations import change, observe
from muxwright.operations.steps import Operation, Place, guarded_output, output
from muxwright.refs import Generation, PaneRef, ServerIdentity, SessionId, SessionRef, WindowRef
from muxwright.wire.request import Request
from muxwright.wire.rows import Column, decode_text_rows
from muxwright.workspace import marks
from muxwright.workspace.evidence import HOOK, LATE, Evidence
from muxwright.workspace.planning import PlanStep
from muxwright.workspace.recorder import option_text
from muxwright.workspace.result import Removed
from muxwright.workspace.script import run_script

__all__ = ["conclude", "take_back"]

_HOOKS = {"on_attach": "client-attached", "on_detach": "client-detached"}


def conclude(place: Place, load: Evidence) -> Operation[None]:
    """Set what must not meet our own client, and say that the session is complete."""
    session = load.session if load.host is None else None
    if session is not None:
        words = [set_words(b"set-option", session, marks.STATE, None, marks.COMPLETE.encode())]
        late = {
            step.arguments["name"]: step.arguments["value"]
            for _, step in load.steps("set_option")
            if step.window is None and load.is_late(step)
        }
        for name in LATE:
            if name in late:
                words.append(set_words(b"set-option", session, name, None, option_text(late[name]).encode()))
            else:
                words.append(unset_words(b"set-option", session, name, None))
        words += [_hook_words(session, step) for _, step in load.steps("set_hook")]
        sections = yield Request(tuple(guarded(one, session) for one in words))
        for section, one in zip(sections, words, strict=True):
            guarded_output(section, session, one)
    for number, step in load.steps("set_option", "set_hook"):
        if step.action == "set_hook" or (step.window is None and load.is_late(step)):
            load.report(number, "completed" if session is not None else "skipped")
    yield from _after_create(place, load)


def _after_create(place: Place, load: Evidence) -> Operation[None]:
    for number, step in load.steps("after_create"):
        load.stage("after_create")
        try:
            for line in step.arguments["lines"]:
                yield from run_script(place, ["/bin/sh", "-c", line], None, load.environment, None, load.output)
        except MuxwrightError as error:
            load.report(number, "failed", str(error))
            load.warn(f"hooks.after_create: {error}")
        else:
            load.report(number, "completed")


def _hook_words(session: SessionRef, step: PlanStep) -> tuple[bytes, ...]:
    lines = "\n".join(step.arguments["lines"]).replace("#", "##")
    quoted = ("{ " + lines + "\n} >/dev/null 2>&1").replace("'", "'\\''")
    run = f"run-shell -b '{quoted}'"
    if step.arguments["hook"] != "on_close":
        return tuple(set_words(b"set-hook", session, _HOOKS[step.arguments["hook"]], HOOK, run.encode()))
    # A session that is gone has no hooks: this one stands at the server until then.
    index = HOOK * 100_000 + int(session.id[1:]) % 100_000
    inner = f"set-hook -gu session-closed[{index}] ; {run}"
    body = f"if-shell -F '#{{==:#{{hook_session}},{session.id}}}' {{ {inner} }}"
    return tuple(set_words(b"set-hook", "global_session", "session-closed", index, body.encode()))


def take_back(place: Place, load: Evidence) -> Operation[list[Removed]]:
    """End every session that bears our mark, and the windows that we gave to another one."""
    removed = []
    columns = (
        Column("session_id", free=False),
        Column(marks.RUN),
        Column("pid", free=False),
        Column("start_time", free=False),
    )
    for window in load.moved:
        removed += [(yield from _end(place, window))]
    try:
        (section,) = yield Request((listing("sessions", columns),))
        rows = decode_text_rows(output(section, "list-sessions"), len(columns))
    except (ServerNotRunning, NoSessions):
        rows = []
    ours = [] if load.session is None or load.guest else [load.session]
    for session_id, run, pid, start_time in rows:
        server = ServerIdentity(place.socket_path, Generation(int(pid), int(start_time)))
        if run == load.run and (ref := SessionRef(server, SessionId(session_id))) not in ours:
            ours.append(ref)
    for session in ours:
        removed += [(yield from _end(place, session))]
    return removed


def _end(place: Place, ref: SessionRef | WindowRef | PaneRef) -> Operation[Removed]:
    try:
        yield from change.kill(place, ref)
    except (ServerNotRunning, NoSessions):
        return Removed(str(ref), "removed")
    except MuxwrightError:
        there = yield from observe.exists(place, ref)
        return Removed(str(ref), "unresolved" if there else "removed")
    return Removed(str(ref), "removed")
