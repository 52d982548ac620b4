"""A capture by a process cannot be told from what the user's own hook prints below it; so that hook is asked for."""

from __future__ import annotations

from collections.abc import Iterable

from muxwright.errors import UnsupportedCapability
from muxwright.operations.steps import Place, output
from muxwright.wire.request import Command, Section

__all__ = ["hook_query", "refuse_hook"]


def hook_query(place: Place, pane: str) -> tuple[Command, ...]:
    """Return what has to be asked beside a capture; over a connection nothing."""
    if place.generation is not None:
        return ()
    return (Command((b"show-options", b"-Aqv", b"-t", pane.encode(), b"after-capture-pane")),)


def refuse_hook(found: Iterable[Section]) -> None:
    """Raise `UnsupportedCapability` when the answer to `hook_query` is that there is one."""
    if any(output(section, "show-options") for section in found):
        raise UnsupportedCapability(
            "capture-pane",
            needs="a connection",
            has="a tmux process, which mixes the pane's text with what this server's hook after-capture-pane prints",
        )
