"""A pipe for what a process complains about, which also ends the process when we have died.

tmux before 3.7 may keep a control client for ever whose owner died at the wrong moment: it waits for what it could not
write any more. It cannot even be told to exit then. Only the end of the client's process helps, and that process waits
for the server. So the system is asked to kill it when the last reader of its standard error is gone.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import weakref
from typing import ClassVar

__all__ = ["Tether"]

_SET_SIGNAL = getattr(fcntl, "F_SETSIG", None)


class Tether:
    """The pipe. Give `theirs` to the process as its standard error, then `tie` it."""

    _all: ClassVar[weakref.WeakSet[Tether]] = weakref.WeakSet()

    def __init__(self) -> None:
        # Filled from C, so that Ctrl-C cannot lose a descriptor.
        self._ends: list[int] = []
        self._all.add(self)
        self._ends.extend(os.pipe())

    @property
    def theirs(self) -> int:
        """The end for the process."""
        return self._ends[1]

    def tie(self, pid: int) -> None:
        """Let the process end with us (on Linux), and close our copy of its end."""
        if _SET_SIGNAL is not None:
            fcntl.fcntl(self.theirs, fcntl.F_SETOWN, pid)
            fcntl.fcntl(self.theirs, _SET_SIGNAL, signal.SIGKILL)
            fcntl.fcntl(self.theirs, fcntl.F_SETFL, fcntl.fcntl(self.theirs, fcntl.F_GETFL) | os.O_ASYNC)
        os.close(self._ends.pop())

    def read(self) -> bytes:
        """Return what the process complained about; call once it has ended."""
        if len(self._ends) != 1:
            return b""
        os.set_blocking(self._ends[0], False)
        with contextlib.suppress(OSError):
            return os.read(self._ends[0], 4096)
        return b""

    def close(self) -> None:
        """Close our ends; idempotent. A process that is tied ends."""
        while self._ends:
            with contextlib.suppress(OSError):
                os.close(self._ends.pop())

    def __del__(self) -> None:
        self.close()


def _forked() -> None:
    # Held by a child, it would keep the process when we have died.
    for tether in list(Tether._all):
        tether.close()


os.register_at_fork(after_in_child=_forked)
