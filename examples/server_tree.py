"""Print the sessions, windows and panes of a tmux server: of the one at SOCKET_PATH, else of the usual one.

python examples/server_tree.py [SOCKET_PATH]
"""

import sys

from muxwright import MuxwrightError, Server

server = Server(socket_path=sys.argv[1]) if len(sys.argv) > 1 else Server.from_env()
try:
    snapshot = server.snapshot()
except MuxwrightError as error:
    raise SystemExit(f"server_tree: {error}") from None

print(f"tmux {snapshot.version} at {snapshot.identity.socket_path}")
for session in snapshot.sessions:
    print(f"  {session.name}")
    for link in session.links:
        print(f"    {link.index}: {link.window.name}{'*' if link.active else ''}")
        for pane in link.window.panes:
            print(f"      {pane.id} {pane.width}x{pane.height} pid {pane.pid}")
