"""`muxwright convert`: YAML to JSON and back."""

from __future__ import annotations

import os
from pathlib import Path

import click

from muxwright.cli.workspace_common import OutputKind, Report, output_option, run_verb, save
from muxwright.workspace import dump, find_file, read
from muxwright.workspace.writing import rewrite

__all__ = ["command"]


@click.command("convert")
@click.argument("file")
@click.option("-o", "--save-to", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@output_option
def command(file: str, save_to: Path | None, force: bool, output: OutputKind) -> int:
    """Show a YAML file as JSON, or a JSON file as YAML. From YAML to YAML the comments stay."""
    report = Report(output)

    def verb() -> int:
        document = read(find_file(file, os.environ).path)
        from_json = str(document.source_path).lower().endswith(".json")
        suffix = save_to.suffix.lower() if save_to is not None else ".yaml" if from_json else ".json"
        if suffix == ".json":
            text = dump(document.data, "json")
        elif from_json:
            text = dump(document.data, "yaml")
        else:
            text = rewrite(Path(str(document.source_path)).read_text(encoding="utf-8"))
        report.result({"status": "converted", "workspace": document.data}, save(text, save_to, force))
        return 0

    return run_verb(report, verb)
