"""``muxwright watch``: a live view of panes, without attaching."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Iterator

import click
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from muxwright import Pane, PaneNotFound, Screen, Server, ServerLost, ServerNotRunning, StaleReference
from muxwright.cli.target import find, server_options

__all__ = ["command", "picture"]

# The last pane takes its server with it; another server at the socket has none of these panes.
_GONE = (PaneNotFound, ServerNotRunning, ServerLost, StaleReference)


def picture(panes: dict[str, Screen | None], width: int, height: int) -> Group:
    """Return panels below each other that fill the terminal, each with the last rows of its screen."""
    rows = max(height // max(len(panes), 1) - 2, 1)
    panels = []
    for name, screen in panes.items():
        if screen is None:
            panels.append(Panel(Text("gone", style="dim"), title=name, title_align="left", height=3))
            continue
        lines = screen.to_ansi().split("\n")
        last = max((number for number, line in enumerate(screen.lines) if line), default=0)
        shown = "\n".join(lines[max(last + 1 - rows, 0) : last + 1])
        text = Text.from_ansi(shown, no_wrap=True, overflow="crop")
        panels.append(Panel(text, title=f"{name} {screen.title}", title_align="left", height=rows + 2, width=width))
    return Group(*panels)


def _look(pane: Pane) -> Screen | None:
    try:
        return pane.screen()
    except _GONE:
        return None


@contextlib.contextmanager
def _display(console: Console) -> Iterator[Callable[[Group], None]]:
    """Yield what shows a picture: in place on a terminal, elsewhere one below the other."""
    if not console.is_terminal:
        # Where there is no terminal, `Live` prints nothing before its end.
        yield console.print
        return
    with Live(console=console, auto_refresh=False, screen=True) as live:
        yield lambda group: live.update(group, refresh=True)


@click.command("watch")
@click.argument("targets", nargs=-1, required=True, metavar="PANE...")
@click.option("--rate", type=click.FloatRange(0.5, 30), default=10, show_default=True, help="Looks a second, at most.")
@server_options
def command(server: Server, targets: tuple[str, ...], rate: float) -> None:
    """Show PANEs live until Ctrl-C, or until all of them are gone. Nothing is attached or resized.

    Where the output is no terminal, each change is printed below the one before.
    """
    panes = {target: find(server, target).pane for target in targets}
    console = Console()
    # By process: a connection would be a client in one of the sessions, and end with it.
    with contextlib.suppress(KeyboardInterrupt):
        size = shutil.get_terminal_size()
        shown: dict[str, Screen | None] = {}
        with _display(console) as show:
            while True:
                screens = {name: _look(view) for name, view in panes.items()}
                if screens != shown:
                    show(picture(screens, size.columns, size.lines))
                    shown = screens
                if not any(screens.values()):
                    return
                time.sleep(1 / rate)
