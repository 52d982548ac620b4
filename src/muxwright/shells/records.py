"""Records: what the frame prints before and after a command, and the search for them in a pane's output.

A record is an OSC sequence of a number that no terminal knows, so it shows nowhere; or, where only the screen can be
read, a line of its own. Each of the two carries 128 random bits of its own: who has seen the opening one still cannot
forge the closing one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Records", "Scanner", "read_status"]

_OSC = "\x1b]8719;"
_BEL = "\x07"
# Before the closing record: it ends a string sequence that the command has left open.
_ST = "\x1b\\"
_BEFORE = 4096
_STATUS = rb"(0|[1-9][0-9]{0,2})"


class Records(NamedTuple):
    """The nonces of one run (hexadecimal text), and whether its records are lines on the screen."""

    opening_nonce: str
    closing_nonce: str
    visible: bool = False

    @property
    def opening(self) -> str:
        """The opening record."""
        if self.visible:
            return f"muxwright {self.opening_nonce} begins\n"
        return f"{_OSC}{self.opening_nonce}{_BEL}"

    @property
    def closing(self) -> tuple[str, str]:
        """The closing record: what stands before the exit status, and behind it."""
        if self.visible:
            # A newline first: the command's last line may have none, and a record stands alone.
            return f"\nmuxwright {self.closing_nonce} ends ", "\n"
        return f"{_ST}{_OSC}{self.closing_nonce};", _BEL


def _status(digits: bytes) -> int:
    """Return an exit status; of a command that a signal ended, ksh93 says 256 and the signal's number."""
    number = int(digits)
    return number if number < 256 else 128 + (number & 127)


class Scanner:
    """Finds the two records of a run in the pane's bytes, fed in pieces of any size.

    `began`: the opening record was seen; `before`: the last bytes in front of it. `exit_status`: what the closing one
    says, ``None`` before it was seen.
    """

    def __init__(self, records: Records) -> None:
        self._opening = records.opening.encode()
        before, after = [part.encode() for part in records.closing]
        self._closing = re.compile(re.escape(before) + _STATUS + re.escape(after))
        self._before = before
        self._longest = len(before) + 3 + len(after)
        self._held = b""
        self.before = b""
        self.began = False
        self.exit_status: int | None = None

    def feed(self, data: bytes) -> bytes:
        """Return the bytes between the records that are sure by now; nothing behind the closing one."""
        if self.exit_status is not None:
            return b""
        data = self._held + data
        self._held = b""
        if not self.began:
            data = self.before + data
            before, found, behind = data.partition(self._opening)
            self.before = before[-_BEFORE:]
            if not found:
                return b""
            self.began, data = True, behind
        if (closing := self._closing.search(data)) is not None:
            self.exit_status = _status(closing[1])
            return data[: closing.start()]
        start = self._beginning(data)
        data, self._held = data[:start], data[start:]
        return data

    def _beginning(self, data: bytes) -> int:
        """Return where at the end of the data a closing record may have begun."""
        start = max(len(data) - self._longest, -1)
        while (start := data.find(self._before[:1], start + 1)) >= 0:
            head, digits = data[start : start + len(self._before)], data[start + len(self._before) :]
            if self._before.startswith(head) and (not digits or (digits.isdigit() and len(digits) <= 3)):
                return start
        return len(data)

    def skip(self, data: bytes) -> bytes:
        """The same after a gap: what was held back belongs to the output, and the beginning is not waited for."""
        held = self.rest()
        self.began = True
        return held + self.feed(data)

    def rest(self) -> bytes:
        """Return what was held back, when nothing more comes."""
        held, self._held = self._held, b""
        return held


def read_status(content: bytes, records: Records) -> int | None:
    """Return the exit status that the frame wrote to its status file; ``None`` for anything it did not write."""
    match = re.fullmatch(re.escape(records.closing_nonce.encode()) + b" " + _STATUS + b"\n", content)
    return None if match is None else _status(match[1])
