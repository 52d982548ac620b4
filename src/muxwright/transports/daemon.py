"""A tmux server of our own: private directory, foreground daemon, no user configuration, nothing left behind.

The steps are here; `blocking` and `aio` have the loops that wait between them.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence

from muxwright.errors import InvalidArgument, OwnedServerCleanupError, OwnedServerStartError, bounded_diagnostic
from muxwright.transports.endpoint import Endpoint, spawn_error

__all__ = ["START_TIMEOUT", "TICK", "Daemon"]

START_TIMEOUT = 5.0
TICK = 0.002

# A plain shell without anybody's start-up files, unless the environment given says otherwise.
_CONFIGURATION = """\
set -g default-shell {shell}
set -g default-command {shell}
set -g detach-on-destroy off
set -g escape-time 0
"""


class Daemon:
    """A foreground ``tmux -D`` in a private directory, and everything needed to remove both.

    `environment` is the daemon's whole environment (default: ours without ``TMUX``); `configuration` is text in tmux's
    language that is read after the built-in defaults.
    """

    def __init__(
        self, tmux: str = "tmux", environment: Mapping[str, str] | None = None, configuration: str | None = None
    ) -> None:
        environment = dict(os.environ if environment is None else environment)
        shell = environment.get("SHELL") or "/bin/sh"
        if not os.path.isabs(shell) or any(char in shell for char in "'\n"):
            raise InvalidArgument(f"SHELL is {shell!r}; expected an absolute path")
        text = _CONFIGURATION.format(shell=f"'{shell}'")
        self.directory = tempfile.mkdtemp(prefix="muxwright-", dir=_base(environment))
        try:
            self._marker = os.path.join(self.directory, "owner")
            self._token = os.urandom(16).hex()
            config = os.path.join(self.directory, "tmux.conf")
            self._write(self._marker, self._token)
            self._write(config, text + (configuration or ""))
            self.endpoint = Endpoint(os.path.join(self.directory, "s"), tmux, environment)
            self.process = self._spawn(config)
        except BaseException:
            shutil.rmtree(self.directory, ignore_errors=True)
            raise
        self.owner = os.getpid()
        self._children: list[tuple[int, int]] = []

    def _write(self, path: str, text: str) -> None:
        with open(path, "x", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(text)

    def _spawn(self, config: str) -> subprocess.Popen[bytes]:
        argv = [self.endpoint.tmux, "-u", "-D", "-S", self.endpoint.socket_path, "-f", config]
        try:
            return subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=self.endpoint.environment,
                cwd=self.endpoint.environment.get("HOME") if _home(self.endpoint.environment) else "/",
                # Ctrl-C at the terminal must not end the daemon before its owner has cleaned up.
                start_new_session=True,
            )
        except OSError as error:
            raise spawn_error(self.endpoint.tmux, error) from None

    # --- start ---

    def ready(self) -> bool:
        """Whether the daemon accepts clients; raises `OwnedServerStartError` when it has exited."""
        if self.process.poll() is not None:
            assert self.process.stderr is not None
            said = bounded_diagnostic(self.process.stderr.read(4096))
            raise OwnedServerStartError(
                f"the private tmux server exited with status {self.process.returncode} at once: {said}", diagnostic=said
            )
        return os.path.exists(self.endpoint.socket_path) and self.endpoint.listening()

    def proved(self, pid: int) -> None:
        """Check that the server which answers is the process that was started."""
        if pid != self.process.pid:
            raise OwnedServerStartError(f"process {pid} answers at our private socket instead of {self.process.pid}")

    def not_ready(self, timeout: float) -> OwnedServerStartError:
        """Return the error for a daemon that does not come up."""
        return OwnedServerStartError(f"the private tmux server did not come up within {timeout:g} s")

    # --- end ---

    def remember(self, pane_pids: Sequence[int]) -> None:
        """Take hold of the panes' programs, so that those which ignore the hang-up can be ended too."""
        if sys.platform == "linux":
            for pid in pane_pids:
                with contextlib.suppress(OSError):
                    self._children.append((pid, os.pidfd_open(pid)))

    def terminate(self) -> None:
        """Ask the daemon to exit: it hangs up on all programs."""
        if self.process.poll() is None:
            self.process.terminate()

    def exited(self) -> bool:
        """Whether the daemon and the panes' programs have ended."""
        return self.process.poll() is not None and not any(_alive(pidfd) for _, pidfd in self._children)

    def remove(self) -> None:
        """Kill what is left and remove the directory; raises `OwnedServerCleanupError` when force was needed."""
        problems = []
        if self.process.poll() is None:
            self.process.kill()
            problems.append("the daemon had to be killed")
        self.process.wait()
        if self.process.stderr is not None:
            self.process.stderr.close()
        for pid, pidfd in self._children:
            if _alive(pidfd):
                # The pane's program leads a session of its own: its children go with it.
                with contextlib.suppress(OSError):
                    os.killpg(pid, signal.SIGKILL)
                with contextlib.suppress(OSError):
                    signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            os.close(pidfd)
        self._children.clear()
        if self._owned():
            shutil.rmtree(self.directory, ignore_errors=True)
        if os.path.exists(self.directory):
            problems.append(f"{self.directory} is left: it is no longer ours, or could not be removed")
        if problems:
            raise OwnedServerCleanupError("; ".join(problems))

    def _owned(self) -> bool:
        with contextlib.suppress(OSError), open(self._marker, encoding="utf-8") as file:
            return file.read() == self._token
        return False

    def abandon(self) -> None:
        """Remove everything without asking or waiting: for the interpreter's exit."""
        if os.getpid() == self.owner:
            with contextlib.suppress(Exception):
                self.terminate()
                self.process.wait(0.9)
            with contextlib.suppress(Exception):
                self.remove()


def _base(environment: Mapping[str, str]) -> str:
    """Return a short private place: a socket path has about 100 bytes, and some temporary directories use them up."""
    runtime = environment.get("XDG_RUNTIME_DIR") or os.environ.get("XDG_RUNTIME_DIR") or ""
    usable = runtime and os.path.isdir(runtime) and os.access(runtime, os.W_OK) and len(runtime) < 60
    return runtime if usable else "/tmp"


def _home(environment: Mapping[str, str]) -> bool:
    return os.path.isdir(environment.get("HOME", ""))


def _alive(pidfd: int) -> bool:
    """Whether a process still runs: its descriptor becomes readable when it ends."""
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    return not poll.poll(0)
