"""``muxwright wait``: wait for something in a pane."""

from __future__ import annotations

import re
import sys

import click

from muxwright import InvalidArgument, Server
from muxwright.cli.target import find, server_options

__all__ = ["command"]

LATE, GONE = 124, 1


@click.command("wait")
@click.argument("target", metavar="PANE")
@click.argument("text", required=False)
@click.option("-E", "--regex", is_flag=True, help="TEXT is a regular expression; ^ and $ mean rows.")
@click.option("--quiet", type=float, metavar="SECONDS", help="Wait until nothing has been printed for so long.")
@click.option("--exit", "exited", is_flag=True, help="Wait until the pane's program has ended.")
@click.option("-t", "--timeout", type=float, default=30.0, show_default=True, metavar="SECONDS")
@server_options
def command(
    server: Server, target: str, text: str | None, regex: bool, quiet: float | None, exited: bool, timeout: float
) -> int:
    """Wait until TEXT stands in PANE, it is quiet, or its program has ended.

    Exits with 0 when it came, 124 when the time was over, 1 when the pane was gone first.
    """
    if sum((text is not None, quiet is not None, exited)) != 1:
        raise InvalidArgument("say what to wait for: TEXT, --quiet or --exit, one of them")
    pane = find(server, target).pane
    if text is not None:
        result = pane.wait_for([re.compile(text, re.MULTILINE) if regex else text], timeout=timeout)
    elif quiet is not None:
        result = pane.wait_for_quiet(quiet, timeout=timeout)
    else:
        result = pane.wait_for_exit(timeout=timeout)
    if result:
        if result.text:
            click.echo(result.text)
        return 0
    click.echo(f"muxwright: {result.outcome} after {result.duration:.1f} s", err=True)
    sys.stderr.flush()
    return LATE if result.outcome == "deadline" else GONE
