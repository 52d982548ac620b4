"""Formats of exactly one object: typed variables, and formats of the caller's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from muxwright.commands.formats import (
    FormatField,
    FormatObservation,
    RawFormat,
    check_fields,
    check_target,
    check_version,
    hint_words,
    needs_version,
    observe_words,
    read_hints,
    read_observations,
    render_words,
)
from muxwright.commands.guards import guarded
from muxwright.operations.steps import Operation, Place, bind, guarded_output, server_version
from muxwright.refs import Ref
from muxwright.wire.request import Request

__all__ = ["format_hints", "read_formats", "render_format"]

LIMIT = 8 * 1024 * 1024
HINTS_LIMIT = 1024 * 1024


def read_formats(place: Place, ref: Ref, fields: Sequence[FormatField[Any]]) -> Operation[list[FormatObservation[Any]]]:
    """Return what tmux gives for the fields, in their order, all of one moment."""
    names = check_fields(fields)
    bind(place, check_target(ref))
    if needs_version(names):
        check_version(names, (yield from server_version(place)))
    words = observe_words(ref, names)
    (section,) = yield Request((guarded(words, ref),), limit=LIMIT)
    return read_observations(guarded_output(section, ref, words), fields, str(ref))


def render_format(place: Place, ref: Ref, raw: RawFormat) -> Operation[bytes]:
    """Return what a format of the caller's own expands to."""
    words = render_words(check_target(ref), raw)
    bind(place, ref)
    (section,) = yield Request((guarded(words, ref),), limit=LIMIT)
    return guarded_output(section, ref, words)


def format_hints(place: Place, ref: Ref) -> Operation[list[str]]:
    """Return names of variables that tmux seems to have for one object."""
    words = hint_words(check_target(ref))
    bind(place, ref)
    (section,) = yield Request((guarded(words, ref),), limit=HINTS_LIMIT)
    return read_hints(guarded_output(section, ref, words))
