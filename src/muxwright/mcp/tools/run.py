"""Commands with proof of their end: waited for, or as jobs that go on between calls."""

from __future__ import annotations

from functools import partial
from typing import Any

from muxwright.mcp.capability import Capability, OutputClass
from muxwright.mcp.context import Context
from muxwright.mcp.endpoint import Host, place_of
from muxwright.mcp.errors import ToolError
from muxwright.mcp.schemas import PANE_TARGET, boolean, closed, integer, number, one_of, string
from muxwright.mcp.targets import target_of
from muxwright.mcp.tool import Screen, Tool
from muxwright.mcp.tools.common import DATA, clean, limit_bytes
from muxwright.model.outcome import JobStatus, RunOutcome
from muxwright.operations import jobs
from muxwright.operations.runs import Options
from muxwright.operations.work import Work

__all__ = ["TOOLS"]

DEFAULT, LONGEST = 30, 600  # seconds
WAIT = 50.0  # seconds that one look at a job may take
OUTPUT = 64 * 1024  # bytes of output in one result
COMMAND = 256 * 1024


def _options(context: Context, arguments: dict[str, Any], history: str) -> Options:
    """Return how a command is run; on a server of our own a person who watches is welcome."""
    limit_bytes(arguments["command"], COMMAND, "the command")
    return Options(
        suppress_history=arguments.get(history, False),
        keep_state=arguments.get("keepState", False),
        shared=context.app.endpoint.private,
    )


async def run_shell_command(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Run a command and wait for its end; what takes longer goes on as a job."""
    options = _options(context, arguments, "suppress_history")
    seconds = arguments.get("seconds")
    seconds = DEFAULT if seconds is None else min(seconds, LONGEST)
    ref = await context.bare_pane(arguments["pane"])
    await context.not_ourselves(ref)
    context.app.hear_on(ref)
    command, table = arguments["command"], context.app.jobs
    if seconds == 0:
        run = await context.act(lambda host: _started(host, context, ref, command, options))
        await context.read(lambda host: host.run(jobs.status(place_of(host), run, 0), context.remaining))
        outcome = run.result()
    else:
        context.extend(seconds)

        async def wait(host: Host) -> RunOutcome[Work]:
            operation = jobs.run_command(place_of(host), table, ref, command, options)
            return await host.run(operation, context.remaining)

        outcome = await context.act(wait)
    text, cut = _end(outcome.output, OUTPUT)
    result = {
        "pane": ref.id,
        "outcome": outcome.outcome,
        "exit_status": outcome.exit_status,
        "output": text,
        "bytes": outcome.bytes,
        "truncated": outcome.truncated or cut,
    }
    return result if outcome.job is None else {**result, "job": outcome.job.id}


async def _started(host: Host, context: Context, ref: Any, command: str, options: Options) -> Work:
    operation = jobs.start_job(place_of(host), context.app.jobs, ref, command, options)
    return await host.run(operation, context.remaining)


def _end(text: str, limit: int) -> tuple[str, bool]:
    """Return the end of a text, at most so many bytes."""
    data = clean(text).encode()
    if len(data) <= limit:
        return data.decode(), False
    return data[-limit:].decode("utf-8", "ignore"), True


async def start_command(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Start a command and return at once."""
    options = _options(context, arguments, "suppressHistory")
    ref = await context.pane(arguments)
    await context.not_ourselves(ref)
    run = await context.act(lambda host: _started(host, context, ref, arguments["command"], options))
    return {"job": run.id, "target": target_of(ref), "state": run.outcome or "running"}


def _job(context: Context, identity: str) -> Work:
    run = context.app.jobs.get(identity)
    if run is None:
        raise ToolError("job_unknown", f"no job {identity[:40]!r}: list_jobs has those that are remembered")
    context.allowed(run.pane)
    return run


async def job_status(context: Context, arguments: dict[str, Any]) -> Screen:
    """Return how a job stands and its output from a cursor on; with `seconds` after waiting for its end."""
    run, cursor = _job(context, arguments["job"]), arguments.get("cursor", 0)
    if seconds := arguments.get("seconds", 0):
        context.extend(seconds)
        await context.progress("waiting")
        await context.read(lambda host: host.run(jobs.wait(place_of(host), run), context.remaining))
        context.extend(context.app.policy.timeout)
    status: JobStatus = await context.read(
        lambda host: host.run(jobs.status(place_of(host), run, cursor), context.remaining)
    )
    text, cut = _end(status.output, OUTPUT)
    lost = status.lost + (len(clean(status.output).encode()) - len(text.encode()) if cut else 0)
    return Screen({**_told(run), "cursor": status.cursor, "lostBytes": lost, "terminalContent": DATA}, text)


def _told(run: Work) -> dict[str, Any]:
    return {
        "job": run.id,
        "target": target_of(run.pane),
        "command": clean(run.command)[:80],
        "state": run.outcome or "running",
        "exitStatus": run.exit_status,
    }


async def list_jobs(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the jobs that are remembered."""
    allowed = context.app.allowed
    runs = [run for run in context.app.jobs if allowed is None or run.pane in allowed]
    for run in runs:
        if run.outcome is None:
            await context.read(partial(_looked, context, run))
    return {"jobs": [_told(run) for run in runs]}


async def _looked(context: Context, run: Work, host: Host) -> JobStatus:
    return await host.run(jobs.status(place_of(host), run, 0), context.remaining)


async def interrupt_job(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Press C-c for a job and see whether it ends."""
    run, key = _job(context, arguments["job"]), arguments.get("key", "C-c")
    await context.not_ourselves(run.pane)
    await context.act(lambda host: host.run(jobs.interrupt(place_of(host), run, key), context.remaining))
    await context.read(lambda host: host.run(jobs.wait(place_of(host), run), max(context.remaining - 0.5, 0.1)))
    return _told(run)


_CLASSES: tuple[OutputClass, ...] = ("tmux-metadata", "terminal-content")
_RUNS = Capability("execute", "pane-command", ("change",), _CLASSES)
_STATES = ("completed", "deadline", "pane_closed", "cancelled", "no_shell")
_OUTCOME = {
    "type": "object",
    "$defs": {"RunOutcome": {"oneOf": [{"type": "string", "const": state} for state in _STATES]}},
    "properties": {
        "pane": string(),
        "outcome": {"$ref": "#/$defs/RunOutcome"},
        "exit_status": {"type": ["integer", "null"], "format": "int32"},
        "output": string(),
        "bytes": integer(0),
        "truncated": boolean(),
    },
    "required": ["pane", "outcome", "output", "bytes", "truncated"],
}
_JOB = string("As start_command gave it", maxLength=64)

TOOLS = (
    Tool(
        name="run_shell_command",
        capability=_RUNS,
        about="The way to run something and know whether it worked: waits for the end and returns the exit status and"
        " exactly what the command printed, without prompt or echo. Several lines and any quoting are fine; cd and"
        " export do not persist. After `seconds` it goes on and `job` names it for job_status. Refused where no shell"
        " is in front.",
        input=closed(
            {
                "pane": string('A pane\'s id, such as "%1"'),
                "command": string(),
                "seconds": {"type": ["integer", "null"], "minimum": 0, "description": "Default 30, at most 600"},
                "suppress_history": boolean(False, "Begin with a blank, which many shells keep out of their history"),
            },
            ["pane", "command"],
        ),
        output=_OUTCOME,
        title="Run Command In Pane",
        handler=run_shell_command,
        plain_errors=True,
        default_private=True,
        always_load=True,
    ),
    Tool(
        name="start_command",
        capability=_RUNS,
        about="Starts a command as run_shell_command does and returns at once with a `job` for job_status and"
        " interrupt_job. With `keepState` it runs in the shell itself, so that cd and export persist.",
        input=closed(
            {
                "target": PANE_TARGET,
                "command": string(),
                "keepState": boolean(False),
                "suppressHistory": boolean(False),
            },
            ["target", "command"],
        ),
        handler=start_command,
        default_private=True,
    ),
    Tool(
        name="job_status",
        capability=Capability("inspect", "none", ("observe",), _CLASSES),
        about="Returns a job's state, exit status and output from `cursor` on: a line of JSON, then the text. With"
        " `seconds` it waits that long for the end first.",
        input=closed({"job": _JOB, "cursor": integer(0, None, 0), "seconds": number(0, WAIT, 0)}, ["job"]),
        handler=job_status,
        default_private=True,
    ),
    Tool(
        name="list_jobs",
        capability=Capability("inspect", "none", ("observe",), _CLASSES),
        about="Lists the jobs of this server, running ones and the last that ended.",
        input=closed({}),
        handler=list_jobs,
    ),
    Tool(
        name="interrupt_job",
        capability=Capability("execute", "pane-input", ("change",), _CLASSES),
        about="Presses C-c for a job, waits a few seconds and returns its state. What ignores that may take"
        ' "C-\\\\", or respawn_pane.',
        input=closed({"job": _JOB, "key": one_of("C-c", "C-\\", default="C-c")}, ["job"]),
        handler=interrupt_job,
        default_private=True,
    ),
)
