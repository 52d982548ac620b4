"""Options and hooks: read exactly, in one scope or along its parents; written literally.

A read never mistakes anything for an absent value: a name that tmux does not have is `UnknownOption`, an object that is
gone its own error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from muxwright.commands.guards import guarded
from muxwright.commands.settings import (
    GLOBAL_SCOPES,
    Entry,
    HookBody,
    Scope,
    chain,
    check_index,
    check_option,
    clear_words,
    decode_command,
    decode_string,
    hook_body,
    letter_of,
    read_entries,
    ref_of,
    set_words,
    setting_bytes,
    show_words,
    unset_words,
)
from muxwright.errors import AmbiguousOption, BadValue, CommandError, InvalidArgument, MuxwrightError, UnknownOption
from muxwright.model.options import (
    HOOK,
    Kind,
    OptionSpec,
    OptionValue,
    ScalarValue,
    option_spec,
    option_value,
    value_text,
)
from muxwright.model.options import varies as varies_by_version
from muxwright.operations.steps import Operation, Place, bind, guarded_output, output, server_version
from muxwright.wire.quoting import Words
from muxwright.wire.request import Command, Request, Section
from muxwright.wire.versions import TmuxVersion

__all__ = [
    "HookValue",
    "NewHook",
    "NewOption",
    "get_hook",
    "get_option",
    "list_hooks",
    "list_options",
    "set_hook",
    "set_option",
    "unset_hook",
    "unset_option",
]

NewOption = ScalarValue | bytes | Mapping[int, ScalarValue | bytes]
"""What an option can be set to; a mapping is a whole array."""

NewHook = HookBody | Mapping[int, HookBody]
"""What a hook can be set to; a mapping is the whole array."""

HookValue = dict[int, str]
"""A hook's commands by index, as tmux writes them."""

LIMIT = 8 * 1024 * 1024
_SCOPE_NAMES = {"s": "server", "g": "session", "w": "window", "p": "pane"}
_STAR = re.compile(rb"^([^ ]+)\*(?= |$)")
_VERSION = (b"display-message", b"-p", b"#{version}")


def request(scope: Scope, all_words: Sequence[Words]) -> Request:
    """Return a request in a scope: guarded for an object, as it is for a global scope."""
    ref = ref_of(scope)
    return Request(tuple(Command(words) if ref is None else guarded(words, ref) for words in all_words), limit=LIMIT)


def printed(section: Section, scope: Scope, words: Words) -> bytes:
    """Return what one command of `request` printed; raises its typed error."""
    ref = ref_of(scope)
    return output(section, words[0].decode()) if ref is None else guarded_output(section, ref, words)


def bind_scope(place: Place, scope: Scope) -> None:
    """Refuse a scope that belongs to another server, or is none."""
    if (ref := ref_of(scope)) is not None:
        bind(place, ref)


# --- which option -----------------------------------------------------------------------------------------------------


def _find(place: Place, scope: Scope, name: str, hook: bool) -> Operation[OptionSpec]:
    """Return what `name` is, when it can be set in this scope; only a name that is not in the table costs a call."""
    bind_scope(place, scope)
    if check_option(name):
        if hook:
            raise InvalidArgument(f"{name} is a user option and no hook; use the methods for options")
        return OptionSpec(name, "sgwp", "string")
    version = place.version
    if version is None and varies_by_version(name):
        version = yield from server_version(place)
    spec = option_spec(name, version)
    if spec is None:
        spec = yield from _discover(scope, name)
    if (spec.kind == HOOK) is not hook:
        kind, methods = ("an option", "options") if hook else ("a hook", "hooks")
        raise InvalidArgument(f"{name} is {kind}; use the methods for {methods}")
    if letter_of(scope) not in spec.scopes:
        scopes = " or ".join(_SCOPE_NAMES[letter] for letter in spec.scopes)
        raise InvalidArgument(f"{name} belongs to a {scopes} scope, not to {_shown(scope)}")
    return spec


def _shown(scope: Scope) -> str:
    return repr(scope) if isinstance(scope, str) else f"the {_SCOPE_NAMES[letter_of(scope)]} {scope.id}"


def _discover(scope: Scope, name: str) -> Operation[OptionSpec]:
    """Ask tmux itself for an option that is not in the table; tmux's own completion of names is refused."""
    letter = letter_of(scope)
    # In a pane's scope tmux lists what can be set there only together with what it inherits.
    global_flags = dict(GLOBAL_SCOPES.values())
    flags = global_flags.get(letter) or (b"-A", *chain(scope, False)[0])
    all_words = [show_words((b"-g",), name), show_words(flags), show_words((*flags, b"-H"))]
    sections = yield request(scope, all_words)
    found, *listings = (printed(section, scope, words) for section, words in zip(sections, all_words, strict=True))
    if any(entry.name != name for entry in read_entries(found)):
        raise UnknownOption(f"tmux has no option {name}; names are never completed", command="show-options")
    for number, listing in enumerate(listings):
        entries = [entry for entry in _built_in_entries(listing) if entry.name == name]
        if entries:
            is_array = entries[0].at is not None or entries[0].raw is None
            # An empty value would toggle a flag.
            kind: Kind = "hook" if number else "switch" if entries[0].raw in (b"on", b"off") else "unknown"
            return OptionSpec(name, letter, kind, is_array)
    raise InvalidArgument(f"{name} is not listed in the scope of {_shown(scope)}")


def _built_in_entries(listing: bytes) -> list[Entry]:
    """Return the entries of a listing but for user options; what is inherited has a star after its name there."""
    lines = [_STAR.sub(rb"\1", line) for line in listing.split(b"\n") if not line.startswith(b"@")]
    return read_entries(b"\n".join(lines).strip(b"\n"))


# --- reads ------------------------------------------------------------------------------------------------------------


def _scalar(spec: OptionSpec, raw: bytes) -> ScalarValue:
    # Colours are quoted since 3.8, and before that hold nothing that could be taken for quotes.
    if spec.kind in ("string", "style", "colour", "unknown"):
        return decode_string(raw)
    return option_value(spec.kind, decode_command(raw))


def _value(spec: OptionSpec, entries: Sequence[Entry]) -> OptionValue | None:
    if not entries:
        return None
    if entries[0].at is None and entries[0].raw is not None:
        return _scalar(spec, entries[0].raw)
    return {entry.at: _scalar(spec, entry.raw or b"") for entry in entries if entry.at is not None}


def _read(place: Place, scope: Scope, spec: OptionSpec, inherit: bool) -> Operation[OptionValue | None]:
    """Return the value in the first scope of the chain that has one; an empty text or array is one."""
    all_words = [show_words(flags, spec.name) for flags in chain(scope, inherit)]
    sections = yield request(scope, all_words)
    for section, words in zip(sections, all_words, strict=True):
        try:
            entries = read_entries(printed(section, scope, words))
        except AmbiguousOption:
            raise
        except UnknownOption:
            if not spec.name.startswith("@"):
                raise
            continue
        if any(entry.name != spec.name for entry in entries):
            raise UnknownOption(f"tmux has no option {spec.name}; names are never completed", command="show-options")
        if (value := _value(spec, entries)) is not None:
            return value
    return None


def get_option(
    place: Place, scope: Scope, name: str, index: int | None, inherit: bool
) -> Operation[OptionValue | None]:
    """Return an option's value in a scope, or an array's entry; ``None`` when there is none."""
    spec = yield from _find(place, scope, name, hook=False)
    if index is None:
        return (yield from _read(place, scope, spec, inherit))
    check_index(index)
    if not spec.is_array:
        raise InvalidArgument(f"{name} is no array, so it has no entry {index}")
    value = yield from _read(place, scope, spec, inherit)
    return value.get(index) if isinstance(value, dict) else value


def get_hook(place: Place, scope: Scope, name: str, inherit: bool) -> Operation[HookValue | None]:
    """Return a hook's commands in a scope by index; ``None`` when the scope says nothing, ``{}`` when it says none."""
    spec = yield from _find(place, scope, name, hook=True)
    value = yield from _read(place, scope, spec, inherit)
    return None if value is None else _commands(value)


def list_options(place: Place, scope: Scope, inherit: bool) -> Operation[dict[str, OptionValue]]:
    """Return all options that are set in a scope (or along its chain) by name; hooks are not among them."""
    return (yield from _list(place, scope, inherit, b"show-options"))


def list_hooks(place: Place, scope: Scope, inherit: bool) -> Operation[dict[str, HookValue]]:
    """Return all hooks of which a scope (or its chain) says something by name."""
    if letter_of(scope) == "s":
        raise InvalidArgument("the server scope has no hooks: expected a session, window, pane or another global scope")
    found = yield from _list(place, scope, inherit, b"show-hooks")
    return {name: _commands(value) for name, value in found.items()}


def _commands(value: OptionValue) -> HookValue:
    return {index: str(command) for index, command in value.items()} if isinstance(value, dict) else {}


def _list(place: Place, scope: Scope, inherit: bool, command: bytes) -> Operation[dict[str, OptionValue]]:
    """Return what a listing command tells of a scope and its parents, the nearest value of each name."""
    bind_scope(place, scope)
    all_words = [*([] if place.version else [_VERSION]), *[(command, *flags) for flags in chain(scope, inherit)]]
    sections = yield request(scope, all_words)
    texts = [printed(section, scope, words) for section, words in zip(sections, all_words, strict=True)]
    version = place.version or TmuxVersion.parse(texts.pop(0).decode("ascii", "replace"))
    found: dict[str, OptionValue] = {}
    for number, text in enumerate(texts):
        by_name: dict[str, list[Entry]] = {}
        for entry in read_entries(text):
            by_name.setdefault(entry.name, []).append(entry)
        for name, entries in by_name.items():
            spec = option_spec(name, version) or _unlisted(name, command)
            # A pane's parents also hold what no pane can have.
            if name in found or (number and letter_of(scope) not in spec.scopes):
                continue
            value = _value(spec, entries)
            assert value is not None, "an entry is a value"
            found[name] = value
    return dict(sorted(found.items()))


def _unlisted(name: str, command: bytes) -> OptionSpec:
    """Return what to make of a name that is not in the table."""
    if command == b"show-hooks":
        return OptionSpec(name, "gwp", HOOK, is_array=True)
    return OptionSpec(name, "sgwp", "string" if name.startswith("@") else "unknown")


# --- writes -----------------------------------------------------------------------------------------------------------


def _write(scope: Scope, spec: OptionSpec, all_words: Sequence[Words]) -> Operation[None]:
    """Run the commands that change one option as one queue item; the first that tmux refuses ends it."""
    sections = yield request(scope, all_words)
    for section, words in zip(sections, all_words, strict=True):
        try:
            printed(section, scope, words)
        except CommandError as error:
            raise _refused(error, scope, spec, words) from None


def _refused(error: CommandError, scope: Scope, spec: OptionSpec, words: Words) -> MuxwrightError:
    if type(error) not in (CommandError, BadValue):
        return error
    ref = ref_of(scope)
    said = error.diagnostic + (f" (expected {', '.join(spec.choices)})" if spec.choices else "")
    return BadValue(
        f"tmux does not take the value for {spec.name}: {said}",
        # tmux clears an array before it reads what is to be in it.
        effects="possible" if spec.is_array else "none",
        command=words[0].decode(),
        target=None if ref is None else str(ref),
        diagnostic=error.diagnostic,
    )


def set_option(place: Place, scope: Scope, name: str, value: NewOption, index: int | None) -> Operation[None]:
    """Set an option in a scope: a scalar, an array's entry, or a whole array."""
    spec = yield from _find(place, scope, name, hook=False)
    if isinstance(value, Mapping):
        entries = {check_index(at): _data(spec, entry) for at, entry in value.items()}
        yield from _write(scope, spec, _whole_array(b"set-option", scope, spec, index, entries))
        return
    if spec.is_array and index is None:
        raise InvalidArgument(f"{name} is an array: give all of it as {{index: value}}, or index= for one entry")
    if index is not None and not spec.is_array:
        raise InvalidArgument(f"{name} is no array, so it has no entry {index}")
    at = None if index is None else check_index(index)
    yield from _write(scope, spec, [set_words(b"set-option", scope, name, at, _data(spec, value))])


def _data(spec: OptionSpec, value: ScalarValue | bytes) -> bytes:
    return setting_bytes(value_text(spec, value), f"the value of {spec.name}")


def _whole_array(
    command: bytes, scope: Scope, spec: OptionSpec, index: int | None, entries: Mapping[int, bytes]
) -> list[Words]:
    if not spec.is_array:
        raise InvalidArgument(f"{spec.name} is no array, so it cannot be a mapping")
    if index is not None:
        raise InvalidArgument(f"give {spec.name} either an index or a whole mapping")
    clear = clear_words(command, scope, spec.name)
    return [clear, *[set_words(command, scope, spec.name, at, data) for at, data in sorted(entries.items())]]


def unset_option(place: Place, scope: Scope, name: str, index: int | None) -> Operation[None]:
    """Remove what a scope says of an option, or an array's entry: inheritance or tmux's default counts again."""
    yield from _unset(place, b"set-option", scope, name, index)


def _unset(place: Place, command: bytes, scope: Scope, name: str, index: int | None) -> Operation[None]:
    spec = yield from _find(place, scope, name, hook=command == b"set-hook")
    if index is not None and not spec.is_array:
        raise InvalidArgument(f"{name} is no array, so it has no entry {index}")
    at = None if index is None else check_index(index)
    words = unset_words(command, scope, name, at)
    (section,) = yield request(scope, [words])
    printed(section, scope, words)


def set_hook(place: Place, scope: Scope, name: str, body: NewHook, index: int | None) -> Operation[None]:
    """Set a hook in a scope: one command in place of all, at one index, or a whole array."""
    spec = yield from _find(place, scope, name, hook=True)
    if isinstance(body, Mapping):
        entries = {check_index(at): hook_body(command) for at, command in body.items()}
        yield from _write(scope, spec, _whole_array(b"set-hook", scope, spec, index, entries))
        return
    at = None if index is None else check_index(index)
    yield from _write(scope, spec, [set_words(b"set-hook", scope, name, at, hook_body(body))])


def unset_hook(place: Place, scope: Scope, name: str, index: int | None) -> Operation[None]:
    """Remove what a scope says of a hook, or the command at one index."""
    yield from _unset(place, b"set-hook", scope, name, index)
