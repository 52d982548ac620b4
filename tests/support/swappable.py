"""A tmux server that can be killed and replaced at the same socket, as a restart would."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.judge import Judge
from tests.support.recorder import Recorder
from tests.support.waiting import wait_until

__all__ = ["SwappableServer", "exists"]


class SwappableServer:
    """A foreground daemon started by hand; its one session's pane `%0` runs a recorder."""

    def __init__(self, directory: Path, tmux: str) -> None:
        directory.mkdir(mode=0o700)
        self.directory = directory
        self.tmux = tmux
        self.socket_path = str(directory / "s")
        self.judge = Judge(self.socket_path, tmux)
        self.lives = 0
        self.recorder = Recorder(directory / "unused")
        self._start()

    def _start(self) -> None:
        self.lives += 1
        self.process = subprocess.Popen(
            [self.tmux, "-u", "-D", "-S", self.socket_path, "-f", "/dev/null"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        wait_until(self.judge.alive, 20, "the daemon answers")
        self.recorder = Recorder(self.directory / f"received-{self.lives}")
        self.judge("new-session", "-d", "-x", "160", "-y", "48", "-s", "main", "-n", "main", "--", *self.recorder.argv)
        self.recorder.ready()
        assert self.judge.show("%0", "pane_id", "window_id", "session_id") == "%0 @0 $0"

    def kill(self) -> None:
        """SIGKILL, and wait until the programs in the panes are gone too."""
        pids = []
        if self.process.poll() is None:
            pids = [int(pid) for pid in self.judge("list-panes", "-a", "-F", "#{pane_pid}").split()]
        self.process.kill()
        self.process.wait()
        wait_until(lambda: not any(map(exists, pids)), 20, "the panes' programs are hung up")

    def swap(self) -> None:
        """Replace the daemon by another one: same socket, same ids, another life."""
        self.kill()
        self._start()

    def nothing_typed(self) -> None:
        """Prove that the present `%0` received nothing."""
        self.recorder.expect_nothing_but(lambda marker: self.judge("send-keys", "-t", "%0", "-l", "--", marker))

    def close(self) -> None:
        with contextlib.suppress(AssertionError):
            self.kill()
        shutil.rmtree(self.directory, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def exists(pid: int) -> bool:
    """Whether the process is there; `/proc` is asked before `kill`, which also sees what nobody has collected yet."""
    status = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"
    return subprocess.run(["ps", "-p", str(pid)], capture_output=True, check=False).returncode == 0
