"""`python -m tests.mcp.outside [NAME ...]`: run what others wrote against the server, and write down what it found."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

from muxwright import __version__
from tests.mcp.outside.checks import CHECKS
from tests.mcp.outside.page import page, unexplained
from tests.mcp.outside.places import HERE, ROOT

RESULTS = HERE / "results.json"
PAGE = ROOT / "docs" / "conformance.md"


def main() -> int:
    """Run the chosen checks, or all; the exit status is 1 when something is found that nobody has explained."""
    parser = argparse.ArgumentParser(prog="python -m tests.mcp.outside", description=__doc__)
    parser.add_argument("name", nargs="*", metavar="NAME", help=f"of {', '.join(CHECKS)}")
    parser.add_argument("--page", action="store_true", help="only write the page anew")
    chosen = parser.parse_args()
    if wrong := set(chosen.name) - set(CHECKS):
        parser.error(f"no check named {', '.join(sorted(wrong))}")
    known: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for name in [] if chosen.page else chosen.name or CHECKS:
        known[name] = _checked(name)
    results = {name: known[name] for name in CHECKS if name in known}
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(results), encoding="utf-8")
    open_ = unexplained(results)
    print("\n".join(["not explained:", *open_]) if open_ else "everything that was found is explained", file=sys.stderr)
    return bool(open_)


def _checked(name: str) -> dict[str, Any]:
    check, began = CHECKS[name], time.monotonic()
    print(f"{name} ...", end=" ", flush=True, file=sys.stderr)
    found = check.run()
    counts = f"{found.passed} passed, {len(found.failed)} failed, {len(found.remarks)} remarks"
    print(f"{counts} ({time.monotonic() - began:.0f} s)", file=sys.stderr)
    return {
        "tool": check.tool(),
        "command": check.shown,
        "muxwright": __version__,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "passed": found.passed,
        "failed": found.failed,
        "remarks": found.remarks,
    }


if __name__ == "__main__":
    sys.exit(main())
