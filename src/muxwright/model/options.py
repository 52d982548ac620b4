"""What is known of tmux's options and hooks, and how their values become Python values.

The table comes from tmux itself (`tools/gen_options.py`). It is read when first used, and for a version that is not in
it the nearest older one counts, since tmux seldom changes an option and never guesses.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple, TypeVar, cast

from muxwright.errors import InvalidArgument
from muxwright.wire.versions import TmuxVersion

__all__ = [
    "HOOK",
    "Kind",
    "OptionSpec",
    "OptionValue",
    "ScalarValue",
    "merge_entries",
    "option_spec",
    "option_value",
    "value_text",
    "varies",
]

Kind = Literal["flag", "number", "choice", "string", "colour", "style", "command", "key", "hook", "switch", "unknown"]
"""Of an option that is not in the table: a switch (on or off now: a flag or a choice), or unknown."""

HOOK: Kind = "hook"

ScalarValue = bool | int | str
"""A flag, a number, or text; bytes that are not UTF-8 survive as lone surrogates, as in `os.fsdecode`."""

OptionValue = ScalarValue | dict[int, ScalarValue]
"""An option's value; of an array the sparse entries by index."""

V = TypeVar("V", str, ScalarValue)


class OptionSpec(NamedTuple):
    """How one version of tmux has an option.

    `scopes`: where it may be set, of ``s`` (server), ``g`` (session), ``w`` (window), ``p`` (pane). `choices`: the
    words that a choice takes.
    """

    name: str
    scopes: str
    kind: Kind
    is_array: bool = False
    choices: tuple[str, ...] = ()


class _Row(NamedTuple):
    spec: OptionSpec
    mask: str


@cache
def _versions() -> tuple[TmuxVersion, ...]:
    from muxwright.model.options_table import VERSIONS

    return tuple(map(TmuxVersion.parse, VERSIONS))


@cache
def _table() -> Mapping[str, tuple[_Row, ...]]:
    from muxwright.model.options_table import ROWS

    table: dict[str, tuple[_Row, ...]] = {}
    for line in ROWS.splitlines():
        name, scopes, mask, kind, *choices = line.split(" ")
        is_array = kind.endswith("[]") or kind == HOOK
        words = tuple(choices[0].split(",")) if choices else ()
        spec = OptionSpec(name, scopes, cast(Kind, kind.removesuffix("[]")), is_array, words)
        table[name] = (*table.get(name, ()), _Row(spec, mask))
    return table


def varies(name: str) -> bool:
    """Return whether an option is not the same in all versions that have it, so that the version must be known."""
    return len(_table().get(name, ())) > 1


def option_spec(name: str, version: TmuxVersion | None = None) -> OptionSpec | None:
    """Return how a version has a built-in option or hook; ``None`` for a name that no known version has.

    Whether this very version has it is not said: tmux itself is asked. Without a version the newest counts.

    >>> option_spec("destroy-unattached", TmuxVersion.parse("3.3a")).kind
    'flag'
    """
    rows = _table().get(name)
    if rows is None:
        return None
    versions = _versions()
    near = len(versions) - 1
    if version is not None:
        near = max((number for number, known in enumerate(versions) if version.reaches(known)), default=0)
    # The version itself, else the next newer one that has it, else the next older one.
    order = [*range(near, len(versions)), *range(near - 1, -1, -1)]
    return next(row.spec for number in order for row in rows if row.mask[number] == "1")


def option_value(kind: Kind, text: str) -> ScalarValue:
    """Return what tmux's text of a value stands for; text that does not fit the kind is given as it is.

    >>> option_value("flag", "on"), option_value("number", "50"), option_value("choice", "on")
    (True, 50, 'on')
    """
    if kind == "flag" and text in ("on", "off"):
        return text == "on"
    if kind == "number" and text.removeprefix("-").isdecimal():
        return int(text)
    return text


def value_text(spec: OptionSpec, value: ScalarValue | bytes) -> str | bytes:
    """Return the text that tmux reads as `value`; raises `InvalidArgument` for a type that the option does not take.

    Text is taken for every kind, and tmux checks it.
    """
    if isinstance(value, bool) and spec.kind in ("flag", "choice", "switch", "unknown"):
        return "on" if value else "off"
    if (
        isinstance(value, int)
        and not isinstance(value, bool)
        and spec.kind in ("number", "choice", "switch", "unknown")
    ):
        return str(value)
    if not isinstance(value, str | bytes):
        raise InvalidArgument(f"{spec.name} is a {spec.kind}, which cannot be {value!r}{_expected(spec)}")
    if not value and spec.kind in ("flag", "switch"):
        raise InvalidArgument(f"an empty value would toggle {spec.name}: give True or False")
    return value


def _expected(spec: OptionSpec) -> str:
    if spec.kind == "flag":
        return ": give True or False"
    if spec.kind == "number":
        return ": give an int"
    return f": expected one of {', '.join(spec.choices)}" if spec.choices else ": give a str"


def merge_entries(entries: Mapping[int, V], separator: str = ":") -> dict[str, list[str]]:
    """Return a merged view of an array option whose entries are ``key:part:part``: all parts of each key.

    Entries count in the order of their indexes; nothing is dropped, and a doubled separator is a literal one, as tmux
    reads it. The view is for looking: write back entries, never the view.

    >>> merge_entries({0: "xterm*:clipboard:title", 2: "screen*:title", 7: "xterm*:RGB"})
    {'xterm*': ['clipboard', 'title', 'RGB'], 'screen*': ['title']}
    """
    merged: dict[str, list[str]] = {}
    for index in sorted(entries):
        literal = str(entries[index]).replace(separator * 2, "\0")
        key, *parts = [part.replace("\0", separator) for part in literal.split(separator)]
        merged.setdefault(key, []).extend(parts)
    return merged
