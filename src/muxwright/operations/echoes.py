"""The one book of what this process has typed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from muxwright.errors import MuxwrightError
from muxwright.model.echo import EchoBook
from muxwright.operations.steps import Place
from muxwright.refs import PaneRef

__all__ = ["BOOK", "pressing", "typing"]

BOOK = EchoBook()


@contextlib.contextmanager
def typing(place: Place, pane: PaneRef, text: str) -> Iterator[None]:
    """Note text while it is typed; forgotten again when tmux refuses it."""
    with _noted(pane, BOOK.typed(pane, text, place.clock())):
        yield


@contextlib.contextmanager
def pressing(place: Place, pane: PaneRef, keys: Sequence[str]) -> Iterator[None]:
    """Note keys while they are pressed; forgotten again when tmux refuses them."""
    with _noted(pane, BOOK.pressed(pane, keys, place.clock())):
        yield


@contextlib.contextmanager
def _noted(pane: PaneRef, before: object) -> Iterator[None]:
    try:
        yield
    except MuxwrightError as error:
        if error.effects == "none":
            BOOK.take_back(pane, before)
        raise
