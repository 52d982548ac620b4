"""A snapshot: one consistent graph of infos, and selections of it.

All listings of a snapshot come out of one tmux queue item, so nothing changed between them. Building one checks that
every edge leads to a record, and refuses contradictions instead of guessing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar, overload

from muxwright.errors import (
    InconsistentSnapshot,
    InvalidArgument,
    MuxwrightError,
    PaneNotFound,
    SessionNotFound,
    SnapshotCoverageError,
    WindowNotFound,
)
from muxwright.model.fields import CLIENT, LINK, PANE, SESSION, WINDOW, Field, read_rows
from muxwright.model.infos import (
    ClientInfo,
    Info,
    PaneInfo,
    PaneOccurrence,
    SessionInfo,
    WindowInfo,
    WindowLinkInfo,
)
from muxwright.model.predicate import Predicate
from muxwright.refs import ServerIdentity, SessionRef, WindowRef
from muxwright.wire.versions import TmuxVersion

__all__ = ["Listings", "Selection", "Snapshot"]

T = TypeVar("T")
I = TypeVar("I", bound=Info)  # noqa: E741 - the type variable of infos

Rows = Sequence[Sequence[str]]


class Selection(Sequence[T], Generic[T]):
    """An ordered, read-only view of a snapshot's records.

    Positions are positions in this view, not tmux indexes. `filter` keeps the order and the snapshot.
    """

    __slots__ = ("_items", "snapshot")

    def __init__(self, snapshot: Snapshot, items: Iterable[T]) -> None:
        self.snapshot = snapshot
        self._items = tuple(items)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Selection[T]: ...
    def __getitem__(self, index: int | slice) -> T | Selection[T]:
        if isinstance(index, slice):
            return Selection(self.snapshot, self._items[index])
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

    def __contains__(self, item: object) -> bool:
        return item in self._items

    def __eq__(self, other: object) -> bool:
        return self._items == other._items if isinstance(other, Selection) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._items)

    def __repr__(self) -> str:
        return f"Selection({list(self._items)!r})"

    def filter(self, predicate: Callable[[T], bool]) -> Selection[T]:
        """Return the records for which `predicate` is true; a criterion checks all of them for coverage first.

        >>> snapshot.panes.filter(lambda pane: pane.dead)   # doctest: +SKIP
        """
        if isinstance(predicate, Predicate):
            return Selection(self.snapshot, predicate.matching(self._items))
        return Selection(self.snapshot, [item for item in self._items if predicate(item)])


class Listings(NamedTuple):
    """The raw rows of a snapshot, in the order of the tables in `fields.py`. Windows and panes repeat once a link."""

    sessions: Rows
    links: Rows
    windows: Rows
    panes: Rows
    clients: Rows


class Snapshot:
    """What one server held at one moment: everything, or what belongs to one session or window (`scope`).

    `identity`: socket path and generation; `version`: of the server; `acquired`: monotonic seconds before and after the
    read; `scope`: ``None`` for everything. A linked window is one window with several links.

    A scoped snapshot answers nothing that it does not know: its server-wide selections, objects outside the scope and
    relations that lead out of it raise `SnapshotCoverageError`. A session's has the session, its links, its windows and
    their panes; a window's has the window, its panes, its links, and the sessions of those without their other links.
    """

    def __init__(
        self,
        identity: ServerIdentity,
        version: TmuxVersion,
        acquired: tuple[float, float],
        listings: Listings,
        scope: SessionRef | WindowRef | None = None,
    ) -> None:
        self.identity = identity
        self.version = version
        self.acquired = acquired
        self.scope = scope
        self._sessions = self._index(SessionInfo, read_rows(SESSION, _distinct(SESSION, listings.sessions)))
        self._windows = self._index(WindowInfo, read_rows(WINDOW, _distinct(WINDOW, listings.windows)))
        self._panes = self._index(PaneInfo, read_rows(PANE, _distinct(PANE, listings.panes)))
        self._links = [WindowLinkInfo.make(self, values) for values in read_rows(LINK, listings.links)]
        self._clients = [ClientInfo.make(self, values) for values in read_rows(CLIENT, listings.clients)]
        self._panes_of: dict[str, list[PaneInfo]] = _grouped(self._panes.values(), "window_id")
        self._links_of_session: dict[str, list[WindowLinkInfo]] = _grouped(self._links, "session_id")
        self._links_of_window: dict[str, list[WindowLinkInfo]] = _grouped(self._links, "window_id")
        self._check()

    def _index(self, kind: type[I], rows: Iterable[tuple[Any, ...]]) -> dict[str, I]:
        records: dict[str, I] = {}
        for values in rows:
            key = values[0]
            if key in records:
                raise InconsistentSnapshot(f"two different records of {kind.entity} {key}")
            records[key] = kind.make(self, values)
        return records

    def _check(self) -> None:
        slots = set()
        for link in self._links:
            if link.session_id not in self._sessions or link.window_id not in self._windows:
                raise InconsistentSnapshot(f"the window link {link.label} leads to nothing")
            slots.add(link.label)
        if len(slots) != len(self._links):
            raise InconsistentSnapshot("two windows at one index of a session")
        for pane in self._panes.values():
            if pane.window_id not in self._windows:
                raise InconsistentSnapshot(f"the pane {pane.id} is in no window")
        for client in self._clients:
            if client.session_id is not None and client.session_id not in self._sessions:
                raise InconsistentSnapshot(f"the client {client.name!r} shows no session")

    # --- everything of the server ---

    def _whole(self, items: Iterable[T], what: str) -> Selection[T]:
        """Return a server-wide selection; only a snapshot of everything has it."""
        if self.scope is not None:
            raise self._uncovered(f"{what} of the whole server")
        return Selection(self, items)

    @property
    def sessions(self) -> Selection[SessionInfo]:
        """All sessions; `SnapshotCoverageError` in a scoped snapshot."""
        return self._whole(self._sessions.values(), "the sessions")

    @property
    def windows(self) -> Selection[WindowInfo]:
        """All windows, each once; `SnapshotCoverageError` in a scoped snapshot."""
        return self._whole(self._windows.values(), "the windows")

    @property
    def links(self) -> Selection[WindowLinkInfo]:
        """All window links, by session and index; `SnapshotCoverageError` in a scoped snapshot."""
        return self._whole(self._links, "the window links")

    @property
    def panes(self) -> Selection[PaneInfo]:
        """All panes, each once; `SnapshotCoverageError` in a scoped snapshot."""
        return self._whole(self._panes.values(), "the panes")

    @property
    def clients(self) -> Selection[ClientInfo]:
        """All attached clients; `SnapshotCoverageError` in a scoped snapshot."""
        return self._whole(self._clients, "the clients")

    @property
    def pane_occurrences(self) -> Selection[PaneOccurrence]:
        """Each pane once for each link of its window, in link order; `SnapshotCoverageError` in a scoped snapshot."""
        return self._whole(
            [PaneOccurrence(pane, link) for link in self._links for pane in link.window.panes], "the pane occurrences"
        )

    # --- one object ---

    def session(self, key: str) -> SessionInfo:
        """Return the session whose id (``"$1"``) or exact name the key is.

        Raises `SessionNotFound`; of a scoped snapshot `SnapshotCoverageError`, since it does not know the others.
        """
        found = self._sessions.get(key) or next((s for s in self._sessions.values() if s.name == key), None)
        return self._found(found, SessionNotFound, "session", key)

    def window(self, key: str) -> WindowInfo:
        """Return the window whose id the key is (``"@1"``).

        Raises `WindowNotFound` or, as `session`, `SnapshotCoverageError`.
        """
        return self._found(self._windows.get(key), WindowNotFound, "window", key)

    def pane(self, key: str) -> PaneInfo:
        """Return the pane whose id the key is (``"%1"``).

        Raises `PaneNotFound` or, as `session`, `SnapshotCoverageError`.
        """
        return self._found(self._panes.get(key), PaneNotFound, "pane", key)

    def _found(self, item: T | None, error: type[MuxwrightError], kind: str, key: str) -> T:
        if not isinstance(key, str):
            raise InvalidArgument(f"a {kind} is looked up by its id or name, a str, not {key!r}")
        if item is not None:
            return item
        if self.scope is not None:
            raise self._uncovered(f"the {kind} {key!r}")
        raise error(f"no {kind} {key!r} in this snapshot", target=key)

    def _uncovered(self, what: str) -> SnapshotCoverageError:
        kind = "session" if isinstance(self.scope, SessionRef) else "window"
        return SnapshotCoverageError(
            f"this snapshot is of the {kind} {self.scope} and does not tell of {what}; take a snapshot of the server"
        )

    # --- relations ---

    def panes_of(self, window: WindowInfo) -> Selection[PaneInfo]:
        """Return the panes of a window in index order."""
        return Selection(self, self._panes_of.get(window.id, ()))

    def links_of_session(self, session: SessionInfo) -> Selection[WindowLinkInfo]:
        """Return the window links of a session in index order; `SnapshotCoverageError` in a window's snapshot."""
        if isinstance(self.scope, WindowRef):
            raise self._uncovered(f"all links of the session {session.id}")
        return Selection(self, self._links_of_session.get(session.id, ()))

    def links_of_window(self, window: WindowInfo) -> Selection[WindowLinkInfo]:
        """Return the links of a window; `SnapshotCoverageError` in a session's snapshot."""
        if isinstance(self.scope, SessionRef):
            raise self._uncovered(f"all links of the window {window.id}")
        return Selection(self, self._links_of_window.get(window.id, ()))

    def windows_of(self, session: SessionInfo) -> Selection[WindowInfo]:
        """Return the windows of a session, each once, in link order; raises as `links_of_session`."""
        ids = dict.fromkeys(link.window_id for link in self.links_of_session(session))
        return Selection(self, [self._windows[window_id] for window_id in ids])

    def panes_in(self, session: SessionInfo) -> Selection[PaneInfo]:
        """Return the panes of a session's windows, each once, in link order; raises as `links_of_session`."""
        return Selection(self, [pane for window in self.windows_of(session) for pane in window.panes])

    def __repr__(self) -> str:
        if self.scope is not None:
            kind = "session" if isinstance(self.scope, SessionRef) else "window"
            return f"<Snapshot of the {kind} {self.scope} on {self.identity.socket_path} ({self.identity.generation})>"
        counts = f"{len(self.sessions)} sessions, {len(self.windows)} windows, {len(self.panes)} panes"
        return f"<Snapshot of {self.identity.socket_path} ({self.identity.generation}): {counts}>"


def _distinct(fields: Sequence[Field], rows: Rows) -> list[Sequence[str]]:
    """Return each row once: tmux lists a linked window and its panes once a link; of live fields the first counts."""
    key = itemgetter(*[index for index, field in enumerate(fields) if not field.live])
    found: dict[object, Sequence[str]] = {}
    for row in rows:
        found.setdefault(key(row), row)
    return list(found.values())


def _grouped(items: Iterable[Any], attribute: str) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for item in items:
        groups.setdefault(getattr(item, attribute), []).append(item)
    return groups
