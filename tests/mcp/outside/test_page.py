"""The page of results, without running anything."""

from __future__ import annotations

import json

from tests.mcp.outside.__main__ import PAGE, RESULTS
from tests.mcp.outside.checks import CHECKS
from tests.mcp.outside.page import page, unexplained


def test_the_page_shows_every_check_and_explains_what_failed() -> None:
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert list(results) == list(CHECKS)
    assert unexplained(results) == []
    assert PAGE.read_text(encoding="utf-8") == page(results)


def test_a_finding_that_nobody_explained_is_named() -> None:
    found = {
        "mcp-lighthouse": {"failed": {}, "remarks": {"perf-init-time": "b"}},
        "mcp-conform": {"failed": {"x": "y"}, "remarks": {}},
    }
    assert unexplained(found) == ["mcp-conform / x: y"]
