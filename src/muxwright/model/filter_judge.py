"""What the nodes of a filter-v1 document mean: each becomes one function that reads and one that judges."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import Any, Final, NamedTuple

from muxwright.errors import WireCriteriaError
from muxwright.model.filter_fields import TARGETS, Field, ManyField, Target
from muxwright.model.filter_pattern import compile_pattern

__all__ = ["OPERATORS", "SETS", "Compiled", "Junction", "Leaf", "Node", "Quantified", "compile_node"]

_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]{0,39}")
_ORDER: Final = {"lt": lt, "lte": le, "gt": gt, "gte": ge}
SETS: Final = ("in", "not_in")
_PATTERNS: Final = ("regex", "regex_ignore_case")
_TEXTS: Final[dict[str, Callable[[str, str], bool]]] = {
    "eq": str.__eq__,
    "contains": str.__contains__,
    "starts_with": str.startswith,
    "ends_with": str.endswith,
}
_FOLDED: Final = {f"{op}_ignore_case": found for op, found in _TEXTS.items()}
_LITERALS: Final = {"text": "a string", "bool": "a bool", "int": "a decimal string"}
OPERATORS: Final = {
    "text": {*_TEXTS, *_FOLDED, *_PATTERNS, *SETS},
    "bool": {"eq", *SETS},
    "int": {"eq", *SETS, *_ORDER},
}

Test = Callable[[Any], bool]


class Leaf(NamedTuple):
    """A predicate on one field; `value` is as it stands in the document, an array as a tuple."""

    op: str
    field: str
    value: str | bool | tuple[str | bool, ...]


class Quantified(NamedTuple):
    """A predicate on related infos."""

    field: str
    quantifier: str
    expr: Node


class Junction(NamedTuple):
    """Nodes joined by ``and`` or ``or``, or the one node of a ``not``."""

    op: str
    args: tuple[Node, ...]


Node = Leaf | Quantified | Junction


class Compiled(NamedTuple):
    """The two functions of a node: one reads everything that it needs of an info, one judges it."""

    check: Callable[[Any], object]
    test: Test


def compile_node(node: Node, target: Target, path: str) -> Compiled:
    """Return the functions of a node; raises `WireCriteriaError` for a name, an operator or a literal that is wrong."""
    if isinstance(node, Leaf):
        return _compile_leaf(node, target, path)
    if isinstance(node, Quantified):
        return _compile_relation(node, target, path)
    if node.op == "not":
        check_one, only = compile_node(node.args[0], target, f"{path}.expr")
        return Compiled(check_one, lambda item: not only(item))
    parts = [compile_node(arg, target, f"{path}.args[{position}]") for position, arg in enumerate(node.args, 1)]
    checks = [part.check for part in parts]
    tests = [part.test for part in parts]

    def check(item: Any) -> None:
        for one in checks:
            one(item)

    if node.op == "and":
        return Compiled(check, lambda item: all(test(item) for test in tests))
    return Compiled(check, lambda item: any(test(item) for test in tests))


def _compile_relation(node: Quantified, target: Target, path: str) -> Compiled:
    field = target.fields.get(node.field)
    if not isinstance(field, ManyField):
        raise WireCriteriaError("unknown_field", path, f"{target.name} has no such relation")
    if node.quantifier == "is":
        raise WireCriteriaError("unknown_quantifier", path, "'is' asks about one related object, these are many")
    read = field.read
    check_member, test = compile_node(node.expr, TARGETS[field.target], f"{path}.expr")

    def check(item: Any) -> None:
        for member in read(item):
            check_member(member)

    if node.quantifier == "any":
        return Compiled(check, lambda item: any(test(member) for member in read(item)))
    if node.quantifier == "all":
        return Compiled(check, lambda item: all(test(member) for member in read(item)))
    return Compiled(check, lambda item: not any(test(member) for member in read(item)))


def _compile_leaf(leaf: Leaf, target: Target, path: str) -> Compiled:
    field = target.fields.get(leaf.field)
    if not isinstance(field, Field):
        raise WireCriteriaError("unknown_field", path, f"{target.name} has no such scalar field in a snapshot")
    if leaf.op not in OPERATORS[field.kind]:
        raise WireCriteriaError("unknown_operator", path, f"{leaf.op} does not apply to {field.kind}")
    given = leaf.value if isinstance(leaf.value, tuple) else (leaf.value,)
    values = [_literal(value, field, path) for value in given]
    judge = _text_test(leaf.op, values, path) if field.kind == "text" else _set_test(leaf.op, values)
    read = field.read
    return Compiled(read, lambda item: (value := read(item)) is not None and judge(value))


def _literal(value: str | bool, field: Field, path: str) -> Any:
    if isinstance(value, bool) != (field.kind == "bool"):
        raise WireCriteriaError("invalid_literal", path, f"a {field.kind} is compared with {_LITERALS[field.kind]}")
    if field.kind != "int":
        return value
    if not _INTEGER.fullmatch(str(value)) or not field.low <= int(value) <= field.high:
        raise WireCriteriaError("invalid_literal", path, f"a canonical decimal from {field.low} to {field.high}")
    return int(value)


def _set_test(op: str, values: list[Any]) -> Test:
    if op in _ORDER:
        ordered, (bound,) = _ORDER[op], values
        return lambda value: ordered(value, bound)
    known = frozenset(values)
    return (lambda value: value not in known) if op == "not_in" else known.__contains__


def _text_test(op: str, values: list[str], path: str) -> Test:
    if op in SETS:
        judge = _set_test(op, values)
    elif op in _PATTERNS:
        judge = compile_pattern(values[0], ignore_case=op != "regex", path=path)
    elif op in _FOLDED:
        folded, found = values[0].casefold(), _FOLDED[op]
        judge = lambda text: found(text.casefold(), folded)  # noqa: E731 - one of four ways to the same name
    else:
        wanted, stands = values[0], _TEXTS[op]
        judge = lambda text: stands(text, wanted)  # noqa: E731
    return lambda text: _is_utf8(text) and judge(text)


def _is_utf8(text: str) -> bool:
    """Whether the captured bytes were UTF-8; the others are lone surrogates (see `decode_text`)."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
