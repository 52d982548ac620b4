"""Operators on scalar fields: what a criterion may say about one value.

Operands are immutable scalars: text, ``None``, a bool, a typed id, a finite number. Whether one fits a field is decided
where it is given to a criterion, because only there the field is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from muxwright.errors import InvalidArgument
from muxwright.refs import ClientId, PaneId, SessionId, WindowId

__all__ = [
    "AtLeast",
    "AtMost",
    "Case",
    "Contains",
    "EndsWith",
    "EqualTo",
    "GreaterThan",
    "LessThan",
    "NotEqualTo",
    "OneOf",
    "Operator",
    "StartsWith",
]

Case = Literal["sensitive", "ascii_insensitive"]

_IDS = (PaneId, WindowId, SessionId, ClientId)
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def _scalar(value: object) -> Any:
    """Return the operand as a plain, immutable value."""
    if value is None or isinstance(value, (bool, *_IDS)):
        return value
    if isinstance(value, str):
        return str.__str__(value)  # also out of a subclass
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and isfinite(value):
        return float(value)
    raise InvalidArgument(f"an operand is text, an id, a finite number, a bool or None, not {value!r}")


def _number(value: object) -> Any:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole and not (isinstance(value, float) and isfinite(value)):
        raise InvalidArgument(f"a threshold is a finite number, not {value!r}")
    return _scalar(value)


def _fold(text: str) -> str:
    return text.lower() if text.isascii() else text.translate(_LOWER)


class Operator:
    """Base of the operators."""

    __slots__ = ()

    def test(self) -> Callable[[Any], bool]:
        """Return the function that judges a captured value."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class _Value(Operator):
    value: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", _scalar(self.value))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value!r})"


class EqualTo(_Value):
    """Equal to a value; ``EqualTo(None)`` is a known absence. A bare value in a criterion means the same.

    >>> EqualTo("vim")
    EqualTo('vim')
    """

    __slots__ = ()

    def test(self) -> Callable[[Any], bool]:
        wanted = self.value
        return lambda value: bool(value == wanted)


class NotEqualTo(_Value):
    """Anything but a value; ``NotEqualTo(None)`` is any captured value.

    >>> NotEqualTo(None)
    NotEqualTo(None)
    """

    __slots__ = ()

    def test(self) -> Callable[[Any], bool]:
        unwanted = self.value
        return lambda value: bool(value != unwanted)


@dataclass(frozen=True, slots=True, init=False)
class OneOf(Operator):
    """Equal to one of the values, which are copied; of no values, nothing matches.

    >>> OneOf(["vim", "nvim"])
    OneOf(('vim', 'nvim'))
    """

    values: tuple[Any, ...]

    def __init__(self, values: Iterable[Any]) -> None:
        if isinstance(values, str | bytes | ClientId):  # they iterate, and are never what was meant
            raise InvalidArgument(f"OneOf takes several values, not {values!r}: OneOf([{values!r}])")
        try:
            given = tuple(values)
        except TypeError:
            raise InvalidArgument(f"OneOf takes several values, not {values!r}") from None
        object.__setattr__(self, "values", tuple(_scalar(value) for value in given))

    def __repr__(self) -> str:
        return f"OneOf({self.values!r})"

    def test(self) -> Callable[[Any], bool]:
        return frozenset(self.values).__contains__


@dataclass(frozen=True, slots=True)
class _Text(Operator):
    value: str
    case: Case = "sensitive"

    def __post_init__(self) -> None:
        if not isinstance(self.value, str) or isinstance(self.value, _IDS):
            raise InvalidArgument(f"{type(self).__name__} takes a text, not {self.value!r}")
        if self.case not in ("sensitive", "ascii_insensitive"):
            raise InvalidArgument(f"case is 'sensitive' or 'ascii_insensitive', not {self.case!r}")
        object.__setattr__(self, "value", _scalar(self.value))

    def __repr__(self) -> str:
        case = "" if self.case == "sensitive" else f", case={self.case!r}"
        return f"{type(self).__name__}({self.value!r}{case})"

    def test(self) -> Callable[[Any], bool]:
        found = self.found
        if self.case == "sensitive":
            needle = self.value
            return lambda value: value is not None and found(value, needle)
        folded = _fold(self.value)
        return lambda value: value is not None and found(_fold(value), folded)

    @staticmethod
    def found(text: str, needle: str) -> bool:
        """Whether `needle` stands where it should in `text`."""
        raise NotImplementedError


class Contains(_Text):
    """Holds a text; `case` is ``"sensitive"`` or ``"ascii_insensitive"`` (only A to Z are folded). ``None`` never does.

    >>> Contains("make", case="ascii_insensitive")
    Contains('make', case='ascii_insensitive')
    """

    __slots__ = ()

    @staticmethod
    def found(text: str, needle: str) -> bool:
        return needle in text


class StartsWith(_Text):
    """Begins with a text; `case` as for `Contains`.

    >>> StartsWith("build:")
    StartsWith('build:')
    """

    __slots__ = ()

    @staticmethod
    def found(text: str, needle: str) -> bool:
        return text.startswith(needle)


class EndsWith(_Text):
    """Ends with a text; `case` as for `Contains`.

    >>> EndsWith(".log")
    EndsWith('.log')
    """

    __slots__ = ()

    @staticmethod
    def found(text: str, needle: str) -> bool:
        return text.endswith(needle)


@dataclass(frozen=True, slots=True)
class _Threshold(Operator):
    value: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", _number(self.value))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value!r})"


class AtLeast(_Threshold):
    """A number that is not below a finite threshold, an int or a float; ``None`` never is.

    >>> AtLeast(80)
    AtLeast(80)
    """

    __slots__ = ()

    def test(self) -> Callable[[Any], bool]:
        bound = self.value
        return lambda value: value is not None and value >= bound


class AtMost(_Threshold):
    """A number that is not above a threshold.

    >>> AtMost(24)
    AtMost(24)
    """

    __slots__ = ()

    def test(self) -> Callable[[Any], bool]:
        bound = self.value
        return lambda value: value is not None and value <= bound


class GreaterThan(_Threshold):
    """A number above a threshold.

    >>> GreaterThan(79.5)
    GreaterThan(79.5)
    """

    __slots__ = ()

    def test(self) -> Callable[[Any], bool]:
        bound = self.value
        return lambda value: value is not None and value > bound


class LessThan(_Threshold):
    """A number below a threshold.

    >>> LessThan(1)
    LessThan(1)
    """

    __slots__ = ()

    def test(self) -> Callable[[Any], bool]:
        bound = self.value
        return lambda value: value is not None and value < bound
