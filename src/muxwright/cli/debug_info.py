"""`muxwright debug-info`: what a report of a problem needs."""

from __future__ import annotations

import contextlib
import os
import platform
import sys
from typing import Any

import click

from muxwright import MuxwrightError, __version__
from muxwright.cli.workspace_common import Endpoint, OutputKind, Report, endpoint_options, output_option, run_verb
from muxwright.workspace import list_files
from muxwright.workspace.files import directories

__all__ = ["command"]


@click.command("debug-info")
@output_option
@endpoint_options
def command(output: OutputKind, endpoint: Endpoint) -> int:
    """Show versions, the server and where workspace files are looked for; no names or contents of sessions."""
    report = Report(output)

    def verb() -> int:
        server = endpoint.server(5.0)
        known: dict[str, Any] = {
            "muxwright": __version__,
            "python": sys.version.split()[0],
            "platform": platform.platform(),
            "tmux": None,
            "server": None,
            "socket": server.socket_path,
            "inside_tmux": bool(os.environ.get("TMUX")),
            "shell": os.environ.get("SHELL", ""),
            "term": os.environ.get("TERM", ""),
            "directories": [{"path": path, "exists": os.path.isdir(path)} for path in directories(os.environ)],
            "workspace_files": len(list_files(os.environ)),
        }
        try:
            known["tmux"] = str(server.client_version())
        except (MuxwrightError, OSError) as error:
            known["tmux"] = f"not usable: {error}"
        with contextlib.suppress(MuxwrightError):
            generation, version = server.describe()
            known["server"] = f"tmux {version}, generation {generation}"
        lines = [f"{name.replace('_', ' ')}: {value}" for name, value in known.items() if name != "directories"]
        lines += [
            f"directory: {entry['path']}{'' if entry['exists'] else ' (not there)'}" for entry in known["directories"]
        ]
        report.result({"status": "ok", "debug_info": known}, "\n".join(lines))
        return 0

    return run_verb(report, verb)
