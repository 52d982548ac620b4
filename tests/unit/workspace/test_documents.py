"""Reading: values with their source text, anchors copied, both formats alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from muxwright.workspace import WorkspaceConfigError, parse, read
from muxwright.workspace.document import WorkspaceDocument


def test_plain_words_are_what_they_say_and_no_more() -> None:
    document = parse("[~, null, '', '~', yes, on, 12:30, 010, 0x10, 1.5, true, 'true', !!str 3, !!int '3']", "yaml")
    assert document.data == [None, None, "", "~", "yes", "on", "12:30", 10, 16, 1.5, True, "true", "3", 3]


def test_anchors_and_merge_keys_are_copied() -> None:
    text = """\
x-base: &base {layout: tiled, panes: [a]}
windows:
- &w {window_name: w, panes: [one]}
- *w
- {<<: *base, window_name: other}
- {<<: [*w, *base], window_name: both}
"""
    root: Any = parse(text, "yaml").root
    first, second, merged, both = root.value["windows"].value
    assert first is not second and first.value["panes"] is not second.value["panes"]
    assert parse(text, "yaml").data["windows"][2] == {"layout": "tiled", "panes": ["a"], "window_name": "other"}
    assert parse(text, "yaml").data["windows"][3] == {"panes": ["one"], "layout": "tiled", "window_name": "both"}
    assert (merged.line, both.line) == (5, 6)


def test_json_and_yaml_give_the_same_tree() -> None:
    text = '{"a": [1, -2.5, true, null, "x\\u00e9"], "b": {"c": {}}}'
    of_json, of_yaml = parse(text, "json"), parse(text, "yaml")
    assert of_json.data == of_yaml.data == {"a": [1, -2.5, True, None, "xé"], "b": {"c": {}}}
    places = [[(node.line, node.column) for node in document.root.walk()] for document in (of_json, of_yaml)]
    assert places[0][:2] == places[1][:2]


def test_json_may_have_tabs() -> None:
    assert parse('{\n\t"a":\t1\n}', "json").data == {"a": 1}


def test_the_suffix_says_the_format(tmp_path: Path) -> None:
    for name, text in (("a.YAML", "k: v"), ("a.yml", "k: v"), ("a.json", '{"k": "v"}')):
        (tmp_path / name).write_text(text)
        document = read(tmp_path / name)
        assert document.data == {"k": "v"}
        assert document.source_path == str(tmp_path / name)
    (tmp_path / "a.txt").write_text("k: v")
    with pytest.raises(WorkspaceConfigError, match="say the format"):
        read(tmp_path / "a.txt")
    assert read(tmp_path / "a.txt", "yaml").data == {"k": "v"}


def test_data_of_a_program() -> None:
    data = {"a": [{"b": 1}]}
    document = WorkspaceDocument.of(data)
    data["a"].append({"b": 2})
    assert document.data == {"a": [{"b": 1}]}
    for wrong in ({1: "x"}, {"a": object()}, {"a": float("nan")}, {"a": b"bytes"}):
        with pytest.raises(WorkspaceConfigError):
            WorkspaceDocument.of(wrong)  # type: ignore[arg-type]  # wrong on purpose
