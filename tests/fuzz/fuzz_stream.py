"""A seeded fuzzer of the control-mode parser: real transcripts, taken apart and put together wrongly.

    python -m tests.fuzz.fuzz_stream COUNT [SEED]

Each input is a few lines of the recorded transcripts with lines and bytes changed, fed with expectations that may or
may not fit. What must hold: nothing but `RemoteProtocolError` escapes, memory stays within the limits, and the events
are the same however the bytes are cut.
"""

from __future__ import annotations

import os
import random
import sys
import time
from typing import NamedTuple

from muxwright.wire.stream import ControlStream, Expectation
from tests.transcripts import TRANSCRIPTS, Broken, bytewise, parse, random_cuts

SLACK = 2048  # a fence, and what the parser keeps of an oversized reply
LIMITS = ((10**6, 10**6), (10**6, 10**6), (40, 10**6), (10**6, 60), (40, 60), (100, 300))  # line, reply
REPLY_LIMITS = (0, 30, 100, 1000, 10**6, 10**6, 10**6)
SHAPES = ((False,), (True,), (False, False), (True, False), (False, True, False), ())
MOST_LINES = 14

_LINES = [transcript.data.splitlines(keepends=True) for transcript in TRANSCRIPTS]
_NONCES = [[expected.nonce for expected in transcript.expectations] or [b"f" * 32] for transcript in TRANSCRIPTS]
_GUARDED = [[expected.guarded for expected in transcript.expectations] or [(False,)] for transcript in TRANSCRIPTS]
_WORDS = (
    b"%begin ",
    b"%end ",
    b"%error ",
    b"%output ",
    b"%extended-output ",
    b"%",
    b"\n",
    b" : ",
    b"\\015",
    b"\\",
    b"$",
    b".0\n",
)


class Input(NamedTuple):
    data: bytes
    expectations: list[Expectation]
    limits: tuple[int, int]


def make(rng: random.Random) -> Input:
    """The next input; all of it comes from `rng`."""
    which = rng.randrange(len(_LINES))
    lines = _LINES[which]
    start = rng.choice((0, 0, rng.randrange(len(lines))))
    taken = lines[start : start + rng.randint(1, MOST_LINES)]
    nonces = _NONCES[which]
    for _ in range(rng.randrange(4)):
        _change_lines(rng, taken, nonces)
    data = bytearray(b"".join(taken))
    for _ in range(rng.choice((0, 0, 1, 3))):
        _change_bytes(rng, data)
    expectations = [
        Expectation(nonce, guarded if rng.random() < 0.7 else rng.choice(SHAPES), rng.choice(REPLY_LIMITS))
        for nonce, guarded in zip(nonces, _GUARDED[which], strict=True)
        if rng.random() < 0.9
    ]
    return Input(bytes(data), expectations, rng.choice(LIMITS))


def _change_lines(rng: random.Random, lines: list[bytes], nonces: list[bytes]) -> None:
    at = rng.randrange(len(lines) + 1)
    kind = rng.randrange(8)
    if kind == 0 and lines:
        del lines[at : at + rng.randint(1, 3)]
    elif kind == 1 and lines:
        lines.insert(at, rng.choice(lines))
    elif kind == 2 and lines:
        other = rng.randrange(len(lines))
        at = min(at, len(lines) - 1)
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        lines.insert(at, rng.choice(rng.choice(_LINES)))
    elif kind == 4:
        nonce = rng.choice(nonces)
        lines.insert(at, rng.choice((b"%s\n", b"%s.0\n", b"%s.1\n", b"!%s x\n", b"%s", b"%s.0\n%%end")) % nonce)
    elif kind == 5:  # a forged guard with the numbers of a real one
        guards = [line for line in lines if line.startswith((b"%begin ", b"%end ", b"%error "))]
        if guards:
            forged = rng.choice(guards).partition(b" ")[2]
            lines.insert(at, rng.choice((b"%begin ", b"%end ", b"%error ", b"x%end ")) + forged)
    elif kind == 6:  # a fence in the wrong place
        lines.insert(at, b"%%begin 5 8 1\n%s\n%%end 5 %d 1\n" % (rng.choice(nonces), rng.choice((8, 8, 9))))
    else:
        lines.insert(at, b"x" * rng.choice((1, 50, 200, 700)) + rng.choice((b"", b"\n")))


def _change_bytes(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(len(data) + 1)
    kind = rng.randrange(5)
    if kind == 0:
        del data[at : at + rng.randint(1, 9)]
    elif kind == 1:
        data[at:at] = rng.choice(_WORDS)
    elif kind == 2 and at < len(data):
        data[at] = rng.randrange(256)
    elif kind == 3:
        data[at:at] = b"%d" % rng.choice((0, 1, 7, 10**9, 10**25, 10**30))
    elif rng.random() < 0.3:
        del data[at:]


def check(rng: random.Random) -> tuple[int, bool]:
    """Make one input and try it; return its number of events and whether it broke the stream."""
    data, expectations, (max_line, max_reply) = make(rng)
    stream = ControlStream(max_line=max_line, max_reply=max_reply)
    whole = parse(data, expectations, (), stream)
    bound = max(max_line, max_reply, *[expected.limit for expected in expectations]) + SLACK
    assert stream.unfinished <= bound
    for cuts in (random_cuts(data, rng), *([bytewise(data)] if rng.random() < 0.05 else [])):
        stream = ControlStream(max_line=max_line, max_reply=max_reply)
        events = parse(data, expectations, cuts, stream)
        assert events == whole, f"cut at {cuts}: {events} instead of {whole}"
        assert stream.unfinished <= bound
    return len(whole), bool(whole) and isinstance(whole[-1], Broken)


def run(count: int, seed: int) -> dict[str, int]:
    """Try `count` inputs; an error names the input's own seed, which `run(1, seed)` repeats."""
    figures = {"inputs": 0, "events": 0, "broken": 0}
    for number in range(seed, seed + count):
        try:
            events, broken = check(random.Random(number))
        except Exception as error:
            error.add_note(f"input {number}: {make(random.Random(number))}")
            raise
        figures["inputs"] += 1
        figures["events"] += events
        figures["broken"] += broken
    return figures


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else int(os.environ.get("MUXWRIGHT_SEED", "1"))
    began = time.perf_counter()
    print(f"seed {first}:", run(wanted, first), f"in {time.perf_counter() - began:.1f} s")
