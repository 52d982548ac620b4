"""What is advertised equals the contracts: schemas and annotations of the family's tools, but for their words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from muxwright.mcp.application import Application
from muxwright.mcp.capability import CAPABILITY_KEY
from muxwright.mcp.policy import Policy, Selection

CONTRACTS = {
    contract["tool"]: contract
    for contract in (
        json.loads(path.read_text()) for path in sorted((Path(__file__).parent / "contracts").glob("*.json"))
    )
}
LATER: set[str] = set()
FAMILY = (
    "list_panes capture_pane send_keys paste_text resize_pane kill_pane create_session teardown_session wait_for_text"
    " send_keys_and_wait run_operations"
).split()
FAMILY = [name for name in FAMILY if name not in LATER]
WORDS = ("description", "title", "$schema")


def plain(schema: Any, *, names: bool = False) -> Any:
    """A schema without words and with its required names in order; `names`: the keys are properties, not keywords."""
    if isinstance(schema, dict):
        kept = {key: value for key, value in schema.items() if names or key not in WORDS}
        return {
            key: sorted(value)
            if key == "required" and not names
            else plain(value, names=key in ("properties", "$defs"))
            for key, value in kept.items()
        }
    return [plain(item) for item in schema] if isinstance(schema, list) else schema


def advertised(selection: Selection, policy: Policy | None = None) -> dict[str, dict[str, Any]]:
    return {tool["name"]: tool for tool in Application(selection=selection, policy=policy).tools()}


@pytest.mark.parametrize("name", sorted(CONTRACTS.keys() - LATER))
def test_tool_equals_its_contract(name: str) -> None:
    contract = CONTRACTS[name]
    tool = advertised(Selection(tools=FAMILY if name in FAMILY else [name]))[name]
    assert plain(tool["inputSchema"]) == plain(contract["inputSchema"])
    assert plain(tool["outputSchema"]) == plain(contract["outputSchema"])
    assert tool["annotations"] == contract["annotations"]
    if "capability" in contract:
        assert tool["_meta"][CAPABILITY_KEY] == contract["capability"]
