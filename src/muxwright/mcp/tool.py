"""What a tool is: its name, what a client is told of it, and who does it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from muxwright.mcp.capability import Capability
from muxwright.mcp.schemas import Schema

if TYPE_CHECKING:
    from muxwright.mcp.context import Context

__all__ = ["Handler", "Picture", "Result", "Screen", "Tool"]


@dataclass(frozen=True, slots=True)
class Screen:
    """A result that is terminal text: `facts` are its first line, `text` follows as it is."""

    facts: dict[str, Any]
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A result that is a picture: `facts` are text, `png` is shown."""

    facts: dict[str, Any]
    png: bytes


Result = dict[str, Any] | Screen | Picture
Handler = Callable[["Context", dict[str, Any]], Awaitable[Result]]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: what a client is told of it, and who does it.

    `about` follows the controlled first sentence. `output`: only where a program gains by it; `plain_errors`: its
    output schema has no room for an error, which then is text only. `nestable`: can be an item of run_operations.
    `always_load`: clients that load tools on demand should have this one at once.
    """

    name: str
    capability: Capability
    about: str
    input: Schema
    handler: Handler
    output: Schema | None = None
    title: str | None = None
    idempotent: bool = False
    overrides: dict[str, bool] = field(default_factory=dict)
    plain_errors: bool = False
    default_private: bool = False
    default_borrowed: bool = False
    nestable: bool = False
    always_load: bool = False

    @property
    def annotations(self) -> dict[str, Any]:
        """The hints that follow from the capability, but for what a contract fixes."""
        title = {} if self.title is None else {"title": self.title}
        return title | self.capability.hints(idempotent=self.idempotent) | self.overrides

    @property
    def read_only(self) -> bool:
        """Whether a call changes nothing."""
        return self.capability.effects == ("observe",)

    @property
    def description(self) -> str:
        """What a model reads."""
        return f"{self.capability.sentence} {self.about}"
