"""Commands of the caller's own, and which of them a shared control connection can carry."""

from __future__ import annotations

import re
from collections.abc import Sequence

from muxwright.commands.names import text_bytes
from muxwright.errors import InvalidArgument, UnsupportedCapability
from muxwright.wire.request import Command

__all__ = ["SHAREABLE", "raw_command"]

# What is not here blocks the connection's queue, attaches or detaches the client, opens a mode or a menu, answers with
# blocks that cannot be told apart, or can kill a server that is not ours; most of that has a method which does it
# safely.
SHAREABLE = frozenset(
    b"""
    bind-key break-pane capture-pane clear-history delete-buffer display-message has-session join-pane kill-pane
    kill-session kill-window last-pane last-window link-window list-buffers list-clients list-commands list-keys
    list-panes list-sessions list-windows move-pane move-window new-window next-window pipe-pane previous-window
    rename-session rename-window resize-pane resize-window respawn-pane respawn-window rotate-window select-pane
    select-window set-buffer set-environment set-hook set-option set-window-option show-buffer show-environment
    show-hooks show-messages show-options show-window-options split-window swap-pane swap-window unbind-key
    unlink-window """.split()
)

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def raw_command(words: Sequence[str | bytes], *, shared: bool) -> Command:
    """Return the caller's command with literal arguments; on a shared connection only a full name from `SHAREABLE`."""
    if not words:
        raise InvalidArgument("no tmux command was given: expected its name and arguments")
    try:
        data = [word if isinstance(word, bytes) else word.encode() for word in words]
    except (AttributeError, UnicodeEncodeError):
        data = [word if isinstance(word, bytes) else text_bytes(word, "an argument") for word in words]
    if data[0] in SHAREABLE:
        return Command(data)
    name = data[0].decode("ascii", "replace")
    # A name with a dash in front would be an option of the tmux process: -L reaches another server.
    if not _NAME.fullmatch(name):
        raise InvalidArgument(f"{words[0]!r} is no tmux command")
    if shared:
        raise UnsupportedCapability(
            name,
            needs="a tmux process (Server.command) or the method for it",
            has="a shared connection, which takes full names only, and nothing that blocks, attaches or types",
        )
    return Command(data)
