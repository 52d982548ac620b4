"""Decoding a pane's output, against tmux producing it."""

from __future__ import annotations

import contextlib
import os
import random
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Claim, Comparison, Effort, measure
from benchmarks.raw import endpoint_of
from benchmarks.servers import private_server
from muxwright import OwnedServer, Session
from muxwright.transports.control import CHUNK
from muxwright.wire.events import Output
from muxwright.wire.stream import ControlStream, NeedData

__all__ = ["decode", "output_client", "text"]

_END = b"=end=of=the=text="
_SLICE = 256 * 1024
_MEGABYTE = 1e6
_WORDS = (
    "import return class value = self.name ( ) [index] None if not error: while 'text' # 42 0x1f yield lambda"
    " connection.send(data, timeout=5) -> dict[str, int] \u00e9t\u00e9"
).split()

Recording = list[tuple[float, bytes]]
"""What was read, and when."""


def text(size: int, *, coloured: bool) -> bytes:
    """Return so many bytes of source-like lines, `coloured`: each word as a syntax highlighter writes it."""
    chance = random.Random(1)
    lines: list[str] = []
    length = 0
    while length < size:
        words = [chance.choice(_WORDS) for _ in range(chance.randint(2, 14))]
        if coloured:
            words = [f"\x1b[38;5;{16 + len(word) * 7}m{word}\x1b[39m" for word in words]
        lines.append("\t" * chance.randint(0, 2) + " ".join(words) + "\n")
        length += len(lines[-1].encode())
    return "".join(lines).encode()


@contextlib.contextmanager
def output_client(server: OwnedServer) -> Iterator[socket.socket]:
    """Attach a control client that takes output; only here, since that can harm servers before tmux 3.8."""
    endpoint = endpoint_of(server)
    ours, theirs = socket.socketpair()
    argv = [*endpoint.arguments(), b"attach-session", b"-E", b"-t", b"$0", b"-f", b"ignore-size"]
    argv.insert(1, b"-C")
    client = subprocess.Popen(argv, stdin=theirs.fileno(), stdout=theirs.fileno(), env=endpoint.environment)
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        client.wait(10)


def _record(session: Session, client: socket.socket, path: str) -> Recording:
    """Print a file in a new pane and return what tmux sends, read as fast as it comes."""
    # The pause keeps the end apart from the text, so that the time of the last text is known.
    program = f"cat '{path}'; sleep 0.2; echo {_END.decode()}; exec sleep 1000"
    window = session.new_window(shell_command=program)
    recording: Recording = []
    tail = b""
    while _END not in tail:
        data = client.recv(CHUNK)
        assert data, "tmux closed the connection"
        recording.append((time.perf_counter(), data))
        tail = tail[-64:] + data
    window.kill()
    last = next(index for index in range(len(recording) - 1, -1, -1) if _last_gap(recording, index))
    return recording[:last]


def _last_gap(recording: Recording, index: int) -> bool:
    return index > 0 and recording[index][0] - recording[index - 1][0] > 0.1


def _produced(recording: Recording) -> list[float]:
    """Return the seconds that a megabyte took to arrive, for each slice of the recording."""
    samples = []
    started, size = recording[0][0], 0
    for at, data in recording[1:]:
        size += len(data)
        if size >= _SLICE:
            samples.append((at - started) / size * _MEGABYTE)
            started, size = at, 0
    return samples


def _decoded(recording: Recording) -> list[float]:
    """Return the seconds that decoding a megabyte takes, for each slice, in the pieces that were read."""
    stream = ControlStream()
    samples = []
    spent, size = 0.0, 0
    for _, data in recording:
        started = time.perf_counter()
        stream.receive_data(data)
        while not isinstance(stream.next_event(), NeedData):
            pass
        spent += time.perf_counter() - started
        size += len(data)
        if size >= _SLICE:
            samples.append(spent / size * _MEGABYTE)
            spent, size = 0.0, 0
    return samples


def _check(recording: Recording, wanted: bytes) -> None:
    """Make sure that nothing is missing: what the decoder gives is the text."""
    stream = ControlStream()
    stream.receive_data(b"".join(data for _, data in recording))
    found = bytearray()
    while not isinstance(event := stream.next_event(), NeedData):
        if isinstance(event, Output):
            found += event.data
    assert wanted.replace(b"\n", b"\r\n") in found, "output was lost"


def decode(effort: Effort, size: int) -> list[Comparison]:
    """Decode plain and coloured output; a sample is a slice of 256 KiB."""
    return [_decode(effort, size, coloured) for coloured in (False, True)]


def _decode(effort: Effort, size: int, coloured: bool) -> Comparison:
    kind = "coloured" if coloured else "plain"
    comparison = Comparison(
        f"decode-{kind}",
        f"`%output` of {kind} text: what a megabyte on the wire takes",
        (Claim(f"decoding {kind} `%output`", "faster", "ControlStream", "tmux, producing it", 3),),
        unit="s/MB",
    )
    data = text(size, coloured=coloured)
    with private_server() as server, tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "text")
        path.write_bytes(data)
        session = server.new_session("home")
        with output_client(server) as client:
            recordings: list[Recording] = []

            def produce(_: int) -> list[float]:
                recordings.append(_record(session, client, os.fspath(path)))
                return _produced(recordings[-1])

            contenders = {"tmux, producing it": produce, "ControlStream": lambda _: _decoded(recordings[-1])}
            measure(comparison, contenders, effort)
            _check(recordings[-1], data)
    return comparison
