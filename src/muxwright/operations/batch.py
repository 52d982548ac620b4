"""Several commands of the caller's own: independent ones, or a group that stops at the first failure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from muxwright.commands.raw import raw_command
from muxwright.commands.refusals import refusal
from muxwright.errors import InvalidArgument, MuxwrightError
from muxwright.operations.gather import gather
from muxwright.operations.steps import Operation, Place
from muxwright.wire.request import Command, Request, Section

__all__ = ["BatchItem", "Status", "run_batch", "run_group"]

Status = Literal["completed", "failed", "skipped", "unknown"]

MAX_COMMANDS = 256
MAX_WORDS = 9_000
MAX_BYTES = 1024 * 1024

Words = Sequence[str | bytes]


class BatchItem(NamedTuple):
    """What became of one command.

    `status`: ``"completed"`` - tmux ran it, `output` is what it printed; ``"failed"`` - tmux refused it, see `error`;
    ``"skipped"`` - it was never sent, or a group had stopped before it; ``"unknown"`` - it was sent, and its answer is
    lost.
    """

    words: tuple[str | bytes, ...]
    status: Status
    output: bytes = b""
    error: MuxwrightError | None = None


def _command(words: Words, *, shared: bool) -> Command:
    """Return a command that nothing keeps from being written."""
    if isinstance(words, str | bytes):
        raise InvalidArgument(f"a command is a sequence of words, not {words[:80]!r}")
    command = raw_command(words, shared=shared)
    if len(words) > MAX_WORDS or any(b"\0" in word for word in command.words):
        raise InvalidArgument(f"a command has at most {MAX_WORDS} words, and none holds a NUL, which tmux cannot carry")
    return command


def _checked(place: Place, commands: Sequence[Words]) -> list[Command]:
    """Return all commands, checked before any of them has an effect."""
    if len(commands) > MAX_COMMANDS:
        raise InvalidArgument(f"a batch has at most {MAX_COMMANDS} commands, not {len(commands)}")
    checked = [_command(words, shared=place.generation is not None) for words in commands]
    size = sum(len(word) for command in checked for word in command.words)
    if size > MAX_BYTES:
        raise InvalidArgument(f"a batch has at most {MAX_BYTES} bytes of arguments, not {size}")
    return checked


def _run(command: Command) -> Operation[Section]:
    sections: tuple[Section, ...] = yield Request((command,))
    return sections[0]


def _lost(words: Words, error: MuxwrightError) -> BatchItem:
    """Return the item of a command whose request failed as a whole."""
    return BatchItem(tuple(words), "unknown" if error.sent else "skipped", error=error)


def run_batch(place: Place, commands: Sequence[Words], concurrency: int) -> Operation[list[BatchItem]]:
    """Run independent commands; a failure stops none of the others, and their order of execution is not promised."""
    if isinstance(concurrency, bool) or not isinstance(concurrency, int) or not 1 <= concurrency <= 64:
        raise InvalidArgument(f"concurrency is 1 to 64, not {concurrency!r}")
    checked = _checked(place, commands)
    results = yield from gather([_run(command) for command in checked], concurrency)
    items = []
    for words, result in zip(commands, results, strict=True):
        if result.error is not None:
            items.append(_lost(words, result.error))
        else:
            assert isinstance(result.value, Section)
            items.append(_item(words, result.value))
    return items


def run_group(place: Place, commands: Sequence[Words]) -> Operation[list[BatchItem]]:
    """Run commands as one queue item of tmux: nothing comes between them, and the first failure skips the rest.

    It is no transaction: what ran before a failure stays.
    """
    checked = _checked(place, commands)
    if not checked:
        return []
    try:
        sections: tuple[Section, ...] = yield Request(tuple(checked))
    except MuxwrightError as error:
        return [_lost(words, error) for words in commands]
    return [_item(words, section) for words, section in zip(commands, sections, strict=True)]


def _item(words: Words, section: Section) -> BatchItem:
    if section.status == "done":
        return BatchItem(tuple(words), "completed", section.text)
    if section.status == "skipped":
        return BatchItem(tuple(words), "skipped")
    name = words[0] if isinstance(words[0], str) else words[0].decode("ascii", "replace")
    return BatchItem(tuple(words), "failed", error=refusal(section.text, name))
