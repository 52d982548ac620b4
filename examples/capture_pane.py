"""Capture a pane: its screen, and with it the lines that have scrolled out of it."""

import time

from muxwright import OwnedServer

PROGRAM = "for n in 1 2 3 4 5 6; do echo line $n; done; printf done; exec cat"

with OwnedServer() as server:
    pane = server.new_session("capture", size=(20, 4), shell_command=PROGRAM).active_pane()
    deadline = time.monotonic() + 5
    while "done" not in (screen := pane.capture()):
        if time.monotonic() > deadline:
            raise SystemExit("the program did not finish")
        time.sleep(0.01)
    print("screen:", *screen.lines, sep="\n  ")
    print("with history:", *pane.capture(start="history").lines, sep="\n  ")
