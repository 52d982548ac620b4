"""The `muxwright` command: one module a verb, each loaded only when it is called.

To add a verb, write ``cli/NAME.py`` with a click command called ``command`` and list it in `VERBS`.

Exit statuses: 0 done, 1 a check failed or a package is missing, 2 wrong usage, 3 a `MuxwrightError`, 130 Ctrl-C. The
verbs of the workspace manager: 2 wrong input too, 4 something is left, 5 cancelled, 6 too late.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from typing import NamedTuple

from muxwright.errors import MuxwrightError

__all__ = ["VERBS", "Verb", "main"]


class Verb(NamedTuple):
    """A verb: its module, its line in ``--help``, and the extra that it needs."""

    module: str
    summary: str
    extra: str = "cli"


VERBS = {
    "load": Verb("muxwright.cli.load", "Make the session of a workspace file.", "workspace"),
    "plan": Verb("muxwright.cli.plan", "Show the steps of a workspace file.", "workspace"),
    "validate": Verb("muxwright.cli.validate", "Check a workspace file.", "workspace"),
    "freeze": Verb("muxwright.cli.freeze", "Write the workspace of a session that runs.", "workspace"),
    "stop": Verb("muxwright.cli.stop", "End a session.", "workspace"),
    "ls": Verb("muxwright.cli.ls", "List workspace files.", "workspace"),
    "search": Verb("muxwright.cli.search", "Find workspace files by what is in them.", "workspace"),
    "edit": Verb("muxwright.cli.edit", "Edit a workspace file and check it.", "workspace"),
    "convert": Verb("muxwright.cli.convert", "Turn a workspace file from YAML to JSON, or back.", "workspace"),
    "import": Verb("muxwright.cli.import_", "Read a file of tmuxinator, smug, teamocil or tmuxp.", "workspace"),
    "debug-info": Verb("muxwright.cli.debug_info", "Show what a report of a problem needs.", "workspace"),
    "completion": Verb("muxwright.cli.completion", "Show the completion script of a shell."),
    "schema": Verb("muxwright.cli.schema", "Show the JSON Schema of workspace files.", "workspace"),
    "tree": Verb("muxwright.cli.tree", "Show sessions, windows and panes as a tree."),
    "send": Verb("muxwright.cli.send", "Type into a pane."),
    "wait": Verb("muxwright.cli.wait", "Wait for text, quiet or the end of a program in a pane."),
    "watch": Verb("muxwright.cli.watch", "Show panes live, without attaching."),
    "screenshot": Verb("muxwright.cli.screenshot", "Show a pane or window as SVG, PNG, HTML or text.", "cli,png"),
    "run": Verb("muxwright.cli.run", "Run a command in a pane's shell and exit with its status."),
    "record": Verb("muxwright.cli.record", "Record a pane as an asciicast."),
    "play": Verb("muxwright.cli.play", "Play a recording, or make an animated SVG or GIF of it.", "cli,png"),
    "trace": Verb("muxwright.cli.trace", "Look at the trace of a test."),
    "demo": Verb("muxwright.cli.demo", "Drive a private tmux server and show what happened."),
    "mcp": Verb("muxwright.cli.mcp", "Serve terminals to an agent over the Model Context Protocol.", "mcp"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    # So that what a verb has made is removed when the terminal is closed or a supervisor ends us.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _exit)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        from muxwright.cli.app import run

        return run(words)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "muxwright":
            raise
        verb = VERBS.get(words[0]) if words else None
        extra = verb.extra if verb else "cli"
        return _fail(f"the muxwright command needs: pip install 'muxwright[{extra}]'", 1)
    except MuxwrightError as error:
        return _fail(f"muxwright: {error}", 3)
    except KeyboardInterrupt:
        return 130


def _exit(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


def _fail(message: str, status: int) -> int:
    print(" ".join(message.split()), file=sys.stderr)
    return status
