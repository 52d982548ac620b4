"""The settings of a host, and values that break things on their way to tmux and back."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

from muxwright._sync.settings import Settings

__all__ = ["HOSTILE", "settings_of"]

T = TypeVar("T")

HOSTILE = [
    "",
    " ",
    "  both ends  ",
    "\n",
    "\t",
    "two\nlines\n",
    "tab\tand\rreturn",
    "back\\slash \\\\ \\n \\033 \\$HOME \\\\$HOME \\$5 \\",
    "$HOME ${x} $ $$ $_ $5 $",
    "'single' \"double\" `id` $(id)",
    "'",
    '"',
    'a"b',
    '"quoted"',
    "'quoted'",
    "\\",
    "~",
    "~root",
    "#",
    "#{pid} #(id) ##[x] #[fg=red] #",
    "%H %% %end 1 2 1\n%begin 1 2 1",
    ";",
    "a;",
    "a \\;",
    "{ kill-server }",
    "-",
    "--",
    "-g",
    "\x1b[31m \x07 \x08 \x7f \x01",
    "é日😀 \x80 \u2028 \ue000",
    b"\xff\xc3A \xe6\x97 \x80".decode("utf-8", "surrogateescape"),
    "on",
    "3",
    "a b* c[0] x",
    "x" * 20_000,
]


class _Mixed(Settings):
    """Settings of any host, wrapped ones too."""

    def __init__(self, host: Any) -> None:
        self._host = host
        self._transport = host._transport

    def run(self, operation: Generator[Any, Any, T], timeout: float | None = None) -> T:
        result: T = self._host.run(operation, timeout)
        return result


def settings_of(host: Any) -> Settings:
    """Return the host itself where it has the methods for settings and formats."""
    return host if isinstance(host, Settings) else _Mixed(host)
