"""Write `src/muxwright/commands/format_names.py`: the format variables that tmux knows.

    python -m tools.gen_formats TMUX...           write the table from these executables, oldest first
    python -m tools.gen_formats --check TMUX...   change nothing; exit 1 when the table would be another

Each tmux runs as a private server and tells its variables with ``display-message -a``, in a pane and in a copy mode.
That leaves out those without a value just then. They are found by a trick: a name that tmux does not know expands to
the environment variable of that name, so each word of tmux's own executable is put into the environment, and is a
format variable when it expands to something else.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from tools.private_tmux import PrivateTmux, source_words

TABLE = Path(__file__).resolve().parent.parent / "src" / "muxwright" / "commands" / "format_names.py"
UNKNOWN = "muxwright-unknown"

HEAD = '''"""The format variables that tmux knows.

Written by tools/gen_formats.py: do not edit. One line for each set of versions that have the same names (one digit for
each of VERSIONS). Names of options, which also expand, are not among them.
"""

VERSIONS = {versions}

ROWS = """\\
{rows}"""
'''


def told(server: PrivateTmux) -> set[str]:
    """What ``display-message -a`` lists."""
    lines = server.ask("display-message", "-p", "-a", "-t", "=a:").split("\n")
    return {match[1] for line in lines if (match := re.match(r"([a-z][a-z0-9_]*)=", line))}


def known(server: PrivateTmux, words: list[str]) -> set[str]:
    """Those of `words` that tmux does not take from the environment; options are no format variables."""
    server.source(f"set-environment -g {word} {UNKNOWN}" for word in words)
    values = server.expand("=a:", [f"#{{?#{{==:#{{{word}}},{UNKNOWN}}},0,1}}" for word in words])
    server.source(f"set-environment -gu {word}" for word in words)
    return {word for word, value in zip(words, values, strict=True) if value == "1"}


def options(server: PrivateTmux) -> set[str]:
    listings = [server.ask("show-options", *flags) for flags in (("-s",), ("-gH",), ("-gwH",))]
    return {re.split(r"[\[ ]", line)[0] for listing in listings for line in listing.split("\n")}


def names_of(server: PrivateTmux, words: set[str]) -> set[str]:
    names = told(server)
    server.ask("split-window", "-d", "-t", "=a:", "--", "sleep", "1000")
    server.ask("copy-mode", "-t", "=a:")
    for action in (("begin-selection",), ("cursor-right",), ("search-backward", "x")):
        server.run("send-keys", "-t", "=a:", "-X", *action)
    names |= told(server)
    server.ask("copy-mode", "-q", "-t", "=a:")
    # Listings count their lines.
    names |= {"line"} if server.ask("list-sessions", "-F", "#{line}") == "0" else set()
    return (names | known(server, sorted(words | names))) - options(server)


def render(tables: dict[str, set[str]]) -> str:
    groups: dict[str, list[str]] = {}
    for name in sorted({name for names in tables.values() for name in names}):
        mask = "".join("1" if name in names else "0" for names in tables.values())
        groups.setdefault(mask, []).append(name)
    lines = []
    for mask, names in sorted(groups.items(), reverse=True):
        line = mask
        for name in names:
            if len(line) + len(name) >= 120:
                lines.append(line + "\n")
                line = mask
            line += f" {name}"
        lines.append(line + "\n")
    return HEAD.format(versions=str(tuple(tables)).replace("'", '"'), rows="".join(lines))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("tmux", nargs="+")
    arguments = parser.parse_args()
    words: set[str] = set()
    for executable in arguments.tmux:
        with PrivateTmux(executable) as server:
            # A variable named by one word without an underscore is told by -a; more such words would only be noise.
            words |= {word for word in source_words(server, "[a-z][a-z0-9_]{1,40}") if "_" in word}
            words |= names_of(server, set())
    tables = {}
    for executable in arguments.tmux:
        with PrivateTmux(executable) as server:
            tables[server.version] = names_of(server, words)
    text = render(tables)
    if arguments.check:
        return int(TABLE.read_text() != text)
    TABLE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
