"""The command line itself: options, help and the table of verbs, on click."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import click

from muxwright import __version__
from muxwright.cli import VERBS

__all__ = ["run"]


class _Verbs(click.Group):
    """Imports a verb's module when the verb is called; ``--help`` needs only the table."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = import_module(VERBS[cmd_name].module).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, verb.summary) for name, verb in VERBS.items()])


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="muxwright", message="%(prog)s %(version)s")
def muxwright() -> None:
    """Drive real terminals through tmux."""


def run(arguments: Sequence[str]) -> int:
    """Run one command line; errors of the library pass through."""
    try:
        status = muxwright.main(list(arguments), prog_name="muxwright", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return 130
    return status if isinstance(status, int) else 0
