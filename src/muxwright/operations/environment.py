"""tmux's environments: the global one and each session's own, which tmux merges only when a program starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from muxwright.commands.environment import (
    EnvironmentScope,
    EnvironmentValue,
    check_variable,
    environment_flags,
    read_environment,
    remove_words,
    session_of,
    set_words,
    show_words,
    unset_words,
)
from muxwright.commands.guards import guarded
from muxwright.operations.steps import Operation, Place, bind, guarded_output, output
from muxwright.refs import SessionRef
from muxwright.wire.quoting import Words
from muxwright.wire.request import Command, Request, Section

__all__ = [
    "get_environment",
    "list_environment",
    "remove_environment",
    "set_environment",
    "unset_environment",
]

LIMIT = 8 * 1024 * 1024
_Found = dict[str, EnvironmentValue]


def _command(words: Words, session: SessionRef | None) -> Command:
    return Command(words) if session is None else guarded(words, session)


def _printed(section: Section, words: Words, session: SessionRef | None) -> bytes:
    return output(section, words[0].decode()) if session is None else guarded_output(section, session, words)


def _ask(place: Place, scope: EnvironmentScope, inherit: bool, name: bytes | None) -> Operation[list[_Found]]:
    """Return what the environment of a scope holds, and to `inherit` what the global one does."""
    session = session_of(scope)
    if session is not None:
        bind(place, session)
    scopes: list[EnvironmentScope] = [scope]
    if inherit and session is not None:
        scopes.append("global")
    pairs = [show_words(environment_flags(part), *([] if name is None else [name])) for part in scopes]
    # All of it is bound to the session: its generation is then the global environment's too.
    sections = yield Request(tuple(_command(words, session) for pair in pairs for words in pair), limit=LIMIT)
    return [_read(sections[2 * number :], pair, session) for number, pair in enumerate(pairs)]


def _read(sections: Sequence[Section], pair: tuple[Words, Words], session: SessionRef | None) -> _Found:
    found: _Found = {}
    for section, words, hidden in zip(sections, pair, (False, True), strict=False):
        # For a name that is not there; a command without a guard then takes the next one with it.
        if section.status == "failed" and section.text.startswith(b"unknown variable"):
            return found
        found |= read_environment(_printed(section, words, session), hidden)
    return found


def _merged(parts: Sequence[_Found]) -> _Found:
    merged: _Found = {}
    for number, part in enumerate(parts):
        for name, value in part.items():
            merged.setdefault(name, replace(value, inherited=number > 0))
    return merged


def get_environment(
    place: Place, scope: EnvironmentScope, name: str, inherit: bool
) -> Operation[EnvironmentValue | None]:
    """Return one variable, or ``None`` when it is not there."""
    parts = yield from _ask(place, scope, inherit, check_variable(name))
    return _merged(parts).get(name)


def list_environment(place: Place, scope: EnvironmentScope, inherit: bool) -> Operation[dict[str, EnvironmentValue]]:
    """Return all variables by name, hidden and removed ones too."""
    parts = yield from _ask(place, scope, inherit, None)
    return dict(sorted(_merged(parts).items()))


def set_environment(
    place: Place, scope: EnvironmentScope, name: str, value: str | bytes, hidden: bool
) -> Operation[None]:
    """Set a variable."""
    yield from _run(place, scope, set_words(scope, name, value, hidden))


def unset_environment(place: Place, scope: EnvironmentScope, name: str) -> Operation[None]:
    """Take a variable out of an environment; one that is not there is no error."""
    yield from _run(place, scope, unset_words(scope, name))


def remove_environment(place: Place, scope: EnvironmentScope, name: str) -> Operation[None]:
    """Mark a variable as removed for the programs that start."""
    yield from _run(place, scope, remove_words(scope, name))


def _run(place: Place, scope: EnvironmentScope, words: Words) -> Operation[None]:
    session = session_of(scope)
    if session is not None:
        bind(place, session)
    (section,) = yield Request((_command(words, session),))
    _printed(section, words, session)
