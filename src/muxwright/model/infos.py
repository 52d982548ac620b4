"""Infos: what was observed about one object at one moment. Immutable.

A field is a value, or ``None`` for a known absence, or was not captured; reading one that was not raises
`SnapshotCoverageError`, so "not observed" can never be taken for "not there".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self

from muxwright.errors import SnapshotCoverageError
from muxwright.model.fields import CLIENT, LINK, PANE, SESSION, UNCAPTURED, WINDOW, Field
from muxwright.refs import (
    ClientId,
    ClientRef,
    PaneId,
    PaneRef,
    SessionId,
    SessionRef,
    WindowId,
    WindowLinkRef,
    WindowRef,
)

if TYPE_CHECKING:
    from muxwright.model.snapshot import Selection, Snapshot

__all__ = ["ClientInfo", "Info", "PaneInfo", "PaneOccurrence", "SessionInfo", "WindowInfo", "WindowLinkInfo"]


class Info:
    """Base of all infos: named fields and the snapshot they belong to."""

    __slots__ = ("_values", "snapshot")
    fields: ClassVar[tuple[Field, ...]] = ()
    entity: ClassVar[str] = ""

    snapshot: Snapshot
    _values: tuple[Any, ...]

    @classmethod
    def make(cls, snapshot: Snapshot, values: Sequence[Any]) -> Self:
        """Return an info of `snapshot`; `values` are in the order of the class's fields."""
        if len(values) != len(cls.fields):
            raise ValueError(f"{cls.__name__} has {len(cls.fields)} fields, not {len(values)}")
        info = cls.__new__(cls)
        object.__setattr__(info, "snapshot", snapshot)
        # All in one tuple: setting an attribute for each field would take longer than reading the whole listing.
        object.__setattr__(info, "_values", tuple(values))
        return info

    def __init_subclass__(cls) -> None:
        for index, field in enumerate(cls.fields):
            doc = f"What tmux calls ``{field.variable}``."
            setattr(cls, field.name, property(_getter(index, field.name), doc=doc))

    def captured(self, name: str) -> bool:
        """Whether the field `name` was captured; raises `KeyError` for a name that is no field."""
        if name not in {field.name for field in self.fields}:
            raise KeyError(name)
        try:
            getattr(self, name)
        except SnapshotCoverageError:
            return False
        return True

    def as_dict(self) -> dict[str, Any]:
        """Return the captured fields by name."""
        return {field.name: getattr(self, field.name) for field in self.fields if self.captured(field.name)}

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} has no field {name!r}")

    @property
    def label(self) -> str:
        """The id, for messages."""
        return str(getattr(self, self.fields[0].name))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable; take a new snapshot instead")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.snapshot.identity == other.snapshot.identity and self._values == other._values

    def __hash__(self) -> int:
        return hash((type(self), self.snapshot.identity, self.label))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.as_dict().items())
        return f"{type(self).__name__}({fields})"


def _getter(index: int, name: str) -> Callable[[Info], Any]:
    """Return the reader of one field."""

    def get(info: Info) -> Any:
        value = info._values[index]
        if value is UNCAPTURED:
            raise SnapshotCoverageError(f"{info.entity} {info.label}: {name} was not captured", target=info.label)
        return value

    return get


class SessionInfo(Info):
    """A session as it was observed. Times are epoch seconds; `last_attached` and `group` may be ``None``."""

    __slots__ = ()
    fields = SESSION
    entity = "session"

    id: SessionId
    name: str
    attached_clients: int
    created: int
    activity: int
    last_attached: int | None
    group: str | None
    path: str

    @property
    def ref(self) -> SessionRef:
        """The session's identity."""
        return SessionRef(self.snapshot.identity, self.id)

    @property
    def links(self) -> Selection[WindowLinkInfo]:
        """The session's window links in index order."""
        return self.snapshot.links_of_session(self)

    @property
    def windows(self) -> Selection[WindowInfo]:
        """The session's windows, each once, in the order of their links."""
        return self.snapshot.windows_of(self)

    @property
    def panes(self) -> Selection[PaneInfo]:
        """The panes of the session's windows, each once, in the order of `windows`."""
        return self.snapshot.panes_in(self)

    @property
    def active_window(self) -> WindowInfo | None:
        """The session's current window; ``None`` only for a session that has none."""
        return next((link.window for link in self.links if link.active), None)


class WindowInfo(Info):
    """A window as it was observed: one object, however often it is linked. Sizes are cells.

    `layout` is tmux's own text (JSON from tmux 3.8 on); `muxwright.read_layout` parses both.
    """

    __slots__ = ()
    fields = WINDOW
    entity = "window"

    id: WindowId
    name: str
    width: int
    height: int
    layout: str
    visible_layout: str
    zoomed: bool
    activity: int

    @property
    def ref(self) -> WindowRef:
        """The window's identity."""
        return WindowRef(self.snapshot.identity, self.id)

    @property
    def panes(self) -> Selection[PaneInfo]:
        """The window's panes in index order."""
        return self.snapshot.panes_of(self)

    @property
    def links(self) -> Selection[WindowLinkInfo]:
        """Where the window is linked."""
        return self.snapshot.links_of_window(self)

    @property
    def active_pane(self) -> PaneInfo | None:
        """The window's active pane."""
        return next((pane for pane in self.panes if pane.active), None)


class WindowLinkInfo(Info):
    """One slot of a session: which window is at which index, and whether it is the current one."""

    __slots__ = ()
    fields = LINK
    entity = "window link"

    session_id: SessionId
    window_id: WindowId
    index: int
    active: bool

    @property
    def ref(self) -> WindowLinkRef:
        """The link's identity."""
        return WindowLinkRef(self.session.ref, self.window.ref, self.index)

    @property
    def session(self) -> SessionInfo:
        """The session that owns the slot."""
        return self.snapshot.session(self.session_id)

    @property
    def window(self) -> WindowInfo:
        """The window in the slot."""
        return self.snapshot.window(self.window_id)

    @property
    def label(self) -> str:
        """``$1:2``, for messages."""
        return f"{self.session_id}:{self.index}"


class PaneInfo(Info):
    """A pane as it was observed. Sizes and positions are cells, from 0.

    `pid` is ``None`` for a pane without a program, `exit_status` while it runs or when a signal ended it, `mode` when
    the pane is in none. `current_command` and `current_path` may not have been captured.
    """

    __slots__ = ()
    fields = PANE
    entity = "pane"

    id: PaneId
    window_id: WindowId
    index: int
    active: bool
    dead: bool
    exit_status: int | None
    pid: int | None
    tty: str | None
    width: int
    height: int
    left: int
    top: int
    cursor_x: int
    cursor_y: int
    history_size: int
    history_limit: int
    mode: str | None
    piped: bool
    input_off: bool
    synchronized: bool
    title: str
    current_command: str
    current_path: str
    start_command: str | None

    @property
    def ref(self) -> PaneRef:
        """The pane's identity."""
        return PaneRef(self.snapshot.identity, self.id)

    @property
    def window(self) -> WindowInfo:
        """The pane's window."""
        return self.snapshot.window(self.window_id)


class ClientInfo(Info):
    """A client as it was observed; `session_id` is ``None`` when it is attached to none.

    Our own connections are listed too.
    """

    __slots__ = ()
    fields = CLIENT
    entity = "client"

    name: str
    pid: int
    created: int
    session_id: SessionId | None
    activity: int
    width: int
    height: int
    tty: str | None
    control: bool
    readonly: bool

    @property
    def id(self) -> ClientId:
        """The client's name and incarnation."""
        return ClientId(self.name, f"{self.pid}:{self.created}")

    @property
    def ref(self) -> ClientRef:
        """The client's identity."""
        return ClientRef(self.snapshot.identity, self.id)

    @property
    def session(self) -> SessionInfo | None:
        """The session that the client shows."""
        return None if self.session_id is None else self.snapshot.session(self.session_id)


class PaneOccurrence:
    """A pane as seen through one link of its window: a pane of a window that is linked twice occurs twice."""

    __slots__ = ("link", "pane")

    def __init__(self, pane: PaneInfo, link: WindowLinkInfo) -> None:
        self.pane = pane
        self.link = link

    @property
    def key(self) -> tuple[object, ...]:
        """What makes the occurrence one: server, session, index, pane."""
        return (self.pane.snapshot.identity, self.link.session_id, self.link.index, self.pane.id)

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, PaneOccurrence) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"PaneOccurrence({self.link.label}.{self.pane.id})"
