"""Commands that make sessions, windows and panes, and the answer that names what was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from muxwright.commands.names import check_directory, check_environment, check_name, check_session_name, text_bytes
from muxwright.errors import CreationResponseError, InvalidArgument, MuxwrightError
from muxwright.refs import Generation, PaneId, SessionId, WindowId
from muxwright.wire.quoting import Words
from muxwright.wire.rows import Column, decode_rows, row_format

__all__ = [
    "DEFAULT_SIZE",
    "DIRECTIONS",
    "PRINT",
    "Created",
    "Direction",
    "Program",
    "check_cells",
    "check_index",
    "new_session",
    "new_window",
    "read_created",
    "size_word",
    "split_window",
]

DEFAULT_SIZE = (160, 48)
"""Columns and rows of a detached session: tmux's own 80x24 has no room for five splits."""

MAX_CELLS = 10_000

Direction = Literal["above", "below", "left", "right"]
DIRECTIONS: dict[str, tuple[bytes, ...]] = {
    "above": (b"-v", b"-b"),
    "below": (b"-v",),
    "left": (b"-h", b"-b"),
    "right": (b"-h",),
}

_CREATED = tuple(Column(name, free=False) for name in ("pid", "start_time", "session_id", "window_id", "pane_id"))
PRINT = (b"-P", b"-F", row_format(_CREATED))


class Program(NamedTuple):
    """What runs in a new pane, and in what surroundings.

    `command`: program and arguments, executed as they are; or `shell_command`: text for ``/bin/sh -c``; neither: tmux's
    default command. `directory` is absolute; `environment` is added to what tmux gives the program.
    """

    command: Sequence[str] | None = None
    shell_command: str | None = None
    directory: str | None = None
    environment: Mapping[str, str] | None = None

    def options(self) -> Words:
        """Return ``-c`` and ``-e``."""
        words: list[bytes] = []
        if self.directory is not None:
            words += [b"-c", check_directory(self.directory)]
        for name, value in (self.environment or {}).items():
            words += [b"-e", check_environment(name, value)]
        return words

    def argv(self) -> Words:
        """Return ``--`` and the program, or nothing."""
        if self.shell_command is not None:
            if self.command is not None:
                raise InvalidArgument("give either command or shell_command, not both")
            return (b"--", b"/bin/sh", b"-c", text_bytes(self.shell_command, "the shell command"))
        if self.command is None:
            return ()
        if isinstance(self.command, str | bytes):
            raise InvalidArgument(
                f"command is a list of program and arguments, not the text {self.command!r};"
                " use shell_command for a line of shell"
            )
        argv = [text_bytes(word, "a command's argument") for word in self.command]
        if not argv or not argv[0] or argv[0].startswith(b"-"):
            raise InvalidArgument(f"command must begin with a program's name or path, not {list(self.command)[:1]}")
        # tmux hands a single argument to a shell as text; this shell only replaces itself by the program.
        return (b"--", b"/bin/sh", b"-c", b'exec "$0"', *argv) if len(argv) == 1 else (b"--", *argv)


class Created(NamedTuple):
    """What a creating command's own answer says it made (a new window of its session, a new pane of its window)."""

    generation: Generation
    session: SessionId
    window: WindowId
    pane: PaneId


def check_cells(value: int, what: str) -> int:
    """Return a size in cells; raises `InvalidArgument` unless it is 1 to 10,000."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_CELLS:
        raise InvalidArgument(f"{what} is 1 to {MAX_CELLS} cells, not {value!r}")
    return value


def check_index(value: int) -> int:
    """Return a window's index; raises `InvalidArgument` unless it is 0 to 2147483647."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
        raise InvalidArgument(f"a window's index is 0 to 2147483647, not {value!r}")
    return value


def new_session(name: str | None, size: tuple[int, int], window_name: str | None, program: Program) -> Words:
    """Return ``new-session``, detached."""
    width, height = size
    words: list[bytes] = [b"new-session", b"-d", *PRINT]
    words += [b"-x", b"%d" % check_cells(width, "width"), b"-y", b"%d" % check_cells(height, "height")]
    if name is not None:
        words += [b"-s", check_session_name(name)]
    if window_name is not None:
        words += [b"-n", check_name(window_name)]
    return (*words, *program.options(), *program.argv())


def new_window(session: SessionId, index: int | None, name: str | None, select: bool, program: Program) -> Words:
    """Return ``new-window``; without `index` tmux takes the next free one, a taken index is refused."""
    slot = ""
    if index is not None:
        slot = str(check_index(index))
    words: list[bytes] = [b"new-window", *(() if select else (b"-d",)), *PRINT, b"-t", f"{session}:{slot}".encode()]
    if name is not None:
        words += [b"-n", check_name(name)]
    return (*words, *program.options(), *program.argv())


def split_window(
    pane: PaneId, direction: Direction, size: int | str | None, full: bool, select: bool, program: Program
) -> Words:
    """Return ``split-window``; `size` is cells, or a percentage such as ``"30%"``."""
    if direction not in DIRECTIONS:
        raise InvalidArgument(f"direction is one of {', '.join(DIRECTIONS)}, not {direction!r}")
    words: list[bytes] = [b"split-window", *(() if select else (b"-d",)), *DIRECTIONS[direction]]
    if full:
        words.append(b"-f")
    if size is not None:
        words += [b"-l", size_word(size)]
    return (*words, *PRINT, b"-t", pane.encode(), *program.options(), *program.argv())


def size_word(size: int | str) -> bytes:
    if isinstance(size, str):
        number = size.removesuffix("%")
        if size.endswith("%") and number.isascii() and number.isdecimal() and 1 <= int(number) <= 100:
            return size.encode()
        raise InvalidArgument(f"size is a number of cells or 1% to 100%, not {size!r}")
    return b"%d" % check_cells(size, "size")


def read_created(text: bytes, command: str) -> Created:
    """Read the answer of a creating command; raises `CreationResponseError` when it names nothing."""
    try:
        ((pid, start_time, session, window, pane),) = decode_rows(text, len(_CREATED))
        return Created(
            Generation(int(pid), int(start_time)),
            SessionId(session.decode()),
            WindowId(window.decode()),
            PaneId(pane.decode()),
        )
    except (ValueError, MuxwrightError) as error:
        raise CreationResponseError(
            f"{command} made something, but answered {text[:80]!r}; take a snapshot to see what", command=command
        ) from error
