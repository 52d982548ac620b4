# Generated from _async/server.py by tools/generate_sync.py: do not edit.
"""Servers: where tmux listens, and a private one of our own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import TracebackType
from typing import NoReturn, Self

from muxwright._sync.connection import Connection
from muxwright._sync.host import Host
from muxwright._sync.session import Session
from muxwright.errors import InvalidArgument, OwnedServerCleanupError, ServerLost, ServerNotRunning
from muxwright.operations.attach import choose_session
from muxwright.transports.blocking import ControlTransport, DaemonRunner, ProcessTransport
from muxwright.transports.blocking.process import run_process
from muxwright.transports.cancellation import CancellationToken
from muxwright.transports.daemon import START_TIMEOUT
from muxwright.transports.deadline import DEFAULT_TIMEOUT, Deadline
from muxwright.transports.endpoint import Endpoint, ambient_socket
from muxwright.wire.versions import TmuxVersion

__all__ = ["OwnedServer", "Server"]


class Server(Host):
    """A tmux server at an endpoint; each call is one tmux process, and nothing is held between calls.

    Give exactly one of `socket_path` and `socket_name` (tmux's ``-S`` and ``-L``). `tmux`: the executable.
    `environment`: of the tmux processes, default this process's; ``TMUX``, ``LINES`` and ``COLUMNS`` never count.
    Nothing is contacted before the first call, and the server is borrowed: it is never ended here.
    """

    def __init__(
        self,
        *,
        socket_path: str | None = None,
        socket_name: str | None = None,
        tmux: str = "tmux",
        environment: Mapping[str, str] | None = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> None:
        self._endpoint = Endpoint.select(socket_path, socket_name, tmux, environment)
        self._client_version: TmuxVersion | None = None
        super().__init__(ProcessTransport(self._endpoint), timeout)

    @classmethod
    def from_env(
        cls,
        environment: Mapping[str, str] | None = None,
        *,
        tmux: str = "tmux",
        timeout: float = DEFAULT_TIMEOUT,
    ) -> Server:
        """Return the server that a tmux command would use here: that of ``$TMUX``, else the one named ``default``.

        `environment`: where ``TMUX`` and ``TMUX_TMPDIR`` are looked up, default this process's. Raises
        `InvalidArgument` for a ``TMUX`` that tmux did not write.
        """
        environment = dict(os.environ if environment is None else environment)
        path = ambient_socket(environment)
        return Server(socket_path=path, tmux=tmux, environment=environment, timeout=timeout)

    @property
    def socket_path(self) -> str:
        """Where the server listens, as an absolute path."""
        return self._endpoint.socket_path

    @property
    def attach_command(self) -> list[str]:
        """The command with which a person attaches to the server and watches."""
        return [self._endpoint.tmux, "-S", self._endpoint.socket_path, "attach-session"]

    def is_running(self, *, timeout: float | None = None) -> bool:
        """Return whether a server answers; raises `ServerUnreachable` when it cannot be asked."""
        try:
            self.describe(timeout=timeout)
        except (ServerNotRunning, ServerLost):  # not there, or on its way out while it was asked
            return False
        return True

    def client_version(self, *, timeout: float | None = None) -> TmuxVersion:
        """Return the version of the tmux executable (``tmux -V``); asked once."""
        return self._ask_version(Deadline.after(self.timeout if timeout is None else timeout))

    def _ask_version(self, deadline: Deadline) -> TmuxVersion:
        if self._client_version is None:
            argv = [os.fsencode(self._endpoint.tmux), b"-V"]
            finished = run_process(argv, self._endpoint.environment, b"", 4096, deadline, "tmux -V")
            self._client_version = TmuxVersion.parse(finished.stdout.decode("ascii", "replace"))
        return self._client_version

    def connect(
        self,
        session: Session | None = None,
        *,
        timeout: float | None = None,
        cancel: CancellationToken | None = None,
    ) -> Connection:
        """Open a control connection: the same methods, some forty times faster than a process for each call.

        It attaches a control client to `session` (default: the one used last), which `list-clients` shows; the client
        ignores sizes and takes no output. Use it as a context manager, or close it.

        Raises `NoSessions` when there is none to attach to, `SessionNotFound` when `session` is gone,
        `UnsupportedCapability` when executable and server are on different sides of tmux 3.6, `AttachFailed` otherwise.
        """
        deadline = Deadline.after(self.timeout if timeout is None else timeout, cancel)
        client = self._ask_version(deadline)
        wanted = None if session is None else session.ref
        place = self._transport.place
        found = self._transport.run(choose_session(place, wanted, client), *deadline.rest())
        server = (found.generation, found.version)
        transport = ControlTransport.open(self._endpoint, found.session, server, deadline)
        try:
            connection = Connection(transport, self.timeout)
            connection._prove(deadline)
        except BaseException:
            transport.close()
            raise
        return connection

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at {self.socket_path}>"


class OwnedServer(Server):
    """A private tmux server: its own directory (0700) and environment, no user configuration, removed at the end.

    Removed with it are the programs in its panes, by force where they ignore the hang-up. It does not outlive this
    process, however that ends: a small shell beside it sees to that. A forked child uses it, but never ends it.

    Use it as a context manager, or `start` it and close it. `environment`: the daemon's whole environment, default this
    process's; ``LINES`` and ``COLUMNS`` never count. `configuration`: text in tmux's language, read at the start.

    Raises `OwnedServerStartError` or `TmuxNotFound` at the start, `OwnedServerCleanupError` when force was needed at
    the end.
    """

    def __init__(
        self,
        *,
        tmux: str = "tmux",
        environment: Mapping[str, str] | None = None,
        configuration: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> None:
        self._tmux = tmux
        self._environment = environment
        self._configuration = configuration
        self._runner: DaemonRunner | None = None
        self.timeout = timeout

    def __getattr__(self, name: str) -> NoReturn:
        if name in ("_endpoint", "_transport"):
            raise InvalidArgument("this private server is not started: use it as a context manager, or call start()")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def start(self, *, timeout: float = START_TIMEOUT) -> Self:
        """Start the daemon; its process id is proved to be the one that answers."""
        if self._runner is None:
            self._runner = DaemonRunner.start(self._tmux, self._environment, self._configuration, timeout)
            endpoint = self._runner.daemon.endpoint
            super().__init__(
                socket_path=endpoint.socket_path,
                tmux=endpoint.tmux,
                environment=endpoint.environment,
                timeout=self.timeout,
            )
        return self

    @property
    def pid(self) -> int:
        """The daemon's process id."""
        assert self._runner is not None, "start the server first"
        return self._runner.daemon.process.pid

    def close(self) -> None:
        """End the daemon and the programs in its panes, and remove its directory; idempotent."""
        if self._runner is not None:
            self._runner.stop()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except OwnedServerCleanupError as problem:
            if error is None:
                raise
            if isinstance(error, Exception):
                raise ExceptionGroup("the private server could not be removed in order", [error, problem]) from None
            error.add_note(str(problem))
