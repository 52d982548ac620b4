"""What `Selection.filter` recognises as more than a plain callable.

It stands alone so that a snapshot need not load the criteria.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

__all__ = ["Predicate"]

T = TypeVar("T")


class Predicate:
    """A pure yes-or-no question about infos that checks what it needs before it answers.

    Called with one info it checks that one; `matching` checks all of them before it judges the first. `entity` is
    ``"pane"``, ``"window"``, ``"session"``, ``"client"``, ``"windowlink"``, or ``"any"``.
    """

    __slots__ = ()

    entity: str

    def __call__(self, item: Any) -> bool:
        """Whether `item` matches."""
        raise NotImplementedError

    def preflight(self, items: Iterable[Any]) -> None:
        """Check that everything the question needs of `items` was captured; raises `SnapshotCoverageError`."""
        raise NotImplementedError

    def matching(self, items: Iterable[T]) -> list[T]:
        """Return the items that match, in order; all of them are checked first."""
        known = list(items)
        self.preflight(known)
        return [item for item in known if self(item)]
