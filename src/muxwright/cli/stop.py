"""`muxwright stop`: end a session; its on_close hook runs."""

from __future__ import annotations

import click

from muxwright.cli.workspace_common import Endpoint, OutputKind, Report, endpoint_options, output_option, run_verb

__all__ = ["command"]


@click.command("stop")
@click.argument("session")
@click.option("--timeout", type=float, default=5.0, show_default=True, help="Seconds for it.")
@output_option
@endpoint_options
def command(session: str, timeout: float, output: OutputKind, endpoint: Endpoint) -> int:
    """End SESSION (exactly that name, or its $id) and the programs in it."""
    report = Report(output)

    def verb() -> int:
        found = endpoint.server(timeout).get_session(session)
        found.kill()
        report.result({"status": "stopped", "session": {"id": found.id}}, f"stopped {session}")
        return 0

    return run_verb(report, verb)
