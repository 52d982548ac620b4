"""The situations that break workspace managers, each with its small file and the right outcome."""

from __future__ import annotations

import os
import re
import shutil
import signal
import threading
import time
from pathlib import Path

import pytest

from muxwright import AlreadyExists, OwnedServer, Session
from muxwright.workspace import WorkspaceApplyError, WorkspaceConfigError, apply, freeze, parse, validate
from tests.support.judge import Judge
from tests.support.waiting import wait_until
from tests.support.workspaces import attached, load, panes_of, planned, shell_server, shows

pytestmark = pytest.mark.live

SLOW_RC = "echo 'from the start-up file'\nsleep 0.6\n"
SHELLS = [
    pytest.param(path, id=os.path.basename(path))
    for path in (shutil.which(name) for name in ("dash", "bash", "zsh", "fish", "ksh", "mksh"))
    if path is not None
]


@pytest.mark.parametrize("shell", SHELLS)
def test_workspace_case_01_each_command_is_shown_once_after_a_prompt(
    shell: str, tmux_executable: str, tmp_path: Path
) -> None:
    text = "session_name: c01\nwindows: [{window_name: w, panes: [[echo o''ne, echo t''wo]]}]\n"
    with shell_server(tmux_executable, tmp_path, shell, SLOW_RC) as server:
        result = load(server, text, tmp_path)
        assert result.warnings == []
        rows = shows(server.get_session("c01").active_pane(), "one", "two")
        screen = "\n".join(rows)
        assert screen.count("echo o''ne") == screen.count("echo t''wo") == 1, screen
        for command in ("echo o''ne", "echo t''wo"):
            (row,) = [row for row in rows if command in row]
            assert not row.startswith("echo"), "the command stands before a prompt"
        # What the start-up file has printed can still be read.
        history = server.get_session("c01").active_pane().capture(start="history").text
        assert "from the start-up file" in history


def test_workspace_case_01_a_pane_that_does_not_get_ready_is_named(tmux_executable: str, tmp_path: Path) -> None:
    text = """\
session_name: c01
readiness: {timeout: 0.2, on_timeout: skip}
windows: [{window_name: w, panes: [echo never, blank]}]
"""
    with shell_server(tmux_executable, tmp_path, "/bin/bash", "sleep 5\n") as server:
        result = load(server, text, tmp_path)
        (warning,) = result.warnings
        assert re.fullmatch(r"windows\[0\]\.panes\[0\] \(%\d+\): its shell did not get ready within 0.2 s", warning)
        assert [step.status for step in result.steps if step.action == "send_command"] == ["skipped"]
        failing = text.replace("skip", "fail").replace("c01", "other")
        with pytest.raises(WorkspaceApplyError, match="did not get ready"):
            load(server, failing, tmp_path)
        assert server.find_session("other") is None


def test_workspace_case_02_a_long_command_arrives_whole(tmux_executable: str, tmp_path: Path) -> None:
    text = f"session_name: c02\nwindows: [{{panes: ['echo {'y' * 6000} | wc -c']}}]\n"
    with shell_server(tmux_executable, tmp_path, "/bin/bash", SLOW_RC) as server:
        load(server, text, tmp_path)
        shows(server.get_session("c02").active_pane(), "6001")


def test_workspace_case_04_shells_start_side_by_side(tmux_executable: str, tmp_path: Path) -> None:
    windows = "".join(
        f"- {{window_name: {name}, layout: tiled, panes: [echo 1, echo 2, echo 3, echo 4]}}\n" for name in "abc"
    )
    with shell_server(tmux_executable, tmp_path, "/bin/bash", "sleep 1\n") as server:
        started = time.monotonic()
        result = load(server, f"session_name: c04\nwindows:\n{windows}", tmp_path)
        # One after the other, the shells alone would sleep for twelve seconds.
        assert time.monotonic() - started < 12
        assert result.warnings == []
        for pane in server.get_session("c04").refresh().panes:
            (typed,) = [row for row in server.pane(pane).capture().trimmed if "echo" in row]
            assert not typed.startswith("echo")


def test_workspace_case_05_there_is_room_for_many_panes(server: OwnedServer, tmp_path: Path) -> None:
    text = """\
session_name: c05
windows:
- {window_name: ok, panes: [echo ok]}
- {window_name: six, panes: [echo 1, echo 2, echo 3, echo 4, echo 5, echo 6]}
- {window_name: main, layout: main-horizontal, options: {main-pane-height: 30}, panes: [pane, pane, pane]}
- {window_name: last, layout: tiled, panes: [pane, pane, pane, pane, pane, pane, pane, pane, pane, pane]}
"""
    result = load(server, text, tmp_path)
    counts = [(link.window.name, len(link.window.panes)) for link in server.get_session("c05").refresh().links]
    assert counts == [("ok", 1), ("six", 6), ("main", 3), ("last", 10)]
    assert len(result.warnings) == 1 and "6 panes are tiled" in result.warnings[0]
    with pytest.raises(WorkspaceConfigError, match="no room for 300 panes"):
        load(server, f"session_name: no\nwindows: [{{panes: [{'x,' * 300}]}}]\n", tmp_path)
    assert server.find_session("no") is None


SIZES = """\
session_name: c06
windows:
- {window_name: main, layout: main-vertical, options: {main-pane-width: 120}, panes: [pane, pane, pane]}
- {window_name: pct, layout: main-horizontal, options: {main-pane-height: '67%'}, panes: [pane, pane, pane]}
- {window_name: mine, layout: main-vertical, options: {main-pane-width: 120}, panes: [pane, pane]}
"""


def test_workspace_case_06_the_layout_is_right_when_a_terminal_attaches(server: OwnedServer, tmp_path: Path) -> None:
    load(server, SIZES, tmp_path)
    # Somebody changes a layout before anybody attaches: it stays.
    server.pane(panes_of(server, "c06", "mine")[0]).resize(width=30)
    with attached(server, "c06", 200, 50):
        wait_until(lambda: panes_of(server, "c06", "main")[0].width == 120, what="the main pane has 120 columns")
        server.command("select-window", "-t", "=c06:pct")
        height = 67 * 49 // 100
        wait_until(lambda: abs(panes_of(server, "c06", "pct")[0].height - height) <= 1, what="67 % of the rows")
        server.command("select-window", "-t", "=c06:mine")
        wait_until(lambda: panes_of(server, "c06", "mine")[0].window.width == 200, what="the window is as wide")
        assert panes_of(server, "c06", "mine")[0].width < 100
        # Later changes are nobody else's business.
        server.command("select-window", "-t", "=c06:main")
        server.pane(panes_of(server, "c06", "main")[0]).resize(width=50)
        assert panes_of(server, "c06", "main")[0].width == 50


def test_workspace_case_07_a_layout_with_too_few_cells_is_refused(server: OwnedServer, tmp_path: Path) -> None:
    text = "session_name: c07\nwindows:\n- layout: 'bb62,159x48,0,0{79x48,0,0,79x48,80,0}'\n  panes: [a, b, c]\n"
    with pytest.raises(WorkspaceConfigError, match=r"windows\[0\].layout: the layout has 2 cells but the window has 3"):
        load(server, text, tmp_path)
    assert not list(server.snapshot().sessions)
    load(server, text.replace("[a, b, c]", "[blank]"), tmp_path)


def test_workspace_case_08_a_misspelt_layout_never_reaches_tmux(
    server: OwnedServer, home: Session, tmp_path: Path
) -> None:
    text = "session_name: c08\nwindows: [{layout: main-vertcal, panes: [echo 1, echo 2]}]\n"
    with pytest.raises(WorkspaceConfigError, match="did you mean main-vertical"):
        load(server, text, tmp_path)
    assert [session.name for session in server.snapshot().sessions] == ["home"]


def test_workspace_case_09_a_failing_script_harms_nobody(server: OwnedServer, home: Session, tmp_path: Path) -> None:
    script = tmp_path / "fails"
    script.write_text("#!/bin/sh\necho first\necho the reason >&2\nexit 3\n")
    script.chmod(0o755)
    text = "session_name: c09\nbefore_script: ./fails\nwindows: [{window_name: bar, panes: [date]}]\n"
    for host in (None, home.ref):
        with pytest.raises(WorkspaceApplyError, match=r"(?s)exited with 3.*\| the reason") as caught:
            load(server, text, tmp_path, append_to=host)
        assert caught.value.result.status == "failed"
        assert [session.name for session in server.snapshot().sessions] == ["home"]
        assert len(home.windows()) == 1


def test_workspace_case_10_loading_again_is_refused(server: OwnedServer, tmp_path: Path) -> None:
    text = "session_name: c10\nwindows: [{window_name: editor, panes: [echo e]}]\n"
    load(server, text, tmp_path)
    with pytest.raises(AlreadyExists, match="a session 'c10' is there already"):
        load(server, text, tmp_path)
    assert len(server.snapshot().windows) == 1


def test_workspace_case_10_appending_leaves_the_host_as_it_is(
    server: OwnedServer, home: Session, tmp_path: Path
) -> None:
    text = "session_name: c10\noptions: {status: off}\nwindows: [{window_name: e, panes: [a, b]}, {window_name: s}]\n"
    before = server.list_options(home.ref, inherit=False)
    result = load(server, text, tmp_path, append_to=home.ref)
    assert (result.status, result.session) == ("complete", home.ref)
    links = home.refresh().links
    assert [(link.window.name, len(link.window.panes), link.active) for link in links][1:] == [
        ("e", 2, True),
        ("s", 1, False),
    ]
    assert len(server.snapshot().sessions) == 1
    assert server.list_options(home.ref, inherit=False) == before


def test_workspace_case_12_a_failed_load_leaves_nothing(server: OwnedServer, tmp_path: Path) -> None:
    text = """\
session_name: c12
windows:
- {window_name: a, panes: [echo a]}
- {window_name: c, options: {no-such-option: 1}, panes: [echo c]}
"""
    with pytest.raises(WorkspaceApplyError, match=r"no-such-option.*nothing of it is left") as caught:
        load(server, text, tmp_path)
    assert (caught.value.result.status, caught.value.effects) == ("failed", "none")
    failed = [step for step in caught.value.result.steps if step.status == "failed"]
    assert [(step.action, step.number) for step in failed] == [("set_option", 4)]
    assert server.find_session("c12") is None
    with pytest.raises(WorkspaceApplyError) as caught:
        load(server, text, tmp_path, rollback=False)
    assert caught.value.result.status == "partial"
    with pytest.raises(AlreadyExists, match="half built"):
        load(server, text, tmp_path)


def test_workspace_case_12_ctrl_c_leaves_nothing(server: OwnedServer, home: Session, tmp_path: Path) -> None:
    text = "session_name: c12\nwindows: [{panes: [{shell_command: echo b, sleep_before: 30}]}]\n"
    main = threading.main_thread().ident
    assert main is not None

    def interrupt() -> None:
        wait_until(lambda: server.find_session("c12") is not None, what="the session is there")
        signal.pthread_kill(main, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        load(server, text, tmp_path, timeout=40)
    thread.join()
    assert "nothing of it is left" in caught.value.__notes__[0]
    assert [session.name for session in server.snapshot().sessions] == ["home"]
    load(server, text.replace("30", "0"), tmp_path)


def test_workspace_case_13_a_program_that_ends_at_once_breaks_nothing(server: OwnedServer, tmp_path: Path) -> None:
    text = """\
session_name: c13
windows:
- {window_name: gone, window_shell: 'exit 3', panes: [pane]}
- {window_name: mixed, layout: tiled, panes: [echo 1, {shell: 'true'}, echo 3]}
"""
    result = load(server, text, tmp_path)
    links = server.get_session("c13").refresh().links
    assert [(link.window.name, len(link.window.panes)) for link in links] == [("gone", 1), ("mixed", 3)]
    assert len(result.dead) == 2
    assert [pane.dead for link in links for pane in link.window.panes] == [True, False, True, False]
    for link in links:
        assert server.get_option(link.window.ref, "remain-on-exit", inherit=False) is None


def test_workspace_case_14_a_script_with_a_child_in_the_background(server: OwnedServer, tmp_path: Path) -> None:
    text = "session_name: c14\nbefore_script: \"sh -c 'sleep 30 & echo $! >pid; echo started'\"\nwindows: [{}]\n"
    said: list[str] = []
    started = time.monotonic()
    load(server, text.replace("windows", f"start_directory: {tmp_path}\nwindows"), tmp_path, on_event=_lines(said))
    assert time.monotonic() - started < 30
    assert said == ["started"]
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)


def test_workspace_case_14_a_script_that_fills_one_stream(server: OwnedServer, tmp_path: Path) -> None:
    script = 'head -c 300000 /dev/zero | tr "\\\\0" x >&2; echo out'
    text = f"session_name: c14\nbefore_script: {_quoted(script)}\nwindows: [{{}}]\n"
    said: list[str] = []
    load(server, text, tmp_path, on_event=_lines(said))
    assert "out" in said


def test_workspace_case_14_a_script_has_a_limit_and_takes_its_children_with_it(
    server: OwnedServer, tmp_path: Path
) -> None:
    text = f"session_name: c14\nbefore_script: {_quoted('sleep 31 & echo $! >pid; sleep 31')}\n"
    text += f"start_directory: {tmp_path}\nbefore_script_timeout: 0.5\nwindows: [{{}}]\n"
    with pytest.raises(WorkspaceApplyError, match=r"took longer than 0\.5 s"):
        load(server, text, tmp_path)
    child = int((tmp_path / "pid").read_text())
    wait_until(lambda: not _runs(child), what="the child of the script is gone")


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


def _quoted(script: str) -> str:
    return '"sh -c ' + "'" + script.replace("\\", "\\\\").replace('"', '\\"') + "'" + '"'


def _lines(said: list[str]):  # type: ignore[no-untyped-def]  # a callback for on_event
    return lambda event: said.append(event.text) if event.kind == "output" else None


def test_workspace_case_16_directories(server: OwnedServer, tmp_path: Path) -> None:
    (tmp_path / "proj" / "api" / "src").mkdir(parents=True)
    text = """\
session_name: c16
start_directory: ./proj
windows:
- window_name: w
  start_directory: api
  layout: tiled
  panes: [blank, {start_directory: src}, {start_directory: ./src}, {start_directory: ../}]
- {window_name: dot, start_directory: ./}
"""
    load(server, text, tmp_path)
    found = [
        os.path.relpath(pane.current_path, os.path.realpath(tmp_path / "proj"))
        for pane in server.get_session("c16").refresh().panes
    ]
    assert found == ["api", "api/src", "api/src", ".", "."]
    with pytest.raises(WorkspaceApplyError, match="no-such is not there"):
        load(server, "session_name: c16b\nwindows: [{start_directory: no-such}]\n", tmp_path)


def test_workspace_case_18_environment(server: OwnedServer, tmp_path: Path) -> None:
    show = "env | grep -E '^(A|B|C|PORT|MODE|GONE)=' | sort"
    text = f"""\
session_name: c18
environment: {{A: s, B: s, C: s, PORT: 8080, MODE: .env, GONE: null}}
windows:
- window_name: w
  layout: tiled
  environment: {{B: w, C: w}}
  panes:
  - {{environment: {{C: p}}, shell_command: "{show}"}}
  - "{show}"
"""
    server.command("set-environment", "-g", "GONE", "no")
    load(server, text, tmp_path)
    first, second = panes_of(server, "c18", "w")
    assert shows(server.pane(first), "A=s", "B=w", "C=p", "PORT=8080", "MODE=.env")
    rows = shows(server.pane(second), "A=s", "B=w", "C=w", "PORT=8080", "MODE=.env")
    assert "GONE=no" not in rows


def test_workspace_case_19_commands_are_text(server: OwnedServer, tmp_path: Path) -> None:
    text = """\
session_name: c19
environment: {SERVER_PORT: '8009'}
windows:
- window_name: w
  layout: tiled
  panes:
  - echo port ${SERVER_PORT}
  - echo '$HOME' "$NOSUCH" end
"""
    load(server, text, tmp_path, env={"SERVER_PORT": "1111"})
    first, second = panes_of(server, "c19", "w")
    shows(server.pane(first), "port 8009")
    shows(server.pane(second), "$HOME  end")


def test_workspace_case_20_enter_and_sleep_belong_to_one_command(server: OwnedServer, tmp_path: Path) -> None:
    text = """\
session_name: c20
windows:
- window_name: w
  layout: tiled
  panes:
  - shell_command: [{cmd: 'echo first;', enter: false}, {cmd: echo second}]
  - shell_command: [echo a, {cmd: echo b, sleep_before: 0.4}, echo c, {cmd: echo d, sleep_after: 0.4}, echo e]
  - shell_command: [{cmd: echo f, sleep_before: 0.8}]
"""
    load(server, text, tmp_path)
    first, second, _ = panes_of(server, "c20", "w")
    shows(server.pane(first), "first", "second")
    shows(server.pane(second), "a", "b", "c", "d", "e")


def test_workspace_case_21_synchronised_in_the_end(server: OwnedServer, tmp_path: Path) -> None:
    text = """\
session_name: c21
windows:
- {window_name: w, options: {synchronize-panes: on}, panes: [echo o''ne, echo t''wo]}
- {window_name: after, synchronize: after, panes: [echo o''ne, echo t''wo]}
"""
    load(server, text, tmp_path)
    for name in ("w", "after"):
        first, second = panes_of(server, "c21", name)
        assert "two" not in shows(server.pane(first), "one")
        assert "one" not in shows(server.pane(second), "two")
        assert first.synchronized and second.synchronized


def test_workspace_case_23_freeze_and_load_give_the_same_session(
    server: OwnedServer, tmux_executable: str, tmp_path: Path
) -> None:
    (tmp_path / "dir with space").mkdir()
    text = """\
session_name: c23
start_directory: ./
options: {status-left: HEY}
environment: {FOO: bar}
windows:
- window_name: main
  layout: even-horizontal
  start_directory: './dir with space'
  panes: [pane, {start_directory: /tmp, shell_command: sleep 501, title: A title}]
- {window_name: seven, window_index: 7, focus: true, panes: [{focus: true, shell_command: less /etc/passwd}, pane]}
"""
    load(server, text, tmp_path)
    # A pane that no load has made: its program is on the list, with all arguments.
    pane = server.get_session("c23").new_window("by hand").active_pane()
    pane.send_text("tail -n 3 -f '/etc/passwd'")
    pane.send_keys("Enter")
    wait_until(lambda: pane.refresh().current_command == "tail", what="tail runs")
    frozen = freeze(server, server.get_session("c23").ref)
    assert [window["window_index"] for window in frozen.data["windows"]] == [0, 1, 7]
    assert frozen.data["windows"][1]["panes"][0]["shell_command"] == ["tail -n 3 -f /etc/passwd"]
    assert frozen.data["windows"][0]["panes"][1]["shell_command"] == ["sleep 501"]
    assert [(frozen.data["options"], frozen.data["environment"])] == [({"status-left": "HEY"}, {"FOO": "bar"})]
    with OwnedServer(tmux=tmux_executable) as other:
        result = load(other, _yaml(frozen.data), tmp_path)
        again = other.get_session("c23").active_window().panes()[0]
        wait_until(lambda: again.refresh().current_command == "less", what="less runs")
        assert freeze(other, result.session or pytest.fail("no session")).data == frozen.data


def _yaml(data: object) -> str:
    from muxwright.workspace import dump

    return dump(data)


def test_workspace_case_24_a_wrong_file_is_told_whole(server: OwnedServer, tmp_path: Path) -> None:
    text = """\
session_name: my.app
windws: []
windows:
- {window_name: 2024, layot: tiled, panes: [{cmd: echo lost}, {shell_commands: [echo typo]}]}
"""
    with pytest.raises(WorkspaceConfigError) as caught:
        load(server, text, tmp_path)
    assert [fault.path for fault in caught.value.faults] == ["session_name", "windows[0].panes[0].cmd"]
    validate(parse("session_name: 2024\nwindows: [{window_name: yes}, {window_name: 12:30}]", "yaml"))
    load(server, "session_name: 2024\nwindows: [{window_name: yes}, {window_name: 12:30}]\n", tmp_path)
    names = [link.window.name for link in server.get_session("2024").refresh().links]
    assert names == ["yes", "12:30"]


def test_workspace_case_25_indexes(server: OwnedServer, home: Session, tmp_path: Path) -> None:
    text = """\
session_name: c25
windows:
- {window_name: five, window_index: 5, panes: [pane, pane]}
- {window_name: next, panes: [pane]}
- {window_name: first, window_index: 1, panes: [pane]}
- {window_name: far, window_index: 99}
- {window_name: five, panes: [pane]}
"""
    for option, value in (("base-index", 1), ("renumber-windows", True)):
        server.set_option("global_session", option, value)
    server.set_option("global_window", "pane-base-index", 1)
    load(server, text, tmp_path)
    links = server.get_session("c25").refresh().links
    found = [(link.index, link.window.name, len(link.window.panes)) for link in links]
    assert found == [(1, "first", 1), (2, "next", 1), (3, "five", 1), (5, "five", 2), (99, "far", 1)]
    assert server.get_option(server.get_session("c25").ref, "renumber-windows", inherit=False) is None
    with pytest.raises(WorkspaceConfigError, match=r"taken by windows\[0\]"):
        planned("session_name: s\nwindows: [{window_index: 1}, {window_index: 1}]\n", tmp_path)


def test_workspace_case_e1_commands_are_literal(server: OwnedServer, tmp_path: Path) -> None:
    text = """\
session_name: e1
windows:
- window_name: w
  suppress_history: false
  layout: tiled
  panes:
  - [Up, C-c, End]
  - 'echo hi;'
  - 'find /dev/null -exec echo {} \\;'
  - shell_command: [{cmd: sleep 100, enter: true}, {keys: [C-c]}, echo alive]
"""
    load(server, text, tmp_path)
    words, semicolon, escaped, keys = (server.pane(pane) for pane in panes_of(server, "e1", "w"))
    wait_until(lambda: "End" in words.capture(), what="the words were typed")
    assert "C-c" in words.capture()
    shows(semicolon, "hi")
    shows(escaped, "/dev/null")
    shows(keys, "alive")


def test_workspace_case_e2_anchors_are_not_shared(server: OwnedServer, judge: Judge, tmp_path: Path) -> None:
    text = """\
session_name: e2
windows:
- &w
  window_name: w
  shell_command_before: [echo be''fore]
  panes: [echo bo''dy]
- *w
"""
    apply(server, planned(text, tmp_path))
    for pane in server.get_session("e2").refresh().panes:
        rows = shows(server.pane(pane), "before", "body")
        assert (rows.count("before"), rows.count("body")) == (1, 1)
    assert judge.lines("list-windows", "-t", "=e2", "-F", "#{window_name}") == ["w", "w"]
