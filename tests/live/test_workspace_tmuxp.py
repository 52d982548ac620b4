"""Example files make what tmuxp makes of them; its trees are recorded by tools/record_tmuxp.py."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from muxwright import OwnedServer
from muxwright.workspace import apply, expand, plan, read, validate
from tests.support.judge import Judge
from tests.support.trees import FILES, SIZE, TREES, WORD, prepare, tree_of
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

NAMES = sorted(path.name for path in FILES.iterdir() if path.is_file())
OF_OURS = {"environment.yaml": "pane 0.1 OF_WINDOW=w"}
"""The lines that only our trees have, as the guide for those who come from tmuxp says: environments are merged."""


@pytest.fixture(scope="module")
def recorded(tmux_executable: str) -> dict[str, list[str]]:
    said = subprocess.run([tmux_executable, "-V"], capture_output=True, text=True, check=True).stdout
    path = TREES / f"{said.split()[1]}.json"
    if not path.exists():
        pytest.skip(f"there are no trees of {said.strip()}")
    trees: dict[str, list[str]] = json.loads(path.read_text("utf-8"))["trees"]
    return trees


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("files").resolve()
    prepare(directory)
    return directory


@pytest.fixture(scope="module")
def one_server(tmux_executable: str, place: Path) -> Iterator[OwnedServer]:
    environment = {"PATH": os.environ["PATH"], "HOME": str(place), "SHELL": "/bin/sh", "ENV": "/dev/null"}
    environment |= {"LC_ALL": "C.UTF-8", "PLACE": str(place / "place"), "WORD": WORD}
    with OwnedServer(tmux=tmux_executable, environment=environment) as server:
        server.new_session("keeper", command=["sleep", "1000"])
        yield server


@pytest.mark.parametrize("name", NAMES)
def test_the_tree_is_that_of_tmuxp(
    name: str,
    recorded: dict[str, list[str]],
    place: Path,
    one_server: OwnedServer,
    tmux_executable: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(place)
    environment = {"PLACE": str(place / "place"), "WORD": WORD}
    workspace = expand(validate(read(str(place / name)), strict=True), environment, str(place))
    result = apply(one_server, plan(workspace, SIZE))
    assert result.session is not None
    judge = Judge(one_server.socket_path, tmux_executable)
    seen: list[str] = []

    def equal() -> bool:
        seen[:] = tree_of(judge, workspace.session_name, place)
        if name in OF_OURS:
            assert seen.count(OF_OURS[name]) == 1
            seen.remove(OF_OURS[name])
        return seen == recorded[name]

    try:
        with contextlib.suppress(AssertionError):  # the comparison below shows more
            wait_until(equal, 10.0)
        assert seen == recorded[name]
    finally:
        for option in ("repeat-time", "status-left"):
            judge("set-option", "-g", "-u", option)
        one_server.session(result.session).kill()
