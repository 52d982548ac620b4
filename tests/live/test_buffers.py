"""Paste buffers: exact bytes in and out on every transport, and pipes, which carry bytes too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from muxwright import (
    BufferNotFound,
    BufferRef,
    Connection,
    CrossServerReference,
    InvalidArgument,
    OutputLimitExceeded,
    Pane,
    PaneInMode,
    PipeInUse,
    Server,
    Session,
    StaleReference,
)
from tests.support.judge import Judge
from tests.support.recorder import Recorder
from tests.support.servers import every_transport
from tests.support.swappable import SwappableServer
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

Host = Server | Connection

HOSTILE = [
    b"x",
    b"\n",
    b"\n\n\n",
    b"line\n",
    b"line\n\n",
    b"a\\b\n",  # escaped and without its last newline it is as long as it was
    b"a\\b",
    b"\\\\\\\n",
    b"\\033 \\\\033 \\134 \\n \\\n\\",
    b"\\377\n\\012\n",
    b"\x1b[31m\x1b]2;x\x07\x1b[201~",
    b"\xff\xfe\xc3(\xe6\x97\n",
    b"\xff\n",
    bytes(range(1, 256)),
    bytes(range(255, 0, -1)) + b"\n",
    "é日😀 \u2028\u0301\n".encode(),
    b"%begin 1 2 1\n%end 1 2 1\n%error 1 2 1\n%exit\n",
    b"#{pid} #(id) $HOME ~ ; 'q' \"d\" {x};",
    b"-t",
    b"\r\n\t \r",
    b" lead and trail \n ",
]
LARGE = (b"\\x\x1b\xff\n" * 60_000) + b"\n"


@every_transport
def test_bytes_round_trip(host: Host, home: Session, judge: Judge) -> None:
    for data in [*HOSTILE, LARGE]:
        ref = host.load_buffer(data)
        assert ref.name.startswith("muxwright-")
        assert judge.run("show-buffer", "-b", ref.name).stdout == data
        assert host.save_buffer(ref) == data
        host.delete_buffer(ref)
    ref = host.load_buffer("text é\n")
    assert host.save_buffer(ref) == "text é\n".encode()
    host.delete_buffer(ref)
    assert judge("list-buffers") == ""


def test_buffers_of_others_are_read_exactly(host: Host, home: Session, judge: Judge) -> None:
    server = home.ref.server
    for number, data in enumerate(HOSTILE):
        judge.run("load-buffer", "-b", f"theirs {number}", "-", stdin=data)
        assert host.save_buffer(BufferRef(server, f"theirs {number}")) == data


def test_refused_data_and_bounds(host: Host, home: Session, judge: Judge) -> None:
    wrong: tuple[Any, ...] = (b"", "", b"a\0b", "a\0b", "\ud800", 5, None, bytearray(b"x"))
    for data in wrong:
        with pytest.raises(InvalidArgument):
            host.load_buffer(data)
    assert judge("list-buffers") == ""
    ref = host.load_buffer(b"\\" * 10)
    assert host.save_buffer(ref, max_bytes=10) == b"\\" * 10
    with pytest.raises(OutputLimitExceeded) as caught:
        host.save_buffer(ref, max_bytes=9)
    assert caught.value.limit == 9
    large = host.load_buffer(b"x" * 3_000_000, timeout=50)
    with pytest.raises(OutputLimitExceeded) as caught:
        host.save_buffer(large, max_bytes=100, timeout=50)
    assert caught.value.limit == 100
    assert host.save_buffer(large, timeout=50) == b"x" * 3_000_000
    bounds: tuple[Any, ...] = (0, -1, True, "1")
    for bound in bounds:
        with pytest.raises(InvalidArgument):
            host.save_buffer(ref, max_bytes=bound)


def test_a_buffer_that_is_gone(host: Host, pane: Pane, judge: Judge) -> None:
    ref = host.load_buffer(b"x")
    host.delete_buffer(ref)
    for act in (host.save_buffer, host.delete_buffer, pane.paste_buffer):
        with pytest.raises(BufferNotFound) as caught:
            act(ref)
        assert caught.value.effects == "none"
    elsewhere = BufferRef(ref.server._replace(socket_path="/elsewhere"), ref.name)
    for act in (host.save_buffer, host.delete_buffer, pane.paste_buffer):
        with pytest.raises(CrossServerReference):
            act(elsewhere)


@every_transport
def test_paste_a_buffer(host: Host, recorder: Recorder, judge: Judge) -> None:
    data = b"a\nb\\033\x1b\xff\r\n\n"
    ref = host.load_buffer(data)
    recorder.pane.paste_buffer(ref)
    recorder.pane.paste_buffer(ref, bracketed=True)  # the program has not asked for brackets
    recorder.expect(data * 2)
    judge("copy-mode", "-t", recorder.pane.id)
    with pytest.raises(PaneInMode) as caught:
        recorder.pane.paste_buffer(ref)
    assert caught.value.effects == "none"
    recorder.pane.leave_mode()
    assert host.save_buffer(ref) == data
    recorder.expect_nothing_but_more(data * 2, lambda marker: judge("send-keys", "-t", recorder.pane.id, "-l", marker))


def test_pipes(host: Host, home: Session, judge: Judge, tmp_path: Path) -> None:
    go, out, two = tmp_path / "go", tmp_path / "out 100% #[x] #{pid} ##", tmp_path / "two"
    program = f"while ! test -e '{go}'; do sleep 0.02; done; printf 'hello\\n'; read l; echo \"got $l\"; exec cat"
    pane = host.session(home.ref).new_window(shell_command=program).active_pane()
    pane.pipe(f"cat > '{out}'")
    assert judge.show(pane.id, "pane_pipe") == "1"
    with pytest.raises(PipeInUse) as caught:
        pane.pipe(f"cat > '{two}'")
    assert caught.value.effects == "none"
    go.touch()
    wait_until(lambda: out.exists() and b"hello" in out.read_bytes(), what="the output arrives in the file")
    pane.pipe(f"cat > '{two}'; : #", replace=True)
    judge("send-keys", "-t", pane.id, "-l", "word\n")
    wait_until(lambda: two.exists() and b"got word" in two.read_bytes(), what="the new pipe has the output")
    assert b"got" not in out.read_bytes()
    pane.pipe(None)
    assert judge.show(pane.id, "pane_pipe") == "0"
    pane.pipe(None)
    wrong: list[dict[str, Any]] = [
        {"shell_command": ""},
        {"shell_command": "a\0"},
        {"shell_command": "x", "read_output": False},
    ]
    for options in wrong:
        with pytest.raises(InvalidArgument):
            pane.pipe(**options)
    assert judge.show(pane.id, "pane_pipe") == "0"


def test_pipe_commands_are_literal_and_can_type(host: Host, recorder: Recorder, judge: Judge, tmp_path: Path) -> None:
    pane, out = recorder.pane, tmp_path / "line"
    texts = ["%H:%M %% %", "#{pid} #(id) #[x] ##[y] ### #S", "a;b \\n $HOME é", "%" + "x" * 7_000 + "#"]
    for text in texts:
        pane.pipe(f"printf %s '{text}' > '{out}.part'; mv '{out}.part' '{out}'", replace=True)
        wait_until(out.exists, what=f"{text[:40]!r} is written")
        assert out.read_text() == text
        out.unlink()
    pane.pipe(f"printf '{'y' * 20_000}' > '{out}.part'; mv '{out}.part' '{out}'", replace=True)
    wait_until(out.exists, what="a long text is written")
    assert out.read_text() == "y" * 20_000
    out.unlink()
    with pytest.raises(InvalidArgument):
        pane.pipe("%" + "x" * 8_191, replace=True)
    pane.pipe(f"echo '#{{pane_id}}' > '{out}'", replace=True, expand_formats=True)
    wait_until(lambda: out.exists() and out.read_text(), what="the format is written")
    assert out.read_text().strip() == pane.id
    pane.pipe("printf typed", write_input=True, read_output=False, replace=True)
    recorder.expect(b"typed")


def test_a_buffer_of_an_earlier_server(swappable: SwappableServer) -> None:
    server = Server(socket_path=swappable.socket_path, tmux=swappable.tmux)
    ref = server.load_buffer(b"x")
    swappable.swap()
    swappable.judge("set-buffer", "-b", ref.name, "theirs")
    pane = server.get_pane("%0")
    for act in (server.save_buffer, server.delete_buffer, pane.paste_buffer):
        with pytest.raises(StaleReference) as caught:
            act(ref)
        assert caught.value.effects == "none"
    with server.connect() as connection:
        for act in (connection.save_buffer, connection.delete_buffer, connection.pane(pane.ref).paste_buffer):
            with pytest.raises(StaleReference):
                act(ref)
    assert swappable.judge("show-buffer", "-b", ref.name) == "theirs"
    swappable.nothing_typed()
