"""What a load does beyond the cases: hooks, waits, options of every scope, async, servers with odd settings."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from muxwright import AsyncServer, OwnedServer, Session
from muxwright.workspace import WorkspaceApplyError, apply_async, freeze_async
from tests.support.judge import Judge
from tests.support.waiting import wait_until
from tests.support.workspaces import attached, load, panes_of, planned, shows

pytestmark = pytest.mark.live


def test_hooks_run_at_their_moments(server: OwnedServer, home: Session, tmp_path: Path) -> None:
    log = tmp_path / "log"
    text = f"""\
session_name: hooked
hooks:
  before_create: echo before >>'{log}'
  after_create: [echo after >>'{log}', 'echo "it''s #1" >>{log}']
  on_attach: echo attach >>'{log}'
  on_detach: echo detach >>'{log}'
  on_close: echo close >>'{log}'
windows: [{{}}]
"""
    result = load(server, text, tmp_path)
    assert (result.status, result.warnings) == ("complete", [])
    assert log.read_text().splitlines() == ["before", "after", "it's #1"]
    hooks = server.command("show-hooks", "-g")
    assert b"session-closed[" in hooks
    with attached(server, "hooked", 100, 30):
        wait_until(lambda: "attach" in log.read_text(), what="on_attach has run")
    wait_until(lambda: "detach" in log.read_text(), what="on_detach has run")
    # Another session's end is nobody's business.
    server.new_session("other", command=["sleep", "1000"]).kill()
    server.get_session("hooked").kill()
    wait_until(lambda: "close" in log.read_text(), what="on_close has run")
    assert log.read_text().splitlines()[3:] == ["attach", "detach", "close"]
    wait_until(
        lambda: b"echo close" not in server.command("show-hooks", "-g"), what="the hook is gone with its session"
    )


def test_a_failing_hook_before_ends_the_load_and_one_after_is_a_warning(server: OwnedServer, tmp_path: Path) -> None:
    text = "session_name: h\nhooks: {KIND: 'exit 3'}\nwindows: [{}]\n"
    with pytest.raises(Exception, match="exited with 3"):
        load(server, text.replace("KIND", "before_create"), tmp_path)
    assert not server.snapshot().sessions
    result = load(server, text.replace("KIND", "after_create"), tmp_path)
    assert result.status == "complete"
    assert "exited with 3" in result.warnings[0]


def test_the_next_command_waits_for_a_text(server: OwnedServer, tmp_path: Path) -> None:
    text = """\
session_name: w
windows:
- panes: [[{cmd: sleep 0.5; echo rea''dy, wait_for: ready}, "echo ne''xt"]]
"""
    load(server, text, tmp_path)
    rows = shows(server.get_session("w").active_pane(), "ready", "next")
    assert rows.index("ready") < next(n for n, row in enumerate(rows) if "ne''xt" in row)


def test_options_of_every_scope_titles_and_zoom(server: OwnedServer, judge: Judge, tmp_path: Path) -> None:
    text = """\
session_name: o
options: {status: off, mode-keys: vi, status-format: [a, b]}
global_options: {escape-time: 7, display-time: 77}
windows:
- window_name: w
  options: {main-pane-width: 30}
  options_after: {aggressive-resize: on}
  layout: main-vertical
  panes: [{title: 'a #{title}', options: {'@p': x}}, {focus: true, zoom: true}]
"""
    load(server, text, tmp_path)
    assert judge("show-options", "-t", "=o:", "-v", "status") == "off"
    assert judge("show-options", "-t", "=o:", "status-format") == "status-format[0] a\nstatus-format[1] b"
    assert (judge("show-options", "-sv", "escape-time"), judge("show-options", "-gv", "display-time")) == ("7", "77")
    shown = judge.lines(
        "list-panes", "-s", "-t", "=o", "-F",
        "#{pane_title} #{@p} #{pane_active} #{window_zoomed_flag} #{mode-keys} #{main-pane-width} #{aggressive-resize}",
    )  # fmt: skip
    assert shown[0] == "a #{title} x 0 1 vi 30 1"
    assert shown[1].endswith(" 1 1 vi 30 1")


def test_a_server_that_ends_what_nobody_watches(server: OwnedServer, home: Session, tmp_path: Path) -> None:
    server.set_option(home.ref, "destroy-unattached", False)
    server.set_option("global_session", "destroy-unattached", True)
    text = "session_name: u\noptions: {destroy-unattached: off}\nwindows: [{panes: [echo o''ne, blank]}]\n"
    load(server, text, tmp_path)
    shows(server.pane(server.get_session("u").refresh().panes[0]), "one")


def test_async(server: OwnedServer, home: Session, tmp_path: Path) -> None:
    plan = planned("session_name: a\nwindows: [{window_name: w, panes: [echo o''ne, blank]}]\n", tmp_path)
    slow = planned("session_name: s\nwindows: [{panes: [{shell_command: x, sleep_before: 30}]}]\n", tmp_path)

    async def main() -> dict[str, object]:
        there = AsyncServer(socket_path=server.socket_path, tmux=server.attach_command[0])
        result = await apply_async(there, plan)
        assert result.session is not None
        with pytest.raises(WorkspaceApplyError, match="nothing of it is left"):
            await apply_async(there, slow, timeout=1.0)
        task = asyncio.create_task(apply_async(there, slow, timeout=40))
        while await there.find_session("s") is None:
            await asyncio.sleep(0.005)  # why: polls until the other task has made the session
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        data: dict[str, object] = (await freeze_async(there, result.session)).data
        return data

    assert asyncio.run(main())["session_name"] == "a"
    shows(server.pane(panes_of(server, "a", "w")[0]), "one")
    assert sorted(session.name for session in server.snapshot().sessions) == ["a", "home"]
