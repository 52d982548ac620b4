"""The check for docstrings, on names with and without them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from tools import check_docstrings


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
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = ModuleType("muxwright")
    module.__all__ = ["function_without"]  # type: ignore[attr-defined]  # a module made by hand
    module.function_without = function_without  # type: ignore[attr-defined]  # a module made by hand
    monkeypatch.setitem(sys.modules, "muxwright", module)
    assert check_docstrings.main() == 1
    assert capsys.readouterr().err == "muxwright.function_without has no docstring\n"


def test_the_package_has_them_all() -> None:
    assert check_docstrings.main() == 0
