"""Large answers in a process of their own, whose memory is read at the end: run as a program, it is that process."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import Claim, Comparison, Effort, measure
from benchmarks.servers import TMUX, fill, private_server
from muxwright import Connection, OwnedServer, Server

__all__ = ["large"]

ROOT = Path(__file__).parent.parent
LINES = 50_000
PASTE = 300_000
_PRINT = f"import time\nfor n in range({LINES + 200}): print(n, 'x' * 66)\ntime.sleep(1000)"
_SINK = "stty raw -echo; exec cat > /dev/null"
_TITLES = {
    "capture": f"capture of {LINES:,} lines",
    "paste": f"paste of {PASTE // 1000} kB",
    "snapshot": "snapshot of {panes:,} panes",
}


def large(effort: Effort, panes: int) -> list[Comparison]:
    """Time large answers and read the client's peak memory."""
    titles = {key: title.format(panes=panes) for key, title in _TITLES.items()}
    times = Comparison("large", "Large answers", [Claim(title, "value", title) for title in titles.values()])
    memory = Comparison(
        "memory",
        "Peak memory of a client that does all of these",
        (Claim("peak memory of the client", "value", "client", None, 80),),
        unit="MB",
    )
    with private_server("set -g history-limit 60000") as server:
        fill(server, max(1, panes // 90), max(2, panes // 4), panes - 2)
        arguments = [server.socket_path, *_prepare(server)]
        figures: dict[str, list[float]] = {}

        def child(key: str) -> Callable[[int], list[float]]:
            def block(operations: int) -> list[float]:
                if key == "capture":
                    figures.update(_child([*arguments, str(panes), str(operations)]))
                return figures[key]

            return block

        measure(times, {title: child(key) for key, title in titles.items()}, effort)
        peaks = []
        for _ in range(effort.blocks):
            peaks += _child([*arguments, str(panes), "2"])["memory"]
        memory.samples = {"client": [[peak] for peak in peaks]}
    return [times, memory]


def _child(arguments: list[str]) -> dict[str, list[float]]:
    command = [sys.executable, "-m", "benchmarks.large", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    figures: dict[str, list[float]] = json.loads(done.stdout)
    return figures


def _prepare(server: OwnedServer) -> tuple[str, str]:
    """Return the panes to capture and to paste into, once the first has printed everything."""
    session = server.get_session("s0")
    source = session.new_window(command=[sys.executable, "-c", _PRINT]).active_pane()
    sink = session.new_window(shell_command=_SINK).active_pane()
    deadline = time.monotonic() + 60
    while not _printed(server, source.id):
        assert time.monotonic() < deadline, "the pane does not print"
        time.sleep(0.1)
    return source.id, sink.id


def _printed(server: OwnedServer, pane: str) -> bool:
    sizes = {row["pane_id"]: int(row["history_size"]) for row in server.list_panes("pane_id", "history_size")}
    return sizes[pane] >= LINES


def _peak() -> float:
    """Return this process's peak resident memory in megabytes."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        # Bytes on macOS. On Linux it would count the parent's memory from before exec.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / 1e6


def _work(connection: Connection, source: str, sink: str, panes: int) -> dict[str, Callable[[], object]]:
    from_pane, to_pane = connection.get_pane(source), connection.get_pane(sink)
    data = b"0123456789 abcdefghijklmnopqrst\n" * (PASTE // 32)

    def capture() -> None:
        assert len(from_pane.capture(start=-LINES, timeout=30).lines) > LINES

    def snapshot() -> None:
        assert len(connection.snapshot(timeout=30).panes) == panes

    return {"capture": capture, "paste": lambda: to_pane.paste(data, timeout=30), "snapshot": snapshot}


def main(socket_path: str, source: str, sink: str, panes: str, operations: str) -> None:
    """Do the work and print the figures."""
    figures: dict[str, list[float]] = {}
    with Server(socket_path=socket_path, tmux=TMUX).connect(timeout=30) as connection:
        for name, operation in _work(connection, source, sink, int(panes)).items():
            figures[name] = []
            for _ in range(int(operations)):
                started = time.perf_counter()
                operation()
                figures[name].append(time.perf_counter() - started)
    print(json.dumps({**figures, "memory": [_peak()]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
