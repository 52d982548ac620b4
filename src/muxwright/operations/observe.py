"""Reads: who answers, snapshots, raw listings, whether an object is still there."""

from __future__ import annotations

from collections.abc import Sequence

from muxwright.commands.guards import guarded
from muxwright.commands.listings import check_variables, describe_server, listing, part_listings, read_server
from muxwright.commands.raw import raw_command
from muxwright.errors import (
    InvalidArgument,
    NoSessions,
    PaneNotFound,
    SessionNotFound,
    StaleReference,
    WindowNotFound,
)
from muxwright.model.capture import Capture
from muxwright.model.fields import CLIENT, LINK, PANE, SESSION, WINDOW, columns
from muxwright.model.infos import PaneInfo, SessionInfo, WindowInfo
from muxwright.model.snapshot import Listings, Snapshot
from muxwright.operations.hooks import hook_query, refuse_hook
from muxwright.operations.steps import Operation, Place, bind, guarded_output, output
from muxwright.refs import Generation, PaneRef, Ref, ServerIdentity, SessionRef, WindowId, WindowRef
from muxwright.wire.request import Command, Request, Section
from muxwright.wire.rows import decode_text_rows
from muxwright.wire.versions import TmuxVersion

__all__ = [
    "complaint",
    "describe",
    "describe_private",
    "exists",
    "find_session",
    "list_rows",
    "listed",
    "pane_info",
    "raw",
    "session_info",
    "take_part",
    "take_snapshot",
    "take_view",
    "window_info",
]

_LINK_WIDTH = len(LINK)
_PART = LINK + WINDOW + SESSION
_PART_WINDOW = len(LINK + WINDOW)
_SNAPSHOT = Request(
    (
        describe_server(),
        listing("sessions", columns(SESSION)),
        listing("clients", columns(CLIENT)),
        listing("windows", columns(LINK + WINDOW)),
        listing("panes", columns(PANE)),
    )
)


def describe(place: Place) -> Operation[tuple[Generation, TmuxVersion]]:
    """Return the generation and the version of the server."""
    (section,) = yield Request((describe_server(),))
    return read_server(output(section, "display-message"))


def describe_private(place: Place, option: str) -> Operation[tuple[Generation, bytes]]:
    """Return the generation of the server and one of its user options, which its configuration has set last."""
    server, value = yield Request((describe_server(), Command((b"show-options", b"-gqv", option.encode()))))
    generation, _ = read_server(output(server, "display-message"))
    return generation, output(value, "show-options")


def complaint(place: Place, path: str) -> Operation[bytes]:
    """Return what tmux has to say against a configuration file; nothing of it is run."""
    (section,) = yield Request((Command((b"source-file", b"-n", path.encode("utf-8", "surrogateescape"))),))
    text: bytes = section.text
    return text


def listed(section: Section, command: str) -> bytes:
    """Return a listing; a server without sessions refuses the last two, which then are empty."""
    if section.status == "skipped":
        return b""
    try:
        return output(section, command)
    except NoSessions:
        return b""


def take_snapshot(place: Place) -> Operation[Snapshot]:
    """Return one consistent graph of everything: five listings in a single queue item."""
    before = place.clock()
    server, sessions, clients, windows, panes = yield _SNAPSHOT
    generation, version = read_server(output(server, "display-message"))
    rows = decode_text_rows(listed(windows, "list-windows"), len(LINK) + len(WINDOW))
    listings = Listings(
        sessions=decode_text_rows(output(sessions, "list-sessions"), len(SESSION)),
        links=[row[:_LINK_WIDTH] for row in rows],
        windows=[row[_LINK_WIDTH:] for row in rows],
        panes=decode_text_rows(listed(panes, "list-panes"), len(PANE)),
        clients=decode_text_rows(listed(clients, "list-clients"), len(CLIENT)),
    )
    identity = ServerIdentity(place.socket_path, generation)
    return Snapshot(identity, version, (before, place.clock()), listings)


def take_part(place: Place, ref: Ref) -> Operation[Snapshot]:
    """Return one consistent graph of a session or a window; of a pane, that of its window."""
    snapshot, _ = yield from _take_part(place, ref)
    return snapshot


def take_view(place: Place, pane: PaneRef, lines: int) -> Operation[tuple[PaneInfo, Capture]]:
    """Return what tmux says of a pane and what stands in it, `lines` of its history included, of one moment."""
    capture = Command((b"capture-pane", b"-p", b"-t", pane.id.encode(), b"-S", b"%d" % -lines))
    snapshot, (text, *hook) = yield from _take_part(place, pane, capture, *hook_query(place, pane.id))
    refuse_hook(hook)
    return snapshot.pane(pane.id), Capture(pane, output(text, "capture-pane", str(pane.id)))


def _take_part(place: Place, ref: Ref, *more: Command) -> Operation[tuple[Snapshot, Sequence[Section]]]:
    """Return the graph, and the answers to further commands of the same queue item."""
    bind(place, ref)
    before = place.clock()
    who = describe_server().words
    windows, panes = part_listings(ref, columns(_PART), columns(PANE))
    # The first answer proves the others: if this is the object asked for, they are of it.
    proof, *answers = yield Request((guarded(who, ref), windows, panes, *more))
    generation, version = read_server(guarded_output(proof, ref, who))
    identity = ServerIdentity(place.socket_path, generation)
    rows = decode_text_rows(output(answers[0], "list-windows"), len(_PART))
    listings = Listings(
        links=[row[:_LINK_WIDTH] for row in rows],
        windows=[row[_LINK_WIDTH:_PART_WINDOW] for row in rows],
        sessions=[row[_PART_WINDOW:] for row in rows],
        panes=decode_text_rows(output(answers[1], "list-panes"), len(PANE)),
        clients=(),
    )
    scope = WindowRef(identity, WindowId(rows[0][_LINK_WIDTH])) if isinstance(ref, PaneRef) else ref
    return Snapshot(identity, version, (before, place.clock()), listings, scope), answers[2:]


def list_rows(place: Place, scope: str, variables: tuple[str, ...]) -> Operation[list[dict[str, str]]]:
    """Return format variables of all sessions, windows, panes or clients, as tmux gives them."""
    wanted = check_variables(variables)
    (section,) = yield Request((listing(scope, wanted),))
    rows = decode_text_rows(listed(section, f"list-{scope}"), len(wanted))
    return [dict(zip(variables, row, strict=True)) for row in rows]


def exists(place: Place, ref: Ref) -> Operation[bool]:
    """Return whether exactly this object is there; ``False`` also when another daemon has taken its place."""
    words = (b"display-message", b"-p", b"")
    try:
        bind(place, ref)
        (section,) = yield Request((guarded(words, ref),))
        guarded_output(section, ref, words)
    except (StaleReference, PaneNotFound, WindowNotFound, SessionNotFound):
        return False
    return True


def session_info(place: Place, ref: SessionRef) -> Operation[SessionInfo]:
    """Return what tmux says of a session now."""
    return (yield from take_part(place, ref)).session(ref.id)


def window_info(place: Place, ref: WindowRef) -> Operation[WindowInfo]:
    """Return what tmux says of a window now."""
    return (yield from take_part(place, ref)).window(ref.id)


def pane_info(place: Place, ref: PaneRef) -> Operation[PaneInfo]:
    """Return what tmux says of a pane now, in the snapshot of its window."""
    return (yield from take_part(place, ref)).pane(ref.id)


def find_session(place: Place, key: str) -> Operation[SessionInfo | None]:
    """Return the session with that id or exactly that name, or ``None``."""
    if not isinstance(key, str) or not key:
        raise InvalidArgument(f"a session is looked up by its id or name, not by {key!r}")
    snapshot = yield from take_snapshot(place)
    try:
        return snapshot.session(key)
    except SessionNotFound:
        return None


def raw(place: Place, words: Sequence[str | bytes]) -> Operation[bytes]:
    """Run a tmux command of the caller's own and return what it printed, without the last newline."""
    command = raw_command(words, shared=place.generation is not None)
    (section,) = yield Request((command,))
    return section.text if section.status == "done" else output(section, command.words[0].decode())
