"""``muxwright screenshot``: a pane or a window as a picture or text."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from muxwright import THEMES, InvalidArgument, Screen, Server
from muxwright.cli.target import find, server_options

__all__ = ["command", "render"]

KINDS = ("svg", "png", "html", "txt", "ansi", "json")


def render(screen: Screen, kind: str, *, theme: str, frame: bool, scale: int) -> bytes:
    """Return a screen in one of `KINDS`."""
    if kind == "png":
        from muxwright.pictures.png import to_png

        return to_png(screen, theme=theme, frame=frame, scale=scale)
    if kind == "json":
        import json

        return json.dumps(screen.as_dict(), ensure_ascii=False).encode()
    texts = {
        "svg": lambda: screen.to_svg(theme=theme, frame=frame),
        "html": lambda: screen.to_html(theme=theme) + "\n",
        "txt": lambda: screen.text + "\n",
        "ansi": lambda: screen.to_ansi() + "\n",
    }
    if kind not in texts:
        raise InvalidArgument(f"there is no picture of the kind {kind!r}: expected one of {', '.join(KINDS)}")
    return texts[kind]().encode()


@click.command("screenshot")
@click.argument("target", metavar="PANE")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file; its end says the kind."
)
@click.option("-f", "--format", "kind", type=click.Choice(KINDS), help="The kind; without a file the default is ansi.")
@click.option("-w", "--window", is_flag=True, help="The whole window with its borders, not only the pane.")
@click.option("--theme", type=click.Choice(list(THEMES)), default="dark", show_default=True)
@click.option("--frame/--no-frame", default=True, help="Draw a window frame around it.")
@click.option("--scale", type=click.IntRange(1, 8), default=2, show_default=True, help="Of PNG: size of a pixel.")
@server_options
def command(
    server: Server,
    target: str,
    output: Path | None,
    kind: str | None,
    window: bool,
    theme: str,
    frame: bool,
    scale: int,
) -> None:
    """Show PANE as a picture (svg, png), a page (html), text (txt, ansi) or data (json).

    PANE is %1, @1, SESSION, SESSION:INDEX or SESSION:INDEX.PANE.
    """
    found = find(server, target)
    if window:
        shown = found.window or server.window(found.pane.refresh().window.ref)
        screen = shown.screen()
    else:
        screen = found.pane.screen()
    wanted = kind or (output.suffix[1:] if output else "ansi")
    data = render(screen, wanted, theme=theme, frame=frame, scale=scale)
    if output is not None:
        output.write_bytes(data)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
