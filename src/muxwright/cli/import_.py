"""`muxwright import`: turn the file of another manager into a workspace."""

from __future__ import annotations

from pathlib import Path

import click

from muxwright.cli.workspace_common import OutputKind, Report, output_option, run_verb, save
from muxwright.workspace import dump, read, validate
from muxwright.workspace.importing import IMPORTERS, convert_file

__all__ = ["command"]


@click.command("import")
@click.argument("kind", type=click.Choice(sorted(IMPORTERS)))
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("-o", "--save-to", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@output_option
def command(kind: str, file: str, save_to: Path | None, force: bool, output: OutputKind) -> int:
    """Show FILE of another manager as a workspace; what has no equal is told line by line, on stderr."""
    report = Report(output)

    def verb() -> int:
        document = read(file, None if Path(file).suffix else "yaml")
        found = convert_file(kind, document)
        validate(found.data, strict=True)
        remarks = [fault.describe(document.source_path) for fault in found.remarks]
        report.warnings(tuple(remarks))
        as_json = save_to is not None and save_to.suffix.lower() == ".json"
        text = dump(found.data, "json" if as_json else "yaml")
        shown = save(text, save_to, force)
        report.result({"status": "imported", "workspace": found.data, "remarks": remarks}, shown)
        return 0

    return run_verb(report, verb)
