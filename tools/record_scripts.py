"""Record what a real tmux answers in the scenarios of tests/scenarios.py: the scripts of the fake server.

    python tools/record_scripts.py [--tmux PATH] [--check]

The result is tests/unit/data/scripts/VERSION/SCENARIO.json; with --check nothing is written, and what is there is
compared with what tmux says now.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from muxwright import OwnedServer  # noqa: E402
from muxwright._sync.host import Host  # noqa: E402
from muxwright.transports.fake import Exchange, Recorder, Script  # noqa: E402
from tests.scenarios import DATA, SCENARIOS, normal  # noqa: E402

PATIENCE = 10.0  # seconds until every pane runs its program


def record(tmux: str, name: str) -> Script:
    """Return what a private server answered."""
    environment = {"PATH": os.environ["PATH"], "HOME": "/", "SHELL": "/bin/sh", "LC_ALL": "C.UTF-8"}
    # Whatever tmux sees in a pane first names its window.
    with OwnedServer(tmux=tmux, environment=environment, configuration="set -g automatic-rename off") as server:
        home = server.new_session("home", directory="/", command=["sleep", "1000"])

        def settled() -> None:
            deadline = time.monotonic() + PATIENCE
            while any(row["pane_current_command"] != "sleep" for row in server.list_panes("pane_current_command")):
                if time.monotonic() > deadline:
                    raise TimeoutError("a pane does not run its program")
                time.sleep(0.01)  # why: tmux has no event for the program that a pane runs

        settled()
        with server.connect(home) as connection:
            recorder = Recorder(connection._transport)
            SCENARIOS[name](Host(recorder), settled)
            return _anywhere(recorder.script)


def _anywhere(script: Script) -> Script:
    """Return the script without this machine's name, which is the title of a new pane."""
    name = os.uname().nodename.encode()
    exchanges = [
        Exchange(request, tuple([part._replace(text=part.text.replace(name, b"HOST")) for part in sections]))
        for request, sections in script.exchanges
    ]
    return script._replace(exchanges=tuple(exchanges))


def main() -> int:
    """Write or compare all scripts of one tmux; the exit status is 1 when one differs."""
    parser = argparse.ArgumentParser(description="Record the scripts of the fake server from a real tmux.")
    parser.add_argument("--tmux", default=os.environ.get("MUXWRIGHT_TEST_TMUX", "tmux"), help="the tmux to record")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    different = 0
    for name in SCENARIOS:
        script = record(options.tmux, name)
        path = DATA / str(script.version) / f"{name}.json"
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(script.to_json(), encoding="ascii")
        elif not path.exists() or normal(Script.from_json(path.read_text(encoding="ascii"))) != normal(script):
            different += 1
            print(f"tmux {script.version}: {name} differs", file=sys.stderr)
    return bool(different)


if __name__ == "__main__":
    sys.exit(main())
