"""The catalogue: its size, its words, its choice."""

from __future__ import annotations

import re

import pytest

from muxwright import InvalidArgument, PaneId
from muxwright.mcp.application import Application
from muxwright.mcp.capability import CAPABILITY_KEY, TOOLSETS
from muxwright.mcp.catalogue import TOOLS, advertise, model_bytes
from muxwright.mcp.instructions import LIMIT, instructions
from muxwright.mcp.policy import Policy, Selection, select
from muxwright.mcp.tool import Tool
from muxwright.mcp.tools.common import wire_bytes

EVERYTHING = Selection(toolsets=TOOLSETS)


@pytest.mark.parametrize(("selection", "model", "wire"), [(Selection(), 20_000, 45_000), (EVERYTHING, 40_000, 100_000)])
def test_budget(selection: Selection, model: int, wire: int) -> None:
    entries = Application(selection=selection).tools()
    sizes = sum(map(model_bytes, entries)), wire_bytes({"tools": entries})
    print(f"{len(entries)} tools, {sizes[0]} bytes for the model, {sizes[1]} bytes in all")
    assert sizes[0] <= model and sizes[1] <= wire


def test_default_choices() -> None:
    borrowed = [tool.name for tool in select(Selection(), private=False)]
    assert borrowed == ["list_panes", "capture_pane", "send_keys"]
    private = [tool.name for tool in select(Selection(), private=True)]
    assert set(borrowed) < set(private) and len(private) <= 25
    assert not {"run_operations", "resize_pane"} & set(private)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_words_and_hints_follow_from_the_record(tool: Tool) -> None:
    entry = advertise(tool)
    assert re.fullmatch("[a-z][a-z0-9_]{0,31}", entry["name"])
    assert entry["description"].startswith(tool.capability.sentence)
    assert len(entry["description"]) <= 400
    assert entry["_meta"][CAPABILITY_KEY]["toolset"] in TOOLSETS
    hints = entry["annotations"]
    assert hints["readOnlyHint"] == tool.read_only
    assert not (hints["readOnlyHint"] and hints["destructiveHint"])
    assert dict(tool.capability.literalized).keys() <= entry["inputSchema"]["properties"].keys()
    assert entry["inputSchema"]["additionalProperties"] is False


def chosen(selection: Selection) -> list[str]:
    return [tool.name for tool in select(selection, private=True)]


def test_selection() -> None:
    teardown = [tool.name for tool in TOOLS if tool.capability.toolset == "teardown"]
    assert chosen(Selection(tools=["kill_pane"])) == ["kill_pane"]
    assert chosen(Selection(toolsets=["teardown"], excluded=["kill_pane"])) == [
        name for name in teardown if name != "kill_pane"
    ]
    assert chosen(Selection(toolsets=["teardown"], tools=["list_panes"], read_only=True)) == ["list_panes"]
    assert all(tool.read_only for tool in select(Selection(toolsets=TOOLSETS, read_only=True), private=True))
    assert "kill_pane" not in chosen(Selection(excluded=["kill_pane"]))


@pytest.mark.parametrize(
    ("selection", "said"),
    [
        (Selection(tools=["list_pane"]), "did you mean list_panes"),
        (Selection(toolsets=["bogus"]), "expected one of inspect, manage, execute, teardown"),
        (Selection(excluded=["x" * 9]), "is no tool"),
        (Selection(tools=["kill_pane"], read_only=True), "no tool is left"),
        (Selection(tools=["run_operations"]), "runs other tools"),
        (Selection(tools=["kill_pane", "kill_pane"]), "named twice"),
    ],
)
def test_a_choice_that_cannot_be_meant_stops_the_start(selection: Selection, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        select(selection, private=True)


@pytest.mark.parametrize(
    ("options", "said"),
    [({"timeout": 0.0}, "timeout"), ({"timeout": 31.0}, "timeout"), ({"workers": 5, "capacity": 4}, "workers")],
)
def test_limits_have_limits(options: dict[str, float], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        Policy(**options)  # type: ignore[arg-type]  # by name


def test_a_caller_pane_makes_targets_optional() -> None:
    policy = Policy(caller_pane=PaneId("%0"))
    app = Application(selection=Selection(tools=["capture_pane", "run_operations"]), policy=policy)
    capture, operations = app.tools()
    assert capture["inputSchema"]["required"] == []
    (item,) = operations["inputSchema"]["properties"]["operations"]["items"]["oneOf"]
    assert item["properties"]["arguments"]["required"] == []


def test_a_batch_lists_what_it_can_run() -> None:
    app = Application(selection=Selection(tools=["send_keys", "list_panes", "run_operations", "get_pane_info"]))
    batch = app.tools()[-1]
    assert batch["_meta"][CAPABILITY_KEY]["nestedAuthority"] == ["list_panes", "send_keys"]


@pytest.mark.parametrize("selection", [Selection(), EVERYTHING, Selection(tools=["list_panes"])])
def test_instructions_are_short_and_name_only_what_is_offered(selection: Selection) -> None:
    app = Application(selection=selection)
    text = instructions(app)
    assert len(text.encode()) < LIMIT
    known = {tool.name for tool in TOOLS}
    assert {word for word in re.findall("[a-z_]+", text) if word in known and "_" in word} <= set(app.offered)
