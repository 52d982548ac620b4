"""Write `src/muxwright/model/options_table.py`: tmux's options and hooks, as tmux itself tells them.

    python -m tools.gen_options TMUX...           write the table from these executables, oldest first
    python -m tools.gen_options --check TMUX...   change nothing; exit 1 when the table would be another

Each tmux runs as a private server. The scope of an option is where it is listed, its kind what tmux answers to a bad
value, its choices those words of tmux's own executable that it accepts.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import NamedTuple

from tools.private_tmux import PrivateTmux, source_words

TABLE = Path(__file__).resolve().parent.parent / "src" / "muxwright" / "model" / "options_table.py"

BOGUS = "muxwright-bogus"
HUGE = "9" * 30
# What tmux says of a bad value, and what kind of option says so.
REACTIONS = (
    ("bad value", "flag"),
    ("unknown value", "choice"),
    ("value is", "number"),
    ("bad key", "key"),
    ("bad colour", "colour"),
    ("invalid colour", "colour"),
    ("invalid style", "style"),
    ("unknown command", "command"),
    ("not a suitable shell", "string"),
)
# A linker stores a word that is the tail of another only once; these may be such.
MORE_WORDS = "off on both none any all top bottom left right current other centre single 0 1 2 3 4 5 12 24".split()

# Scope, the flags that list it, and those that set in it. A pane's list also has what it inherits.
LISTINGS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("s", ("-s",), ("-s",)),
    ("g", ("-g",), ("-g",)),
    ("w", ("-g", "-w"), ("-g", "-w")),
    ("p", ("-p", "-A", "-t", "=a:"), ("-g", "-w")),
)

HEAD = '''"""tmux's options and hooks: where each may be set, and what it takes.

Written by tools/gen_options.py: do not edit. One line for each option and way of being: name, scopes (`s`erver,
`g`=session, `w`indow, `p`ane), the versions that have it so (one digit for each of VERSIONS), kind (``[]``: an array),
choices.
"""

VERSIONS = {versions}

ROWS = """\\
{rows}"""
'''


class Option(NamedTuple):
    """How one tmux has an option."""

    scopes: str
    kind: str
    choices: tuple[str, ...] = ()


def listed(server: PrivateTmux, flags: tuple[str, ...]) -> dict[str, str]:
    """The names of a listing, and what follows each (of an array: the first entry)."""
    found: dict[str, str] = {}
    for line in server.ask("show-options", *flags).split("\n"):
        match = re.match(r"([a-z][a-z0-9-]*)(\[[0-9]+\])?\*?(?: (.*))?$", line)
        if match:
            found.setdefault(match[1], match[3] or "")
    return found


def kind_of(server: PrivateTmux, name: str, flags: tuple[str, ...]) -> str:
    is_array = not server.run("set-option", *flags, f"{name}[0]", BOGUS).stderr.startswith("not an array")
    place = f"{name}[0]" if is_array else name
    said = server.run("set-option", *flags, place, BOGUS).stderr
    kind = next((kind for reaction, kind in REACTIONS if said.startswith(reaction)), "" if said else "string")
    if not kind:
        raise SystemExit(f"{server.executable}: {name} reacts in a new way: {said}")
    # A string that must match a pattern says the same as a number, but of a number too.
    if kind == "number" and "too large" not in server.run("set-option", *flags, place, HUGE).stderr:
        kind = "string"
    server.ask("set-option", "-u", *flags, name)
    return kind + "[]" * is_array


def choices_of(server: PrivateTmux, name: str, flags: tuple[str, ...], words: list[str]) -> tuple[str, ...]:
    said = server.source(f"set-option {' '.join(flags)} {name} {word}" for word in words).stderr
    refused = set(re.findall(r"unknown value: (\S+)$", said, re.MULTILINE))
    server.ask("set-option", "-u", *flags, name)
    return tuple(word for word in words if word not in refused)


def options_of(server: PrivateTmux, words: list[str]) -> dict[str, Option]:
    scopes: dict[str, str] = {}
    flags_of: dict[str, tuple[str, ...]] = {}
    values: dict[str, str] = {}
    hooks: set[str] = set()
    for scope, flags, setting in LISTINGS:
        options = listed(server, flags)
        both = listed(server, (*flags, "-H")) if scope != "s" else options
        hooks |= both.keys() - options.keys()
        for name in both:
            scopes[name] = scopes.get(name, "") + scope
            flags_of.setdefault(name, setting)
        values |= options
    found = {}
    for name in sorted(scopes):
        flags = flags_of[name]
        kind = "hook" if name in hooks else kind_of(server, name, flags)
        choices = choices_of(server, name, flags, words) if kind == "choice" else ()
        if choices and values[name] not in choices:
            raise SystemExit(f"{server.executable}: {name} is {values[name]}, which is not among {choices}")
        found[name] = Option(scopes[name], kind, choices)
    return found


def render(tables: dict[str, dict[str, Option]]) -> str:
    lines = []
    for name in sorted({name for table in tables.values() for name in table}):
        variants: dict[Option, str] = {}
        for option in [table.get(name) for table in tables.values()]:
            if option is not None:
                variants.setdefault(option, "")
        for variant in variants:
            mask = "".join("1" if table.get(name) == variant else "0" for table in tables.values())
            lines.append(
                " ".join([name, variant.scopes, mask, variant.kind, ",".join(variant.choices)]).rstrip() + "\n"
            )
    return HEAD.format(versions=str(tuple(tables)).replace("'", '"'), rows="".join(lines))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("tmux", nargs="+")
    arguments = parser.parse_args()
    words = set(MORE_WORDS)
    for executable in arguments.tmux:
        with PrivateTmux(executable) as server:
            words |= source_words(server, "[a-z0-9][a-z0-9-]{0,24}")
    tables = {}
    for executable in arguments.tmux:
        with PrivateTmux(executable) as server:
            tables[server.version] = options_of(server, sorted(words))
    text = render(tables)
    if arguments.check:
        return int(TABLE.read_text() != text)
    TABLE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
