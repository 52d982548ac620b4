"""The text around a command: what must not be in it, and that shells read it as one compound command."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from muxwright.shells.frame import SHELLS, Dialect, Frame, Paths
from muxwright.shells.records import Records

DIALECTS: list[Dialect] = ["posix", "sh", "ksh", "bash", "zsh", "fish"]
COMMANDS = [
    "true",
    "echo 'it''s' \"$HOME\" `id` \\",
    "cat <<EOF\n'unclosed\nEOF",
    "echo 'never closed",
    "(((",
    "} fi done )",
    "'''",
    "\\'",
    "a\nb\n",
    "{do}{x}%s",
    "é日\x01",
]


def frame(dialect: Dialect, *, keep_state: bool = False, visible: bool = False) -> Frame:
    return Frame(dialect, Paths("/run/x/muxwright-1"), Records("a" * 32, "b" * 32, visible), 4711, keep_state)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("keep_state", [False, True])
@pytest.mark.parametrize("visible", [False, True])
def test_no_record_stands_in_the_text(dialect: Dialect, keep_state: bool, visible: bool) -> None:
    made = frame(dialect, keep_state=keep_state, visible=visible)
    before, after = made.records.closing
    for text in (made.text("true"), made.probe()):
        # An echo of the source would be a record.
        assert made.records.opening not in text
        assert "\x1b" not in text
        assert f"{before}0{after}" not in text
        assert "{" + "do}" not in text
        assert "{" + "say}" not in text


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("keep_state", [False, True])
def test_what_is_typed_is_short_and_plain(dialect: Dialect, keep_state: bool) -> None:
    made = frame(dialect, keep_state=keep_state)
    assert len(made.typed_line) < 90
    assert made.typed_line.isascii()
    assert "/run/x/muxwright-1/frame" in made.typed_line
    assert "/run/x/muxwright-1/probe" in made.probe_line


@pytest.mark.parametrize(
    ("program", "dialect"),
    [
        ("sh", "posix"),
        ("dash", "posix"),
        ("bash", "bash"),
        ("zsh", "zsh"),
        ("ksh93", "ksh"),
        ("mksh", "ksh"),
        ("sh", "sh"),  # which may be any shell
        ("dash", "sh"),
        ("bash", "sh"),
    ],
)
@pytest.mark.parametrize("keep_state", [False, True])
def test_a_shell_can_parse_it_whatever_the_command_is(program: str, dialect: Dialect, keep_state: bool) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    made = frame(dialect, keep_state=keep_state)
    for command in COMMANDS:
        for text in (made.text(command), made.probe()):
            done = subprocess.run([program, "-n"], input=text.encode(), capture_output=True, check=False, timeout=10)
            # ksh93 finds words of several lines suspicious.
            assert (done.returncode, b"error" in done.stderr) == (0, False), (command, text)


@pytest.mark.parametrize("keep_state", [False, True])
def test_fish_can_parse_it_whatever_the_command_is(keep_state: bool) -> None:
    # In a subshell's place stands a fish of its own, started by `sh`.
    program = "fish" if keep_state else "sh"
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    for command in COMMANDS:
        text = frame("fish", keep_state=keep_state).text(command)
        done = subprocess.run([program, "-n"], input=text.encode(), capture_output=True, check=False, timeout=10)
        assert (done.returncode, done.stderr) == (0, b""), (command, text)


def test_the_command_runs_as_it_is() -> None:
    """The quoted word, taken out of its frame, is the command again."""
    for command in COMMANDS:
        text = frame("posix").text(command)
        word = text[text.index("esac\n''") + 6 : text.index('\n)\n\\set -- "$?"')]
        done = subprocess.run(["sh", "-c", f"printf %s {word}"], capture_output=True, check=True, timeout=10)
        assert done.stdout == command.encode() + b"\n"


def test_the_shells_are_known_by_the_names_that_tmux_shows() -> None:
    assert {"sh", "dash", "ash", "bash", "zsh", "ksh", "ksh93", "mksh", "fish"} <= set(SHELLS)
    assert set(SHELLS.values()) <= set(DIALECTS)
