"""Drive real terminals through tmux: typed, exact, bounded, sync and async.

`Server` and `Connection` are the blocking way in, `AsyncServer` and `AsyncConnection` the asyncio one. Each public
name is loaded when it is first used, so importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module

# Not from `typing`, which takes longer to import than this module; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from muxwright._async.connection import AsyncConnection
    from muxwright._async.link import AsyncWindowLink
    from muxwright._async.pane import AsyncPane
    from muxwright._async.server import AsyncOwnedServer, AsyncServer
    from muxwright._async.session import AsyncSession
    from muxwright._async.window import AsyncWindow
    from muxwright._sync.connection import Connection
    from muxwright._sync.link import WindowLink
    from muxwright._sync.pane import Pane
    from muxwright._sync.server import OwnedServer, Server
    from muxwright._sync.session import Session
    from muxwright._sync.window import Window
    from muxwright.commands.create import Program
    from muxwright.errors import (
        AlreadyExists,
        AlreadySo,
        AttachFailed,
        BadLayout,
        CaptureDecodeError,
        ClientNotFound,
        CommandError,
        ConnectionBusy,
        ConnectionClosed,
        ConnectionLost,
        CreationResponseError,
        CrossServerReference,
        DeadlineExceeded,
        ForkedConnection,
        InconsistentSnapshot,
        InvalidArgument,
        LastLink,
        LocalProtocolError,
        MultipleMatchesError,
        MuxwrightError,
        NoMatchError,
        NoSessions,
        NoSpace,
        NotFound,
        OutputLimitExceeded,
        OwnedServerCleanupError,
        OwnedServerStartError,
        PaneDead,
        PaneInMode,
        PaneInputOff,
        PaneInUse,
        PaneNotFound,
        PipeInUse,
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
        UnsupportedCriterion,
        WindowNotFound,
        WireCriteriaError,
    )
    from muxwright.model.capture import Capture
    from muxwright.model.infos import ClientInfo, PaneInfo, PaneOccurrence, SessionInfo, WindowInfo, WindowLinkInfo
    from muxwright.model.snapshot import Selection, Snapshot
    from muxwright.operations.batch import BatchItem
    from muxwright.operations.plan import Plan, PlanItem
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

__version__ = "0.1.0"

_MODULES = {
    "_async.connection": ("AsyncConnection",),
    "_async.link": ("AsyncWindowLink",),
    "_async.pane": ("AsyncPane",),
    "_async.server": ("AsyncOwnedServer", "AsyncServer"),
    "_async.session": ("AsyncSession",),
    "_async.window": ("AsyncWindow",),
    "_sync.connection": ("Connection",),
    "_sync.link": ("WindowLink",),
    "_sync.pane": ("Pane",),
    "_sync.server": ("OwnedServer", "Server"),
    "_sync.session": ("Session",),
    "_sync.window": ("Window",),
    "commands.create": ("Program",),
    "errors": (
        "AlreadyExists",
        "AlreadySo",
        "AttachFailed",
        "BadLayout",
        "CaptureDecodeError",
        "ClientNotFound",
        "CommandError",
        "ConnectionBusy",
        "ConnectionClosed",
        "ConnectionLost",
        "CreationResponseError",
        "CrossServerReference",
        "DeadlineExceeded",
        "ForkedConnection",
        "InconsistentSnapshot",
        "InvalidArgument",
        "LastLink",
        "LocalProtocolError",
        "MultipleMatchesError",
        "MuxwrightError",
        "NoMatchError",
        "NoSessions",
        "NoSpace",
        "NotFound",
        "OutputLimitExceeded",
        "OwnedServerCleanupError",
        "OwnedServerStartError",
        "PaneDead",
        "PaneInMode",
        "PaneInUse",
        "PaneInputOff",
        "PaneNotFound",
        "PipeInUse",
        "ProcessIOError",
        "ProcessSpawnError",
        "ProtocolError",
        "RemoteProtocolError",
        "ServerError",
        "ServerLost",
        "ServerNotRunning",
        "ServerUnreachable",
        "SessionNotFound",
        "SnapshotCoverageError",
        "StaleReference",
        "TmuxNotFound",
        "UnsupportedCapability",
        "UnsupportedCriterion",
        "WindowNotFound",
        "WireCriteriaError",
    ),
    "model.capture": ("Capture",),
    "model.infos": ("ClientInfo", "PaneInfo", "PaneOccurrence", "SessionInfo", "WindowInfo", "WindowLinkInfo"),
    "model.snapshot": ("Selection", "Snapshot"),
    "operations.batch": ("BatchItem",),
    "operations.plan": ("Plan", "PlanItem"),
    "refs": (
        "BufferRef",
        "ClientId",
        "ClientRef",
        "Generation",
        "PaneId",
        "PaneRef",
        "ServerIdentity",
        "SessionId",
        "SessionRef",
        "WindowId",
        "WindowLinkRef",
        "WindowRef",
    ),
    "wire.layout": ("LayoutCell", "read_layout"),
    "wire.versions": ("TmuxVersion",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "AlreadyExists",
    "AlreadySo",
    "AsyncConnection",
    "AsyncOwnedServer",
    "AsyncPane",
    "AsyncServer",
    "AsyncSession",
    "AsyncWindow",
    "AsyncWindowLink",
    "AttachFailed",
    "BadLayout",
    "BatchItem",
    "BufferRef",
    "Capture",
    "CaptureDecodeError",
    "ClientId",
    "ClientInfo",
    "ClientNotFound",
    "ClientRef",
    "CommandError",
    "Connection",
    "ConnectionBusy",
    "ConnectionClosed",
    "ConnectionLost",
    "CreationResponseError",
    "CrossServerReference",
    "DeadlineExceeded",
    "ForkedConnection",
    "Generation",
    "InconsistentSnapshot",
    "InvalidArgument",
    "LastLink",
    "LayoutCell",
    "LocalProtocolError",
    "MultipleMatchesError",
    "MuxwrightError",
    "NoMatchError",
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
    "PaneInUse",
    "PaneInfo",
    "PaneInputOff",
    "PaneNotFound",
    "PaneOccurrence",
    "PaneRef",
    "PipeInUse",
    "Plan",
    "PlanItem",
    "ProcessIOError",
    "ProcessSpawnError",
    "Program",
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
    "UnsupportedCriterion",
    "Window",
    "WindowId",
    "WindowInfo",
    "WindowLink",
    "WindowLinkInfo",
    "WindowLinkRef",
    "WindowNotFound",
    "WindowRef",
    "WireCriteriaError",
    "__version__",
    "read_layout",
]


def __getattr__(name: str) -> object:
    module = _HOME.get(name)
    if module is None:
        raise AttributeError(f"module 'muxwright' has no attribute {name!r}")
    value = getattr(import_module(f"muxwright.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
