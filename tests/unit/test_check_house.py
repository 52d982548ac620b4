"""The checker finds what is planted, and only that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import check_house

IGNORE = "x = 1  # type: " + "ignore[assignment]"  # in two parts: this file is checked as well


def findings(root: Path, name: str, text: str) -> list[str]:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return check_house.check(path, root)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("docs/a.md", f"see https://{check_house.HOSTS[0]}/x", "names "),
        ("a.toml", f'index = "http://{check_house.HOSTS[2]}.org"', "names "),
        ("src/a.py", f'HERE = "{check_house.PATHS[0]}main"', "names "),
        ("docs/a.md", f"`{check_house.PATHS[1]}x`", "names "),
        ("src/a.py", "run(['tmux', 'kill-server'])", "without -S or -L"),
        ("src/a.py", "argv = ('tmux', '-u', 'list-panes')", "without -S or -L"),
        ("tests/a.py", "run([tmux_executable, 'list-panes'])", "without -S or -L"),
        ("tests/a.py", "import time\ntime.sleep(1)", "sleep"),
        ("tests/a.py", "import asyncio\nasync def f():\n    await asyncio.sleep(0.1)", "sleep"),
        ("src/a.py", IGNORE, "without a reason"),
    ],
)
def test_finds(tmp_path: Path, name: str, text: str, message: str) -> None:
    found = findings(tmp_path, name, text)
    assert len(found) == 1
    assert message in found[0]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("docs/a.md", f"~{check_house.PATHS[0]}x and a{check_house.PATHS[0]}b"),
        ("src/a.py", "run(['tmux', '-u', '-S', path, 'list-panes'])"),
        ("src/a.py", "run(['tmux', f'-L{name}', 'list-panes'])"),
        ("src/a.py", "run(['tmux', *selector, 'list-panes'])"),
        ("src/a.py", "run(['tmux', '-V'])"),
        ("src/a.py", "tmux, other = pair"),
        ("src/a.py", "import time\ntime.sleep(1)"),
        ("tests/a.py", "import time\n# why: the clock itself is the subject\ntime.sleep(1)"),
        ("tests/a.py", "import asyncio\nasync def f():\n    await asyncio.sleep(0)"),
        ("src/a.py", IGNORE + "  # the stub is wrong"),
        ("src/a.py", "run(['tmux', 'kill-server'])  # house: data, never run"),
    ],
)
def test_accepts(tmp_path: Path, name: str, text: str) -> None:
    assert findings(tmp_path, name, text) == []


def test_a_binary_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\xff\xfe")
    assert check_house.check(tmp_path / "a.png", tmp_path) == []
