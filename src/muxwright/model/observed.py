"""What an observation hands out: output with its place in the stream, and screens between two places."""

from __future__ import annotations

from typing import Literal, NamedTuple

from muxwright.model.capture import Capture
from muxwright.refs import PaneRef

__all__ = ["ObservationBaseline", "OutputCursor", "PaneOutput"]


class OutputCursor(NamedTuple):
    """A place in what a pane prints: `offset` bytes after the observation `epoch` of this process began.

    Cursors of one epoch can be compared; one of another is refused.
    """

    pane: PaneRef
    epoch: str
    offset: int


class PaneOutput(NamedTuple):
    """What a pane has printed: `data`, up to the place `cursor`.

    By the poll route it is text of the screen's rows. `gap`: something is missing before it.
    """

    pane: PaneRef
    data: bytes
    cursor: OutputCursor
    gap: bool = False


class ObservationBaseline(NamedTuple):
    """A screen, and the places in the stream before and after it was captured.

    The two cannot be aligned to the byte: what is printed while it is captured may be on it or not. So `continuity` is
    always ``"reset"``: do not join the screen's text and the stream's.
    """

    capture: Capture
    before: OutputCursor
    after: OutputCursor
    continuity: Literal["reset"] = "reset"
