"""Compares the case lists in tests/cases/ with the collected tests named `test_case_<NN>_...`."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "cases" / "core.toml"
# The project's own page of cases lies beside a working copy and not in a clone; where it is, the two must agree.
SOURCE = ROOT.parent / "shared" / "cases" / "core.md"

TEST_NAME = re.compile(r"::test_case_(\d+)(?=_)")
SOURCE_ROW = re.compile(r"^\| (\d+) \|", re.MULTILINE)


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


def compare(cases: dict[int, dict[str, Any]], listing: str, source: str | None) -> list[str]:
    """Every way in which the list, the tests and the source disagree."""
    tested = {int(number) for number in TEST_NAME.findall(listing)}
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
        wanted = {int(number) for number in SOURCE_ROW.findall(source)}
        problems += [f"case {number} of {SOURCE.name} is not listed" for number in sorted(wanted - cases.keys())]
        problems += [f"case {number} is not in {SOURCE.name}" for number in sorted(cases.keys() - wanted)]
    return problems


def main() -> int:
    cases = {int(number): case for number, case in tomllib.loads(CASES.read_text(encoding="utf-8"))["case"].items()}
    source = SOURCE.read_text(encoding="utf-8") if SOURCE.exists() else None
    problems = compare(cases, collected(), source)
    for problem in problems:
        print(f"{CASES.relative_to(ROOT)}: {problem}")
    for number, case in sorted(cases.items()):
        if case.get("status") == "later":
            print(f"later ({case.get('topic')}): case {number}, {case['title']}")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
