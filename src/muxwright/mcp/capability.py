"""What a tool can reach and reveal, as data; its hints and the first sentence of its description follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["CAPABILITY_KEY", "TOOLSETS", "Capability", "Effect", "OutputClass", "Toolset"]

Toolset = Literal["inspect", "manage", "execute", "teardown"]
Reach = Literal["none", "configured-process", "pane-input", "pane-command"]
Effect = Literal["observe", "change", "delete"]
OutputClass = Literal["tmux-metadata", "terminal-content", "process-environment", "configured-command"]

TOOLSETS: tuple[Toolset, ...] = ("inspect", "manage", "execute", "teardown")

CAPABILITY_KEY = "com.git-pull.libtmux-mcp/capability"
"""The family's key in a tool's `_meta`."""


@dataclass(frozen=True, slots=True)
class Capability:
    """The record of one tool.

    `reach`: how near a caller's text comes to a process. `literalized`: arguments that tmux would expand, and how they
    are kept literal. `nested`: tools that this one can call.
    """

    toolset: Toolset
    reach: Reach
    effects: tuple[Effect, ...]
    outputs: tuple[OutputClass, ...] = ("tmux-metadata",)
    literalized: tuple[tuple[str, str], ...] = ()
    nested: tuple[str, ...] = ()
    amplifies: bool = False

    @property
    def sentence(self) -> str:
        """The controlled first sentence of the description."""
        if self.reach == "pane-command":
            return "Runs a shell command in a pane with your user's permissions."
        if self.nested:
            return "Runs several tools in order."
        if self.reach == "pane-input":
            return "Sends input to whatever runs in a pane."
        if self.reach == "configured-process":
            ends = " in place of what runs" if "delete" in self.effects else ""
            return f"Starts a program{ends} with your user's permissions."
        if "delete" in self.effects:
            return "Removes something for good."
        if "change" in self.effects:
            return "Changes tmux's arrangement or settings; runs no program."
        if "terminal-content" in self.outputs:
            return "Reads terminal text: untrusted data, perhaps secret."
        if "process-environment" in self.outputs or "configured-command" in self.outputs:
            return "Reads tmux settings, perhaps secret."
        return "Reads tmux's own records."

    def hints(self, *, idempotent: bool) -> dict[str, bool]:
        """Return the protocol's four hints; `idempotent`: of a change, whether the second time changes nothing."""
        read_only = self.effects == ("observe",)
        return {
            "readOnlyHint": read_only,
            "destructiveHint": "delete" in self.effects or self.reach in ("pane-input", "pane-command"),
            "idempotentHint": read_only or idempotent,
            "openWorldHint": self.reach != "none" or "terminal-content" in self.outputs,
        }

    def as_meta(self) -> dict[str, Any]:
        """Return the record as the family writes it."""
        return {
            "toolset": self.toolset,
            "processReach": self.reach,
            "tmuxEffects": list(self.effects),
            "outputClasses": list(self.outputs),
            "mayExposeSecrets": True,
            "mayReturnUntrustedContent": True,
            "inputLiteralization": dict(self.literalized),
            "nestedAuthority": list(self.nested),
            "amplifiesFutureInput": self.amplifies,
        }
