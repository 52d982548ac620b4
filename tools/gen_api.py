"""Write docs/reference/api: a page for each family of public names, from their signatures and docstrings.

    python tools/gen_api.py     (make docs)

The pages are not committed: every docstring is in them again.
"""

from __future__ import annotations

import inspect
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

import muxwright  # noqa: E402
from tools.check_docstrings import members  # noqa: E402

PAGES = ROOT / "docs" / "reference" / "api"

# The page of a name is that of the module it lives in; the longest prefix counts.
FAMILIES = {
    "_sync": ("handles", "Servers, connections, sessions, windows, panes"),
    "_async": ("async", "The same with asyncio"),
    "errors": ("errors", "Errors"),
    "refs": ("values", "References and values"),
    "model.criteria": ("criteria", "Criteria and their wire forms"),
    "model.criterion": ("criteria", ""),
    "model.operators": ("criteria", ""),
    "model.where": ("criteria", ""),
    "model.filter": ("criteria", ""),
    "model": ("snapshots", "Snapshots and what they hold"),
    "": ("values", ""),
}
_DEFAULT_ARGUMENT = re.compile(r"<(?:function|class|object|[\w.]+ object).*?>")


def family(name: str) -> str:
    """Return the page that a public name belongs to."""
    home = muxwright._HOME.get(name, "errors")
    prefix = max((prefix for prefix in FAMILIES if home.startswith(prefix)), key=len)
    return FAMILIES[prefix][0]


def signature(value: Any, name: str) -> str:
    """Return how something is called, without the `self` of a method."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return name
    parameters = [p for p in found.parameters.values() if p.name not in ("self", "cls")]
    text = str(found.replace(parameters=parameters)).replace("'", "")
    text = text.replace("muxwright.", "").replace("typing.", "").replace("collections.abc.", "")
    return name + _DEFAULT_ARGUMENT.sub("...", text)


def _docstring(value: Any) -> str:
    return inspect.cleandoc(value.__doc__) if value.__doc__ else (inspect.getdoc(value) or "")


def _prose(text: str) -> Iterator[str]:
    """Yield a docstring's lines with its examples as code blocks."""
    inside = False
    for line in text.splitlines():
        if line.startswith(">>>") and not inside:
            inside = True
            yield "```python"
        elif inside and not line.strip():
            inside = False
            yield "```"
        yield line.replace("``", "`") if not inside else line
    if inside:
        yield "```"


def entry(name: str) -> Iterator[str]:
    """Yield the Markdown of one public name."""
    value = getattr(muxwright, name)
    yield f"## {name}"
    yield ""
    if inspect.isclass(value):
        if issubclass(value, Exception):
            bases = ", ".join(f"`{base.__name__}`" for base in value.__bases__)
            yield f"An error, also {bases}."
            yield ""
        elif "__init__" in vars(value) or "__new__" in vars(value):
            yield f"    {signature(value, name)}"
            yield ""
        yield from _prose(_docstring(value))
        yield ""
        for member, content in sorted(members(value, "muxwright"), key=lambda pair: pair[0]):
            if isinstance(content, property):
                yield f"### {name}.{member}"
            elif inspect.isfunction(content) or inspect.ismethod(content):
                yield f"### {name}.{signature(content, member)}"
            else:
                continue
            yield ""
            yield from _prose(_docstring(content))
            yield ""
    elif callable(value):
        yield f"    {signature(value, name)}"
        yield ""
        yield from _prose(_docstring(value))
        yield ""
    else:
        yield f"`{name}`: a {type(value).__name__}."
        yield ""


def pages() -> dict[str, str]:
    """Return every page by its file name."""
    titles = {page: title for page, title in FAMILIES.values() if title}
    lines = {
        page: [f"# {title}", "", "Generated from the code by `tools/gen_api.py`.", ""] for page, title in titles.items()
    }
    for name in sorted(muxwright.__all__):
        if name != "__version__":
            lines[family(name)] += entry(name)
    index = ["# Reference", "", "Generated from the code by `tools/gen_api.py`: every name of `muxwright`.", ""]
    for page, title in titles.items():
        names = ", ".join(
            f"`{name}`" for name in sorted(muxwright.__all__) if name != "__version__" and family(name) == page
        )
        index += [f"- [{title}]({page}.md): {names}"]
    return {"README.md": "\n".join(index) + "\n"} | {
        f"{page}.md": re.sub(r"\n{3,}", "\n\n", "\n".join(body)).rstrip() + "\n" for page, body in lines.items()
    }


def main() -> int:
    """Write the pages."""
    shutil.rmtree(PAGES, ignore_errors=True)
    PAGES.mkdir(parents=True)
    for name, text in pages().items():
        (PAGES / name).write_text(text, encoding="utf-8")
    print(f"written: {PAGES.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
