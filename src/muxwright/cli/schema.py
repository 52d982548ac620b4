"""`muxwright schema`: the JSON Schema of workspace files, for editors."""

from __future__ import annotations

import json

import click

from muxwright.workspace import json_schema

__all__ = ["command"]


@click.command("schema")
def command() -> int:
    """Show the JSON Schema of workspace files; editors complete and check by it."""
    click.echo(json.dumps(json_schema(), indent=2))
    return 0
