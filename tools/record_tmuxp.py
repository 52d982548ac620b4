"""Record what tmuxp makes of the example files in tests/live/data/tmuxp; our loads are compared with it.

    python tools/record_tmuxp.py [--tmuxp PATH] [--tmux PATH] [--check]

The result is tests/live/data/tmuxp/trees/VERSION.json, for each version of tmux; with --check nothing is written, and
what is there is compared with what tmuxp does now.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from muxwright import OwnedServer  # noqa: E402
from tests.support.judge import Judge  # noqa: E402
from tests.support.trees import FILES, SIZE, TREES, WORD, prepare, tree_of  # noqa: E402

QUIET = 0.7  # seconds in which a tree does not change: all programs have started then
PATIENCE = 20.0


def record(tmuxp: str, tmux: str, file: str) -> list[str]:
    """Return the tree that tmuxp makes of one file on a private server."""
    with tempfile.TemporaryDirectory(prefix="mxw-") as name:
        directory = Path(name).resolve()
        prepare(directory)
        (directory / "bin").mkdir()
        (directory / "bin" / "tmux").symlink_to(shutil.which(tmux) or tmux)
        environment = {
            "PATH": f"{directory / 'bin'}:{os.environ['PATH']}",
            "HOME": str(directory),
            "SHELL": "/bin/sh",
            "ENV": "/dev/null",
            "LC_ALL": "C.UTF-8",
            "PLACE": str(directory / "place"),
            "WORD": WORD,
            "COLUMNS": str(SIZE[0]),
            "LINES": str(SIZE[1]),
        }
        without = {name: value for name, value in environment.items() if name not in ("COLUMNS", "LINES")}
        with OwnedServer(tmux=tmux, environment=without) as server:
            server.new_session("keeper", command=["sleep", "1000"])
            words = [tmuxp, "load", "-d", "--no-progress", "-S", server.socket_path, str(directory / file)]
            subprocess.run(words, env=environment, check=True, capture_output=True, timeout=60, cwd=directory)
            (session,) = [
                row["session_name"] for row in server.list_sessions("session_name") if row["session_name"] != "keeper"
            ]
            return _settled(Judge(server.socket_path, tmux), session, directory)


def _settled(judge: Judge, session: str, directory: Path) -> list[str]:
    end = time.monotonic() + PATIENCE
    tree, since = tree_of(judge, session, directory), time.monotonic()
    while time.monotonic() < min(end, since + QUIET):
        time.sleep(0.05)  # why: tmux has no event for the program that a pane runs
        if (now := tree_of(judge, session, directory)) != tree:
            tree, since = now, time.monotonic()
    return tree


def main() -> int:
    """Write or compare all trees; the exit status is 1 when one differs."""
    parser = argparse.ArgumentParser(description="Record what tmuxp makes of the example files.")
    parser.add_argument("--tmuxp", default=os.environ.get("MUXWRIGHT_BENCH_TMUXP", "tmuxp"), help="the tmuxp to ask")
    parser.add_argument("--tmux", default=os.environ.get("MUXWRIGHT_TEST_TMUX", "tmux"), help="the tmux to use")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    said = subprocess.run([options.tmuxp, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    version = subprocess.run([options.tmux, "-V"], capture_output=True, text=True, check=True).stdout.split()[1]
    files = sorted(path.name for path in FILES.iterdir() if path.is_file())
    trees = {file: record(options.tmuxp, options.tmux, file) for file in files}
    path = TREES / f"{version}.json"
    if not options.check:
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"tmuxp": said, "trees": trees}, indent=1, ensure_ascii=False) + "\n", "utf-8")
        return 0
    recorded = json.loads(path.read_text("utf-8"))["trees"]
    different = [file for file in files if recorded.get(file) != trees[file]]
    for file in different:
        print(f"tmux {version}, {said}: {file} differs", file=sys.stderr)
    return bool(different)


if __name__ == "__main__":
    sys.exit(main())
