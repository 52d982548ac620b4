"""What is written for an argument, on a control line and in an argv. (tests/property reads it back.)"""

from __future__ import annotations

import pytest

from muxwright.errors import LocalProtocolError
from muxwright.wire.quoting import argv_size, encode_argv, encode_words, quote

QUOTED = [
    (b"", b"''"),
    (b"plain", b"'plain'"),
    (b"two words", b"'two words'"),
    (b'~ $HOME ${X} #{pid} ; { } \\ " `x` %1', b"'~ $HOME ${X} #{pid} ; { } \\ \" `x` %1'"),
    (b"it's", b"'it'\"\\047\"'s'"),
    (b"'", b"''\"\\047\"''"),
    (b"a\nb\tc\r", b"'a'\"\\012\"'b'\"\\011\"'c'\"\\015\"''"),
    (b"\x1b\x7f\x01", b"''\"\\033\"''\"\\177\"''\"\\001\"''"),
    ("é日🎉".encode(), "'é日🎉'".encode()),
    (b"\xff", b"''\"\\377\"''"),
    # One broken byte, and no byte above ASCII is trusted.
    ("é".encode() + b"\xc3", b"''\"\\303\"''\"\\251\"''\"\\303\"''"),
    (b"\xed\xa0\x80", b"''\"\\355\"''\"\\240\"''\"\\200\"''"),  # a surrogate is no valid UTF-8
    (b"trailing;", b"'trailing;'"),
    (b"-flag", b"'-flag'"),
]


@pytest.mark.parametrize(("word", "quoted"), QUOTED, ids=range(len(QUOTED)))
def test_quote(word: bytes, quoted: bytes) -> None:
    assert quote(word) == quoted
    assert b"\n" not in quoted


def test_words() -> None:
    assert encode_words((b"list-panes",)) == b"list-panes"
    assert encode_words((b"send-keys", b"-t", b"%3", b"-l", b"--", b"a;")) == b"send-keys '-t' '%3' '-l' '--' 'a;'"


ARGV: list[tuple[list[tuple[bytes, ...]], list[bytes]]] = [
    ([], []),
    ([(b"list-panes",)], [b"list-panes"]),
    ([(b"a",), (b"b", b"c")], [b"a", b";", b"b", b"c"]),
    ([(b"a", b";")], [b"a", b"\\;"]),
    ([(b"a", b"x;")], [b"a", b"x\\;"]),
    ([(b"a", b"x\\;")], [b"a", b"x\\\\;"]),
    ([(b"a", b";;")], [b"a", b";\\;"]),
    ([(b"a", b"x;y", b"", b"~ $HOME\n")], [b"a", b"x;y", b"", b"~ $HOME\n"]),
]


@pytest.mark.parametrize(("commands", "argv"), ARGV, ids=range(len(ARGV)))
def test_argv(commands: list[tuple[bytes, ...]], argv: list[bytes]) -> None:
    assert encode_argv(commands) == argv
    assert argv_size(argv) == sum(len(word) + 1 for word in argv)


@pytest.mark.parametrize("word", [b"\0", b"a\0b", b"\xff\0", b"it's\0"])
def test_nul_is_refused(word: bytes) -> None:
    with pytest.raises(LocalProtocolError, match="NUL") as caught:
        quote(word)
    assert caught.value.effects == "none"
    with pytest.raises(LocalProtocolError, match="NUL"):
        encode_words((b"a", word))
    with pytest.raises(LocalProtocolError, match="NUL"):
        encode_argv([(b"a", word)])
