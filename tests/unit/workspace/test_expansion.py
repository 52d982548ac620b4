"""Inheritance and references: every rule with its small file."""

from __future__ import annotations

from typing import Any

import pytest

from muxwright.workspace import ExpandedPane, ExpandedWorkspace, WorkspaceConfigError, expand, parse, validate


def expanded(text: str, source: str | None = "/w/f.yaml", **options: Any) -> ExpandedWorkspace:
    return expand(validate(parse(text, "yaml", source), strict=True), **options)


def panes(text: str, **options: Any) -> list[ExpandedPane]:
    return [pane for window in expanded(text, **options).windows for pane in window.panes]


def typed(pane: ExpandedPane) -> list[str | None]:
    return [command.text for command in pane.commands]


def test_directories_join_level_by_level() -> None:
    text = """\
session_name: c16
start_directory: ./proj
windows:
- start_directory: api
  panes: [pwd, {start_directory: src}, {start_directory: ./src}, {start_directory: ../}, {start_directory: /abs}]
- {start_directory: ./, panes: [pwd, {start_directory: '~/x'}]}
"""
    found = [pane.directory for pane in panes(text, home="/home/me")]
    expected = ["api", "api/src", "api/src", ".", "/abs", ".", "/home/me/x"]
    assert found == ["/w/proj" if e == "." else e if e[0] == "/" else f"/w/proj/{e}" for e in expected]


def test_without_a_start_directory_the_caller_decides_unless_a_base_is_given() -> None:
    text = "session_name: s\nwindows: [{}]\n"
    assert panes(text)[0].directory is None
    assert panes(text, base_directory="/base")[0].directory == "/base"
    with pytest.raises(WorkspaceConfigError, match="is relative"):
        expanded("session_name: s\nstart_directory: x\nwindows: [{}]\n", source=None)


def test_the_file_has_a_name_for_its_own_directory() -> None:
    text = "session_name: s\nwindows: [{start_directory: '${{config_dir}}/x', panes: ['ls ${{config_dir}}']}]\n"
    (pane,) = panes(text)
    assert (pane.directory, typed(pane)) == ("/w/x", [" ls /w"])


def test_variables_stand_in_names_and_not_in_commands() -> None:
    text = """\
session_name: s-$B-${B}
environment: {V: $A, W: $$A, MODE: .env, PORT: 8080, GONE: null}
windows:
- window_name: ${B}
  panes: ["echo $A ${B} '$A' $NOSUCH", "echo ${{A}} $${{A}}"]
"""
    workspace = expanded(text, env={"A": "$B", "B": "b"})
    assert workspace.session_name == "s-b-b"
    assert workspace.environment == {"V": "$B", "W": "$A", "MODE": ".env", "PORT": "8080", "GONE": None}
    assert workspace.windows[0].name == "b"
    assert [typed(pane) for pane in workspace.windows[0].panes] == [
        [" echo $A ${B} '$A' $NOSUCH"],
        [" echo $B ${{A}}"],
    ]


def test_compat_expands_commands_as_tmuxp_does() -> None:
    text = "session_name: s\ncompat: tmuxp\nwindows: [{panes: ['echo $A $B']}]\n"
    assert typed(panes(text, env={"A": "1"})[0]) == [" echo 1 $B"]


def test_unknown_variables() -> None:
    plain = "session_name: s\nenvironment: {V: s$X}\nwindows: [{}]\n"
    marked = "session_name: s\nwindows: [{panes: ['${{X}}']}]\n"
    assert expanded(plain).environment == {"V": "s$X"}
    with pytest.raises(WorkspaceConfigError, match="the variable X is not given"):
        expanded(plain, unknown_variables="error")
    with pytest.raises(WorkspaceConfigError, match="the variable PROJEKT is not given; did you mean PROJECT"):
        expanded(marked.replace("X", "PROJEKT"), env={"PROJECT": "p"})


def test_declared_variables_have_defaults() -> None:
    text = "session_name: $NAME\nvariables: {NAME: default, NEEDED: null}\nwindows: [{}]\n"
    with pytest.raises(WorkspaceConfigError, match="--env NEEDED=VALUE"):
        expanded(text)
    assert expanded(text, env={"NEEDED": "x"}).session_name == "default"
    assert expanded(text, env={"NEEDED": "x", "NAME": "given"}).session_name == "given"


def test_names_are_checked_again() -> None:
    with pytest.raises(WorkspaceConfigError, match="to which some tmux adds a backslash"):
        expanded("session_name: s\nwindows: [{window_name: a$X}]\n")
    with pytest.raises(WorkspaceConfigError, match=r"tmux: a_b"):
        expanded("session_name: $A\nwindows: [{}]\n", env={"A": "a.b"})
    with pytest.raises(WorkspaceConfigError, match="empty once"):
        expanded("session_name: $A\nwindows: [{}]\n", env={"A": ""})


def test_home() -> None:
    text = "session_name: s\nstart_directory: '~/a'\nwindows: [{start_directory: ~other/x}]\n"
    with pytest.raises(WorkspaceConfigError) as caught:
        expanded(text)
    assert [fault.code for fault in caught.value.faults] == ["home", "home"]


def test_environments_merge_and_the_nearest_wins() -> None:
    text = """\
session_name: s
environment: {A: s, B: s, C: s}
windows:
- environment: {B: w, C: w}
  panes: [{environment: {C: p}}, a, {environment: {}}]
"""
    of_window = {"B": "w", "C": "w"}
    assert [pane.environment for pane in panes(text)] == [{"B": "w", "C": "p"}, of_window, of_window]
    with pytest.raises(WorkspaceConfigError, match="only the session can take a variable away"):
        panes("session_name: s\nwindows: [{environment: {A: null}}]\n")


def test_commands_before_and_the_history_space() -> None:
    text = """\
session_name: s
shell_command_before: one
windows:
- shell_command_before: [two]
  panes: [{shell_command_before: {shell_command: three}, shell_command: four}, blank]
- {suppress_history: false, panes: [a, {suppress_history: true, shell_command: b}]}
"""
    assert [typed(pane) for pane in panes(text)] == [
        [" one", " two", " three", " four"],
        [" one", " two"],
        ["one", "a"],
        [" one", " b"],
    ]


@pytest.mark.parametrize(
    ("pane", "commands"),
    [
        ("text", [" text"]), ("[a, b]", [" a", " b"]), ("null", []), ("pane", []), ("blank", []), ("''", [""]),
        ("[null]", []), ("[blank]", []), ("['']", [""]), ("{}", []), ("{shell_command: }", []), ("[]", []),
        ("{shell_command: [pane]}", []), ("{shell_command: [{cmd: pane}]}", [" pane"]), ("{shell_command: ''}", [""]),
        ("[pane, a]", [" pane", " a"]),
    ],
)  # fmt: skip
def test_shorthands(pane: str, commands: list[str]) -> None:
    assert typed(panes(f"session_name: s\nwindows: [{{panes: [{pane}]}}]\n")[0]) == commands


def test_keys_of_one_command_do_not_leak() -> None:
    text = """\
session_name: s
windows:
- panes:
  - enter: true
    sleep_before: 1
    shell_command: [{cmd: a, enter: false}, {cmd: b, sleep_before: null, sleep_after: 2}, c, {keys: [C-c, Up]}]
"""
    (pane,) = panes(text)
    assert [(c.enter, c.sleep_before, c.sleep_after) for c in pane.commands] == [
        (False, 1, 0),
        (True, 0, 2),
        (True, 1, 0),
        (False, 1, 0),
    ]
    assert (pane.commands[3].text, pane.commands[3].keys) == (None, ("C-c", "Up"))


def test_readiness_is_inherited_and_only_asked_where_it_can_be_proved() -> None:
    text = """\
session_name: s
readiness: {timeout: 3, on_timeout: skip}
windows:
- panes: [a, blank, {shell: vim}, {shell: bash -l, shell_command: a}, {readiness: none, shell_command: a}]
- readiness: always
  panes: [blank, {readiness: {on_timeout: fail}}]
"""
    found = [pane.readiness for pane in panes(text)]
    assert [readiness.wait for readiness in found] == [True, False, False, True, False, True, True]
    assert {readiness.timeout for readiness in found} == {3.0}
    assert [readiness.on_timeout for readiness in found][-2:] == ["skip", "fail"]
    never = "session_name: s\nworkspace_builder_options: {pane_readiness: never}\nwindows: [{panes: [a]}]\n"
    assert [pane.readiness.wait for pane in panes(never)] == [False]


def test_options_go_where_they_have_an_effect() -> None:
    text = """\
session_name: s
options: {status: off, main-pane-height: 30, '@mine': x}
windows:
- {options: {synchronize-panes: on, mode-keys: vi}}
- {options: {main-pane-height: 10}}
"""
    workspace = expanded(text)
    assert workspace.options == {"status": "off", "@mine": "x"}
    assert [window.options for window in workspace.windows] == [
        {"main-pane-height": 30, "mode-keys": "vi"},
        {"main-pane-height": 10},
    ]
    assert workspace.windows[0].options_after == {"synchronize-panes": "on"}


def test_the_script_is_split_without_a_shell() -> None:
    text = "session_name: s\nstart_directory: sub\nbefore_script: ./run 'a b' $X\nwindows: [{}]\n"
    script = expanded(text, env={"X": "1"}).script
    assert script is not None
    assert (script.argv, script.directory) == (("/w/run", "a b", "1"), "/w/sub")
    for wrong in ('"a', "''"):
        with pytest.raises(WorkspaceConfigError, match="before_script"):
            expanded(f"session_name: s\nbefore_script: {wrong!r}\nwindows: [{{}}]\n")


def test_what_grows_too_large_is_refused() -> None:
    with pytest.raises(WorkspaceConfigError, match="more than"):
        expanded("session_name: s\nwindows: [{panes: ['${{A}}${{A}}']}]\n", env={"A": "x" * 600_000})


def test_default_focus() -> None:
    workspace = expanded("session_name: s\nwindows: [{panes: [a, b]}, {panes: [a, {focus: true}, c]}]\n")
    assert [window.focus for window in workspace.windows] == [True, False]
    assert [[pane.focus for pane in window.panes] for window in workspace.windows] == [
        [False, True],
        [False, True, False],
    ]
