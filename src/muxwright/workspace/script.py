"""Run a program beside the load: both streams read at once, its own limit, its process group ended with it.

It is written as an operation, so it runs under both drivers; what a program prints is announced by no event that an
operation can wait for, so it is looked at every few milliseconds.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence

from muxwright.errors import DeadlineExceeded, MuxwrightError, ProcessSpawnError
from muxwright.operations.steps import Operation, Pause, Place

__all__ = ["BeforeScriptError", "run_script"]

MAX_OUTPUT = 4 * 1024 * 1024
TAIL = 5  # lines of output in an error
GRACE = 0.05  # seconds for what a program has printed to arrive once it has ended
_SHORTEST, _LONGEST = 0.002, 0.02


class BeforeScriptError(MuxwrightError):
    """A script failed. `code`: ``exit``, ``signal``, ``deadline`` or ``output_limit``; `tail`: its last lines."""

    def __init__(self, code: str, message: str, tail: Sequence[str]) -> None:
        shown = "".join(f"\n  | {line}" for line in tail)
        super().__init__(message + shown, effects="possible", command="before_script")
        self.code = code
        self.tail = tuple(tail)


class _Reader:
    """Takes what both streams bring and hands on whole lines."""

    def __init__(self, process: subprocess.Popen[bytes], on_line: Callable[[str], None]) -> None:
        self.pipes = [pipe for pipe in (process.stdout, process.stderr) if pipe is not None]
        for pipe in self.pipes:
            os.set_blocking(pipe.fileno(), False)
        self.rest = dict.fromkeys(self.pipes, b"")
        self.on_line = on_line
        self.tail: list[str] = []
        self.size = 0

    def take(self) -> bool:
        """Read what is there; return whether there was anything."""
        found = False
        for pipe in list(self.rest):
            with contextlib.suppress(BlockingIOError):
                data = os.read(pipe.fileno(), 65536)
                found = found or bool(data)
                self.size += len(data)
                *lines, rest = (self.rest[pipe] + data).split(b"\n")
                # One endless line is cut, so that it cannot fill the memory.
                self.rest[pipe] = rest[-65536:]
                if not data:
                    lines += [rest] if rest else []
                    del self.rest[pipe]
                for line in lines:
                    self.line(line)
        return found

    def line(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace").rstrip("\r")
        self.tail = [*self.tail[-TAIL + 1 :], text]
        self.on_line(text)

    def close(self) -> None:
        for rest in self.rest.values():
            if rest:
                self.line(rest)
        for pipe in self.pipes:
            pipe.close()


def run_script(
    place: Place,
    argv: Sequence[str],
    directory: str | None,
    environment: Mapping[str, str],
    timeout: float | None,
    on_line: Callable[[str], None],
) -> Operation[None]:
    """Run a program to its end; what it leaves in the background is left alone.

    Raises `BeforeScriptError` unless it exits with 0 within `timeout` seconds, `ProcessSpawnError` when it cannot be
    run. Whatever ends it early ends its process group.
    """
    started = place.clock()
    try:
        process = subprocess.Popen(
            argv,
            cwd=directory,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ProcessSpawnError(f"{argv[0]} could not be run in {directory or os.getcwd()}: {reason}") from None
    reader = _Reader(process, on_line)
    pause = _SHORTEST
    try:
        while process.poll() is None:
            pause = _SHORTEST if reader.take() else min(pause * 1.5, _LONGEST)
            if reader.size > MAX_OUTPUT:
                message = f"{argv[0]} printed more than {MAX_OUTPUT} bytes"
                raise BeforeScriptError("output_limit", message, reader.tail)
            if timeout is not None and place.clock() - started > timeout:
                raise BeforeScriptError("deadline", f"{argv[0]} took longer than {timeout:g} s", reader.tail)
            yield Pause(pause)
        ended = place.clock()
        while reader.take() and reader.rest and place.clock() - ended < GRACE:
            pass
    except DeadlineExceeded as error:
        raise BeforeScriptError("deadline", f"{argv[0]} did not end in time", reader.tail) from error
    finally:
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        reader.close()
    if process.returncode:
        how = f"exited with {process.returncode}"
        if process.returncode < 0:
            how = f"was ended by signal {-process.returncode}"
        raise BeforeScriptError("exit" if process.returncode > 0 else "signal", f"{argv[0]} {how}", reader.tail)
