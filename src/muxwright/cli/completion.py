"""`muxwright completion`: the shell's completion of this command."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

__all__ = ["command"]

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> int:
    """Show the completion script of a shell: eval "$(muxwright completion bash)" in its start-up file."""
    from muxwright.cli.app import muxwright

    kind = get_completion_class(shell)
    assert kind is not None, "click knows these shells"
    click.echo(kind(muxwright, {}, "muxwright", "_MUXWRIGHT_COMPLETE").source())
    return 0
