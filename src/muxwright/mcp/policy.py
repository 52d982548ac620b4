"""Which tools are offered, and what they may be pointed at."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from muxwright import InvalidArgument, PaneId
from muxwright.mcp.capability import TOOLSETS
from muxwright.mcp.catalogue import TOOLS
from muxwright.mcp.schemas import with_caller
from muxwright.mcp.tool import Tool
from muxwright.mcp.tools.operations import RUN_OPERATIONS, with_nested

__all__ = ["MAX_CAPACITY", "Policy", "Selection", "select"]

MAX_CAPACITY = 64
MAX_ALLOWED_PANES = 256
MAX_TIMEOUT = 30.0


@dataclass(frozen=True)
class Selection:
    """What was asked for. Tools and toolsets together replace the default catalogue; exclusion wins over both.

    `read_only` wins over everything: then only tools that change nothing are offered.
    """

    tools: Sequence[str] = ()
    toolsets: Sequence[str] = ()
    excluded: Sequence[str] = ()
    read_only: bool = False


@dataclass(frozen=True)
class Policy:
    """What the offered tools may do.

    `allowed_panes`: ids of the only panes that may be a target, ``None`` for any; `caller_pane`: the target of a call
    that names none. Both are bound to the server that answers at the start. `timeout`: seconds of a call, at most 30,
    default 5; `workers` calls run at a time and `capacity` are admitted, at most 64.
    """

    allowed_panes: Collection[PaneId] | None = None
    caller_pane: PaneId | None = None
    allow_create: bool = False
    timeout: float = 5.0
    workers: int = 16
    capacity: int = 16

    def __post_init__(self) -> None:
        if not 0 < self.timeout <= MAX_TIMEOUT:
            raise InvalidArgument(f"timeout is more than 0 and at most {MAX_TIMEOUT:g} seconds, not {self.timeout!r}")
        if not 1 <= self.workers <= self.capacity <= MAX_CAPACITY:
            raise InvalidArgument(
                f"workers and capacity: expected 1 <= workers <= capacity <= {MAX_CAPACITY},"
                f" not {self.workers} and {self.capacity}"
            )
        if self.allowed_panes is not None and len(self.allowed_panes) > MAX_ALLOWED_PANES:
            raise InvalidArgument(f"at most {MAX_ALLOWED_PANES} panes can be allowed, not {len(self.allowed_panes)}")


def select(selection: Selection, *, private: bool, caller: bool = False) -> tuple[Tool, ...]:
    """Return the offered tools in the catalogue's order; raises `InvalidArgument` for a name that is not known.

    `caller`: there is a pane for calls that name no target.
    """
    known = {tool.name: tool for tool in TOOLS}
    _check(selection.tools, known, "tool")
    _check(selection.excluded, known, "tool")
    _check(selection.toolsets, TOOLSETS, "toolset")
    if selection.tools or selection.toolsets:
        chosen = {*selection.tools} | {tool.name for tool in TOOLS if tool.capability.toolset in selection.toolsets}
    else:
        chosen = {tool.name for tool in TOOLS if (tool.default_private if private else tool.default_borrowed)}
    chosen -= set(selection.excluded)
    offered = tuple(
        tool for tool in TOOLS if tool.name in chosen and (tool.annotations["readOnlyHint"] or not selection.read_only)
    )
    if not offered:
        raise InvalidArgument("no tool is left to offer: check --tool, --toolset, --exclude-tool and --read-only")
    if caller:
        offered = tuple(replace(tool, input=with_caller(tool.input)) for tool in offered)
    nested = [tool for tool in offered if tool.nestable]
    if not nested and any(tool.name == RUN_OPERATIONS for tool in offered):
        raise InvalidArgument(f"{RUN_OPERATIONS} runs other tools, and none that it could run is offered")
    return tuple(with_nested(tool, nested) if tool.name == RUN_OPERATIONS else tool for tool in offered)


def _check(names: Iterable[str], known: Iterable[str], what: str) -> None:
    known, seen = list(known), set()
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(known)}"
            raise InvalidArgument(f"{name!r} is no {what}; {hint}")
        if name in seen:
            raise InvalidArgument(f"the {what} {name} is named twice")
        seen.add(name)
