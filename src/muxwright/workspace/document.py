"""Read workspace files: YAML or JSON into a tree with places, bounded, and nothing else.

Anchors, aliases and merge keys are copied where they are used, never shared. Refused: duplicate keys, several
documents, tags that are not plain data, keys that are no text. What is wrong is said without quoting the file: it may
hold secrets.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from muxwright.workspace.faults import Fault, WorkspaceConfigError
from muxwright.workspace.node import Limits, Node, from_data, to_data

__all__ = ["Format", "Limits", "WorkspaceDocument", "parse", "read"]

Format = Literal["yaml", "json"]
SUFFIXES: Mapping[str, Format] = {".yaml": "yaml", ".yml": "yaml", ".json": "json"}


class WorkspaceDocument(NamedTuple):
    """A document that was read and not yet judged.

    `root`: the tree; `source_path`: the absolute path of the file, or ``None``. `data` is a plain copy.
    """

    root: Node
    source_path: str | None = None

    @property
    def data(self) -> Any:
        """Plain data: dicts, lists and scalars of its own."""
        return to_data(self.root)

    @classmethod
    def of(cls, data: Mapping[str, Any], source_path: str | None = None) -> WorkspaceDocument:
        """Return a document of plain data, as it comes from a program."""
        return cls(from_data(data), source_path)


def parse(
    text: str | bytes,
    format: Format,  # noqa: A002 - the word for it
    source_path: str | None = None,
    limits: Limits | None = None,
) -> WorkspaceDocument:
    """Read the text of a workspace; `source_path` must be absolute.

    Raises `WorkspaceConfigError` with the place of what cannot be read. YAML needs the extra ``workspace``.
    """
    limits = limits or Limits()
    if source_path is not None and not os.path.isabs(source_path):
        raise _refused("path", f"source_path must be absolute, not {source_path!r}", source_path)
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > limits.max_bytes:
        raise _refused("limit", f"the file has more than {limits.max_bytes} bytes", source_path)
    try:
        decoded = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise WorkspaceConfigError(
            [Fault("encoding", "", "the file is not valid UTF-8", line, column)], source_path
        ) from None
    if format == "json":
        from muxwright.workspace.read_json import read_tree
    elif format == "yaml":
        from muxwright.workspace.read_yaml import read_tree
    else:
        raise _refused("value", f"the format is yaml or json, not {format!r}", source_path)
    try:
        return WorkspaceDocument(read_tree(decoded, limits), source_path)
    except WorkspaceConfigError as error:
        raise WorkspaceConfigError(error.faults, source_path) from None


def read(
    path: str | os.PathLike[str],
    format: Format | None = None,  # noqa: A002 - the word for it
    limits: Limits | None = None,
) -> WorkspaceDocument:
    """Read a workspace file; without `format` the suffix says it (``.yaml``, ``.yml``, ``.json``, in any case).

    Raises `WorkspaceConfigError` for what is in it, `OSError` for a file that cannot be read.
    """
    limits = limits or Limits()
    source = os.path.abspath(os.fspath(path))
    found = format or SUFFIXES.get(os.path.splitext(source)[1].lower())
    if found is None:
        raise _refused("value", "the suffix is none of .yaml, .yml and .json: say the format", source)
    with open(source, "rb") as file:
        data = file.read(limits.max_bytes + 1)
    return parse(data, found, source, limits)


def _refused(code: str, message: str, source: str | None) -> WorkspaceConfigError:
    return WorkspaceConfigError([Fault(code, "", message)], source)
