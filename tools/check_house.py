"""The rules of this repository that no linter knows.

- no file names a package registry or an absolute path of the machine it was written on;
- no tmux command line in code goes without its own socket (-S or -L): it would reach the user's server;
- a sleep in a test says why (`# why: ...`): sleeping is not synchronisation;
- a `type: ignore` says why.

A line that has to break a rule says so: `# house: reason`.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILT = {"build", "dist", "__pycache__"}

# Put together here, so that this file passes its own check.
HOSTS = ["pypi" + ".org", "files" + ".pythonhosted", "deb" + ".debian", "registry" + ".npmjs"]
PATHS = [f"/{name}/" for name in ("work", "root")] + ["/tmp/" + "tmuxes"]
FORBIDDEN = re.compile(
    "|".join([*map(re.escape, HOSTS), *(rf"(?<![\w.~$}}/-]){re.escape(path)}" for path in PATHS)]), re.IGNORECASE
)

IGNORE = re.compile(r"#\s*type:\s*ignore(\[[^]]*\])?(?P<rest>.*)")
TMUX_NAMES = {"tmux", "tmux_executable"}


def files() -> list[Path]:
    """What git knows or would add; without git, everything that is not built."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split("\0")
        paths = [ROOT / name for name in listed if name]
    except (OSError, subprocess.CalledProcessError):
        paths = [path for path in ROOT.rglob("*") if not any(map(_is_built, path.relative_to(ROOT).parts[:-1]))]
    return sorted(path for path in paths if path.is_file())


def _is_built(folder: str) -> bool:
    return folder in BUILT or (folder.startswith(".") and folder != ".ci")


def check_text(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if found := FORBIDDEN.search(line):
            yield number, f"names {found.group().strip()}"


def check_python(text: str, *, is_test: bool) -> Iterator[tuple[int, str]]:
    comments = _comments(text)
    for line, comment in comments.items():
        ignored = IGNORE.search(comment)
        if ignored and not re.search(r"\w", ignored["rest"]):
            yield line, "type: ignore without a reason after it"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.List | ast.Tuple) and _reaches_any_server(node):
            yield node.lineno, "a tmux command line without -S or -L"
        elif is_test and isinstance(node, ast.Call) and _sleeps(node):
            nearby = f"{comments.get(node.lineno, '')} {comments.get(node.lineno - 1, '')}"
            if "# why:" not in nearby:
                yield node.lineno, "a sleep in a test without `# why:`"


def _comments(text: str) -> dict[int, str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}


def _reaches_any_server(node: ast.List | ast.Tuple) -> bool:
    """A literal command line of tmux that selects no socket; `tmux -V` asks no server."""
    if not node.elts or not isinstance(node.ctx, ast.Load):
        return False
    first, *rest = node.elts
    named = isinstance(first, ast.Constant) and first.value == "tmux"
    named = named or (isinstance(first, ast.Name) and first.id in TMUX_NAMES and bool(rest))
    if not named:
        return False
    for element in rest:
        if isinstance(element, ast.Starred):  # the selector may be in there
            return False
        text = element.values[0] if isinstance(element, ast.JoinedStr) and element.values else element
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value.startswith(("-S", "-L", "-V")):
            return False
    return True


def _sleeps(call: ast.Call) -> bool:
    called = call.func
    if isinstance(called, ast.Name):
        return called.id == "sleep"
    if not (isinstance(called, ast.Attribute) and called.attr == "sleep" and isinstance(called.value, ast.Name)):
        return False
    yields_only = bool(call.args) and isinstance(call.args[0], ast.Constant) and call.args[0].value == 0
    return called.value.id == "time" or (called.value.id == "asyncio" and not yields_only)


def check(path: Path, root: Path = ROOT) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:  # an image or a recording
        return []
    shown = path.relative_to(root)
    found = list(check_text(text))
    if path.suffix == ".py":
        found += check_python(text, is_test=shown.parts[0] == "tests")
    lines = text.splitlines()
    return [f"{shown}:{line}: {message}" for line, message in sorted(found) if "# house: " not in lines[line - 1]]


def main() -> int:
    findings = [finding for path in files() for finding in check(path)]
    print("\n".join(findings), end="\n" if findings else "")
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())
