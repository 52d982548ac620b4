# Generated from _async/client.py by tools/generate_sync.py: do not edit.
"""Handles for attached clients: a person's terminal, or somebody's control client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muxwright._sync.handle import Bound
from muxwright.model.infos import ClientInfo
from muxwright.operations import clients
from muxwright.refs import ClientRef

if TYPE_CHECKING:
    from muxwright._sync.session import Session

__all__ = ["Client"]


class Client(Bound[ClientRef]):
    """One attached client in one incarnation: tmux uses the names of clients again, so its process and start count too.

    Each act is checked in tmux itself, in the same queue item: another client under the name raises `StaleReference`,
    none `ClientNotFound`, and nothing was done. tmux before 3.4 can only be asked just before the act: there
    `StaleReference` with effects ``"possible"`` says that another client took its place in between, and was acted on.

    A connection does not act on its own client: that is `InvalidArgument`.
    """

    @property
    def name(self) -> str:
        """tmux's name for it: the path of its terminal, or ``client-PID``."""
        return self.ref.id.name

    def refresh(self, *, timeout: float | None = None) -> ClientInfo:
        """Return what a fresh snapshot of the server says of it; raises `ClientNotFound` or `StaleReference`."""
        return self._run(clients.client_info(self._place, self.ref), timeout)

    def exists(self, *, timeout: float | None = None) -> bool:
        """Return whether exactly this client is attached."""
        return self._run(clients.client_exists(self._place, self.ref), timeout)

    def switch(self, session: Session, *, update_environment: bool = False, timeout: float | None = None) -> None:
        """Let it show another session (``switch-client``).

        `update_environment`: copy the variables that ``update-environment`` names from the client into the session.
        Raises `SessionNotFound` when the session is gone.
        """
        self._run(clients.switch(self._place, self.ref, session.ref, update_environment), timeout)

    def detach(self, *, timeout: float | None = None) -> None:
        """Detach it (``detach-client``); its session goes on."""
        self._run(clients.detach(self._place, self.ref), timeout)
