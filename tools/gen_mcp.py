"""Writes docs/mcp/tools/*.md and docs/mcp/catalogue.json from the catalogue of MCP tools; `--check` compares."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from muxwright import __version__
from muxwright.mcp.application import Application
from muxwright.mcp.capability import CAPABILITY_KEY, TOOLSETS
from muxwright.mcp.catalogue import TOOLS
from muxwright.mcp.policy import Selection
from muxwright.mcp.prompts import PROMPTS
from muxwright.mcp.resources import RESOURCES, TEMPLATES

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "mcp"
INDEX = "tools/README.md"


def pages() -> dict[str, str]:
    """Every generated file by its path below the folder."""
    entries = Application(selection=Selection(toolsets=TOOLSETS)).tools()
    found = {f"tools/{entry['name']}.md": _page(entry) for entry in entries}
    found[INDEX] = _index(entries)
    found["catalogue.json"] = _catalogue(entries)
    return found


def _catalogue(entries: list[dict[str, Any]]) -> str:
    """The protocol catalogue: what a client lists from a server that offers everything."""
    catalogue = {
        "server": {"name": "muxwright", "version": __version__},
        "tools": entries,
        "resources": [{"uri": each.uri, "name": each.name, "mimeType": each.mime} for each in RESOURCES],
        "resourceTemplates": [
            {"uriTemplate": each.uri, "name": each.name, "mimeType": each.mime} for each in TEMPLATES
        ],
        "prompts": [
            {"name": each.name, "description": each.description, "arguments": list(each.arguments)} for each in PROMPTS
        ],
    }
    return json.dumps(catalogue, indent=1, ensure_ascii=False) + "\n"


def _index(entries: list[dict[str, Any]]) -> str:
    lines = ["# Tools", "", "Generated from the catalogue (`tools/gen_mcp.py`).", ""]
    lines += ["| Tool | Toolset | Offered without options | What it does |", "| --- | --- | --- | --- |"]
    defaults = {tool.name: tool for tool in TOOLS}
    for entry in entries:
        tool = defaults[entry["name"]]
        where = [word for word, is_default in _offered(tool).items() if is_default]
        about = tool.about.split(": ")[0].split(". ")[0].rstrip(".")
        lines.append(
            f"| [{tool.name}]({tool.name}.md) | {tool.capability.toolset} | {' and '.join(where) or '-'} | {about} |"
        )
    return "\n".join(lines) + "\n"


def _offered(tool: Any) -> dict[str, bool]:
    return {"private": tool.default_private, "borrowed": tool.default_borrowed}


def _page(entry: dict[str, Any]) -> str:
    capability = entry["_meta"][CAPABILITY_KEY]
    hints = [hint.removesuffix("Hint") for hint, value in entry["annotations"].items() if value is True]
    lines = [f"# {entry['name']}", "", entry["description"], ""]
    lines.append(f"Toolset {capability['toolset']}; reaches processes by: {capability['processReach']}.")
    lines.append(f"Hints: {', '.join(hints) or 'none'}.")
    lines += ["", "## Arguments", ""]
    properties = entry["inputSchema"]["properties"]
    if not properties:
        lines.append("None.")
    else:
        lines += ["| Name | Type | Needed | |", "| --- | --- | --- | --- |"]
        required = entry["inputSchema"]["required"]
        lines += [
            f"| `{name}` | {_type(schema)} | {'yes' if name in required else 'no'} | {_limits(schema)} |"
            for name, schema in properties.items()
        ]
    output = entry.get("outputSchema")
    lines += ["", "## Result", ""]
    if output is None:
        lines.append('See the description; a failure is `{"error": {code, message, effects, retryable}}`.')
    else:
        lines += ["```json", json.dumps(output, indent=1), "```"]
    return "\n".join(lines) + "\n"


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " or ".join(f"`{word}`" for word in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_type(each) for each in schema["anyOf"])
    if schema.get("type") == "object" and "properties" in schema:
        return "{" + ", ".join(schema["properties"]) + "}"
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}"
    kinds = schema.get("type", "object")
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


def _limits(schema: dict[str, Any]) -> str:
    words = [schema["description"]] if "description" in schema else []
    if "default" in schema:
        words.append(f"default {json.dumps(schema['default'])}")
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None or high is not None:
        words.append(f"{'' if low is None else low} to {'' if high is None else high}".strip())
    if "maxLength" in schema:
        words.append(f"at most {schema['maxLength']} characters")
    if "maxItems" in schema:
        words.append(f"at most {schema['maxItems']}")
    return "; ".join(words).replace("|", "\\|")


def main() -> int:
    wanted = pages()
    if "--check" in sys.argv:
        there = {str(path.relative_to(FOLDER)) for path in (FOLDER / "tools").glob("*.md")} | {"catalogue.json"}
        stale = [
            name for name, text in wanted.items() if not (FOLDER / name).exists() or (FOLDER / name).read_text() != text
        ]
        for name in sorted({*stale, *(there - wanted.keys())}):
            print(f"docs/mcp/{name} is not what tools/gen_mcp.py writes")
        return bool(stale or there - wanted.keys())
    (FOLDER / "tools").mkdir(parents=True, exist_ok=True)
    for old in (FOLDER / "tools").glob("*.md"):
        old.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"written: {len(wanted)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
