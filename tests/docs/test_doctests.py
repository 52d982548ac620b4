"""The ``>>>`` examples in the docstrings of every module run, and every module can be imported."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"

# "module:object" -> why its examples with +SKIP cannot run. An entry that is no longer needed fails the test.
SKIPPED = {
    "muxwright.model.snapshot:Selection.filter": "needs a server; docs/guide/getting-started.md runs one like it",
}


def modules() -> dict[str, Path]:
    found = {}
    for path in sorted(SOURCE.glob("muxwright/**/*.py")):
        parts = list(path.relative_to(SOURCE).with_suffix("").parts)
        if parts[-1] != "__main__":  # importing it would run it
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()
WITH_EXAMPLES = [name for name, path in MODULES.items() if ">>> " in path.read_text(encoding="utf-8")]


def cases(name: str) -> list[doctest.DocTest]:
    module = importlib.import_module(name)
    return [test for test in doctest.DocTestFinder().find(module, name) if test.examples]


def is_skipped(example: doctest.Example) -> bool:
    return example.options.get(doctest.SKIP, False)


def test_every_module_can_be_imported() -> None:
    for name in MODULES:
        importlib.import_module(name)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_docstrings_of_a_module(name: str) -> None:
    for case in cases(name):
        report: list[str] = []
        result = doctest.DocTestRunner(verbose=False).run(case, out=report.append)
        assert not result.failed, "".join(report)


def test_there_are_docstring_examples() -> None:
    assert sum(len(case.examples) for name in WITH_EXAMPLES for case in cases(name)) >= 15


def test_no_example_is_skipped_silently() -> None:
    skipped = {
        f"{name}:{case.name.removeprefix(name + '.')}"
        for name in WITH_EXAMPLES
        for case in cases(name)
        if any(map(is_skipped, case.examples))
    }
    assert skipped == set(SKIPPED)
