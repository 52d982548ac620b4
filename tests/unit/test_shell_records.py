"""The records of a run: found in any stream, cut anywhere, and nowhere else."""

from __future__ import annotations

import random

import pytest

from muxwright.shells.records import Records, Scanner, read_status

HIDDEN = Records("a" * 32, "b" * 32)
VISIBLE = Records("a" * 32, "b" * 32, visible=True)


def closing(records: Records, status: int | str) -> str:
    before, after = records.closing
    return f"{before}{status}{after}"


def scan(records: Records, *pieces: bytes) -> tuple[bytes, Scanner]:
    scanner = Scanner(records)
    return b"".join([scanner.feed(piece) for piece in pieces]), scanner


BODIES = [
    "",
    "hello\r\n",
    "no newline",
    "\x1b",
    "\x1b\\",
    "\x1b]8719;",
    "\x1b\\\x1b]8719;" + "b" * 31,
    "\x1b\\\x1b]8719;" + "b" * 32 + ";",
    "\x1b\\\x1b]8719;" + "b" * 32 + ";999x",
    "\x1b\\\x1b]8719;" + "b" * 32 + ";01\x07",
    "\x1b\\\x1b]8719;" + "c" * 32 + ";0\x07",
    "muxwright " + "a" * 32 + " begins\n",
    "\nmuxwright " + "b" * 32 + " ends x\n",
    "x" * 500,
]


@pytest.mark.parametrize("records", [HIDDEN, VISIBLE], ids=["hidden", "visible"])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("status", [0, 1, 77, 130, 255])
def test_found_whole_and_byte_by_byte(records: Records, body: str, status: int) -> None:
    stream = f"$ . /x/frame\r\n{records.opening}{body}{closing(records, status)}$ trailing".encode()
    for pieces in ([stream], [stream[index : index + 1] for index in range(len(stream))]):
        found, scanner = scan(records, *pieces)
        assert (found, scanner.exit_status) == (body.encode(), status)
        assert scanner.before.endswith(b"frame\r\n")
        assert scanner.feed(b"more") == b""
        assert scanner.rest() == b""


@pytest.mark.parametrize("records", [HIDDEN, VISIBLE], ids=["hidden", "visible"])
def test_found_in_random_pieces(records: Records, seed: int) -> None:
    source = random.Random(seed)
    for body in BODIES:
        stream = f"{records.opening}{body}{closing(records, 3)}".encode()
        cuts = sorted(source.randrange(len(stream)) for _ in range(5))
        pieces = [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
        found, scanner = scan(records, *pieces)
        assert (found, scanner.exit_status) == (body.encode(), 3)


def test_nothing_before_the_opening_record_counts() -> None:
    found, scanner = scan(HIDDEN, closing(HIDDEN, 0).encode(), b"text")
    assert (found, scanner.began, scanner.exit_status) == (b"", False, None)
    assert scanner.before.endswith(b"text")


def test_what_may_be_a_record_waits_until_it_is_none() -> None:
    scanner = Scanner(HIDDEN)
    scanner.feed(HIDDEN.opening.encode())
    assert scanner.feed(b"text\x1b\\") == b"text"
    assert scanner.feed(b"more") == b"\x1b\\more"
    assert scanner.feed(b"\x1b") == b""
    assert scanner.rest() == b"\x1b"


def test_after_a_gap_the_output_goes_on() -> None:
    scanner = Scanner(HIDDEN)
    scanner.feed(HIDDEN.opening.encode() + b"one\x1b")
    assert scanner.skip(b"two" + closing(HIDDEN, 5).encode()) == b"\x1btwo"
    assert scanner.exit_status == 5
    # The opening record may have been in it.
    scanner = Scanner(HIDDEN)
    assert scanner.skip(b"two" + closing(HIDDEN, 5).encode()) == b"two"
    assert scanner.exit_status == 5


@pytest.mark.parametrize(("said", "status"), [("0", 0), ("255", 255), ("258", 130), ("265", 137)])
def test_status_of_a_signal_in_ksh93(said: str, status: int) -> None:
    _, scanner = scan(HIDDEN, f"{HIDDEN.opening}{closing(HIDDEN, said)}".encode())
    assert scanner.exit_status == status
    assert read_status(f"{HIDDEN.closing_nonce} {said}\n".encode(), HIDDEN) == status


@pytest.mark.parametrize(
    "content",
    ["", "0", "0\n", "{a} 0\n", "{b} 0", "{b} 00\n", "{b} 1000\n", "{b} -1\n", "{b}  0\n", "{b} 0\n\n", "x{b} 0\n"],
)
def test_a_status_file_that_the_frame_did_not_write(content: str) -> None:
    text = content.format(a=HIDDEN.opening_nonce, b=HIDDEN.closing_nonce)
    assert read_status(text.encode(), HIDDEN) is None
