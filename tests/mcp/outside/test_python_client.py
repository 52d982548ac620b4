"""The official Python client, in every mode that it has."""

from __future__ import annotations

import anyio
import pytest

from tests.mcp.outside.python_client import MODES, drive
from tests.mcp.raw import COMMAND


@pytest.mark.live
@pytest.mark.parametrize("mode", MODES)
def test_the_official_client(mode: str, tmux_executable: str) -> None:
    results = anyio.run(drive, mode, COMMAND, "--tmux", tmux_executable)
    assert len(results) == 11
    assert {step: wrong for step, wrong in results.items() if wrong} == {}
