"""Rows out of a selection: the chosen scalar fields of each info, with named and stable columns.

Where the reference is silent: an empty selection no longer knows what it was of, so `entity` may say it; without it,
the columns must fit one entity at least. A data frame gets ids as text, and every column in a type that can hold a
missing value.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, overload

from muxwright.errors import InvalidArgument
from muxwright.model.catalog import ENTITIES, Scalar, entity_of, find_scalar
from muxwright.model.optional import optional
from muxwright.refs import ClientId

if TYPE_CHECKING:
    from muxwright.model.snapshot import Snapshot

__all__ = ["RowProjection", "project_rows"]

Row = tuple[Any, ...]

_PANDAS: Final = {bool: "boolean", int: "Int64"}
_POLARS: Final = {bool: "Boolean", int: "Int64"}


class RowProjection(Sequence[Row]):
    """A read-only sequence of named rows; made by `project_rows`.

    `columns` are the names in order, `fields` what the catalogue says about each (empty when an empty selection left
    the entity open), `entity` the kind of info or ``None``. It keeps its `snapshot` alive.
    """

    __slots__ = ("_rows", "columns", "entity", "fields", "snapshot")

    def __init__(
        self,
        columns: tuple[str, ...],
        rows: Iterable[Row],
        *,
        entity: str | None = None,
        snapshot: Snapshot | None = None,
    ) -> None:
        self.columns = columns
        self.entity = entity
        self.fields: tuple[Scalar, ...] = tuple(find_scalar(entity, name) for name in columns) if entity else ()
        self.snapshot = snapshot
        self._rows = tuple(rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> RowProjection: ...
    def __getitem__(self, index: int | slice) -> Row | RowProjection:
        if isinstance(index, slice):
            return RowProjection(self.columns, self._rows[index], entity=self.entity, snapshot=self.snapshot)
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RowProjection):
            return NotImplemented
        return (self.columns, self._rows) == (other.columns, other._rows)

    def __hash__(self) -> int:
        return hash((self.columns, self._rows))

    def __repr__(self) -> str:
        return f"<RowProjection of {len(self)} rows: {', '.join(self.columns)}>"

    def as_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as new dicts, ids typed and ``None`` for a known absence."""
        return [dict(zip(self.columns, row, strict=True)) for row in self._rows]

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame`; raises `UnsupportedCapability` when pandas is not installed."""
        pandas = optional("pandas", "RowProjection.to_pandas")
        return pandas.DataFrame(
            {
                name: pandas.Series(values, dtype=_PANDAS.get(self._type(position), "object"))
                for position, (name, values) in enumerate(self._plain_columns())
            },
            columns=list(self.columns),
        )

    def to_polars(self) -> Any:
        """Return a `polars.DataFrame`; raises `UnsupportedCapability` when polars is not installed.

        Polars keeps only UTF-8: other bytes of a title or a path become replacement characters.
        """
        polars = optional("polars", "RowProjection.to_polars")
        return polars.DataFrame(
            {name: [_utf8(value) for value in values] for name, values in self._plain_columns()},
            schema={
                name: getattr(polars, _POLARS.get(self._type(position), "String"))
                for position, name in enumerate(self.columns)
            },
        )

    def _type(self, position: int) -> type:
        return self.fields[position].type if self.fields else str

    def _plain_columns(self) -> Iterator[tuple[str, list[Any]]]:
        for position, name in enumerate(self.columns):
            yield name, [_plain(row[position]) for row in self._rows]


def project_rows(items: Iterable[Any], columns: Iterable[str], *, entity: str | None = None) -> RowProjection:
    """Return the named scalar fields of each info, in order, duplicates included.

    `columns` are field names such as ``("id", "title", "width")``. Every row is read before anything is returned: a
    field that was not captured raises `SnapshotCoverageError`, never a partial table. An unknown field, a relation, a
    repeated column and items of several kinds raise `InvalidArgument`. An empty selection keeps its columns; `entity`
    (``"pane"``, ...) says what it was of.

    >>> rows = project_rows([], ("id", "title"), entity="pane")
    >>> rows.columns, len(rows), rows.as_dicts()
    (('id', 'title'), 0, [])
    """
    names = _column_names(columns)
    known = list(items)
    kinds = {entity_of(item) for item in known} | ({entity} if entity is not None else set())
    if len(kinds) > 1 or None in kinds:
        what = ", ".join(sorted({type(item).__name__ for item in known}))
        raise InvalidArgument(f"rows are made of infos of one kind{f', {entity}' if entity else ''}, not of {what}")
    kind = kinds.pop() if kinds else _fitting(names)
    if kind is not None:
        if kind not in ENTITIES:
            raise InvalidArgument(f"entity is one of {', '.join(ENTITIES)}, not {kind!r}")
        for name in names:
            find_scalar(kind, name)
    row = _row_type(names)
    rows = [row(*[getattr(item, name) for name in names]) for item in known]
    return RowProjection(names, rows, entity=kind, snapshot=getattr(items, "snapshot", None))


def _column_names(columns: Iterable[str]) -> tuple[str, ...]:
    if isinstance(columns, str):
        raise InvalidArgument(f"columns are several names, not {columns!r}: ({columns!r},)")
    names = tuple(columns)
    if not names:
        raise InvalidArgument("rows have at least one column")
    for name in names:
        if not isinstance(name, str):
            raise InvalidArgument(f"a column is the name of a field, not {name!r}")
    if len(set(names)) < len(names):
        raise InvalidArgument(f"a column is named twice: {', '.join(names)}")
    return names


def _fitting(names: tuple[str, ...]) -> str | None:
    """Return the one entity that has all the fields, ``None`` when several have."""
    fitting = [
        entity.name for entity in ENTITIES.values() if all(isinstance(entity.fields.get(n), Scalar) for n in names)
    ]
    if not fitting:
        raise InvalidArgument(f"no kind of info has all the scalar fields {', '.join(map(repr, names))}")
    return fitting[0] if len(fitting) == 1 else None


@lru_cache(maxsize=64)
def _row_type(names: tuple[str, ...]) -> Any:
    return namedtuple("Row", names)


def _plain(value: Any) -> Any:
    if isinstance(value, ClientId):
        return f"{value.name} {value.incarnation}"
    return str.__str__(value) if isinstance(value, str) else value


def _utf8(value: Any) -> Any:
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
