"""Attach to a running tmux server, look around, leave, and say what was kept.

python examples/attach_to_running.py [SOCKET_PATH]

The server at SOCKET_PATH is borrowed: it goes on. Without one, a private server is started first and removed at the
end, whatever happens in between.
"""

import os
import sys

from muxwright import MuxwrightError, OwnedServer, Server


def visit(server: Server) -> None:
    """Attach a control client, look around, detach it again."""
    with server.connect() as tmux:
        clients = tmux.snapshot().clients
        ours = next(client for client in clients if client.pid == tmux.client_pid)
        assert ours.session is not None
        print(f"attached to {ours.session.name} as one of {len(clients)} clients")
    left = server.snapshot()
    assert ours.id not in [client.id for client in left.clients]
    print(f"detached; kept: {', '.join(session.name for session in left.sessions)}")


def main() -> None:
    if len(sys.argv) > 1:
        visit(Server(socket_path=sys.argv[1]))
        print("kept: the server, which is not ours")
        return
    with OwnedServer() as owned:
        owned.new_session("work")
        visit(Server(socket_path=owned.socket_path))
    print("kept: nothing" if not os.path.exists(owned.socket_path) else f"left behind: {owned.socket_path}")


try:
    main()
except MuxwrightError as error:
    raise SystemExit(f"attach_to_running: {error}") from None
