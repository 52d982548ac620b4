"""Observe what a pane prints: the bytes of a typed text, as the terminal echoes them."""

import time

from muxwright import OwnedServer

MESSAGE = "observed terminal echo: λ"

with OwnedServer() as server:
    session = server.new_session("stream", command=["cat"])
    with server.connect(session) as tmux:
        pane = tmux.get_session("stream").active_pane()
        with pane.observe_output() as stream:
            # A new observation: the screen and the stream are two things, and cannot be joined to the byte.
            baseline = stream.capture_baseline()
            assert baseline.continuity == "reset"
            pane.send_text(MESSAGE)
            data, deadline = b"", time.monotonic() + 5
            while len(data) < len(MESSAGE.encode()):
                output = stream.take(timeout=deadline - time.monotonic())
                assert output is not None, "the pane is gone"
                data += output.data
            assert data == MESSAGE.encode()
            # That is an echo: it proves that the terminal has the text, not that anybody has read it.
            print(data.decode(), stream.route, stream.cursor.offset)
