"""The way back: the workspace of a session that runs.

Kept are names, indexes, exact layouts, directories, focus, zoom, titles, and the options and variables that were set on
the session and its windows. Commands are those that a load of ours remembers, else the programs of a list with all
their arguments; a bare shell is a blank pane. History and what programs hold in memory are not kept.
"""

from __future__ import annotations

import shlex
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from muxwright.commands.environment import EnvironmentValue
from muxwright.errors import BadLayout
from muxwright.model.infos import PaneInfo, WindowInfo, WindowLinkInfo
from muxwright.model.options import OptionValue
from muxwright.model.snapshot import Snapshot
from muxwright.operations import environment, observe, settings
from muxwright.operations.gather import Result, gather
from muxwright.operations.steps import Operation, Place
from muxwright.refs import PaneRef, SessionRef, WindowRef
from muxwright.wire.layout import LayoutCell, read_layout
from muxwright.workspace import marks
from muxwright.workspace.config import SHELL
from muxwright.workspace.document import WorkspaceDocument
from muxwright.workspace.programs import DEFAULT_PROGRAMS, foreground, is_listed
from muxwright.workspace.references import literal, literal_command
from muxwright.workspace.validation import BLANK, validate

if TYPE_CHECKING:
    from muxwright import AsyncServer, Server

__all__ = ["Observed", "freeze", "freeze_async", "frozen", "observe_session"]

Options = Mapping[str, OptionValue]

_OWN = "@muxwright-"
_SIZE = "default-size"


@dataclass(frozen=True, slots=True)
class Observed:
    """What a frozen workspace is made of: a snapshot, and what was set on its objects; `argv` by pane id."""

    snapshot: Snapshot
    session: SessionRef
    options: Options
    variables: Mapping[str, EnvironmentValue]
    updated: Sequence[str]
    of_windows: Mapping[str, Options]
    of_panes: Mapping[str, Options]
    default_command: str = ""
    argv: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    host_name: str = ""


def freeze(
    server: Server, session: SessionRef, *, programs: Sequence[str] = DEFAULT_PROGRAMS, timeout: float = 5.0
) -> WorkspaceDocument:
    """Return the workspace of a session, as a document that `validate` takes.

    `programs`: which foreground programs are kept as commands, by name. Windows that are linked elsewhere too become
    windows of their own. What changes while it is read may be half new.
    """
    observed = server.run(observe_session(server._transport.place, session), timeout)
    return _document(_with_programs(observed), programs)


async def freeze_async(
    server: AsyncServer, session: SessionRef, *, programs: Sequence[str] = DEFAULT_PROGRAMS, timeout: float = 5.0
) -> WorkspaceDocument:
    """Return the workspace of a session; as `freeze`."""
    observed = await server.run(observe_session(server._transport.place, session), timeout)
    return _document(_with_programs(observed), programs)


def _document(observed: Observed, programs: Sequence[str]) -> WorkspaceDocument:
    document = WorkspaceDocument.of(frozen(observed, programs))
    validate(document, strict=True)
    return document


def observe_session(place: Place, session: SessionRef) -> Operation[Observed]:
    """Read everything about one session."""
    snapshot = yield from observe.take_part(place, session)
    info = snapshot.session(session.id)
    windows: list[WindowRef] = [window.ref for window in info.windows]
    panes: list[PaneRef] = [pane.ref for pane in info.panes]
    updated = yield from settings.get_option(place, session, "update-environment", None, True)
    command = yield from settings.get_option(place, session, "default-command", None, True)
    variables = yield from environment.list_environment(place, session, False)
    scopes: list[SessionRef | WindowRef | PaneRef] = [session, *windows, *panes]
    results: list[Result] = yield from gather([settings.list_options(place, scope, False) for scope in scopes])
    for result in results:
        if result.error is not None:
            raise result.error
    found: list[Any] = [result.value for result in results]
    return Observed(
        snapshot,
        session,
        found[0],
        variables,
        [str(name) for name in updated.values()] if isinstance(updated, dict) else [],
        {ref.id: options for ref, options in zip(windows, found[1:], strict=False)},
        {ref.id: options for ref, options in zip(panes, found[1 + len(windows) :], strict=True)},
        str(command or ""),
    )


def _with_programs(observed: Observed) -> Observed:
    """Add what the operating system knows: the programs in front, and the name that tmux gives to every pane."""
    panes = observed.snapshot.session(observed.session.id).panes
    argv = {str(pane.id): foreground(pane.pid) for pane in panes if pane.pid and not pane.dead}
    return replace(observed, argv=argv, host_name=socket.gethostname())


# --- the document; from here on pure ---


def frozen(observed: Observed, programs: Sequence[str] = DEFAULT_PROGRAMS) -> dict[str, Any]:
    """Return the plain data of the workspace that was observed."""
    info = observed.snapshot.session(observed.session.id)
    options = dict(observed.options)
    size = options.pop(_SIZE, None)
    first = info.links[0].window
    data: dict[str, Any] = {
        "session_name": literal(info.name),
        "start_directory": _literal(info.path),
        "size": size if isinstance(size, str) else f"{first.width}x{first.height}",
        "environment": _environment(observed),
        "options": _options(options),
        "windows": [_window(observed, link, programs) for link in info.links],
    }
    return _without_nothing(data)


def _without_nothing(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value not in (None, {}, [], False)}


def _options(options: Options, *without: str) -> dict[str, Any]:
    """Return options as a file has them; an array with gaps loses them, as tmux itself does when it is written."""
    found: dict[str, Any] = {}
    for name, value in options.items():
        if name.startswith(_OWN) or name in without:
            continue
        found[name] = (
            [_literal(value[index]) for index in sorted(value)] if isinstance(value, dict) else _literal(value)
        )
    return found


def _literal(value: Any) -> Any:
    return literal(value) if isinstance(value, str) else value


def _environment(observed: Observed) -> dict[str, str | None]:
    """Return what was set on the session; what tmux itself takes over from its clients is not."""
    return {
        name: _literal(entry.value)
        for name, entry in observed.variables.items()
        if name not in observed.updated and not entry.hidden
    }


def _window(observed: Observed, link: WindowLinkInfo, programs: Sequence[str]) -> dict[str, Any]:
    window = link.window
    options = dict(observed.of_windows[window.id])
    after = {name: options.pop(name) for name in ("synchronize-panes",) if name in options}
    named = options.pop("automatic-rename", None) is False
    mark = options.get(marks.WINDOW)
    data = {
        "window_name": literal(window.name) if named else None,
        "key": mark if isinstance(mark, str) and mark not in ("", window.name) and mark[0] != "#" else None,
        "window_index": link.index,
        "focus": link.active,
        "layout": _layout(window) if len(window.panes) > 1 else None,
        "options": _options(options),
        "options_after": _options(after),
        "panes": [_pane(observed, window, pane, programs) for pane in window.panes],
    }
    kept = _without_nothing(data)
    return {**kept, "window_index": link.index}


def _layout(window: WindowInfo) -> str | None:
    """Return the exact layout, without the numbers of the panes, which are others the next time."""
    try:
        return _numberless(read_layout(window.layout)).dump()
    except BadLayout:
        return None


def _numberless(cell: LayoutCell) -> LayoutCell:
    return replace(cell, pane=None, children=tuple(_numberless(child) for child in cell.children))


def _pane(observed: Observed, window: WindowInfo, pane: PaneInfo, programs: Sequence[str]) -> dict[str, Any]:
    options = observed.of_panes[pane.id]
    key, remembered = marks.read_mark(options.get(marks.PANE))
    shell = _start_command(pane.start_command)
    if shell == observed.default_command:
        shell = None
    commands = [_command(command) for command in remembered or ()]
    suppressed = all(_text(command)[:1] in ("", " ") for command in commands)
    if suppressed:
        commands = [_without_blank(command) for command in commands]
    argv = observed.argv.get(pane.id, ())
    if not commands and shell is None and is_listed(argv, programs):
        commands = [literal_command(shlex.join(argv))]
    data = {
        "key": key if key and not key.startswith("#") else None,
        "focus": pane.active,
        "zoom": pane.active and window.zoomed,
        "title": literal(pane.title) if pane.title not in ("", observed.host_name) else None,
        "start_directory": _literal(pane.current_path) if pane.captured("current_path") else None,
        "shell": literal_command(shell) if shell else None,
        "readiness": "none" if shell and commands and not SHELL.fullmatch(shell) else None,
        "options": _options(options),
        "shell_command": commands,
    }
    kept = _without_nothing(data)
    return kept if suppressed else {**kept, "suppress_history": False}


def _text(command: str | dict[str, Any]) -> str:
    return command if isinstance(command, str) else command.get("cmd") or ""


def _without_blank(command: str | dict[str, Any]) -> str | dict[str, Any]:
    """Return a command without the blank that keeps it out of the history: it is typed again by default."""
    if isinstance(command, str):
        # As text these words would mean that nothing is typed.
        return {"cmd": command[1:]} if command[1:] in BLANK else command[1:]
    return {**command, "cmd": command["cmd"][1:]} if command.get("cmd") else command


def _command(step: Mapping[str, Any]) -> str | dict[str, Any]:
    """Return a command of a file from the step that typed it."""
    text, keys = step.get("text"), step.get("keys")
    text = literal_command(text) if isinstance(text, str) else text
    rest = {name: step[name] for name in ("sleep_before", "sleep_after", "wait_for") if step.get(name)}
    if isinstance(rest.get("wait_for"), str):
        rest["wait_for"] = literal_command(rest["wait_for"])
    enter = bool(step.get("enter", True))
    if isinstance(text, str) and enter and not rest:
        return text
    what: dict[str, Any] = {"cmd": text} if isinstance(text, str) else {"keys": keys}
    return {**what, "enter": enter, **rest}


def _start_command(text: str | None) -> str | None:
    """Return a pane's own program as a line of shell, from the quoted form in which tmux shows it."""
    if not text:
        return None
    try:
        words = shlex.split(text)
    except ValueError:
        return text
    if len(words) == 3 and words[:2] == ["/bin/sh", "-c"]:
        return words[2].removeprefix("exec ") if SHELL.fullmatch(words[2]) else words[2]
    if len(words) == 4 and words[:3] == ["/bin/sh", "-c", 'exec "$0"']:
        return shlex.quote(words[3])
    return words[0] if len(words) == 1 else shlex.join(words)
