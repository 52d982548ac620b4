"""Checks the shape of the package by reading its syntax trees; nothing is imported.

- imports go down only, and neighbours on one row do not import each other;
- the pure layers do no input or output, read no clock and start nothing;
- the library's own layers import only the standard library (the extras are for the programs on top);
- files and functions stay short.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "muxwright"

# From top to bottom: a layer may import every row below its own.
ROWS: tuple[tuple[str, ...], ...] = (
    ("cli",),
    ("mcp",),
    ("workspace", "testing"),
    # Pixels need an extra and fonts from the disk; `mcp`, `testing` and `cli` all show them.
    ("pictures",),
    ("_async", "_sync"),
    ("transports",),
    ("operations",),
    ("model", "commands"),
    ("refs", "wire", "screen", "shells"),
    ("errors",),
)
LEVEL = {layer: len(ROWS) - number for number, row in enumerate(ROWS) for layer in row}

# `muxwright/__init__.py` gathers the public names from below; only the programs on top may use them from there.
FACADE = ""
MAY_IMPORT_FACADE = {*ROWS[0], *ROWS[1], *ROWS[2]}
MAY_USE_EXTRAS = {*MAY_IMPORT_FACADE, *ROWS[3]}

PURE = {"operations", "model", "commands", "refs", "wire", "screen", "shells", "errors"}
IMPURE_MODULES = frozenset(
    """
    asyncio concurrent ctypes fcntl fileinput ftplib getpass glob http importlib io logging mmap
    multiprocessing os pathlib pty queue resource sched select selectors shutil signal socket socketserver
    ssl subprocess tempfile termios threading time tty urllib _thread
    """.split()
)
# Names without effects in modules that have some.
PURE_NAMES = {
    "pathlib": {"PurePath", "PurePosixPath"},
    "urllib": {"parse"},
    "urllib.parse": {"quote", "unquote", "urlsplit", "urlunsplit"},
}
IMPURE_CALLS = {"open", "print", "input", "breakpoint", "exec", "eval", "__import__"}
CLOCKS = {("datetime", "now"), ("datetime", "utcnow"), ("datetime", "today"), ("date", "today")}

FILE_WARN, FILE_FAIL, FUNCTION_FAIL = 400, 500, 50
# Path below the repository -> why it may be long. An entry that is no longer needed fails the check.
LONG_FILES: dict[str, str] = {
    "src/muxwright/__init__.py": "the list of the public names",
    "src/muxwright/errors.py": "the error tree, a few lines for each",
}
# "path:function" -> why it may be long.
LONG_FUNCTIONS: dict[str, str] = {}


@dataclass(frozen=True)
class Finding:
    path: str
    line: int
    message: str
    fails: bool = True

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {'' if self.fails else 'note: '}{self.message}"


@dataclass(frozen=True)
class Import:
    module: str
    name: str | None  # None for `import module`
    line: int


def layer_of(module: str) -> str:
    """The layer of a dotted module name inside the package; the package itself is the facade."""
    parts = module.split(".")
    if len(parts) == 1:
        return FACADE
    return "cli" if parts[1] == "__main__" else parts[1]


def module_of(path: Path, source: Path) -> str:
    parts = list(path.relative_to(source).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


def imports(tree: ast.AST, module: str, *, is_package: bool) -> Iterator[Import]:
    """Every import of the file, also those inside functions and under TYPE_CHECKING: a type is a dependency too."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, None, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            target = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield Import(target, alias.name, node.lineno)


def target_layer(found: Import) -> str | None:
    """The layer an import reaches, or None when it leaves the package."""
    if found.module.split(".")[0] != PACKAGE:
        return None
    if found.module == PACKAGE and found.name in LEVEL:
        return found.name
    return layer_of(found.module)


def check_arrow(layer: str, found: Import) -> str | None:
    target = target_layer(found)
    if target is None:
        top = found.module.split(".")[0]
        if layer in MAY_USE_EXTRAS or top in sys.stdlib_module_names:
            return None
        return f"{layer} imports {top}: the library needs nothing but the standard library"
    if target == layer:
        return None
    if target == FACADE:
        return None if layer in MAY_IMPORT_FACADE else f"{layer} imports the package root, which imports {layer}"
    if target not in LEVEL:
        return f"{layer} imports {target}, which stands in no layer"
    if LEVEL[target] < LEVEL[layer]:
        return None
    where = "beside" if LEVEL[target] == LEVEL[layer] else "above"
    return f"{layer} imports {target}, which stands {where} it"


def check_import_purity(found: Import) -> str | None:
    if found.module.split(".")[0] not in IMPURE_MODULES or found.name in PURE_NAMES.get(found.module, ()):
        return None
    name = found.module if found.name is None else f"{found.module}.{found.name}"
    return f"a pure layer imports {name}"


def check_call_purity(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Name) and called.id in IMPURE_CALLS:
            yield node.lineno, f"a pure layer calls {called.id}()"
        elif (
            isinstance(called, ast.Attribute)
            and isinstance(called.value, ast.Name | ast.Attribute)
            and (_last_name(called.value), called.attr) in CLOCKS
        ):
            yield node.lineno, f"a pure layer reads the clock: {ast.unparse(called)}()"


def _last_name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def function_lengths(tree: ast.AST) -> Iterator[tuple[int, str, int]]:
    """Line, qualified name and length without the docstring: a documented function is not a long one."""

    def visit(node: ast.AST, above: str) -> Iterator[tuple[int, str, int]]:
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield from visit(child, above)
                continue
            name = f"{above}{child.name}"
            if not isinstance(child, ast.ClassDef):
                first = child.body[0]
                is_doc = isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str)
                doc = (first.end_lineno or 0) - first.lineno + 1 if is_doc else 0
                yield child.lineno, name, (child.end_lineno or 0) - child.lineno + 1 - doc
            yield from visit(child, f"{name}.")

    yield from visit(tree, "")


def check_shape(path: Path, source: Path, root: Path) -> Iterator[Finding]:
    """Arrows and purity of one file of the package."""
    module = module_of(path, source)
    layer = layer_of(module)
    if layer == FACADE:
        return
    shown = str(path.relative_to(root))
    if layer not in LEVEL:
        yield Finding(shown, 1, f"{layer} stands in no layer (ROWS in tools/check_layers.py)")
        return
    tree = ast.parse(path.read_bytes(), shown)
    for found in imports(tree, module, is_package=path.name == "__init__.py"):
        messages = [check_arrow(layer, found), check_import_purity(found) if layer in PURE else None]
        yield from (Finding(shown, found.line, message) for message in messages if message)
    if layer in PURE:
        yield from (Finding(shown, line, message) for line, message in check_call_purity(tree))


def check_lengths(paths: list[Path], root: Path) -> Iterator[Finding]:
    unused = {*LONG_FILES, *LONG_FUNCTIONS}
    for path in paths:
        shown = str(path.relative_to(root))
        text = path.read_text(encoding="utf-8")
        lines = text.count("\n")
        if lines > FILE_WARN and shown in LONG_FILES:
            unused.discard(shown)
        elif lines > FILE_WARN:
            yield Finding(shown, 1, f"{lines} lines (a layer may be missing)", fails=lines > FILE_FAIL)
        for line, name, length in function_lengths(ast.parse(text, shown)):
            if length > FUNCTION_FAIL and f"{shown}:{name}" in LONG_FUNCTIONS:
                unused.discard(f"{shown}:{name}")
            elif length > FUNCTION_FAIL:
                yield Finding(shown, line, f"{name} has {length} lines, more than {FUNCTION_FAIL}")
    for entry in sorted(unused):
        yield Finding("tools/check_layers.py", 1, f"the exception for {entry} is no longer needed")


def check(root: Path) -> list[Finding]:
    source = root / "src"
    package = sorted((source / PACKAGE).rglob("*.py"))
    findings = [finding for path in package for finding in check_shape(path, source, root)]
    # Generated files are as long as what they are made from.
    written = [path for path in package if "_sync" not in path.relative_to(source).parts]
    tools = sorted((root / "tools").glob("*.py"))
    return findings + list(check_lengths(written + tools, root))


def main() -> int:
    findings = check(ROOT)
    for finding in findings:
        print(finding)
    return any(finding.fails for finding in findings)


if __name__ == "__main__":
    sys.exit(main())
