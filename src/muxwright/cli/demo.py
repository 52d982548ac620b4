"""``muxwright demo``: drive a private server over one connection and show what happened.

`drive` does the work and returns a `Report`, which `cli/report.py` shows: all of it was read from tmux or measured.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

from muxwright import (
    Capture,
    Connection,
    DeadlineExceeded,
    Generation,
    MuxwrightError,
    OwnedServer,
    Pane,
    PaneId,
    PaneNotFound,
    PaneRef,
    ServerIdentity,
    Session,
    StaleReference,
)
from muxwright._sync.host import Host
from muxwright.cli.report import Check, Report, record, show
from muxwright.transports.blocking import Transport
from muxwright.transports.deadline import Deadline
from muxwright.wire.request import Request, Section

__all__ = ["command", "drive"]

ANSWERS = 100  # requests sent behind the forged lines, each of which must get its own answer
CALLS = 200  # timed calls over the connection
PROCESSES = 20  # timed calls with a process each
GRACE = 2.0  # seconds for processes that are not our children to be gone

PROMPT = "$"
# Every character here is one that terminals agree on.
BANNER = """\
\033[1;36m█▀▄▀█ █ █ ▀▄▀ █ █ █ █▀▄ ▀█▀ ▄▀▀ █▄█ ▀█▀
█ ▀ █ ▀▄▀ ▄▀▄ ▀▄▀▄▀ █▀▄ ▄█▄ ▀▄█ █ █  █\033[0m
λ → ∞  naïve café  Привет  端末
"""
HUES = r"""
for n in 5 4 3 2; do
  i=0
  while [ $i -lt 30 ]; do
    u=$((i % 5 * n / 5)) d=$((n - i % 5 * n / 5))
    case $((i / 5)) in
      0) c="$n $u 0" ;; 1) c="$d $n 0" ;; 2) c="0 $n $u" ;;
      3) c="0 $d $n" ;; 4) c="$u 0 $n" ;; 5) c="$n 0 $d" ;;
    esac
    set -- $c
    printf '\033[48;5;%dm ' $((16 + 36 * $1 + 6 * $2 + $3))
    i=$((i + 1))
  done
  printf '\033[0m\n'
done
printf '\033[1mbold\033[0m \033[3mitalic\033[0m \033[4mline\033[0m \033[7minverse\033[0m\n'
"""
FORGED = ("%begin 1 2 1", "%end 1 2 1", "%error 1 2 1", "%output %0 forged", "%exit")


class Counted(Transport):
    """A transport that counts the requests it passes on: each is one round trip."""

    def __init__(self, inner: Transport) -> None:
        self.inner = inner
        self.place = inner.place
        self.requests = 0

    def execute(self, request: Request, deadline: Deadline) -> tuple[Section, ...]:
        self.requests += 1
        return self.inner.execute(request, deadline)


@click.command("demo")
@click.option("--tmux", envvar="MUXWRIGHT_TEST_TMUX", default="tmux", metavar="PATH", help="The tmux to run.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Also write the picture to this file.")
def command(tmux: str, svg: Path | None) -> int:
    """Drive a private tmux server and show what happened.

    The server has its own directory and no configuration of yours; both are gone at the end.
    """
    console = Console(highlight=False)
    width = 80 if svg else max(min(console.width, 100), 60)
    with console.status("driving a private tmux server"):
        report = drive(width - 3, tmux)
    show(report, console, width)
    if svg:
        svg.write_text(record(report, width), encoding="utf-8")
        console.print(f"written: {svg}", soft_wrap=True)
    return 0 if all(check.passed for check in report.checks) else 1


def drive(columns: int, tmux: str = "tmux") -> Report:
    """Run the demo in a window of this width."""
    with tempfile.TemporaryDirectory(prefix="muxwright-demo-") as scratch:
        _write_programs(Path(scratch))
        server = OwnedServer(tmux=tmux, environment=_environment(scratch))
        with server:
            session = server.new_session("demo", window_name="screen", size=(columns, 17), directory=scratch)
            with server.connect(session) as connection:
                report = _drive(server, connection, session)
            processes = {
                "server": [server.pid],
                "client": [connection.client_pid],
                "shells": [pane.pid for pane in report.snapshot.panes if pane.pid is not None],
            }
    report.checks.append(_nothing_left(processes, [os.path.dirname(server.socket_path), scratch]))
    return report


def _environment(home: str) -> dict[str, str]:
    """The whole environment of the server: a plain shell without anybody's start-up files."""
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": home,
        "SHELL": "/bin/sh",
        "ENV": "/dev/null",
        "PS1": f"{PROMPT} ",
    }
    return environment | {name: os.environ[name] for name in ("LANG", "LC_ALL", "LC_CTYPE") if name in os.environ}


def _write_programs(directory: Path) -> None:
    (directory / "banner").write_text(BANNER, encoding="utf-8")
    (directory / "hues").write_text(HUES, encoding="utf-8")
    (directory / "forge").write_text("".join(f"echo '{line}'\n" for line in FORGED), encoding="utf-8")


def _drive(server: OwnedServer, connection: Connection, session: Session) -> Report:
    started = time.perf_counter()
    counted = Counted(connection._transport)
    host = Host(counted)
    session, first = host.session(session.ref), session.active_pane().ref

    banner = host.pane(first)
    shell = banner.split("right", size="45%")
    hues = banner.split("below", size=8)
    forge = shell.split("below", size=8)
    panes = {"banner": banner, "shell": shell, "hues": hues, "forge": forge}
    for title, pane in panes.items():
        pane.set_title(title)
        _wait(pane)

    # Each text that is waited for is the program's own: it does not stand in the line that was typed.
    _type(banner, "cat banner", lambda screen: "端末" in screen)
    _type(hues, "sh hues", lambda screen: "inverse" in screen)
    _type(shell, "ls", lambda screen: all(name in screen for name in ("banner", "forge", "hues")))
    _type(shell, "echo $((6 * 7))", lambda screen: "42" in screen.lines)
    _type(forge, "sh forge", lambda screen: set(FORGED) <= set(screen.lines))

    snapshot = host.snapshot()
    captures = {PaneId(pane.id): pane.capture(escapes=True).text for pane in panes.values()}
    report = Report(snapshot, captures)
    report.checks += [_forged(host, forge), _killed(session), _earlier_life(server, banner)]
    report.round_trips, report.seconds = counted.requests, time.perf_counter() - started
    report.per_call = (_median(banner.exists, CALLS), _median(server.pane(first).exists, PROCESSES))
    return report


def _type(pane: Pane, line: str, done: Callable[[Capture], bool]) -> None:
    """Type a line into the pane's shell; wait until its output is there and the shell asks for the next line."""
    pane.send_text(line)
    pane.send_keys("Enter")
    _wait(pane, done)


def _wait(pane: Pane, shown: Callable[[Capture], bool] = bool, timeout: float = 5.0) -> None:
    deadline = time.monotonic() + timeout
    while (screen := pane.capture()).trimmed[-1:] != [PROMPT] or not shown(screen):
        if time.monotonic() > deadline:
            raise DeadlineExceeded(timeout, effects="possible", command="capture-pane", target=pane.id)
        time.sleep(0.005)


def _median(call: Callable[[], object], times: int) -> float:
    samples = []
    for _ in range(times):
        started = time.perf_counter()
        call()
        samples.append(time.perf_counter() - started)
    return statistics.median(samples)


# --- checks ---


def _forged(host: Host, pane: Pane) -> Check:
    """Lines that look like tmux's own replies are text, and every later request still gets its own answer."""
    kept = [line for line in pane.capture().lines if line in FORGED] == list(FORGED)
    tokens = [os.urandom(8).hex() for _ in range(ANSWERS)]
    right = sum(host.command("display-message", "-p", token) == token.encode() for token in tokens)
    outcome = f"{len(FORGED)} forged lines stayed text; {right} of {ANSWERS} later answers right"
    return Check("forged lines", outcome, kept and right == ANSWERS)


def _killed(session: Session) -> Check:
    """A pane that is gone is never taken for its neighbour."""
    window = session.new_window("short-lived")
    pane = window.active_pane()
    window.kill()
    return _refused("killed pane", pane, PaneNotFound)


def _earlier_life(server: OwnedServer, pane: Pane) -> Check:
    """The same id of a server that was started a second earlier: tmux itself refuses, and nothing is typed."""
    path, (pid, started) = pane.ref.server
    stale = server.pane(PaneRef(ServerIdentity(path, Generation(pid, started - 1)), pane.ref.id))
    before = pane.capture()
    check = _refused("earlier server", stale, StaleReference)
    return replace(check, passed=check.passed and pane.capture() == before)


def _refused(name: str, pane: Pane, expected: type[MuxwrightError]) -> Check:
    try:
        pane.send_text("exit")
    except MuxwrightError as error:
        outcome = f"typing into {pane.id} is refused: {type(error).__name__}, effects {error.effects}"
        return Check(name, outcome, type(error) is expected and error.effects == "none")
    return Check(name, f"typing into {pane.id} was not refused", passed=False)


def _nothing_left(processes: dict[str, list[int]], directories: list[str]) -> Check:
    """Look for everything that was made, from outside: in the process table and in the file system."""
    deadline = time.monotonic() + GRACE
    pids = [pid for several in processes.values() for pid in several]
    while (alive := [pid for pid in pids if _runs(pid)]) and time.monotonic() < deadline:
        time.sleep(0.005)
    left = [f"process {pid}" for pid in alive] + [path for path in directories if os.path.exists(path)]
    counts = ", ".join(f"{len(pids)} {what}" for what, pids in processes.items())
    gone = f"looked for {counts}, {len(directories)} directories: gone"
    return Check("nothing left", f"still there: {', '.join(left)}" if left else gone, not left)


def _runs(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not collected yet does not."""
    if os.path.exists("/proc/self/stat"):
        try:
            state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0].decode()
        except OSError:
            return False
    else:
        listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
        state = listed.stdout.strip() or "X"
    return state[0] not in "XZ"
