"""A tmux server of our own: private directory, foreground daemon, no user configuration, nothing left behind.

The steps are here; `blocking` and `aio` have the loops that wait between them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping

from muxwright.errors import (
    InvalidArgument,
    MuxwrightError,
    OwnedServerCleanupError,
    OwnedServerStartError,
    bounded_diagnostic,
)
from muxwright.transports.deadline import CLEANUP
from muxwright.transports.directories import short_base
from muxwright.transports.endpoint import Endpoint
from muxwright.transports.keeper import Keeper
from muxwright.transports.spawn import Process, discard, spawn
from muxwright.transports.staging import server_gone

__all__ = ["PROOF", "START_TIMEOUT", "TICK", "Daemon"]

START_TIMEOUT = 5.0
TICK = 0.002

PROOF = "@muxwright-owner"
"""The option that our configuration sets last: a file with a mistake in it is dropped by tmux whole, and silently."""

# A plain shell without anybody's start-up files, unless the environment given says otherwise.
_CONFIGURATION = """\
set -g default-shell {shell}
set -g default-command {shell}
set -g detach-on-destroy off
set -g escape-time 0
"""


class Daemon:
    """A foreground ``tmux -D`` in a private directory, and everything needed to remove both.

    `environment` is the daemon's whole environment (default: ours), without ``TMUX``, ``LINES`` and ``COLUMNS``;
    `configuration` is text in tmux's language that is read after the built-in defaults.
    """

    def __init__(
        self, tmux: str = "tmux", environment: Mapping[str, str] | None = None, configuration: str | None = None
    ) -> None:
        environment = dict(os.environ if environment is None else environment)
        shell = environment.get("SHELL") or "/bin/sh"
        if not os.path.isabs(shell) or any(char in shell for char in "'\n"):
            raise InvalidArgument(f"SHELL is {shell!r}; expected an absolute path")
        # Named before it is made, so that Ctrl-C in between cannot hide it.
        self.directory = os.path.join(short_base(environment), f"muxwright-{os.urandom(6).hex()}")
        self._made = False
        self._token = os.urandom(16).hex()
        ours = _CONFIGURATION.format(shell=f"'{shell}'")
        self._configuration = f"{ours}{configuration or ''}\nset -g {PROOF} {self._token}\n"
        self.configuration_path = os.path.join(self.directory, "tmux.conf")
        self.endpoint = Endpoint(os.path.join(self.directory, "s"), tmux, environment)
        self.owner = os.getpid()
        self._keeper: Keeper | None = None
        self._process: Process | None = None
        self._held: dict[int, bytes] = {}  # process ids and start times
        self._left = 0
        self._until = 0.0

    @property
    def process(self) -> Process:
        """The daemon, once it is started."""
        assert self._process is not None, "start the daemon first"
        return self._process

    # --- start ---

    def start(self) -> None:
        """Make the directory and start the process in it; whatever happens, `remove` must follow."""
        self._made = True
        try:
            os.mkdir(self.directory, 0o700)
            _write(self.configuration_path, self._configuration)
        except OSError as error:
            self._made = not isinstance(error, FileExistsError)
            raise OwnedServerStartError(f"{self.directory} could not be made: {error.strerror}") from None
        environment = self.endpoint.environment
        self._keeper = Keeper(self.directory, self.endpoint)
        self._process = spawn(
            [self.endpoint.tmux, "-u", "-D", "-S", self.endpoint.socket_path, "-f", self.configuration_path],
            environment,
            stderr=subprocess.PIPE,
            directory=environment.get("HOME") if _home(environment) else "/",
        )
        self._keeper.adopt(self._process.pid)

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

    def configured(self, proof: bytes) -> bool:
        """Whether tmux has taken our configuration, all of it."""
        return proof == self._token.encode()

    def misconfigured(self, complaint: bytes) -> OwnedServerStartError:
        """Return the error for a configuration of which tmux took nothing; it does not always say why."""
        said = bounded_diagnostic(complaint.replace(os.fsencode(self.configuration_path), b"configuration"))
        return OwnedServerStartError(
            f"tmux did not take the configuration: {said or 'perhaps a quote or a brace is not closed'}",
            diagnostic=said,
        )

    def silent(self, error: MuxwrightError) -> OwnedServerStartError:
        """Return the error for a daemon that came up and does not answer."""
        return OwnedServerStartError(f"the private tmux server does not answer: {error}", diagnostic=error.diagnostic)

    def not_ready(self, timeout: float) -> OwnedServerStartError:
        """Return the error for a daemon that does not come up."""
        return OwnedServerStartError(f"the private tmux server did not come up within {timeout:g} s")

    # --- end ---

    def terminate(self) -> None:
        """Take hold of the programs in the panes and ask the daemon to exit: it hangs up on all of them."""
        if self._process is None:
            return
        if self._process.poll() is None:
            self._hold(_children(self._process.pid))
            self._process.terminate()
        else:
            # It died before its time; who was its child can only be seen by other means.
            self._hold(self._inhabitants())
        self._left = len(self._held) + 1
        self._until = time.monotonic() + CLEANUP

    def _hold(self, pids: Iterable[int]) -> None:
        """Remember processes, so that their ids cannot be mistaken when they are used again."""
        self._held.update((pid, start) for pid in pids if (start := _start_time(pid)))

    def _inhabitants(self) -> Iterator[int]:
        """Processes that were started in one of our panes, but for a tmux server: its panes are somebody else's.

        A child that the daemon has just forked still looks like the daemon itself.
        """
        path = os.fsencode(self.endpoint.socket_path)
        inside, forked = b"\0TMUX=%b," % path, b"\0-D\0-S\0%b\0" % path
        for pid in _processes():
            if inside in b"\0" + _read(pid, "environ"):
                if _read(pid, "comm") != b"tmux: server\n":
                    yield pid
            elif forked in _read(pid, "cmdline") and pid != self.process.pid:
                yield pid

    def waiting(self) -> float:
        """Return for how long to wait for the daemon and the programs in its panes; 0: they have ended, or do not.

        While one after the other ends, tmux is at work; with a thousand panes that takes seconds.
        """
        running = self._process is not None and self._process.poll() is None
        left = len(self._alive()) + running
        now = time.monotonic()
        if left < self._left:
            self._left, self._until = left, now + CLEANUP
        return TICK * (1 + left / 20) if left and now < self._until else 0

    def _alive(self) -> list[int]:
        self._held = {pid: start for pid, start in self._held.items() if _start_time(pid) == start}
        return list(self._held)

    def remove(self) -> None:
        """Kill what is left and remove the directory; raises `OwnedServerCleanupError` when force was needed.

        Idempotent; what a first call could not do because it was interrupted, a second one does.
        """
        problems = []
        if self._process is not None:
            if self._process.poll() is None:
                problems.append("the daemon had to be killed")
                self._hold(_children(self._process.pid))
            discard(self._process)
            server_gone(self._process.pid)
            # Killed, by us or by others, perhaps while its children were asked for: nobody has ended them.
            if self._process.returncode:
                self._hold(self._inhabitants())
        self._kill_held()
        if self._made:
            shutil.rmtree(self.directory, ignore_errors=True)
            if os.path.exists(self.directory):
                problems.append(f"{self.directory} could not be removed")
        if self._keeper is not None:
            self._keeper.dismiss()
        if problems:
            raise OwnedServerCleanupError("; ".join(problems))

    def _kill_held(self) -> None:
        for pid in self._alive():
            with contextlib.suppress(OSError):
                # A pane's program leads a session of its own: its children go with it.
                kill = os.killpg if os.getsid(pid) == pid else os.kill
                kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + CLEANUP
        while self._alive() and time.monotonic() < deadline:
            time.sleep(TICK)

    def abandon(self) -> None:
        """Remove everything: for an owner that was forgotten, and for the interpreter's exit."""
        with contextlib.suppress(OwnedServerCleanupError):
            self.end()

    def end(self) -> None:
        """Terminate, wait a little, and remove; nothing happens in a forked child, whose parent owns the daemon."""
        if not self.mine():
            return
        try:
            self.terminate()
            while pause := self.waiting():
                time.sleep(pause)
        except BaseException:
            self.abort()
            raise
        self.remove()

    def abort(self) -> None:
        """Remove everything at once; a failure is not told, since something else is being reported."""
        with contextlib.suppress(OwnedServerCleanupError):
            self.remove()

    def mine(self) -> bool:
        """Whether this process is the owner."""
        return os.getpid() == self.owner


def _home(environment: Mapping[str, str]) -> bool:
    return os.path.isdir(environment.get("HOME", ""))


def _write(path: str, text: str) -> None:
    with open(path, "x", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(text)


def _start_time(pid: int) -> bytes:
    """Return when a process was started, on Linux; nothing when it has ended."""
    fields = _stat(pid)
    return fields[19] if fields and fields[0] not in (b"Z", b"X") else b""


def _stat(pid: int) -> list[bytes]:
    """Return the state of a process, its parent, and so on; nothing when it is gone."""
    return _read(pid, "stat").rpartition(b")")[2].split()


def _children(pid: int) -> list[int]:
    """Return the children of a process, on Linux."""
    if os.path.exists(f"/proc/{pid}/task/{pid}/children"):
        return [int(child) for child in _read(pid, f"task/{pid}/children").split()]
    return [child for child in _processes() if _stat(child)[1:2] == [b"%d" % pid]]


def _processes() -> list[int]:
    """Return all process ids, on Linux."""
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    except OSError:
        return []


def _read(pid: int, name: str) -> bytes:
    """Return a file of a process, or nothing when it has none (any more), or is not ours."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/{name}", "rb") as file:
        return file.read()
    return b""
