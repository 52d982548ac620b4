"""`muxwright load`: make the sessions of workspace files."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from muxwright.cli.workspace_common import (
    Endpoint,
    Expansion,
    OutputKind,
    Report,
    endpoint_options,
    expansion_options,
    output_option,
    prepare,
    run_verb,
)
from muxwright.errors import InvalidArgument
from muxwright.refs import SessionRef
from muxwright.workspace import WorkspaceApplyResult, WorkspacePlan
from muxwright.workspace.carrier import Carrier
from muxwright.workspace.loading import carry, new_load

if TYPE_CHECKING:
    from muxwright import Server

__all__ = ["command"]


@click.command("load")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("-s", "--session-name", metavar="NAME", help="Call the session so, whatever the file says.")
@click.option("-d", "--detached", is_flag=True, help="Do not attach; this is the default.")
@click.option("--attach", is_flag=True, help="Attach to the last session, or switch to it inside tmux.")
@click.option("-a", "--append", is_flag=True, help="Put the windows into the session that this command runs in.")
@click.option("--reconcile", is_flag=True, help="Make what is missing in a session that is there; touch nothing else.")
@click.option("--dry-run", is_flag=True, help="Only show the steps.")
@click.option("--rollback-created/--keep-partial", default=True, help="Whether a failure removes what was made.")
@click.option("--no-readiness", is_flag=True, help="Type at once, without waiting for the shells.")
@click.option("--timeout", type=float, default=30.0, show_default=True, help="Seconds for one whole load.")
@click.option("--strict", is_flag=True, help="Take an unknown key for a fault.")
@output_option
@expansion_options
@endpoint_options
def command(files: tuple[str, ...], output: OutputKind, expansion: Expansion, endpoint: Endpoint, **given: Any) -> int:
    """Make the session of each workspace file, detached.

    FILE is a path, a directory with a .muxwright.yaml or .tmuxp.yaml, or a name in ~/.config/muxwright or tmuxp's
    directory. All files are read and planned before anything is made.
    """
    wanted = _Wanted(**given)
    _check(wanted, output)
    report = Report(output)
    return run_verb(report, lambda: _load(report, files, wanted, expansion, endpoint))


class _Wanted(NamedTuple):
    """How to load."""

    session_name: str | None
    detached: bool
    attach: bool
    append: bool
    reconcile: bool
    dry_run: bool
    rollback_created: bool
    no_readiness: bool
    timeout: float
    strict: bool


def _load(report: Report, files: tuple[str, ...], wanted: _Wanted, expansion: Expansion, endpoint: Endpoint) -> int:
    size = _terminal_size()
    names = [None] * (len(files) - 1) + [wanted.session_name]
    plans = [
        prepare(file, expansion, strict=wanted.strict, size=size, session=name)
        for file, name in zip(files, names, strict=True)
    ]
    for plan in plans:
        report.warnings(plan.warnings)
    if wanted.dry_run:
        data = {"status": "planned", "plans": [plan.as_data() for plan in plans]}
        report.result(data, "\n".join(step.describe() for plan in plans for step in plan.steps))
        return 0
    if wanted.reconcile:
        return _reconcile(report, endpoint, plans, wanted)
    host = _current_session(endpoint.server(wanted.timeout)) if wanted.append else None
    carrier = Carrier(endpoint.address())
    results = []
    for plan in plans:
        report.line.start(plan.workspace.session_name, len(plan.steps))
        load = new_load(plan, (host, True), not wanted.no_readiness, None, report.progress)
        carry(carrier, load, wanted.timeout, wanted.rollback_created)
        results.append(load.result)
    _tell(report, results)
    if wanted.attach:
        _attach(endpoint, results[-1].session_name)
    return 0


def _reconcile(report: Report, endpoint: Endpoint, plans: list[WorkspacePlan], wanted: _Wanted) -> int:
    from muxwright.workspace import reconcile  # not needed by a load

    server = endpoint.server(wanted.timeout)
    readiness = not wanted.no_readiness
    results = [
        reconcile(server, plan, timeout=wanted.timeout, readiness=readiness, on_event=report.progress) for plan in plans
    ]
    lines = []
    for plan, result in zip(plans, results, strict=True):
        name = plan.workspace.session_name
        lines += [f"made {name}: {what}" for what in result.made] or [f"nothing is missing in {name}"]
        lines += [f"differs in {name}: {what}" for what in result.differences]
    report.result({"status": "reconciled", "results": [result.as_data() for result in results]}, "\n".join(lines))
    if wanted.attach:
        _attach(endpoint, plans[-1].workspace.session_name)
    return 0


def _check(wanted: _Wanted, output: OutputKind) -> None:
    if wanted.attach and (wanted.detached or wanted.append):
        raise click.UsageError("--attach goes neither with --detached nor with --append")
    if wanted.attach and output != "human":
        raise click.UsageError("--attach needs the human output")
    if wanted.attach and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("--attach needs a terminal")
    if wanted.append and wanted.reconcile:
        raise click.UsageError("--append and --reconcile exclude each other")
    if wanted.session_name is not None and wanted.append:
        raise click.UsageError("--session-name has no meaning with --append")


def _terminal_size() -> tuple[int, int] | None:
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        try:
            size = os.get_terminal_size(stream.fileno())
        except (OSError, ValueError):
            continue
        if size.columns > 0 and size.lines > 0:
            return size.columns, size.lines
    return None


def _current_session(server: Server) -> SessionRef:
    pane = os.environ.get("TMUX_PANE", "")
    if not pane:
        raise InvalidArgument("--append needs a pane of tmux to run in: there is no $TMUX_PANE")
    for link in server.snapshot().pane(pane).window.links:
        return link.session.ref
    raise InvalidArgument(f"the pane {pane} is in no session")


def _tell(report: Report, results: list[WorkspaceApplyResult]) -> None:
    last = results[-1]
    data: dict[str, Any] = {"status": "loaded", "result": last.as_data()}
    if len(results) > 1:
        data["results"] = [result.as_data() for result in results]
    report.result(data, "\n".join(f"loaded {result.session_name}" for result in results))


def _attach(endpoint: Endpoint, name: str) -> None:
    """Become the tmux client, or have the client that we are in switch."""
    server = endpoint.server(5.0)
    tmux, *words = server.attach_command
    if os.environ.get("TMUX", "").partition(",")[0] == server.socket_path:
        words[-1] = "switch-client"
    os.execvp(tmux, [tmux, *words, "-t", f"={name}"])
