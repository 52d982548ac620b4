"""Type a command into a shell of a private tmux server and print what the shell answered."""

import time

from muxwright import OwnedServer

with OwnedServer() as server:
    session = server.new_session("hello")
    with server.connect(session) as tmux:
        pane = tmux.get_session("hello").active_pane()
        pane.send_text("echo hello from tmux $((3 + 4))")
        pane.send_keys("Enter")
        deadline = time.monotonic() + 5
        # The 7 is in the output only: seeing what was typed would prove nothing.
        while "hello from tmux 7" not in (screen := pane.capture()):
            if time.monotonic() > deadline:
                raise SystemExit("no answer from the shell")
            time.sleep(0.01)
        print(next(line for line in screen.lines if "hello from tmux 7" in line))
