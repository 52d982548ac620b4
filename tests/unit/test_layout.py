"""Layouts: every tree survives its text, hostile text raises only BadLayout, and nothing deadly gets through."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from muxwright.errors import BadLayout, UnsupportedCapability
from muxwright.wire.layout import (
    LAYOUT_NAMES,
    MIRRORED_LAYOUT_NAMES,
    LayoutCell,
    check_layout,
    layout_checksum,
    leaf,
    left_right,
    read_layout,
    top_bottom,
)
from muxwright.wire.versions import TmuxVersion

OLD, NEW = TmuxVersion.parse("3.3a"), TmuxVersion.parse("3.5a")
GOLDEN = json.loads((Path(__file__).parent / "data" / "layouts.json").read_text())
FLOATING = [row for row in GOLDEN if row["what"] == "floating pane"]
TILED = [row for row in GOLDEN if row not in FLOATING]


def signed(body: str) -> str:
    """The body with a right checksum, whatever it says."""
    return f"{layout_checksum(body):04x},{body}"


@st.composite
def trees(draw: st.DrawFn, width: int = 60, height: int = 40, depth: int = 4) -> LayoutCell:
    """A valid layout of the given size, cut at random places."""
    split = draw(st.sampled_from(("left-right", "top-bottom")))
    size = width if split == "left-right" else height
    cuts: list[int] = []
    if depth and size >= 3 and draw(st.booleans()):
        for cut in sorted(draw(st.sets(st.integers(1, size - 2), max_size=3))):
            if not cuts or cut - cuts[-1] > 1:
                cuts.append(cut)
    if not cuts:
        return leaf(width, height, draw(st.none() | st.integers(0, 999_999_999)))
    sizes = [end - start - 1 for start, end in zip([-1, *cuts], [*cuts, size], strict=True)]
    if split == "left-right":
        return left_right(*(draw(trees(part, height, depth - 1)) for part in sizes))
    return top_bottom(*(draw(trees(width, part, depth - 1)) for part in sizes))


# --- round trips ------------------------------------------------------------------------------------------------------


@given(trees())
def test_round_trip(tree: LayoutCell) -> None:
    text = tree.dump()
    assert LayoutCell.parse(text) == tree
    assert read_layout(text) == tree
    assert str(tree) == text
    assert check_layout(text, OLD, panes=tree.count) == text


@given(trees(), st.data())
def test_a_changed_character_is_refused(tree: LayoutCell, data: st.DataObject) -> None:
    text = tree.dump()
    position = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.characters().filter(lambda c: c != text[position]))
    changed = text[:position] + other + text[position + 1 :]
    if changed.lower() == text:
        return
    with pytest.raises(BadLayout):
        LayoutCell.parse(changed)


@pytest.mark.parametrize("row", TILED, ids=[f"{row['tmux']} {row['what']}" for row in TILED])
def test_golden(row: dict[str, str]) -> None:
    tree = read_layout(row["layout"])
    assert all(cell.split is None for cell in tree.leaves())
    assert tree.count == len(tree.panes) == len(set(tree.panes))
    assert read_layout(tree.dump()) == tree
    if row["tmux"] != "3.8":
        assert tree.dump() == row["layout"]


@pytest.mark.parametrize("row", FLOATING, ids=[row["tmux"] for row in FLOATING])
def test_floating_panes_are_refused(row: dict[str, str]) -> None:
    with pytest.raises(BadLayout, match="floating"):
        read_layout(row["layout"])


def test_golden_versions() -> None:
    assert {row["tmux"] for row in GOLDEN} == {"3.3a", "3.5a", "3.7c", "3.8"}
    assert {row["tmux"] for row in FLOATING} == {"3.7c", "3.8"}


# --- the tree ---------------------------------------------------------------------------------------------------------


def test_the_tree() -> None:
    tree = LayoutCell.parse("a9d1,160x50,0,0{80x50,0,0,0,79x50,81,0[79x25,81,0,1,79x24,81,26,2]}")
    assert tree == left_right(leaf(80, 50, 0), top_bottom(leaf(79, 25, 1), leaf(79, 24, 2)))
    assert (tree.width, tree.height, tree.x, tree.y, tree.pane, tree.split) == (160, 50, 0, 0, None, "left-right")
    assert (tree.count, tree.panes) == (3, (0, 1, 2))
    assert tree.children[1].split == "top-bottom"
    assert hash(tree) == hash(LayoutCell.parse(tree.dump()))


def test_a_layout_without_ids() -> None:
    tree = LayoutCell.parse("bb62,159x48,0,0{79x48,0,0,79x48,80,0}")
    assert (tree.count, tree.panes) == (2, ())
    assert tree.dump() == "bb62,159x48,0,0{79x48,0,0,79x48,80,0}"


@pytest.mark.parametrize(
    "build",
    [
        lambda: leaf(0, 1),
        lambda: leaf(10_001, 1),
        left_right,
        lambda: left_right(leaf(1, 1)),
        lambda: left_right(leaf(1, 1), leaf(1, 2)),
        lambda: top_bottom(leaf(1, 1), leaf(2, 1)),
        lambda: top_bottom(*(leaf(1, 1) for _ in range(5_001))),
    ],
)
def test_impossible_trees_cannot_be_built(build: object) -> None:
    with pytest.raises(BadLayout):
        build()  # type: ignore[operator]  # the wrong value is the subject


# --- hostile text -----------------------------------------------------------------------------------------------------

MALFORMED = [
    *("", "0000", "0000,", "0,", ",", "abcd", "zzzz,80x24,0,0,0", "b8e,60x20,0,0", "0b8e4,60x20,0,0", "0x05,80x24,0,0"),
    *(" adfd,160x50,0,0,0", "adfd,160x50,0,0,0\n", "adfd,160x50,0,0,0 ", "٠٠٠٠,80x24,0,0"),
    signed("80x24,0,0[80x12,0,0,0,80x11,0,13,1,]"),  # kills 3.7c
    signed("80x24,0,0{40x24,0,0,0,39x24,41,0[39x24,41,0,1]}"),  # kills 3.3a and 3.5a in a window of one pane
    signed("80x24,0,0{80x24,0,0,0}"),
    signed("80x24,0,0{}"),
    signed("80x24,0,0[80x12,0,0,0,80x11,0,13,1]x"),
    signed("80x24,0,0[80x12,0,0,0,80x11,0,13,1"),
    signed("80x24,0,0[80x12,0,0,0,80x11,0,13,1}"),
    signed("80x24,0,0,5[80x12,0,0,0,80x11,0,13,1]"),
    signed("80x24,0,0,0<20x10,4,2,1>"),
    signed("0x0,0,0"),
    signed("2x1,0,0{0x1,0,0,0,1x1,1,0,1}"),
    signed("80x24,5,5,0"),
    signed("80x24,0,0{40x24,0,0,0,40x24,41,0,1}"),  # too wide
    signed("80x24,0,0{40x24,0,0,0,38x24,41,0,1}"),  # too narrow
    signed("80x24,0,0{40x24,0,0,0,39x23,41,0,1}"),  # too low
    signed("80x24,0,0{40x24,0,0,0,39x24,40,0,1}"),  # no border
    signed("80x24,0,0{-40x24,0,0,0,39x24,41,0,1}"),
    signed("20000x24,0,0,0"),
    signed("4294967296x24,0,0{4294967256x24,0,0,0,39x24,41,0,1}"),
    signed("9" * 5000 + "x24,0,0"),
    signed("80x24,0,0,-1"),
    signed("٨٠x24,0,0"),
    signed("80x24,0,0,\ud800"),
    signed("1x1,0,0{" * 100),
    signed("1x1,0,0[" * 8000),
    signed(f"9999x1,0,0{{{','.join(f'1x1,{2 * i},0' for i in range(5000))}}}"),
    "0000," + "1" * 70_000,
]


@pytest.mark.parametrize("text", MALFORMED, ids=range(len(MALFORMED)))
def test_malformed(text: str) -> None:
    with pytest.raises(BadLayout) as caught:
        LayoutCell.parse(text)
    assert caught.value.effects == "none"
    assert len(str(caught.value)) < 300
    with pytest.raises(BadLayout):
        check_layout(text, NEW)


@given(st.text(alphabet=st.characters(), max_size=60))
def test_hostile_text_raises_only_bad_layout(text: str) -> None:
    for candidate in (text, signed(text), "{" + text):
        with pytest.raises(BadLayout):
            read_layout(candidate)


@given(st.text(alphabet="0123456789x,{}[]<>", max_size=80))
@example("1x1,0,0")
def test_text_of_the_alphabet_is_a_tree_or_refused(body: str) -> None:
    try:
        tree = LayoutCell.parse(signed(body))
    except BadLayout:
        return
    assert LayoutCell.parse(tree.dump()) == tree


# --- JSON -------------------------------------------------------------------------------------------------------------

PANE = {"t": "p", "w": 80, "h": 24, "x": 0, "y": 0, "i": 0, "I": "%0"}

WRONG_VALUES: dict[str, list[object]] = {
    "w": ["80", True, 80.0, 0, -1, 10**9, None],
    "x": [1],
    "I": [0, "0", "%", "%1 ", "%٣", None, [[]]],
    "t": ["q", ["p"], "h", None],
    "z": [0],  # floating
}
WRONG_CHILDREN: list[object] = [[], [PANE], [PANE, PANE], {}, "cc", [1, 2]]

BAD_JSON = [
    *("{", "{}", "{}x", '{"V":1}', '{"V":2}', '{"V":2,"L":[]}', '{"V":2,"L":{}}', '{"V":2,"L":null}', '{"V":NaN}'),
    '{"V":2,"L":' + '{"c":' * 50_000,
    '{"V":2,"L":' + "[" * 3_000 + "]" * 3_000 + "}",
    '{"V":2,"L":{"t":' + "[" * 500 + "]" * 500 + "}}",
    '{"V":' + "9" * 5_000 + "}",
    "{" + " " * 2_000_000,
    *(json.dumps({"V": 2, "L": PANE | {key: value}}) for key, values in WRONG_VALUES.items() for value in values),
    *(json.dumps({"V": 2, "L": PANE | {"t": "v", "c": children}}) for children in WRONG_CHILDREN),
]


@pytest.mark.parametrize("text", BAD_JSON, ids=range(len(BAD_JSON)))
def test_bad_json(text: str) -> None:
    with pytest.raises(BadLayout) as caught:
        read_layout(text)
    assert len(str(caught.value)) < 300


def test_json_is_read_but_not_sent() -> None:
    text = json.dumps({"V": 2, "L": PANE})
    assert read_layout(text) == leaf(80, 24, 0)
    with pytest.raises(BadLayout, match="JSON"):
        check_layout(text, TmuxVersion.parse("3.8"))
    with pytest.raises(BadLayout):
        LayoutCell.parse(text)


# --- what may be sent -------------------------------------------------------------------------------------------------

NAMES = [
    # given, version, sent
    *((name, NEW, name) for name in LAYOUT_NAMES),
    *((name, version, name) for name in LAYOUT_NAMES[:5] for version in (OLD, None)),
    ("t", NEW, "tiled"),
    ("even-h", NEW, "even-horizontal"),
    ("even_vertical", NEW, "even-vertical"),
    ("main_horizontal_mirrored", NEW, "main-horizontal-mirrored"),
    ("main-v", OLD, "main-vertical"),
    ("main-v", None, "main-vertical"),
    ("main-vertical-m", NEW, "main-vertical-mirrored"),
]

# Most of these killed a 3.3a.
NO_NAMES = [
    *("", "-", "_", "main", "m", "e", "even", "even-", "main-vertcal", "TILED", "Tiled", " tiled", "tiled ", "tiled;"),
    *(
        "garbage",
        "not-a-layout",
        "bogus",
        "tiledx",
        "even--horizontal",
        "next",
        "-o",
        "-E",
        "#{x}",
        "tiled\n",
        "tiled\x00",
    ),
    *("{", "[", "{}", "\ud800", "tıled", "x" * 100_000),
]


@pytest.mark.parametrize(("text", "version", "sent"), NAMES)
def test_a_name_is_resolved(text: str, version: TmuxVersion | None, sent: str) -> None:
    assert check_layout(text, version) == sent


@pytest.mark.parametrize("text", NO_NAMES, ids=range(len(NO_NAMES)))
@pytest.mark.parametrize("version", [None, OLD, NEW])
def test_no_name(text: str, version: TmuxVersion | None) -> None:
    with pytest.raises(BadLayout) as caught:
        check_layout(text, version)
    assert caught.value.effects == "none"
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", [*MIRRORED_LAYOUT_NAMES, "main-vertical-m", "main_horizontal_mirrored"])
@pytest.mark.parametrize("version", [None, OLD])
def test_mirrored_names_need_3_5(text: str, version: TmuxVersion | None) -> None:
    with pytest.raises(UnsupportedCapability) as caught:
        check_layout(text, version)
    assert caught.value.needs == "tmux 3.5"
    assert caught.value.effects == "none"


def test_a_beginning_is_ambiguous_by_version() -> None:
    with pytest.raises(BadLayout, match="main-vertical or main-vertical-mirrored"):
        check_layout("main-v", NEW)


def test_the_message_proposes_a_name() -> None:
    with pytest.raises(BadLayout, match="did you mean main-vertical"):
        check_layout("main-vertcal", OLD)


def test_a_cell_for_each_pane() -> None:
    text = "bb62,159x48,0,0{79x48,0,0,79x48,80,0}"
    for panes in (None, 1, 2):
        assert check_layout(text, OLD, panes) == text
    with pytest.raises(BadLayout, match="2 cells but the window has 3 panes"):
        check_layout(text, OLD, 3)


def test_the_text_is_sent_as_tmux_writes_it() -> None:
    text = signed("080x024,00,00,007").upper().replace("X", "x")
    assert check_layout(text) == signed("80x24,0,0,7")


@given(st.text(alphabet=st.characters(), max_size=30) | st.text(alphabet="main-verticalhozd_tu", max_size=14))
def test_only_full_names_are_ever_sent(text: str) -> None:
    for version in (None, OLD, NEW):
        try:
            sent = check_layout(text, version)
        except (BadLayout, UnsupportedCapability):
            continue
        allowed = LAYOUT_NAMES if version is NEW else LAYOUT_NAMES[:5]
        assert sent in allowed
