"""`muxwright edit`: open a workspace file in the editor, then check it."""

from __future__ import annotations

import os
import shlex
import subprocess

import click

from muxwright.cli.workspace_common import OutputKind, Report, output_option, run_verb
from muxwright.errors import InvalidArgument
from muxwright.workspace import find_file, read, validate

__all__ = ["command"]


@click.command("edit")
@click.argument("file")
@output_option
def command(file: str, output: OutputKind) -> int:
    """Open FILE in $VISUAL or $EDITOR (which may have arguments), then say what is wrong with it."""
    report = Report(output)

    def verb() -> int:
        path = find_file(file, os.environ).path
        editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
        try:
            status = subprocess.run([*shlex.split(editor), path], check=False).returncode
        except (OSError, ValueError) as error:
            raise InvalidArgument(f"the editor {editor!r} could not be run: {error}") from None
        if status:
            raise InvalidArgument(f"the editor {editor!r} ended with {status}")
        config = validate(read(path))
        report.warnings(config.warnings)
        report.result({"status": "valid", "path": path, "warnings": list(config.warnings)}, "valid")
        return 0

    return run_verb(report, verb)
