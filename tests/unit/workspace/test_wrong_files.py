"""Wrong files: each has its fault at the right line, in words that help, and never a traceback."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from muxwright.workspace import Limits, WorkspaceConfigError, parse, validate
from muxwright.workspace.document import Format

HEAD = "session_name: s\nwindows:\n"


class Wrong(NamedTuple):
    """A file, the line of its first fault, the fault's code, and what its message says."""

    text: str
    line: int
    code: str
    says: str
    format: Format = "yaml"


WRONG = [
    # reading
    Wrong("", 1, "type", "an empty document"),
    Wrong("# nothing\n", 1, "type", "an empty document"),
    Wrong("just text", 1, "type", "found the text 'just text'"),
    Wrong("- a\n- b\n", 1, "type", "found a list"),
    Wrong("a: 1\na: 2\n", 2, "duplicate", "'a' stands here twice"),
    Wrong("a: [1\n", 2, "syntax", "flow sequence"),
    Wrong("a:\n\t- x\n", 2, "syntax", "cannot start any token"),
    Wrong("a: 'x\n", 2, "syntax", "quoted scalar"),
    Wrong("a: b: c\n", 1, "syntax", "mapping values are not allowed"),
    Wrong("--- {}\n--- {}\n", 2, "documents", "more than one document"),
    Wrong("a: !mine 1\n", 1, "type", "tag"),
    Wrong("a: !!python/object:x.Y {}\n", 1, "type", "tag"),
    Wrong("a: *gone\n", 1, "syntax", "no anchor"),
    Wrong("a: &a [*a]\n", 1, "syntax", "no anchor"),
    Wrong("? [a]\n: 1\n", 1, "type", "a key must be text"),
    Wrong("a:\n  <<: [1]\n", 2, "type", "'<<' merges a mapping"),
    Wrong("a: \x01\n", 1, "syntax", "not valid YAML"),
    Wrong("[" * 40 + "]" * 40, 1, "limit", "nested deeper"),
    Wrong("a: [" + "x," * 20_001 + "]", 1, "limit", "more than 20000 values"),
    Wrong('{"a": 1, "a": 2}', 1, "duplicate", "twice", "json"),
    Wrong('{"a": NaN}', 1, "syntax", "expected a value", "json"),
    Wrong('{"a": [1,]}', 1, "syntax", "expected a value", "json"),
    Wrong('{"a" 1}', 1, "syntax", "colon", "json"),
    Wrong('{"a": 1 "b": 2}', 1, "syntax", "comma or }", "json"),
    Wrong("{a: 1}", 1, "syntax", "double quotes", "json"),
    Wrong('{"a": "\\q"}', 1, "syntax", "not valid JSON", "json"),
    Wrong('{}\n{"b": 1}', 2, "documents", "follows the end", "json"),
    Wrong("[" * 40, 1, "limit", "nested deeper", "json"),
    Wrong('{"session_name": "s",\n "windows": 3}', 2, "type", "a list of windows", "json"),
    # the file
    Wrong("windows: [{}]\n", 1, "required", "session_name is missing"),
    Wrong("session_name: s\n", 1, "required", "windows is missing"),
    Wrong("session_name: ''\nwindows: [{}]\n", 1, "value", "must not be empty"),
    Wrong("session_name:\nwindows: [{}]\n", 1, "type", "expected a name"),
    Wrong("session_name: my.app\nwindows: [{}]\n", 1, "value", "would call it my_app"),
    Wrong("session_name: a:b\nwindows: [{}]\n", 1, "value", "would call it a_b"),
    Wrong('session_name: "a\\nb"\nwindows: [{}]\n', 1, "value", "line breaks"),
    Wrong("session_name: 'a\\b'\nwindows: [{}]\n", 1, "value", "backslash"),
    Wrong("session_name: s\nwindows: []\n", 2, "value", "at least one window"),
    Wrong("session_name: s\nwindows: [editor]\n", 2, "type", "expected a window"),
    Wrong(HEAD + "- {}\nschema_version: 2\n", 4, "version", "the number 1"),
    Wrong(HEAD + "- {}\nschema_version: true\n", 4, "version", "the truth value true"),
    Wrong(HEAD + "- {}\nplugins: [a.B]\n", 4, "unsupported", "plugins"),
    Wrong(HEAD + "- {}\nenvironment: [A]\n", 4, "type", "mapping of variables"),
    Wrong(HEAD + "- {}\nenvironment:\n  A-B: x\n", 5, "value", "is no variable"),
    Wrong(HEAD + "- {}\nenvironment: {A: [1]}\n", 4, "type", "plain value"),
    Wrong(HEAD + "- {}\noptions: {Status: on}\n", 4, "value", "is no option"),
    Wrong(HEAD + "- {}\nsize: 80\n", 4, "type", "such as 200x50"),
    Wrong(HEAD + "- {}\nhooks: {on_atach: x}\n", 4, "unknown_key", "did you mean on_attach?"),
    Wrong(HEAD + "- {}\ncompat: tmuxpp\n", 4, "value", "did you mean tmuxp?"),
    Wrong(HEAD + "- {}\nwindws: []\n", 4, "unknown_key", "did you mean windows?"),
    Wrong(HEAD + "- {}\nreadiness: {mode: allways}\n", 4, "value", "did you mean always?"),
    # windows
    Wrong(HEAD + "- layout: main-vertcal\n", 3, "value", "did you mean main-vertical?"),
    Wrong(HEAD + "- layout: 'bb63,159x48,0,0{79x48,0,0,79x48,80,0}'\n", 3, "value", "wrong checksum"),
    Wrong(
        HEAD + "- layout: 'bb62,159x48,0,0{79x48,0,0,79x48,80,0}'\n  panes: [a, b, c]\n",
        3,
        "value",
        "the layout has 2 cells but the window has 3 panes",
    ),
    Wrong(HEAD + "- panes: []\n", 3, "value", "at least one pane"),
    Wrong(HEAD + "- panes:\n", 3, "type", "a list of panes, found nothing"),
    Wrong(HEAD + "- window_index: -1\n", 3, "value", "from 0"),
    Wrong(HEAD + "- {window_index: 1}\n- {window_index: 1}\n", 4, "duplicate", "taken by windows[0]"),
    Wrong(HEAD + "- {focus: true}\n- {focus: yes}\n", 4, "value", "only one of the windows"),
    Wrong(HEAD + "- window_name: [a]\n", 3, "type", "expected a name"),
    Wrong(HEAD + "- {synchronize: perhaps}\n", 3, "type", "true or false"),
    # panes and commands
    Wrong(HEAD + "- panes: [7]\n", 3, "type", "the number 7"),
    Wrong(HEAD + "- panes: [[echo a, null]]\n", 3, "type", "nothing stands among commands"),
    Wrong(HEAD + "- panes:\n  - {cmd: echo lost}\n", 4, "unknown_key", "write shell_command: [{cmd: ...}]"),
    Wrong(HEAD + "- panes:\n  - {shell_commands: [x]}\n", 4, "unknown_key", "did you mean shell_command?"),
    Wrong(HEAD + "- panes:\n  - {shell_command: {cmd: x}}\n", 4, "type", "a mapping stands in a list"),
    Wrong(HEAD + "- panes:\n  - shell_command:\n    - {enter: false}\n", 5, "required", "either cmd or keys"),
    Wrong(HEAD + "- panes:\n  - shell_command:\n    - {keys: [Entr]}\n", 5, "value", "Entr"),
    Wrong(HEAD + "- panes: [{focus: perhaps}]\n", 3, "type", "true or false"),
    Wrong(HEAD + "- panes: [{focus: true}, {focus: true}]\n", 3, "value", "only one of the panes"),
    Wrong(HEAD + "- panes: [{sleep_before: -1}]\n", 3, "value", "0 to 3600"),
    Wrong(HEAD + "- panes: [{split: up}]\n", 3, "value", "below or right or above or left"),
    Wrong(HEAD + "- panes: [{size: 130%}]\n", 3, "type", "percentage"),
    Wrong(HEAD + "- panes: [{zoom: true}, {focus: true}]\n", 3, "value", "only the pane with the focus"),
    Wrong(HEAD + "- {window_shell: python3, panes: [print()]}\n", 3, "value", "say readiness: none"),
]


def test_the_table_is_long() -> None:
    assert len(WRONG) >= 60


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.says[:40])
def test_a_wrong_file(wrong: Wrong) -> None:
    with pytest.raises(WorkspaceConfigError) as caught:
        validate(parse(wrong.text, wrong.format, "/w/file"), strict=True)
    fault = caught.value.faults[0]
    assert (fault.line, fault.code) == (wrong.line, wrong.code), str(caught.value)
    assert wrong.says in fault.message
    assert str(caught.value).startswith(f"/w/file:{wrong.line}:")
    assert caught.value.effects == "none"


def test_all_faults_are_told_at_once() -> None:
    text = """\
session_name: my.app
windws: []
windows:
- window_name: 2024
  layot: tiled
  panes:
  - {cmd: echo lost}
  - {shell_commands: [echo typo]}
"""
    with pytest.raises(WorkspaceConfigError) as caught:
        validate(parse(text, "yaml"), strict=True)
    assert [(fault.line, fault.path) for fault in caught.value.faults] == [
        (1, "session_name"),
        (2, "windws"),
        (5, "windows[0].layot"),
        (7, "windows[0].panes[0].cmd"),
        (8, "windows[0].panes[1].shell_commands"),
    ]


def test_an_unknown_key_is_a_warning_unless_strict() -> None:
    config = validate(parse(HEAD + "- {layot: tiled}\n", "yaml", "/w/f.yaml"))
    assert config.warnings == ("/w/f.yaml:3:4: windows[0].layot: layot is no key of a window; did you mean layout?",)


def test_nothing_of_a_broken_file_is_quoted() -> None:
    with pytest.raises(WorkspaceConfigError) as caught:
        parse("password: 'hunter2\n", "yaml")
    assert "hunter2" not in str(caught.value)


def test_too_many_bytes_and_broken_utf8() -> None:
    with pytest.raises(WorkspaceConfigError, match="more than 10 bytes"):
        parse("a: 3456789\n", "yaml", limits=Limits(max_bytes=10))
    with pytest.raises(WorkspaceConfigError) as caught:
        parse(b"a: 1\nb: \xff\n", "yaml")
    assert (caught.value.code, caught.value.line, caught.value.faults[0].column) == ("encoding", 2, 4)


def test_a_bomb_of_anchors_is_defused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    with pytest.raises(WorkspaceConfigError) as caught:
        parse("\n".join(lines), "yaml")
    assert caught.value.code == "limit"
