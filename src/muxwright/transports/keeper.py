"""A shell that ends a private server when its owner dies without doing so: SIGKILL, `os._exit`, `exec`.

It waits for the end of a pipe whose other end only the owner holds. It starts before the daemon and is killed after it,
so there is no moment without it.
"""

from __future__ import annotations

import contextlib
import os
import weakref
from typing import ClassVar

from muxwright.transports.endpoint import Endpoint
from muxwright.transports.spawn import discard, spawn

__all__ = ["Keeper"]

# $1: the directory, $2: the tmux executable. A daemon whose process id was not told yet is asked to end, and is known
# by its arguments. Of what runs in the panes, only what ignores the hang-up needs force: it is known by its environment
# (on Linux), and gets a second. A tmux server started in a pane is somebody else's.
_SCRIPT = r"""
trap '' HUP INT QUIT TERM
read -r daemon
read -r nothing
left() {
    grep -lsF "TMUX=$1/s," /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do
        read -r name <"/proc/$pid/comm" && [ "$name" != 'tmux: server' ] && echo "$pid"
    done
}
wait_while() {
    turn=0
    while "$@" && [ $turn -lt 10 ]; do sleep 0.1; turn=$((turn + 1)); done
}
if [ -n "$daemon" ]; then
    kill "$daemon"
    wait_while kill -0 "$daemon"
    kill -KILL "$daemon"
else
    sleep 1
    "$2" -N -S "$1/s" kill-server
    grep -lsF -- "$1/s" /proc/[0-9]*/cmdline | while IFS=/ read -r _ _ pid _; do kill -KILL "$pid"; done
fi
any_left() { [ -n "$(left "$1")" ]; }
wait_while any_left "$1"
for pid in $(left "$1"); do kill -KILL "$pid"; done
rm -rf -- "$1"
"""


class Keeper:
    """The shell and our end of its pipe."""

    _all: ClassVar[weakref.WeakSet[Keeper]] = weakref.WeakSet()

    def __init__(self, directory: str, endpoint: Endpoint) -> None:
        # Filled from C, so that Ctrl-C cannot lose a descriptor.
        self._pipe: list[int] = []
        self._all.add(self)
        try:
            self._pipe.extend(os.pipe())
            arguments = [directory, endpoint.tmux]
            argv = ["/bin/sh", "-c", _SCRIPT, "muxwright-keeper", *arguments]
            self._process = spawn(argv, endpoint.environment, stdin=self._pipe[0], directory="/")
            os.close(self._pipe.pop(0))
        except BaseException:
            self.let_go()
            raise

    def adopt(self, pid: int) -> None:
        """Say which process the daemon is."""
        os.write(self._pipe[0], b"%d\n" % pid)

    def dismiss(self) -> None:
        """End it: there is nothing left to do; idempotent."""
        discard(self._process)
        self.let_go()

    def let_go(self) -> None:
        """Close our copy of the pipe."""
        while self._pipe:
            with contextlib.suppress(OSError):
                os.close(self._pipe.pop())

    def __del__(self) -> None:
        self.let_go()


def _forked() -> None:
    # A child of the owner must not keep the pipe open.
    for keeper in list(Keeper._all):
        keeper.let_go()


os.register_at_fork(after_in_child=_forked)
