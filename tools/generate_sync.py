"""Write `src/muxwright/_sync/` from the handwritten `src/muxwright/_async/`.

    python tools/generate_sync.py           write the files, remove generated ones that have no source
    python tools/generate_sync.py --check   change nothing; exit 1 on a difference, a stray file or an unused rule

Only spans that a rule names are replaced, so comments, docstrings and formatting survive. Rules hold in code,
annotations, `__all__`, docstrings, comments and the `{fields}` of f-strings; every other string is left alone.
What no rule can turn is put in blocks:

    # async-only:begin                      dropped
    # async-only:end
    # sync-only:begin
    #: self.thread.join()                   uncommented, and taken as it is
    # sync-only:end
"""

import argparse
import ast
import difflib
import importlib.util
import io
import re
import shutil
import subprocess
import sys
import token
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "muxwright"
HEADER = "# Generated from _async/{name} by tools/generate_sync.py: do not edit.\n"
DIFF_LINES = 200


class Rule(NamedTuple):
    name: str
    pattern: str
    new: str = ""
    optional: bool = False  # may be unused; any other rule that no source needs is an error
    where: str = "code prose"


# Irregular names only: AsyncFoo -> Foo needs no entry. (async name, sync name)
RENAMES: tuple[tuple[str, str], ...] = ()

# In prose `await` goes only where it is code, so that "callers await the reply" stays.
PROSE_AWAIT = r"\bawait +(?=\(?[\w.]+[(\[`)])|(?:(?<== )|(?<=return )|(?<=>>> )|(?<=\.\.\. ))await +"

RULES = (
    *(Rule(old, rf"\b{old}\b", new) for old, new in RENAMES),
    Rule("async", r"\basync[ \t]+(?=(?:def|with|for)\b)"),
    Rule("await", r"\bawait\b[ \t]*", where="code"),
    Rule("await", PROSE_AWAIT, where="prose"),
    Rule("async dunder", r"\b__a(enter|exit|iter|next)__\b", r"__\1__"),
    Rule("aclose", r"\ba(clos(?:e|ing))\b", r"\1"),
    Rule("asynccontextmanager", r"\basync(?=contextmanager\b)", optional=True),
    Rule("AbstractAsync", r"\bAbstractAsync(?=ContextManager\b)", "Abstract", optional=True),
    Rule("StopAsyncIteration", r"\bStopAsyncIteration\b", "StopIteration", optional=True),
    Rule("anext, aiter", r"(?<!\.)\ba(?=(?:next|iter)\()", optional=True),
    Rule("AsyncFoo", r"(?<![A-Za-z0-9])Async(?=[A-Z][a-z])"),
    Rule("_async", r"\b_async\b", "_sync"),
    Rule("transports.aio", r"\btransports(\.| import )aio\b", r"transports\1blocking"),
    Rule("import asyncio", r"(?m)^[ \t]*(?:>>> )?import asyncio\n(?:[ \t]*\n)?", optional=True, where="prose"),
)

# What encloses something: (name, opening pattern, what the opening and the closing bracket become, where)
WRAPPERS = (
    Rule("Awaitable", r"\bAwaitable\[", "|", optional=True),
    Rule("AsyncGenerator", r"(?<=\bAsyncGenerator)\[", "[|, None]", optional=True),
    Rule("asyncio.run", r"\basyncio\.run\(", "|", optional=True, where="prose"),
    Rule("(await x).y", r"(?<![\w)\]])\((?=await [\w.]+[.(\[)])", "|", optional=True),
)


class ConversionError(Exception):
    """A source that the rules cannot turn into sync code."""


class Edit(NamedTuple):
    start: int
    end: int
    new: str


def blank(text: str) -> str:
    return re.sub(r"[^\n]", "\0", text)


def closing(text: str, opening: int) -> int:
    """Offset of the bracket that closes the one at `opening`, or -1."""
    depth = 0
    for offset in range(opening, len(text)):
        depth += (text[offset] in "([{") - (text[offset] in ")]}")
        if depth == 0:
            return offset
    return -1


def is_primary(text: str) -> bool:
    """Whether `text` binds as tightly as a call: names, dots and bracketed parts only."""
    offset = 0
    while offset < len(text):
        if text[offset] in "([{":
            offset = closing(text, offset)
        elif not (text[offset].isalnum() or text[offset] in "_."):
            return False
        offset += 1
    return True


def rule_edits(text: str, where: str, used: set[str]) -> Iterator[Edit]:
    """Edits for `text`, in which everything that is not to be read has been blanked."""
    for rule in RULES:
        if where not in rule.where:
            continue
        if rule.name == "import asyncio" and re.search(r"\basyncio\.(?!run\()", text):
            continue
        for match in re.finditer(rule.pattern, text):
            used.add(rule.name)
            yield Edit(*match.span(), match.expand(rule.new))
    for rule in WRAPPERS:
        if where not in rule.where:
            continue
        for match in re.finditer(rule.pattern, text):
            end = closing(text, match.end() - 1)
            if end < 0 or (rule.name == "(await x).y" and not is_primary(text[match.end() + len("await ") : end])):
                continue
            used.add(rule.name)
            before, after = rule.new.split("|")
            yield Edit(*match.span(), before)
            yield Edit(end, end + 1, after)


class Source:
    """One async module with its async-only blocks dropped and its sync-only blocks uncommented."""

    def __init__(self, text: str, name: str) -> None:
        parse(text, name)
        self.text, self.verbatim = select_blocks(text, name)
        self.lines = self.text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.tree = parse(self.text, name)

    def offset(self, row: int, byte: int) -> int:
        """Offset of a position as `ast` gives it: rows from 1, columns in UTF-8 bytes."""
        return self.starts[row - 1] + len(self.lines[row - 1].encode()[:byte].decode())

    def span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def pieces(self) -> Iterator[tuple[str, int, int]]:
        """(comment | string | fstring, start, end) of what is not plain code."""
        fstring_start, fstring_end = getattr(token, "FSTRING_START", -1), getattr(token, "FSTRING_END", -1)
        opened: list[int] = []
        for tok in tokenize.generate_tokens(io.StringIO(self.text, newline="\n").readline):
            start, end = (self.starts[row - 1] + column for row, column in (tok.start, tok.end))
            if tok.type == fstring_start:
                opened.append(start)
            elif tok.type == fstring_end:
                outer = opened.pop()
                if not opened:
                    yield "fstring", outer, end
            elif opened:
                continue
            elif tok.type == token.COMMENT:
                yield "comment", start, end
            elif tok.type == token.STRING:
                yield "fstring" if "f" in tok.string.partition(tok.string[-1])[0].lower() else "string", start, end

    def edits(self, used: set[str]) -> Iterator[Edit]:
        prose = [self.span(node) for node in docstrings(self.tree)]
        names = [self.span(node) for node in name_strings(self.tree)]
        code = self.text
        for kind, start, end in self.pieces():
            piece = self.text[start:end]
            code = code[:start] + blank(piece) + code[end:]
            if kind == "fstring":
                found = rule_edits(fields_only(piece), "code", used)
            elif kind == "comment" or any(low <= start < high for low, high in prose):
                found = rule_edits(piece, "prose", used)
            elif any(low <= start < high for low, high in names):
                found = rule_edits(piece, "code", used)
            else:
                continue
            yield from (Edit(start + edit.start, start + edit.end, edit.new) for edit in found)
        yield from rule_edits(code, "code", used)


def fields_only(piece: str) -> str:
    """An f-string of which only the code in its `{fields}` is left."""
    depth, kept, index = 0, [], 0
    while index < len(piece):
        if depth == 0 and piece[index : index + 2] in ("{{", "}}"):
            kept.append("\0\0")
            index += 2
            continue
        depth += (piece[index] == "{") - (piece[index] == "}")
        kept.append(piece[index] if depth or piece[index] == "}" else blank(piece[index]))
        index += 1
    return re.sub(r"'[^']*'|\"[^\"]*\"", lambda match: blank(match[0]), "".join(kept))


def docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    """Strings that are statements: docstrings, of attributes too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value


def name_strings(tree: ast.Module) -> Iterator[ast.expr]:
    """Strings that hold names: in annotations, in the first argument of `cast`, in `__all__`."""
    for node in ast.walk(tree):
        roots: list[ast.expr | None] = []
        match node:
            case ast.arg(annotation=annotation) | ast.AnnAssign(annotation=annotation):
                roots = [annotation]
            case ast.FunctionDef(returns=returns) | ast.AsyncFunctionDef(returns=returns):
                roots = [returns]
            case ast.Call(func=ast.Name(id="cast"), args=[first, *_]):
                roots = [first]
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                roots = [value]
        while roots:
            match roots.pop():
                case ast.Constant(value=str()) as constant:
                    yield constant
                case ast.Subscript(value=ast.Name(id="Literal") | ast.Attribute(attr="Literal")):
                    pass
                case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[first, *_])):
                    roots.append(first)
                case ast.expr() as expression:
                    roots += [child for child in ast.iter_child_nodes(expression) if isinstance(child, ast.expr)]


def select_blocks(text: str, name: str) -> tuple[str, set[int]]:
    """The text without async-only blocks and with sync-only ones uncommented, and the (0-based) lines of the latter."""
    lines = text.split("\n")
    marks: dict[int, tuple[str, str]] = {}
    for tok in tokenize.generate_tokens(io.StringIO(text, newline="\n").readline):
        if tok.type == token.COMMENT and "sync-only:" in tok.string:
            found = re.fullmatch(r"\s*# (async|sync)-only:(begin|end)", lines[tok.start[0] - 1])
            if not found:
                raise ConversionError(f"{name}:{tok.start[0]}: not a block mark: {tok.string}")
            marks[tok.start[0] - 1] = (found[1], found[2])
    kept: list[str] = []
    verbatim: set[int] = set()
    inside = None
    for row, line in enumerate(lines):
        if row in marks:
            kind, side = marks[row]
            if (inside is None) != (side == "begin") or inside not in (None, kind):
                raise ConversionError(f"{name}:{row + 1}: unexpected mark {kind}-only:{side}")
            inside = kind if side == "begin" else None
        elif inside == "sync":
            found = re.fullmatch(r"(\s*)#:(?: (.*))?", line)
            if not found:
                raise ConversionError(f"{name}:{row + 1}: a line of a sync-only block starts with '#: '")
            verbatim.add(len(kept))
            kept.append((found[1] + found[2]) if found[2] else "")
        elif inside is None:
            kept.append(line)
    if inside:
        raise ConversionError(f"{name}: {inside}-only block without an end")
    return "\n".join(kept), verbatim


def parse(text: str, name: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise ConversionError(f"{name}: {error.msg}: {(error.text or '').strip()}") from error


def refuse_leftovers(text: str, name: str) -> None:
    """Raise for what stays asynchronous: it needs an async-only or sync-only block."""
    tree = parse(text, name)
    compile(tree, name, "exec")
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.AsyncFunctionDef | ast.AsyncFor | ast.AsyncWith | ast.Await)
            or (isinstance(node, ast.Name) and node.id in ("asyncio", "Awaitable"))
            or (isinstance(node, ast.ImportFrom) and node.module == "asyncio")
        ):
            raise ConversionError(f"{name}: still asynchronous: {ast.unparse(node).splitlines()[0]}")
    for node in docstrings(tree):
        if found := re.search(r"\basyncio\.\w+\(.*", ast.unparse(node)):
            raise ConversionError(f"{name}: a docstring example is still asynchronous: {found[0]}")


def convert(text: str, name: str, used: set[str]) -> str:
    """The sync module for the async one, not yet formatted; names of the rules that were needed are added to `used`."""
    source = Source(text, name)
    pieces, position = [], 0
    for edit in sorted(source.edits(used), key=lambda edit: (edit.start, -edit.end)):
        if edit.start >= position and source.text.count("\n", 0, edit.start) not in source.verbatim:
            pieces += [source.text[position : edit.start], edit.new]
            position = edit.end
    result = "".join(pieces) + source.text[position:]
    refuse_leftovers(result, name)
    return HEADER.format(name=name) + result


def canonical(text: str, path: Path) -> str:
    """`text` as ruff writes it: imports sorted and without the unused ones, then formatted."""
    if importlib.util.find_spec("ruff"):
        ruff = [sys.executable, "-m", "ruff"]
    elif found := shutil.which("ruff"):
        ruff = [found]
    else:
        print("generate_sync: no ruff: the result is not formatted", file=sys.stderr)
        return text
    # By default ruff knows our modules by looking for their files, and those in _sync may not exist yet.
    ours = 'lint.isort.known-first-party=["muxwright"]'
    fix = ["check", "--select", "F401,I001", "--fix-only", "--config", ours]
    for step in (fix, ["format"]):
        command = [*ruff, *step, "--quiet", "--no-cache", "--stdin-filename", str(path), "-"]
        text = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    return text


def main(argv: list[str] | None = None, package: Path = PACKAGE) -> int:
    parser = argparse.ArgumentParser(description="Write muxwright/_sync from muxwright/_async.")
    parser.add_argument("--check", action="store_true", help="change nothing, exit 1 unless everything is up to date")
    check = parser.parse_args(argv).check
    used: set[str] = set()
    target = package / "_sync"
    try:
        wanted = {
            path.name: canonical(convert(path.read_text("utf-8"), path.name, used), target / path.name)
            for path in sorted((package / "_async").glob("*.py"))
        }
    except ConversionError as error:
        print(f"generate_sync: {error}", file=sys.stderr)
        return 1
    present = {path.name: path.read_text("utf-8") for path in sorted(target.glob("*.py"))}
    unused = dict.fromkeys(rule.name for rule in (*RULES, *WRAPPERS) if not rule.optional and rule.name not in used)
    for name in unused:
        print(f"generate_sync: unused rule: {name}", file=sys.stderr)
    if check:
        diff = [line for name in sorted(wanted | present) for line in difference(name, present, wanted)]
        print("\n".join(diff[:DIFF_LINES]), end="\n" if diff else "")
        if len(diff) > DIFF_LINES:
            print(f"... and {len(diff) - DIFF_LINES} more lines")
        return 1 if diff or unused else 0
    target.mkdir(exist_ok=True)
    for name, text in wanted.items():
        if present.get(name) != text:
            (target / name).write_text(text, "utf-8")
    for name in present.keys() - wanted.keys():
        if present[name].startswith(HEADER.partition("{")[0]):
            (target / name).unlink()
    return 0


def difference(name: str, present: dict[str, str], wanted: dict[str, str]) -> list[str]:
    if name not in wanted:
        return [f"_sync/{name}: no _async/{name} to generate it from"]
    old, new = present.get(name, "").splitlines(), wanted[name].splitlines()
    return list(difflib.unified_diff(old, new, f"_sync/{name} (present)", f"_sync/{name} (generated)", lineterm=""))


if __name__ == "__main__":
    sys.exit(main())
