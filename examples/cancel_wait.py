"""Wait for a signal from a pane, give up, and go on: the connection stays usable and tmux keeps nothing of the wait.

One control client is attached throughout; the wait itself is a tmux process, which is gone after the cancellation.
"""

import shlex
import threading

from muxwright import CancellationToken, OwnedServer

with OwnedServer() as server:
    session = server.new_session("work", command=["sh"])
    with server.connect(session) as tmux:
        token = CancellationToken()
        threading.Timer(0.1, token.cancel).start()
        print(tmux.new_signal().wait(timeout=10, cancel=token).outcome)

        pane = tmux.get_session("work").active_pane()
        with tmux.new_signal() as signal:
            pane.send_text(shlex.join(signal.command))
            pane.send_keys("Enter")
            print(signal.wait(timeout=10).outcome)
        print(len(tmux.snapshot().clients), "control client")
