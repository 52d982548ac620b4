"""Follow a log in a pane until it says that all is well, or that it is not."""

import re

from muxwright import OwnedServer

LOG = """
for step in fetch build test; do echo "[$step] done"; sleep 0.05; done
echo "[deploy] ERROR: no space left"
exec sleep 1000
"""

with OwnedServer() as server:
    session = server.new_session("log", shell_command="read go; " + LOG)
    pane = session.active_pane()
    with pane.observe_output() as stream:
        # The pane is watched before the program goes on; nothing of it is missed.
        result = pane.send_and_wait("", ["[deploy] done"], stop=[re.compile(r"ERROR: (.*)")], timeout=10)
        log = b""
        while b"left" not in log:
            output = stream.take()
            assert output is not None, "the pane is gone"
            log += output.data
    for line in log.decode().split("\r\n"):
        if line:
            print(line)
    print(f"{result.outcome} by {result.text!r}, seen in its {result.source}")
