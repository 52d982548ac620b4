"""Listings: sessions, windows, panes, clients, and who answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from muxwright.commands.formats import check_known
from muxwright.errors import InvalidArgument, RemoteProtocolError
from muxwright.refs import Generation, PaneRef, Ref, SessionRef
from muxwright.wire.request import Command
from muxwright.wire.rows import Column, decode_rows, decode_text, row_format
from muxwright.wire.versions import TmuxVersion

__all__ = ["SCOPES", "check_variables", "describe_server", "listing", "part_listings", "read_server"]

SCOPES: dict[str, tuple[bytes, ...]] = {
    "sessions": (b"list-sessions",),
    "windows": (b"list-windows", b"-a"),
    "panes": (b"list-panes", b"-a"),
    "clients": (b"list-clients",),
}
"""Server-wide listings. Windows and panes come once for each link of their window."""

# Numbers, flags and ids hold nothing to escape, and escaping costs tmux a third more time for each.
_PLAIN = re.compile(
    r"(?:\w+_)?(?:active|activity|at_\w+|attached|bottom|bytes|created|dead|flag|grouped|height|id|in_mode|index|input_off"
    r"|last|left|limit|linked|lower|marked|panes|pid|pipe|present|readonly|right|size|status|synchronized|time|top|uid|upper"
    r"|utf8|width|windows|x|y)"
)
_SERVER = (Column("pid", free=False), Column("start_time", free=False), Column("version"))


def listing(scope: str, columns: Sequence[Column]) -> Command:
    """Return the command that lists all of a scope with `columns`."""
    return Command((*SCOPES[scope], b"-F", row_format(columns)))


def part_listings(ref: Ref, windows: Sequence[Column], panes: Sequence[Column]) -> tuple[Command, Command]:
    """Return the commands that list the windows, once for each link, and the panes of one session or one window.

    A pane stands for its window. The windows of a session are those in it, without their links to other sessions.
    """
    target = ref.id.encode()
    rows = (b"-F", row_format(windows)), (b"-F", row_format(panes))
    if isinstance(ref, SessionRef):
        return Command((b"list-windows", b"-t", target, *rows[0])), Command(
            (b"list-panes", b"-s", b"-t", target, *rows[1])
        )
    wanted = b"#{P:#{?#{==:#{pane_id},%b},1,}}" if isinstance(ref, PaneRef) else b"#{==:#{window_id},%b}"
    of_windows = (b"list-windows", b"-a", b"-f", wanted % target, *rows[0])
    return Command(of_windows), Command((b"list-panes", b"-t", target, *rows[1]))


def describe_server() -> Command:
    """Return the command that says which server answers: generation and version."""
    return Command((b"display-message", b"-p", row_format(_SERVER)))


def read_server(text: bytes) -> tuple[Generation, TmuxVersion]:
    """Read the answer to `describe_server`."""
    rows = decode_rows(text, len(_SERVER))
    try:
        ((pid, start_time, version),) = rows
        return Generation(int(pid), int(start_time)), TmuxVersion.parse(decode_text(version))
    except ValueError as error:
        raise RemoteProtocolError(f"tmux described itself as {text[:80]!r}") from error


def check_variables(names: Sequence[str]) -> tuple[Column, ...]:
    """Return the columns of format variables; refuses what is not the bare name of one.

    A name that tmux does not know would expand to an environment variable of the server, so only those that some tmux
    knows are taken.
    """
    if not names:
        raise InvalidArgument("no format variables were given: expected at least one, such as 'pane_title'")
    return tuple([_column(name) if isinstance(name, str) else Column(check_known(name)) for name in names])


@lru_cache(maxsize=1024)
def _column(name: str) -> Column:
    return Column(check_known(name), free=not _PLAIN.fullmatch(name))
