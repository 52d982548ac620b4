"""`muxwright ls`: which workspace files there are."""

from __future__ import annotations

import os
from typing import Any

import click

from muxwright.cli.workspace_common import OutputKind, Report, output_option, run_verb
from muxwright.workspace import WorkspaceConfigError, WorkspaceFile, list_files, read

__all__ = ["command", "describe"]


@click.command("ls")
@click.option("--full", is_flag=True, help="With the whole content of each file.")
@output_option
def command(full: bool, output: OutputKind) -> int:
    """List the workspace files of this directory, of those above it, and those by name."""
    report = Report(output)

    def verb() -> int:
        found = [describe(file, full) for file in list_files(os.environ)]
        width = max((len(file["name"]) for file in found), default=0)
        lines = [f"{file['name']:{width}}  {file['session_name'] or '-'}  {file['path']}" for file in found]
        report.result({"status": "listed", "workspaces": found}, "\n".join(lines) or "no workspace files")
        return 0

    return run_verb(report, verb)


def describe(file: WorkspaceFile, full: bool = False) -> dict[str, Any]:
    """Return what is known of a file; what cannot be read is listed all the same."""
    stat = os.stat(file.path)
    known: dict[str, Any] = {
        "name": file.name,
        "path": file.path,
        "format": "json" if file.path.lower().endswith(".json") else "yaml",
        "size": stat.st_size,
        "mtime": int(stat.st_mtime),
        "source": file.source,
        "session_name": None,
    }
    try:
        data = read(file.path).data
    except (WorkspaceConfigError, OSError) as error:
        return known | {"problem": str(error)}
    if isinstance(data, dict):
        name = data.get("session_name")
        known["session_name"] = None if name is None else str(name)
    return known | ({"config": data} if full else {})
