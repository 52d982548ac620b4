"""The line that shows on a terminal how far a load is."""

from __future__ import annotations

import sys

import click

from muxwright.workspace import Event

__all__ = ["Progress"]

_WIDTH = 20
_STAGES = {
    "before_script": "running before_script",
    "building": "making windows and panes",
    "typing": "waiting for the shells and typing",
    "after_create": "running after_create",
}


class Progress:
    """One line on stderr, drawn over and over; nothing at all when stderr is no terminal."""

    def __init__(self) -> None:
        self.shown = sys.stderr.isatty()
        self._begin("", 0)

    def _begin(self, name: str, total: int) -> None:
        self.name, self.total = name, total
        self.done: set[int] = set()
        self.stage = ""
        self.line = ""

    def start(self, name: str, total: int) -> None:
        """Begin with a load of so many steps."""
        self.clear()
        self._begin(name, total)

    def take(self, event: Event) -> None:
        """Show what an event says."""
        if not self.shown:
            return
        if event.kind == "stage":
            self.stage = _STAGES.get(event.text, event.text)
        elif event.kind == "step" and event.step is not None:
            self.done.add(event.step)
        else:
            return
        self._draw()

    def _draw(self) -> None:
        share = min(len(self.done) / self.total, 1.0) if self.total else 0.0
        bar = "#" * int(share * _WIDTH)
        line = f"{self.name[:_WIDTH]} [{bar:.<{_WIDTH}}] {share:4.0%} {self.stage}"
        # Steps come by the hundred; most change nothing that can be seen.
        if line != self.line:
            self.line = line
            click.echo(f"\r{line}\x1b[K", nl=False, err=True)

    def clear(self) -> None:
        """Remove the line, so that something else can be written."""
        if self.line:
            self.line = ""
            click.echo("\r\x1b[K", nl=False, err=True)
