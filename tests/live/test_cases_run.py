"""The situation of tests/cases/core.toml about the end of a command."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from muxwright import Connection, Server, Session
from tests.support.shells import open_shell

pytestmark = pytest.mark.live


def test_case_08_the_end_of_a_command_and_not_its_echo(
    host: Server | Connection, home: Session, tmp_path: Path
) -> None:
    pane = open_shell(host, home, "bash", tmp_path)
    began = time.monotonic()
    result = pane.run("sleep 1; echo DONE_MARK; exit 3", timeout=20)
    assert time.monotonic() - began >= 1, "the echo of the line came at once"
    assert (result.outcome, result.exit_status, result.output) == ("completed", 3, "DONE_MARK\n")
    # A wait by text takes the command's own output as well, and not what was typed.
    pane.send_text("sleep 1; echo DONE_MARK")
    began = time.monotonic()
    pane.send_keys("Enter")
    assert pane.wait_for_text("DONE_MARK", baseline=False, timeout=20)
    assert time.monotonic() - began >= 0.9
