"""``muxwright run``: a command in the shell of a pane, with its output and status."""

from __future__ import annotations

import shlex
import sys

import click

from muxwright import MuxwrightError, Server
from muxwright.cli.target import find, server_options

__all__ = ["command"]

LATE, FAILED = 124, 125


@click.command("run")
@click.argument("target", metavar="PANE")
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND...")
@click.option("-t", "--timeout", type=float, default=30.0, show_default=True, metavar="SECONDS")
@click.option("--shell", "as_text", is_flag=True, help="COMMAND is one text for the shell, not words to be quoted.")
@server_options
def command(server: Server, target: str, words: tuple[str, ...], timeout: float, as_text: bool) -> int:
    """Run COMMAND in the shell of PANE, print its output and exit with its status.

    Exits with 124 when it still runs after --timeout (it goes on), and with 125 when it could not be run or proved.
    """
    text = " ".join(words) if as_text else shlex.join(words)
    try:
        with server.connect() as connection:
            outcome = connection.pane(find(server, target).pane.ref).run(text, timeout=timeout)
    except MuxwrightError as error:
        click.echo(f"muxwright: {' '.join(str(error).split())}", err=True)
        return FAILED
    sys.stdout.flush()
    sys.stdout.buffer.write(outcome.output.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
    if outcome.exit_status is not None:
        return outcome.exit_status
    click.echo(f"muxwright: {outcome.outcome}", err=True)
    return LATE if outcome.outcome == "deadline" else FAILED
