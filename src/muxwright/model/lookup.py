"""Lookups that say how many they found: exactly one, or the first.

With a criterion every item is checked for coverage before any is judged; a plain callable is asked item by item, and no
longer than it takes to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar, overload

from muxwright.errors import InvalidArgument, MultipleMatchesError, NoMatchError
from muxwright.model.predicate import Predicate

__all__ = ["first", "one", "only_match"]

T = TypeVar("T")
D = TypeVar("D")

_REQUIRED: Final[Any] = object()
_SHOWN = 200  # characters of a question in a message


def one(items: Iterable[T], where: Callable[[T], bool] | None = None) -> T:
    """Return the one of the items, or the one that matches `where`.

    Raises `NoMatchError` when there is none and `MultipleMatchesError` when there are more; it stops after the second.

    >>> one([7])
    7
    >>> one([1, 2, 3], lambda n: n > 1)
    Traceback (most recent call last):
    muxwright.errors.MultipleMatchesError: more than one item matches: 2 and 3, at least
    """
    found = _matches(items, where)
    for item in found:
        for second in found:
            message = f"more than one {_entity(where)} matches: {_name(item)} and {_name(second)}, at least"
            raise MultipleMatchesError(_entity(where), message)
        return item
    raise NoMatchError(_entity(where), f"no {_entity(where)} matches{_question(where)}")


def only_match(where: Callable[[T], bool], items: Iterable[T]) -> T:
    """Return the one of the items that matches `where`; the same as `one`, with the question first.

    >>> only_match(lambda name: name.startswith("b"), ["api", "build"])
    'build'
    >>> only_match(lambda name: name.startswith("x"), ["api", "build"])
    Traceback (most recent call last):
    muxwright.errors.NoMatchError: no item matches
    """
    if not callable(where):
        raise InvalidArgument(f"only_match takes the question first and then the items, not {where!r:.100}")
    return one(items, where)


@overload
def first(items: Iterable[T], where: Callable[[T], bool] | None = None) -> T: ...
@overload
def first(items: Iterable[T], where: Callable[[T], bool] | None = None, *, default: D) -> T | D: ...
def first(items: Iterable[T], where: Callable[[T], bool] | None = None, *, default: Any = _REQUIRED) -> Any:
    """Return the first of the items, or the first that matches `where`.

    When there is none it returns `default`, if one is given, and else raises `NoMatchError`.

    >>> first([3, 1, 2], lambda n: n < 3)
    1
    >>> first([], default=None) is None
    True
    """
    for item in _matches(items, where):
        return item
    if default is _REQUIRED:
        raise NoMatchError(_entity(where), f"no {_entity(where)} matches{_question(where)}")
    return default


def _matches(items: Iterable[T], where: Callable[[T], bool] | None) -> Iterator[T]:
    if isinstance(where, Predicate):
        items = list(items)
        where.preflight(items)
    return iter(items) if where is None else filter(where, items)


def _entity(where: object) -> str:
    return where.entity if isinstance(where, Predicate) and where.entity != "any" else "item"


def _question(where: object) -> str:
    if not isinstance(where, Predicate):
        return ""
    shown = repr(where)
    return f" {shown if len(shown) <= _SHOWN else shown[:_SHOWN] + '...'}"


def _name(item: object) -> str:
    return str(getattr(item, "label", None) or f"{item!r:.80}")
