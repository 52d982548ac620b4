"""`muxwright freeze`: write the workspace of a session that runs."""

from __future__ import annotations

import os
from pathlib import Path

import click

from muxwright import Server
from muxwright.cli.workspace_common import Endpoint, OutputKind, Report, endpoint_options, output_option, run_verb, save
from muxwright.errors import InvalidArgument
from muxwright.refs import SessionRef
from muxwright.workspace import dump, freeze

__all__ = ["command"]


@click.command("freeze")
@click.argument("session", required=False)
@click.option("-o", "--save-to", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@click.option("-f", "--format", "kind", type=click.Choice(["yaml", "json"]), help="Without it: as the file, or yaml.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.option("--program", "programs", multiple=True, metavar="NAME", help="A further program to start again.")
@click.option("--timeout", type=float, default=5.0, show_default=True, help="Seconds for reading.")
@output_option
@endpoint_options
def command(
    session: str | None,
    save_to: Path | None,
    kind: str | None,
    force: bool,
    programs: tuple[str, ...],
    timeout: float,
    output: OutputKind,
    endpoint: Endpoint,
) -> int:
    """Show the workspace of SESSION (a name or $id; inside tmux, the session that this runs in)."""
    report = Report(output)

    def verb() -> int:
        from muxwright.workspace.programs import DEFAULT_PROGRAMS

        server = endpoint.server(timeout)
        document = freeze(server, _session(server, session), programs=(*DEFAULT_PROGRAMS, *programs), timeout=timeout)
        data = document.data
        of_file = "json" if save_to is not None and save_to.suffix.lower() == ".json" else "yaml"
        text = dump(data, "json" if (kind or of_file) == "json" else "yaml")
        shown = save(text, save_to, force)
        report.result({"status": "frozen", "workspace": data}, shown)
        return 0

    return run_verb(report, verb)


def _session(server: Server, name: str | None) -> SessionRef:
    if name is not None:
        return server.get_session(name).ref
    pane = os.environ.get("TMUX_PANE", "")
    if not pane:
        raise InvalidArgument("name the session: this is not a pane of tmux")
    return server.snapshot().pane(pane).window.links[0].session.ref
