"""`make matrix`: the live tests once for each supported tmux.

Each tmux is the one on PATH when that has the version, and otherwise what `tools/get_tmux` unpacks below build/tmux/.
Its version is asserted before a test runs. With --write the cells go into docs/guide/compatibility.md.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
PAGE = ROOT / "docs" / "guide" / "compatibility.md"
BEGIN, END = "<!-- matrix:begin -->", "<!-- matrix:end -->"
VERSIONS = ("3.3a", "3.5a", "3.7c", "3.8")
HEADER = ("OS", "Machine", "Python", "tmux", "Result", "Date")
KEY = 4  # the first cells of a row say what was tested


class UnavailableError(Exception):
    """This tmux cannot be had here."""


@dataclass(frozen=True)
class Result:
    version: str
    passed: int
    failed: int
    skipped: int
    seconds: float
    complete: bool  # pytest itself reported success

    @property
    def summary(self) -> str:
        counts = {"passed": self.passed, "failed": self.failed, "skipped": self.skipped}
        return ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "no tests"


def version_of(executable: str) -> str:
    done = subprocess.run([executable, "-V"], capture_output=True, text=True, check=False, timeout=10)
    return done.stdout.strip().removeprefix("tmux ")


def find(version: str) -> str:
    """The absolute path of a tmux that says it has this version."""
    installed = shutil.which("tmux")
    if installed and version_of(installed) == version:
        return installed
    destination = BUILD / "tmux" / version
    done = subprocess.run(
        [str(ROOT / "tools" / "get_tmux"), version, str(destination)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise UnavailableError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "get_tmux failed")
    fetched = str(destination / "tmux")
    if (got := version_of(fetched)) != version:
        raise UnavailableError(f"got tmux {got}")
    return fetched


def run(version: str, executable: str) -> Result:
    report = BUILD / "matrix" / f"{version}.xml"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    started = time.monotonic()
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-n",
            "auto",
            "--dist",
            "worksteal",
            "-m",
            "live and not soak",
            "-q",
            f"--junitxml={report}",
        ],
        cwd=ROOT,
        env={**os.environ, "MUXWRIGHT_TEST_TMUX": executable},
        check=False,
    )
    seconds = time.monotonic() - started
    if not report.exists():
        return Result(version, 0, 0, 0, seconds, complete=False)
    suite = ET.parse(report).getroot().find("testsuite")
    assert suite is not None
    total, skipped = int(suite.get("tests", 0)), int(suite.get("skipped", 0))
    failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    return Result(version, max(total - failed - skipped, 0), failed, skipped, seconds, complete=done.returncode == 0)


def row(result: Result) -> tuple[str, ...]:
    release, _, _ = platform.mac_ver()
    system = f"macOS {release}" if release else platform.freedesktop_os_release()["PRETTY_NAME"]
    outcome = result.summary if result.complete else f"**failed**: {result.summary}"
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return (system, platform.machine(), platform.python_version(), result.version, outcome, today)


def merge(page: str, rows: list[tuple[str, ...]]) -> str:
    """The page with these cells; what was tested elsewhere or earlier stays, with its date."""
    before, _, rest = page.partition(BEGIN)
    table, _, after = rest.partition(END)
    if not rest or not after:
        raise SystemExit(f"{PAGE} has no {BEGIN} ... {END}")
    lines = [line.strip() for line in table.splitlines() if line.startswith("|")][2:]
    kept = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]
    cells = {entry[:KEY]: entry for entry in [*kept, *rows]}
    shown = [HEADER, ("---",) * len(HEADER), *(cells[key] for key in sorted(cells))]
    body = "\n".join(f"| {' | '.join(entry)} |" for entry in shown)
    return f"{before}{BEGIN}\n{body}\n{END}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the live tests on every supported tmux.")
    parser.add_argument("--only", metavar="V,V", help=f"these versions of {', '.join(VERSIONS)}")
    parser.add_argument("--write", action="store_true", help=f"write the cells to {PAGE.relative_to(ROOT)}")
    options = parser.parse_args()
    versions = options.only.split(",") if options.only else list(VERSIONS)
    if unknown := [version for version in versions if version not in VERSIONS]:
        parser.error(f"unknown version: {', '.join(unknown)}")

    results: list[Result] = []
    missing: dict[str, str] = {}
    for version in versions:
        print(f"== tmux {version}", flush=True)
        try:
            results.append(run(version, find(version)))
        except UnavailableError as error:
            missing[version] = str(error)

    print(f"\n{'tmux':6} {'passed':>7} {'failed':>7} {'skipped':>8} {'seconds':>8}")
    for result in results:
        note = "" if result.complete else "  FAILED"
        counts = f"{result.passed:7} {result.failed:7} {result.skipped:8} {result.seconds:8.1f}"
        print(f"{result.version:6} {counts}{note}")
    for version, reason in missing.items():
        print(f"{version:6} not available: {reason}")
    if options.write and results:
        PAGE.write_text(merge(PAGE.read_text(encoding="utf-8"), [row(result) for result in results]), encoding="utf-8")
    return 0 if not missing and all(result.complete for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
