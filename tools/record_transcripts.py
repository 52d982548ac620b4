"""Record what a real tmux says on a control connection: the golden transcripts of the parser's tests.

    python tools/record_transcripts.py [--tmux PATH] [--check]

Each scenario gets a private server of its own, which is gone afterwards. The result is
tests/unit/data/transcripts/VERSION.json; with --check nothing is written, and what is there is compared with what tmux
says now (times, numbers and the cutting of output are allowed to differ).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from muxwright.wire.request import Command, Guard, Request, encode_control  # noqa: E402
from muxwright.wire.rows import Column, row_format  # noqa: E402

DATA = ROOT / "tests" / "unit" / "data" / "transcripts"
DIRECTORY = b"/tmp/private"  # what the transcripts say instead of the private directory
PATIENCE = 5.0  # seconds for an answer that must come
WEDGED = 0.5  # seconds for one that may never come

NEW_LINE_PANE = ("split-window", "-d", "-c", "DIR/new\nline", "exec cat")
OTHER_SESSION = ("new-session", "-d", "-s", "other", "exec cat")
FORGED = r"printf '%%begin 1 2 1\n%%end 1 2 1\n%%error 1 2 1\n%%exit\n\n%%output %%0 x\n'; exec cat"


class Step(NamedTuple):
    """What is sent, and the line beginnings that show it was done (default: the end of the fence)."""

    send: Request | bytes
    until: tuple[bytes, ...] = ()


class Scenario(NamedTuple):
    steps: tuple[Step, ...]
    setup: tuple[tuple[str, ...], ...] = ()
    pane: str = "exec cat"
    flags: str = "no-output,ignore-size"
    wedges: bool = False  # on some tmux there is never an answer


def ask(*commands: str | Command, until: tuple[bytes, ...] = ()) -> Step:
    """One request; a command is written as its words with blanks between, or given as it is."""
    made = [Command(tuple(c.encode().split())) if isinstance(c, str) else c for c in commands]
    return Step(Request(tuple(made)), until)


def guarded(words: str, condition: bytes, target: bytes = b"%0") -> Command:
    return Command(tuple(words.encode().split()), Guard(target, condition, b"#{pane_id} #{pane_dead}"))


IS_IT = b"#{==:#{pane_id},%0}"
ROWS = row_format([Column("pane_id", free=False), Column("pane_title"), Column("pane_current_path")])
HOSTILE = b"~ $HOME #{pid} ;'\"\\ \t\x01\x1b\x7f\xc3\xa9\xe6\x97\xa5\xff\xc3\n%end 1 2 1\nlast;"

SCENARIOS: dict[str, Scenario] = {
    "simple": Scenario((ask("display-message -p hello"),)),
    "empty-reply": Scenario((ask("set-option -g @x 1"),)),
    "strftime": Scenario((ask(Command((b"display-message", b"-p", b"%%end %%output #{pane_id}"))),)),
    "error": Scenario((ask("kill-pane -t %99"), ask("display-message -p after"))),
    "parse-error": Scenario((ask("no-such-command", "display-message -p two"), ask("display-message -p after"))),
    "two-commands": Scenario((ask("display-message -p one", "display-message -p two"),)),
    "first-fails": Scenario((ask("kill-pane -t %99", "display-message -p two"),)),
    "guard-true": Scenario((ask(guarded("display-message -p done", IS_IT)),)),
    "guard-false": Scenario((ask(guarded("kill-server", b"0")),)),
    # With a target that is gone tmux tests the current pane instead: a condition has to name its object.
    "guard-of-nothing": Scenario((ask(guarded("kill-server", b"#{==:#{pane_id},%99}", b"%99")),)),
    "guarded-error": Scenario((ask(guarded("kill-pane -t %99", IS_IT)),)),
    "guarded-error-between": Scenario(
        (
            ask(
                "set-buffer -b mine text",
                guarded("paste-buffer -b other -t %0", IS_IT),
                "delete-buffer -b mine",
            ),
        )
    ),
    "guard-parse-error": Scenario((ask(guarded("no-such-command x", IS_IT)),)),
    "forged-capture": Scenario((ask("capture-pane -p -J -t %0"),), pane=FORGED),
    "forged-capture-guarded": Scenario((ask(guarded("capture-pane -p -t %0", IS_IT)),), pane=FORGED),
    "forged-option": Scenario(
        (ask(Command((b"set-option", b"-g", b"@x", b"a\n%end 1 2 1\nb"))), ask("show-options -g -v @x"))
    ),
    "hook-prints": Scenario(
        (
            ask("set-hook -g after-capture-pane display-message\\x20-p\\x20hooked"),
            ask("capture-pane -p -t %0", "display-message -p two"),
            ask(guarded("capture-pane -p -t %0", IS_IT)),
        )
    ),
    "notification-hook": Scenario(
        (
            ask("set-hook -g window-renamed display-message\\x20-p\\x20x"),
            ask("rename-window -t @0 new", until=(b"%window-renamed",)),
            ask("display-message -p after"),
        )
    ),
    "source-file": Scenario(
        (ask("source-file DIR/bad.conf", until=(b"%config-error", b"DIR/bad.conf")), ask("display-message -p after"))
    ),
    "renames": Scenario(
        (
            ask("rename-window -t @0 a\\x20b", "rename-session -t $0 s\\x20$1\\x20t"),
            ask("rename-window -t @1 elsewhere", until=(b"%unlinked-window-renamed",)),
        ),
        setup=(OTHER_SESSION,),
    ),
    "windows": Scenario(
        (
            ask("new-window -d -P -F #{window_id} exec\\x20cat"),
            ask("split-window -d -t @1 exec\\x20cat", "select-pane -t %2", "select-window -t @1"),
            ask("resize-pane -Z -t %1", "kill-pane -t %2"),
            ask("kill-window -t @1", "new-session -d -s third exec\\x20cat"),
            ask("kill-session -t =third", until=(b"%unlinked-window-close",)),
        )
    ),
    "layout-change": Scenario((ask("split-window -h -t @0 exec\\x20cat", until=(b"%layout-change",)),)),
    "mode": Scenario((ask("copy-mode -t %0", until=(b"%pane-mode-changed",)), ask("copy-mode -q -t %0"))),
    "jump-prompt": Scenario((ask("copy-mode -t %0"), ask("send-keys -t %0 -l t")), wedges=True),
    "buffers": Scenario((ask("set-buffer -b mine text", "show-buffer -b mine", "delete-buffer -b mine"),)),
    "hostile-buffer": Scenario((ask(Command((b"set-buffer", b"-b", b"b", b"--", HOSTILE)), "show-buffer -b b"),)),
    "message": Scenario((ask("display-message -t %0 hello", "display-message -p two"),)),
    "subscription": Scenario(
        (
            ask("refresh-client -B title:%0:#{pane_title}", until=(b"%subscription-changed title",)),
            ask("refresh-client -B path:%1:#{pane_current_path}", until=(b"%subscription-changed path",)),
        ),
        setup=(NEW_LINE_PANE,),
    ),
    "rows": Scenario(
        (
            ask(Command((b"select-pane", b"-t", b"%0", b"-T", b"a b' \\ $HOME #x"))),
            ask(
                Command((b"list-panes", b"-a", b"-F", ROWS)), Command((b"list-windows", b"-a", b"-F", b"#{window_id} "))
            ),
        ),
        setup=(NEW_LINE_PANE,),
    ),
    "output": Scenario(
        (ask(Command((b"send-keys", b"-t", b"%0", b"-l", "é日\t\\".encode())), until=(b"%output",)),),
        flags="ignore-size",
    ),
    "extended-output": Scenario(
        (ask("send-keys -t %0 -l a:b", until=(b"%extended-output",)),), flags="ignore-size,pause-after=60"
    ),
    "pause": Scenario(
        (ask("refresh-client -A %0:pause", until=(b"%pause",)), ask("refresh-client -A %0:continue")),
        flags="ignore-size,pause-after=60",
    ),
    "other-client": Scenario((ask("detach-client -a"),), setup=(OTHER_SESSION,)),
    "kill-attached": Scenario((ask("kill-session -t $0", until=(b"EOF",)),), setup=(OTHER_SESSION,)),
    "kill-server": Scenario((ask("kill-server", until=(b"EOF",)),)),
    "detach": Scenario((ask("detach-client", until=(b"EOF",)),)),
    "empty-line": Scenario((Step(b"\n", (b"EOF",)),)),
    "no-session": Scenario((), flags="no-output,ignore-size -t =nowhere"),
}


def nonce(number: int) -> bytes:
    return b"%032x" % (0xF << 124 | number)


class Server:
    """A private tmux server with one session `w`, one window, one pane."""

    def __init__(self, tmux: str, directory: Path, scenario: Scenario) -> None:
        self.tmux = tmux
        self.directory = directory
        self.socket = str(directory / "s")
        self.environment = {
            "PATH": os.environ["PATH"],
            "TERM": "screen",
            "SHELL": "/bin/sh",
            "ENV": "/dev/null",
            "LC_ALL": "C.UTF-8",
        }
        (directory / "new\nline").mkdir()
        (directory / "bad.conf").write_text("no-such-command\ndisplay-message -p good\n", encoding="ascii")
        self.run("new-session", "-d", "-x", "80", "-y", "24", "-s", "w", "-n", "shell", scenario.pane)
        self.pid = int(self.run("display-message", "-p", "#{pid}"))
        for name in ("allow-rename", "automatic-rename"):
            self.run("set-option", "-gw", name, "off")
        for words in scenario.setup:
            self.run(*[word.replace("DIR", str(directory)) for word in words])
        for pane in self.run("list-panes", "-a", "-F", "#{pane_id}").decode().split():
            self.run("select-pane", "-t", pane, "-T", f"title of {pane[1:]}")  # not the name of this machine
        while scenario.pane is FORGED and b"%output" not in self.run("capture-pane", "-p", "-t", "%0"):
            time.sleep(0.01)

    def run(self, *words: str) -> bytes:
        line = [self.tmux, "-u", "-S", self.socket, "-f", "/dev/null", *words]
        done = subprocess.run(
            line, env=self.environment, cwd=self.directory, capture_output=True, check=True, timeout=10
        )
        return done.stdout

    def attach(self, scenario: Scenario) -> tuple[subprocess.Popen[bytes], socket.socket]:
        ours, theirs = socket.socketpair()
        flags, _, target = scenario.flags.partition(" -t ")
        line = [
            self.tmux,
            "-u",
            "-C",
            "-N",
            "-S",
            self.socket,
            "attach-session",
            "-E",
            "-t",
            target or "$0",
            "-f",
            flags,
        ]
        client = subprocess.Popen(
            line, stdin=theirs.fileno(), stdout=theirs.fileno(), stderr=subprocess.DEVNULL, env=self.environment
        )
        theirs.close()
        return client, ours

    def answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(self.socket) == 0

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)
        end = time.monotonic() + PATIENCE
        while self.answers() and time.monotonic() < end:
            time.sleep(0.01)


@contextlib.contextmanager
def private_server(tmux: str, scenario: Scenario) -> Iterator[Server]:
    directory = Path(tempfile.mkdtemp(prefix="mxr", dir="/tmp"))
    try:
        server = Server(tmux, directory, scenario)
        try:
            yield server
        finally:
            server.close()
    finally:
        shutil.rmtree(directory)


def read_until(
    connection: socket.socket, received: bytearray, start: int, wanted: tuple[bytes, ...], limit: float
) -> bool:
    """Read until every kind in `wanted` was seen: one of the alternatives of each, or the end of the stream."""
    end = time.monotonic() + limit
    pattern = re.compile(b"|".join(rb"^%s[^\n]*\n" % re.escape(line) for line in wanted), re.MULTILINE)
    while not pattern.search(received, start):
        if not select.select([connection], [], [], max(0.0, end - time.monotonic()))[0]:
            return False
        data = connection.recv(65536)
        if not data:
            return b"EOF" in wanted
        received += data
    return True


def record(tmux: str, scenario: Scenario) -> dict[str, Any]:
    with private_server(tmux, scenario) as server:
        client, connection = server.attach(scenario)
        received = bytearray()
        requests = []
        place = str(server.directory).encode()
        attached = read_until(connection, received, 0, (b"%session-changed", b"%exit"), PATIENCE)
        assert attached, "tmux did not attach"
        number = 0
        for step in scenario.steps:
            start = len(received)
            if isinstance(step.send, bytes):
                connection.sendall(step.send)
                wanted: list[tuple[bytes, ...]] = []
            else:
                number += 1
                fence = nonce(number)
                # Words are written with \x20 where an argument holds a blank.
                commands = tuple(
                    Command(tuple(w.replace(rb"\x20", b" ").replace(b"DIR", place) for w in words), guard)
                    for words, guard in step.send.commands
                )
                request = Request(commands)
                connection.sendall(encode_control(request, fence))
                requests.append({"nonce": fence.decode(), "guarded": [c.guard is not None for c in commands]})
                wanted = [(fence,)] if b"EOF" not in step.until else []
            if step.until:
                wanted.append(tuple(line.replace(b"DIR", place) for line in step.until))
            for lines in wanted:
                limit = WEDGED if scenario.wedges else PATIENCE
                if not read_until(connection, received, start, lines, limit) and not scenario.wedges:
                    print(f"    {lines} did not come", file=sys.stderr)
        # What is left until the guard of the last fence, and the end of the connection.
        connection.shutdown(socket.SHUT_WR)
        read_until(connection, received, len(received), (b"EOF",), WEDGED if scenario.wedges else PATIENCE)
        connection.close()
        client.terminate() if scenario.wedges else None
        client.wait(PATIENCE)
    text = bytes(received).replace(place, DIRECTORY).decode("latin-1")
    return {"requests": requests, "lines": re.findall(r"[^\n]*\n|[^\n]+", text)}


def normal(recorded: dict[str, Any]) -> dict[str, Any]:
    """The transcript without what differs from run to run: times, numbers, ages, where output is cut."""
    numbers: dict[str, str] = {}

    def guard(match: re.Match[str]) -> str:
        return f"{match[1]} T {numbers.setdefault(match[2], str(len(numbers)))} {match[3]}"

    lines, outputs = [], ""
    for line in recorded["lines"]:
        if found := re.match(r"%(?:output %\d+ |extended-output %\d+ \d+ : )(.*)\n", line, re.DOTALL):
            outputs += found[1]
        else:
            lines.append(re.sub(r"^(%begin|%end|%error) (?!1 2 1$)\d+ (\d+) ([01])$", guard, line))
    return {"requests": recorded["requests"], "lines": lines, "outputs": outputs}


def main() -> int:
    parser = argparse.ArgumentParser(description="Record control-mode transcripts from a real tmux.")
    parser.add_argument("--tmux", default=os.environ.get("MUXWRIGHT_TEST_TMUX", "tmux"), help="the tmux to record")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    version = subprocess.run([options.tmux, "-V"], capture_output=True, text=True, check=True).stdout.split()[-1]
    path = DATA / f"{version}.json"
    recorded = {name: record(options.tmux, scenario) for name, scenario in SCENARIOS.items()}
    if not options.check:
        path.parent.mkdir(parents=True, exist_ok=True)
        made = {"tmux": version, "scenarios": recorded}
        path.write_text(json.dumps(made, indent=1) + "\n", encoding="ascii")
        print(f"{path.relative_to(ROOT)}: {len(recorded)} scenarios")
        return 0
    known = json.loads(path.read_text(encoding="ascii"))["scenarios"]
    different = [
        name for name in {*known, *recorded} if normal(known.get(name, EMPTY)) != normal(recorded.get(name, EMPTY))
    ]
    for name in sorted(different):
        print(f"tmux {version}: {name} differs", file=sys.stderr)
    return bool(different)


EMPTY: dict[str, Any] = {"requests": [], "lines": []}

if __name__ == "__main__":
    sys.exit(main())
