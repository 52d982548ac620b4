"""A pane's two ends: what is typed into it, and what stands on its screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from muxwright.commands.guards import INPUT, guarded
from muxwright.commands.names import text_bytes
from muxwright.errors import InvalidArgument, OutputLimitExceeded, UnsupportedCapability
from muxwright.model.capture import Capture
from muxwright.operations.buffers import check_data, paste_words
from muxwright.operations.echoes import pressing, typing
from muxwright.operations.hooks import hook_query, refuse_hook
from muxwright.operations.steps import Operation, Place, act, bind, guarded_output, output, server_version
from muxwright.refs import PaneRef
from muxwright.wire.keys import check_key
from muxwright.wire.request import Command, Request
from muxwright.wire.versions import supports

__all__ = ["CAPTURE_LIMIT", "capture", "leave_mode", "paste", "send_keys", "send_text"]

CAPTURE_LIMIT = 8 * 1024 * 1024
_LINES = range(-(2**31), 2**15)


def send_keys(place: Place, ref: PaneRef, keys: Sequence[str]) -> Operation[None]:
    """Press keys by their tmux names; a name that tmux would type as text is refused."""
    if not keys:
        raise InvalidArgument("no keys were given: expected names such as 'Enter' or 'C-c'")
    checked = yield from _spelled(place, keys)
    words = (b"send-keys", b"-t", ref.id.encode(), b"--", *[key.encode() for key in checked])
    with pressing(place, ref, checked):
        yield from act(place, ref, words, INPUT)


def _spelled(place: Place, keys: Sequence[str]) -> Operation[list[str]]:
    """Return keys as tmux spells them; the version is asked for where it matters and is not known."""
    try:
        return [check_key(key, place.version) for key in keys]
    except UnsupportedCapability:
        if place.version is not None:
            raise
    version = yield from server_version(place)
    return [check_key(key, version) for key in keys]


def send_text(place: Place, ref: PaneRef, text: str) -> Operation[None]:
    """Type text as it is; nothing is added, no key name is looked up."""
    data = text_bytes(text, "the text")
    with typing(place, ref, text):
        yield from act(place, ref, (b"send-keys", b"-t", ref.id.encode(), b"-l", b"--", data), INPUT)


def paste(place: Place, ref: PaneRef, data: str | bytes, bracketed: bool) -> Operation[None]:
    """Paste text or bytes unchanged through a buffer of our own, which is gone afterwards."""
    content = check_data(data)
    bind(place, ref)
    if not content:
        yield from act(place, ref, (b"display-message", b"-p", b""), INPUT)
        return
    version = yield from server_version(place)
    name = f"muxwright-{place.token()}".encode()
    words = paste_words(ref, name, supports(version, "paste-raw"), bracketed)
    request = Request(
        (
            Command((b"set-buffer", b"-b", name, b"--", content)),
            guarded(words, ref, INPUT),
            Command((b"delete-buffer", b"-b", name)),
        )
    )
    with typing(place, ref, content.decode("utf-8", "replace")):
        load, paste_it, remove = yield request
        output(load, "set-buffer")
        guarded_output(paste_it, ref, words, INPUT)
    output(remove, "delete-buffer")


def leave_mode(place: Place, ref: PaneRef) -> Operation[None]:
    """Leave copy mode or any other mode; nothing happens when the pane is in none."""
    yield from act(place, ref, (b"copy-mode", b"-q", b"-t", ref.id.encode()))


def _line(value: int | Literal["history", "bottom"], what: str) -> bytes:
    if value in ("history", "bottom"):
        return b"-"
    if isinstance(value, bool) or not isinstance(value, int) or value not in _LINES:
        raise InvalidArgument(f"{what} is a line number ({_LINES.start} to {_LINES.stop - 1}), not {value!r}")
    return b"%d" % value


def capture(
    place: Place,
    ref: PaneRef,
    *,
    start: int | Literal["history"] | None = None,
    end: int | Literal["bottom"] | None = None,
    escapes: bool = False,
    join_wrapped: bool = False,
    keep_trailing: bool = False,
    alternate: bool = False,
    max_bytes: int = CAPTURE_LIMIT,
) -> Operation[Capture]:
    """Return what stands in a pane: its screen, or the lines asked for."""
    if isinstance(max_bytes, bool) or not isinstance(max_bytes, int) or max_bytes < 1:
        raise InvalidArgument(f"max_bytes is a number of bytes from 1, not {max_bytes!r}")
    words = [b"capture-pane", b"-p", b"-t", ref.id.encode()]
    if start is not None:
        words += [b"-S", _line(start, "start")]
    if end is not None:
        words += [b"-E", _line(end, "end")]
    for wanted, flag in ((escapes, b"-e"), (join_wrapped, b"-J"), (keep_trailing, b"-N"), (alternate, b"-a")):
        if wanted:
            words.append(flag)
    bind(place, ref)
    # Room for the guard's own reply and the framing.
    try:
        section, *hook = yield Request((guarded(words, ref), *hook_query(place, ref.id)), limit=max_bytes + 1024)
    except OutputLimitExceeded:
        raise OutputLimitExceeded(max_bytes, command="capture-pane") from None
    data = guarded_output(section, ref, words)
    if len(data) > max_bytes:
        raise OutputLimitExceeded(max_bytes, command="capture-pane")
    refuse_hook(hook)
    return Capture(ref, data)
