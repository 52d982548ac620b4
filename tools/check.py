"""`make check`: every check that needs no tmux session, each with its time; all run, then the failed ones are named."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = [name for name in ("src", "tools", "tests", "benchmarks", "examples") if (ROOT / name).is_dir()]

STEPS: dict[str, list[str]] = {
    "format": ["-m", "ruff", "format", "--check", "--quiet", *CODE],
    "lint": ["-m", "ruff", "check", "--quiet", *CODE],
    "types": ["-m", "mypy", "--strict", "--no-error-summary", *CODE],
    "layers": ["tools/check_layers.py"],
    "sync": ["tools/generate_sync.py", "--check"],
    "cases": ["tools/check_cases.py"],
    "mcp": ["tools/gen_mcp.py", "--check"],
    "house": ["tools/check_house.py"],
    "docs": ["tools/check_docstrings.py"],
}


def main() -> int:
    failed = []
    for name, arguments in STEPS.items():
        started = time.monotonic()
        done = subprocess.run([sys.executable, *arguments], cwd=ROOT, check=False)
        verdict = "ok" if done.returncode == 0 else "FAILED"
        print(f"{name:8} {verdict:6} {time.monotonic() - started:6.1f} s", flush=True)
        if done.returncode:
            failed.append(name)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
