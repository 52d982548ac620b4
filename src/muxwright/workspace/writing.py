"""Write documents as files: YAML in block style, or JSON."""

from __future__ import annotations

import io
import json
from typing import Any

from muxwright.workspace.document import Format

__all__ = ["dump", "rewrite"]


def dump(data: Any, format: Format = "yaml") -> str:  # noqa: A002 - the word for it
    """Return the text of plain data; reading it again gives the same data."""
    if format == "json":
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    from ruamel.yaml import YAML  # only for YAML

    yaml: Any = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    yaml.sort_base_mapping_type_on_output = False
    yaml.allow_unicode = True
    yaml.width = 120
    stream = io.StringIO()
    yaml.dump(data, stream)
    return stream.getvalue()


def rewrite(text: str) -> str:
    """Return YAML in block style with its comments and anchors."""
    from ruamel.yaml import YAML  # only for YAML

    yaml: Any = YAML(typ="rt", pure=True)
    yaml.preserve_quotes = True
    yaml.width = 4096
    stream = io.StringIO()
    yaml.dump(yaml.load(text), stream)
    return stream.getvalue()
