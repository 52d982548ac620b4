"""The audit log: what it says, what it keeps to itself, how large it gets."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from muxwright.mcp.application import Application
from muxwright.mcp.audit import Audit, redacted
from tests.mcp.support import ALL, Tools


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Where the log will be."""
    return tmp_path / "audit.jsonl"


@pytest.fixture
def logged(log: Path, tmux_executable: str) -> Iterator[Tools]:
    """All tools, with a log."""
    tools = Tools(Application(selection=ALL, tmux=tmux_executable, audit=Audit(str(log))))
    yield tools
    tools.close()


def entries(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.live
def test_each_call_is_a_line(logged: Tools, log: Path) -> None:
    assert not log.exists()
    target = logged.shell("cat")
    logged.call("send_keys", target=target, keys=["s3cret-pin-1234"], literal=True)
    logged.call("send_keys", target=target, keys=["s3cret-pin-1234"], literal=True)
    logged.fails("not_found", "kill_pane", target={**target, "paneId": "%99"})
    logged.fails("invalid_arguments", "list_panes", limit=0)
    made, first, second, killed, listed = entries(log)
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert (made["tool"], made["outcome"], made["effects"]) == ("create_session", "ok", "possible")
    assert first["arguments"]["target"] == target and first["arguments"]["keys"]["len"] == len('["s3cret-pin-1234"]')
    assert first["arguments"]["keys"] == second["arguments"]["keys"]
    assert (killed["outcome"], killed["effects"]) == ("not_found", "none") and killed["durationMs"] >= 0
    assert listed["outcome"] == "invalid_arguments" and listed["arguments"] == {"limit": 0}
    assert "s3cret" not in log.read_text()


@pytest.mark.live
def test_without_a_log_there_is_no_call(tmp_path: Path, tmux_executable: str) -> None:
    tools = Tools(Application(selection=ALL, tmux=tmux_executable, audit=Audit(str(tmp_path / "none" / "log"))))
    assert tools.fails("audit_failed", "list_panes")["effects"] == "none"
    tools.close()


def test_secrets_become_keyed_digests() -> None:
    arguments = {
        "pane_id": "%0",
        "environment": {"DATABASE_URL": "postgres://x", "EMPTY": ""},
        "shell": "pw=1234",
        "operations": [{"tool": "paste_text", "arguments": {"text": "hidden"}}, 7],
        "title": "x" * 500,
        "kill": True,
    }
    first, again, other = redacted(arguments, b"key"), redacted(arguments, b"key"), redacted(arguments, b"other")
    assert first == again != other
    assert set(first["environment"]) == {"DATABASE_URL", "EMPTY"}
    assert first["environment"]["DATABASE_URL"]["len"] == 12
    assert first["pane_id"] == "%0" and first["kill"] is True and len(first["title"]) == 200
    assert first["operations"][0]["arguments"]["text"]["len"] == 6
    text = json.dumps(first)
    assert not any(word in text for word in ("postgres", "1234", "hidden"))
    assert redacted({"environment": '{"A": "b"}'}, b"key")["environment"]["len"] == 10


def test_the_log_turns(log: Path) -> None:
    audit = Audit(str(log), max_bytes=400)
    for number in range(20):
        audit.record("list_panes", {"limit": number}, outcome="ok", effects="none", seconds=0.001)
    audit.close()
    files = sorted(path.name for path in log.parent.iterdir())
    assert files == ["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2", "audit.jsonl.3"]
    assert all(
        path.stat().st_size <= 400 and stat.S_IMODE(path.stat().st_mode) == 0o600 for path in log.parent.iterdir()
    )
    assert entries(log)[-1]["arguments"] == {"limit": 19}


def test_a_link_is_not_followed(log: Path, tmp_path: Path) -> None:
    log.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Exception, match="audit log"):
        Audit(str(log)).open()
