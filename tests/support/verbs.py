"""The `muxwright` command without a process of its own, for what needs none: an interpreter starts in half a second."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from unittest import mock

from muxwright.cli import main

__all__ = ["run_here"]


def run_here(words: Sequence[str], directory: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a verb as a process in `directory` with `environment` would; for one that needs no terminal and no signal."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2))
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        with (
            contextlib.chdir(directory),
            mock.patch.dict(os.environ, environment, clear=True),
            mock.patch("sys.stdin", io.StringIO()),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            status = main(words)
    except SystemExit as end:
        status = int(end.code or 0)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for stream in (out, err):
        stream.seek(0)
    return subprocess.CompletedProcess(["muxwright", *words], status, out.read(), err.read())
