"""Which windows changed, by the server's own clock."""

from __future__ import annotations

from muxwright.commands.listings import describe_server, listing, read_server
from muxwright.errors import InvalidArgument
from muxwright.model.followed import Changes, WindowActivity
from muxwright.operations.observe import listed
from muxwright.operations.steps import Operation, Place, output
from muxwright.refs import ServerIdentity, WindowId, WindowRef
from muxwright.wire.request import Request
from muxwright.wire.rows import Column, decode_rows

__all__ = ["what_changed"]

_COLUMNS = (
    Column("window_id", free=False),
    Column("window_activity", free=False),
    Column("window_name", free=True),
)
_REQUEST = Request((describe_server(), listing("windows", _COLUMNS)))


def what_changed(place: Place, since: int | None) -> Operation[Changes]:
    """Return the windows that changed at or after `since`, the last one first."""
    if since is not None and (isinstance(since, bool) or not isinstance(since, int) or since < 0):
        raise InvalidArgument(f"since is the `now` of an earlier answer (seconds of the server's clock), not {since!r}")
    server, windows = yield _REQUEST
    generation, _ = read_server(output(server, "display-message"))
    identity = ServerIdentity(place.socket_path, generation)
    found = {
        WindowActivity(WindowRef(identity, WindowId(row[0].decode())), row[2].decode("utf-8", "replace"), int(row[1]))
        for row in decode_rows(listed(windows, "list-windows"), len(_COLUMNS))
    }
    now = max([window.activity for window in found], default=since or 0)
    changed = [window for window in found if since is None or window.activity >= since]
    return Changes(now, tuple(sorted(changed, key=lambda window: (-window.activity, int(window.ref.id[1:])))))
