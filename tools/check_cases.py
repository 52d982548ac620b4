"""Compares the case lists in tests/cases/ with the collected tests: `test_case_<NN>_...` of the core, and
`test_<LIST>_case_<NN>_...` of every other list.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "cases"
# The project's own pages of cases lie beside a working copy and not in a clone; where they are, they must agree.
SOURCES = ROOT.parent / "shared" / "cases"


class Book(NamedTuple):
    """A list of cases: its name, and where the ids stand in a test's name and on the page."""

    name: str
    test: re.Pattern[str]
    row: re.Pattern[str]


BOOKS = (
    Book("core", re.compile(r"::test_case_(\d+)(?=_)"), re.compile(r"^\| (\d+) \|", re.MULTILINE)),
    Book(
        "workspace", re.compile(r"::test_workspace_case_(\d+|e\d+)(?=_)"), re.compile(r"^## (\d+|E\d+) ", re.MULTILINE)
    ),
    Book("mcp", re.compile(r"::test_mcp_case_(\d+)(?=_)"), re.compile(r"^\| M(\d+) ", re.MULTILINE)),
)


def ids(pattern: re.Pattern[str], text: str) -> set[str]:
    """The ids in a text, in one spelling."""
    return {found.lstrip("0").lower() for found in pattern.findall(text)}


def collected() -> str:
    """What pytest collects; every marker, the long tests too."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "tests"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"the tests cannot be collected:\n{done.stdout[-4000:]}{done.stderr[-2000:]}")
    return done.stdout


def compare(cases: dict[str, dict[str, Any]], listing: str, source: str | None, book: Book = BOOKS[0]) -> list[str]:
    """Every way in which a list, the tests and the page disagree."""
    tested = ids(book.test, listing)
    problems = [f"a test names case {number}, which is in no list" for number in sorted(tested - cases.keys())]
    for number, case in sorted(cases.items()):
        status = case.get("status")
        if status not in ("covered", "later"):
            problems.append(f"case {number} has the unknown status {status!r}")
        elif status == "later" and not case.get("topic"):
            problems.append(f"case {number} is for later without a topic")
        elif status == "covered" and number not in tested:
            problems.append(f"case {number} has no test: {case['title']}")
    if source is not None:
        wanted = ids(book.row, source)
        problems += [f"case {number} of {book.name}.md is not listed" for number in sorted(wanted - cases.keys())]
        problems += [f"case {number} is not in {book.name}.md" for number in sorted(cases.keys() - wanted)]
    return problems


def main() -> int:
    listing = collected()
    failed = False
    for book in BOOKS:
        path, page = CASES / f"{book.name}.toml", SOURCES / f"{book.name}.md"
        cases: dict[str, dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["case"]
        problems = compare(cases, listing, page.read_text(encoding="utf-8") if page.exists() else None, book)
        for problem in problems:
            print(f"{path.relative_to(ROOT)}: {problem}")
        for number, case in cases.items():
            if case.get("status") == "later":
                print(f"later ({case.get('topic')}): case {number}, {case['title']}")
        failed = failed or bool(problems)
    return failed


if __name__ == "__main__":
    sys.exit(main())
