"""Drive real terminals through tmux: typed, exact, bounded, sync and async.

`Server` and `Connection` are the blocking way in, `AsyncServer` and `AsyncConnection` the asyncio one. Each public
name is loaded when it is first used, so importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module

# Not from `typing`, which takes longer to import than this module; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from muxwright._async.client import AsyncClient
    from muxwright._async.connection import AsyncConnection
    from muxwright._async.expectation import AsyncExpectation
    from muxwright._async.job import AsyncJob
    from muxwright._async.link import AsyncWindowLink
    from muxwright._async.locator import AsyncLocator
    from muxwright._async.noticing import AsyncNoticeStream
    from muxwright._async.observing import AsyncOutputStream
    from muxwright._async.pane import AsyncPane
    from muxwright._async.server import AsyncOwnedServer, AsyncServer
    from muxwright._async.session import AsyncSession
    from muxwright._async.signals import AsyncSignal
    from muxwright._async.watcher import AsyncWatcher
    from muxwright._async.window import AsyncWindow
    from muxwright._sync.client import Client
    from muxwright._sync.connection import Connection
    from muxwright._sync.expectation import Expectation
    from muxwright._sync.job import Job
    from muxwright._sync.link import WindowLink
    from muxwright._sync.locator import Locator
    from muxwright._sync.noticing import NoticeStream
    from muxwright._sync.observing import OutputStream
    from muxwright._sync.pane import Pane
    from muxwright._sync.server import OwnedServer, Server
    from muxwright._sync.session import Session
    from muxwright._sync.signals import Signal
    from muxwright._sync.watcher import Watcher
    from muxwright._sync.window import Window
    from muxwright.commands.create import Program
    from muxwright.commands.environment import EnvironmentValue
    from muxwright.commands.formats import FormatField, FormatObservation, RawFormat
    from muxwright.errors import (
        AlreadyExists,
        AlreadySo,
        AmbiguousOption,
        AttachFailed,
        BadLayout,
        BadValue,
        BufferNotFound,
        CaptureDecodeError,
        ClientNotFound,
        CommandError,
        ConnectionBusy,
        ConnectionClosed,
        ConnectionLost,
        CreationResponseError,
        CrossServerReference,
        DeadlineExceeded,
        ExpectFailed,
        ForkedConnection,
        FormatValueError,
        InconsistentSnapshot,
        InvalidArgument,
        LastLink,
        LocalProtocolError,
        MouseOff,
        MultipleMatchesError,
        MuxwrightError,
        NoMatchError,
        NoSessions,
        NoSpace,
        NotAShell,
        NotFound,
        ObservationLost,
        OutputLimitExceeded,
        OwnedServerCleanupError,
        OwnedServerStartError,
        PaneAttended,
        PaneDead,
        PaneInMode,
        PaneInputOff,
        PaneInUse,
        PaneNotFound,
        PaneReserved,
        PaneSynchronized,
        PipeInUse,
        ProcessIOError,
        ProcessSpawnError,
        ProtocolError,
        RemoteProtocolError,
        RequestCancelled,
        ServerError,
        ServerLost,
        ServerNotRunning,
        ServerUnreachable,
        SessionNotFound,
        SnapshotCoverageError,
        StaleReference,
        TmuxNotFound,
        TooManyJobs,
        UnknownOption,
        UnsupportedCapability,
        UnsupportedCriterion,
        WaitStopped,
        WindowNotFound,
        WireCriteriaError,
    )
    from muxwright.model.capture import Capture
    from muxwright.model.criteria import ClientWhere, PaneWhere, SessionWhere, WindowLinkWhere, WindowWhere
    from muxwright.model.criterion import AllOf, AllRelated, AnyOf, AnyRelated, Criterion, NoRelated, Not
    from muxwright.model.filter_v1 import FilterV1, decode_filter, encode_filter, read_filter_json, write_filter_json
    from muxwright.model.followed import Changes, Since, WindowActivity
    from muxwright.model.infos import ClientInfo, PaneInfo, PaneOccurrence, SessionInfo, WindowInfo, WindowLinkInfo
    from muxwright.model.lookup import first, one, only_match
    from muxwright.model.notices import FormatUpdate, NoticeCursor, NotificationEvent
    from muxwright.model.observed import ObservationBaseline, OutputCursor, PaneOutput
    from muxwright.model.operators import (
        AtLeast,
        AtMost,
        Contains,
        EndsWith,
        EqualTo,
        GreaterThan,
        LessThan,
        NotEqualTo,
        OneOf,
        StartsWith,
    )
    from muxwright.model.options import OptionValue, merge_entries
    from muxwright.model.outcome import JobStatus, RunOutcome
    from muxwright.model.projection import RowProjection, project_rows
    from muxwright.model.signalled import SignalResult
    from muxwright.model.snapshot import Selection, Snapshot
    from muxwright.model.waiting import WaitResult
    from muxwright.model.where_json import read_where_json, write_where_json
    from muxwright.model.where_siblings import (
        decode_rust_where,
        decode_typescript_where,
        encode_rust_where,
        encode_typescript_where,
    )
    from muxwright.model.where_wire import WhereLimits, WireObject, decode_where, encode_where
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
    from muxwright.screen.screen import Cell, Cursor, Modes, Region, Row, Screen
    from muxwright.screen.style import Rgb, Style
    from muxwright.screen.theme import THEMES, Theme
    from muxwright.transports.cancellation import CancellationToken
    from muxwright.wire.layout import LayoutCell, read_layout
    from muxwright.wire.versions import TmuxVersion

__version__ = "0.1.0"

# All public names but the errors, which are those left.
_MODULES = {
    "_async.client": ("AsyncClient",),
    "_async.connection": ("AsyncConnection",),
    "_async.expectation": ("AsyncExpectation",),
    "_async.job": ("AsyncJob",),
    "_async.link": ("AsyncWindowLink",),
    "_async.locator": ("AsyncLocator",),
    "_async.pane": ("AsyncPane",),
    "_async.server": ("AsyncOwnedServer", "AsyncServer"),
    "_async.session": ("AsyncSession",),
    "_async.window": ("AsyncWindow",),
    "_sync.client": ("Client",),
    "_sync.connection": ("Connection",),
    "_sync.expectation": ("Expectation",),
    "_sync.job": ("Job",),
    "_sync.link": ("WindowLink",),
    "_sync.locator": ("Locator",),
    "_sync.pane": ("Pane",),
    "_sync.server": ("OwnedServer", "Server"),
    "_sync.session": ("Session",),
    "_sync.window": ("Window",),
    "commands.create": ("Program",),
    "commands.formats": ("FormatField", "FormatObservation", "RawFormat"),
    "commands.environment": ("EnvironmentValue",),
    "model.options": ("OptionValue", "merge_entries"),
    "model.capture": ("Capture",),
    "model.criteria": ("ClientWhere", "PaneWhere", "SessionWhere", "WindowLinkWhere", "WindowWhere"),
    "model.criterion": ("AllOf", "AllRelated", "AnyOf", "AnyRelated", "Criterion", "NoRelated", "Not"),
    "model.filter_v1": ("FilterV1", "decode_filter", "encode_filter", "read_filter_json", "write_filter_json"),
    "model.infos": ("ClientInfo", "PaneInfo", "PaneOccurrence", "SessionInfo", "WindowInfo", "WindowLinkInfo"),
    "model.lookup": ("first", "one", "only_match"),
    "model.operators": (
        "AtLeast",
        "AtMost",
        "Contains",
        "EndsWith",
        "EqualTo",
        "GreaterThan",
        "LessThan",
        "NotEqualTo",
        "OneOf",
        "StartsWith",
    ),
    "model.projection": ("RowProjection", "project_rows"),
    "model.snapshot": ("Selection", "Snapshot"),
    "model.where_json": ("read_where_json", "write_where_json"),
    "model.where_siblings": (
        "decode_rust_where",
        "decode_typescript_where",
        "encode_rust_where",
        "encode_typescript_where",
    ),
    "model.where_wire": ("WhereLimits", "WireObject", "decode_where", "encode_where"),
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
    "screen.screen": ("Cell", "Cursor", "Modes", "Region", "Row", "Screen"),
    "screen.style": ("Rgb", "Style"),
    "screen.theme": ("THEMES", "Theme"),
    "transports.cancellation": ("CancellationToken",),
    "model.outcome": ("JobStatus", "RunOutcome"),
    "model.waiting": ("WaitResult",),
    "model.observed": ("ObservationBaseline", "OutputCursor", "PaneOutput"),
    "_async.observing": ("AsyncOutputStream",),
    "_sync.observing": ("OutputStream",),
    "model.followed": ("Changes", "Since", "WindowActivity"),
    "_async.watcher": ("AsyncWatcher",),
    "_sync.watcher": ("Watcher",),
    "_async.signals": ("AsyncSignal",),
    "_sync.signals": ("Signal",),
    "model.signalled": ("SignalResult",),
    "model.notices": ("FormatUpdate", "NoticeCursor", "NotificationEvent"),
    "_async.noticing": ("AsyncNoticeStream",),
    "_sync.noticing": ("NoticeStream",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "THEMES",
    "AllOf",
    "AllRelated",
    "AlreadyExists",
    "AlreadySo",
    "AmbiguousOption",
    "AnyOf",
    "AnyRelated",
    "AsyncClient",
    "AsyncConnection",
    "AsyncExpectation",
    "AsyncJob",
    "AsyncLocator",
    "AsyncNoticeStream",
    "AsyncOutputStream",
    "AsyncOwnedServer",
    "AsyncPane",
    "AsyncServer",
    "AsyncSession",
    "AsyncSignal",
    "AsyncWatcher",
    "AsyncWindow",
    "AsyncWindowLink",
    "AtLeast",
    "AtMost",
    "AttachFailed",
    "BadLayout",
    "BadValue",
    "BatchItem",
    "BufferNotFound",
    "BufferRef",
    "CancellationToken",
    "Capture",
    "CaptureDecodeError",
    "Cell",
    "Changes",
    "Client",
    "ClientId",
    "ClientInfo",
    "ClientNotFound",
    "ClientRef",
    "ClientWhere",
    "CommandError",
    "Connection",
    "ConnectionBusy",
    "ConnectionClosed",
    "ConnectionLost",
    "Contains",
    "CreationResponseError",
    "Criterion",
    "CrossServerReference",
    "Cursor",
    "DeadlineExceeded",
    "EndsWith",
    "EnvironmentValue",
    "EqualTo",
    "ExpectFailed",
    "Expectation",
    "FilterV1",
    "ForkedConnection",
    "FormatField",
    "FormatObservation",
    "FormatUpdate",
    "FormatValueError",
    "Generation",
    "GreaterThan",
    "InconsistentSnapshot",
    "InvalidArgument",
    "Job",
    "JobStatus",
    "LastLink",
    "LayoutCell",
    "LessThan",
    "LocalProtocolError",
    "Locator",
    "Modes",
    "MouseOff",
    "MultipleMatchesError",
    "MuxwrightError",
    "NoMatchError",
    "NoRelated",
    "NoSessions",
    "NoSpace",
    "Not",
    "NotAShell",
    "NotEqualTo",
    "NotFound",
    "NoticeCursor",
    "NoticeStream",
    "NotificationEvent",
    "ObservationBaseline",
    "ObservationLost",
    "OneOf",
    "OptionValue",
    "OutputCursor",
    "OutputLimitExceeded",
    "OutputStream",
    "OwnedServer",
    "OwnedServerCleanupError",
    "OwnedServerStartError",
    "Pane",
    "PaneAttended",
    "PaneDead",
    "PaneId",
    "PaneInMode",
    "PaneInUse",
    "PaneInfo",
    "PaneInputOff",
    "PaneNotFound",
    "PaneOccurrence",
    "PaneOutput",
    "PaneRef",
    "PaneReserved",
    "PaneSynchronized",
    "PaneWhere",
    "PipeInUse",
    "Plan",
    "PlanItem",
    "ProcessIOError",
    "ProcessSpawnError",
    "Program",
    "ProtocolError",
    "RawFormat",
    "Region",
    "RemoteProtocolError",
    "RequestCancelled",
    "Rgb",
    "Row",
    "RowProjection",
    "RunOutcome",
    "Screen",
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
    "SessionWhere",
    "Signal",
    "SignalResult",
    "Since",
    "Snapshot",
    "SnapshotCoverageError",
    "StaleReference",
    "StartsWith",
    "Style",
    "Theme",
    "TmuxNotFound",
    "TmuxVersion",
    "TooManyJobs",
    "UnknownOption",
    "UnsupportedCapability",
    "UnsupportedCriterion",
    "WaitResult",
    "WaitStopped",
    "Watcher",
    "WhereLimits",
    "Window",
    "WindowActivity",
    "WindowId",
    "WindowInfo",
    "WindowLink",
    "WindowLinkInfo",
    "WindowLinkRef",
    "WindowLinkWhere",
    "WindowNotFound",
    "WindowRef",
    "WindowWhere",
    "WireCriteriaError",
    "WireObject",
    "__version__",
    "decode_filter",
    "decode_rust_where",
    "decode_typescript_where",
    "decode_where",
    "encode_filter",
    "encode_rust_where",
    "encode_typescript_where",
    "encode_where",
    "first",
    "merge_entries",
    "one",
    "only_match",
    "project_rows",
    "read_filter_json",
    "read_layout",
    "read_where_json",
    "write_filter_json",
    "write_where_json",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'muxwright' has no attribute {name!r}")
    value = getattr(import_module(f"muxwright.{_HOME.get(name, 'errors')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
