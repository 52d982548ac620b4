"""Batches, criteria and plans."""

from __future__ import annotations

from unittest import mock

from benchmarks.measure import Claim, Comparison, Effort, measure, timed
from benchmarks.servers import fill, private_server
from muxwright import (
    AllRelated,
    AnyRelated,
    Contains,
    PaneWhere,
    Plan,
    Selection,
    SessionInfo,
    SessionWhere,
    WindowWhere,
)
from muxwright.transports.blocking.control import ControlTransport

__all__ = ["batch", "criteria", "plan"]

COMMANDS = [("display-message", "-p", str(number)) for number in range(20)]


def batch(effort: Effort) -> list[Comparison]:
    """Independent commands, in flight together or one process each."""
    comparison = Comparison(
        "batch",
        "20 independent commands, `display-message -p`",
        (
            Claim("20 commands in a batch", "faster", "Connection.run_batch", "one process after the other", 8),
            Claim("20 commands in a batch", "faster", "Connection.run_batch", "Connection, one after the other"),
        ),
        per_sample=dict.fromkeys(
            ("Connection.run_batch", "one process after the other", "Connection, one after the other"), len(COMMANDS)
        ),
    )
    with private_server() as server:
        server.new_session("home")
        with server.connect() as connection:
            contenders = {
                "Connection.run_batch": timed(lambda: connection.run_batch(COMMANDS, concurrency=20)),
                "Connection, one after the other": timed(lambda: [connection.command(*words) for words in COMMANDS]),
                "one process after the other": timed(lambda: [server.command(*words) for words in COMMANDS]),
            }
            measure(comparison, contenders, effort)
    return [comparison]


def criteria(effort: Effort, panes: int) -> list[Comparison]:
    """Relations of two levels over one snapshot, each time anew; no tmux takes part."""
    comparison = Comparison(
        "criteria",
        f"Sessions by their windows by their panes, over a snapshot of {panes:,} panes",
        (Claim(f"a two-level relation over {panes:,} panes", "value", "Selection.filter", None, 0.015),),
    )
    # No pane has that title, so that none is spared.
    panes_without = PaneWhere(title=Contains("no such title"))
    where = SessionWhere(windows=AllRelated(WindowWhere(panes=AnyRelated(panes_without))))
    with private_server() as server:
        fill(server, 10, panes // 4, panes)
        snapshot = server.snapshot()
        assert len(snapshot.panes) == panes

        def select() -> Selection[SessionInfo]:
            return snapshot.sessions.filter(where)

        measure(comparison, {"Selection.filter": timed(select)}, effort)
    return [comparison]


def _plan() -> Plan:
    plan = Plan()
    session = plan.new_session("planned")
    windows = [session] + [plan.new_window(session.session) for _ in range(9)]
    for window in windows:
        for _ in range(3):
            plan.split(window.pane, "below")
    return plan


def plan(effort: Effort) -> list[Comparison]:
    """A session of ten windows with four panes each, and the round trips that it takes."""
    time = Comparison(
        "plan",
        "A session of 10 windows with 4 panes each",
        (Claim("a plan of 40 panes", "faster", "Connection.run_plan", "one call after the other"),),
    )
    trips = Comparison(
        "trips",
        "Round trips of that plan",
        (Claim("round trips of a plan of 40 panes", "value", "Connection.run_plan", None, 3),),
        unit="round trips",
    )
    with private_server() as server:
        server.new_session("home")
        with server.connect() as connection:

            def planned() -> None:
                items = connection.run_plan(_plan(), timeout=30)
                assert all(item.status == "completed" for item in items)
                connection.command("kill-session", "-t", "=planned")

            def written(operations: int) -> list[float]:
                counts = []
                for _ in range(operations):
                    # All requests of a wave go out in one write, and the next write waits for their answers.
                    write = ControlTransport._write
                    with mock.patch.object(ControlTransport, "_write", autospec=True, side_effect=write) as writes:
                        connection.run_plan(_plan(), timeout=30)
                    counts.append(float(writes.call_count))
                    connection.command("kill-session", "-t", "=planned")
                return counts

            def one_by_one() -> None:
                session = connection.new_session("planned")
                windows = [session.active_window()] + [session.new_window() for _ in range(9)]
                for window in windows:
                    pane = window.active_pane()
                    for _ in range(3):
                        pane.split("below")
                session.kill()

            measure(trips, {"Connection.run_plan": written}, Effort(1, 2, 0))
            measure(
                time, {"Connection.run_plan": timed(planned), "one call after the other": timed(one_by_one)}, effort
            )
    return [time, trips]
