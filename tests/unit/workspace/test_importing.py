"""Files of other managers: every key has its equal or its remark."""

from __future__ import annotations

import pytest

from muxwright.workspace import WorkspaceConfigError, expand, parse, plan, validate
from muxwright.workspace.importing import IMPORTERS, Imported, convert_file


def converted(kind: str, text: str) -> Imported:
    found = convert_file(kind, parse(text, "yaml", "/w/f.yml"))
    plan(expand(validate(found.data, strict=True), home="/home/me", base_directory="/w"))
    return found


def remarked(found: Imported) -> list[tuple[int | None, str]]:
    return [(fault.line, fault.path) for fault in found.remarks]


def test_workspace_case_e3_a_tmuxinator_file() -> None:
    found = converted(
        "tmuxinator",
        """\
name: e3
root: ~/
pre: echo once
pre_window: echo each
on_project_start: echo start
startup_window: logs
windows:
- editor:
    layout: main-vertical
    synchronize: after
    panes:
    - vim
    - titled: [echo a, echo b]
- stats: [echo s1, echo s2]
- logs:
""",
    )
    assert found.remarks == []
    assert found.data == {
        "session_name": "e3",
        "start_directory": "~/",
        "before_script": "sh -c 'echo start; echo once'",
        "shell_command_before": "echo each",
        "suppress_history": False,
        "windows": [
            {
                "window_name": "editor",
                "layout": "main-vertical",
                "synchronize": "after",
                "panes": [
                    {"shell_command": [{"cmd": "vim"}], "focus": True},
                    {"title": "titled", "shell_command": [{"cmd": "echo a"}, {"cmd": "echo b"}]},
                ],
            },
            {
                "window_name": "stats",
                "panes": [{"shell_command": [{"cmd": "echo s1"}, {"cmd": "echo s2"}], "focus": True}],
            },
            {"window_name": "logs", "panes": [{"shell_command": [], "focus": True}], "focus": True},
        ],
    }


def test_what_tmuxinator_has_and_we_have_not_is_remarked_with_its_line() -> None:
    found = converted(
        "tmuxinator",
        """\
name: my.app
socket_name: x
post: echo bye
on_project_restart: echo again
on_project_exit: echo off
on_project_stop: echo stop
attach: false
rbenv: 3.2
enable_pane_titles: true
mystery: 1
startup_window: 1
startup_pane: 1
windows:
- a: {panes: ["<%= @x %>", b], pre: [c, d], focused_pane: 1}
- b: {synchronize: before, wobble: 2, panes: [e, f]}
""",
    )
    assert remarked(found) == [
        (15, "windows[1].b.wobble"),
        (4, "on_project_restart"),
        (3, "post"),
        (7, "attach"),
        (2, "socket_name"),
        (10, "mystery"),
        (14, ""),
    ]
    assert found.data["session_name"] == "my_app"
    assert found.data["hooks"] == {"on_detach": ["echo off"], "on_close": ["echo stop"]}
    assert found.data["shell_command_before"] == "rbenv shell 3.2"
    assert found.data["options"]["pane-border-status"] == "top"
    first, second = found.data["windows"]
    assert (first["layout"], first["shell_command_before"]) == ("tiled", "c && d")
    assert [pane.get("focus") for pane in first["panes"]] == [None, True]
    assert (second["synchronize"], second["focus"]) == ("before", True)
    assert [pane.get("focus") for pane in second["panes"]] == [None, True]


def test_a_smug_file() -> None:
    found = converted(
        "smug",
        """\
session: blog
root: ~/blog
env: {FOO: bar}
before_start: [docker up, sleep 1]
stop: [docker down]
attach_hook: echo hi
sendkeys_timeout: 200
windows:
- name: code
  root: src
  selected: true
  commands: [vim]
  panes: [{type: horizontal, root: ., commands: [make]}]
- {name: log, manual: true, layout: tiled}
""",
    )
    assert remarked(found) == [(13, "windows[0].panes[0].type"), (14, "windows[1].manual")]
    assert found.data["before_script"] == "sh -c 'docker up && sleep 1'"
    assert found.data["hooks"] == {"on_attach": ["echo hi"], "on_close": ["docker down"]}
    code, log = found.data["windows"]
    assert (code["layout"], code["focus"], log["layout"]) == ("even-horizontal", True, "tiled")
    assert code["panes"][0] == {"shell_command": [{"cmd": "vim"}], "focus": True, "sleep_before": 0.2}
    assert code["panes"][1] == {"shell_command": [{"cmd": "make"}], "sleep_before": 0.2, "start_directory": "."}


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_teamocil_file(wrapped: bool) -> None:
    text = """\
name: t
windows:
- name: w
  root: ~/x
  layout: main-vertical
  focus: true
  options: {synchronize-panes: true}
  panes: [vim, {commands: [a, b], focus: true}, {cmd: [c, d], width: 50}]
"""
    if wrapped:
        text = "session:\n" + "".join(f"  {line}\n" for line in text.splitlines()).replace("panes:", "splits:")
    found = converted("teamocil", text)
    assert [path for _, path in remarked(found)] == ["windows[0].panes[2].width"]
    (window,) = found.data["windows"]
    assert window["panes"] == [
        {"shell_command": [{"cmd": "vim"}]},
        {"shell_command": [{"cmd": "a; b"}], "focus": True},
        {"shell_command": [{"cmd": "c; d"}]},
    ]


def test_a_tmuxp_file_keeps_what_it_says() -> None:
    text = "session_name: s\nplugins: [a.B]\nwindows: [{panes: ['echo $HOME', blank]}]\n"
    found = converted("tmuxp", text)
    assert remarked(found) == [(2, "plugins"), (3, "")]
    assert found.data == {"session_name": "s", "windows": [{"panes": ["echo $HOME", "blank"]}]}


@pytest.mark.parametrize("kind", sorted(IMPORTERS))
def test_what_is_no_mapping_is_refused(kind: str) -> None:
    with pytest.raises(WorkspaceConfigError, match="expected a mapping"):
        convert_file(kind, parse("[1]", "yaml"))
