"""What a control client of its own is told, as a stream. The drivers add the waiting (`listening`)."""

from __future__ import annotations

from muxwright.operations.feed import Source
from muxwright.operations.steps import OpenClient
from muxwright.refs import Generation, PaneId, PaneRef, SessionId
from muxwright.transports.endpoint import Endpoint
from muxwright.wire.events import Event, Notification, Output

__all__ = ["ClientKey", "ClientSource", "client_key"]

ClientKey = tuple[str, Generation, SessionId, PaneRef | None]
"""What clients can be shared by."""

# A pane may have left the client's session with these; tmux then sends nothing more of it, and does not say so.
_MOVES = frozenset(("layout-change", "session-changed", "unlinked-window-add", "window-add", "window-close"))


def client_key(step: OpenClient, endpoint: Endpoint) -> ClientKey:
    """Return what another stream must need as well to share a client."""
    return (endpoint.socket_path, step.server[0], step.session, step.pane)


class ClientSource(Source):
    """With `pane`, what that pane prints; without, a line for each notification."""

    def __init__(self, pane: PaneId | None, epoch: str, limit: int) -> None:
        super().__init__(epoch, limit)
        self.opened = True
        self._pane = None if pane is None else pane.encode()

    def take_event(self, event: Event) -> bool:
        """Take an event; return whether the readers have something new."""
        if self._pane is None:
            if isinstance(event, Notification):
                self.ring.append(event.line + b"\n")
            return isinstance(event, Notification)
        if isinstance(event, Output) and event.pane == self._pane:
            self.ring.append(event.data)
            return True
        if isinstance(event, Notification) and event.name in _MOVES:
            self.exits += 1
            return True
        return False
