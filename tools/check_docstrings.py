"""What `make check` asks of the docstrings of public names: what `__all__` lists, and its methods and properties.

1. Everything has one. What the machine writes itself (``Point(x, y)`` of a dataclass or a named tuple) is none.
2. It mentions every parameter. What it refers to counts ("as for `new_session`"), and what its class says of all its
   methods, and what a base says of the same one. `timeout` and `cancel`, which most calls have, the host explains.
3. Of a parameter that is a number it says the unit or the range, and the default where there is one.
4. It names each error that the code behind it names (see `raised.py`), unless that is one which every call may raise:
   those stand in one table, which is read to see that they do. A call that names no error raises only those.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.raised import Sources  # noqa: E402 - run as a file, it has to find its neighbour first

# Names that need none, each with the reason.
EXEMPT = {
    "__version__": "a text",
}

# Where the errors stand that every call may raise, and which they are.
TABLE = ROOT / "docs" / "guide" / "execution.md"
COMMON = frozenset(
    """CommandError ConnectionBusy ConnectionClosed ConnectionLost CreationResponseError CrossServerReference
    DeadlineExceeded ForkedConnection InconsistentSnapshot InvalidArgument LocalProtocolError MuxwrightError NotFound
    OutputLimitExceeded ProcessIOError ProcessSpawnError RemoteProtocolError RequestCancelled ServerError ServerLost
    ServerNotRunning ServerUnreachable StaleReference TmuxNotFound""".split()
)
# Errors that the code of a function names for another use of it: a cell is clicked at here, and no locator.
_PLACES = frozenset(("MultipleMatchesError", "NoMatchError"))
UNRAISED = {"Viewing.click": _PLACES, "Viewing.scroll": _PLACES, "Viewing.drag": _PLACES}
SHARED = frozenset(("self", "cls", "timeout", "cancel"))

_MEMBERS = (staticmethod, classmethod, property)
_REFERENCE = re.compile(r"(?:like|as|for|see|of|by|and) `([\w.]+)`")
_UNIT = re.compile(
    r"\d|second|byte|[KM]iB|cell|line|row|column|character|index|number|position|level|percent|item|times",
    re.IGNORECASE,
)


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


# --- what is said -----------------------------------------------------------------------------------------------------


def _functions(module: ModuleType) -> Iterator[tuple[str, Callable[..., Any], type | None, bool]]:
    """Yield each public function of a module: its name, itself, its class, and whether it is read like a value."""
    package = module.__name__.partition(".")[0]
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.isfunction(value):
            yield name, value, None, False
        elif inspect.isclass(value):
            for member, content in members(value, package):
                function = content.fget if isinstance(content, property) else content
                if inspect.isroutine(function) and inspect.unwrap(function).__module__.startswith(package):
                    yield f"{name}.{member}", function, value, isinstance(content, property)


def _said(function: Callable[..., Any], cls: type | None, module: ModuleType, seen: set[str]) -> str:
    """Return a function's docstring with those that it refers to, and those of the same method of its bases."""
    parts = [inspect.getdoc(function) or ""]
    name = function.__name__
    if cls is not None:
        having = [base for base in cls.__mro__ if name in vars(base)]
        parts += [inspect.getdoc(part) or "" for base in having for part in (base, vars(base)[name])]
    for reference in _REFERENCE.findall(parts[0]):
        if reference not in seen:
            seen.add(reference)
            parts += [_said(found, owner, module, seen) for found, owner in _referred(reference, cls, module)]
    return "\n".join(parts)


def _referred(name: str, cls: type | None, module: ModuleType) -> Iterator[tuple[Callable[..., Any], type | None]]:
    """Yield what a name in a docstring stands for: a method of the same class, or the first class that has one."""
    owner, _, method = name.rpartition(".")
    everywhere = [value for value in (getattr(module, public) for public in module.__all__) if inspect.isclass(value)]
    owners = [getattr(module, owner, None)] if owner else [cls, *everywhere]
    found = next((one for one in owners if inspect.isroutine(getattr(one, method, None))), None)
    if found is not None:
        yield getattr(found, method), found
    elif inspect.isfunction(getattr(module, name, None)):
        yield getattr(module, name), None


def _mentions(text: str, parameter: str) -> bool:
    words = parameter.strip("_").replace("_", r"[ _-]")
    return re.search(rf"\b{words}s?\b", text, re.IGNORECASE) is not None


def _of_a_number(parameter: inspect.Parameter, said: str) -> str:
    """Return what a docstring does not say of a number: ``"unit"``, ``"default"`` or nothing."""
    if not re.search(r"\b(?:int|float)\b", str(parameter.annotation)):
        return ""
    near = " ".join(part for part in re.split(r"(?<=[.;])\s|\n\n", said) if _mentions(part, parameter.name))
    if not _UNIT.search(near):
        return "unit"
    default = parameter.default
    has_number = isinstance(default, int | float) and not isinstance(default, bool)
    return "default" if has_number and "default" not in near and str(default) not in near else ""


def incomplete(module: ModuleType, sources: Sources) -> list[str]:
    """Return what the docstrings of a module's public functions leave out, one line each."""
    found = []
    done: set[str] = set()
    for name, function, cls, is_property in _functions(module):
        home = f"{inspect.unwrap(function).__module__.partition('.')[2]}.{function.__qualname__}"
        if home in done:  # inherited by several
            continue
        done.add(home)
        said = _said(function, cls, module, set())
        parameters = () if is_property else inspect.signature(function).parameters.values()
        for parameter in parameters:
            if parameter.name in SHARED:
                continue
            if not _mentions(said, parameter.name):
                found.append(f"{name} does not mention {parameter.name}")
            elif lacking := _of_a_number(parameter, said):
                found.append(f"{name} does not say the {lacking} of {parameter.name}")
        errors = sources.errors(home) - COMMON - UNRAISED.get(function.__qualname__.removeprefix("Async"), frozenset())
        found += [f"{name} does not name {error}" for error in sorted(errors) if error not in said]
    return found


def unlisted(table: str) -> list[str]:
    """Return the errors of every call that the table of them does not name."""
    return sorted(error for error in COMMON if f"`{error}`" not in table)


def needless(sources: Sources) -> list[str]:
    """Return the exceptions of `UNRAISED` that nothing needs: the code behind the method names no such error."""
    lines = []
    for name, errors in UNRAISED.items():
        cls, _, method = name.partition(".")
        unknown = set(errors) - sources.errors(f"_async.{cls.lower()}.Async{cls}.{method}")
        lines += [f"{name} needs no exception for {error}" for error in sorted(unknown)]
    return lines


def main() -> int:
    import muxwright

    problems = [f"muxwright.{name} has no docstring" for name in missing(muxwright)]
    assert muxwright.__file__ is not None
    sources = Sources(Path(muxwright.__file__).parent)
    problems += [f"muxwright.{line}" for line in incomplete(muxwright, sources)] + needless(sources)
    problems += [f"{TABLE.name} does not name {error}" for error in unlisted(TABLE.read_text("utf-8"))]
    for problem in problems:
        print(problem, file=sys.stderr)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
