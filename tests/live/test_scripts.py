"""The scripts of the fake server say what tmux says now."""

from __future__ import annotations

import pytest

from muxwright.transports.fake import Script
from tests.scenarios import DATA, SCENARIOS, normal
from tools.record_scripts import record


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_script_is_what_this_tmux_answers(name: str, tmux_executable: str) -> None:
    script = record(tmux_executable, name)
    path = DATA / str(script.version) / f"{name}.json"
    if not path.exists():
        pytest.skip(f"no scripts of tmux {script.version}")
    assert normal(script) == normal(Script.from_json(path.read_text(encoding="ascii")))
