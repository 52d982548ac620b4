"""The recorded transcripts (tools/record_transcripts.py) and ways to feed them to a parser."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from muxwright.errors import RemoteProtocolError
from muxwright.wire.events import Event
from muxwright.wire.stream import ControlStream, Expectation, NeedData, Reply

DATA = Path(__file__).parent / "unit" / "data" / "transcripts"


class Broken(NamedTuple):
    """Stands for the `RemoteProtocolError` that ended a stream."""

    message: str


class Transcript(NamedTuple):
    version: str
    name: str
    expectations: tuple[Expectation, ...]
    data: bytes

    def __str__(self) -> str:
        return f"{self.version}-{self.name}"


def load() -> list[Transcript]:
    """All recorded scenarios of all versions."""
    found = []
    for path in sorted(DATA.glob("*.json")):
        recorded = json.loads(path.read_text(encoding="ascii"))
        for name, scenario in recorded["scenarios"].items():
            expectations = tuple(
                Expectation(request["nonce"].encode(), tuple(request["guarded"])) for request in scenario["requests"]
            )
            data = "".join(scenario["lines"]).encode("latin-1")
            found.append(Transcript(recorded["tmux"], name, expectations, data))
    return found


TRANSCRIPTS = load()


def chunks(data: bytes, cuts: Iterable[int]) -> Iterator[bytes]:
    """`data` cut at these offsets."""
    start = 0
    for cut in [*sorted(cuts), len(data)]:
        yield data[start:cut]
        start = cut


def bytewise(data: bytes) -> range:
    """The cuts that feed one byte at a time."""
    return range(1, len(data))


def random_cuts(data: bytes, rng: random.Random) -> list[int]:
    return [rng.randrange(len(data) + 1) for _ in range(rng.randrange(1, 12))]


def drain(stream: ControlStream) -> list[Event | Reply | Broken]:
    events: list[Event | Reply | Broken] = []
    try:
        while not isinstance(event := stream.next_event(), NeedData):
            events.append(event)
    except RemoteProtocolError as error:
        events.append(Broken(str(error)))
    return events


def parse(
    data: bytes, expectations: Sequence[Expectation] = (), cuts: Iterable[int] = (), stream: ControlStream | None = None
) -> list[Event | Reply | Broken]:
    """The events of `data`, fed in the pieces that `cuts` make of it, until the stream is broken."""
    stream = stream or ControlStream()
    for expectation in expectations:
        stream.expect(expectation)
    events: list[Event | Reply | Broken] = []
    for chunk in chunks(data, cuts):
        stream.receive_data(chunk)
        events += drain(stream)
        if events and isinstance(events[-1], Broken):
            break
    return events
