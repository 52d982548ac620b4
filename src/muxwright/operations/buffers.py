"""Paste buffers of our own: random names, exact bytes, removed by whoever made them."""

from __future__ import annotations

from muxwright.commands.guards import INPUT, guarded
from muxwright.commands.listings import describe_server, read_server
from muxwright.errors import InvalidArgument, RemoteProtocolError
from muxwright.operations.steps import Operation, Place, act, bind, guarded_output, output, server_version
from muxwright.refs import BufferRef, PaneRef, ServerIdentity
from muxwright.wire.request import Command, Request
from muxwright.wire.versions import supports

__all__ = ["BUFFER_LIMIT", "check_data", "delete_buffer", "load_buffer", "paste_buffer", "paste_words", "save_buffer"]

BUFFER_LIMIT = 8 * 1024 * 1024


def check_data(data: object) -> bytes:
    """Return bytes that a buffer can hold; raises `InvalidArgument` for a NUL or anything but bytes."""
    if not isinstance(data, bytes):
        raise InvalidArgument(f"a buffer holds bytes, not {type(data).__name__}")
    if b"\0" in data:
        raise InvalidArgument("the data holds a NUL byte, which tmux cannot carry")
    return data


def load_buffer(place: Place, data: bytes) -> Operation[BufferRef]:
    """Put bytes into a new buffer of a random name; the caller owns it. tmux has no empty buffers."""
    if not check_data(data):
        raise InvalidArgument("the data is empty, and tmux has no empty buffers")
    name = f"muxwright-{place.token()}"
    server, load = yield Request((describe_server(), Command((b"set-buffer", b"-b", name.encode(), b"--", data))))
    generation, _ = read_server(output(server, "display-message"))
    output(load, "set-buffer", name)
    return BufferRef(ServerIdentity(place.socket_path, generation), name)


def save_buffer(place: Place, ref: BufferRef, max_bytes: int) -> Operation[bytes]:
    """Return the bytes of a buffer, proved by their number; more than `max_bytes` raise `OutputLimitExceeded`."""
    bind(place, ref)
    name = ref.name.encode()
    # Not by its name: a filter cannot quote one. Ours hold only letters, digits and a dash.
    list_sizes = (b"list-buffers", b"-F", b"#{buffer_name} #{buffer_size}")
    show = (b"show-buffer", b"-b", name)
    sizes, content = yield Request((guarded(list_sizes, ref), guarded(show, ref)), limit=max_bytes + 64 * 1024)
    rows = guarded_output(sizes, ref, list_sizes).split(b"\n")
    data = guarded_output(content, ref, show)
    size = next((int(row.rpartition(b" ")[2]) for row in rows if row.rpartition(b" ")[0] == name), None)
    return _exact(data, size, ref)


def _exact(data: bytes, size: int | None, ref: BufferRef) -> bytes:
    """Return the bytes as they are in the buffer: a reply loses its last newline, and old versions escape it."""
    for candidate in (data, data + b"\n", _unescaped(data), _unescaped(data) + b"\n"):
        if len(candidate) == size:
            return candidate
    raise RemoteProtocolError(f"buffer {ref.name} has {size} bytes, but {len(data)} were shown", command="show-buffer")


def _unescaped(data: bytes) -> bytes:
    """Undo what tmux before 3.4 does to a buffer on a control connection: octal escapes and doubled backslashes."""
    import re

    return re.sub(rb"\\(?:([0-3][0-7]{2})|(.))", lambda m: bytes((int(m[1], 8),)) if m[1] else m[2], data)


def delete_buffer(place: Place, ref: BufferRef) -> Operation[None]:
    """Delete a buffer; raises `BufferNotFound` when it is gone."""
    yield from act(place, ref, (b"delete-buffer", b"-b", ref.name.encode()))


def paste_words(pane: PaneRef, name: bytes, raw: bool, bracketed: bool) -> tuple[bytes, ...]:
    """Return ``paste-buffer`` with unchanged bytes: newlines stay newlines, control bytes are not made visible."""
    flags = [b"-r"] + [b"-S"] * raw + [b"-p"] * bracketed
    return (b"paste-buffer", *flags, b"-b", name, b"-t", pane.id.encode())


def paste_buffer(place: Place, pane: PaneRef, ref: BufferRef, bracketed: bool) -> Operation[None]:
    """Paste a buffer into a pane that takes input; the buffer stays."""
    bind(place, pane, ref)
    version = yield from server_version(place)
    words = paste_words(pane, ref.name.encode(), supports(version, "paste-raw"), bracketed)
    (section,) = yield Request((guarded(words, pane, INPUT),))
    guarded_output(section, pane, words, INPUT)
