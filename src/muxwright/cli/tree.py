"""``muxwright tree``: what a server holds, as a tree."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console

from muxwright import Server, Snapshot
from muxwright.cli.report import tree
from muxwright.cli.target import server_options

__all__ = ["as_data", "command"]


def as_data(snapshot: Snapshot) -> dict[str, Any]:
    """Return a snapshot as nested data: sessions hold their windows, windows their panes."""
    return {
        "version": str(snapshot.version),
        "generation": str(snapshot.identity.generation),
        "socket": snapshot.identity.socket_path,
        "sessions": [
            {
                **session.as_dict(),
                "windows": [
                    {
                        "index": link.index,
                        **link.window.as_dict(),
                        "panes": [pane.as_dict() for pane in link.window.panes],
                    }
                    for link in session.links
                ],
            }
            for session in snapshot.sessions
        ],
        "clients": [client.as_dict() for client in snapshot.clients],
    }


@click.command("tree")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@server_options
def command(server: Server, as_json: bool) -> None:
    """Show sessions, windows, panes and clients as a tree."""
    snapshot = server.snapshot()
    if as_json:
        click.echo(json.dumps(as_data(snapshot), ensure_ascii=False, default=str))
    else:
        Console(highlight=False, soft_wrap=True).print(tree(snapshot))
