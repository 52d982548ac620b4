# Generated from _async/host.py by tools/generate_sync.py: do not edit.
"""What a server and a connection have in common: they run operations and hand out handles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from muxwright._sync.client import Client
from muxwright._sync.job import Job
from muxwright._sync.link import WindowLink
from muxwright._sync.noticing import Noticing
from muxwright._sync.pane import Pane
from muxwright._sync.session import Session
from muxwright._sync.window import Window
from muxwright.commands.create import DEFAULT_SIZE, Program
from muxwright.errors import InvalidArgument, SessionNotFound
from muxwright.model.infos import ClientInfo, PaneInfo, SessionInfo, WindowInfo, WindowLinkInfo
from muxwright.model.outcome import RunOutcome
from muxwright.model.snapshot import Snapshot
from muxwright.operations import batch, buffers, create, observe, plan
from muxwright.operations.batch import BatchItem
from muxwright.operations.jobs import RUN_TIMEOUT, JobTable, run_program
from muxwright.operations.plan import Plan, PlanItem
from muxwright.operations.steps import Operation
from muxwright.refs import BufferRef, ClientRef, Generation, PaneRef, SessionRef, WindowLinkRef, WindowRef
from muxwright.transports.blocking import Transport
from muxwright.transports.cancellation import CancellationToken
from muxwright.transports.deadline import DEFAULT_TIMEOUT
from muxwright.wire.versions import TmuxVersion

__all__ = ["Host"]

T = TypeVar("T")


class Host(Noticing):
    """Runs operations; base of `Server` and `Connection`.

    `timeout` (seconds, default 5) is the budget of each call that is not given one of its own. Calls that can take long
    have `cancel`: a `CancellationToken`, which ends them with `RequestCancelled` from any thread.
    """

    def __init__(self, transport: Transport, timeout: float = DEFAULT_TIMEOUT) -> None:
        self._transport = transport
        self.timeout = timeout
        self._jobs = JobTable()

    def run(self, operation: Operation[T], timeout: float | None = None, cancel: CancellationToken | None = None) -> T:
        """Run an operation (a generator of steps) and return its result; `cancel` ends its waiting."""
        return self._transport.run(operation, self.timeout if timeout is None else timeout, cancel)

    # --- reads ---

    def describe(self, *, timeout: float | None = None) -> tuple[Generation, TmuxVersion]:
        """Return the generation (pid and start time) and the version of the server.

        Raises `ServerNotRunning` when nothing listens at the socket.
        """
        return self.run(observe.describe(self._transport.place), timeout)

    def snapshot(self, *, timeout: float | None = None, cancel: CancellationToken | None = None) -> Snapshot:
        """Return everything the server holds, as one consistent graph.

        Five listings run as one queue item of tmux, so nothing changes between them. A server without sessions gives
        empty selections; no server at all raises `ServerNotRunning`.
        """
        return self.run(observe.take_snapshot(self._transport.place), timeout, cancel)

    def list_sessions(self, *variables: str, timeout: float | None = None) -> list[dict[str, str]]:
        """Return format variables of every session, as tmux gives them.

        A name that no tmux knows is refused with a near miss: tmux would look it up in its environment.
        """
        return self.run(observe.list_rows(self._transport.place, "sessions", variables), timeout)

    def list_windows(self, *variables: str, timeout: float | None = None) -> list[dict[str, str]]:
        """Return format variables of every window, once for each of its links."""
        return self.run(observe.list_rows(self._transport.place, "windows", variables), timeout)

    def list_panes(self, *variables: str, timeout: float | None = None) -> list[dict[str, str]]:
        """Return format variables of every pane, once for each link of its window."""
        return self.run(observe.list_rows(self._transport.place, "panes", variables), timeout)

    def list_clients(self, *variables: str, timeout: float | None = None) -> list[dict[str, str]]:
        """Return format variables of every attached client, our own connections included."""
        return self.run(observe.list_rows(self._transport.place, "clients", variables), timeout)

    def command(
        self, *words: str | bytes, timeout: float | None = None, cancel: CancellationToken | None = None
    ) -> bytes:
        """Run a tmux command and return what it printed, without the last newline; `words`: its name and arguments.

        Arguments are literal.

        Raises `CommandError` (or one of its kinds) when tmux refuses it. A connection takes full command names only,
        and none that would block or end it: `UnsupportedCapability`.
        """
        return self.run(observe.raw(self._transport.place, words), timeout, cancel)

    def run_batch(
        self,
        commands: Sequence[Sequence[str | bytes]],
        *,
        concurrency: int = 4,
        timeout: float | None = None,
        cancel: CancellationToken | None = None,
    ) -> list[BatchItem]:
        """Run independent tmux commands (at most 256, 1 MiB of arguments) and return an item for each, in their order.

        A failure stops none of the others. `concurrency`: 1 to 64 under way at a time, default 4; the blocking process
        transport runs them one after the other. All are checked before the first is sent, as by `command`.
        """
        return self.run(batch.run_batch(self._transport.place, commands, concurrency), timeout, cancel)

    def run_group(
        self,
        commands: Sequence[Sequence[str | bytes]],
        *,
        timeout: float | None = None,
        cancel: CancellationToken | None = None,
    ) -> list[BatchItem]:
        """Run tmux commands as one queue item: nothing comes between them, and the first failure skips the rest.

        The limits are those of `run_batch`; all are checked before they are sent, as by `command`.
        """
        return self.run(batch.run_group(self._transport.place, commands), timeout, cancel)

    def run_plan(
        self,
        steps: Plan,
        *,
        stop_on_failure: bool = True,
        timeout: float | None = None,
        cancel: CancellationToken | None = None,
    ) -> list[PlanItem]:
        """Run the steps of a `Plan` in the fewest round trips; return what became of each, in the order of recording.

        `stop_on_failure` (the default): a step that fails, or whose answer is lost, skips all later waves.
        """
        return self.run(plan.run_plan(self._transport.place, steps, stop_on_failure), timeout, cancel)

    # --- paste buffers ---

    def load_buffer(
        self, data: bytes | str, *, timeout: float | None = None, cancel: CancellationToken | None = None
    ) -> BufferRef:
        """Put data into a new paste buffer of a random name, and return its ref: text or bytes, any but NUL, not empty.

        The buffer is yours: `delete_buffer` removes it, nothing else does.
        """
        return self.run(buffers.load_buffer(self._transport.place, data), timeout, cancel)

    def save_buffer(
        self,
        ref: BufferRef,
        max_bytes: int = buffers.BUFFER_LIMIT,
        *,
        timeout: float | None = None,
        cancel: CancellationToken | None = None,
    ) -> bytes:
        """Return exactly the bytes of the paste buffer `ref`.

        Raises `OutputLimitExceeded` beyond `max_bytes` (default 8 MiB), `BufferNotFound` when it is gone,
        `StaleReference` when the server is another one by now.
        """
        return self.run(buffers.save_buffer(self._transport.place, ref, max_bytes), timeout, cancel)

    def delete_buffer(self, ref: BufferRef, *, timeout: float | None = None) -> None:
        """Delete the paste buffer `ref`; raises `BufferNotFound` when it is gone."""
        self.run(buffers.delete_buffer(self._transport.place, ref), timeout)

    # --- jobs ---

    def jobs(self) -> list[Job]:
        """Return the jobs that were started here, the newest first: those that run, and of the others the last ones."""
        return [Job(self, run) for run in self._jobs][::-1]

    def spawn(
        self,
        argv: Sequence[str],
        *,
        directory: str | None = None,
        environment: Mapping[str, str] | None = None,
        size: tuple[int, int] | None = None,
        timeout: float = RUN_TIMEOUT,
        cancel: CancellationToken | None = None,
    ) -> RunOutcome[Job]:
        """Run `argv`, program and arguments, in a new session; return its exit status and output; no shell is involved.

        tmux itself tells the status (``remain-on-exit``): a death by a signal is ``exit_status`` ``None`` with `signal`
        (which tmux before 3.4 may not know). The session is removed at the end. After `timeout` seconds (default 30) it
        goes on as `RunOutcome.job`. `size`, `directory`, `environment`: as for `new_session`.
        """
        program = Program(argv, None, directory, environment)
        return self._spawn(program, None, size, timeout, cancel)

    def _spawn(
        self,
        program: Program,
        session: SessionRef | None,
        size: tuple[int, int] | None,
        timeout: float,
        cancel: CancellationToken | None,
    ) -> RunOutcome[Job]:
        operation = run_program(self._transport.place, self._jobs, program, session, size)
        outcome = self.run(operation, timeout, cancel)
        return outcome.with_job(None if outcome.job is None else Job(self, outcome.job))

    # --- handles ---

    def session(self, session: SessionRef | SessionInfo | Session) -> Session:
        """Return a handle for a session (a ref, an info, or a handle of another host); nothing is asked."""
        return Session(self, _ref(session, SessionRef))

    def window(self, window: WindowRef | WindowInfo | Window) -> Window:
        """Return a handle for a window (a ref, an info, or a handle of another host); nothing is asked."""
        return Window(self, _ref(window, WindowRef))

    def link(self, link: WindowLinkRef | WindowLinkInfo) -> WindowLink:
        """Return a handle for a window link that was observed; nothing is asked."""
        return WindowLink(self, _ref(link, WindowLinkRef))

    def pane(self, pane: PaneRef | PaneInfo | Pane) -> Pane:
        """Return a handle for a pane (a ref, an info, or a handle of another host); nothing is asked."""
        return Pane(self, _ref(pane, PaneRef))

    def client(self, client: ClientRef | ClientInfo | Client) -> Client:
        """Return a handle for an attached client (a ref, an info, or a handle of another host); nothing is asked."""
        return Client(self, _ref(client, ClientRef))

    def sessions(self, *, timeout: float | None = None) -> list[Session]:
        """Return a handle for each session."""
        return [self.session(info) for info in self.snapshot(timeout=timeout).sessions]

    def windows(self, *, timeout: float | None = None) -> list[Window]:
        """Return a handle for each window, linked ones once."""
        return [self.window(info) for info in self.snapshot(timeout=timeout).windows]

    def panes(self, *, timeout: float | None = None) -> list[Pane]:
        """Return a handle for each pane."""
        return [self.pane(info) for info in self.snapshot(timeout=timeout).panes]

    def clients(self, *, timeout: float | None = None) -> list[Client]:
        """Return a handle for each attached client, our own connections included."""
        return [self.client(info) for info in self.snapshot(timeout=timeout).clients]

    def find_session(self, key: str, *, timeout: float | None = None) -> Session | None:
        """Return the session whose id (``"$1"``) or exact name the key is, or ``None``; never a prefix match."""
        info = self.run(observe.find_session(self._transport.place, key), timeout)
        return None if info is None else self.session(info)

    def get_session(self, key: str, *, timeout: float | None = None) -> Session:
        """Return the session whose id or exact name the key is; raises `SessionNotFound`."""
        found = self.find_session(key, timeout=timeout)
        if found is None:
            raise SessionNotFound(f"no session {key!r}", target=key)
        return found

    def get_window(self, key: str, *, timeout: float | None = None) -> Window:
        """Return the window whose id the key is (``"@1"``); raises `WindowNotFound`."""
        return self.window(self.snapshot(timeout=timeout).window(key))

    def get_pane(self, key: str, *, timeout: float | None = None) -> Pane:
        """Return the pane whose id the key is (``"%1"``), of the server that answers now; raises `PaneNotFound`."""
        return self.pane(self.snapshot(timeout=timeout).pane(key))

    # --- creation ---

    def new_session(
        self,
        name: str | None = None,
        *,
        command: Sequence[str] | None = None,
        shell_command: str | None = None,
        directory: str | None = None,
        environment: Mapping[str, str] | None = None,
        window_name: str | None = None,
        size: tuple[int, int] = DEFAULT_SIZE,
        timeout: float | None = None,
    ) -> Session:
        """Make a detached session and return it; nothing removes it but its owner.

        `name`, `window_name`: exactly these; without one tmux numbers the session, and names the window after its
        program. `command`: program and arguments, or `shell_command`: text for ``/bin/sh -c``; neither: the default
        shell. `directory`: absolute, default that of the tmux server. `environment`: variables that the programs in it
        get in addition. `size`: columns and rows, default 160x48. A `Server` starts a tmux server when there is none.

        Raises `AlreadyExists` for a name in use, `InvalidArgument` for one that tmux would change.
        """
        program = Program(command, shell_command, directory, environment)
        place = self._transport.place
        refs = self.run(create.new_session(place, name, size, window_name, program), timeout)
        return Session(self, refs.session, refs)


def _ref(value: object, kind: type[T]) -> T:
    """Return the ref of a ref, an info or another handle; an id alone names nothing, since each server counts anew."""
    found = getattr(value, "ref", value)
    if not isinstance(found, kind):
        raise InvalidArgument(
            f"expected a {kind.__name__} or something that has one, not {value!r};"
            " get_session(), get_window() and get_pane() take ids"
        )
    return found
