"""Drive real terminals through tmux: typed, exact, bounded, sync and async.

`Server` and `Connection` are the blocking way in, `AsyncServer` and `AsyncConnection` the asyncio one (loaded when
first used).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from muxwright._sync.connection import Connection
from muxwright._sync.objects import Pane, Session, Window
from muxwright._sync.server import OwnedServer, Server
from muxwright.errors import (
    AlreadyExists,
    AttachFailed,
    BadLayout,
    CaptureDecodeError,
    ClientNotFound,
    CommandError,
    ConnectionClosed,
    ConnectionLost,
    CreationResponseError,
    CrossServerReference,
    DeadlineExceeded,
    ForkedConnection,
    InconsistentSnapshot,
    InvalidArgument,
    LocalProtocolError,
    MuxwrightError,
    NoSessions,
    NoSpace,
    NotFound,
    OutputLimitExceeded,
    OwnedServerCleanupError,
    OwnedServerStartError,
    PaneDead,
    PaneInMode,
    PaneInputOff,
    PaneNotFound,
    ProcessIOError,
    ProcessSpawnError,
    ProtocolError,
    RemoteProtocolError,
    ServerError,
    ServerLost,
    ServerNotRunning,
    ServerUnreachable,
    SessionNotFound,
    SnapshotCoverageError,
    StaleReference,
    TmuxNotFound,
    UnsupportedCapability,
    WindowNotFound,
)
from muxwright.model.capture import Capture
from muxwright.model.infos import ClientInfo, PaneInfo, PaneOccurrence, SessionInfo, WindowInfo, WindowLinkInfo
from muxwright.model.snapshot import Selection, Snapshot
from muxwright.refs import (
    BufferRef,
    ClientId,
    ClientRef,
    Generation,
    PaneId,
    PaneRef,
    ServerIdentity,
    SessionId,
    SessionRef,
    WindowId,
    WindowLinkRef,
    WindowRef,
)
from muxwright.wire.layout import LayoutCell, read_layout
from muxwright.wire.versions import TmuxVersion

if TYPE_CHECKING:
    from muxwright._async.connection import AsyncConnection
    from muxwright._async.objects import AsyncPane, AsyncSession, AsyncWindow
    from muxwright._async.server import AsyncOwnedServer, AsyncServer

__version__ = "0.1.0"

__all__ = [
    "AlreadyExists",
    "AsyncConnection",
    "AsyncOwnedServer",
    "AsyncPane",
    "AsyncServer",
    "AsyncSession",
    "AsyncWindow",
    "AttachFailed",
    "BadLayout",
    "BufferRef",
    "Capture",
    "CaptureDecodeError",
    "ClientId",
    "ClientInfo",
    "ClientNotFound",
    "ClientRef",
    "CommandError",
    "Connection",
    "ConnectionClosed",
    "ConnectionLost",
    "CreationResponseError",
    "CrossServerReference",
    "DeadlineExceeded",
    "ForkedConnection",
    "Generation",
    "InconsistentSnapshot",
    "InvalidArgument",
    "LayoutCell",
    "LocalProtocolError",
    "MuxwrightError",
    "NoSessions",
    "NoSpace",
    "NotFound",
    "OutputLimitExceeded",
    "OwnedServer",
    "OwnedServerCleanupError",
    "OwnedServerStartError",
    "Pane",
    "PaneDead",
    "PaneId",
    "PaneInMode",
    "PaneInfo",
    "PaneInputOff",
    "PaneNotFound",
    "PaneOccurrence",
    "PaneRef",
    "ProcessIOError",
    "ProcessSpawnError",
    "ProtocolError",
    "RemoteProtocolError",
    "Selection",
    "Server",
    "ServerError",
    "ServerIdentity",
    "ServerLost",
    "ServerNotRunning",
    "ServerUnreachable",
    "Session",
    "SessionId",
    "SessionInfo",
    "SessionNotFound",
    "SessionRef",
    "Snapshot",
    "SnapshotCoverageError",
    "StaleReference",
    "TmuxNotFound",
    "TmuxVersion",
    "UnsupportedCapability",
    "Window",
    "WindowId",
    "WindowInfo",
    "WindowLinkInfo",
    "WindowLinkRef",
    "WindowNotFound",
    "WindowRef",
    "__version__",
    "read_layout",
]

# Loaded on first use: asyncio takes longer to import than all the rest.
_LAZY = {
    "AsyncConnection": "connection",
    "AsyncOwnedServer": "server",
    "AsyncPane": "objects",
    "AsyncServer": "server",
    "AsyncSession": "objects",
    "AsyncWindow": "objects",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(f"muxwright._async.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'muxwright' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
