"""Starting and collecting a process so that Ctrl-C, or any signal's handler that raises, cannot lose it.

An exception out of a signal handler can leave `subprocess.Popen` after the process was made and before its id is known:
nobody could ever end or collect that process. Or with the lock taken under which it is collected: a later `wait` would
never return.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from muxwright.errors import ProcessSpawnError, TmuxNotFound
from muxwright.transports.deadline import CLEANUP
from muxwright.transports.endpoint import Forks

__all__ = ["Process", "discard", "spawn", "without_interrupt"]

T = TypeVar("T")

# What may come from outside at any moment; a program often makes an exception of it.
_SIGNALS = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGALRM,
    signal.SIGUSR1,
    signal.SIGUSR2,
)


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

    def poll(self) -> int | None:
        return without_interrupt(super().poll)

    def wait(self, timeout: float | None = None) -> int:
        deadline = time.monotonic() + (math.inf if timeout is None else timeout)
        pause = 0.0005
        while (status := self.poll()) is None:
            if (remaining := deadline - time.monotonic()) <= 0:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            time.sleep(min(pause, remaining))
            pause = min(pause * 2, 0.01)
        return status


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
    start = partial(Process, argv, stdin=stdin, stdout=stdout, stderr=stderr, env=environment, cwd=directory)
    started: list[Process] = []
    try:
        without_interrupt(lambda: started.append(start()))
    except OSError as error:
        raise _spawn_error(os.fsdecode(argv[0]), error) from None
    except BaseException:
        # At once: the traceback that is on its way may be kept.
        for process in started:
            discard(process)
        raise
    return started.pop()


def discard(process: Process) -> None:
    """End a process at once, collect it and close our ends of its pipes; harmless when that was done."""
    if process.poll() is None:
        process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    try:
        process.wait(CLEANUP)
    except subprocess.TimeoutExpired:
        # Another signal's handler left Popen's lock taken, or the kernel is busy with the end of the process.
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process.pid, 0)
        process.returncode = -signal.SIGKILL


def without_interrupt(action: Callable[[], T]) -> T:
    """Do something; signal handlers written in Python, which run in the main thread only, run after it."""
    if threading.current_thread() is not threading.main_thread():
        return action()
    handlers = {number: handler for number in _SIGNALS if callable(handler := signal.getsignal(number))}
    if not handlers:
        return action()
    # Not the frame: it refers to this list, and what it holds would live until the next garbage collection.
    struck: list[int] = []
    try:
        for number in handlers:
            signal.signal(number, lambda number, _: struck.append(number))
        result = action()
    finally:
        _restore(handlers)
    _run_handlers(handlers, struck)
    return result


def _restore(handlers: Mapping[signal.Signals, Callable[..., Any]]) -> None:
    try:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    except BaseException:
        # One that is back already has raised.
        _restore(handlers)
        raise


def _run_handlers(handlers: Mapping[signal.Signals, Callable[..., Any]], struck: Sequence[int]) -> None:
    """Run the handlers that had to wait; one that raises keeps none of the others."""
    for index, number in enumerate(struck):
        try:
            handlers[signal.Signals(number)](number, sys._getframe())
        except BaseException:
            _run_handlers(handlers, struck[index + 1 :])
            raise


def _spawn_error(executable: str, error: OSError) -> TmuxNotFound | ProcessSpawnError:
    """Return the error for a process that could not be started, without its environment."""
    if isinstance(error, FileNotFoundError):
        return TmuxNotFound(executable)
    return ProcessSpawnError(f"{executable!r} could not be started: {error.strerror or error}")
