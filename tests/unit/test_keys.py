"""Only keys that tmux presses get through; the tables record what 3.3a, 3.5a, 3.7c and 3.8 did."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muxwright.errors import InvalidArgument, UnsupportedCapability
from muxwright.wire.keys import KEY_NAMES, check_key
from muxwright.wire.versions import TmuxVersion

OLD, NEW = TmuxVersion.parse("3.3a"), TmuxVersion.parse("3.5a")

SPELLINGS = [
    # given, sent
    ("enter", "Enter"),
    ("ENTER", "Enter"),
    ("Insert", "IC"),
    ("delete", "DC"),
    ("PageDown", "NPage"),
    ("PgDn", "NPage"),
    ("PageUp", "PPage"),
    ("pgup", "PPage"),
    ("kpenter", "KPEnter"),
    ("kp.", "KP."),
    ("f12", "F12"),
    (" ", "Space"),
    ("C- ", "C-Space"),
    ("^a", "C-a"),
    ("^?", "C-?"),
    ("^^", "C-^"),
    ("^-", "C--"),
    ("^", "^"),
    ("^M-a", "C-M-a"),
    ("^C-a", "C-a"),
    ("^S-Up", "C-S-Up"),
    ("c-m-a", "C-M-a"),
    ("M-C-a", "C-M-a"),
    ("S-C-M-Up", "C-M-S-Up"),
    ("C-C-a", "C-a"),
    ("m-up", "M-Up"),
    ("C--", "C--"),
    ("M--", "M--"),
    ("-", "-"),
    (";", ";"),
    ("M-;", "M-;"),
    ("C-A", "C-A"),
    ("M-A", "M-A"),
    ("M-é", "M-é"),
    ("日", "日"),
    ("😀", "😀"),
]

EVERYWHERE = [
    *KEY_NAMES,
    *(f"M-{name}" for name in KEY_NAMES),
    *(
        f"{modifiers}{name}"
        for modifiers in ("C-", "S-", "C-M-", "C-S-", "M-S-", "C-M-S-")
        for name in ("Up", "F1", "DC")
    ),
    *(f"C-{character}" for character in "azAZ@[\\]^_?/-26"),
    *(f"C-M-{character}" for character in "azAZ@[\\]^_?"),
    *("C-Space", "C-M-Space", "M-~", 'M-"', "M-$", "M-{"),
]

# Before 3.5: the name is typed, or nothing is, or (C-é) the modifier is dropped.
SINCE_3_5 = (
    "S-a S-A S-Enter S-Tab S-BTab S-Space S-Escape S-BSpace C-1 C-! C-; C-= C-Enter C-Tab C-~ C-| C-{ "
    'C-" C-M-Enter C-M-Escape C-M-/ C-M-- C-M-$ C-S-a C-S-Tab M-S-a C-M-S-a C-é S-é C-M-2'
).split()

NOWHERE = (
    "C-Escape C-BSpace C-# C-$ C-% C-& C-* C-S-Escape C-S-BSpace C-S-# C-S-$ C-KP1 S-KP1 C-M-KP1 M-S-KP1 C-KPEnter"
).split()

MISTAKES = [
    # given, what the message proposes
    ("Entr", "Enter"),
    ("Return", "Enter"),
    ("Esc", "Escape"),
    ("Backspace", "BSpace"),
    ("Del", "DC"),
    ("PgDown", "NPage"),
    ("Ctrl-c", "C-c"),
    ("ctrl+c", "C-c"),
    ("Control-Alt-Delete", "C-M-DC"),
    ("Shift-Up", "S-Up"),
    ("C+a", "C-a"),
    ("C-Entr", "C-Enter"),
    ("\n", "Enter"),
    ("\t", "Tab"),
    ("\x1b", "Escape"),
    ("\x7f", "BSpace"),
]

NO_KEYS = [
    *("", "hello", "ab", "--", "x-a", "C-", "M-", "C-M-", "^C-", "M-^a", "C-é日", "^ab", "F0", "F13", "KP", "KPA"),
    # tmux takes these for bindings; pressed, they do nothing, or are typed
    *("Any", "None", "User0", "0x41", "MouseDown1Pane", "WheelUpPane", "FocusIn"),
    # more than one code point, or not printable
    *("e\u0301", "🇩🇪", "👨\u200d👩", "\x00", "\x01", "\r", "\x80", "\u2028", "\ud800", "\u200b", "\ufffe"),
    *("ﬀ1", "ſ-a", "K-a", "enter\n", "Enter ", "Enter;", "ENTER\x00"),
]


@pytest.mark.parametrize(("given_name", "sent"), SPELLINGS)
def test_spelling(given_name: str, sent: str) -> None:
    assert check_key(given_name) == sent
    assert check_key(sent) == sent


def test_pressed_everywhere() -> None:
    for name in EVERYWHERE:
        assert check_key(name) == check_key(name, OLD) == check_key(name, NEW) == name


def test_every_ascii_character_is_a_key() -> None:
    for character in map(chr, range(33, 127)):
        assert check_key(character) == character
        assert check_key(f"M-{character}") == f"M-{character}"


@pytest.mark.parametrize("name", SINCE_3_5)
def test_pressed_since_3_5(name: str) -> None:
    for version, has in ((None, "a tmux of unknown version"), (OLD, f"tmux {OLD}")):
        with pytest.raises(UnsupportedCapability) as caught:
            check_key(name, version)
        assert (caught.value.operation, caught.value.needs, caught.value.has) == (f"the key {name}", "tmux 3.5", has)
    assert check_key(name, NEW) == name


@pytest.mark.parametrize("name", NOWHERE)
@pytest.mark.parametrize("version", [None, OLD, NEW])
def test_pressed_by_no_tmux(name: str, version: TmuxVersion | None) -> None:
    with pytest.raises(InvalidArgument, match="pressed by no tmux"):
        check_key(name, version)


@pytest.mark.parametrize(("name", "meant"), MISTAKES)
def test_near_miss(name: str, meant: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        check_key(name)
    assert f"did you mean {meant!r}?" in str(caught.value)
    assert caught.value.effects == "none"


@pytest.mark.parametrize("name", NO_KEYS)
def test_no_key(name: str) -> None:
    with pytest.raises(InvalidArgument, match="is not a key"):
        check_key(name)


def test_the_message_is_bounded() -> None:
    with pytest.raises(InvalidArgument) as caught:
        check_key("C-" * 100_000)
    assert len(str(caught.value)) < 300


@given(st.text(alphabet=st.characters(), max_size=12) | st.text(alphabet="CMScms-^+aéUp;", max_size=12))
def test_random_text_is_a_key_or_refused(name: str) -> None:
    try:
        sent = check_key(name, NEW)
    except InvalidArgument:
        return
    assert check_key(sent, NEW) == sent
    assert sent.isprintable() and sent
