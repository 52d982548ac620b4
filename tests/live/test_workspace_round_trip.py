"""load(freeze(s)) is s, and freeze(load(f)) is f: over workspaces made at random, compared from outside."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from muxwright import OwnedServer
from muxwright.workspace import apply, dump, expand, freeze, parse, plan, validate
from tests.support.judge import Judge

pytestmark = pytest.mark.live

LAYOUTS = ["tiled", "even-horizontal", "even-vertical", "main-vertical", "main-horizontal", None]
NAMES = ["editor", "a b", "ünïcode", "2024", "yes", "12:30", "#{x}", "tab's", "=x", "%1", "-d", "true"]
TITLES = ["a title", "#[bold]", "x;y", "ß", "$X"]
COMMANDS: list[Any] = [
    ["true"],
    ["true", "echo '$X;'", "echo '$${{X}}'"],
    [{"cmd": "echo no", "enter": False}],
    [{"cmd": "blank"}],
]
OPTIONS: dict[str, list[Any]] = {
    "status": [True, False], "status-left": ["#S ;", "$X", "'q'"], "history-limit": [500],
    "status-format": [["a", "b"]], "@mine": ["", "a\\b", "line"],
}  # fmt: skip
WINDOW_OPTIONS: dict[str, list[Any]] = {
    "mode-keys": ["vi"], "main-pane-width": [30], "pane-border-status": ["top"], "@w": ["#{pane_id}"],
    "synchronize-panes": [True], "remain-on-exit": [True],
}  # fmt: skip


def some(chance: random.Random, options: dict[str, list[Any]], share: float = 0.4) -> dict[str, Any]:
    return {name: chance.choice(values) for name, values in options.items() if chance.random() < share}


def a_pane(chance: random.Random, directories: list[Path]) -> Any:
    pane: dict[str, Any] = {"start_directory": str(chance.choice(directories))}
    if chance.random() < 0.3:
        pane["title"] = chance.choice(TITLES)
    if chance.random() < 0.2:
        pane["shell"] = chance.choice(["sleep 1000", "exec sleep 1000", "cat; echo 'x y'"])
    elif chance.random() < 0.3:
        pane["shell_command"] = chance.choice(COMMANDS)
    if chance.random() < 0.1:
        pane["options"] = {"@p": "x"}
    return pane


def a_workspace(chance: random.Random, directories: list[Path]) -> dict[str, Any]:
    windows = []
    indexes = chance.sample(range(12), 4)
    for index in indexes[: chance.randint(1, 4)]:
        panes = [a_pane(chance, directories) for _ in range(chance.randint(1, 5))]
        focused = chance.randrange(len(panes))
        panes[focused]["focus"] = True
        if len(panes) > 1 and chance.random() < 0.2:
            panes[focused]["zoom"] = True
        window: dict[str, Any] = {"panes": panes, "options": some(chance, WINDOW_OPTIONS, 0.2)}
        if chance.random() < 0.9:
            window["window_name"] = chance.choice(NAMES)
        if (layout := chance.choice(LAYOUTS)) is not None:
            window["layout"] = layout
        if chance.random() < 0.5:
            window["window_index"] = index
        windows.append(window)
    chance.choice(windows)["focus"] = True
    return {
        "session_name": chance.choice(["s", "a b", "=x", "$1", "ü"]),
        "start_directory": str(chance.choice(directories)),
        "environment": some(chance, {"A": ["1", "x y"], "B": ["#{x}"], "C": [None]}),
        "options": some(chance, OPTIONS),
        "windows": windows,
    }


def tree(judge: Judge) -> list[str]:
    """What tmux says of everything that a file can ask for; the names of shells that name a window are not."""
    of_panes = (
        "#{window_index} #{pane_index} #{pane_left},#{pane_top} #{pane_width}x#{pane_height} #{pane_active}"
        " #{window_active} #{window_zoomed_flag} #{pane_current_path} #{pane_title}"
        " #{?automatic-rename,-,#{window_name}} #{synchronize-panes} #{mode-keys} #{main-pane-width} #{@w} #{@p}"
    )
    return judge.lines("list-panes", "-s", "-F", of_panes)


def round_trip(chance: random.Random, server: OwnedServer, judge: Judge, directories: list[Path]) -> None:
    data = a_workspace(chance, directories)
    first = apply(server, plan(expand(validate(data, strict=True)), (120, 40)))
    assert first.session is not None
    frozen = freeze(server, first.session).data
    seen = tree(judge)
    server.session(first.session).kill()
    # By way of the text of a file, so that reader and writer are in it.
    again = validate(parse(dump(frozen), "yaml"), strict=True)
    # What looks like a reference is text, also where there is such a variable.
    second = apply(server, plan(expand(again, {"HOME": "/", "X": "other"}, "/")))
    assert second.session is not None
    assert tree(judge) == seen, dump(data)
    assert freeze(server, second.session).data == frozen, dump(data)
    server.session(second.session).kill()


@pytest.fixture
def directories(tmp_path: Path) -> list[Path]:
    found = [tmp_path / name for name in ("plain", "with space", "q'uote#{x}$X", "ünï")]
    for path in found:
        path.mkdir()
    return found


@pytest.fixture
def kept(server: OwnedServer) -> OwnedServer:
    """The server goes on when the last session ends."""
    server.new_session("keeper", command=["sleep", "1000"])
    server.set_option("server", "exit-empty", False)
    server.get_session("keeper").kill()
    return server


def test_round_trips(kept: OwnedServer, judge: Judge, directories: list[Path], seed: int) -> None:
    for number in range(4):
        round_trip(random.Random(f"{seed} {number}"), kept, judge, directories)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_many_round_trips(kept: OwnedServer, judge: Judge, directories: list[Path], seed: int) -> None:
    for number in range(100):
        round_trip(random.Random(f"{seed} {number}"), kept, judge, directories)
