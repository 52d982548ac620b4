"""Requests and their answers, and how both look on each transport.

A `Request` is a few commands that tmux runs as **one queue item**: nothing else can happen between them. Every command
answers with a `Section`. When one fails, tmux does not run the rest; but a command with a guard fails for itself alone.

A command may carry a `Guard`: tmux itself then tests a condition in the same queue item and runs either the command or
a `display-message` that reports what it found. So a check and its act cannot be separated, whoever else uses the
server.

Sections are told apart by a *mark*: ``display-message -p NONCE.i`` after each command but the last. The nonce is new
for each request, so nothing that a program has printed can contain it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from muxwright.wire.quoting import Words, encode_argv, encode_words, quote

__all__ = [
    "DEFAULT_LIMIT",
    "Command",
    "Guard",
    "Request",
    "Section",
    "encode_control",
    "encode_process",
    "encode_script",
    "split_process_output",
]

DEFAULT_LIMIT = 64 * 1024 * 1024
"""Bytes of one reply, all sections together."""


class Guard(NamedTuple):
    """A condition that tmux tests in the queue item of the act.

    `target` is an id (``b"%7"``), `condition` a format that is true when expanded to neither ``""`` nor ``"0"``,
    `report` a format that is printed instead of the act when it is false. The condition has to compare the id: of a
    target that is gone, tmux expands the format for the current pane instead.
    """

    target: bytes
    condition: bytes
    report: bytes


class Command(NamedTuple):
    """One tmux command with its literal arguments, and its guard if it has one."""

    words: Words
    guard: Guard | None = None


class Request(NamedTuple):
    """Commands that run as one queue item.

    `limit` bounds the bytes of the whole answer; with `starts_server` a process may start a server that is not there.
    """

    commands: tuple[Command, ...]
    limit: int = DEFAULT_LIMIT
    starts_server: bool = False

    @property
    def name(self) -> str:
        """The first command's name, for messages."""
        return self.commands[0].words[0].decode()


class Section(NamedTuple):
    """The answer of one command.

    `status`: ``"done"`` - `text` is what it printed, without the last newline; ``"failed"`` - `text` is tmux's message;
    ``"refused"`` - the guard was false, `text` is its report; ``"skipped"`` - not run, an earlier command failed.
    """

    status: Literal["done", "failed", "refused", "skipped"]
    text: bytes = b""


SKIPPED = Section("skipped")

# Stands for a nonce where text is prepared: like one, and no text of ours.
_PLACEHOLDER = b"0" * 32


def report_prefix(nonce: bytes) -> bytes:
    """Return what a guard's report begins with, so that no output can be taken for one."""
    return b"!" + nonce + b" "


def mark(nonce: bytes, index: int) -> bytes:
    """Return the line that ends section `index`."""
    return b"%s.%d" % (nonce, index)


@lru_cache(maxsize=256)
def _guard_frame(guard: Guard) -> tuple[bytes, bytes, bytes]:
    """Return what stands before the act, then up to the nonce, then after it.

    The act is a block, so that its text needs no second quoting. The report is a string, which tmux parses only when it
    runs it: a block, parsed each time, would cost a quarter of the guard.
    """
    # A buffer is no target, so its guard has none.
    aim = b" -t " + quote(guard.target) if guard.target else b""
    before = b"if-shell -F%b %b { " % (aim, quote(guard.condition))
    report = b"display-message -p%b %b" % (aim, quote(report_prefix(_PLACEHOLDER) + guard.report))
    between, _, after = quote(report).partition(_PLACEHOLDER)
    return before, b" } " + between, after


def _control_words(command: Command, nonce: bytes) -> bytes:
    words, guard = command
    act = encode_words(words)
    if guard is None:
        return act
    before, between, after = _guard_frame(guard)
    return b"%b%b%b%b%b" % (before, act, between, nonce, after)


def encode_script(request: Request, nonce: bytes) -> bytes:
    """Return the request as one line of tmux's command language, with its marks."""
    commands = request.commands
    if len(commands) == 1:
        return _control_words(commands[0], nonce) + b"\n"
    last = len(commands) - 1
    parts = []
    for index, command in enumerate(commands):
        parts.append(_control_words(command, nonce))
        if index < last:
            parts.append(b"display-message -p " + mark(nonce, index))
    return b" ; ".join(parts) + b"\n"


def encode_control(request: Request, nonce: bytes) -> bytes:
    """Return what is written to a control connection: the request's line, then the fence on a line of its own."""
    (words, guard), *more = request.commands
    if guard is None and not more:
        return b"%b\ndisplay-message -p %b\n" % (encode_words(words), nonce)
    return encode_script(request, nonce) + encode_fence(nonce)


def encode_fence(nonce: bytes) -> bytes:
    """Return the line whose reply proves that everything before it has been answered."""
    return b"display-message -p %s\n" % nonce


def _marked(request: Request) -> int:
    """Return how many sections end with a mark in a process: the last one too where the others cannot prove it ran."""
    last = len(request.commands) - 1
    return last + any(command.guard is not None for command in request.commands[:last])


def encode_process(request: Request, nonce: bytes) -> list[bytes]:
    """Return the arguments of one tmux process that runs the request."""
    all_words: list[Words] = []
    marked = _marked(request)
    for index, (words, guard) in enumerate(request.commands):
        marks: list[Words] = [(b"display-message", b"-p", mark(nonce, index))] if index < marked else []
        if guard is None:
            all_words += [words, *marks]
            continue
        aim = (b"-t", guard.target) if guard.target else ()
        report = (b"display-message", b"-p", *aim, report_prefix(nonce) + guard.report)
        # As arguments the branches are command strings: braces are no blocks there. The mark stands in both: an act
        # that fails drops the rest of its branch, but not what follows the `if-shell`.
        act, report_it = (b" ; ".join([encode_words(part) for part in (branch, *marks)]) for branch in (words, report))
        all_words.append((b"if-shell", b"-F", *aim, guard.condition, act, report_it))
    return encode_argv(all_words)


def done_section(text: bytes, nonce: bytes) -> Section:
    """Return the section of a command that did not fail: its output, or its guard's report."""
    prefix = report_prefix(nonce)
    return Section("refused", text[len(prefix) :]) if text.startswith(prefix) else Section("done", text)


def split_process_output(request: Request, nonce: bytes, stdout: bytes, failure: bytes | None) -> tuple[Section, ...]:
    """Return the sections of a finished tmux process; `failure` is its message when it failed."""
    sections: list[Section] = []
    start = 0
    marked = _marked(request)
    for index, command in enumerate(request.commands):
        line = mark(nonce, index) + b"\n"
        found = stdout.find(line, start) if index < marked else -1
        if found >= 0:
            sections.append(done_section(stdout[start:found].removesuffix(b"\n"), nonce))
            start = found + len(line)
        elif failure is None:
            sections.append(done_section(stdout[start:].removesuffix(b"\n"), nonce))
            break
        else:
            sections.append(Section("failed", failure))
            if command.guard is None:
                break
    missing = len(request.commands) - len(sections)
    return (*_share_failures(sections), *[SKIPPED] * missing)


def _share_failures(sections: list[Section]) -> list[Section]:
    """Give each of several failed sections its own line of the process's message, where there is one for each."""
    failed = [index for index, section in enumerate(sections) if section.status == "failed"]
    if len(failed) > 1 and len(lines := sections[failed[0]].text.split(b"\n")) == len(failed):
        for index, line in zip(failed, lines, strict=True):
            sections[index] = Section("failed", line)
    return sections
