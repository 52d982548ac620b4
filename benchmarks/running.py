"""Commands run with proof against the same keys typed without, and many panes observed at once."""

from __future__ import annotations

import contextlib
import itertools
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measure import Block, Claim, Comparison, Effort, measure, timed
from benchmarks.output import output_client
from benchmarks.servers import private_server
from muxwright import OwnedServer, Pane
from muxwright.transports.control import CHUNK

__all__ = ["following", "running"]

_SEEN = b"=typed=and=seen="
_RAW = "typed and seen, no proof"

_numbers = itertools.count()


@contextlib.contextmanager
def _typing(server: OwnedServer, pane: Pane) -> Iterator[Callable[[], None]]:
    """Yield the shortest way: a control client types a line of the same kind and reads until its output is there."""
    with tempfile.TemporaryDirectory() as directory, output_client(server) as client:
        frame = Path(directory) / "frame"
        # Not in the line that is typed: its echo would do.
        frame.write_text(f"echo {_SEEN.decode()}\n", encoding="utf-8")
        keys = f"send-keys -t {pane.id} -- C-u '. {frame}' Enter\n".encode()

        def once() -> None:
            client.sendall(keys)
            received = b""
            while _SEEN not in received:
                received = received[-len(_SEEN) :] + client.recv(CHUNK)

        yield once


def running(effort: Effort) -> list[Comparison]:
    """The round trip of the shortest command."""
    comparison = Comparison(
        "run",
        'pane.run("true") in a shell, with exit status and output',
        (
            Claim('pane.run("true")', "value", "pane.run", None, 0.05),
            Claim('pane.run("true")', "at most", "pane.run", _RAW),
        ),
    )
    with private_server() as server:
        # In two sessions: a client gets the output of one.
        theirs, ours = (server.new_session(name, command=["/bin/sh"]) for name in ("home", "ours"))
        with server.connect(ours) as connection, _typing(server, theirs.active_pane()) as once:
            pane = connection.pane(ours.active_pane().ref)
            assert pane.run("true").exit_status == 0
            measure(comparison, {"pane.run": timed(lambda: pane.run("true")), _RAW: timed(once)}, effort)
    return [comparison]


def following(effort: Effort, panes: int) -> list[Comparison]:
    """Many panes followed at once, against a capture of each; and what it takes to begin."""
    telling = Comparison(
        "follow",
        f"From a line printed in each of {panes} panes to all the lines told",
        (Claim(f"a line of each of {panes} panes", "faster", "capture_since", "capture of each"),),
    )
    beginning = Comparison(
        "follow-begin",
        f"To begin to follow {panes} panes, with the screen of each",
        (Claim(f"to begin to follow {panes} panes", "value", "capture_since", None, 5),),
    )
    with private_server() as server, tempfile.TemporaryDirectory() as directory:
        lines = Path(directory) / "lines"
        lines.touch()
        program = ["/usr/bin/tail", "-n", "0", "-f", str(lines)]
        session = server.new_session("home", command=program)
        for _ in range(panes - 1):
            session.new_window(command=program)
        with server.connect(session) as connection, connection.watcher(panes) as watcher:
            handles = [connection.pane(pane.ref) for pane in server.panes()]
            cursors = {pane: watcher.capture_since(pane).cursor for pane in handles}

            def followed(pane: Pane) -> str:
                since = watcher.capture_since(pane, cursors[pane])
                cursors[pane] = since.cursor
                return since.text

            def begin() -> None:
                with connection.watcher(panes) as another:
                    assert {another.capture_since(pane).route for pane in handles} == {"pipe"}

            contenders = {
                "capture_since": _told(lines, handles, followed),
                "capture of each": _told(lines, handles, lambda pane: str(pane.capture())),
            }
            measure(telling, contenders, effort)
            watcher.close()
            measure(beginning, {"capture_since": timed(begin)}, Effort(effort.blocks, 1, 0))
    return [telling, beginning]


def _told(lines: Path, panes: list[Pane], look: Callable[[Pane], str]) -> Block:
    """Return the block that lets every pane print a line and looks until it was seen in each."""

    def once() -> None:
        word = f"<line {next(_numbers)}>"
        with lines.open("a") as file:
            print(word, file=file)
        missing = panes
        while missing:
            missing = [pane for pane in missing if word not in look(pane)]

    return timed(once)
