"""Every public name of muxwright has a docstring: what `__all__` lists, and its public methods and properties.

What the machine writes itself (``Point(x, y)`` of a dataclass or a named tuple) is no docstring.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

# Names that need none, each with the reason.
EXEMPT = {
    "__version__": "a text",
}

_MEMBERS = (staticmethod, classmethod, property)


def described(value: Any, name: str) -> bool:
    """Return whether a function, a property or a class has a docstring that somebody wrote."""
    # A method that does what its base says may leave it there; a class has to speak for itself.
    text = value.__dict__.get("__doc__") if inspect.isclass(value) else inspect.getdoc(value)
    text = (text or "").strip()
    return bool(text) and not text.startswith(f"{name}(")


def members(cls: type, package: str) -> Iterator[tuple[str, Any]]:
    """Yield the public methods, properties and classes of a class, also those of its bases in the package."""
    seen: set[str] = set()
    for base in cls.__mro__:
        if base.__module__.partition(".")[0] != package:
            continue
        for name, member in vars(base).items():
            if name.startswith("_") or name in seen:
                continue
            seen.add(name)
            if inspect.isfunction(member) or inspect.isclass(member) or isinstance(member, _MEMBERS):
                # Through the class, so that what a base says counts; a property only speaks for itself.
                yield name, member if isinstance(member, property) else getattr(cls, name)


def missing(module: ModuleType) -> list[str]:
    """Return the public names of a module that lack a docstring, as ``Class.method``."""
    found = []
    for name in module.__all__:
        if name in EXEMPT:
            continue
        value = getattr(module, name)
        if not (inspect.isclass(value) or callable(value)):
            continue
        if not described(value, name):
            found.append(name)
        if inspect.isclass(value):
            found += [
                f"{name}.{member}"
                for member, content in members(value, module.__name__.partition(".")[0])
                if not described(content, member)
            ]
    return found


def main() -> int:
    import muxwright

    names = missing(muxwright)
    for name in names:
        print(f"muxwright.{name} has no docstring", file=sys.stderr)
    return bool(names)


if __name__ == "__main__":
    sys.exit(main())
