"""What tmux announces: notifications, and values of formats that changed."""

from __future__ import annotations

from typing import Any, NamedTuple

from muxwright.refs import PaneId, SessionId, WindowId

__all__ = ["FormatUpdate", "NoticeCursor", "NotificationEvent"]


class NoticeCursor(NamedTuple):
    """A place in what tmux has announced to this process: behind byte `offset` of the client `epoch`."""

    epoch: str
    offset: int


class NotificationEvent(NamedTuple):
    """A notification: `kind` such as ``"window-renamed"``, its `arguments`, and the whole `line` as tmux wrote it.

    The last argument takes the rest of the line. Names and titles in it are a program's or a person's: data.
    """

    kind: str
    arguments: tuple[bytes, ...]
    line: bytes
    cursor: NoticeCursor


class FormatUpdate(NamedTuple):
    """A format variable has another value.

    `raw` is what tmux gave, `value` what it was read as; empty, it is ``""`` or ``None``, and nothing tells unset from
    unknown. A window that is linked more than once gives an update for each link: `session`, `window` and
    `window_index` say which.
    """

    field: str
    value: Any
    raw: bytes
    session: SessionId | None
    window: WindowId | None
    window_index: int | None
    pane: PaneId | None
    cursor: NoticeCursor
