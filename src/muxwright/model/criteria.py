"""Criteria: questions about captured infos, as values.

A criterion is immutable, hashable and pure; it is called with an info, so it works with `filter`, `sum`, `any` and in
comprehensions, and with `Selection.filter`. Its fields are joined by *and*; ``&``, ``|`` and ``~`` join criteria.

Before anything is judged, every branch is checked for coverage, also those that a short circuit would skip, and every
related info: one info for a call, the whole selection for `Selection.filter` and `only_match`. What was not captured
raises `SnapshotCoverageError`; it never reads as "no match".

Where the reference is silent: criteria compare and encode in the catalogue's field order, whatever order they were
written in; they nest to `criterion.MAX_DEPTH`, so no operation on one can exhaust the stack.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from muxwright.errors import InvalidArgument
from muxwright.model.catalog import ENTITIES, Relation, Scalar
from muxwright.model.criterion import ANY, Criterion, Related
from muxwright.model.operators import (
    AtLeast,
    AtMost,
    Contains,
    EndsWith,
    EqualTo,
    GreaterThan,
    LessThan,
    NotEqualTo,
    OneOf,
    Operator,
    StartsWith,
)
from muxwright.refs import ClientId, PaneId, SessionId, WindowId

if TYPE_CHECKING:
    Same = EqualTo | NotEqualTo | OneOf
    TextMatch = str | Same | Contains | StartsWith | EndsWith
    NumberMatch = int | Same | AtLeast | AtMost | GreaterThan | LessThan
    FlagMatch = bool | Same

__all__ = ["ClientWhere", "Constraint", "PaneWhere", "SessionWhere", "Where", "WindowLinkWhere", "WindowWhere"]

Constraint = Operator | Related | Criterion


class Where(Criterion):
    """Base of the five criteria over fields; a keyword that is left out constrains nothing."""

    __slots__ = ()

    of: ClassVar[str]

    def __init__(self, **fields: Any) -> None:
        entity = ENTITIES[self.of]
        given = {name: _constraint(entity.field(name), value) for name, value in fields.items()}
        clauses = tuple((name, given[name]) for name in entity.fields if name in given)
        nested = (value.criterion if isinstance(value, Related) else value for value in given.values())
        self._settle(self.of, clauses, (value for value in nested if isinstance(value, Criterion)))

    @property
    def clauses(self) -> Mapping[str, Constraint]:
        """What is asked of each named field, in the catalogue's order."""
        return MappingProxyType(dict(self._parts))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), dict(self._parts))

    def __repr__(self) -> str:
        shown = ((name, value.value if isinstance(value, EqualTo) else value) for name, value in self._parts)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in shown)})"


def _rebuild(kind: type[Where], fields: dict[str, Any]) -> Where:
    return kind(**fields)


def _constraint(field: Scalar | Relation, given: object) -> Constraint:
    """Return what is asked of a field; raises `InvalidArgument` naming entity, field and what it takes."""
    constraint = given if isinstance(given, Operator | Related | Criterion) else _equal(field, given)
    if not (_fits_relation(field, constraint) if isinstance(field, Relation) else _fits_scalar(field, constraint)):
        raise InvalidArgument(f"{field.entity}.{field.name} takes {_takes(field)}, not {given!r}{_hint(field, given)}")
    return constraint


def _equal(field: Scalar | Relation, value: object) -> EqualTo:
    try:
        return EqualTo(value)
    except InvalidArgument:
        raise InvalidArgument(f"{field.entity}.{field.name} takes {_takes(field)}, not {value!r}") from None


def _fits_scalar(field: Scalar, constraint: Constraint) -> bool:
    match constraint:
        case EqualTo() | NotEqualTo():
            return field.accepts(constraint.value)
        case OneOf():
            return all(map(field.accepts, constraint.values))
        case Contains() | StartsWith() | EndsWith():
            return field.type is str
        case AtLeast() | AtMost() | GreaterThan() | LessThan():
            return field.type is int
    return False


def _fits_relation(field: Relation, constraint: Constraint) -> bool:
    if field.many:
        return isinstance(constraint, Related) and constraint.criterion.entity in (field.target, ANY)
    if isinstance(constraint, Criterion):
        return constraint.entity in (field.target, ANY)
    return field.nullable and isinstance(constraint, EqualTo | NotEqualTo) and constraint.value is None


def _takes(field: Scalar | Relation) -> str:
    if isinstance(field, Relation):
        one = f"a {field.target} criterion"
        return f"AnyRelated, AllRelated or NoRelated of {one}" if field.many else one + " or None" * field.nullable
    kind = {str: "a str (no id)", int: "an int (no bool, no float)", bool: "a bool"}.get(
        field.type, f"a {field.type.__name__}"
    )
    more = {str: ", Contains, StartsWith or EndsWith", int: ", AtLeast, AtMost, GreaterThan or LessThan"}
    return f"{kind}{' or None' * field.nullable}, or EqualTo, NotEqualTo or OneOf of it{more.get(field.type, '')}"


def _hint(field: Scalar | Relation, given: object) -> str:
    if isinstance(field, Relation):
        return f": AnyRelated({given!r})" if field.many and isinstance(given, Criterion) else ""
    if type(given) is str and field.type in (PaneId, WindowId, SessionId):
        return f": {field.type.__name__}({given!r})"
    return ""


class PaneWhere(Where):
    """Panes whose fields all match; a bare value means equality, ``None`` a known absence.

    Raises `InvalidArgument`, naming the entity, the field and what it takes, for a wrong name, type or operator.

    >>> PaneWhere(active=True, width=AtLeast(100), window=WindowWhere(name="api"))
    PaneWhere(active=True, width=AtLeast(100), window=WindowWhere(name='api'))
    >>> PaneWhere(titel="build")
    Traceback (most recent call last):
    muxwright.errors.InvalidArgument: pane has no field 'titel'; did you mean 'title'?
    """

    __slots__ = ()
    of = "pane"

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            id: PaneId | Same = ...,  # noqa: A002 - the field's name
            window_id: WindowId | Same = ...,
            index: NumberMatch = ...,
            active: FlagMatch = ...,
            dead: FlagMatch = ...,
            exit_status: NumberMatch | None = ...,
            pid: NumberMatch | None = ...,
            tty: TextMatch | None = ...,
            width: NumberMatch = ...,
            height: NumberMatch = ...,
            left: NumberMatch = ...,
            top: NumberMatch = ...,
            cursor_x: NumberMatch = ...,
            cursor_y: NumberMatch = ...,
            history_size: NumberMatch = ...,
            history_limit: NumberMatch = ...,
            mode: TextMatch | None = ...,
            piped: FlagMatch = ...,
            input_off: FlagMatch = ...,
            synchronized: FlagMatch = ...,
            title: TextMatch = ...,
            current_command: TextMatch | None = ...,
            current_path: TextMatch | None = ...,
            start_command: TextMatch | None = ...,
            window: Criterion = ...,
        ) -> None: ...


class WindowWhere(Where):
    """Windows whose fields all match; the rules are those of `PaneWhere`. A linked window is one window.

    >>> from muxwright.model.criterion import AnyRelated
    >>> WindowWhere(name="api", panes=AnyRelated(PaneWhere(active=True)))
    WindowWhere(name='api', panes=AnyRelated(PaneWhere(active=True)))
    """

    __slots__ = ()
    of = "window"

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            id: WindowId | Same = ...,  # noqa: A002 - the field's name
            name: TextMatch = ...,
            width: NumberMatch = ...,
            height: NumberMatch = ...,
            layout: TextMatch = ...,
            visible_layout: TextMatch = ...,
            zoomed: FlagMatch = ...,
            activity: NumberMatch = ...,
            panes: Related = ...,
            links: Related = ...,
        ) -> None: ...


class SessionWhere(Where):
    """Sessions whose fields all match; the rules are those of `PaneWhere`. `windows` are each once, through the links.

    >>> SessionWhere(name=StartsWith("ci-"), attached_clients=0)
    SessionWhere(name=StartsWith('ci-'), attached_clients=0)
    """

    __slots__ = ()
    of = "session"

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            id: SessionId | Same = ...,  # noqa: A002 - the field's name
            name: TextMatch = ...,
            attached_clients: NumberMatch = ...,
            created: NumberMatch = ...,
            activity: NumberMatch = ...,
            last_attached: NumberMatch | None = ...,
            group: TextMatch | None = ...,
            path: TextMatch = ...,
            windows: Related = ...,
            links: Related = ...,
        ) -> None: ...


class ClientWhere(Where):
    """Clients whose fields all match; the rules are those of `PaneWhere`. ``session=None``: attached to none.

    >>> ClientWhere(control=False, session=SessionWhere(name="work"))
    ClientWhere(control=False, session=SessionWhere(name='work'))
    """

    __slots__ = ()
    of = "client"

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            id: ClientId | Same = ...,  # noqa: A002 - the field's name
            name: TextMatch = ...,
            pid: NumberMatch = ...,
            created: NumberMatch = ...,
            session_id: SessionId | Same | None = ...,
            activity: NumberMatch = ...,
            width: NumberMatch = ...,
            height: NumberMatch = ...,
            tty: TextMatch | None = ...,
            control: FlagMatch = ...,
            readonly: FlagMatch = ...,
            session: Criterion | EqualTo | NotEqualTo | None = ...,
        ) -> None: ...


class WindowLinkWhere(Where):
    """Window links whose fields all match; the rules are those of `PaneWhere`.

    >>> WindowLinkWhere(index=4, window=WindowWhere(name="api"))
    WindowLinkWhere(index=4, window=WindowWhere(name='api'))
    """

    __slots__ = ()
    of = "windowlink"

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            session_id: SessionId | Same = ...,
            window_id: WindowId | Same = ...,
            index: NumberMatch = ...,
            active: FlagMatch = ...,
            session: Criterion = ...,
            window: Criterion = ...,
        ) -> None: ...
