"""A plan of tmux operations from the steps of a workspace: the engine of `muxwright.Plan`, with what a load needs more.

Windows are made with ``remain-on-exit`` in the same queue item, so that a program which ends at once takes nothing with
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from muxwright.commands import create as words_of
from muxwright.commands.create import Program, read_created
from muxwright.commands.guards import guarded
from muxwright.commands.settings import Scope
from muxwright.errors import InvalidArgument
from muxwright.operations import create, environment, settings, topology
from muxwright.operations.create import CreatedRefs, created_refs
from muxwright.operations.plan import Made, Pane, Plan, Session, Slot, Window
from muxwright.operations.steps import Operation, Place, bind, guarded_output
from muxwright.refs import SessionRef
from muxwright.wire.request import Request
from muxwright.workspace.config import SHELL

__all__ = ["Recorder", "option_text", "program_of"]


def program_of(arguments: Mapping[str, Any]) -> Program:
    """Return what a step says its pane runs."""
    shell = arguments.get("shell")
    if shell and SHELL.fullmatch(shell.strip()) and not shell.startswith("exec "):
        shell = f"exec {shell}"  # the shell itself is the pane's program, and no other one waits for it
    return Program(None, shell, arguments.get("directory"), arguments.get("environment") or None)


class Recorder(Plan):
    """Records steps; a plan that also sets options and variables, and makes windows that keep their dead panes."""

    def make_window(self, session: Session, index: int, name: str | None, program: Program) -> Made:
        """Record a window at exactly this index."""
        return self._make("new-window", _make_window, self._path(session, "session"), session, index, name, program)

    def split_pane(self, pane: Pane, direction: str, size: int | str | None, program: Program) -> Made:
        """Record a split as a step of a plan says it."""
        inside = self._path(pane, "pane")[:2]
        return self._make("split-window", create.split, inside, pane, direction, size, False, False, program)

    def set_option(self, scope: Scope | Slot, name: str, value: Any) -> None:
        """Record an option; a list fills an array from 0."""
        path = () if isinstance(scope, str) else self._path(scope, "session", "window", "pane")
        self._add("set-option", _set_option, path, scope, name, value)

    def unset_option(self, scope: Session | Window, name: str) -> None:
        """Record that a scope says nothing of an option any more."""
        path = self._path(scope, "session", "window")
        self._add("set-option", settings.unset_option, path, scope, name, None)

    def set_environment(self, session: Session, name: str, value: str | None) -> None:
        """Record a variable of the session; ``None`` takes it away from its programs."""
        path = self._path(session, "session")
        if value is None:
            self._add("set-environment", environment.remove_environment, path, session, name)
        else:
            self._add("set-environment", environment.set_environment, path, session, name, value, False)

    def zoom(self, pane: Pane) -> None:
        """Record that a pane is zoomed."""
        self._add("resize-pane", topology.set_zoom, self._path(pane, "pane")[:2], pane, True)

    def set_hook(self, scope: Window, name: str, body: str, index: int) -> None:
        """Record a hook at an index of its own."""
        self._add("set-hook", settings.set_hook, self._path(scope, "window"), scope, name, body, index)


def _make_window(
    place: Place, session: SessionRef, index: int, name: str | None, program: Program
) -> Operation[CreatedRefs]:
    words = words_of.new_window(session.id, index, name, False, program)
    keep = (b"set-option", b"-w", b"-t", f"{session.id}:{index}".encode(), b"remain-on-exit", b"on")
    bind(place, session)
    made, kept = yield Request((guarded(words, session), guarded(keep, session)))
    refs = created_refs(place, read_created(guarded_output(made, session, words), "new-window"))
    guarded_output(kept, session, keep)
    return refs


def option_text(value: object) -> str:
    """Return a value of a file as tmux writes it: its own check of the text is the one that counts."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _set_option(place: Place, scope: Scope, name: str, value: Any) -> Operation[None]:
    """Set an option as a file says it: a list fills an array, and text in the place of an array is its only entry."""
    if isinstance(value, list | tuple):
        entries = {index: option_text(entry) for index, entry in enumerate(value)}
        yield from settings.set_option(place, scope, name, entries, None)
        return
    try:
        yield from settings.set_option(place, scope, name, option_text(value), None)
    except InvalidArgument as error:
        if "is an array" not in str(error):
            raise
        yield from settings.set_option(place, scope, name, {0: option_text(value)}, None)
