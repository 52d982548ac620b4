"""``muxwright trace``: the trace of a test, in the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from muxwright import InvalidArgument

__all__ = ["command"]


@click.group("trace")
def command() -> None:
    """Look at a trace that the pytest plugin has kept."""


@command.command("show")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("-n", "--step", type=int, help="The screen after this step; default: after the first that failed.")
def show(folder: Path, step: int | None) -> None:
    """Show the steps in FOLDER and the screen after one of them; FOLDER/index.html shows them all as pictures."""
    try:
        steps = json.loads((folder / "trace.json").read_text(encoding="utf-8"))["steps"]
    except (OSError, ValueError, KeyError, TypeError):
        raise InvalidArgument(f"{folder} is no trace: expected a file trace.json in it") from None
    if not steps:
        raise InvalidArgument(f"the trace {folder} has no steps")
    console = Console(highlight=False)
    table = Table.grid(padding=(0, 2, 0, 0))
    for number, one in enumerate(steps):
        mark = Text("✗", style="red") if one["error"] else Text("✓", style="green")
        what = Text.assemble((one["name"], "bold"), f" {one['arguments']}", (f"  {one['error']}", "red"))
        table.add_row(str(number), f"{one['start']:.3f}", one["pane"], mark, what)
    console.print(table)
    chosen = step if step is not None else next((n for n, one in enumerate(steps) if one["error"]), len(steps) - 1)
    if not 0 <= chosen < len(steps):
        raise InvalidArgument(f"the trace has the steps 0 to {len(steps) - 1}, not {chosen}")
    seen = [one["screen"] for one in steps[: chosen + 1] if one["screen"] is not None]
    if seen:
        console.print(Text(f"\nthe screen after step {chosen}:"))
        text = (folder / f"screen-{seen[-1]:03}.txt").read_text(encoding="utf-8")
        console.print(Text(text), soft_wrap=True)
    console.print(f"as pictures: {(folder / 'index.html').resolve()}", soft_wrap=True)
