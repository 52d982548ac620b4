"""Versions parse, sort and answer for capabilities; nothing else gets through."""

from __future__ import annotations

import itertools
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muxwright.errors import InvalidArgument, UnsupportedCapability
from muxwright.wire.versions import CAPABILITIES, MINIMUM, TmuxVersion, require, same_protocol, supports

parse = TmuxVersion.parse

PARSED = [
    # text, fields, as printed
    ("tmux 3.3a", TmuxVersion(3, 3, "a"), "3.3a"),
    ("3.3a", TmuxVersion(3, 3, "a"), "3.3a"),
    ("tmux 3.4\n", TmuxVersion(3, 4), "3.4"),
    ("next-3.5", TmuxVersion(3, 5, kind="next"), "next-3.5"),
    ("tmux next-3.5", TmuxVersion(3, 5, kind="next"), "next-3.5"),
    ("3.4-rc", TmuxVersion(3, 4, kind="rc"), "3.4-rc"),
    ("3.8-rc2", TmuxVersion(3, 8, kind="rc", number=2), "3.8-rc2"),
    ("master", TmuxVersion(0, 0, kind="master"), "master"),
    ("tmux master", TmuxVersion(0, 0, kind="master"), "master"),
    ("openbsd-7.5", TmuxVersion(7, 5, kind="openbsd"), "openbsd-7.5"),
    ("tmux openbsd-7.5", TmuxVersion(7, 5, kind="openbsd"), "openbsd-7.5"),
    ("tmux 3.10", TmuxVersion(3, 10), "3.10"),
]

GARBAGE = [
    *("", "tmux", "tmux ", "3", "3.", ".3", "v3.3", "3.3A", "3.3ab", "3.3.1", "3.3-beta", "next-3.5-rc", "next-master"),
    *(
        "tmux tmux 3.3",
        "screen 4.9",
        "3.3a\n3.4",
        "٣.٣",
        "99999.1",
        "-3.3",
        "openbsd",
        "openbsd-7",
        "\ud800",
        "3.3a\x00",
    ),
]

# From oldest to newest. Letters count, 10 is more than 9, an rc is before its release and a next build after it.
ORDER = "3.2 3.2a 3.3-rc 3.3 3.3a 3.4 3.5-rc 3.5-rc2 3.5 next-3.5 3.5a 3.9 3.10 4.0 openbsd-7.4 openbsd-7.5 master"


@pytest.mark.parametrize(("text", "version", "printed"), PARSED, ids=[repr(row[0]) for row in PARSED])
def test_parse(text: str, version: TmuxVersion, printed: str) -> None:
    assert parse(text) == version
    assert hash(parse(text)) == hash(version)
    assert str(version) == printed
    assert parse(printed) == version


@pytest.mark.parametrize("text", GARBAGE)
def test_garbage_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument, match="not a tmux version") as caught:
        parse(text)
    assert caught.value.effects == "none"


@given(st.text(alphabet=st.characters(), max_size=40) | st.from_regex(r"(tmux )?(next-|openbsd-)?[0-9.]{1,9}[a-z-]*"))
def test_random_text_is_read_or_refused(text: str) -> None:
    try:
        version = parse(text)
    except InvalidArgument:
        return
    assert parse(str(version)) == version


def test_order() -> None:
    versions = [parse(text) for text in ORDER.split()]
    assert sorted(set(versions)) == versions
    for older, newer in itertools.combinations(versions, 2):
        assert older < newer
        assert newer >= older
        assert older != newer


def test_immutable() -> None:
    with pytest.raises(FrozenInstanceError):
        MINIMUM.minor = 1  # type: ignore[misc]  # the wrong value is the subject


def test_versions_do_not_compare_with_text() -> None:
    with pytest.raises(TypeError):
        assert parse("3.3") < "3.4"


SUPPORT = [
    # version, capability, whether
    ("3.3a", "mirrored-layouts", False),
    ("3.4", "mirrored-layouts", False),
    ("3.5", "mirrored-layouts", True),
    ("3.5a", "mirrored-layouts", True),
    ("3.5-rc", "mirrored-layouts", True),
    ("next-3.5", "mirrored-layouts", True),
    ("next-3.4", "mirrored-layouts", False),
    ("master", "mirrored-layouts", True),
    ("openbsd-7.5", "json-layouts", True),
    ("3.6", "safe-width-format", False),
    ("3.6a", "safe-width-format", True),
    ("3.10", "json-layouts", True),
    ("3.8-rc2", "safe-output-clients", True),
    ("3.7c", "safe-output-clients", False),
]


@pytest.mark.parametrize(("text", "name", "expected"), SUPPORT)
def test_supports(text: str, name: str, expected: bool) -> None:
    assert supports(parse(text), name) is expected


def test_require_says_what_is_needed() -> None:
    with pytest.raises(UnsupportedCapability) as caught:
        require(parse("tmux 3.3a"), "mirrored-layouts")
    assert (caught.value.needs, caught.value.has) == ("tmux 3.5", "tmux 3.3a")
    assert caught.value.effects == "none"
    require(parse("3.5"), "mirrored-layouts")


def test_an_unknown_capability_is_a_mistake_in_the_code() -> None:
    with pytest.raises(KeyError):
        supports(MINIMUM, "no-such-thing")


def test_the_table() -> None:
    for name, row in CAPABILITIES.items():
        assert row.name == name
        assert row.summary and "\n" not in row.summary
        assert row.since > MINIMUM, "every tmux we drive has it, so it is no question"
        assert row.since.kind == "release"
    sinces = [row.since for row in CAPABILITIES.values()]
    assert sinces == sorted(sinces)
    with pytest.raises(TypeError):
        CAPABILITIES["x"] = CAPABILITIES["mute-off"]  # type: ignore[index]  # the wrong value is the subject


SIDES = (("3.2a", "3.3a", "3.4", "3.5", "3.5a", "next-3.5"), ("3.6-rc", "3.6", "3.6b", "3.7c", "3.8", "master"))


@pytest.mark.parametrize("one", range(2))
@pytest.mark.parametrize("other", range(2))
def test_same_protocol(one: int, other: int) -> None:
    for client, server in itertools.product(SIDES[one], SIDES[other]):
        assert same_protocol(parse(client), parse(server)) is (one == other)
