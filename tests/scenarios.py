"""What is done with a scripted server: on a real tmux to write the scripts, and without one in the unit tests.

A scenario takes a host and says what it found; `settled` waits on a real server until every pane runs `sleep`, and does
nothing where the answers are already written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from muxwright import MuxwrightError, Plan
from muxwright._sync.host import Host
from muxwright.commands.create import Program
from muxwright.transports.fake import Exchange, Script
from muxwright.wire.request import Section

__all__ = ["DATA", "SCENARIOS", "normal"]

DATA = Path(__file__).parent / "unit" / "data" / "scripts"
QUIET = ["sleep", "1000"]
Settled = Callable[[], None]


def look_around(host: Host, settled: Settled) -> object:
    session = host.new_session("work", directory="/", command=QUIET, size=(120, 40))
    session.active_pane().split("right", directory="/", command=QUIET)
    window = session.new_window("logs: x", directory="/", command=QUIET)
    window.active_pane().set_title("a title; with #{pid} and ünïcode")
    settled()
    snapshot = host.snapshot()
    return [
        (session.name, [(window.name, [(pane.title, pane.width, pane.height) for pane in window.panes])])
        for session in snapshot.sessions
        for window in session.windows
    ]


def type_and_capture(host: Host, settled: Settled) -> object:
    pane = host.new_session("work", directory="/", command=QUIET, size=(40, 4)).active_pane()
    settled()
    lines = pane.capture().lines  # before typing: what is echoed, and when, is the terminal's affair
    pane.send_keys("C-a", "Enter")
    pane.send_text("a;'\"#{x}\\")
    pane.paste("two\nlines;", bracketed=True)
    return len(lines)


def act_on_what_is_gone(host: Host, settled: Settled) -> object:
    session = host.new_session("work", directory="/", command=QUIET)
    pane = session.active_pane().split(directory="/", command=QUIET)
    settled()
    pane.kill()
    said = []
    for act in (lambda: pane.send_text("x"), pane.kill, pane.capture, lambda: session.rename("a.b")):
        try:
            act()
        except MuxwrightError as error:
            said.append((type(error).__name__, error.effects))
    return (said, pane.exists(), session.exists())


def settings(host: Host, settled: Settled) -> object:
    host.new_session("work", directory="/", command=QUIET)
    host.command("set-option", "-g", "@note", "two\nlines; and 'quotes'")
    host.command("set-environment", "-g", "MW_A", "first\nFAKE=1")
    return (
        host.command("show-options", "-gv", "@note"),
        [row["session_name"] for row in host.list_sessions("session_name")],
    )


def a_plan(host: Host, settled: Settled) -> object:
    quiet = Program(QUIET, directory="/")
    plan = Plan()
    made = plan.new_session("planned", program=quiet)
    window = plan.new_window(made.session, "second", program=quiet)
    plan.split(window.pane, "right", program=quiet)
    plan.select_layout(window.window, "even-horizontal")
    plan.rename_session(made.session, "done")
    return [(item.name, item.status) for item in host.run_plan(plan)]


def a_batch(host: Host, settled: Settled) -> object:
    host.new_session("work", directory="/", command=QUIET)
    items = host.run_batch([("display-message", "-p", "one"), ("kill-session", "-t", "=nobody"), ("list-buffers",)])
    group = host.run_group([("display-message", "-p", "a"), ("kill-pane", "-t", "%99"), ("display-message", "-p", "b")])
    return [item.status for item in (*items, *group)]


SCENARIOS: dict[str, Callable[[Host, Settled], object]] = {
    function.__name__: function
    for function in (look_around, type_and_capture, act_on_what_is_gone, settings, a_plan, a_batch)
}


def normal(script: Script) -> tuple[Exchange, ...]:
    """The exchanges without what differs from run to run: paths, process ids, times, terminals."""
    pid, start_time = map(str, script.generation)

    def plain(text: str) -> str:
        text = re.sub(rf"\b({pid}|{start_time})\b", "N", text)
        text = re.sub(r"/dev/(pts/|tty)\w+", "TTY", text)
        return re.sub(r"\d{3,}", "N", text)

    return tuple(
        Exchange(
            tuple(map(plain, exchange.request)),
            tuple(
                Section(part.status, plain(part.text.decode("latin-1")).encode("latin-1")) for part in exchange.sections
            ),
        )
        for exchange in script.exchanges
    )
