"""The list of cases, the collected tests and the page they come from: every disagreement is found."""

from __future__ import annotations

from tools.check_cases import BOOKS, compare

COVERED = {"title": "a", "status": "covered"}
LATER = {"title": "b", "status": "later", "topic": "run"}
LISTING = "tests/live/test_x.py::test_case_05_semicolon\ntests/live/test_x.py::test_case_05_dash[sync]\n"


def test_agreement() -> None:
    assert compare({"5": COVERED, "8": LATER}, LISTING, "| # | S |\n| 5 | x |\n| 8 | y |\n") == []
    assert compare({"5": COVERED, "8": LATER}, LISTING, None) == []


def test_a_covered_case_needs_a_test() -> None:
    assert compare({"5": COVERED, "6": COVERED}, LISTING, None) == ["case 6 has no test: a"]


def test_a_test_needs_a_listed_case() -> None:
    assert compare({"8": LATER}, LISTING, None) == ["a test names case 5, which is in no list"]


def test_a_status_is_known_and_later_has_a_topic() -> None:
    assert (
        len(compare({"5": {"title": "a", "status": "soon"}, "8": {"title": "b", "status": "later"}}, LISTING, None))
        == 2
    )


def test_the_page_and_the_list_have_the_same_numbers() -> None:
    problems = compare({"5": COVERED, "8": LATER}, LISTING, "| 5 | x |\n| 9 | y |\n")
    assert problems == ["case 9 of core.md is not listed", "case 8 is not in core.md"]


def test_the_workspace_list_has_ids_of_its_own() -> None:
    listing = "x.py::test_workspace_case_05_room\nx.py::test_workspace_case_e3_import\nx.py::test_case_05_semicolon\n"
    page = "## 05 Room\n## E3 A file\n"
    assert compare({"5": COVERED, "e3": COVERED}, listing, page, BOOKS[1]) == []
    assert compare({"5": COVERED}, listing, page, BOOKS[1]) == [
        "a test names case e3, which is in no list",
        "case e3 of workspace.md is not listed",
    ]
