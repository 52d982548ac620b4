"""What is kept of a command's output."""

from __future__ import annotations

from muxwright.operations.collected import OUTPUT_LIMIT, Collected


def test_text_and_size() -> None:
    output = Collected()
    for piece in (b"one\r", b"\ntwo \x1b[3", b"1mred\xc3", b"\xa9\r\n"):
        output.take(piece)
    output.finish()
    assert output.since(0) == ("one\ntwo redé\n", 0)
    assert (output.size, output.cursor, output.truncated) == (21, 14, False)
    assert output.since(4) == ("two redé\n", 0)
    assert output.since(14) == ("", 0)
    assert output.since(99) == ("", 0)


def test_the_newest_is_kept_and_the_rest_counted() -> None:
    output = Collected()
    output.take(b"a" * 1000 + b"b" * OUTPUT_LIMIT)
    text, lost = output.since(10)
    assert (text, lost) == ("b" * OUTPUT_LIMIT, 990)
    assert (output.size, output.truncated) == (OUTPUT_LIMIT + 1000, True)


def test_a_cut_in_the_middle_of_a_sequence_or_a_character_leaves_no_garbage() -> None:
    output = Collected()
    output.take(("é" * (OUTPUT_LIMIT // 2 + 1)).encode() + b"\x1b]2;a title")
    output.take(b" that goes on\x07x")
    text, lost = output.since(0)
    assert text == "é" * (OUTPUT_LIMIT // 2 - 1) + "x"
    assert lost == 3


def test_a_gap_is_said() -> None:
    output = Collected()
    output.take(b"one \x1b[3")
    output.miss(40)
    output.take(b"two")
    assert output.since(0) == ("one two", 0)
    assert (output.size, output.truncated) == (50, True)
