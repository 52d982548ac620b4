"""What stands on screens: one with its facts, or lines of many."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from muxwright import Capture, PaneInfo, PaneRef
from muxwright.mcp.capability import Capability, OutputClass
from muxwright.mcp.context import Context
from muxwright.mcp.endpoint import Host, place_of
from muxwright.mcp.errors import ToolError
from muxwright.mcp.patterns import compile_pattern
from muxwright.mcp.schemas import PANE_TARGET, SESSION_TARGET, WINDOW_TARGET, boolean, closed, integer, one_of, string
from muxwright.mcp.targets import target_of
from muxwright.mcp.tool import Picture, Screen, Tool
from muxwright.mcp.tools.common import DATA, clean, clip, known
from muxwright.operations.observe import take_view

__all__ = ["TOOLS"]

SCREEN_BYTES = 32 * 1024
MAX_PANES = 128
MAX_MATCHES = 200
MAX_BYTES = 1024 * 1024
LINE_BYTES = 512
AT_A_TIME = 4


async def snapshot_pane(context: Context, arguments: dict[str, Any]) -> Screen:
    """Return a pane's screen and what tmux knows of it, of one moment."""
    ref = await context.pane(arguments)
    history = arguments.get("history", 0)

    async def view(host: Host) -> tuple[PaneInfo, Capture]:
        return await host.run(take_view(place_of(host), ref, history), context.remaining)

    info, capture = await context.read(view)
    rows = capture.data.decode("utf-8", "replace").rstrip().split("\n")
    text, dropped = _last("\n".join(rows), SCREEN_BYTES)
    command, _ = clip(known(info, "current_command") or "", 256)
    title, _ = clip(info.title, 256)
    facts = {
        "target": target_of(ref),
        "command": command or None,
        "title": title,
        "width": info.width,
        "height": info.height,
        "cursor": {"x": info.cursor_x, "y": info.cursor_y},
        "mode": info.mode,
        "dead": info.dead,
        "exitStatus": info.exit_status,
        "historyLines": info.history_size,
        "shownHistory": min(history, info.history_size),
        "droppedBytes": dropped,
        "terminalContent": DATA,
    }
    return Screen(facts, text)


def _last(text: str, limit: int) -> tuple[str, int]:
    """Return the end of a text, at most so many bytes of whole lines, and how many were dropped."""
    data = clean(text).encode()
    if len(data) <= limit:
        return data.decode(), 0
    kept = data[-limit:]
    kept = kept[kept.find(b"\n") + 1 :]
    return kept.decode("utf-8", "ignore"), len(data) - len(kept)


@dataclass
class _Search:
    """Matches and what they have cost; `capped` says that not everything was looked at."""

    pattern: Any
    scanned: int = 0
    matches: list[dict[str, Any]] = field(default_factory=list)
    capped: bool = False

    def look(self, ref: PaneRef, text: str, first: int) -> None:
        self.scanned += len(text)
        for number, line in enumerate(text.split("\n"), first):
            if not self.pattern.search(line):
                continue
            if len(self.matches) >= MAX_MATCHES:
                self.capped = True
                return
            shown, _ = clip(line.rstrip(), LINE_BYTES)
            self.matches.append({"paneId": ref.id, "line": number, "text": shown})


async def search_panes(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the lines of many panes that match."""
    pattern = compile_pattern(
        arguments["pattern"], regex=arguments.get("regex", False), match_case=arguments.get("matchCase", False)
    )
    history = arguments.get("history", 0)
    snapshot = await context.snapshot()
    if "window" in arguments:
        within = [pane.ref for pane in snapshot.window((await context.window(arguments["window"])).id).panes]
    elif "session" in arguments:
        within = [pane.ref for pane in snapshot.session((await context.session(arguments["session"])).id).panes]
    else:
        within = [pane.ref for pane in snapshot.panes]
    allowed = context.app.allowed
    refs = [ref for ref in within if allowed is None or ref in allowed]
    search = _Search(pattern, capped=len(refs) > MAX_PANES)
    searched, unreadable = 0, []
    for some in _chunks(refs[:MAX_PANES], AT_A_TIME):
        for ref, capture in zip(some, await _captures(context, some, history), strict=True):
            if capture is None:
                unreadable.append(ref.id)
            elif search.scanned >= MAX_BYTES:
                search.capped = True
            else:
                searched += 1
                rows = capture.data.decode("utf-8", "replace")
                # A capture ends with the last row of the screen.
                search.look(ref, rows, snapshot.pane(ref.id).height - rows.count("\n") - 1)
    return {
        "generation": str(snapshot.identity.generation),
        "matches": search.matches,
        "panesSearched": searched,
        "unreadable": unreadable,
        "capped": search.capped,
        "terminalContent": DATA,
    }


def _chunks(refs: list[PaneRef], size: int) -> Iterator[list[PaneRef]]:
    return (refs[start : start + size] for start in range(0, len(refs), size))


async def _captures(context: Context, refs: list[PaneRef], history: int) -> list[Capture | None]:
    """Return what stands in some panes, ``None`` for those that are gone."""

    async def capture(host: Host, ref: PaneRef) -> Capture | None:
        try:
            return await host.pane(ref).capture(start=-history, max_bytes=MAX_BYTES, timeout=context.remaining)
        except LookupError:
            return None

    return await context.read(lambda host: asyncio.gather(*[capture(host, ref) for ref in refs]))


async def screenshot_pane(context: Context, arguments: dict[str, Any]) -> Picture:
    """Return a picture of a pane, with its colours."""
    try:
        from muxwright.pictures.png import to_png
    except ModuleNotFoundError:
        raise ToolError("unsupported", "pictures need: pip install 'muxwright[png]'") from None
    ref = await context.pane(arguments)
    theme = arguments.get("theme", "dark")
    screen = await context.read(lambda host: host.pane(ref).screen(timeout=context.remaining))
    png = await asyncio.to_thread(to_png, screen, theme=theme, frame=False, scale=1)
    facts = {"target": target_of(ref), "width": screen.width, "height": screen.height, "terminalContent": DATA}
    return Picture(facts, png)


_CLASSES: tuple[OutputClass, ...] = ("tmux-metadata", "terminal-content")
_INSPECT = Capability("inspect", "none", ("observe",), _CLASSES)

TOOLS = (
    Tool(
        name="snapshot_pane",
        capability=_INSPECT,
        about="Returns a pane's screen with its cursor, size, mode, command and whether it is dead, of one moment: a"
        " line of JSON, then the screen as it stands. `history`: so many lines above it too.",
        input=closed({"target": PANE_TARGET, "history": integer(0, 2000, 0)}, ["target"]),
        handler=snapshot_pane,
        default_private=True,
        always_load=True,
    ),
    Tool(
        name="screenshot_pane",
        capability=_INSPECT,
        about="Returns a picture of a pane with its colours and attributes, for what text does not show: a full-screen"
        " program, a chart, a selection. It costs more than snapshot_pane.",
        input=closed({"target": PANE_TARGET, "theme": one_of("dark", "light", default="dark")}, ["target"]),
        handler=screenshot_pane,
        default_private=True,
    ),
    Tool(
        name="search_panes",
        capability=_INSPECT,
        about="Finds lines on the screens of all panes, or of one session or window: literal text, or a RE2 expression"
        " with `regex`. At most 200 lines; `capped` says when not everything was searched. `line` counts from the top"
        " of the screen, negative in the history.",
        input=closed(
            {
                "pattern": string(minLength=1, maxLength=1024),
                "regex": boolean(False),
                "matchCase": boolean(False),
                "history": integer(0, 2000, 0, "Lines above the screens to search too"),
                "session": SESSION_TARGET,
                "window": WINDOW_TARGET,
            },
            ["pattern"],
        ),
        handler=search_panes,
        default_private=True,
    ),
)
