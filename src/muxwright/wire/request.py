"""Requests and their answers, and how both look on each transport.

A `Request` is a few commands that tmux runs as **one queue item**: nothing else can happen between them. Every command
answers with a `Section`; when one fails, tmux does not run the rest.

A command may carry a `Guard`: tmux itself then tests a condition in the same queue item and runs either the command or a
`display-message` that reports what it found. So a check and its act cannot be separated, whoever else uses the server.

Sections are told apart by a *mark*: ``display-message -p NONCE.i`` after each command but the last. The nonce is new for
each request, so nothing that a program has printed can contain it.
"""

from __future__ import annotations

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

    `target` is an id (``b"%7"``), `condition` a format that is true when expanded to neither ``""`` nor ``"0"``, `report` a
    format that is printed instead of the act when it is false.
    """

    target: bytes
    condition: bytes
    report: bytes


class Command(NamedTuple):
    """One tmux command with its literal arguments, and its guard if it has one."""

    words: Words
    guard: Guard | None = None


class Request(NamedTuple):
    """Commands that run as one queue item; `limit` bounds the bytes of the whole answer."""

    commands: tuple[Command, ...]
    limit: int = DEFAULT_LIMIT

    @property
    def name(self) -> str:
        """The first command's name, for messages."""
        return self.commands[0].words[0].decode()


class Section(NamedTuple):
    """The answer of one command.

    `status`: ``"done"`` - `text` is what it printed, without the last newline; ``"failed"`` - `text` is tmux's message;
    ``"refused"`` - the guard was false, `text` is its report; ``"skipped"`` - an earlier command failed.
    """

    status: Literal["done", "failed", "refused", "skipped"]
    text: bytes = b""


SKIPPED = Section("skipped")


def report_prefix(nonce: bytes) -> bytes:
    """Return what a guard's report begins with, so that no output can be taken for one."""
    return b"!" + nonce + b" "


def mark(nonce: bytes, index: int) -> bytes:
    """Return the line that ends section `index`."""
    return b"%s.%d" % (nonce, index)


def _control_words(command: Command, nonce: bytes) -> bytes:
    act = encode_words(command.words)
    guard = command.guard
    if guard is None:
        return act
    target = quote(guard.target)
    return b"if-shell -F -t %s %s { %s } { display-message -p -t %s %s }" % (
        target,
        quote(guard.condition),
        act,
        target,
        quote(report_prefix(nonce) + guard.report),
    )


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
    return b"%sdisplay-message -p %s\n" % (encode_script(request, nonce), nonce)


def _process_words(command: Command, nonce: bytes) -> Words:
    guard = command.guard
    if guard is None:
        return command.words
    report = (b"display-message", b"-p", b"-t", guard.target, report_prefix(nonce) + guard.report)
    # As arguments the branches are command strings: braces are no blocks there.
    return (
        b"if-shell",
        b"-F",
        b"-t",
        guard.target,
        guard.condition,
        encode_words(command.words),
        encode_words(report),
    )


def encode_process(request: Request, nonce: bytes) -> list[bytes]:
    """Return the arguments of one tmux process that runs the request."""
    all_words: list[Words] = []
    last = len(request.commands) - 1
    for index, command in enumerate(request.commands):
        all_words.append(_process_words(command, nonce))
        if index < last:
            all_words.append((b"display-message", b"-p", mark(nonce, index)))
    return encode_argv(all_words)


def done_section(text: bytes, nonce: bytes) -> Section:
    """Return the section of a command that did not fail: its output, or its guard's report."""
    prefix = report_prefix(nonce)
    return Section("refused", text[len(prefix) :]) if text.startswith(prefix) else Section("done", text)


def split_process_output(request: Request, nonce: bytes, stdout: bytes, failure: bytes | None) -> tuple[Section, ...]:
    """Return the sections of a finished tmux process; `failure` is its message when it failed."""
    sections: list[Section] = []
    start = 0
    for index in range(len(request.commands) - 1):
        line = mark(nonce, index) + b"\n"
        found = stdout.find(line, start)
        if found < 0:
            break
        sections.append(done_section(stdout[start:found].removesuffix(b"\n"), nonce))
        start = found + len(line)
    if failure is not None:
        sections.append(Section("failed", failure))
    else:
        sections.append(done_section(stdout[start:].removesuffix(b"\n"), nonce))
    missing = len(request.commands) - len(sections)
    return (*sections, *[SKIPPED] * missing)
