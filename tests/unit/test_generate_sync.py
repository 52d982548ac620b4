"""tools/generate_sync.py: what becomes sync, what is left alone, what is refused."""

import ast
import io
import tokenize
from pathlib import Path

import pytest

from tools import generate_sync
from tools.generate_sync import ConversionError, canonical, convert, main

SAMPLE = '''"""Handles of a server.

```python
import asyncio

from muxwright import AsyncServer


async def main() -> None:
    async with AsyncServer() as server:
        panes = (await server.snapshot()).panes
        async for pane in server.watch():
            print(await pane.capture())


asyncio.run(main())
```
"""

# sync-only:begin
#: import threading
# sync-only:end
import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import Literal, Self, cast

from muxwright._async.pane import AsyncPane
from muxwright.errors import DeadlineExceeded
from muxwright.transports.aio import AsyncControlTransport

__all__ = ["AsyncServer", "names"]

# sync-only:begin
#: ASYNC_TWIN = threading.local()  # of AsyncServer
# sync-only:end

QUOTE = "await AsyncServer, async with __aenter__"  # AsyncServer is named here; do not await it
Hook = Callable[[str], Awaitable[dict[str, list[int]]]]


class AsyncServer:
    """A server; callers await its replies. See ``await pane.run(...)`` and `AsyncPane`."""

    pane: "AsyncPane | None" = None
    """The `AsyncPane` used last."""

    def __init__(self, transport: AsyncControlTransport, kind: Literal["AsyncServer"] = "AsyncServer") -> None:
        self._transport = transport
        self.kind = kind

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        await self.aclose()

    def __aiter__(self) -> "AsyncIterator[AsyncPane]":
        return self.watch()

    async def __anext__(self) -> AsyncPane:
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Close it; ``async with`` does so."""
        # async-only:begin
        await asyncio.sleep(0)
        # async-only:end
        # sync-only:begin
        #: with threading.Lock():
        #:     pass
        # sync-only:end
        await self._transport.aclose()

    @asynccontextmanager
    async def held(self, é: str = "ß") -> AsyncIterator["AsyncPane"]:
        async with self._transport as one, self._transport as two:
            yield cast("AsyncPane", (await one.call(é or ")", await two.call("(")))[0])

    async def watch(self, hook: Hook | None = None) -> AsyncGenerator[AsyncPane, None]:
        found = [await self.get(n) async for n in self.numbers() if await self.get(n)]
        for pane in found:
            yield pane
        pane = await anext(self.watch())
        yield (await pane.self()).first + (await pane.one() or await pane.two())

    async def title(self, pane: AsyncPane) -> str:
        return f"await {{await}} {(await pane.info()).title!r:>{await pane.width()}} {await pane.get('await x'):05d}"

    def scoped(self) -> AbstractAsyncContextManager[Iterator[int]]:
        raise DeadlineExceeded(
            "async for",  # kept
        )


def names() -> list[str]:
    return ["AsyncServer"]
'''

EXPECTED = '''# Generated from _async/server.py by tools/generate_sync.py: do not edit.
"""Handles of a server.

```python
from muxwright import Server


def main() -> None:
    with Server() as server:
        panes = server.snapshot().panes
        for pane in server.watch():
            print(pane.capture())


main()
```
"""

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType
from typing import Literal, Self, cast

from muxwright._sync.pane import Pane
from muxwright.errors import DeadlineExceeded
from muxwright.transports.blocking import ControlTransport

__all__ = ["Server", "names"]

ASYNC_TWIN = threading.local()  # of AsyncServer

QUOTE = "await AsyncServer, async with __aenter__"  # Server is named here; do not await it
Hook = Callable[[str], dict[str, list[int]]]


class Server:
    """A server; callers await its replies. See ``pane.run(...)`` and `Pane`."""

    pane: "Pane | None" = None
    """The `Pane` used last."""

    def __init__(self, transport: ControlTransport, kind: Literal["AsyncServer"] = "AsyncServer") -> None:
        self._transport = transport
        self.kind = kind

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()

    def __iter__(self) -> "Iterator[Pane]":
        return self.watch()

    def __next__(self) -> Pane:
        raise StopIteration

    def close(self) -> None:
        """Close it; ``with`` does so."""
        with threading.Lock():
            pass
        self._transport.close()

    @contextmanager
    def held(self, é: str = "ß") -> Iterator["Pane"]:
        with self._transport as one, self._transport as two:
            yield cast("Pane", one.call(é or ")", two.call("("))[0])

    def watch(self, hook: Hook | None = None) -> Generator[Pane, None, None]:
        found = [self.get(n) for n in self.numbers() if self.get(n)]
        for pane in found:
            yield pane
        pane = next(self.watch())
        yield pane.self().first + (pane.one() or pane.two())

    def title(self, pane: Pane) -> str:
        return f"await {{await}} {pane.info().title!r:>{pane.width()}} {pane.get('await x'):05d}"

    def scoped(self) -> AbstractContextManager[Iterator[int]]:
        raise DeadlineExceeded(
            "async for",  # kept
        )


def names() -> list[str]:
    return ["AsyncServer"]
'''


def converted(text: str) -> str:
    return convert(text, "sample.py", set()).removeprefix(generate_sync.HEADER.format(name="sample.py"))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package whose one async module needs every rule that is not optional."""
    (tmp_path / "_async").mkdir()
    (tmp_path / "_async" / "server.py").write_text(SAMPLE, "utf-8")
    return tmp_path


def test_sample_module() -> None:
    target = generate_sync.PACKAGE / "_sync" / "server.py"
    assert canonical(convert(SAMPLE, "server.py", set()), target) == EXPECTED


def test_result_compiles_without_async_tokens() -> None:
    text = convert(SAMPLE, "server.py", set())
    compile(text, "server.py", "exec")
    words = {tok.string for tok in tokenize.generate_tokens(io.StringIO(text).readline)}
    assert not words & {"async", "await", "AsyncIterator"}
    assert not [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Await | ast.AsyncFunctionDef)]


def test_sample_uses_every_rule() -> None:
    used: set[str] = set()
    convert(SAMPLE, "server.py", used)
    assert (
        used
        == {rule.name for rule in (*generate_sync.RULES, *generate_sync.WRAPPERS)} - dict(generate_sync.RENAMES).keys()
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("async def f(x):\n    return (await x)\n", "def f(x):\n    return x\n"),
        ("async def f(x):\n    return (await x(1) + 1) * 2\n", "def f(x):\n    return (x(1) + 1) * 2\n"),
        (
            "async def f(x):\n    return g(await x.y(), (await x.z())[0])\n",
            "def f(x):\n    return g(x.y(), x.z()[0])\n",
        ),
        ("async def f(x):\n    return (\n        await x\n    )\n", "def f(x):\n    return (\n        x\n    )\n"),
        (
            "async def f(x):\n    return f'{ {1: await x}[1] }, await'\n",
            "def f(x):\n    return f'{ {1: x}[1] }, await'\n",
        ),
        ("async def f(x):\n    return rf'''\n{await x}\n'''\n", "def f(x):\n    return rf'''\n{x}\n'''\n"),
        ("def f(x: Awaitable[Awaitable[int]]): ...\n", "def f(x: int): ...\n"),
        ("def f(x: 'Awaitable[AsyncPane]') -> 'AsyncPane': ...\n", "def f(x: 'Pane') -> 'Pane': ...\n"),
        ("x: Annotated['AsyncPane', 'AsyncPane']\n", "x: Annotated['Pane', 'AsyncPane']\n"),
        ("x = ('AsyncPane', b'await')\n", "x = ('AsyncPane', b'await')\n"),
        ("_AsyncBase = AsyncIO\n", "_Base = AsyncIO\n"),
        (
            "def f():\n    '''```\n    await asyncio_free(1)\n    ```'''\n",
            "def f():\n    '''```\n    asyncio_free(1)\n    ```'''\n",
        ),
        ("def f():\n    '''>>> await task\n    x = await task'''\n", "def f():\n    '''>>> task\n    x = task'''\n"),
    ],
)
def test_small_cases(given: str, expected: str) -> None:
    assert converted(given) == expected
    assert converted(expected) == expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("import asyncio\nlock = asyncio.Lock()\n", "still asynchronous: asyncio"),
        ("from asyncio import Lock\n", "still asynchronous: from asyncio import Lock"),
        ("x: Awaitable\n", "still asynchronous: Awaitable"),
        ("def f():\n    '''```\n    await asyncio.sleep(1)\n    ```'''\n", r"docstring .* asyncio\.sleep\(1\)"),
        ("# async-only:begin\n", "async-only block without an end"),
        ("# async-only:begin\n# sync-only:end\n", ":2: unexpected mark sync-only:end"),
        ("# async-only:end\n", ":1: unexpected mark async-only:end"),
        ("# async-only: begin\n", ":1: not a block mark"),
        ("# sync-only:begin\nx = 1\n# sync-only:end\n", ":2: a line of a sync-only block"),
        ("# sync-only:begin\n#: async def f(): ...\n# sync-only:end\n", "still asynchronous: async def f"),
        ("x = (\n", "was never closed: x = "),
    ],
)
def test_what_cannot_be_made_sync_is_refused(given: str, message: str) -> None:
    with pytest.raises(ConversionError, match=message):
        converted(given)


def test_write_then_check(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"], package) == 1
    assert "+class Server:" in capsys.readouterr().out
    assert main([], package) == 0
    written = (package / "_sync" / "server.py").read_text("utf-8")
    assert main([], package) == 0
    assert main(["--check"], package) == 0
    assert (package / "_sync" / "server.py").read_text("utf-8") == written
    assert capsys.readouterr().out == ""


def test_check_finds_an_edited_copy(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([], package)
    copy = package / "_sync" / "server.py"
    copy.write_text(copy.read_text("utf-8").replace("self.close()", "self.shut()") + "x = 1\n" * 500, "utf-8")
    assert main(["--check"], package) == 1
    out = capsys.readouterr().out
    assert "-        self.shut()\n+        self.close()\n" in out
    assert out.splitlines()[-1].endswith("more lines")
    assert len(out.splitlines()) == generate_sync.DIFF_LINES + 1


def test_copy_without_a_source(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([], package)
    stray, foreign = package / "_sync" / "gone.py", package / "_sync" / "own.py"
    stray.write_text(generate_sync.HEADER.format(name="gone.py"), "utf-8")
    foreign.write_text("x = 1\n", "utf-8")
    assert main(["--check"], package) == 1
    assert capsys.readouterr().out.splitlines() == [
        "_sync/gone.py: no _async/gone.py to generate it from",
        "_sync/own.py: no _async/own.py to generate it from",
    ]
    main([], package)
    assert not stray.exists()
    assert foreign.exists(), "only what was generated is removed"


def test_unused_rule(package: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    main([], package)
    rule = generate_sync.Rule("drive_async", r"\bdrive_async\b", "drive")
    monkeypatch.setattr(generate_sync, "RULES", (*generate_sync.RULES, rule))
    assert main(["--check"], package) == 1
    assert capsys.readouterr().err == "generate_sync: unused rule: drive_async\n"
    monkeypatch.setattr(generate_sync, "RULES", (*generate_sync.RULES[:-1], rule._replace(optional=True)))
    assert main(["--check"], package) == 0


def test_refused_source(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (package / "_async" / "bad.py").write_text("x = asyncio\n", "utf-8")
    assert main([], package) == 1
    assert capsys.readouterr().err == "generate_sync: bad.py: still asynchronous: asyncio\n"
    assert not (package / "_sync").exists()
