"""The control-mode parser on what four real tmux have said, and on what they must not be able to say."""

from __future__ import annotations

import random

import pytest

from muxwright.errors import RemoteProtocolError
from muxwright.wire.events import Block, Notification, Output, Unguarded
from muxwright.wire.request import Section
from muxwright.wire.rows import decode_rows, decode_text
from muxwright.wire.stream import NEED_DATA, ControlStream, Expectation, Reply
from tests.transcripts import TRANSCRIPTS, Broken, Transcript, bytewise, parse, random_cuts

SKIPPED = Section("skipped")
NO_PANE = Section("failed", b"can't find pane: %99")
UNKNOWN = Section("failed", b"parse error: unknown command: no-such-command")
FORGED = b"%begin 1 2 1\n%end 1 2 1\n%error 1 2 1\n%exit\n\n%output %0 x" + b"\n" * 18
BLANK = b"\n" * 23


def done(*texts: bytes) -> tuple[Section, ...]:
    return tuple(Section("done", text) for text in texts)


# The sections of each request of a scenario, the same on every version.
SECTIONS: dict[str, list[tuple[Section, ...]]] = {
    "simple": [done(b"hello")],
    "empty-reply": [done(b"")],
    "strftime": [done(b"%end %output %0")],
    "error": [(NO_PANE,), done(b"after")],
    "parse-error": [(UNKNOWN, SKIPPED), done(b"after")],
    "two-commands": [done(b"one", b"two")],
    "first-fails": [(NO_PANE, SKIPPED)],
    "guard-true": [done(b"done")],
    "guard-false": [(Section("refused", b"%0 0"),)],
    "guard-of-nothing": [(Section("refused", b" "),)],
    "guarded-error": [(NO_PANE,)],
    "guarded-error-between": [(Section("done"), Section("failed", b"no buffer other"), Section("done"))],
    "guard-parse-error": [(UNKNOWN,)],
    "forged-capture": [done(FORGED)],
    "forged-capture-guarded": [done(FORGED)],
    "forged-option": [done(b""), done(b"a\n%end 1 2 1\nb")],
    "hook-prints": [done(b""), done(BLANK, b"two"), done(BLANK)],
    "notification-hook": [done(b""), done(b""), done(b"after")],
    "source-file": [done(b""), done(b"after")],
    "renames": [done(b"", b""), done(b"")],
    "windows": [done(b"@1"), done(b"", b"", b""), done(b"", b""), done(b"", b""), done(b"")],
    "layout-change": [done(b"")],
    "mode": [done(b""), done(b"")],
    "buffers": [done(b"", b"text", b"")],
    "kill-attached": [done(b"")],
    "kill-server": [done(b"")],
    "detach": [done(b"")],
    "subscription": [done(b""), done(b"")],
    "output": [done(b"")],
    "extended-output": [done(b"")],
    "other-client": [done(b"")],
    "empty-line": [],
    "no-session": [],
}

# Events that a scenario must bring on every version, in this order (others may come between).
EVENTS: dict[str, list[tuple[object, ...]]] = {
    "simple": [("block", 0, False), ("session-changed", b"$0", b"w"), ("exit", b"")],
    "hook-prints": [("text", b"hooked"), ("text", b"hooked")],
    "notification-hook": [("window-renamed", b"@0", b"new"), ("line", b"x")],
    "renames": [
        ("window-renamed", b"@0", b"a b"),
        ("session-renamed", b"$0 s $1 t"),
        ("unlinked-window-renamed", b"@1", b"elsewhere"),
    ],
    "windows": [
        ("window-add", b"@1"),
        ("window-pane-changed", b"@1", b"%2"),
        ("session-window-changed", b"$0", b"@1"),
        ("session-window-changed", b"$0", b"@0"),
        ("unlinked-window-add", b"@2"),
        ("sessions-changed",),
        ("unlinked-window-close", b"@2"),
    ],
    "layout-change": [
        ("layout-change", b"@0", *[b"8205,80x24,0,0{40x24,0,0,0,39x24,41,0,1}"] * 2, b"*"),
    ],
    "mode": [("pane-mode-changed", b"%0"), ("pane-mode-changed", b"%0")],
    "subscription": [
        ("subscription-changed", b"title", b"$0", b"@0", b"0", b"%0", b": title of 0"),
        # Nothing frames the newline of a value: its rest is a line of its own.
        ("subscription-changed", b"path", b"$0", b"@0", b"0", b"%1", b": /tmp/private/new"),
        ("line", b"line"),
    ],
    "output": [("output", b"%0", "é日\t\\".encode(), None)],
    "extended-output": [("output", b"%0", b"a:b", 0)],
    "kill-attached": [("exit", b"")],
    "kill-server": [("exit", b"")],
    "detach": [("exit", b"")],
    "empty-line": [("exit", b"")],
    "no-session": [("block", 0, True), ("exit", b"")],
}


def brief(event: object) -> list[tuple[object, ...]]:
    """An event as the tables above write it."""
    match event:
        case Block(text=text, flags=flags, failed=failed):
            return [("block", flags, failed), ("text", text)]
        case Unguarded(line):
            return [("line", line)]
        case Output():
            return [("output", *event)]
        case Notification(name, arguments):
            return [(name, *arguments)]
    return []


def named(name: str) -> list[Transcript]:
    return [transcript for transcript in TRANSCRIPTS if transcript.name == name]


def test_four_versions_are_recorded() -> None:
    assert {transcript.version for transcript in TRANSCRIPTS} == {"3.3a", "3.5a", "3.7c", "3.8"}
    assert {*SECTIONS, *EVENTS} <= {transcript.name for transcript in TRANSCRIPTS}


@pytest.mark.parametrize("transcript", [t for t in TRANSCRIPTS if t.name in SECTIONS], ids=str)
def test_recorded_replies(transcript: Transcript) -> None:
    events = parse(transcript.data, transcript.expectations)
    replies = [event for event in events if isinstance(event, Reply)]
    assert [reply.sections for reply in replies] == SECTIONS[transcript.name]
    assert [reply.ticket for reply in replies] == [expected.nonce for expected in transcript.expectations]
    assert all(reply.problem is None for reply in replies)


@pytest.mark.parametrize("transcript", [t for t in TRANSCRIPTS if t.name in EVENTS], ids=str)
def test_recorded_events(transcript: Transcript) -> None:
    events = parse(transcript.data, transcript.expectations)
    found = iter([row for event in events for row in brief(event)])
    for wanted in EVENTS[transcript.name]:
        assert wanted in found, f"{wanted} is missing, or not in this order"


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=str)
def test_chunks_do_not_matter(transcript: Transcript, seed: int) -> None:
    rng = random.Random(f"{seed} {transcript}")
    data, expectations = transcript.data, transcript.expectations
    whole = parse(data, expectations)
    assert parse(data, expectations, bytewise(data)) == whole
    for _ in range(20):
        assert parse(data, expectations, random_cuts(data, rng)) == whole


@pytest.mark.parametrize("transcript", [t for t in TRANSCRIPTS if t.name != "jump-prompt"], ids=str)
def test_trailing_bytes_wait(transcript: Transcript) -> None:
    more = b"%window-add @7\n%begin 1 2 0\nunfinis"
    for cuts in ((), bytewise(transcript.data + more)):
        stream = ControlStream()
        events = parse(transcript.data + more, transcript.expectations, cuts, stream)
        whole = parse(transcript.data, transcript.expectations)
        assert events == [*whole, Notification("window-add", (b"@7",), b"%window-add @7")]
        assert stream.unfinished == len(b"%begin 1 2 0\nunfinis")


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=str)
def test_every_beginning_is_fine(transcript: Transcript) -> None:
    """The connection can end anywhere; what came before stays what it was."""
    whole = parse(transcript.data, transcript.expectations)
    for end in range(0, len(transcript.data), 7):
        events = parse(transcript.data[:end], transcript.expectations)
        assert events == whole[: len(events)]


@pytest.mark.parametrize("transcript", named("jump-prompt"), ids=str)
def test_a_wedged_connection_says_nothing(transcript: Transcript) -> None:
    """C1: the reply never comes; that is the deadline's business, and nothing is made up."""
    events = parse(transcript.data, transcript.expectations)
    assert [event.sections for event in events if isinstance(event, Reply)] == [done(b"")]


@pytest.mark.parametrize("transcript", named("pause"), ids=str)
def test_pause_is_said_inside_the_reply_before_3_8(transcript: Transcript) -> None:
    events = parse(transcript.data, transcript.expectations)
    inside = [event.sections for event in events if isinstance(event, Reply)]
    after = [event.name for event in events if isinstance(event, Notification)]
    if transcript.version == "3.8":
        assert inside == [done(b""), done(b"")]
        assert after[1:3] == ["pause", "continue"]
    else:
        assert inside == [done(b"%pause %0"), done(b"%continue %0")]


@pytest.mark.parametrize("transcript", named("rows"), ids=str)
def test_recorded_rows(transcript: Transcript) -> None:
    events = parse(transcript.data, transcript.expectations)
    _, listing = [event for event in events if isinstance(event, Reply)]
    assert listing.sections is not None
    rows = [list(map(decode_text, row)) for row in decode_rows(listing.sections[0].text, 3)]
    # 3.6 and newer double a backslash in a title when it is set.
    title = "a b' \\ $HOME #x" if transcript.version in ("3.3a", "3.5a") else "a b' \\\\ $HOME #x"
    assert rows == [["%0", title, "/tmp/private"], ["%1", "title of 1", "/tmp/private/new\nline"]]
    assert decode_rows(listing.sections[1].text, 1) == [[b"@0"]]


N = b"0123456789abcdef0123456789abcdef"
FENCE = b"%%begin 5 90 1\n%s\n%%end 5 90 1\n" % N
MARK = b"%%begin 5 80 1\n%s.0\n%%end 5 80 1\n" % N
ONE, GUARDED, TWO = Expectation(N, (False,)), Expectation(N, (True,)), Expectation(N, (False, False))
REAL = b"%begin 5 7 1\ntext\n%end 5 7 1\n"
IF_SHELL = b"%begin 5 6 1\n%end 5 6 1\n"
SHORT = b"%begin 5 7 1\n%end 5 7 1\n"
HOOK = b"%begin 5 8 0\n%end 5 7 1\n%end 5 8 0\n"

# What tmux (with a user's hooks and a hostile program) may send before the fence, and the sections; None: a problem.
BODIES: list[tuple[str, Expectation, bytes, tuple[Section, ...] | None]] = [
    ("plain", ONE, REAL, done(b"text")),
    ("own guard in the text", ONE, b"%begin 5 7 1\n%end 5 7 1\na\n%error 5 7 1\n%end 5 7 1\n",
     done(b"%end 5 7 1\na\n%error 5 7 1")),
    ("own guard, then a failure", ONE, b"%begin 5 7 1\n%end 5 7 1\n%error 5 7 1\n",
     (Section("failed", b"%end 5 7 1"),)),
    ("guard at the end of a line", ONE, b"%begin 5 7 1\na%end 5 7 1\n%end 5 7 1\n", done(b"a%end 5 7 1")),
    ("notification that ends like a guard", ONE, REAL + b"%window-renamed @1 x%end 5 7 1\n", done(b"text")),
    ("line that ends like a guard", ONE, SHORT + b"x%end 5 7 1\n", done(b"")),
    ("guard of if-shell in the text", GUARDED, IF_SHELL + b"%begin 5 7 1\n%end 5 6 1\n%begin 5 6 1\n%end 5 7 1\n",
     done(b"%end 5 6 1\n%begin 5 6 1")),
    ("report", GUARDED, IF_SHELL + b"%begin 5 7 1\n!" + N + b" %7 1\n%end 5 7 1\n", (Section("refused", b"%7 1"),)),
    ("report of another nonce", GUARDED, IF_SHELL + b"%begin 5 7 1\n!123 %7 1\n%end 5 7 1\n", done(b"!123 %7 1")),
    ("fence of another nonce", ONE, b"%begin 5 7 1\n%begin 5 90 1\n" + N[:-1] + b"0\n%end 5 90 1\n%end 5 7 1\n",
     done(b"%begin 5 90 1\n" + N[:-1] + b"0\n%end 5 90 1")),
    ("hook before the act", GUARDED, IF_SHELL + b"%begin 5 9 0\nx\n%end 5 9 0\n" + REAL, done(b"text")),
    ("hook block with its own guards", ONE, SHORT + b"%begin 5 8 0\n%end 5 9 1\n%end 5 8 0\n", done(b"")),
    ("mark", TWO, REAL + MARK + SHORT, done(b"text", b"")),
    ("first failed", TWO, b"%begin 5 7 1\nno\n%error 5 7 1\n", (Section("failed", b"no"), SKIPPED)),
    ("guarded failed, second ran", Expectation(N, (True, False)),
     IF_SHELL + b"%begin 5 7 1\nno\n%error 5 7 1\n" + MARK + b"%begin 5 9 1\nran\n%end 5 9 1\n",
     (Section("failed", b"no"), Section("done", b"ran"))),
    # A hook that imitates a guard makes the reply an error, never data.
    ("hook prints our guard", ONE, SHORT + HOOK, None),
    ("nothing", ONE, b"", None),
    ("no end", ONE, b"%begin 5 7 1\ntext\n", None),
    ("two replies", ONE, SHORT + b"%begin 5 8 1\n%end 5 8 1\n", None),
    ("hook without end", ONE, SHORT + b"%begin 5 8 0\nx\n", None),
    ("if-shell with text", GUARDED, b"%begin 5 6 1\nx\n%end 5 6 1\n" + REAL, None),
    ("if-shell without end", GUARDED, b"%begin 5 6 1\n", None),
    ("if-shell alone", GUARDED, IF_SHELL, None),
]  # fmt: skip


@pytest.mark.parametrize(("expected", "body", "sections"), [b[1:] for b in BODIES], ids=[b[0] for b in BODIES])
def test_bodies(expected: Expectation, body: bytes, sections: tuple[Section, ...] | None) -> None:
    data = body + FENCE + b"%sessions-changed\n"
    for cuts in ((), bytewise(data)):
        reply, *events = parse(data, [expected], cuts)
        assert isinstance(reply, Reply)
        assert reply.sections == (() if sections is None else sections)
        assert (reply.problem is None) == (sections is not None)
        # The connection goes on.
        assert events[-1] == Notification("sessions-changed", (), b"%sessions-changed")


def test_what_stands_around_a_reply_is_events() -> None:
    hook = b"%begin 5 8 0\nx\n%end 5 8 0\n"
    data = hook + SHORT + hook + b"bare\n%window-add @1\n" + FENCE
    events = parse(data, [ONE])
    block = Block(5, 8, 0, False, b"x")
    assert [event for event in events if not isinstance(event, Reply)] == [
        block, block, Unguarded(b"bare"), Notification("window-add", (b"@1",), b"%window-add @1")
    ]  # fmt: skip


@pytest.mark.parametrize("line", [b"%begin 1 2 0", b"%begin 5 7 0", b"%begin 1 2 7"])
def test_a_printed_beginning_does_not_swallow_the_connection(line: bytes) -> None:
    """A hook prints the title of a pane, and the title looks like the beginning of a block that never ends."""
    data = line + b"\nmore\n" + REAL + FENCE
    for cuts in ((), bytewise(data)):
        assert parse(data, [ONE], cuts) == [Unguarded(line), Unguarded(b"more"), Reply(N, done(b"text"))]


@pytest.mark.parametrize(
    "fence",
    [
        b"%begin 5 90 1\n%s\n%%end 5 91 1\n",
        b"%begin 5 90 1\n%s\n%%error 5 90 1\n",
        b"nonsense\n%s\n%%end 5 90 1\n",
        b"x 5 90 1\n%s\n%%end 1\n",
        b"%begin 5 90 1\n%s\n" + b"y" * 2000,
        b"y" * 600 + b"%begin 5 90 1\n%s\n%%end 5 90 1\n",
    ],
)
def test_a_fence_without_its_guards_breaks_the_stream(fence: bytes) -> None:
    data = REAL + fence.replace(b"%%", b"%").replace(b"%s", N) + b"\nmore\n"
    stream = ControlStream()
    assert [type(event).__name__ for event in parse(data, [ONE], (), stream)] == ["Broken"]
    for limit in (0, 10, *range(610, 640), 1000, 10**6):
        assert parse(data, [ONE._replace(limit=limit)], bytewise(data)) == parse(data, [ONE])
    stream.receive_data(b"x" * 100)
    assert stream.unfinished == 0, "a broken stream keeps nothing"
    with pytest.raises(RemoteProtocolError, match="fence"):
        stream.next_event()


def test_the_end_of_a_fence_is_bounded() -> None:
    stream = ControlStream()
    (event,) = parse(REAL + b"%begin 5 90 1\n" + N + b"\n" + b"y" * 600, [ONE], (), stream)
    assert isinstance(event, Broken)
    assert stream.unfinished == 0


def test_numbers_of_absurd_length_are_no_numbers() -> None:
    digits = b"1" * 5000
    for line in (b"%begin " + digits + b" 1 0", b"%extended-output %1 " + digits + b" : x"):
        assert parse(line + b"\n") == [Unguarded(line)]


def test_the_type_for_no_event() -> None:
    assert ControlStream().next_event() is NEED_DATA
    assert repr(NEED_DATA) == "NEED_DATA"
