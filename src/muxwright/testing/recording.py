"""Recordings of panes while a test or a program goes on."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from muxwright._async.pane import AsyncPane
from muxwright._sync.pane import Pane
from muxwright._sync.server import Server
from muxwright.errors import MuxwrightError
from muxwright.operations.record import record
from muxwright.screen.cast import CastEvent, CastWriter
from muxwright.screen.screen import Screen
from muxwright.transports.cancellation import CancellationToken

__all__ = ["Recording", "RecordingFile"]

_LONGEST = 24 * 3600.0


class RecordingFile:
    """Writes one asciicast as it comes; may be told things from several threads."""

    def __init__(self, stream: TextIO, version: int) -> None:
        self._stream = stream
        self._version = version
        self._writer: CastWriter | None = None
        self._began = 0.0
        self._last = 0.0
        self._lock = threading.Lock()

    def start(self, screen: Screen) -> None:
        """Write the header."""
        with self._lock:
            self._writer = CastWriter(
                screen.width,
                screen.height,
                version=self._version,
                title=screen.title,
                timestamp=int(time.time()),
            )
            self._began = time.monotonic()
            self._stream.write(self._writer.header)

    def emit(self, event: CastEvent) -> None:
        """Write an event; one of another thread may have been a little earlier."""
        with self._lock:
            assert self._writer is not None, "the header is written first"
            self._last = max(event.time, self._last)
            self._stream.write(self._writer.line(event._replace(time=self._last)))

    def note(self, code: str, data: str) -> None:
        """Write an event that happens now."""
        self.emit(CastEvent(time.monotonic() - self._began, code, data))


class Recording:
    """Records a pane into an asciicast file, in a thread and over processes of its own; a context manager.

    `version`: 3, or 2 for older players. What stands on the screen at the beginning is the first output. Resizes are
    noticed within half a second. `PipeInUse` is raised at the start when somebody else pipes the pane.
    """

    def __init__(self, pane: Pane | AsyncPane, path: str | Path, *, version: int = 3) -> None:
        self.path = Path(path)
        self._pane = pane
        self._version = version
        self._cancel = CancellationToken()
        self._started = threading.Event()
        self._error: MuxwrightError | None = None
        self._thread: threading.Thread | None = None
        self._file: RecordingFile | None = None

    def start(self) -> Self:
        """Begin; returns when everything that is printed from now on is recorded."""
        self._thread = threading.Thread(target=self._run, name="muxwright-recording", daemon=True)
        self._thread.start()
        self._started.wait()
        if self._error is not None:
            self._thread.join()
            raise self._error
        return self

    def _run(self) -> None:
        ref = self._pane.ref
        endpoint = self._pane.host._transport.endpoint
        host = Server(socket_path=endpoint.socket_path, tmux=endpoint.tmux, environment=endpoint.environment)
        try:
            with self.path.open("w", buffering=1, encoding="utf-8", errors="surrogateescape") as stream:
                file = RecordingFile(stream, self._version)

                def start(screen: Screen) -> None:
                    file.start(screen)
                    self._file = file
                    self._started.set()

                host.run(record(host._transport.place, ref, start, file.emit), _LONGEST, self._cancel)
                self._file = None
        except MuxwrightError as error:
            self._error = error
        finally:
            self._started.set()

    def mark(self, label: str) -> None:
        """Write a marker, which players show and can stop at."""
        if self._file is not None:
            self._file.note("m", label)

    def note_input(self, text: str) -> None:
        """Write what was typed, as the input event of an asciicast; nothing notes it by itself."""
        if self._file is not None:
            self._file.note("i", text)

    def stop(self) -> None:
        """End it and close the file; idempotent. Raises what went wrong meanwhile."""
        self._cancel.cancel()
        if self._thread is not None:
            self._thread.join()
        if self._error is not None:
            error, self._error = self._error, None
            raise error

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
