"""``muxwright play``: a recording in this terminal, or as a picture."""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path

import click

from muxwright import THEMES, InvalidArgument
from muxwright.cli.screenshot import KINDS, render
from muxwright.screen.animation import to_animated_svg
from muxwright.screen.cast import Cast, read_cast, without_questions

__all__ = ["command"]


@click.command("play")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-s", "--speed", type=click.FloatRange(0.01, 1e6), default=1.0, show_default=True, help="Times as fast.")
@click.option("-i", "--idle", type=click.FloatRange(0), help="Shorten longer pauses to so many seconds.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write .svg or .gif: animated.")
@click.option("--last", is_flag=True, help="With --output: only the last screen (svg, png, html, txt, ansi, json).")
@click.option("--rate", type=click.FloatRange(1, 50), default=15, show_default=True, help="Pictures a second, at most.")
@click.option("--theme", type=click.Choice(list(THEMES)), default="dark", show_default=True)
@click.option("--frame/--no-frame", default=True, help="Draw a window frame around it.")
@click.option("--scale", type=click.IntRange(1, 4), default=1, show_default=True, help="Of GIF and PNG.")
@click.option("--tmux", envvar="MUXWRIGHT_TMUX", default="tmux", metavar="FILE", help="The tmux that draws pictures.")
def command(
    file: Path,
    speed: float,
    idle: float | None,
    output: Path | None,
    last: bool,
    rate: float,
    theme: str,
    frame: bool,
    scale: int,
    tmux: str,
) -> None:
    """Play an asciicast FILE (version 2 or 3) here; in a pane that is the replay of a pane.

    With --output it becomes a picture: tmux itself plays it on a private server, out of sight.
    """
    cast = read_cast(file.read_text(encoding="utf-8", errors="surrogateescape"))
    if output is None:
        with contextlib.suppress(KeyboardInterrupt):
            _play(cast, speed, idle)
        return
    from muxwright.testing.stage import frames

    shown = [(at / speed, screen) for at, screen in frames(cast, rate=rate, idle=idle, tmux=tmux)]
    kind = output.suffix[1:]
    if not shown:
        raise InvalidArgument(f"{file} shows nothing")
    if last:
        data = render(shown[-1][1], kind, theme=theme, frame=frame, scale=scale)
    elif kind == "svg":
        data = to_animated_svg(shown, theme=theme, frame=frame).encode()
    elif kind == "gif":
        from muxwright.pictures.gif import to_gif

        data = to_gif(shown, theme=theme, frame=frame, scale=scale)
    else:
        raise InvalidArgument(f"animated pictures are .svg or .gif, and with --last {', '.join(KINDS)}; not {kind!r}")
    output.write_bytes(data)


def _play(cast: Cast, speed: float, idle: float | None) -> None:
    before = 0.0
    for event in cast.events:
        pause = event.time - before
        before = event.time
        sys.stdout.flush()
        time.sleep((pause if idle is None else min(pause, idle)) / speed)
        if event.code == "o":
            sys.stdout.buffer.write(without_questions(event.data).encode("utf-8", "surrogateescape"))
            sys.stdout.buffer.flush()
