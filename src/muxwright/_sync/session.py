# Generated from _async/session.py by tools/generate_sync.py: do not edit.
"""Session handles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from muxwright._sync.handle import Handle
from muxwright._sync.job import Job
from muxwright._sync.pane import Pane
from muxwright._sync.window import Window
from muxwright.commands.create import Program
from muxwright.model.infos import SessionInfo
from muxwright.model.outcome import RunOutcome
from muxwright.model.snapshot import Snapshot
from muxwright.operations import change, create, observe
from muxwright.operations.create import CreatedRefs
from muxwright.operations.jobs import RUN_TIMEOUT
from muxwright.refs import SessionRef

if TYPE_CHECKING:
    from muxwright._sync.host import Host
    from muxwright.transports.cancellation import CancellationToken

__all__ = ["Session"]


class Session(Handle[SessionRef]):
    """A session."""

    def __init__(self, host: Host, ref: SessionRef, created: CreatedRefs | None = None) -> None:
        super().__init__(host, ref)
        self._created = created

    def refresh(self, *, timeout: float | None = None) -> SessionInfo:
        """Return what tmux says of it now: the info of a fresh `snapshot`, with the same errors."""
        return self._run(observe.session_info(self._place, self.ref), timeout)

    def snapshot(self, *, timeout: float | None = None, cancel: CancellationToken | None = None) -> Snapshot:
        """Return one consistent graph of it: its links, its windows and their panes.

        Two listings in one queue item: it costs what this session costs, however much the server holds. Reading what
        it does not tell, such as other sessions that hold its windows too, raises `SnapshotCoverageError`.

        Raises `SessionNotFound` when it is gone, `StaleReference` after a restart of the server.
        """
        return self._run(observe.take_part(self._place, self.ref), timeout, cancel)

    def rename(self, name: str, *, timeout: float | None = None) -> None:
        """Give it exactly this name.

        Raises `AlreadyExists` for one in use, `InvalidArgument` for one that tmux would change.
        """
        self._run(change.rename_session(self._place, self.ref, name), timeout)

    def new_window(
        self,
        name: str | None = None,
        *,
        index: int | None = None,
        select: bool = False,
        command: Sequence[str] | None = None,
        shell_command: str | None = None,
        directory: str | None = None,
        environment: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Window:
        """Make a window (``new-window``) and return it; it does not become the current one unless `select`.

        `name`: exactly this one; without one tmux names it after its program. `index`: exactly this one,
        `AlreadyExists` when it is taken; default the next free one. What runs in it and where: as for `new_session`.
        """
        program = Program(command, shell_command, directory, environment)
        operation = create.new_window(self._place, self.ref, index, name, select, program)
        refs = self._run(operation, timeout)
        return Window(self.host, refs.window, refs)

    def windows(self, *, timeout: float | None = None) -> list[Window]:
        """Return a handle for each of its windows, in the order of their indexes."""
        return [Window(self.host, info.ref) for info in self.refresh(timeout=timeout).windows]

    def active_window(self, *, timeout: float | None = None) -> Window:
        """Return its current window: of a session just made without asking, else from a snapshot."""
        if self._created is not None:
            return Window(self.host, self._created.window, self._created)
        info = self.refresh(timeout=timeout).active_window
        assert info is not None, "tmux has no session without a window"
        return Window(self.host, info.ref)

    def active_pane(self, *, timeout: float | None = None) -> Pane:
        """Return the active pane of its current window."""
        window = self.active_window(timeout=timeout)
        return window.active_pane(timeout=timeout)

    def spawn(
        self,
        argv: Sequence[str],
        *,
        directory: str | None = None,
        environment: Mapping[str, str] | None = None,
        timeout: float = RUN_TIMEOUT,
        cancel: CancellationToken | None = None,
    ) -> RunOutcome[Job]:
        """Run `argv` in a new window of this session, which is removed at the end; otherwise as `Server.spawn`."""
        program = Program(argv, None, directory, environment)
        return self.host._spawn(program, self.ref, None, timeout, cancel)
