"""``muxwright send``: type into a pane."""

from __future__ import annotations

import click

from muxwright import InvalidArgument, Server
from muxwright.cli.target import find, server_options

__all__ = ["command"]


@click.command("send")
@click.argument("target", metavar="PANE")
@click.argument("text", required=False)
@click.option("-k", "--key", "keys", multiple=True, metavar="KEY", help="Press a key by its tmux name, after the text.")
@click.option("-e", "--enter", is_flag=True, help="Press Enter in the end.")
@click.option("--paste", is_flag=True, help="Paste the text instead of typing it.")
@server_options
def command(server: Server, target: str, text: str | None, keys: tuple[str, ...], enter: bool, paste: bool) -> None:
    """Type TEXT exactly as it is into PANE, then press keys.

    What has been typed is no proof that a program has done anything: see run and wait.
    """
    pressed = (*keys, *(("Enter",) if enter else ()))
    if not text and not pressed:
        raise InvalidArgument("there is nothing to send: give a text, --key or --enter")
    pane = find(server, target).pane
    if text:
        pane.paste(text) if paste else pane.send_text(text)
    if pressed:
        pane.send_keys(*pressed)
