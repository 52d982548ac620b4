"""Plans: the order of the steps, room for the panes, plain data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from muxwright.workspace import WorkspaceConfigError, WorkspacePlan, expand, parse, plan, validate


def planned(text: str, size: tuple[int, int] | None = None, **options: Any) -> WorkspacePlan:
    return plan(expand(validate(parse(text, "yaml", "/w/f.yaml"), strict=True), **options), size)


def test_the_order_of_the_steps() -> None:
    text = """\
session_name: s
before_script: 'true'
environment: {A: b}
options: {status: off}
global_options: {escape-time: 0, history-limit: 5, mode-keys: vi}
hooks: {before_create: a, after_create: b, on_attach: c, on_close: d}
windows:
- layout: main-vertical
  options: {main-pane-width: 50}
  options_after: {synchronize-panes: on}
  panes: [one, {shell_command: two, title: t, focus: true, zoom: true}]
- {focus: true, synchronize: before}
"""
    steps = planned(text).steps
    assert [(step.action, step.window, step.pane) for step in steps] == [
        ("before_create", None, None),
        ("create_session", None, None),
        ("before_script", None, None),
        ("set_option", None, None),
        ("set_option", None, None),
        ("set_option", None, None),
        ("set_option", None, None),
        ("set_environment", None, None),
        ("create_window", 1, None),
        ("set_option", 1, None),
        ("split_pane", 1, 2),
        ("select_layout", 1, None),
        ("select_layout", 1, None),
        ("create_window", 2, None),
        ("set_option", 2, None),
        ("wait_ready", 1, 1),
        ("wait_ready", 1, 2),
        ("send_command", 1, 1),
        ("send_command", 1, 2),
        ("set_title", 1, 2),
        ("set_option", 1, None),
        ("focus_pane", 1, 2),
        ("zoom_pane", 1, 2),
        ("focus_pane", 2, 1),
        ("focus_window", 2, None),
        ("set_hook", None, None),
        ("set_hook", None, None),
        ("after_create", None, None),
    ]
    scopes = [step.arguments["scope"] for step in steps if step.action == "set_option" and step.window is None]
    assert scopes == ["session", "server", "global_session", "global_window"]


def test_a_plan_is_plain_data() -> None:
    data = planned("session_name: s\nwindows: [{options: {a: [x, y]}, panes: [a, [{keys: [C-c]}]]}]\n").as_data()
    assert json.loads(json.dumps(data)) == data
    assert (data["schema_version"], data["session_name"], data["size"]) == (1, "s", [160, 48])


def test_each_step_is_one_line_for_people() -> None:
    lines = [step.describe() for step in planned("session_name: s\nwindows: [{panes: ['a\\nb']}]\n").steps]
    assert lines[0] == "create_session name='s' size=[160, 48]"
    assert not any("\n" in line for line in lines)


@pytest.mark.parametrize(("count", "fits"), [(6, True), (20, True), (60, True), (300, False)])
def test_room_in_80x24(count: int, fits: bool) -> None:
    text = f"session_name: s\nwindows: [{{panes: [{', '.join(['blank'] * count)}]}}]\n"
    if not fits:
        with pytest.raises(WorkspaceConfigError, match=r"windows\[0\]\.panes: there is no room for 300 panes in 80x24"):
            planned(text, (80, 24))
        return
    found = planned(text, (80, 24))
    assert [step.action for step in found.steps].count("split_pane") == count - 1
    assert "are tiled" in found.warnings[0]


def test_without_a_layout_the_last_pane_is_halved_while_that_fits() -> None:
    text = "session_name: s\nwindows: [{panes: [a, b, {split: right, size: 30%}]}]\n"
    found = planned(text, (80, 24))
    assert found.warnings == ()
    splits = [step.arguments for step in found.steps if step.action == "split_pane"]
    assert [(split["direction"], split["size"]) for split in splits] == [("below", None), ("right", "30%")]
    assert "select_layout" not in [step.action for step in found.steps]


def test_the_size_of_the_file_counts_first() -> None:
    assert planned("session_name: s\nsize: 200x50\nwindows: [{}]\n", (80, 24)).size == (200, 50)
