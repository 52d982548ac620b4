"""A process on a tether ends when its owner has died, and not before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.swappable import exists
from tests.support.waiting import wait_until

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its owner's end"),
]

OWNER = """
import os, subprocess, sys
from muxwright.transports.tether import Tether
tether = Tether()
process = subprocess.Popen(["sleep", "1000"], stderr=tether.theirs)
tether.tie(process.pid)
child = os.fork() if sys.argv[1] == "forks" else 0
if child or sys.argv[1] != "forks":
    print(process.pid, child, flush=True)
import time
time.sleep(1000)
"""


@pytest.mark.parametrize("owner", ["plain", "forks"])
def test_a_process_ends_with_its_owner(owner: str) -> None:
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, owner],
        env={**os.environ, "PYTHONPATH": str(root / "src")},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    tied, child = map(int, process.stdout.readline().split())
    try:
        assert exists(tied)
        process.kill()
        process.wait()
        wait_until(lambda: not exists(tied), what="the process has ended, although a child of its owner lives")
    finally:
        process.stdout.close()
        if child:
            os.kill(child, signal.SIGKILL)


def test_what_it_complains_about_is_read() -> None:
    from muxwright.transports.tether import Tether

    tether = Tether()
    process = subprocess.Popen(["sh", "-c", "echo no >&2"], stderr=tether.theirs)
    tether.tie(process.pid)
    process.wait()
    assert tether.read() == b"no\n"
    assert tether.read() == b""
    tether.close()
    tether.close()
