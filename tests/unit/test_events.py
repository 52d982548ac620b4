"""Lines outside blocks: the table of notifications, and the escapes of %output."""

from __future__ import annotations

import pytest

from muxwright.wire.events import NOTIFICATIONS, Notification, Output, Unguarded, parse_line, unescape_output

KNOWN: list[tuple[bytes, tuple[bytes, ...]]] = [
    (b"%client-detached /dev/pts/1", (b"/dev/pts/1",)),
    (b"%client-session-changed /dev/pts/1 $2 work", (b"/dev/pts/1", b"$2", b"work")),
    # A session's name is free: it may look like the rest of a line.
    (b"%client-session-changed client-77 $2 a $3 b", (b"client-77", b"$2", b"a $3 b")),
    (b"%config-error f:1: unknown command: x", (b"f:1: unknown command: x",)),
    (b"%continue %3", (b"%3",)),
    (b"%exit", (b"",)),
    (b"%exit too far behind", (b"too far behind",)),
    (b"%layout-change @1 b25e,80x24,0,0,1 b25e,80x24,0,0,1 *Z", (b"@1", *[b"b25e,80x24,0,0,1"] * 2, b"*Z")),
    (b"%layout-change @1 b25e,80x24,0,0,1 b25e,80x24,0,0,1 ", (b"@1", *[b"b25e,80x24,0,0,1"] * 2, b"")),
    (b"%message  two  blanks ", (b" two  blanks ",)),
    (b"%pane-mode-changed %3", (b"%3",)),
    (b"%paste-buffer-changed a b", (b"a b",)),
    (b"%paste-buffer-deleted buffer0", (b"buffer0",)),
    (b"%pause %3", (b"%3",)),
    (b"%session-changed $1 a b", (b"$1", b"a b")),
    (b"%session-renamed $1 new", (b"$1 new",)),
    (b"%session-renamed new", (b"new",)),
    (b"%session-window-changed $1 @2", (b"$1", b"@2")),
    (b"%sessions-changed", ()),
    (b"%subscription-changed n $1 @2 3 %4 : a : b", (b"n", b"$1", b"@2", b"3", b"%4", b": a : b")),
    (b"%subscription-changed n $1 - - - : ", (b"n", b"$1", b"-", b"-", b"-", b": ")),
    (b"%unlinked-window-add @1", (b"@1",)),
    (b"%unlinked-window-close @1", (b"@1",)),
    (b"%unlinked-window-renamed @1 n", (b"@1", b"n")),
    (b"%window-add @1", (b"@1",)),
    (b"%window-close @1", (b"@1",)),
    (b"%window-pane-changed @1 %2", (b"@1", b"%2")),
    (b"%window-renamed @1 ", (b"@1", b"")),
    (b"%window-renamed @1 %end 1 2 1", (b"@1", b"%end 1 2 1")),
    ("%window-renamed @1 é ".encode() + b"\xff", (b"@1", "é ".encode() + b"\xff")),
]


@pytest.mark.parametrize(("line", "arguments"), KNOWN, ids=range(len(KNOWN)))
def test_notification(line: bytes, arguments: tuple[bytes, ...]) -> None:
    name = line[1:].split(b" ")[0].decode()
    assert parse_line(line) == Notification(name, arguments, line)


def test_every_notification_has_an_example() -> None:
    assert {line[1:].split(b" ")[0].decode() for line, _ in KNOWN} == set(NOTIFICATIONS)


UNKNOWN = [
    b"",
    b"x",
    b"%",
    b"% ",
    b"%%",
    b"%output",
    b"%output x y",
    b"%output %1",
    b"%extended-output %1 x : y",
    b"%extended-output %1 " + b"9" * 5000 + b" : y",
    b"%window-add",
    b"%window-add 1",
    b"%window-add @1 @2",
    b"%window-add@1",
    b"%session-changed 1 x",
    b"%sessions-changed x",
    b"%something-new @1",
    b"%end 1 2 1",
    b"%error 1 2 1",
    b"%begin 1 2",
    b"\xff%window-add @1",
    b"f.conf:1: unknown command",
]


@pytest.mark.parametrize("line", UNKNOWN, ids=range(len(UNKNOWN)))
def test_anything_else_is_data(line: bytes) -> None:
    assert parse_line(line) == Unguarded(line)


OUTPUT = [
    (b"%output %1 ", Output(b"%1", b"")),
    (rb"%output %12 a\015\012\134b", Output(b"%12", b"a\r\n\\b")),
    (b"%output %1  : x", Output(b"%1", b" : x")),
    (b"%extended-output %1 17 : a : b", Output(b"%1", b"a : b", 17)),
    (b"%extended-output %1 0 : ", Output(b"%1", b"", 0)),
    (rb"%extended-output %1 0 new things : \033", Output(b"%1", b"\x1b", 0)),
]


@pytest.mark.parametrize(("line", "event"), OUTPUT, ids=range(len(OUTPUT)))
def test_output(line: bytes, event: Output) -> None:
    assert parse_line(line) == event


ESCAPED = [
    (b"", b""),
    (b"plain", b"plain"),
    (rb"\015\012", b"\r\n"),
    (rb"\012\015", b"\n\r"),
    (rb"\033[1m", b"\x1b[1m"),
    (rb"\134015", rb"\015"),  # a backslash that the program printed
    (rb"\134134134", rb"\134134"),
    (rb"\134\134\015\134012", b"\\\\\r\\012"),
    (rb"\011\010\007\000\016\017\177", b"\t\b\a\0\x0e\x0f\x7f"),
    (rb"\303\251\377", b"\xc3\xa9\xff"),
    (rb"\0111", b"\t1"),
    # Not tmux's: kept as it is.
    (b"\\", b"\\"),
    (rb"\8\01\400\x", rb"\8\01\400\x"),
    (rb"\\015", b"\\\r"),
    (rb"\\134\15", rb"\\\15"),
]


@pytest.mark.parametrize(("wire", "data"), ESCAPED, ids=range(len(ESCAPED)))
def test_unescape_output(wire: bytes, data: bytes) -> None:
    assert unescape_output(wire) == data
