"""The names that a fixture table of criteria may use, and the tables themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from muxwright.model import criteria, criterion, operators
from muxwright.model.criteria import PaneWhere
from muxwright.model.criterion import Criterion, Not
from muxwright.refs import ClientId, PaneId, SessionId, WindowId

TABLES = Path(__file__).resolve().parents[1] / "unit" / "data" / "where"


class Mine(PaneWhere):
    """A user's own criterion."""

    __slots__ = ()


def nested(depth: int) -> Criterion:
    """A criterion below that many negations."""
    inner: Criterion = PaneWhere(active=True)
    for _ in range(depth):
        inner = Not(inner)
    return inner


NAMES: dict[str, Any] = {
    **{name: getattr(module, name) for module in (criteria, criterion, operators) for name in module.__all__},
    **{kind.__name__: kind for kind in (ClientId, PaneId, SessionId, WindowId, Mine)},
    "nested": nested,
}


def table(name: str) -> dict[str, list[dict[str, Any]]]:
    """A fixture table: its groups (`valid`, `invalid`, ...) of cases."""
    groups: dict[str, list[dict[str, Any]]] = json.loads((TABLES / f"{name}.json").read_text(encoding="utf-8"))
    return groups


def evaluated(source: str) -> Any:
    """The value of a Python expression out of a table."""
    return eval(source, dict(NAMES))
