"""The files of runs, and which panes this process has reserved."""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import threading
import weakref
from typing import ClassVar

from muxwright.errors import ProcessIOError, ServerUnreachable
from muxwright.operations.stage import Holder, Lease, Stage
from muxwright.operations.steps import Reserve
from muxwright.refs import Generation
from muxwright.transports.directories import hold, remove, short_base, sweep
from muxwright.transports.endpoint import Forks

__all__ = ["prepare", "reserve", "server_gone"]

# What no shell reads as anything but itself.
_PLAIN = re.compile(r"[A-Za-z0-9/._-]+")
_STATUS_LIMIT = 64
_PREFIX = "muxwright-run-"

Key = tuple[Generation, int, int, str]


class LocalStage(Stage):
    """A directory on this machine; it is gone when this process ends in order, else when another has its first run."""

    _all: ClassVar[weakref.WeakSet[LocalStage]] = weakref.WeakSet()
    _swept: ClassVar[bool] = False

    def __init__(self) -> None:
        base = short_base(os.environ)
        self.owner = os.getpid()
        self._base = base if _PLAIN.fullmatch(base) else "/tmp"
        self.directory = f"{self._base}/{_PREFIX}{os.urandom(12).hex()}"
        self._held: list[int] = []
        self._born = Forks.count
        self._gate: int | None = None
        self._all.add(self)

    def start(self) -> None:
        """Make the directory; the first time, remove those of processes that were killed."""
        if not LocalStage._swept:
            LocalStage._swept = True
            sweep(self._base, _PREFIX)
        try:
            os.mkdir(self.directory, 0o700)
            hold(self.directory, self._held)
        except OSError as error:
            raise ProcessIOError(
                f"the directory of a run could not be made: {error.strerror}", effects="none"
            ) from None

    def _path(self, name: str) -> str:
        return f"{self.directory}/{name}"

    def write(self, name: str, text: str) -> None:
        try:
            descriptor = os.open(self._path(name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(descriptor, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        except OSError as error:
            raise ProcessIOError(f"the file {name} of a run could not be written: {error.strerror}") from None

    def claim(self) -> bool:
        try:
            os.close(os.open(self._path("claim"), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError:
            return False
        return True

    def status(self) -> bytes:
        try:
            with open(self._path("status"), "rb") as file:
                return file.read(_STATUS_LIMIT)
        except OSError:
            return b""

    def gate(self) -> str:
        path = self._path("gate")
        try:
            os.mkfifo(path, 0o600)
            # For both directions: opened for one, a fifo waits for the other end.
            self._gate = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        except OSError as error:
            raise ProcessIOError(f"the gate of a program could not be made: {error.strerror}", effects="none") from None
        return path

    def open_gate(self) -> None:
        assert self._gate is not None, "make the gate first"
        os.write(self._gate, b"go\n")

    def _shut(self) -> None:
        if self._gate is not None:
            os.close(self._gate)
            self._gate = None
        while self._held:
            os.close(self._held.pop())

    def remove(self) -> None:
        if self._born == Forks.count:
            remove(self.directory)
            self._all.discard(self)
        self._shut()


def prepare() -> LocalStage:
    """Return a new directory for a run."""
    stage = LocalStage()
    try:
        stage.start()
    except BaseException:
        stage.remove()
        raise
    return stage


class _Reservations:
    """The panes reserved in this process, and by whom."""

    def __init__(self) -> None:
        # Re-entrant: a signal handler may come in the middle.
        self.lock = threading.RLock()
        self.holders: dict[Key, Holder] = {}


_reservations = _Reservations()


class _Lease(Lease):
    def __init__(self, key: Key, holder: Holder) -> None:
        self._key = key
        self._holder = holder

    def release(self) -> None:
        with _reservations.lock:
            if _reservations.holders.get(self._key) is self._holder:
                del _reservations.holders[self._key]


def reserve(step: Reserve) -> Lease | Holder:
    """Return a lease of the pane, or the holder that has it."""
    path, generation = step.pane.server
    try:
        # Not the path: one server can have several.
        socket = os.stat(path)
    except OSError as error:
        raise ServerUnreachable(f"the socket {path} cannot be looked at: {error.strerror}") from None
    key = (generation, socket.st_dev, socket.st_ino, str(step.pane.id))
    with _reservations.lock:
        holder = _reservations.holders.setdefault(key, step.holder)
    return _Lease(key, step.holder) if holder is step.holder else holder


def server_gone(pid: int) -> None:
    """Tell everybody who has reserved a pane of a server that it has ended."""
    with _reservations.lock:
        holders = [holder for (generation, *_), holder in _reservations.holders.items() if generation.pid == pid]
    for holder in holders:
        holder.server_gone()


@atexit.register
def _remove_stages() -> None:
    for stage in list(LocalStage._all):
        with contextlib.suppress(Exception):
            stage.remove()


def _forked() -> None:
    global _reservations
    _reservations = _Reservations()
    for stage in list(LocalStage._all):
        stage._shut()


os.register_at_fork(after_in_child=_forked)
