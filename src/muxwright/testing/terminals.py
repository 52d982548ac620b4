"""Terminals of one test: each program in a session of its own, all of them traced."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from muxwright._sync.connection import Connection
from muxwright._sync.pane import Pane
from muxwright._sync.server import OwnedServer
from muxwright._sync.session import Session
from muxwright.errors import MuxwrightError, NotFound
from muxwright.screen.diff import shortened
from muxwright.testing.trace import Trace, TracedHost

__all__ = ["Terminals"]

_numbers = itertools.count()


class Terminals:
    """Starts programs in panes and ends them; call it with the program's arguments."""

    def __init__(self, server: OwnedServer, title: str) -> None:
        self.server = server
        self.trace = Trace(title)
        self._connection: Connection | None = None
        self._started: list[tuple[Session, Pane]] = []

    def __call__(
        self,
        argv: Sequence[str],
        *,
        size: tuple[int, int] = (80, 24),
        environment: Mapping[str, str] | None = None,
        directory: str | None = None,
    ) -> Pane:
        """Start a program in a terminal of `size` columns and rows and return its pane.

        It may not have drawn anything yet: expect what it should show. `environment` is added to that of the tests;
        `directory` is absolute. The program ends with the test; when it ends earlier, its last screen stays.
        """
        session = self.server.new_session(
            f"test-{next(_numbers)}", command=list(argv), size=size, environment=environment, directory=directory
        )
        if self._connection is None:
            self._connection = self.server.connect(session)
        pane = TracedHost(self._connection, self.trace).pane(session.active_pane().ref)
        self._started.append((session, pane))
        return pane

    def shown(self) -> Iterator[tuple[str, str]]:
        """Yield the screen of each terminal that is still there, by its pane's id."""
        for _, pane in self._started:
            try:
                yield pane.id, shortened(self.server.pane(pane.ref).screen())
            except MuxwrightError as error:
                yield pane.id, f"no screen: {error}"

    def close(self) -> None:
        """End everything that was started."""
        if self._connection is not None:
            self._connection.close()
        for session, _ in self._started:
            try:
                session.kill()
            except NotFound:
                continue
