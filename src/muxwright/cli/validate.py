"""`muxwright validate`: say all that is wrong with a workspace file."""

from __future__ import annotations

import os

import click

from muxwright.cli.workspace_common import OutputKind, Report, output_option, run_verb
from muxwright.workspace import find_file, read, validate

__all__ = ["command"]


@click.command("validate")
@click.argument("file")
@click.option("--strict", is_flag=True, help="Take an unknown key for a fault.")
@output_option
def command(file: str, strict: bool, output: OutputKind) -> int:
    """Check a workspace file; tmux is not asked and nothing is expanded."""
    report = Report(output)

    def verb() -> int:
        config = validate(read(find_file(file, os.environ).path), strict=strict)
        report.warnings(config.warnings)
        data = {
            "status": "valid",
            "schema_version": config.schema_version,
            "session_name": config.session_name,
            "warnings": list(config.warnings),
        }
        report.result(data, "valid")
        return 0

    return run_verb(report, verb)
