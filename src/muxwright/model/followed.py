"""What panes wrote since somebody looked, and which windows changed."""

from __future__ import annotations

import re
from typing import NamedTuple, Self

from muxwright.errors import InvalidArgument
from muxwright.refs import PaneId, PaneRef, WindowRef

__all__ = ["Changes", "FollowCursor", "Since", "WindowActivity"]

_CURSOR = re.compile(r"(%\d+):([0-9a-z]+):(\d+)")


class FollowCursor(NamedTuple):
    """A place in what a watcher has of a pane; as text ``"%3:9f2c:120"``."""

    pane: PaneId
    epoch: str
    offset: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str` has written; raises `InvalidArgument`."""
        found = _CURSOR.fullmatch(text) if isinstance(text, str) and len(text) < 200 else None
        if found is None:
            raise InvalidArgument(f"{text!r} is no cursor of capture_since; expected what an earlier call has returned")
        return cls(PaneId(found[1]), found[2], int(found[3]))

    def __str__(self) -> str:
        return f"{self.pane}:{self.epoch}:{self.offset}"


class Since(NamedTuple):
    """What a pane wrote since a cursor: `text` without escape sequences, up to `cursor`.

    `first`: there was no cursor, and the text is the screen. `missed`: something between the cursor and the text is
    gone; the text is what is left, or the screen. `closed`: the pane is gone or its program has ended, nothing more
    comes. `route`: how the pane is watched.
    """

    pane: PaneRef
    text: str
    cursor: str
    first: bool
    missed: bool
    closed: bool
    route: str


class WindowActivity(NamedTuple):
    """A window, and when it last printed or was typed into, in whole seconds of the server's clock."""

    ref: WindowRef
    name: str
    activity: int


class Changes(NamedTuple):
    """The windows that changed, the last one first.

    `now` is the newest activity of any window, by the server's clock: give it to the next call.
    """

    now: int
    windows: tuple[WindowActivity, ...]
