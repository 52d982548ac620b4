"""`muxwright plan`: show what would be done, in order."""

from __future__ import annotations

import click

from muxwright.cli.workspace_common import (
    Expansion,
    OutputKind,
    Report,
    expansion_options,
    output_option,
    prepare,
    run_verb,
)

__all__ = ["command"]


@click.command("plan")
@click.argument("file")
@click.option("--strict", is_flag=True, help="Take an unknown key for a fault.")
@output_option
@expansion_options
def command(file: str, strict: bool, output: OutputKind, expansion: Expansion) -> int:
    """Show the steps of a workspace file; tmux is not asked."""
    report = Report(output)

    def verb() -> int:
        plan = prepare(file, expansion, strict=strict)
        report.warnings(plan.warnings)
        report.result({"status": "planned", "plan": plan.as_data()}, "\n".join(step.describe() for step in plan.steps))
        return 0

    return run_verb(report, verb)
