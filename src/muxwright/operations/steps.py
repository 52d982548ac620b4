"""What operations are made of: the step type, the place they run at, and the few steps that all of them share."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, NamedTuple, TypeVar

from muxwright.commands.guards import GuardedRef, Requirement, guarded, refused, server_of
from muxwright.commands.refusals import refusal
from muxwright.errors import CrossServerReference, MuxwrightError, StaleReference
from muxwright.operations.feed import Feed, Source
from muxwright.operations.ring import RING_LIMIT
from muxwright.operations.stage import Holder
from muxwright.refs import Generation, PaneRef, SessionId
from muxwright.wire.quoting import Words
from muxwright.wire.request import Command, Request, Section
from muxwright.wire.versions import TmuxVersion

__all__ = [
    "Ask",
    "EndFeed",
    "OpenClient",
    "OpenFeed",
    "Opened",
    "Operation",
    "Outcome",
    "Pause",
    "Place",
    "Prepare",
    "Receive",
    "Reserve",
    "Step",
    "Wave",
    "act",
    "bind",
    "output",
    "server_version",
]

T = TypeVar("T")


class Wave(NamedTuple):
    """Requests that do not depend on each other: written together, at most `concurrency` at a time.

    The answer is a list of outcomes in the order of the requests: sections, or the error of that one.
    """

    requests: tuple[Request, ...]
    concurrency: int = 64


Outcome = tuple[Section, ...] | MuxwrightError
"""What became of one request of a wave."""


class OpenClient(NamedTuple):
    """A control client of its own, attached to `session`. The answer is a `Feed`; end it with `EndFeed`.

    With `pane`, it is fed with what that pane prints (``%output``), else with notifications, a line each. Before 3.8
    a client that takes output can kill the server.
    """

    session: SessionId
    server: tuple[Generation, TmuxVersion]
    pane: PaneRef | None = None
    keep: int = RING_LIMIT


class Ask(NamedTuple):
    """A request over the client of a feed; the answer is its sections."""

    feed: Feed[Source]
    request: Request


class EndFeed(NamedTuple):
    """Release a feed and wait until nothing of it is left."""

    feed: Feed[Source]


class OpenFeed(NamedTuple):
    """A feed of one pane. The answer is a `Feed`: of the source that this process already has, else of a fresh one.

    `keep`: bytes that can be read again. Release the feed in the end, whatever happens.
    """

    pane: PaneRef
    keep: int = RING_LIMIT


class Receive(NamedTuple):
    """The next bytes of a feed. The answer is a `Received`, as soon as there is anything to tell.

    `timeout`: seconds after which the answer is empty; ``None``: the operation's deadline, which raises
    `DeadlineExceeded`. `limit`: bytes at most.
    """

    feed: Feed[Source]
    timeout: float | None = None
    limit: int = 1024 * 1024


class Opened(NamedTuple):
    """Wait until the source of a feed has opened or ended; the answer is whether it did within `timeout`."""

    feed: Feed[Source]
    timeout: float


class Pause(NamedTuple):
    """Let `timeout` seconds pass, for what nothing announces."""

    timeout: float


class Prepare(NamedTuple):
    """A directory for the files of one run. The answer is a `Stage`; remove it in the end, whatever happens."""


class Reserve(NamedTuple):
    """Reserve a pane for one run at a time of this process. The answer is a `Lease`, or the `holder` that has it."""

    pane: PaneRef
    holder: Holder


Step = Request | Wave | OpenClient | Ask | EndFeed | OpenFeed | Receive | Opened | Pause | Prepare | Reserve

Operation = Generator[Step, Any, T]
"""Yields a step and receives its answer (of a `Request`: its sections; of a `Wave`: its outcomes); returns `T`.

An error of a step is thrown into it. From then on at least `transports.deadline.CLEANUP` seconds remain, once, so that
it can clean up.
"""


class Place(NamedTuple):
    """Where an operation runs.

    `socket_path` is the endpoint's; a connection also knows the `generation` and `version` it is attached to, and the
    `client_pid` of its own client; a process does not (``None``). `clock` gives monotonic seconds, `token` a fresh
    random name.
    """

    socket_path: str
    clock: Callable[[], float]
    token: Callable[[], str]
    generation: Generation | None = None
    version: TmuxVersion | None = None
    client_pid: int | None = None


def bind(place: Place, *refs: GuardedRef) -> None:
    """Refuse references that belong elsewhere, or to different generations, before anything is sent.

    tmux checks the first one's generation in the act; the others are then of the same.
    """
    generation = place.generation or server_of(refs[0]).generation
    for ref in refs:
        server = server_of(ref)
        if server.socket_path != place.socket_path:
            raise CrossServerReference(
                f"{ref} is of the server at {server.socket_path}, not of {place.socket_path}", target=str(ref)
            )
        if server.generation != generation:
            raise StaleReference(
                f"{ref} belongs to the tmux server {server.generation}, but this call is to {generation};"
                " take a new snapshot",
                target=str(ref),
            )


def output(section: Section, command: str, target: str | None = None) -> bytes:
    """Return what a command printed; raises the typed error when tmux refused it."""
    if section.status != "done":
        raise refusal(section.text, command, target)
    return section.text


def act(place: Place, ref: GuardedRef, words: Words, state: Sequence[Requirement] = ()) -> Operation[bytes]:
    """Run one command on exactly the object `ref`, in the state asked for; return what it printed.

    Raises `StaleReference`, `PaneNotFound` (...), `PaneDead`, `PaneInMode`, `PaneInputOff`: then nothing was done.
    """
    bind(place, ref)
    (section,) = yield Request((guarded(words, ref, state),))
    return guarded_output(section, ref, words, state)


def guarded_output(section: Section, ref: GuardedRef, words: Words, state: Sequence[Requirement] = ()) -> bytes:
    """Return what a guarded command printed; raises the typed error when the guard or tmux refused it."""
    if section.status == "done":
        return section.text
    command = words[0].decode()
    if section.status == "refused":
        raise refused(section.text, ref, state, command)
    raise refusal(section.text, command, str(ref))


def server_version(place: Place) -> Operation[TmuxVersion]:
    """Return the version of the server; asks only where it is not known."""
    if place.version is not None:
        return place.version
    words = (b"display-message", b"-p", b"#{version}")
    (section,) = yield Request((Command(words),))
    return TmuxVersion.parse(output(section, "display-message").decode("ascii", "replace"))
