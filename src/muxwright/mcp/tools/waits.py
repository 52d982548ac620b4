"""Waiting: for text as the family does it, and for everything else that a pane can come to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any

from muxwright import InvalidArgument, PaneRef, WaitResult
from muxwright.mcp.capability import Capability, OutputClass
from muxwright.mcp.context import Context
from muxwright.mcp.endpoint import Host, place_of
from muxwright.mcp.errors import ToolError
from muxwright.mcp.keys import Typing, read_keys
from muxwright.mcp.patterns import compile_patterns
from muxwright.mcp.schemas import PANE, PANE_TARGET, array, boolean, closed, integer, number, outcome, string
from muxwright.mcp.targets import target_of
from muxwright.mcp.tool import Tool
from muxwright.mcp.tools.common import ATOMIC, DATA, KEYS, clean, limit_bytes
from muxwright.operations.expect import ConditionJudge
from muxwright.operations.judges import ExitJudge, QuietJudge, ScreenJudge
from muxwright.operations.steps import Operation, Place
from muxwright.operations.terminal import send_keys, send_text
from muxwright.operations.wait import Judge, wait
from muxwright.operations.waits import Wanted
from muxwright.screen.conditions import Condition, Finding, cursor_at, is_visible
from muxwright.screen.locate import WHOLE_ROW, Query, style_wanted
from muxwright.screen.screen import Region, Screen

__all__ = ["TOOLS"]

TEXT_BYTES = 1024
TAIL = 1000
LONGEST = 50.0  # seconds of one call: some clients give up after a minute

# --- the family's two ---


async def wait_for_text(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Wait for a literal text, on the screen or in what comes."""
    text = arguments["text"]
    limit_bytes(text, TEXT_BYTES, "the text")
    ref = await context.pane(arguments)
    wanted = Wanted([text], accept_echo=True)
    result = await context.read(partial(_wait, context, ref, wanted.judge(ref)))
    return await _found(context, ref, text, result, keys_sent=False)


async def send_keys_and_wait(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Type, and wait for a literal text in the output from then on; the pane is watched before the first key."""
    text = arguments["text"]
    limit_bytes(text, TEXT_BYTES, "the text")
    typing = read_keys(arguments["keys"], literal=arguments.get("literal", False))
    ref = await context.pane(arguments)
    await context.not_ourselves(ref, typing=True)
    await context.not_reserved(ref)
    wanted = Wanted([text], baseline=False, accept_echo=True)

    async def send_and_wait(host: Host) -> WaitResult:
        place = place_of(host)
        return await _wait(context, ref, wanted.judge(ref), host, lambda: _typed(place, ref, typing))

    result = await context.act(send_and_wait)
    return await _found(context, ref, text, result, keys_sent=True)


async def _wait(
    context: Context, ref: PaneRef, judge: Judge, host: Host, act: Callable[[], Operation[None]] | None = None
) -> WaitResult:
    """Wait; the client is told when everything is armed, and only then `act` is done."""

    def armed() -> Operation[None]:
        context.tell("waiting")
        if act is not None:
            yield from act()

    left = context.remaining
    return await host.run(wait(place_of(host), ref, judge, left, armed), left)


def _typed(place: Place, ref: PaneRef, typing: list[Typing]) -> Operation[None]:
    for is_key, words in typing:
        yield from send_keys(place, ref, words) if is_key else send_text(place, ref, words[0])


async def _found(context: Context, ref: PaneRef, text: str, result: WaitResult, *, keys_sent: bool) -> dict[str, Any]:
    if not result:
        raise _missed(context, ref, result)
    await context.progress("matched")
    return {
        "target": target_of(ref),
        "matched": True,
        "text": text,
        "source": result.source,
        "evidence": "literal_text",
        "continuity": "reset",
        "keysSent": keys_sent,
        "terminalContent": DATA,
        "generationGuarantee": ATOMIC,
    }


def _missed(context: Context, ref: PaneRef, result: WaitResult) -> ToolError:
    effects: Any = "possible" if context.touched else "none"
    if result.outcome == "pane_closed":
        return ToolError("pane_closed", f"the pane {ref.id} ended before the text was there", effects=effects)
    return ToolError(
        "deadline", f"the text was not there within {context.timeout:g} s; see capture_pane", effects=effects
    )


# --- the general one ---


async def wait_for(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    """Wait for patterns, quiet, a state of the screen, or the end of the program."""
    kinds = [kind for kind in ("patterns", "quiet", "screen", "gone", "exit") if arguments.get(kind)]
    if len(kinds) != 1:
        raise ToolError("invalid_arguments", "give exactly one of patterns, quiet, screen, gone and exit")
    ref = await context.pane(arguments)
    context.extend(arguments.get("seconds", 30.0))
    judge = _judge(ref, kinds[0], arguments)
    result = await context.read(partial(_wait, context, ref, judge))
    return {"target": target_of(ref), **_told(result)}


def _judge(ref: PaneRef, kind: str, arguments: dict[str, Any]) -> Judge:
    """Return who says when what is waited for has come."""

    def compiled(name: str) -> list[Any]:
        options = {"regex": arguments.get("regex", False), "match_case": arguments.get("matchCase", True)}
        return compile_patterns(arguments.get(name, ()), **options)

    if kind == "patterns":
        return Wanted(compiled("patterns"), compiled("stop"), baseline=arguments.get("baseline", True)).judge(ref)
    if kind == "quiet":
        return QuietJudge(ref, arguments["quiet"])
    if kind == "screen":
        return ConditionJudge(ref, _condition(arguments["screen"]), negated=False)
    if kind == "gone":
        (pattern,) = compile_patterns([arguments["gone"]], regex=False, match_case=True)
        return ScreenJudge(ref, lambda screen: not pattern.search(screen.decode("replace")))
    return ExitJudge()


def _condition(wanted: dict[str, Any]) -> Condition:
    """Return that the text is there, in its row and style, and the cursor in its place."""
    try:
        parts = [
            Query(region=Region(wanted["row"], 0, 1, WHOLE_ROW)) if "row" in wanted else None,
            Query(style=style_wanted(wanted["style"])) if "style" in wanted else None,
            Query(text=wanted["text"]) if "text" in wanted else None,
        ]
    except InvalidArgument as error:
        raise ToolError("invalid_arguments", f"arguments.screen.style: {error}") from None
    given = [part for part in parts if part is not None]
    conditions = [cursor_at(*wanted["cursor"])] if "cursor" in wanted else []
    if "text" in wanted or "style" in wanted:
        conditions.append(is_visible(reduce(lambda outer, inner: inner.inside(outer), given)))
    if not conditions:
        raise ToolError("invalid_arguments", "arguments.screen: give at least one of text, style and cursor")

    def judge(screen: Screen) -> Finding:
        findings = [condition.judge(screen) for condition in conditions]
        return next((finding for finding in findings if not finding.holds), findings[0])

    return Condition("the screen", "to be as wanted", judge)


def _told(result: WaitResult) -> dict[str, Any]:
    """Return the outcome, and of the rest what says something."""
    told: dict[str, Any] = {"outcome": result.outcome, "seconds": round(result.duration, 3), "route": result.route}
    facts = {
        "source": result.source,
        "patternIndex": result.pattern,
        "text": clean(result.text)[:TAIL] or None,
        "pending": result.pending and clean(result.pending),
        "echoSeen": result.echo_seen or None,
        "receivedBytes": result.received_bytes,
        "droppedBytes": result.dropped_bytes or None,
        "gap": result.gap or None,
        "exitStatus": result.exit_status,
        "signal": result.signal or None,
        "tail": clean(result.tail)[-TAIL:] or None,
    }
    return told | {name: fact for name, fact in facts.items() if fact is not None} | {"terminalContent": DATA}


_CLASSES: tuple[OutputClass, ...] = ("tmux-metadata", "terminal-content")
_WAITED = outcome(
    closed(
        {
            "target": PANE,
            "matched": boolean(),
            "text": string(),
            "source": {"enum": ["baseline", "output"]},
            "evidence": {"const": "literal_text"},
            "continuity": {"const": "reset"},
            "keysSent": boolean(),
            "terminalContent": {"const": "data"},
            "generationGuarantee": string(),
        }
    )
)
_TEXT = string(minLength=1, maxLength=1024)
_PATTERNS = array(_TEXT, 1, 16)
_SCREEN = closed(
    {
        "text": _TEXT,
        "row": integer(0, 10_000),
        "style": {"type": "object", "description": 'Such as {"foreground": "red", "bold": true, "reverse": true}'},
        "cursor": array(integer(0, 10_000), 2, 2, "Row and column"),
    },
    [],
    description="How the rendered screen is; all that is given must hold",
)

TOOLS = (
    Tool(
        name="wait_for_text",
        capability=Capability("inspect", "none", ("observe",), _CLASSES),
        about="Waits a few seconds for a literal text: `source` says whether it stood on the screen already (baseline)"
        " or came (output). Also the echo of a typed command counts: a match proves no success."
        " wait_for waits longer and for more.",
        input=closed({"target": PANE_TARGET, "text": _TEXT}),
        output=_WAITED,
        handler=wait_for_text,
        overrides={"idempotentHint": False},
        default_private=True,
        nestable=True,
    ),
    Tool(
        name="send_keys_and_wait",
        capability=Capability("execute", "pane-input", ("change",), _CLASSES),
        about="Types like send_keys and waits for a literal text in the output from then on; nothing is missed in"
        " between. The echo of what was typed counts: look for something that only the answer has.",
        input=closed(
            {"target": PANE_TARGET, "keys": KEYS, "literal": boolean(False), "text": _TEXT},
            ["target", "keys", "text"],
        ),
        output=_WAITED,
        handler=send_keys_and_wait,
        default_private=True,
        nestable=True,
    ),
    Tool(
        name="wait_for",
        capability=Capability("inspect", "none", ("observe",), _CLASSES),
        about="Waits for one thing: any of `patterns` (an echo of typed text does not count; `stop` ends it),"
        " `quiet` seconds without output, a state of the `screen`, a text `gone` from it, or the program's `exit`."
        " A deadline is an outcome, not an error: call again. Returns the outcome and the last output.",
        input=closed(
            {
                "target": PANE_TARGET,
                "patterns": _PATTERNS,
                "stop": _PATTERNS,
                "regex": boolean(False, "RE2 expressions, matched line by line"),
                "matchCase": boolean(True),
                "baseline": boolean(True, "Count what stands there already"),
                "quiet": {"type": "number", "minimum": 0.05, "maximum": 30},
                "screen": _SCREEN,
                "gone": _TEXT,
                "exit": boolean(),
                "seconds": number(0.1, LONGEST, 30),
            },
            ["target"],
        ),
        handler=wait_for,
        default_private=True,
    ),
)
