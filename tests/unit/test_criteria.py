"""Criteria as values: what they take, how they fail, what they are equal to."""

from __future__ import annotations

import ast
import copy
import inspect
import pickle
from enum import IntEnum, StrEnum
from typing import Any

import pytest

from muxwright.errors import InvalidArgument
from muxwright.model import criteria
from muxwright.model.catalog import ENTITIES, IDENTITIES, Relation, Scalar
from muxwright.model.criteria import ClientWhere, PaneWhere, SessionWhere, WindowLinkWhere, WindowWhere
from muxwright.model.criterion import MAX_DEPTH, AllOf, AllRelated, AnyOf, AnyRelated, Criterion, NoRelated, Not
from muxwright.model.operators import (
    AtLeast,
    Contains,
    EndsWith,
    EqualTo,
    GreaterThan,
    NotEqualTo,
    OneOf,
    StartsWith,
)
from muxwright.refs import ClientId, PaneId, SessionId, WindowId
from tests.support.criteria import nested

# The reference's catalogue: identity, type, nullable.
REFERENCE = """
pane.id PaneId | pane.index int | pane.active bool | pane.dead bool | pane.width int | pane.height int
pane.current_command str? | pane.current_path str? | pane.title str | pane.window one:window
window.id WindowId | window.name str | window.width int | window.height int | window.panes many:pane
window.windowlinks many:windowlink
session.id SessionId | session.name str | session.attached_clients int | session.windows many:window
session.windowlinks many:windowlink
client.id ClientId | client.name str | client.pid int | client.created int | client.session one:session?
windowlink.index int | windowlink.active bool | windowlink.session one:session | windowlink.window one:window
"""


def test_the_references_catalogue_is_part_of_ours() -> None:
    for entry in REFERENCE.replace("\n", "|").split("|"):
        if not entry.strip():
            continue
        identity, kind = entry.split()
        field = IDENTITIES[f"tmux.{identity}"]
        assert field.nullable == kind.endswith("?"), identity
        if isinstance(field, Relation):
            assert kind.rstrip("?") == f"{'many' if field.many else 'one'}:{field.target}"
        else:
            assert kind.rstrip("?") == field.type.__name__


def test_every_scalar_of_an_info_can_be_asked_for_with_its_type() -> None:
    for entity in ENTITIES.values():
        scalars = {name: field for name, field in entity.fields.items() if isinstance(field, Scalar)}
        own = {field.name for field in entity.info.fields}
        assert own <= set(scalars)
        assert set(scalars) - own == ({"id"} if entity.name == "client" else set())
        for name, written in entity.info.__annotations__.items():
            if name in own:
                assert written.removesuffix(" | None") == scalars[name].type.__name__, (entity.name, name)
                assert scalars[name].nullable or not written.endswith(" | None"), (entity.name, name)


def test_the_typed_signatures_are_the_catalogue() -> None:
    tree = ast.parse(inspect.getsource(criteria))
    for kind in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        found = [node for node in ast.walk(kind) if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
        of = getattr(getattr(criteria, kind.name), "of", None)
        if of is not None:
            (signature,) = found
            assert [argument.arg for argument in signature.args.kwonlyargs] == list(ENTITIES[of].fields)
            for argument in signature.args.kwonlyargs:
                assert argument.annotation is not None
                words = ast.unparse(argument.annotation)
                field = ENTITIES[of].fields[argument.arg]
                assert ("None" in words) == field.nullable, (of, argument.arg)


# The same classes to a type checker that asks nothing.
pane: Any = PaneWhere
window: Any = WindowWhere
session: Any = SessionWhere
client: Any = ClientWhere
link: Any = WindowLinkWhere


def loose(kind: Any) -> Any:
    return kind


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: pane(titel="x"), ["pane", "'titel'", "'title'"]),
        (lambda: session(windowlinks=1), ["session", "'windowlinks'", "'links'"]),
        (lambda: window(colour="x"), ["window", "'colour'", "panes"]),
        (lambda: pane(width="80"), ["pane.width", "int", "'80'"]),
        (lambda: pane(width=True), ["pane.width", "no bool", "True"]),
        (lambda: pane(width=1.0), ["pane.width", "no float", "1.0"]),
        (lambda: pane(width=EqualTo(1.0)), ["pane.width", "EqualTo(1.0)"]),
        (lambda: pane(width=None), ["pane.width", "int", "None"]),
        (lambda: pane(width=OneOf([1, True])), ["pane.width", "OneOf((1, True))"]),
        (lambda: pane(width=Contains("1")), ["pane.width", "Contains('1')"]),
        (lambda: pane(active=1), ["pane.active", "bool", "1"]),
        (lambda: pane(active="1"), ["pane.active", "bool", "'1'"]),
        (lambda: pane(active=AtLeast(1)), ["pane.active", "AtLeast(1)"]),
        (lambda: pane(title=1), ["pane.title", "str", "1"]),
        (lambda: pane(title=None), ["pane.title", "str", "None"]),
        (lambda: pane(title=PaneId("%1")), ["pane.title", "no id", "%1"]),
        (lambda: pane(title=AtLeast(1)), ["pane.title", "AtLeast(1)"]),
        (lambda: pane(title=["x"]), ["pane.title", "['x']"]),
        (lambda: pane(title=float("nan")), ["pane.title", "nan"]),
        (lambda: pane(id="%1"), ["pane.id", "PaneId", "PaneId('%1')"]),
        (lambda: pane(id=WindowId("@1")), ["pane.id", "PaneId", "@1"]),
        (lambda: pane(id=OneOf(["%1"])), ["pane.id", "PaneId"]),
        (lambda: pane(id=StartsWith("%")), ["pane.id", "StartsWith"]),
        (lambda: client(id=("a", "b")), ["client.id", "ClientId"]),
        (lambda: link(session_id="$1"), ["windowlink.session_id", "SessionId('$1')"]),
        (lambda: pane(window="api"), ["pane.window", "window criterion", "'api'"]),
        (lambda: pane(window=PaneWhere()), ["pane.window", "window criterion", "PaneWhere()"]),
        (lambda: pane(window=None), ["pane.window", "window criterion", "None"]),
        (lambda: pane(window=AnyRelated(WindowWhere())), ["pane.window", "AnyRelated"]),
        (lambda: client(session=SessionId("$1")), ["client.session", "session criterion or None"]),
        (lambda: client(session=OneOf([None])), ["client.session", "OneOf"]),
        (lambda: window(panes=PaneWhere()), ["window.panes", "AnyRelated(PaneWhere())"]),
        (lambda: window(panes=AnyRelated(WindowWhere())), ["window.panes", "pane criterion"]),
        (lambda: window(panes=None), ["window.panes", "AnyRelated", "None"]),
        (lambda: loose(AnyRelated)("api"), ["AnyRelated", "criterion", "'api'"]),
        (lambda: AllOf(PaneWhere(), WindowWhere()), ["pane", "window"]),
        (lambda: AnyOf(AllOf(), PaneWhere(), Not(SessionWhere())), ["pane", "session"]),
        (lambda: loose(Not)(lambda pane: True), ["criteria", "lambda"]),
        (lambda: loose(OneOf)("vim"), ["OneOf", "'vim'"]),
        (lambda: loose(OneOf)(3), ["OneOf", "3"]),
        (lambda: loose(OneOf)(ClientId("a", "b")), ["OneOf"]),
        (lambda: loose(OneOf)([["a"]]), ["operand", "['a']"]),
        (lambda: loose(EqualTo)(float("inf")), ["operand", "inf"]),
        (lambda: loose(EqualTo)(1j), ["operand", "1j"]),
        (lambda: AtLeast(True), ["threshold", "True"]),
        (lambda: GreaterThan("1"), ["threshold", "'1'"]),
        (lambda: AtLeast(None), ["threshold", "None"]),
        (lambda: AtLeast(float("nan")), ["threshold", "nan"]),
        (lambda: loose(Contains)(b"x"), ["Contains", "b'x'"]),
        (lambda: loose(EndsWith)(PaneId("%1")), ["EndsWith", "%1"]),
        (lambda: loose(Contains)("x", case="unicode"), ["case", "'unicode'"]),
    ],
)
def test_what_does_not_fit_is_refused_when_it_is_made(make: Any, words: list[str]) -> None:
    with pytest.raises(InvalidArgument) as caught:
        make()
    for word in words:
        assert word in str(caught.value)


def test_operands_are_plain_copies() -> None:
    class Shell(StrEnum):
        VIM = "vim"

    class Size(IntEnum):
        WIDE = 200

    assert type(EqualTo(Shell.VIM).value) is str
    assert type(EqualTo(Size.WIDE).value) is int
    assert PaneWhere(current_command=Shell.VIM) == PaneWhere(current_command="vim")
    assert PaneWhere(width=AtLeast(Size.WIDE)) == PaneWhere(width=AtLeast(200))
    values = ["a", "b"]
    chosen = OneOf(values)
    values.append("c")
    assert chosen.values == ("a", "b")


def test_large_integers_are_thresholds_too() -> None:
    assert PaneWhere(width=AtLeast(10**400)).clauses == {"width": AtLeast(10**400)}


def test_entities() -> None:
    assert PaneWhere().entity == "pane"
    assert Not(AnyOf()).entity == AllOf().entity == "any"
    assert AllOf(AnyOf(), WindowWhere()).entity == "window"
    assert PaneWhere(window=AllOf()).entity == "pane"


SOME = [
    PaneWhere(),
    PaneWhere(active=True, width=AtLeast(3), title=Contains("a", case="ascii_insensitive")),
    PaneWhere(id=PaneId("%1"), mode=None, current_command=OneOf(["a", None])),
    ClientWhere(id=ClientId("a", "1:2"), session=NotEqualTo(None)),
    ClientWhere(session=SessionWhere(name="x")),
    WindowWhere(panes=NoRelated(PaneWhere(dead=True)), links=AllRelated(WindowLinkWhere(index=1))),
    AllOf(PaneWhere(index=1), ~PaneWhere(dead=True)),
    AnyOf(),
]


@pytest.mark.parametrize("criterion", SOME, ids=str)
def test_criteria_are_values(criterion: Criterion) -> None:
    others = [
        pickle.loads(pickle.dumps(criterion)),
        copy.deepcopy(criterion),
        copy.copy(criterion),
        eval(repr(criterion), vars(criteria) | globals()),
    ]
    for other in others:
        assert other == criterion
        assert hash(other) == hash(criterion)
        assert repr(other) == repr(criterion)
    assert [other for other in SOME if other == criterion] == [criterion]


def test_the_order_of_keywords_does_not_matter() -> None:
    assert PaneWhere(width=1, active=True) == PaneWhere(active=True, width=1)
    assert list(PaneWhere(width=1, active=True).clauses) == ["active", "width"]
    assert AllOf(PaneWhere(), PaneWhere(index=1)) != AllOf(PaneWhere(index=1), PaneWhere())
    assert loose(EqualTo("a")) != NotEqualTo("a")
    assert loose(AnyRelated(PaneWhere())) != AllRelated(PaneWhere())


def test_criteria_cannot_be_changed() -> None:
    related = AnyRelated(PaneWhere())
    for value, name in ((PaneWhere(), "entity"), (PaneWhere(), "new"), (related, "criterion"), (AtLeast(1), "value")):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)
        with pytest.raises(AttributeError):
            delattr(value, name)
    with pytest.raises(TypeError):
        PaneWhere(index=1).clauses["index"] = EqualTo(2)  # type: ignore[index]  # that is the test


def test_joining_by_signs() -> None:
    one, two = PaneWhere(index=1), PaneWhere(dead=True)
    assert one & two == AllOf(one, two)
    assert one | two == AnyOf(one, two)
    assert ~one == Not(one)
    with pytest.raises(TypeError):
        one & (lambda pane: True)  # type: ignore[operator]  # that is the test
    with pytest.raises(InvalidArgument):
        one | WindowWhere()


def test_nesting_is_bounded() -> None:
    deepest = nested(MAX_DEPTH - 1)
    assert deepest.depth == MAX_DEPTH
    assert hash(pickle.loads(pickle.dumps(deepest))) == hash(deepest)
    assert repr(deepest).count("Not(") == MAX_DEPTH - 1
    with pytest.raises(InvalidArgument, match="128 levels"):
        Not(deepest)
