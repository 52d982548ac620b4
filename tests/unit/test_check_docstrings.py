"""The check for docstrings, on names with and without them."""

from __future__ import annotations

import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from tools import check_docstrings
from tools.raised import Sources


def function_with() -> None:
    """Do something."""


def function_without() -> None: ...


class Base:
    """A base."""

    def kept(self) -> None:
        """Do something."""

    def bare(self) -> None: ...


class Heir(Base):
    """An heir; what the base says of `kept` counts."""

    def kept(self) -> None: ...


class SilentHeir(Base): ...


class Members:
    """Of each kind one without a docstring."""

    attribute = 1

    @property
    def width(self) -> int:
        return 1

    @classmethod
    def make(cls) -> None: ...

    @staticmethod
    def helper() -> None: ...

    class Inner: ...

    def _private(self) -> None: ...

    def __len__(self) -> int:
        return 0


@dataclass
class Generated:
    x: int


class GeneratedTuple(NamedTuple):
    x: int


class Pair(NamedTuple):
    """A pair."""

    x: int


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (function_with, []),
        (function_without, ["function_without"]),
        (Base, ["Base.bare"]),
        (Heir, ["Heir.bare"]),
        (SilentHeir, ["SilentHeir", "SilentHeir.bare"]),
        (Members, ["Members.width", "Members.make", "Members.helper", "Members.Inner"]),
        (Generated, ["Generated"]),
        (GeneratedTuple, ["GeneratedTuple"]),
        (Pair, []),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_lacks_a_docstring_is_named(value: Any, expected: list[str]) -> None:
    module = ModuleType(__name__)
    module.__all__ = [value.__name__]  # type: ignore[attr-defined]  # a module made by hand
    setattr(module, value.__name__, value)
    assert check_docstrings.missing(module) == expected


def test_a_constant_needs_none() -> None:
    module = ModuleType("constants")
    module.__all__ = ["LIMIT"]  # type: ignore[attr-defined]  # a module made by hand
    module.LIMIT = 5  # type: ignore[attr-defined]  # a module made by hand
    assert check_docstrings.missing(module) == []


def test_a_missing_docstring_fails_the_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    module = ModuleType("muxwright")
    module.__all__ = ["function_without"]  # type: ignore[attr-defined]  # a module made by hand
    module.function_without = function_without  # type: ignore[attr-defined]  # a module made by hand
    module.__file__ = str(tmp_path / "__init__.py")
    monkeypatch.setattr(check_docstrings, "UNRAISED", {})
    monkeypatch.setitem(sys.modules, "muxwright", module)
    assert check_docstrings.main() == 1
    assert capsys.readouterr().err == "muxwright.function_without has no docstring\n"


# --- what they say ----------------------------------------------------------------------------------------------------


class Host:
    """Has calls. `route`: how they go."""

    def call(self, name: str, *, timeout: float = 5, cancel: object = None) -> None:
        """Do it by its name."""

    def silent(self, name: str) -> None:
        """Do it."""

    def routed(self, route: str) -> None:
        """Do it: what the class says counts."""

    def again(self, name: str, size: int) -> None:
        """Do it as for `call`; `size` in cells."""

    def elsewhere(self, name: str) -> None:
        """Do it as for `Other.call`."""

    def bare_number(self, size: int) -> None:
        """Do it in that size."""

    def no_default(self, size: int = 80) -> None:
        """Do it in a size of 1 to 100 cells."""

    def with_default(self, size: int = 80, other_size: int = 7) -> None:
        """Do it in a size of 1 to 100 cells, default 80, and another: the other size, 7 cells."""

    @property
    def attribute(self) -> int:
        """A value."""
        return 1


class Other:
    """Something else."""

    def call(self, name: str) -> None:
        """Do it by its name, or raise `PaneDead`."""


class Heiress(Host):
    """What the base says of the same method counts."""

    def call(self, name: str, *, timeout: float = 5, cancel: object = None) -> None: ...


SOURCES = {
    "commands/states": """
        from muxwright.errors import PipeInUse
        NO_PIPE = Requirement("x", PipeInUse)
    """,
    "operations/acts": """
        import contextlib
        from muxwright.commands import states
        from muxwright.commands.states import NO_PIPE
        from muxwright.errors import AlreadySo, InvalidArgument, LastLink, NoSpace, PaneDead
        def guarded(x):
            yield from act(x, NO_PIPE)
        def through_a_module(x):
            return states.NO_PIPE
        def check(x):
            raise InvalidArgument(x)
        def own(x):
            check(x)
            raise LastLink("no")
        def caught(x):
            try:
                own(x)
            except LastLink:
                return None
        def suppressed(x):
            with contextlib.suppress(AlreadySo, LastLink):
                own(x)
        def asked(error):
            return isinstance(error, NoSpace)
        def loops(x):
            return loops(x - 1) if x else PaneDead("no")
    """,
    "handles": """
        from muxwright.operations import acts
        class Pane:
            def pipe(self):
                return self._piped()
            def _piped(self):
                return acts.guarded(self)
    """,
}


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    """The errors of a small package."""
    for name, text in SOURCES.items():
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return Sources(tmp_path)


@pytest.mark.parametrize(
    ("name", "errors"),
    [
        ("operations.acts.guarded", {"PipeInUse"}),
        ("operations.acts.through_a_module", {"PipeInUse"}),
        ("operations.acts.own", {"InvalidArgument", "LastLink"}),
        ("operations.acts.caught", {"InvalidArgument"}),
        ("operations.acts.suppressed", {"InvalidArgument"}),
        ("operations.acts.asked", set()),
        ("operations.acts.loops", {"PaneDead"}),
        ("handles.Pane.pipe", {"PipeInUse"}),
        ("operations.acts.unknown", set()),
    ],
)
def test_the_errors_that_code_names(sources: Sources, name: str, errors: set[str]) -> None:
    assert sources.errors(name) == errors


def _module(*values: Any) -> ModuleType:
    module = ModuleType(__name__)
    module.__all__ = [value.__name__ for value in values]  # type: ignore[attr-defined]  # a module made by hand
    for value in values:
        setattr(module, value.__name__, value)
    return module


def test_what_a_docstring_leaves_out_is_named(sources: Sources) -> None:
    assert check_docstrings.incomplete(_module(Host, Other, Heiress), sources) == [
        "Host.silent does not mention name",
        "Host.bare_number does not say the unit of size",
        "Host.no_default does not say the default of size",
    ]


def test_an_error_that_is_not_named_is_named(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {f"{__name__.partition('.')[2]}.Host.{name}": {"PaneDead"} for name in ("call", "elsewhere", "attribute")}
    monkeypatch.setattr(sources, "errors", lambda name: frozenset(found.get(name, {"InvalidArgument"})))
    assert [line for line in check_docstrings.incomplete(_module(Host, Other), sources) if "PaneDead" in line] == [
        "Host.call does not name PaneDead",
        "Host.attribute does not name PaneDead",
    ]


def test_the_errors_of_every_call_stand_in_one_table() -> None:
    table = " ".join(f"`{error}`" for error in check_docstrings.COMMON)
    assert check_docstrings.unlisted(table) == []
    assert check_docstrings.unlisted(table.replace("`ServerLost`", "ServerLost")) == ["ServerLost"]


def test_an_exception_that_nothing_needs_is_named(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_docstrings, "UNRAISED", {"Pane.pipe": {"PaneDead"}})
    assert check_docstrings.needless(sources) == ["Pane.pipe needs no exception for PaneDead"]
    monkeypatch.setattr(sources, "errors", lambda name: {"_async.pane.AsyncPane.pipe": {"PaneDead"}}[name])
    assert check_docstrings.needless(sources) == []
