"""How a criterion judges: it is turned into two functions once for each snapshot.

`check` reads everything, in every branch; `test` answers. Both remember related infos, which a snapshot holds as long
as it lives, so each related info is checked and judged once for each criterion however many ways lead to it: nested
relations stay linear. They hold no reference to the snapshot, which may therefore go before its criteria.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from muxwright.errors import InvalidArgument
from muxwright.model.catalog import ENTITIES, Scalar
from muxwright.model.criteria import Where
from muxwright.model.criterion import AllOf, AllRelated, AnyOf, AnyRelated, Criterion, Not, Related
from muxwright.model.operators import EqualTo, NotEqualTo, Operator

__all__ = ["Compiled", "compile_criterion"]

Check = Callable[[Any], None]
Test = Callable[[Any], bool]


class Compiled(NamedTuple):
    """The two functions of a criterion."""

    check: Check
    test: Test


Done = dict[Criterion, Compiled]


def compile_criterion(criterion: Criterion, done: Done) -> Compiled:
    """Return the functions of a criterion; `done` holds those of related criteria that were made already."""
    match criterion:
        case Where():
            return _where(criterion, done)
        case AllOf():
            return _joined([compile_criterion(child, done) for child in criterion.criteria], stop=False)
        case AnyOf():
            return _joined([compile_criterion(child, done) for child in criterion.criteria], stop=True)
        case Not():
            check, test = compile_criterion(criterion.criterion, done)
            return Compiled(check, lambda item: not test(item))
    raise InvalidArgument(f"{type(criterion).__name__} is no built-in criterion")


def _joined(children: list[Compiled], *, stop: bool) -> Compiled:
    checks = [child.check for child in children]
    tests = [child.test for child in children]

    def check(item: Any) -> None:
        for one in checks:
            one(item)

    def test(item: Any) -> bool:
        for one in tests:
            if one(item) is stop:
                return stop
        return not stop

    return Compiled(check, test)


def _where(criterion: Where, done: Done) -> Compiled:
    fields = ENTITIES[criterion.entity].fields
    checks: list[Check] = []
    tests: list[tuple[str, Test]] = []
    for name, constraint in criterion.clauses.items():
        if isinstance(constraint, Related):
            check, test = _related(name, constraint, done)
        elif isinstance(constraint, Criterion):
            check, test = _to_one(name, constraint, done)
        else:
            check, test = _scalar(fields[name], constraint)
        checks.append(check)
        tests.append((name, test))

    def check_all(item: Any) -> None:
        for one in checks:
            one(item)

    def test_all(item: Any) -> bool:
        for attribute, one in tests:  # noqa: SIM110 - twice as fast as all() of a generator
            if not one(getattr(item, attribute)):
                return False
        return True

    return Compiled(check_all, test_all)


def _scalar(field: Any, constraint: Operator) -> Compiled:
    name = field.name
    if not isinstance(field, Scalar):  # a relation that may be to nothing, compared with None
        wanted = isinstance(constraint, EqualTo)
        assert wanted or isinstance(constraint, NotEqualTo)
        return Compiled(lambda item: getattr(item, name), lambda value: (value is None) is wanted)

    kinds = (field.type, type(None)) if field.nullable else (field.type,)

    def check(item: Any) -> None:
        value = getattr(item, name)
        if type(value) not in kinds:
            raise InvalidArgument(
                f"{field.entity} {item.label}: the captured {name} is {value!r}, no {field.type.__name__}"
            )

    return Compiled(check, constraint.test())


def _member(criterion: Criterion, done: Done) -> Compiled:
    """Return the functions of a related criterion, which remember what they found out about each info."""
    if criterion in done:
        return done[criterion]
    check, test = compile_criterion(criterion, done)
    checked: set[int] = set()
    known: dict[int, bool] = {}

    def check_once(item: Any) -> None:
        if id(item) not in checked:
            check(item)
            checked.add(id(item))

    def test_once(item: Any) -> bool:
        answer = known.get(id(item))
        if answer is None:
            answer = known[id(item)] = test(item)
        return answer

    return done.setdefault(criterion, Compiled(check_once, test_once))


def _related(name: str, constraint: Related, done: Done) -> Compiled:
    check_member, test_member = _member(constraint.criterion, done)
    # Any stops at the first match and says yes, none stops there and says no, all stops at the first that is none.
    stop = not isinstance(constraint, AllRelated)
    answer = isinstance(constraint, AnyRelated)

    def check(item: Any) -> None:
        for member in getattr(item, name):
            check_member(member)

    def test(members: Any) -> bool:
        for member in members:
            if test_member(member) is stop:
                return answer
        return not answer

    return Compiled(check, test)


def _to_one(name: str, criterion: Criterion, done: Done) -> Compiled:
    check_member, test_member = _member(criterion, done)

    def check(item: Any) -> None:
        member = getattr(item, name)
        if member is not None:
            check_member(member)

    return Compiled(check, lambda member: member is not None and test_member(member))
