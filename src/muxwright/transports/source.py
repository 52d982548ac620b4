"""Our end of a pane's pipe: three fifos, and the descriptor that tells of a process's end.

The drivers share everything but the waiting: `blocking.feeds` reads in a thread, `aio.feeds` in the loop.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import struct
import sys
import termios
import weakref
from abc import abstractmethod
from contextlib import AbstractContextManager, nullcontext
from typing import ClassVar

from muxwright.errors import ProcessIOError
from muxwright.operations.feed import PipeSource
from muxwright.refs import PaneRef
from muxwright.transports.directories import remove, short_base
from muxwright.transports.endpoint import Forks, new_token

__all__ = ["RECENT", "LocalSource"]

RECENT = 1.0
"""Seconds for which a pipe of ours that was closed may still be the one that tmux sees on the pane."""

_CHUNK = 256 * 1024
# Room for what a pane prints while our process does not run; the system's default is 64 KiB, 2 ms of `yes`.
_PIPE_SIZE = 1024 * 1024
_SET_SIZE = getattr(fcntl, "F_SETPIPE_SZ", None)


class LocalSource(PipeSource):
    """Reads the fifos that a sink writes. `data`: what the pane prints; `status`: see `commands.sink`.

    `life` is held open for as long as this source is: the sink ends when it is closed, so also when we die. A driver
    implements `_attend` and `_ignore` (call `readable`, or no more, when there is something to read) and `_notify`.
    """

    _all: ClassVar[weakref.WeakSet[LocalSource]] = weakref.WeakSet()

    def __init__(self, pane: PaneRef, limit: int) -> None:
        super().__init__(pane, new_token(), limit)
        self.lock: AbstractContextManager[object] = nullcontext()
        self._born = Forks.count
        self.closed = False
        # Named before it is made, so that Ctrl-C in between cannot hide it.
        self._directory = os.path.join(short_base(os.environ), f"muxwright-{os.urandom(6).hex()}")
        self._descriptors: dict[str, int] = {}
        self._said = b""
        self._copier = 0
        self._all.add(self)

    @property
    def directory(self) -> str:
        return self._directory

    def start(self) -> None:
        """Make the fifos and open our ends, before anybody else can."""
        try:
            os.mkdir(self._directory, 0o700)
            for name in ("data", "status", "life"):
                os.mkfifo(self._path(name), 0o600)
            for name in ("data", "status"):
                self._descriptors[name] = os.open(self._path(name), os.O_RDONLY | os.O_NONBLOCK)
            # For reading too: a fifo without a reader cannot be opened for writing without waiting.
            self._descriptors["life"] = os.open(self._path("life"), os.O_RDWR | os.O_NONBLOCK)
        except OSError as error:
            self.close()
            raise ProcessIOError(
                f"the pipe for {self.pane.id} could not be made: {error.strerror}", effects="none"
            ) from None
        if _SET_SIZE is not None:
            with contextlib.suppress(OSError):  # the user's share of pipe memory is used up
                fcntl.fcntl(self._descriptors["data"], _SET_SIZE, _PIPE_SIZE)
        for name in ("data", "status"):
            self._attend(self._descriptors[name])

    def _path(self, name: str) -> str:
        return os.path.join(self._directory, name)

    def remove_paths(self) -> None:
        remove(self._directory)

    def watch(self, pid: int) -> None:
        with self.lock:
            self._drop("process")
            if self.closed:
                return
            try:
                descriptor = _process_descriptor(pid)
            except ProcessLookupError:
                self.exits += 1
                self._notify()
                return
            self.hears_exits = descriptor is not None
            if descriptor is not None:
                self._descriptors["process"] = descriptor
                self._attend(descriptor)

    def settled(self) -> bool | None:
        try:
            with open(f"/proc/{self._copier}/stat", "rb") as file:
                state = file.read().rpartition(b")")[2].split()[0]
        except OSError:
            # It has ended, which is about to be told; or this system has no such files.
            return None if sys.platform != "linux" else False
        # It never sleeps but in reading: then it has written all there was.
        if state != b"S":
            return False
        with self.lock:
            descriptor = self._descriptors.get("data")
            return descriptor is not None and _unread(descriptor) == 0

    def fail(self, error: Exception | None) -> None:
        with self.lock:
            self.failure = error
            self.ended = True
            self._notify()

    # --- what the driver calls ---

    def readable(self, descriptor: int) -> None:
        """Take what can be read; a descriptor that was closed meanwhile is left alone."""
        # Read under the lock: once it is closed, its number may be somebody else's.
        with self.lock:
            for name, number in self._descriptors.items():
                if number == descriptor:
                    self._read(name, descriptor)
                    self._notify()
                    return

    def _read(self, name: str, descriptor: int) -> None:
        if name == "process":
            self._drop(name)
            self.exits += 1
            return
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._drop(name)
        elif name == "data":
            self.ring.append(data)
        else:
            self._listen(data)
        self.ended = "data" not in self._descriptors and "status" not in self._descriptors

    def _listen(self, data: bytes) -> None:
        *lines, self._said = (self._said + data).split(b"\n")
        for line in lines:
            word, _, number = line.partition(b" ")
            if word == b"open" and number.isdigit():
                self._copier = int(number)
                self.opened = True
            elif line.isdigit():
                self.status = int(line)

    def _drop(self, name: str) -> None:
        descriptor = self._descriptors.pop(name, None)
        if descriptor is not None:
            self._ignore(descriptor)
            os.close(descriptor)

    def close(self) -> None:
        if self._born != Forks.count:
            return  # the copies were closed at the fork; the parent's thread may have held the lock then
        with self.lock:
            self.closed = self.ended = True
            self.remove_paths()
            # The pane's pipe last: its end must find the sink's shell on its way out already.
            for name in ("life", "process", "status", "data"):
                self._drop(name)
            self._notify()

    @abstractmethod
    def _attend(self, descriptor: int) -> None: ...

    @abstractmethod
    def _ignore(self, descriptor: int) -> None: ...

    @abstractmethod
    def _notify(self) -> None: ...

    def __del__(self) -> None:
        # Ctrl-C may take a source away before anybody has a name for it.
        if not getattr(self, "closed", True):
            with contextlib.suppress(Exception):
                self.close()


def _unread(descriptor: int) -> int:
    """Return how many bytes a pipe holds."""
    count: int = struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, b"\0\0\0\0"))[0]
    return count


def _process_descriptor(pid: int) -> int | None:
    """Return a descriptor that can be read once the process has ended; ``None`` where the system has none."""
    if sys.platform == "darwin":
        queue = select.kqueue()
        event = select.kevent(pid, select.KQ_FILTER_PROC, select.KQ_EV_ADD, select.KQ_NOTE_EXIT)
        try:
            queue.control([event], 0)
        except BaseException:
            queue.close()
            raise
        descriptor = os.dup(queue.fileno())
        queue.close()
        return descriptor
    if hasattr(os, "pidfd_open"):
        with contextlib.suppress(PermissionError, NotImplementedError):
            return os.pidfd_open(pid)
    return None


def _forked() -> None:
    # Held open by a child, the pipe would outlive us.
    for source in list(LocalSource._all):
        for descriptor in source._descriptors.values():
            with contextlib.suppress(OSError):
                os.close(descriptor)
        source._descriptors.clear()
        source.closed = source.ended = True


os.register_at_fork(after_in_child=_forked)
