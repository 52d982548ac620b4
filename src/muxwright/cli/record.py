"""``muxwright record``: a pane into an asciicast file."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from muxwright import DeadlineExceeded, Server
from muxwright.cli.target import find, server_options
from muxwright.operations.record import record
from muxwright.testing.recording import RecordingFile

__all__ = ["command"]

_LONGEST = 24 * 3600.0


@click.command("record")
@click.argument("target", metavar="PANE")
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The cast file.")
@click.option("--v2", is_flag=True, help="Write version 2 instead of 3, for older players.")
@click.option("-t", "--time", "seconds", type=click.FloatRange(0.1, _LONGEST), help="Stop after so many seconds.")
@server_options
def command(server: Server, target: str, output: Path, v2: bool, seconds: float | None) -> None:
    """Record what PANE prints until Ctrl-C, until it ends, or for some seconds. The program is not started again.

    The file is an asciicast: ``muxwright play`` and other players show it.
    """
    pane = find(server, target).pane
    with output.open("w", buffering=1, encoding="utf-8", errors="surrogateescape") as stream:
        file = RecordingFile(stream, 2 if v2 else 3)
        click.echo(f"recording {pane.id} to {output}", err=True)
        with contextlib.suppress(KeyboardInterrupt, DeadlineExceeded):
            server.run(record(server._transport.place, pane.ref, file.start, file.emit), seconds or _LONGEST)
