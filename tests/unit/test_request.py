"""How a request looks on each transport, and how a finished process is read."""

from __future__ import annotations

import pytest

from muxwright.errors import LocalProtocolError
from muxwright.wire.quoting import quote
from muxwright.wire.request import (
    Command,
    Guard,
    Request,
    Section,
    encode_control,
    encode_process,
    encode_script,
    split_process_output,
)

N = b"5eed"
GUARD = Guard(b"%7", b"#{==:#{pane_id},%7}", b"#{pane_id}")
LIST, CAPTURE = Command((b"list-panes", b"-a")), Command((b"capture-pane", b"-p", b"-t", b"%7"), GUARD)
SHOW = Command((b"show-buffer",))

CONTROL = [
    ([LIST], b"list-panes '-a'\n"),
    (
        [CAPTURE],
        b"if-shell -F -t '%7' '#{==:#{pane_id},%7}' { capture-pane '-p' '-t' '%7' } "
        + quote(b"display-message -p -t '%7' '!5eed #{pane_id}'")
        + b"\n",
    ),
    (
        [LIST, SHOW, SHOW],
        b"list-panes '-a' ; display-message -p 5eed.0 ; show-buffer ; display-message -p 5eed.1 ; show-buffer\n",
    ),
]

ACT, REPORT = b"capture-pane '-p' '-t' '%7'", b"display-message '-p' '-t' '%7' '!5eed #{pane_id}'"
PROCESS = [
    ([LIST], [b"list-panes", b"-a"]),
    ([CAPTURE], [b"if-shell", b"-F", b"-t", b"%7", b"#{==:#{pane_id},%7}", ACT, REPORT]),
    ([LIST, SHOW], [b"list-panes", b"-a", b";", b"display-message", b"-p", b"5eed.0", b";", b"show-buffer"]),
    # An act that fails drops its own mark; so the last section has one as well, to be told apart.
    (
        [CAPTURE, SHOW],
        [
            *(b"if-shell", b"-F", b"-t", b"%7", b"#{==:#{pane_id},%7}"),
            ACT + b" ; display-message '-p' '5eed.0'",
            REPORT + b" ; display-message '-p' '5eed.0'",
            *(b";", b"show-buffer", b";", b"display-message", b"-p", b"5eed.1"),
        ],
    ),
]


@pytest.mark.parametrize(("commands", "line"), CONTROL, ids=range(len(CONTROL)))
def test_control(commands: list[Command], line: bytes) -> None:
    request = Request(tuple(commands))
    assert encode_script(request, N) == line
    assert encode_control(request, N) == line + b"display-message -p 5eed\n"


@pytest.mark.parametrize(("commands", "argv"), PROCESS, ids=range(len(PROCESS)))
def test_process(commands: list[Command], argv: list[bytes]) -> None:
    assert encode_process(Request(tuple(commands)), N) == argv


def test_an_argument_cannot_end_the_line_or_the_branch() -> None:
    hostile = b"} ; kill-server\nkill-server '\""
    line = encode_control(Request((Command((b"send-keys", hostile), GUARD),)), N)
    assert line.count(b"\n") == 2
    assert b"'} ; kill-server'\"\\012\"'kill-server '\"\\047\"'\"'" in line


@pytest.mark.parametrize("command", [Command((b"x", b"\0")), Command((b"x",), Guard(b"%1", b"\0", b""))])
def test_nul_is_refused(command: Command) -> None:
    for encode in (encode_control, encode_process):
        with pytest.raises(LocalProtocolError):
            encode(Request((command,)), N)


def test_name() -> None:
    assert Request((LIST, SHOW)).name == "list-panes"


D, F, R, S = "done", "failed", "refused", "skipped"
# stdout, stderr of a failure, and the sections.
READ: list[tuple[list[Command], bytes, bytes | None, list[tuple[str, bytes]]]] = [
    ([LIST], b"a\nb\n", None, [(D, b"a\nb")]),
    ([LIST], b"", None, [(D, b"")]),
    ([LIST], b"no newline", None, [(D, b"no newline")]),
    ([LIST], b"half", b"no such thing", [(F, b"no such thing")]),
    ([CAPTURE], b"!5eed %8\n", None, [(R, b"%8")]),
    ([CAPTURE], b"!5eee %8\n", None, [(D, b"!5eee %8")]),
    ([LIST, SHOW], b"a\n5eed.0\nb\n", None, [(D, b"a"), (D, b"b")]),
    ([LIST, SHOW], b"5eed.0\n", None, [(D, b""), (D, b"")]),
    ([SHOW, LIST], b"no newline5eed.0\nb\n", None, [(D, b"no newline"), (D, b"b")]),
    ([LIST, SHOW, SHOW], b"a\n5eed.1\n5eed.0\nb\n5eed.1\nc\n", None, [(D, b"a\n5eed.1"), (D, b"b"), (D, b"c")]),
    ([LIST, SHOW, SHOW], b"a\n5eed.0\n", b"no buffer", [(D, b"a"), (F, b"no buffer"), (S, b"")]),
    ([LIST, SHOW], b"", b"parse error", [(F, b"parse error"), (S, b"")]),
    # What follows a guarded command runs although it failed.
    ([CAPTURE, SHOW], b"b\n5eed.1\n", b"too small", [(F, b"too small"), (D, b"b")]),
    ([LIST, CAPTURE, SHOW], b"a\n5eed.0\nb\n5eed.2\n", b"too small", [(D, b"a"), (F, b"too small"), (D, b"b")]),
    ([CAPTURE, SHOW], b"", b"too small\nno buffer", [(F, b"too small"), (F, b"no buffer")]),
    ([CAPTURE, SHOW], b"", b"one message", [(F, b"one message"), (F, b"one message")]),
    ([CAPTURE, SHOW], b"!5eed %8\n5eed.0\n", b"no buffer", [(R, b"%8"), (F, b"no buffer")]),
    ([CAPTURE, SHOW, LIST], b"a\n5eed.0\n", b"no buffer", [(D, b"a"), (F, b"no buffer"), (S, b"")]),
    ([LIST, CAPTURE], b"a\n5eed.0\n", b"too small", [(D, b"a"), (F, b"too small")]),
]


@pytest.mark.parametrize(("commands", "stdout", "failure", "sections"), READ, ids=range(len(READ)))
def test_read_a_process(
    commands: list[Command], stdout: bytes, failure: bytes | None, sections: list[tuple[str, bytes]]
) -> None:
    found = split_process_output(Request(tuple(commands)), N, stdout, failure)
    assert found == tuple(sections)
    assert all(isinstance(section, Section) for section in found)
