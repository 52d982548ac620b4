"""A server that follows a script, for tests without tmux; and the recorder that writes such scripts from a real one.

A script is a list of exchanges: each request, with its guards, and the sections that a real tmux answered. `Fake` plays
it in order and refuses whatever the script does not expect next, so a test sees each change of what is sent.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from muxwright.operations.steps import Place
from muxwright.refs import Generation
from muxwright.transports.aio.transport import AsyncTransport
from muxwright.transports.blocking.transport import Transport
from muxwright.transports.deadline import Deadline
from muxwright.wire.quoting import encode_words
from muxwright.wire.request import Command, Request, Section
from muxwright.wire.versions import TmuxVersion

__all__ = ["AsyncFake", "Exchange", "Fake", "Recorder", "Script", "UnexpectedRequest"]

SOCKET_PATH = "/run/scripted"


class UnexpectedRequest(AssertionError):
    """Something else was asked than the script says, or more than it holds."""


class Exchange(NamedTuple):
    """A request, one line for each command, and its answer."""

    request: tuple[str, ...]
    sections: tuple[Section, ...]


class Script(NamedTuple):
    """What a server answered, and who it was."""

    generation: Generation
    version: TmuxVersion
    exchanges: tuple[Exchange, ...]

    def to_json(self) -> str:
        """Return the script as ASCII text; each byte is the character of its number."""
        exchanges = [
            {"request": request, "sections": [(part.status, part.text.decode("latin-1")) for part in sections]}
            for request, sections in self.exchanges
        ]
        made = {"version": str(self.version), "generation": list(self.generation), "exchanges": exchanges}
        return json.dumps(made, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Script:
        """Read what `to_json` has written."""
        found = json.loads(text)
        exchanges = tuple(
            Exchange(
                tuple(exchange["request"]),
                tuple(Section(status, said.encode("latin-1")) for status, said in exchange["sections"]),
            )
            for exchange in found["exchanges"]
        )
        return cls(Generation(*found["generation"]), TmuxVersion.parse(found["version"]), exchanges)


def place(generation: Generation, version: TmuxVersion, socket_path: str = SOCKET_PATH) -> Place:
    """Return a place whose clock stands still and whose tokens count, so that the same calls send the same bytes."""
    tokens = (f"token{number}" for number in itertools.count())
    return Place(socket_path, lambda: 0.0, lambda: next(tokens), generation, version)


def _command_line(command: Command) -> str:
    line = encode_words(command.words).decode("latin-1")
    if command.guard is None:
        return line
    return f"{line} if {command.guard.condition.decode('latin-1')}"


def _lines(request: Request) -> tuple[str, ...]:
    return tuple([_command_line(command) for command in request.commands])


class Fake(Transport):
    """Answers from a script.

    `done()` says that the script was played to its end.
    """

    def __init__(self, script: Script) -> None:
        self.place = place(script.generation, script.version)
        self._exchanges: Iterator[Exchange] = iter(script.exchanges)

    def execute(self, request: Request, deadline: Deadline) -> tuple[Section, ...]:
        expected = next(self._exchanges, None)
        asked = _lines(request)
        if expected is None:
            raise UnexpectedRequest(f"the script is at its end, but was asked: {_listed(asked)}")
        if expected.request != asked:
            raise UnexpectedRequest(f"the script expects:{_listed(expected.request)}\nbut was asked:{_listed(asked)}")
        return expected.sections

    def done(self) -> None:
        """Raise `UnexpectedRequest` when a part of the script was never asked for."""
        if rest := list(self._exchanges):
            raise UnexpectedRequest(f"{len(rest)} more requests were expected, next:{_listed(rest[0].request)}")


class AsyncFake(AsyncTransport):
    """The same for async handles."""

    def __init__(self, script: Script) -> None:
        self._fake = Fake(script)
        self.place = self._fake.place

    async def execute(self, request: Request, deadline: Deadline) -> tuple[Section, ...]:
        return self._fake.execute(request, deadline)

    def done(self) -> None:
        """As `Fake.done`."""
        self._fake.done()


class Recorder(Transport):
    """Passes requests on to the transport of a connection and keeps them with their answers.

    What it keeps does not name the real socket.
    """

    def __init__(self, inner: Transport) -> None:
        assert inner.place.generation is not None and inner.place.version is not None, "record a connection"
        self._inner = inner
        self._about = inner.place.generation, inner.place.version
        self.place = place(*self._about, inner.place.socket_path)
        self._exchanges: list[Exchange] = []

    def execute(self, request: Request, deadline: Deadline) -> tuple[Section, ...]:
        sections = self._inner.execute(request, deadline)
        socket_path = self.place.socket_path.encode()
        kept = tuple([part._replace(text=part.text.replace(socket_path, SOCKET_PATH.encode())) for part in sections])
        self._exchanges.append(Exchange(_lines(request), kept))
        return sections

    @property
    def script(self) -> Script:
        """What was asked and answered so far."""
        return Script(*self._about, tuple(self._exchanges))


def _listed(lines: Sequence[str]) -> str:
    return "".join([f"\n  {line}" for line in lines])
