"""The reference of the public names."""

from __future__ import annotations

import muxwright
from tools import gen_api


def test_every_public_name_has_one_entry() -> None:
    pages = gen_api.pages()
    headings = [line[3:] for page in pages.values() for line in page.splitlines() if line.startswith("## ")]
    assert sorted(headings) == sorted(set(muxwright.__all__) - {"__version__"})
    assert "## StaleReference" in pages["errors.md"]
    assert " object at 0x" not in "".join(pages.values())
