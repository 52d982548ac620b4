"""What all criteria have in common, and those that hold others: `AllOf`, `AnyOf`, `Not`, and those over relations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, Never
from weakref import WeakKeyDictionary

from muxwright.errors import InvalidArgument
from muxwright.model.catalog import entity_of
from muxwright.model.predicate import Predicate

if TYPE_CHECKING:
    from muxwright.model.evaluate import Compiled
    from muxwright.model.snapshot import Snapshot

__all__ = ["ANY", "MAX_DEPTH", "AllOf", "AllRelated", "AnyOf", "AnyRelated", "Criterion", "NoRelated", "Not", "Related"]

MAX_DEPTH: Final = 128
"""How deep criteria can be nested in each other."""

ANY: Final = "any"
"""The entity of a criterion that fits every info: `AllOf` and `AnyOf` of nothing."""


class Criterion(Predicate):
    """Base of all criteria.

    `entity` is the kind of info it judges (``"any"`` for an empty `AllOf` or `AnyOf`), `depth` how deep it is nested.
    """

    __slots__ = ("_answers", "_hash", "_parts", "depth", "entity")

    entity: str
    depth: int
    _parts: tuple[Any, ...]
    _hash: int
    _answers: WeakKeyDictionary[Snapshot, Compiled]

    def _settle(self, entity: str, parts: tuple[Any, ...], children: Iterable[Criterion]) -> None:
        depth = 1 + max((child.depth for child in children), default=0)
        if depth > MAX_DEPTH:
            raise InvalidArgument(f"criteria are nested deeper than {MAX_DEPTH} levels")
        store = object.__setattr__
        store(self, "entity", entity)
        store(self, "depth", depth)
        store(self, "_parts", parts)
        store(self, "_hash", hash((type(self), parts)))
        store(self, "_answers", WeakKeyDictionary())

    def __call__(self, item: Any) -> bool:
        """Whether the info matches; checks its coverage first."""
        check, test = self._compiled(item)
        check(item)
        return test(item)

    def preflight(self, items: Iterable[Any]) -> None:
        """Check that every field and relation the criterion names was captured, for every item and every branch.

        Raises `SnapshotCoverageError`, or `InvalidArgument` for an item of another kind.
        """
        for item, (check, _) in self._paired(items):
            check(item)

    def matching(self, items: Iterable[Any]) -> list[Any]:
        """Return the items that match, in order; all of them are checked first."""
        known = list(self._paired(items))
        for item, (check, _) in known:
            check(item)
        return [item for item, (_, test) in known if test(item)]

    def _paired(self, items: Iterable[Any]) -> Iterator[tuple[Any, Compiled]]:
        compiled: Compiled | None = None
        kind: object = None
        snapshot: object = None
        for item in items:
            if compiled is None or type(item) is not kind or item.snapshot is not snapshot:
                compiled = self._compiled(item)
                kind, snapshot = type(item), item.snapshot
            yield item, compiled

    def _compiled(self, item: Any) -> Compiled:
        """Return the functions for the item's snapshot; they remember what they found out about related infos."""
        entity = entity_of(item)
        if entity is None or self.entity not in (entity, ANY):
            what = "a criterion of nothing" if self.entity == ANY else f"a {self.entity} criterion"
            raise InvalidArgument(f"{what} cannot judge a {type(item).__name__}")
        try:
            return self._answers[item.snapshot]
        except KeyError:
            from muxwright.model.evaluate import compile_criterion

            return self._answers.setdefault(item.snapshot, compile_criterion(self, {}))

    def __and__(self, other: Criterion) -> AllOf:
        return AllOf(self, other) if isinstance(other, Criterion) else NotImplemented

    def __or__(self, other: Criterion) -> AnyOf:
        return AnyOf(self, other) if isinstance(other, Criterion) else NotImplemented

    def __invert__(self) -> Not:
        return Not(self)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._parts == other._parts

    def __hash__(self) -> int:
        return self._hash

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._parts

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._parts))})"


class Related:
    """Base of `AnyRelated`, `AllRelated` and `NoRelated`: how many of the related infos have to match `criterion`."""

    __slots__ = ("criterion",)

    criterion: Criterion

    def __init__(self, criterion: Criterion) -> None:
        if not isinstance(criterion, Criterion):
            raise InvalidArgument(f"{type(self).__name__} takes a criterion, not {criterion!r}")
        object.__setattr__(self, "criterion", criterion)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.criterion == other.criterion

    def __hash__(self) -> int:
        return hash((type(self), self.criterion))

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.criterion,)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.criterion!r})"


class AnyRelated(Related):
    """At least one related info matches; false when there are none. Two `AnyRelated` may mean two different infos.

    >>> from muxwright.model.criteria import SessionWhere, WindowWhere
    >>> SessionWhere(windows=AnyRelated(WindowWhere(name="api")))
    SessionWhere(windows=AnyRelated(WindowWhere(name='api')))
    """

    __slots__ = ()


class AllRelated(Related):
    """All related infos match; true when there are none.

    >>> from muxwright.model.criteria import PaneWhere, WindowWhere
    >>> WindowWhere(panes=AllRelated(PaneWhere(dead=False)))
    WindowWhere(panes=AllRelated(PaneWhere(dead=False)))
    """

    __slots__ = ()


class NoRelated(Related):
    """No related info matches; true when there are none.

    >>> from muxwright.model.criteria import PaneWhere, WindowWhere
    >>> WindowWhere(panes=NoRelated(PaneWhere(current_command="vim")))
    WindowWhere(panes=NoRelated(PaneWhere(current_command='vim')))
    """

    __slots__ = ()


def _common_entity(criteria: Iterable[Criterion]) -> str:
    entity = ANY
    for criterion in criteria:
        if not isinstance(criterion, Criterion):
            raise InvalidArgument(f"criteria are joined with criteria, not with {criterion!r}")
        if criterion.entity == ANY:
            continue
        if entity not in (ANY, criterion.entity):
            raise InvalidArgument(f"a {entity} criterion cannot be joined with a {criterion.entity} criterion")
        entity = criterion.entity
    return entity


class _Joined(Criterion):
    __slots__ = ()

    def __init__(self, *criteria: Criterion) -> None:
        self._settle(_common_entity(criteria), criteria, criteria)

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria that are joined."""
        return self._parts


class AllOf(_Joined):
    """All of the criteria match; of none, everything does. They are of one entity, else `InvalidArgument`.

    >>> from muxwright.model.criteria import PaneWhere
    >>> from muxwright.model.operators import AtLeast, AtMost
    >>> AllOf(PaneWhere(width=AtLeast(80)), PaneWhere(width=AtMost(120)))
    AllOf(PaneWhere(width=AtLeast(80)), PaneWhere(width=AtMost(120)))
    """

    __slots__ = ()


class AnyOf(_Joined):
    """At least one of the criteria matches; of none, nothing does. They are of one entity, else `InvalidArgument`.

    >>> from muxwright.model.criteria import PaneWhere
    >>> PaneWhere(index=0) | PaneWhere(dead=True)
    AnyOf(PaneWhere(index=0), PaneWhere(dead=True))
    """

    __slots__ = ()


class Not(Criterion):
    """The criterion does not match.

    >>> from muxwright.model.criteria import PaneWhere
    >>> ~PaneWhere(dead=True)
    Not(PaneWhere(dead=True))
    """

    __slots__ = ()

    def __init__(self, criterion: Criterion) -> None:
        self._settle(_common_entity((criterion,)), (criterion,), (criterion,))

    @property
    def criterion(self) -> Criterion:
        """What is negated."""
        return self._parts[0]  # type: ignore[no-any-return]  # its one part is a criterion
