"""Finding files: names, paths and directories, and what stands where."""

from __future__ import annotations

from pathlib import Path

import pytest

from muxwright.workspace import find_file, list_files
from muxwright.workspace.files import WorkspaceFileNotFound

TEXT = "session_name: s\nwindows: [{}]\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in (
        ".config/muxwright/both.yaml", ".config/tmuxp/both.yaml", ".config/tmuxp/my.proj.yml", ".config/tmuxp/up.YAML",
        ".config/tmuxp/note.txt", ".tmuxp/old.json", "extra/given.yaml", "code/.tmuxp.yaml", "code/sub/.muxwright.yaml",
        "code/plain.yaml",
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(TEXT)
    return tmp_path


def environment(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "TMUXP_CONFIGDIR": str(home / "extra")}


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("both", ".config/muxwright/both.yaml"),
        ("my.proj", ".config/tmuxp/my.proj.yml"),
        ("my.proj.yml", ".config/tmuxp/my.proj.yml"),
        ("old", ".tmuxp/old.json"),
        ("given", "extra/given.yaml"),
        (".", "code/.tmuxp.yaml"),
        ("sub", "code/sub/.muxwright.yaml"),
        ("./sub", "code/sub/.muxwright.yaml"),
        ("plain.yaml", "code/plain.yaml"),
        ("../extra/given.yaml", "extra/given.yaml"),
    ],
)
def test_what_a_name_stands_for(name: str, path: str, home: Path) -> None:
    assert find_file(name, environment(home), str(home / "code")).path == str(home / path)


def test_what_is_not_there(home: Path) -> None:
    with pytest.raises(WorkspaceFileNotFound, match="did you mean both"):
        find_file("bot", environment(home), str(home))
    with pytest.raises(WorkspaceFileNotFound, match="holds none of"):
        find_file("..", environment(home), str(home / "code"))
    with pytest.raises(WorkspaceFileNotFound):
        find_file("note.txt", environment(home), str(home))


def test_the_list_goes_up_to_the_home_directory(home: Path) -> None:
    found = list_files(environment(home), str(home / "code" / "sub"))
    assert [(file.name, file.source) for file in found] == [
        ("sub", "local"),
        ("code", "local"),
        ("both", "global"),
        ("given", "global"),
        ("my.proj", "global"),
        ("up", "global"),
        ("old", "global"),
    ]
