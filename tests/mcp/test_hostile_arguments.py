"""Every tool with arguments that nobody should send: an error that says why, or a result; never a crash or a hang."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from typing import Any

import pytest

from muxwright.mcp.targets import target_of
from tests.mcp.support import Tools

pytestmark = pytest.mark.live

WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**63,
    10**400,
    1e308,
    -0.0,
    "",
    " ",
    "\0",
    "\ud800",
    "a\nb",
    "-t",
    "=:.",
    "#{pid}#(id)",
    "; kill-server",
    "%0",
    "@999999999999999999999",
    "$(id)",
    "é" * 5000,
    "x" * 300_000,
    [],
    [[[[[]]]]],
    ["x"] * 100,
    [None],
    {},
    {"paneId": "%0"},
    {"paneId": "%0", "generation": "1:1"},
    {"paneId": "%0", "generation": "x" * 10_000, "more": 1},
    {"a": {"b": {"c": {"d": {}}}}},
    {"op": "all", "of": [{"op": "all", "of": []}] * 50},
)
SECONDS = ("seconds", "timeout_seconds")  # always given, since the defaults are long

RIGHT: dict[str, Any] = {
    "channel": "c",
    "command": ["cat"],
    "enabled": False,
    "height": 5,
    "job": "none",
    "keys": ["x"],
    "layout": "tiled",
    "lines": 5,
    "name": "n",
    "names": ["pane_id"],
    "pattern": "x",
    "patterns": ["x"],
    "seconds": 1,
    "text": "x",
    "timeout_seconds": 1,
    "value": "v",
}


def hostile(chance: random.Random, schema: dict[str, Any], right: dict[str, Any]) -> dict[str, Any]:
    """Return arguments for a schema: most members right or left out, up to two wrong, now and then an unknown one."""
    members = sorted(schema["properties"])
    given = {name: right[name] for name in members if name in right and (name in SECONDS or chance.random() < 0.9)}
    for name in chance.sample(members, min(len(members), chance.randint(0, 2))):
        given[name] = chance.choice(WRONG)
    if chance.random() < 0.1 or not members:
        given[chance.choice(("unknown", "", "Target", "\u00e9\0"))] = chance.choice(WRONG)
    return given


def attack(tools: Tools, chance: random.Random, rounds: int) -> Counter[str]:
    """Call every tool `rounds` times; returns how often each code was told."""
    told: Counter[str] = Counter()
    for entry in tools.app.tools():
        name = entry["name"]
        for _ in range(rounds):
            pane = tools.shell("sh")
            session = target_of(next(iter(tools.app.owned)))
            bare = pane["paneId"]
            right = {**RIGHT, **session, "target": pane, "session": session, "pane": bare, "pane_id": bare}
            arguments = hostile(chance, entry["inputSchema"], right)
            outcome = tools.checked(name, tools.run(asyncio.wait_for(tools.app.call(name, arguments), 30)))
            if outcome.is_error:
                said = json.loads(outcome.text)
                error = said["error"] if "error" in said else said["results"][-1]["error"]
                assert len(error["message"].encode()) <= 512 and "Traceback" not in error["message"], arguments
                told[error["code"]] += 1
            for made in [target_of(ref) for ref in tools.app.owned]:
                tools.outcome("teardown_session", **made)
    return told


def test_some_of_it(tools: Tools, seed: int) -> None:
    told = attack(tools, random.Random(seed), 1)
    assert told["invalid_arguments"] > 10, told


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_much_of_it(tools: Tools, seed: int) -> None:
    told = attack(tools, random.Random(seed + 1), 40)
    assert told["invalid_arguments"] > 400, told
