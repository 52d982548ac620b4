"""Listings, walks and snapshots."""

from __future__ import annotations

import os
import subprocess
from typing import Any
from unittest import mock

from benchmarks.measure import Block, Claim, Comparison, Effort, measure, timed
from benchmarks.raw import RawClient, endpoint_of, place_of, request_of
from benchmarks.servers import fill, libtmux_fields, libtmux_server, private_server
from muxwright import Connection
from muxwright.operations import observe
from muxwright.transports.endpoint import new_nonce

__all__ = ["pane_listing", "process_snapshot", "snapshot", "walk"]

FEW = tuple(
    "pane_id pane_index pane_title pane_width pane_height pane_active window_id window_name session_name".split()
)
"""Fields that one looks at; libtmux has no choice of fields."""


def pane_listing(effort: Effort) -> list[Comparison]:
    """All panes with every field that libtmux reads."""
    with private_server() as server:
        fill(server, 1, 4, 10)
        libtmux = libtmux_server(server)
        fields = libtmux_fields(server)
        comparison = Comparison(
            "listing",
            f"A listing of 10 panes, the {len(fields)} fields that libtmux asks for",
            (
                Claim("listing of 10 panes", "faster", "Connection.list_panes", "libtmux Server.panes", 4),
                Claim("listing of 10 panes", "at most", "Connection.list_panes", "raw loop"),
                Claim("the raw limit of that listing", "faster", "raw loop", "libtmux Server.panes"),
                Claim(
                    f"listing of 10 panes, {len(FEW)} fields",
                    "faster",
                    "list_panes, few fields",
                    "libtmux Server.panes",
                ),
            ),
        )
        request = request_of(observe.list_rows(place_of(server), "panes", fields))
        with RawClient(server) as raw, server.connect() as connection:
            assert len(connection.list_panes(*fields)) == len(libtmux.panes) == 10
            contenders = {
                "raw loop": timed(raw.loop(request)),
                "Connection.list_panes": timed(lambda: connection.list_panes(*fields)),
                "list_panes, few fields": timed(lambda: connection.list_panes(*FEW)),
                "libtmux Server.panes": timed(lambda: libtmux.panes),
            }
            measure(comparison, contenders, effort)
    return [comparison]


def _walk(connection: Connection) -> list[tuple[Any, ...]]:
    return [
        (
            session.id,
            session.name,
            window.id,
            window.name,
            window.width,
            window.height,
            pane.id,
            pane.width,
            pane.height,
        )
        for session in connection.snapshot().sessions
        for window in session.windows
        for pane in window.panes
    ]


def _walk_libtmux(server: Any) -> list[tuple[Any, ...]]:
    return [
        (
            session.session_id,
            session.session_name,
            window.window_id,
            window.window_name,
            int(window.window_width),
            int(window.window_height),
            pane.pane_id,
            int(pane.pane_width),
            int(pane.pane_height),
        )
        for session in server.sessions
        for window in session.windows
        for pane in window.panes
    ]


def walk(effort: Effort) -> list[Comparison]:
    """Everything on a server: ids, names and sizes."""
    comparison = Comparison(
        "walk",
        "A walk over 6 sessions, 31 windows and 81 panes: ids, names and sizes",
        (Claim("walk over 81 panes", "faster", "snapshot() and its graph", "libtmux", 15),),
    )
    with private_server() as server:
        fill(server, 6, 31, 81)
        libtmux = libtmux_server(server)
        with server.connect() as connection:
            assert _walk(connection) == _walk_libtmux(libtmux)
            contenders = {
                "snapshot() and its graph": timed(lambda: _walk(connection)),
                "libtmux": timed(lambda: _walk_libtmux(libtmux)),
            }
            measure(comparison, contenders, effort)
    return [comparison]


def snapshot(effort: Effort) -> list[Comparison]:
    """A whole snapshot against the bare listings that it is made of."""
    comparison = Comparison(
        "snapshot",
        "`snapshot()` of 100 panes in 28 windows, on a connection",
        (Claim("snapshot of 100 panes", "at most", "Connection.snapshot", "raw loop", 1.6),),
    )
    with private_server() as server:
        fill(server, 2, 28, 100)
        request = request_of(observe.take_snapshot(place_of(server)))
        with RawClient(server) as raw, server.connect() as connection:
            assert len(connection.snapshot().panes) == 100
            contenders = {
                "raw loop": timed(raw.loop(request)),
                "Connection.snapshot": timed(connection.snapshot),
            }
            measure(comparison, contenders, effort)
    return [comparison]


def process_snapshot(effort: Effort) -> list[Comparison]:
    """A snapshot without a connection."""
    time = Comparison(
        "process",
        "`snapshot()` of 100 panes by the process transport",
        (Claim("snapshot of 100 panes by process", "at most", "Server.snapshot", "bare subprocess.run"),),
    )
    count = Comparison(
        "processes",
        "Processes that one `Server.snapshot()` starts",
        (Claim("processes for one snapshot", "value", "Server.snapshot", None, 1),),
        unit="processes",
    )
    with private_server() as server:
        fill(server, 2, 28, 100)
        endpoint = endpoint_of(server)
        request = request_of(observe.take_snapshot(place_of(server)))

        def bare() -> None:
            argv, data = endpoint.call(request, new_nonce())
            assert not data, "the request fits into an argument list"
            subprocess.run(argv, capture_output=True, check=True, env=os.environ)

        contenders: dict[str, Block] = {"bare subprocess.run": timed(bare), "Server.snapshot": timed(server.snapshot)}
        measure(time, contenders, effort)

        init = subprocess.Popen.__init__

        def processes(operations: int) -> list[float]:
            counts = []
            for _ in range(operations):
                # The constructor, since the library's processes are of a class of its own.
                with mock.patch.object(subprocess.Popen, "__init__", autospec=True, side_effect=init) as started:
                    server.snapshot()
                counts.append(float(started.call_count))
            return counts

        measure(count, {"Server.snapshot": processes}, Effort(1, effort.operations, 0))
    return [time, count]
