"""Writes docs/reference/workspace-keys.md from the table of keys that validates workspace files."""

from __future__ import annotations

from pathlib import Path

from muxwright.workspace.schema import key_reference

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "workspace-keys.md"


def main() -> None:
    PAGE.write_text(key_reference(), encoding="utf-8")
    print(f"written: {PAGE.name}")


if __name__ == "__main__":
    main()
