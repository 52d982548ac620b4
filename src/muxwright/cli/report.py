"""What the demo shows: the panes as they stand in the window, the tree, the checks and the figures."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field

from rich.box import ROUNDED
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from muxwright import LayoutCell, PaneId, Snapshot, __version__, read_layout

__all__ = ["Check", "Report", "arrange", "record", "show", "tree"]

FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
COLOURS = ("cyan", "magenta", "yellow", "green")


@dataclass(frozen=True)
class Check:
    """Something that was tried: what, what came out, and whether that is right."""

    name: str
    outcome: str
    passed: bool


@dataclass
class Report:
    """What the demo saw. `captures`: screens with escape sequences. Times are seconds."""

    snapshot: Snapshot
    captures: dict[PaneId, str]
    checks: list[Check] = field(default_factory=list)
    round_trips: int = 0
    seconds: float = 0.0
    per_call: tuple[float, float] = (0.0, 0.0)  # medians: over the connection, with a process each


def show(report: Report, console: Console, width: int) -> None:
    """Print the report."""
    snapshot = report.snapshot
    window = snapshot.windows[0]
    generation = snapshot.identity.generation
    head = Text.assemble(
        ("muxwright ", "bold"),
        (__version__, "bold cyan"),
        (f"  private tmux {snapshot.version}, pid {generation.pid}, one control connection", "dim"),
    )
    console.print(head, width=width)
    console.print(arrange(read_layout(window.layout), report), width=width, crop=False)
    console.print(tree(snapshot), width=width)
    console.print()
    console.print(_checks(report), width=width)
    console.print()
    console.print(_figures(report), width=width)


# --- the window ---


def arrange(root: LayoutCell, report: Report) -> RenderableType:
    """Return a panel for each pane, arranged as tmux arranges the panes."""
    return _arranged(root, _outer(root), report)


def _outer(cell: LayoutCell) -> tuple[int, int]:
    """Return columns and rows of a cell with a border of its own around each pane."""
    if cell.split is None:
        return cell.width + 2, cell.height + 2
    widths, heights = zip(*map(_outer, cell.children), strict=True)
    return (sum(widths), max(heights)) if cell.split == "left-right" else (max(widths), sum(heights))


def _arranged(cell: LayoutCell, size: tuple[int, int], report: Report) -> RenderableType:
    if cell.split is None:
        return _pane(cell, size, report)
    # tmux has one line between two panes and we have two: what a neighbour is larger by goes to the last child.
    parts, (columns, rows) = [], size
    for child in cell.children:
        width, height = _outer(child)
        last = child is cell.children[-1]
        if cell.split == "left-right":
            parts.append(_arranged(child, (columns if last else width, rows), report))
            columns -= width
        else:
            parts.append(_arranged(child, (columns, rows if last else height), report))
            rows -= height
    if cell.split == "top-bottom":
        return Group(*parts)
    grid = Table.grid(padding=0)
    grid.add_row(*parts)
    return grid


def _pane(cell: LayoutCell, size: tuple[int, int], report: Report) -> Panel:
    info = report.snapshot.pane(f"%{cell.pane}")
    text = Text.from_ansi(report.captures[info.id], no_wrap=True, overflow="crop")
    number = report.snapshot.panes.index(info)
    return Panel(
        text,
        box=ROUNDED,
        padding=0,
        width=size[0],
        height=size[1],
        title=Text(f" {info.id} {info.title} ", style="bold"),
        title_align="left",
        border_style=COLOURS[number % len(COLOURS)],
    )


# --- everything else ---


def tree(snapshot: Snapshot) -> Tree:
    """Return a snapshot as a tree of sessions, windows, panes and clients."""
    generation = snapshot.identity.generation
    root = Tree(
        Text.assemble(("server ", "bold"), f"tmux {snapshot.version}", (f"  generation {generation}", "dim")),
        guide_style="dim",
    )
    for session in snapshot.sessions:
        branch = root.add(_node(session.id, session.name, ""))
        for link in session.links:
            window = link.window
            sizes = f"{window.width}x{window.height}, {len(window.panes)} panes"
            twig = branch.add(_node(f"{link.index}: {window.id}", window.name, sizes))
            for pane in window.panes:
                command = f"{pane.current_command} " if pane.captured("current_command") else ""
                twig.add(_node(pane.id, pane.title, f"{pane.width}x{pane.height}, {command}(pid {pane.pid})"))
    for client in snapshot.clients:
        what = "control client, no output, ignores sizes" if client.control else f"{client.width}x{client.height}"
        root.add(_node("client", client.name, what))
    return root


def _node(key: str, name: str, rest: str) -> Text:
    return Text.assemble((key, "cyan"), " ", (name, "bold"), (f"  {rest}", "dim"))


def _checks(report: Report) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for check in report.checks:
        mark = Text("✓", style="bold green") if check.passed else Text("✗", style="bold red")
        grid.add_row(mark, Text(check.name, style="bold", no_wrap=True), Text(check.outcome))
    return grid


def _figures(report: Report) -> Table:
    connection, process = (seconds * 1e3 for seconds in report.per_call)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right", style="bold cyan", no_wrap=True)
    grid.add_column()
    grid.add_row(
        f"{report.round_trips}", f"round trips over the connection, {report.seconds:.2f} s with the shells' work"
    )
    grid.add_row(f"{connection:.3f} ms", "one guarded call over the connection (median, here and now)")
    grid.add_row(
        f"{process:.3f} ms", f"the same call with a process of its own: {process / connection:.0f} times as long"
    )
    return grid


# --- the picture ---


def record(report: Report, width: int) -> str:
    """Return the report as an SVG picture that loads nothing from elsewhere."""
    console = Console(
        record=True, width=width, file=io.StringIO(), force_terminal=True, color_system="truecolor", highlight=False
    )
    show(report, console, width)
    svg = console.export_svg(title="muxwright demo")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code, monospace", FONTS)
