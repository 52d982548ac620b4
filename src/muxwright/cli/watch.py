"""``muxwright watch``: a live view of panes, without attaching."""

from __future__ import annotations

import contextlib
import shutil

import click
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from muxwright import Pane, PaneNotFound, Screen, Server
from muxwright.cli.target import find, server_options

__all__ = ["command", "picture"]


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
    except PaneNotFound:
        return None


@click.command("watch")
@click.argument("targets", nargs=-1, required=True, metavar="PANE...")
@click.option("--rate", type=click.FloatRange(0.5, 30), default=10, show_default=True, help="Looks a second, at most.")
@server_options
def command(server: Server, targets: tuple[str, ...], rate: float) -> None:
    """Show PANEs live until Ctrl-C, or until all of them are gone. Nothing is attached or resized."""
    panes = {target: find(server, target).pane for target in targets}
    console = Console()
    with contextlib.suppress(KeyboardInterrupt), server.connect() as connection:
        views = {name: connection.pane(pane.ref) for name, pane in panes.items()}
        size = shutil.get_terminal_size()
        with Live(console=console, auto_refresh=False, screen=console.is_terminal) as live:
            while True:
                screens = {name: _look(view) for name, view in views.items()}
                live.update(picture(screens, size.columns, size.lines), refresh=True)
                alive = [view for name, view in views.items() if screens[name] is not None]
                if not alive:
                    return
                with contextlib.suppress(PaneNotFound):
                    alive[0].wait_for_quiet(1 / rate, timeout=2 / rate)
