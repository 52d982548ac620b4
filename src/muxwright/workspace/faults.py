"""What can be wrong with a workspace file: every fault has a place, and all of them are told at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from muxwright.errors import MuxwrightError

__all__ = ["Fault", "WorkspaceConfigError", "near"]


class Fault(NamedTuple):
    """One fault.

    `code`: ``limit``, ``encoding``, ``syntax``, ``documents``, ``duplicate``, ``type``, ``value``, ``required``,
    ``unknown_key``, ``unsupported``, ``version``, ``path``, ``home`` or ``variable``. `path`: where in the document,
    such as ``windows[0].panes[1].shell`` (positions from 0); empty for the document itself. `line` and `column` count
    from 1; ``None`` where the data came from no file.
    """

    code: str
    path: str
    message: str
    line: int | None = None
    column: int | None = None

    def describe(self, source: str | None = None) -> str:
        """Return ``FILE:LINE:COLUMN: PATH: MESSAGE``, as far as it is known."""
        place = source or ("line " if self.line is not None else "")
        if self.line is not None:
            place += f"{':' if source else ''}{self.line}:{self.column}"
        return ": ".join(part for part in (place, self.path, self.message) if part)


class WorkspaceConfigError(MuxwrightError, ValueError):
    """A workspace was refused before tmux was asked anything; `faults` holds every fault that was found.

    `source`: the file, if there is one. `code`, `path` and `line` are those of the first fault.
    """

    def __init__(self, faults: Sequence[Fault], source: str | None = None) -> None:
        self.faults = tuple(faults)
        self.source = source
        super().__init__("\n".join(fault.describe(source) for fault in faults))
        self.code, self.path, _, self.line, _ = self.faults[0]


def near(word: str, known: Sequence[str]) -> str:
    """Return a hint at what was probably meant, or nothing.

    >>> near("layot", ["layout", "panes"])
    '; did you mean layout?'
    """
    from difflib import get_close_matches  # only for the message

    names = {name.lower(): name for name in known}
    found = get_close_matches(word.lower()[:64], names, n=1, cutoff=0.6)
    return f"; did you mean {names[found[0]]}?" if found else ""
