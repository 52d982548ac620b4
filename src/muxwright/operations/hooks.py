"""A capture by a process cannot be told from what the user's own hook prints below it; so that hook is asked for."""

from __future__ import annotations

from muxwright.errors import RemoteProtocolError
from muxwright.operations.steps import Place
from muxwright.refs import PaneRef
from muxwright.wire.request import Command

__all__ = ["hook_query", "refuse_hook"]


def hook_query(place: Place, pane: PaneRef) -> tuple[Command, ...]:
    """Return what has to be asked beside a capture; over a connection nothing."""
    if place.generation is not None:
        return ()
    return (Command((b"show-options", b"-Aqv", b"-t", pane.id.encode(), b"after-capture-pane")),)


def refuse_hook(text: bytes, pane: PaneRef) -> None:
    """Raise `RemoteProtocolError` when there is such a hook."""
    if text:
        raise RemoteProtocolError(
            "this server has a hook after-capture-pane, whose output a tmux process mixes with the pane's text;"
            " use a connection",
            command="capture-pane",
            target=str(pane.id),
        )
