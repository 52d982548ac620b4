"""What holds for every argument, listing and pane, and not only for those somebody thought of."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muxwright.wire.events import unescape_output
from muxwright.wire.exchange import Exchange
from muxwright.wire.quoting import encode_argv, encode_words, quote
from muxwright.wire.request import Command, Guard, Request, Section
from muxwright.wire.rows import decode_rows, unescape
from muxwright.wire.stream import NEED_DATA, ControlStream, Expectation, Reply
from tests.transcripts import TRANSCRIPTS, Transcript, bytewise, parse

# --- arguments: read back by our own reading of tmux's cmd-parse.y ---------------------------------------------------


def tmux_words(line: bytes) -> list[bytes]:
    """The words that tmux's parser makes of one command; an error for all that would mean more than a literal."""
    words: list[bytes] = []
    current: bytearray | None = None
    at = 0

    def escape() -> int:
        nonlocal at
        digits = line[at + 1 : at + 4]
        assert len(digits) == 3, "an escape is cut"
        assert digits[0] in b"0123", "tmux refuses larger ones"
        assert all(digit in b"01234567" for digit in digits)
        at += 4
        return int(digits, 8)

    while at < len(line):
        char = line[at]
        if char == ord("'"):
            current = current if current is not None else bytearray()
            at += 1
            while line[at] != ord("'"):
                assert line[at] not in (0, 10, 255), "ends a quoted string or a line"
                current.append(line[at])
                at += 1
            at += 1
        elif char == ord('"'):
            current = current if current is not None else bytearray()
            at += 1
            while line[at] != ord('"'):
                assert line[at] == ord("\\"), "only escapes are safe in double quotes"
                current.append(escape())
            at += 1
        elif char == ord(" "):
            if current is not None:
                words.append(bytes(current))
            current = None
            at += 1
        else:
            assert chr(char).isalnum() or char in b"-_", f"{char:#x} is not safe outside quotes"
            current = current if current is not None else bytearray()
            current.append(char)
            at += 1
    if current is not None:
        words.append(bytes(current))
    return words


def tmux_arguments(argv: list[bytes]) -> list[list[bytes]]:
    """The commands that tmux makes of its arguments (cmd_parse_from_arguments)."""
    commands: list[list[bytes]] = [[]]
    for argument in argv:
        ends = argument.endswith(b";")
        word = argument[:-1] if ends else argument
        if ends and word.endswith(b"\\"):
            ends, word = False, word[:-1] + b";"
        if word or not ends:
            commands[-1].append(word)
        if ends:
            commands.append([])
    return commands


HOSTILE = [
    b"'",
    b'"',
    b"\\",
    b"$HOME",
    b"~",
    b"#{pid}",
    b";",
    b"\\;",
    b"{",
    b"}",
    b"\n",
    b"%1",
    b"\xff",
    b"\xc3",
    b"\x1b",
    b"-",
]
arguments = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=30).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.lists(st.sampled_from([*HOSTILE, "é".encode(), "🎉".encode(), b" ", b"a"]), max_size=12).map(b"".join),
).map(lambda word: word.replace(b"\0", b"0"))


@given(st.lists(arguments, max_size=5))
def test_a_control_line_gives_the_words_back(words: list[bytes]) -> None:
    line = encode_words((b"send-keys", *words))
    assert tmux_words(line) == [b"send-keys", *words]
    assert b"\n" not in line
    assert b"\0" not in line


@given(arguments)
def test_one_word_is_one_word(word: bytes) -> None:
    assert tmux_words(quote(word)) == [word]
    assert tmux_words(quote(quote(word))) == [quote(word)]


@given(st.lists(st.lists(arguments, min_size=1, max_size=4), min_size=1, max_size=4))
def test_an_argv_gives_the_commands_back(commands: list[list[bytes]]) -> None:
    made = [[b"name", *words] for words in commands]
    assert tmux_arguments(encode_argv([tuple(words) for words in made])) == made


# --- listings: printed by our own reading of tmux's format_quote_shell and utf8_stravis ------------------------------

SHELL = b"|&;<>()$`\\\"'*?[# =%"
C_STYLE = {7: b"\\a", 8: b"\\b", 11: b"\\v", 12: b"\\f", 13: b"\\r"}


def quoted(value: bytes, special: bytes) -> bytes:
    return b"".join(b"\\" + bytes((char,)) if char in special else bytes((char,)) for char in value)


def vis(line: bytes) -> bytes:
    """What 3.4 and 3.5 do to a line: valid UTF-8, tabs and newlines stay, other control and broken bytes do not."""
    shown = bytearray()
    for char in line.decode("utf-8", "surrogateescape"):
        raw = char.encode("utf-8", "surrogateescape")
        code = raw[0]
        if len(raw) > 1 or code in b"\t\n" or 32 <= code < 127:
            shown += raw
        else:
            shown += C_STYLE.get(code, b"\\%03o" % code)
    return bytes(shown)


def dollars(line: bytes) -> bytes:
    """What 3.4 does besides: a backslash before a dollar that looks like a variable."""
    shown = bytearray()
    for char, after in zip(line, line[1:] + b" ", strict=False):
        if char == ord("$") and ((chr(after).isascii() and chr(after).isalpha()) or after in b"_{"):
            shown += b"\\"
        shown.append(char)
    return bytes(shown)


DIALECTS: dict[str, Callable[[bytes], bytes]] = {
    "3.3a": lambda value: quoted(value, SHELL),
    "3.4": lambda value: dollars(vis(quoted(value, SHELL))),
    "3.5a": lambda value: vis(quoted(value, SHELL)),
    "3.8": lambda value: quoted(value, SHELL + b"\n~{}!"),
}
values = st.one_of(
    arguments,
    st.lists(
        st.sampled_from([b"\\", b"$", b"$a", b"${", b" ", b"\n", b"\x1b", b"\a", b"033", b"a", b"\xff", b"n", b"\t"]),
        max_size=10,
    ).map(b"".join),
)


@pytest.mark.parametrize("version", DIALECTS)
@given(data=st.data())
def test_rows_give_the_fields_back(version: str, data: st.DataObject) -> None:
    width = data.draw(st.integers(1, 4))
    rows = data.draw(st.lists(st.lists(values, min_size=width, max_size=width), max_size=4))
    printed = b"\n".join(b"".join(DIALECTS[version](field) + b" " for field in row) for row in rows)
    assert [[unescape(field) for field in row] for row in decode_rows(printed, width)] == rows


@given(st.binary(max_size=200))
def test_output_gives_the_bytes_back(data: bytes) -> None:
    wire = b"".join(b"\\%03o" % char if char < 32 or char == ord("\\") else bytes((char,)) for char in data)
    assert unescape_output(wire) == data
    every = b"".join(b"\\%03o" % char for char in data)
    assert unescape_output(every) == data


@given(
    st.lists(
        st.sampled_from([b"\\", b"0", b"1", b"3", b"4", b"5", b"7", b"[", b"\\134", b"\\015\\012"]), max_size=14
    ).map(b"".join)
)
def test_output_is_read_from_left_to_right(wire: bytes) -> None:
    expected = bytearray()
    at = 0
    while at < len(wire):
        digits = wire[at + 1 : at + 4]
        if (
            wire[at] == ord("\\")
            and len(digits) == 3
            and digits.isdigit()
            and max(digits) < ord("8")
            and digits[0] < ord("4")
        ):
            expected.append(int(digits, 8))
            at += 4
        else:
            expected.append(wire[at])
            at += 1
    assert unescape_output(wire) == bytes(expected)


# --- the stream ------------------------------------------------------------------------------------------------------


@given(st.sampled_from(TRANSCRIPTS), st.data())
def test_chunks_never_matter(transcript: Transcript, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(transcript.data)), max_size=10))
    whole = parse(transcript.data, transcript.expectations)
    assert parse(transcript.data, transcript.expectations, cuts) == whole


N, NEXT = b"0123456789abcdef0123456789abcdef", b"fedcba9876543210fedcba9876543210"
TIME = 1_700_000_000
IF, OWN, MARKED, FENCED, LATER = range(100, 105)  # the numbers of the blocks of one request, and of the next
words = st.sampled_from([b"begin", b"end", b"error"])
guard_lines = st.builds(
    lambda word, number, flags: b"%%%s %d %d %d" % (word, TIME, number, flags),
    words,
    st.sampled_from([IF, OWN, OWN, OWN, MARKED, FENCED, LATER, 1]),
    st.sampled_from([1, 1, 1, 0]),
)
other_lines = st.sampled_from(
    [
        b"",
        b"%exit",
        b"%window-add @1",
        b"%output %1 x",
        b"!" + NEXT[:-1] + b"0 %1",
        N[:-1],
        N + b"x",
        N + b".",
        b"text",
        b"%",
    ]
)
texts = st.lists(guard_lines | guard_lines | other_lines, max_size=40)


def block(number: int, lines: list[bytes], end: bytes = b"end") -> bytes:
    numbers = b"%d %d 1\n" % (TIME, number)
    return b"%begin " + numbers + b"".join(line + b"\n" for line in lines) + b"%" + end + b" " + numbers


AFTER = block(LATER, [b"later"]) + block(LATER + 1, [NEXT])


@given(texts, st.booleans(), st.sampled_from([b"end", b"error"]), st.data())
def test_forged_guards_change_nothing(text: list[bytes], guarded: bool, end: bytes, data: st.DataObject) -> None:
    """A pane, an option or a title holds guard lines with the right time and every number that is in use."""
    stream = block(IF, []) * guarded + block(OWN, text, end) + block(FENCED, [N]) + AFTER
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=6))
    status = "done" if end == b"end" else "failed"
    assert parse(stream, [Expectation(N, (guarded,)), Expectation(NEXT, (False,))], cuts) == [
        Reply(N, (Section(status, b"\n".join(text)),)),  # type: ignore[arg-type]  # one of the two statuses
        Reply(NEXT, (Section("done", b"later"),)),
    ]


@given(texts, texts, st.booleans(), st.booleans())
def test_forged_guards_in_two_sections(one: list[bytes], two: list[bytes], first: bool, second: bool) -> None:
    stream = (
        block(IF, []) * first
        + block(OWN, one)
        + block(MARKED, [N + b".0"])
        + block(IF + 50, []) * second
        + block(OWN + 50, two)
        + block(FENCED, [N])
        + AFTER
    )
    for cuts in ((), bytewise(stream)):
        assert parse(stream, [Expectation(N, (first, second)), Expectation(NEXT, (False,))], cuts) == [
            Reply(N, (Section("done", b"\n".join(one)), Section("done", b"\n".join(two)))),
            Reply(NEXT, (Section("done", b"later"),)),
        ]


@pytest.mark.parametrize("lines", [5_000, 50_000])
@pytest.mark.parametrize("number", [IF, OWN, FENCED, LATER])
def test_thousands_of_forged_guards(lines: int, number: int) -> None:
    text = [b"%%%s %d %d 1" % (word, TIME, number) for word in (b"begin", b"end", b"error", b"end")] * (lines // 4)
    stream = block(IF, []) + block(OWN, text) + block(FENCED, [N]) + AFTER
    for cuts in ((), range(4096, len(stream), 4096)):
        first, second = parse(stream, [Expectation(N, (True,)), Expectation(NEXT, (False,))], cuts)
        assert first == Reply(N, (Section("done", b"\n".join(text)),))
        assert second == Reply(NEXT, (Section("done", b"later"),))


@given(st.binary(max_size=300) | texts.map(b"\n".join), st.data())
def test_nothing_but_the_protocol_error_escapes(stream: bytes, data: st.DataObject) -> None:
    stream += data.draw(st.sampled_from([b"", b"\n", block(FENCED, [N]), b"\n" + block(FENCED, [N])]))
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=6))
    expected = [Expectation(N, (data.draw(st.booleans()),), data.draw(st.sampled_from([0, 50, 10**6])))]
    limits = {"max_line": 60, "max_reply": 200}
    whole = parse(stream, expected, (), ControlStream(**limits))
    assert parse(stream, expected, cuts, ControlStream(**limits)) == whole
    assert parse(stream, expected, bytewise(stream), ControlStream(**limits)) == whole


# --- whose reply it is -----------------------------------------------------------------------------------------------


def serve(sent: bytes, numbers: Iterator[int], text: list[bytes]) -> bytes:
    """The answer of a tmux to one request of one command, guarded or not."""
    line, fence, _ = sent.split(b"\n")
    answer = block(next(numbers), []) if line.startswith(b"if-shell") else b""
    return answer + block(next(numbers), text) + block(next(numbers), [fence.removeprefix(b"display-message -p ")])


steps = st.lists(st.sampled_from(["submit", "submit guarded", "abandon", "part", "event"]), max_size=40)


@given(steps, st.data())
def test_every_reply_finds_its_own_caller(actions: list[str], data: st.DataObject) -> None:
    """Requests are abandoned at any moment; nobody ever gets the reply of another."""
    count, numbers = iter(range(10**9)), iter(range(OWN, 10**9))
    exchange = Exchange(lambda: b"%032x" % next(count))
    wire, wanted = b"", dict[bytes, bytes]()

    def take() -> None:
        while (event := exchange.next_event()) is not NEED_DATA:
            if isinstance(event, Reply):
                assert event == Reply(event.ticket, (Section("done", wanted.pop(event.ticket)),), None)

    for action in actions:
        if action.startswith("submit"):
            guard = Guard(b"%1", b"1", b"") if "guarded" in action else None
            ticket, sent = exchange.submit(Request((Command((b"capture-pane",), guard),)))
            text = [b"reply of %b" % ticket, *data.draw(texts)]
            wanted[ticket] = b"\n".join(text)
            wire += serve(sent, numbers, text)
        elif action == "abandon" and wanted:
            ticket = data.draw(st.sampled_from(sorted(wanted)))
            exchange.abandon(ticket)
            del wanted[ticket]
        elif action == "part":
            size = data.draw(st.integers(0, len(wire)))
            exchange.receive_data(wire[:size])
            wire = wire[size:]
            take()
        elif action == "event" and not wire:
            exchange.receive_data(b"%sessions-changed\n")
            take()
    exchange.receive_data(wire)
    take()
    assert wanted == {}
    assert exchange.unanswered == 0
