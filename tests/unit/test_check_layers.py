"""The checker finds what is planted, and only that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import check_layers


def findings(root: Path, files: dict[str, str]) -> list[str]:
    (root / "tools").mkdir()
    for name, text in {"__init__.py": "from muxwright._async import x\n", **files}.items():
        path = root / "src" / "muxwright" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [str(finding) for finding in check_layers.check(root)]


@pytest.fixture(autouse=True)
def no_exceptions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exceptions of this repository are none of the made-up packages."""
    monkeypatch.setattr(check_layers, "LONG_FILES", {})


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("wire/parser.py", "from muxwright.errors import MuxwrightError"),
        ("wire/parser.py", "from ..errors import MuxwrightError"),
        ("wire/parser.py", "from .codec import encode\nfrom muxwright.wire import codec"),
        ("commands/panes.py", "import dataclasses\nfrom muxwright import refs, wire"),
        ("model/infos.py", "from pathlib import PurePath\nimport datetime\ndatetime.datetime.fromtimestamp(0)"),
        ("transports/control.py", "import os, asyncio\nfrom muxwright.operations import panes\nopen('x')"),
        ("_async/server.py", "from muxwright import transports, model, commands"),
        ("cli/main.py", "import click\nfrom muxwright import Server\nprint(1)"),
        ("mcp/server.py", "import re2\nfrom muxwright import AsyncServer"),
        ("errors.py", "class Late(Exception):\n    def open(self): ..."),
    ],
)
def test_accepts(tmp_path: Path, file: str, code: str) -> None:
    assert findings(tmp_path, {file: code}) == []


@pytest.mark.parametrize(
    ("file", "code", "message"),
    [
        ("wire/parser.py", "from muxwright.transports import control", "wire imports transports, which stands above"),
        ("wire/parser.py", "from ..commands.panes import x", "wire imports commands, which stands above"),
        ("wire/parser.py", "from muxwright import refs", "wire imports refs, which stands beside"),
        ("wire/__init__.py", "from .. import screen", "wire imports screen, which stands beside"),
        ("model/infos.py", "import muxwright.commands.panes", "model imports commands, which stands beside"),
        ("_async/a.py", "from muxwright._sync import b", "_async imports _sync, which stands beside"),
        ("operations/run.py", "from muxwright import PaneRef", "operations imports the package root"),
        ("operations/run.py", "from muxwright.transports import x", "operations imports transports"),
        ("errors.py", "def f():\n    from .refs import PaneRef", "errors imports refs, which stands above"),
        ("refs.py", "if TYPE_CHECKING:\n    from .model import x", "refs imports model, which stands above"),
        ("refs.py", "import rich", "the library needs nothing but the standard library"),
        ("transports/x.py", "import anyio", "the library needs nothing but the standard library"),
        ("wire/parser.py", "from muxwright.helpers import x", "helpers, which stands in no layer"),
        ("helpers.py", "", "helpers stands in no layer"),
        ("wire/parser.py", "import os.path", "a pure layer imports os.path"),
        ("screen/svg.py", "from pathlib import Path", "a pure layer imports pathlib.Path"),
        ("operations/run.py", "from time import monotonic", "a pure layer imports time.monotonic"),
        ("operations/run.py", "def f():\n    import threading", "a pure layer imports threading"),
        ("commands/x.py", "def f():\n    return open('x')", "a pure layer calls open()"),
        ("refs.py", "print('x')", "a pure layer calls print()"),
        ("model/infos.py", "import datetime\ndatetime.datetime.now()", "reads the clock"),
        ("_async/a.py", "x = 1\n" * 501, "501 lines"),
        ("_async/a.py", "class A:\n    def f(self):\n" + "        x = 1\n" * 50, "A.f has 51 lines"),
    ],
)
def test_finds(tmp_path: Path, file: str, code: str, message: str) -> None:
    found = findings(tmp_path, {file: code})
    assert len(found) == 1
    assert message in found[0]


def test_notes_do_not_fail_and_docstrings_do_not_count(tmp_path: Path) -> None:
    documented = 'def f():\n    """' + "text\n" * 60 + '"""\n' + "    x = 1\n" * 49
    found = findings(tmp_path, {"_async/a.py": "x = 1\n" * 401, "_async/b.py": documented})
    assert found == ["src/muxwright/_async/a.py:1: note: 401 lines (a layer may be missing)"]


def test_generated_files_may_be_long(tmp_path: Path) -> None:
    assert findings(tmp_path, {"_sync/a.py": "x = 1\n" * 900}) == []


def test_an_exception_that_is_not_needed_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(check_layers.LONG_FILES, "src/muxwright/wire/keys.py", "a table")
    found = findings(tmp_path, {"wire/keys.py": "x = 1\n"})
    assert found == ["tools/check_layers.py:1: the exception for src/muxwright/wire/keys.py is no longer needed"]


def test_a_table_may_be_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(check_layers.LONG_FILES, "src/muxwright/wire/keys.py", "a table")
    assert findings(tmp_path, {"wire/keys.py": "x = 1\n" * 900}) == []
