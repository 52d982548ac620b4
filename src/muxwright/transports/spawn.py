"""Starting a process so that Ctrl-C cannot lose it.

An exception out of a signal handler can leave `subprocess.Popen` after the process was made and before its id is known.
Nobody could ever end or collect that process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from muxwright.errors import ProcessSpawnError, TmuxNotFound
from muxwright.transports.endpoint import Forks

__all__ = ["Process", "discard", "spawn"]


class Process(subprocess.Popen[bytes]):
    """A process in a session of its own, so that Ctrl-C at the terminal reaches only us; it ends when it is forgotten.

    That happens when Ctrl-C takes it away before its user has prepared for its end.
    """

    def __init__(self, argv: Sequence[str | bytes], **options: Any) -> None:
        self._born = Forks.count
        super().__init__(argv, bufsize=0, start_new_session=True, **options)

    def __del__(self) -> None:
        if getattr(self, "returncode", 0) is None:
            with contextlib.suppress(Exception):
                if self._born == Forks.count:
                    discard(self)


def spawn(
    argv: Sequence[str | bytes],
    environment: Mapping[str, str],
    *,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
    stderr: int = subprocess.DEVNULL,
    directory: str | None = None,
) -> Process:
    """Start a process; raises `TmuxNotFound`, `ProcessSpawnError`."""
    started: list[Process] = []

    def start() -> None:
        process = Process(argv, stdin=stdin, stdout=stdout, stderr=stderr, env=environment, cwd=directory)
        started.append(process)

    try:
        _without_interrupt(start)
    except OSError as error:
        raise _spawn_error(os.fsdecode(argv[0]), error) from None
    return started.pop()


def discard(process: subprocess.Popen[bytes]) -> None:
    """End a process at once, collect it and close our ends of its pipes; harmless when that was done."""
    if process.poll() is None:
        process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    process.wait()


def _without_interrupt(action: Callable[[], None]) -> None:
    """Do something; a handler of Ctrl-C written in Python, which runs in the main thread only, runs after it."""
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler) or threading.current_thread() is not threading.main_thread():
        action()
        return
    # Not the frame: it refers to this list, and what it holds would live until the next garbage collection.
    struck: list[int] = []
    try:
        signal.signal(signal.SIGINT, lambda number, _: struck.append(number))
        action()
    finally:
        try:
            signal.signal(signal.SIGINT, handler)
        except BaseException:
            # Another signal's handler raised, before or after the change.
            signal.signal(signal.SIGINT, handler)
            raise
    if struck:
        handler(struck[0], sys._getframe())


def _spawn_error(executable: str, error: OSError) -> TmuxNotFound | ProcessSpawnError:
    """Return the error for a process that could not be started, without its environment."""
    if isinstance(error, FileNotFoundError):
        return TmuxNotFound(executable)
    return ProcessSpawnError(f"{executable!r} could not be started: {error.strerror or error}")
