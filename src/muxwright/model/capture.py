"""Captured text of a pane."""

from __future__ import annotations

from muxwright.errors import CaptureDecodeError
from muxwright.refs import PaneRef

__all__ = ["Capture"]


class Capture:
    """What stood in a pane at one moment: `data` as tmux gave it, rows separated by newlines.

    A capture of the screen has exactly as many rows as the pane is high, blank ones included; `trimmed` drops those at
    the end.
    """

    __slots__ = ("data", "pane")

    def __init__(self, pane: PaneRef, data: bytes) -> None:
        self.pane = pane
        self.data = data

    def decode(self, errors: str = "strict") -> str:
        """Return the text; `errors` is as for `bytes.decode`. Strict, broken UTF-8 raises `CaptureDecodeError`."""
        try:
            return self.data.decode("utf-8", errors)
        except UnicodeDecodeError as error:
            raise CaptureDecodeError(
                f"the screen of {self.pane.id} is not valid UTF-8 at byte {error.start}; use decode('replace')",
                self.data,
                target=str(self.pane.id),
            ) from None

    @property
    def text(self) -> str:
        """The rows as one text, without a newline at the end; broken UTF-8 raises `CaptureDecodeError`."""
        return self.decode()

    @property
    def lines(self) -> list[str]:
        """The rows, from the top; broken UTF-8 raises `CaptureDecodeError`."""
        return self.decode().split("\n")

    @property
    def trimmed(self) -> list[str]:
        """The rows without the blank ones at the end; broken UTF-8 raises `CaptureDecodeError`."""
        lines = self.lines
        while lines and not lines[-1].strip():
            lines.pop()
        return lines

    def __contains__(self, text: str) -> bool:
        return text in self.text

    def __str__(self) -> str:
        return "\n".join(self.trimmed)

    def __eq__(self, other: object) -> bool:
        return (self.pane, self.data) == (other.pane, other.data) if isinstance(other, Capture) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.pane, self.data))

    def __repr__(self) -> str:
        return f"<Capture of {self.pane.id}: {len(self.data.splitlines())} rows>"
