"""Paste buffers of our own: random names, exact bytes, removed by whoever made them."""

from __future__ import annotations

from muxwright.commands.guards import INPUT, guarded
from muxwright.commands.listings import describe_server, read_server
from muxwright.commands.names import text_bytes
from muxwright.errors import InvalidArgument, OutputLimitExceeded, RemoteProtocolError
from muxwright.operations.steps import Operation, Place, act, bind, guarded_output, output, server_version
from muxwright.refs import BufferRef, PaneRef, ServerIdentity
from muxwright.wire.request import Command, Request
from muxwright.wire.versions import supports

__all__ = ["BUFFER_LIMIT", "check_data", "delete_buffer", "load_buffer", "paste_buffer", "paste_words", "save_buffer"]

BUFFER_LIMIT = 8 * 1024 * 1024


def check_data(data: object) -> bytes:
    """Return text or bytes as the bytes of a buffer; raises `InvalidArgument` for a NUL or anything else."""
    if isinstance(data, str):
        return text_bytes(data, "the text")
    if not isinstance(data, bytes):
        raise InvalidArgument(f"expected bytes or str, not {type(data).__name__}")
    if b"\0" in data:
        raise InvalidArgument("the data holds a NUL byte, which tmux cannot carry")
    return data


def load_buffer(place: Place, data: bytes | str) -> Operation[BufferRef]:
    """Put bytes into a new buffer of a random name; the caller owns it. tmux has no empty buffers."""
    content = check_data(data)
    if not content:
        raise InvalidArgument("the data is empty, and tmux has no empty buffers")
    name = f"muxwright-{place.token()}"
    server, load = yield Request((describe_server(), Command((b"set-buffer", b"-b", name.encode(), b"--", content))))
    generation, _ = read_server(output(server, "display-message"))
    output(load, "set-buffer", name)
    return BufferRef(ServerIdentity(place.socket_path, generation), name)


def save_buffer(place: Place, ref: BufferRef, max_bytes: int) -> Operation[bytes]:
    """Return the bytes of a buffer, proved by their number; more than `max_bytes` raise `OutputLimitExceeded`."""
    if isinstance(max_bytes, bool) or not isinstance(max_bytes, int) or max_bytes < 1:
        raise InvalidArgument(f"max_bytes is a number of bytes from 1, not {max_bytes!r}")
    bind(place, ref)
    name = ref.name.encode()
    # Not by its name: a filter cannot quote one. Ours hold only letters, digits and a dash.
    list_sizes = (b"list-buffers", b"-F", b"#{buffer_name} #{buffer_size}")
    show = (b"show-buffer", b"-b", name)
    escaped = place.version is not None and not supports(place.version, "plain-show-buffer")
    limit = max_bytes * (4 if escaped else 1) + 1024 * 1024
    both = Request((guarded(list_sizes, ref),)), Request((guarded(show, ref),), limit=limit)
    try:
        if place.generation is None:
            # One after the other: a process that shows a buffer can print nothing else.
            (sizes,), (content,) = (yield both[0]), (yield both[1])
        else:
            sizes, content = yield Request((*both[0].commands, *both[1].commands), limit=limit)
    except OutputLimitExceeded:
        raise OutputLimitExceeded(max_bytes, command="show-buffer") from None
    data = guarded_output(content, ref, show)
    rows = guarded_output(sizes, ref, list_sizes).split(b"\n")
    size = next((int(row.rpartition(b" ")[2]) for row in rows if row.rpartition(b" ")[0] == name), -1)
    if size > max_bytes:
        raise OutputLimitExceeded(max_bytes, command="show-buffer")
    if escaped:
        data = _unescaped(data)
    if len(data) == size - 1:
        data += b"\n"  # a reply loses its last newline
    if len(data) != size:
        raise RemoteProtocolError(f"{ref.name} has {size} bytes, but {len(data)} were shown", command="show-buffer")
    return data


_LETTERS = dict(zip(b"abfnrtv", b"\a\b\f\n\r\t\v", strict=True))


def _unescaped(data: bytes) -> bytes:
    """Undo the escapes of vis(3): three octal digits, the letters of C, and a backslash before anything else."""
    import re

    def plain(match: re.Match[bytes]) -> bytes:
        octal, char = match.groups()
        return bytes((int(octal, 8) if octal else _LETTERS.get(char[0], char[0]),))

    return re.sub(rb"\\(?:([0-3][0-7]{2})|(.))", plain, data, flags=re.DOTALL)


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
