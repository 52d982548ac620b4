"""Snapshots out of plain values, without a tmux: rows as a listing would hold them, read by the model itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from muxwright.model.fields import CLIENT, LINK, PANE, SESSION, WINDOW, Field
from muxwright.model.snapshot import Listings, Snapshot
from muxwright.refs import Generation, ServerIdentity, SessionId, SessionRef, WindowId, WindowRef
from muxwright.wire.versions import TmuxVersion

DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "session": {"attached_clients": 0, "created": 100, "activity": 200, "last_attached": None, "path": "/home/me"},
    "window": {"width": 120, "height": 40, "layout": "l", "visible_layout": "v", "zoomed": False, "activity": 200},
    "pane": {
        "index": 0, "active": True, "dead": False, "pid": 1000, "tty": "/dev/pts/1", "width": 120, "height": 30,
        "left": 0, "top": 0, "cursor_x": 0, "cursor_y": 0, "history_size": 0, "history_limit": 2000, "piped": False,
        "input_off": False, "synchronized": False, "title": "", "current_command": "sh", "current_path": "/srv",
    },
    "client": {
        "pid": 4000, "created": 150, "activity": 200, "width": 120, "height": 40, "tty": "/dev/pts/9",
        "control": False, "readonly": False,
    },
}  # fmt: skip


def _printed(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    return str(value)


def _row(fields: Sequence[Field], values: Mapping[str, Any]) -> list[str]:
    unknown = set(values) - {field.name for field in fields}
    assert not unknown, unknown
    return [_printed(values.get(field.name)) for field in fields]


def _rows(fields: Sequence[Field], kind: str, records: Iterable[Mapping[str, Any]]) -> list[list[str]]:
    return [_row(fields, {**DEFAULTS.get(kind, {}), **record}) for record in records]


def make_snapshot(
    *,
    sessions: Iterable[Mapping[str, Any]] = (),
    links: Iterable[tuple[str, int, str, bool]] = (),
    windows: Iterable[Mapping[str, Any]] = (),
    panes: Iterable[Mapping[str, Any]] = (),
    clients: Iterable[Mapping[str, Any]] = (),
    generation: Generation = Generation(7, 1000),  # noqa: B008 - a value
    scope: str | None = None,
) -> Snapshot:
    """A snapshot of those records; a link is (session id, index, window id, active), `scope` an id."""
    names = ("session_id", "index", "window_id", "active")
    listings = Listings(
        sessions=_rows(SESSION, "session", sessions),
        links=_rows(LINK, "link", (dict(zip(names, link, strict=True)) for link in links)),
        windows=_rows(WINDOW, "window", windows),
        panes=_rows(PANE, "pane", panes),
        clients=_rows(CLIENT, "client", clients),
    )
    identity = ServerIdentity("/tmp/socket", generation)
    part: SessionRef | WindowRef | None = None
    if scope is not None:
        part = SessionRef(identity, SessionId(scope)) if scope[0] == "$" else WindowRef(identity, WindowId(scope))
    return Snapshot(identity, TmuxVersion(3, 5), (0.0, 0.1), listings, part)


def shared_windows() -> Snapshot:
    """The reference's example: `api` has two panes and is linked into `dev` and `ops`; `build` has one, in `dev`."""
    return make_snapshot(
        sessions=[{"id": "$0", "name": "dev"}, {"id": "$1", "name": "ops", "attached_clients": 2, "group": "g"}],
        links=[("$0", 0, "@0", True), ("$0", 1, "@1", False), ("$1", 4, "@0", True)],
        windows=[{"id": "@0", "name": "api"}, {"id": "@1", "name": "build", "zoomed": True}],
        panes=[
            {"id": "%0", "window_id": "@0", "current_command": "nvim", "title": "Editor 雪;#{literal}"},
            {
                "id": "%1", "window_id": "@0", "index": 1, "active": False, "width": 80, "top": 15, "height": 14,
                "dead": True, "exit_status": 3, "pid": None, "current_command": "vim", "title": "e\u0301",
            },
            {"id": "%2", "window_id": "@1", "width": 80, "current_command": "python", "mode": "copy-mode"},
        ],
        clients=[
            {"name": "/dev/pts/9", "session_id": "$0"},
            {"name": "idle", "pid": 4001, "session_id": None, "control": True, "tty": None},
        ],
    )  # fmt: skip


def large(panes: int = 1000) -> Snapshot:
    """Windows of ten panes, sessions of ten windows; a session's first window is linked into the next too."""
    windows = panes // 10
    count = max(1, windows // 10)
    links = [(f"${w // 10}", w % 10, f"@{w}", w % 10 == 0) for w in range(windows)]
    links += [(f"${(s + 1) % count}", 50, f"@{s * 10}", False) for s in range(count) if count > 1]
    return make_snapshot(
        sessions=[{"id": f"${s}", "name": f"session-{s}"} for s in range(count)],
        links=sorted(links),
        windows=[{"id": f"@{w}", "name": f"window-{w}"} for w in range(windows)],
        panes=[
            {"id": f"%{p}", "window_id": f"@{p // 10}", "index": p % 10, "active": p % 10 == 0, "width": p % 200 + 1}
            for p in range(panes)
        ],
    )
