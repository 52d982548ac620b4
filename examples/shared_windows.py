"""Link one window into two sessions, and count what a snapshot then holds.

A linked window is one window with two links; each of its panes occurs twice.
"""

from muxwright import OwnedServer

with OwnedServer() as server:
    api = server.new_session("api", window_name="shared")
    web = server.new_session("web", window_name="own")
    shared = api.active_window()
    shared.active_pane().split("right")
    shared.link(web)

    snapshot = server.snapshot()
    print(len(snapshot.sessions), "sessions")
    print(len(snapshot.windows), "windows")
    print(len(snapshot.links), "links")
    print(len(snapshot.panes), "panes")
    print(len(snapshot.pane_occurrences), "occurrences")
