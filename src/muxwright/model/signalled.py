"""How waiting for a signal ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from muxwright.errors import DeadlineExceeded, RequestCancelled

__all__ = ["SignalResult"]


@dataclass(frozen=True, slots=True)
class SignalResult:
    """The `outcome`: ``"signalled"``, ``"deadline"`` or ``"cancelled"``; it is true for the first.

    A signal proves that somebody sent it, and nothing of what it was to mean.
    """

    channel: str
    outcome: Literal["signalled", "deadline", "cancelled"]
    timeout: float
    duration: float

    def __bool__(self) -> bool:
        return self.outcome == "signalled"

    def check(self) -> Self:
        """Return itself when the signal came; raises `DeadlineExceeded` or `RequestCancelled`."""
        if self.outcome == "deadline":
            raise DeadlineExceeded(self.timeout, effects="none", command="wait-for", target=self.channel)
        if self.outcome == "cancelled":
            raise RequestCancelled(f"the wait for {self.channel} was cancelled", command="wait-for")
        return self
