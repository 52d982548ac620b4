"""Which errors the code of a function names: what it raises or requires itself, and what the functions it uses do.

Read from the source, without running it: names are followed through modules, functions and constants of the package.
What is caught is taken off again. tmux's own refusals and the transports are not followed; what comes from there is
either common to all calls or has to be known by whoever writes the docstring.
"""

from __future__ import annotations

import ast
import re
from functools import cached_property
from pathlib import Path

__all__ = ["Sources"]

# Where what tmux says becomes an error: every call may end there, and the text of the refusal decides. And the one hook
# that keeps a process from reading any screen, which the table of servers and connections in docs/guide tells of.
OPAQUE = {"commands.refusals", "commands.guards.refused", "operations.steps", "operations.hooks"}
# A class is followed through the methods that make it and that its users call without a name.
_MAKING = ("__init__", "__new__", "__post_init__")


class _Reader(ast.NodeVisitor):
    """Collects what a piece of code refers to, and which errors it catches."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names
        self.used: set[str] = set()
        self.caught: set[str] = set()

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in self.names:
            self.used.add(self.names[node.id])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name) and node.value.id in self.names:
            self.used.add(f"{self.names[node.value.id]}.{node.attr}")
        elif isinstance(node.value, ast.Name) and node.value.id == "self":
            self.used.add(f"self.{node.attr}")
        else:
            self.visit(node.value)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.type is not None:
            self.caught |= self._errors(node.type)
        for child in node.body:
            self.visit(child)

    def visit_Call(self, node: ast.Call) -> None:
        called = ast.unparse(node.func)
        if called == "isinstance":
            return
        if called == "contextlib.suppress":
            for argument in node.args:
                self.caught |= self._errors(argument)
            return
        self.generic_visit(node)

    def _errors(self, node: ast.expr) -> set[str]:
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        return {self.names[part.id] for part in parts if isinstance(part, ast.Name) and part.id in self.names}


class Sources:
    """The package's source: `errors("_async.pane.AsyncPane.pipe")` gives the names of error classes."""

    def __init__(self, package: Path) -> None:
        self._package = package
        self._found: dict[str, frozenset[str]] = {}

    @cached_property
    def _nodes(self) -> dict[str, tuple[ast.AST, dict[str, str]]]:
        """Every function, method and constant by its dotted name, with the meaning of the names around it."""
        nodes: dict[str, tuple[ast.AST, dict[str, str]]] = {}
        for path in sorted(self._package.rglob("*.py")):
            module = ".".join(path.relative_to(self._package).with_suffix("").parts).removesuffix(".__init__")
            tree = ast.parse(path.read_text("utf-8"))
            names = self._names(tree, module)
            for node in tree.body:
                for name in _defined(node):
                    nodes[f"{module}.{name}"] = (node, names)
                if isinstance(node, ast.ClassDef):
                    for member in node.body:
                        if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef):
                            nodes[f"{module}.{node.name}.{member.name}"] = (member, names)
        return nodes

    def _names(self, tree: ast.Module, module: str) -> dict[str, str]:
        names = {name: f"{module}.{name}" for node in tree.body for name in _defined(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "muxwright":
                home = (node.module or "").partition(".")[2]
                names |= {alias.asname or alias.name: f"{home}.{alias.name}".lstrip(".") for alias in node.names}
        return names

    def errors(self, name: str) -> frozenset[str]:
        """Return the error classes that the code behind a dotted name may raise."""
        if name in self._found:
            return self._found[name]
        self._found[name] = frozenset()  # of a function that uses itself
        self._found[name] = found = frozenset(self._collect(name))
        return found

    def _collect(self, name: str) -> set[str]:
        home, _, own = name.rpartition(".")
        if home == "errors":
            return {own}
        if name not in self._nodes or any(name == opaque or name.startswith(f"{opaque}.") for opaque in OPAQUE):
            return set()
        node, names = self._nodes[name]
        if isinstance(node, ast.ClassDef):
            return set().union(*[self.errors(f"{name}.{method}") for method in _MAKING])
        reader = _Reader(names)
        for child in node.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else [node]:
            reader.visit(child)
        used = {f"{home}.{each.removeprefix('self.')}" if each.startswith("self.") else each for each in reader.used}
        found = set().union(*[self.errors(each) for each in used - {name}])
        direct = {each.removeprefix("errors.") for each in used if re.fullmatch(r"errors\.[A-Z]\w*", each)}
        return direct | (found - {each.rpartition(".")[2] for each in reader.caught})


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]
