"""The JSON Schema and the validator agree, key by key and value by value; the key reference is up to date."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from muxwright.workspace import WorkspaceConfigError, json_schema, validate
from muxwright.workspace.schema import KEYS, SCOPES, UNSUPPORTED, Key, key_reference, keys_of

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = jsonschema.Draft202012Validator(json_schema())
LAYOUT = "bb62,159x48,0,0{79x48,0,0,79x48,80,0}"

# What tmux's own tables and a checksum decide, a schema cannot say: there it only takes more than the validator.
WIDER = {"keys", "layout"}

SAMPLES: list[Any] = [
    None, True, False, 0, 1, 2, -1, 3601, 10_001, 2**31 - 1, 2**31, 1.5, "", "text", "a b", "yes", "off", "12", "true",
    "80x24", "0x4", "30%", "130%", "30", "tiled", "tild", "main-vertical-mirrored", LAYOUT, "before", "after", "below",
    "right", "auto", "always", "never", "none", "skip", "fail", "type", "classic", "tmuxp", "C-c", "Enter", "blank",
    [], [None], ["a"], ["a", None], ["a", "b"], [1], [[]], [{}], [{"cmd": "a"}], [{"cmd": "a", "keys": ["b"]}],
    [{"keys": ["C-c"]}], [{"cmd": 1}], [{"window_name": "x"}], [{"nonsense": 1}], {}, {"A": 1}, {"A": None},
    {"a-b": "x"}, {"1a": "x"}, {"A": []}, {"status": "on"}, {"status": ["a", 1]}, {"status": [[]]}, {"@x": True},
    {"shell_command": "a"}, {"shell_command": ["a"], "enter": True}, {"mode": "auto"}, {"mode": "never"},
    {"timeout": 3}, {"on_attach": "x"}, {"on_attach": ["x", 1]}, {"pane_readiness": "never"}, {"pane_readiness": 1},
    {"x-mine": [1]},
]  # fmt: skip


def document(key: Key, value: Any) -> dict[str, Any]:
    """Return a workspace in which only that key can be wrong."""
    window: dict[str, Any] = {"panes": [{}]}
    session: dict[str, Any] = {"session_name": "s", "windows": [window]}
    if key.scope == "session":
        return session | {key.name: value}
    if key.scope == "window":
        window[key.name] = value
    elif key.scope == "pane":
        window["panes"] = [{key.name: value}]
    elif key.scope == "command":
        command = {"cmd": "a"} if key.name not in ("cmd", "keys") else {}
        window["panes"] = [{"shell_command": [command | {key.name: value}]}]
    elif key.scope == "builder":
        session["workspace_builder_options"] = {key.name: value}
    else:
        session[key.scope] = {key.name: value}
    return session


def accepted(data: dict[str, Any]) -> bool:
    try:
        validate(data, strict=True)
    except WorkspaceConfigError:
        return False
    return True


@pytest.mark.parametrize("key", KEYS, ids=lambda key: f"{key.scope}.{key.name}")
def test_schema_and_validator_agree(key: Key) -> None:
    verdicts = {True: 0, False: 0}
    for value in SAMPLES:
        data = document(key, value)
        verdict = SCHEMA.is_valid(data)
        wider = key.kind in WIDER and verdict and not accepted(data)
        assert wider or accepted(data) is verdict, f"{key.scope}.{key.name} = {value!r}: the schema says {verdict}"
        verdicts[verdict] += 1
    assert verdicts[True], "nothing was accepted: the samples lack a good value"
    assert verdicts[False] or key.kind == "ignored"


@pytest.mark.parametrize("name", [*UNSUPPORTED, "nonsense"])
def test_what_is_no_key_is_refused_by_both(name: str) -> None:
    data = {"session_name": "s", "windows": [{}], name: 1}
    assert not SCHEMA.is_valid(data)
    assert not accepted(data)


def test_every_scope_has_keys_and_every_key_its_words() -> None:
    for scope in SCOPES:
        assert keys_of(scope)
    assert len({(key.scope, key.name) for key in KEYS}) == len(KEYS)
    assert all(key.doc.endswith(".") for key in KEYS)


def test_the_key_reference_is_up_to_date() -> None:
    page = ROOT / "docs" / "reference" / "workspace-keys.md"
    assert page.read_text(encoding="utf-8") == key_reference(), "run tools/gen_keys.py"
