"""From what a caller wrote to the object that is meant: an id and a generation, or a bare id of what was seen last."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Literal

from muxwright import (
    Generation,
    InvalidArgument,
    PaneId,
    PaneRef,
    ServerIdentity,
    SessionId,
    SessionRef,
    WindowId,
    WindowRef,
)
from muxwright.mcp.errors import ToolError

__all__ = ["OwnPane", "pane_target", "read_pane_id", "session_target", "target_of", "window_target"]

Relation = Literal["self", "other", "unknown"]


def target_of(ref: PaneRef | WindowRef | SessionRef) -> dict[str, str]:
    """Return the target object of a ref."""
    name = {PaneRef: "paneId", WindowRef: "windowId", SessionRef: "sessionId"}[type(ref)]
    return {name: str(ref.id), "generation": str(ref.server.generation)}


def _identity(socket_path: str, target: dict[str, Any]) -> ServerIdentity:
    try:
        return ServerIdentity(socket_path, Generation.parse(target["generation"]))
    except InvalidArgument:
        raise ToolError(
            "stale_target",
            f"{target['generation'][:64]!r} is no generation of list_panes; pass a target on as it was given",
        ) from None


def pane_target(socket_path: str, target: dict[str, Any]) -> PaneRef:
    return PaneRef(_identity(socket_path, target), PaneId(target["paneId"]))


def window_target(socket_path: str, target: dict[str, Any]) -> WindowRef:
    return WindowRef(_identity(socket_path, target), WindowId(target["windowId"]))


def session_target(socket_path: str, target: dict[str, Any]) -> SessionRef:
    return SessionRef(_identity(socket_path, target), SessionId(target["sessionId"]))


def read_pane_id(text: str) -> PaneId:
    """Return a pane's id; a malformed one is a bad argument and not a pane that is gone."""
    try:
        return PaneId(text)
    except InvalidArgument as error:
        raise ToolError("invalid_arguments", f"{error}; call list_panes for the ids") from None


class OwnPane:
    """The pane that this process runs in, as far as ``$TMUX`` and ``$TMUX_PANE`` tell."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        environment = os.environ if environment is None else environment
        fields = environment.get("TMUX", "").rsplit(",", 2)
        self.socket = fields[0] if len(fields) == 3 and os.path.isabs(fields[0]) else None
        self.pid = int(fields[1]) if self.socket and fields[1].isdecimal() else None
        try:
            self.pane: PaneId | None = PaneId(environment.get("TMUX_PANE", ""))
        except InvalidArgument:
            self.pane = None

    def on(self, server: ServerIdentity) -> bool:
        """Whether this process runs inside that server."""
        if self.socket is None or self.pid != server.generation.pid:
            return False
        try:
            return os.path.samefile(self.socket, server.socket_path)
        except OSError:
            return os.path.realpath(self.socket) == os.path.realpath(server.socket_path)

    def relation(self, ref: PaneRef) -> Relation:
        """Return what a pane is to this process; `self` is said only when it is proved."""
        if self.socket is None:
            return "unknown"
        return "self" if self.on(ref.server) and self.pane == ref.id else "other"

    def ref(self, server: ServerIdentity) -> PaneRef | None:
        """Return our own pane, if it is one of that server and known."""
        return PaneRef(server, self.pane) if self.pane is not None and self.on(server) else None
