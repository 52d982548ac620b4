"""`Pane.run` in each shell: exit statuses and output, whatever the command and the shell's settings are."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

import pytest

from muxwright import Connection, Pane, RunOutcome, Session
from tests.support.shells import POSIX, SHELLS, open_shell, quoted

pytestmark = pytest.mark.live


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest, connection: Connection, home: Session, tmp_path: Path) -> Pane:
    """A pane with a shell."""
    return open_shell(connection, home, request.param, tmp_path)


@pytest.fixture(params=POSIX)
def posix(request: pytest.FixtureRequest, connection: Connection, home: Session, tmp_path: Path) -> Pane:
    """A pane with a shell that speaks POSIX."""
    return open_shell(connection, home, request.param, tmp_path)


def expect(result: RunOutcome[object], status: int, output: str) -> None:
    assert (result.outcome, result.exit_status, result.output) == ("completed", status, output), result
    assert result.route == "pipe"
    assert result.job is None
    assert not result.truncated


def nothing_left(pane: Pane, directories: Path) -> None:
    """No file of a run, and no pipe on the pane."""
    assert not list(directories.glob("muxwright-*/frame")), "a frame was left"
    assert not list(directories.glob("muxwright-*/status")), "a status was left"


def name_of(pane: Pane) -> str:
    return pane.refresh().current_command


def test_exit_statuses(shell: Pane, base_dir: Path) -> None:
    for status in (0, 1, 2, 77, 126, 128, 130, 137, 254, 255):
        expect(shell.run(f"exit {status}"), status, "")
    expect(shell.run("false"), 1, "")
    expect(shell.run("true"), 0, "")
    nothing_left(shell, base_dir)


def test_output_is_exact(shell: Pane) -> None:
    result = shell.run("printf 'no newline'")
    expect(result, 0, "no newline")
    assert result.bytes == 10
    expect(shell.run("printf 'a\\n\\n b \\n'"), 0, "a\n\n b \n")
    expect(shell.run("true"), 0, "")
    expect(shell.run(""), 0, "")
    expect(shell.run("printf 'to stderr' >&2"), 0, "to stderr")


def test_quotes_and_other_characters_of_the_shell(shell: Pane) -> None:
    name = name_of(shell)  # after a run it may still be that of the frame
    for text in ("it's", 'a "b" c', "$HOME `id` \\", "a;b|c&d", "*?[a]{1,2}~!", "#no comment", "tab\there", "'" * 7):
        expect(shell.run(f"printf '%s' {quoted(name, text)}"), 0, text)


def test_a_syntax_error_is_contained(shell: Pane) -> None:
    result = shell.run("echo 'never closed")
    assert result.outcome == "completed"
    assert result.exit_status != 0
    assert result.output, "the shell says what is wrong"
    expect(shell.run("echo next"), 0, "next\n")


def test_several_lines(shell: Pane) -> None:
    expect(shell.run("echo one\necho two\n\nexit 3\necho four"), 3, "one\ntwo\n")


def test_a_long_line(shell: Pane) -> None:
    text = "x" * 6_000
    expect(shell.run(f"echo {text}"), 0, text + "\n")


def test_a_megabyte_of_output(shell: Pane) -> None:
    # In 16 bursts: all at once, a machine that is busy with other tests may not let us read in time, which is said.
    burst = 'head -c 65536 /dev/zero | tr "\\\\000" x; sleep 0.01'
    result = shell.run(f"sh -c '{'; '.join([burst] * 16)}'; exit 4")
    assert (result.outcome, result.exit_status, result.bytes, result.truncated) == ("completed", 4, 1024 * 1024, True)
    assert result.output == "x" * (256 * 1024)


def test_unicode_and_broken_utf8(shell: Pane) -> None:
    expect(shell.run("echo 'Grüße, 日本 👩‍👩'"), 0, "Grüße, 日本 👩‍👩\n")
    expect(shell.run("printf 'a\\377b\\303'"), 0, "a\ufffdb\ufffd")


def test_sequences_that_place_and_colour_text_are_left_out(shell: Pane) -> None:
    expect(shell.run("printf '\\033[31mred\\033[0m \\033]2;title\\007done\\n'"), 0, "red done\n")
    # A string sequence that never ends must not take what follows with it.
    result = shell.run("printf 'before\\033]2;never ended'")
    assert (result.outcome, result.exit_status) == ("completed", 0)
    expect(shell.run("echo after"), 0, "after\n")


def test_output_that_imitates_the_records(shell: Pane) -> None:
    nonce = secrets.token_hex(16)
    records = quoted(name_of(shell), f"\\033]8719;{nonce}\\007\\033\\\\\\033]8719;{nonce};0\\007")
    result = shell.run(f"printf {records}; printf 'muxwright {nonce} ends 0\\n'; exit 9")
    expect(result, 9, f"muxwright {nonce} ends 0\n")


def test_the_command_finds_no_nonce(shell: Pane, base_dir: Path) -> None:
    files = " ".join(f"{base_dir}/muxwright-*/{name}" for name in ("frame", "claim", "traps", "status"))
    where = f"{files} /proc/self/environ /proc/self/cmdline"
    result = shell.run(f"sh -c 'cat {where} 2>/dev/null'; set; ls {base_dir}/muxwright-*/; exit 6")
    assert (result.outcome, result.exit_status) == ("completed", 6)
    assert "claim" in result.output, "the directory of the run can be seen"
    random = re.compile("[0-9a-f]{32}")
    assert set(random.findall(result.output)) <= set(random.findall(" ".join(os.environ.values())))


def test_the_records_show_nowhere(shell: Pane) -> None:
    expect(shell.run("echo visible"), 0, "visible\n")
    expect(shell.run("exit 1"), 1, "")
    screen = "\n".join(shell.capture(start="history").lines)
    assert "visible" in screen
    assert "8719" not in screen
    assert not re.search("[0-9a-f]{32}", screen)


# --- only where there are subshells ---


def test_a_here_document(posix: Pane) -> None:
    expect(posix.run("cat <<EOF\nhello $((1 + 1))\nEOF"), 0, "hello 2\n")
    expect(posix.run("cat <<'EOF'\n$HOME\nEOF\nexit 5"), 5, "$HOME\n")


def test_a_comment_and_a_backslash_at_the_end(posix: Pane) -> None:
    expect(posix.run("echo one # two"), 0, "one\n")
    expect(posix.run("echo one \\"), 0, "one\n")


def test_set_eu_in_the_command(posix: Pane) -> None:
    expect(posix.run("set -eu; false; echo never"), 1, "")
    result = posix.run("set -u; echo $muxwright_is_not_set; echo never")
    assert result.outcome == "completed"
    assert result.exit_status not in (0, None)
    assert "never" not in result.output


def test_exec_replaces_the_subshell_only(posix: Pane) -> None:
    expect(posix.run("exec sh -c 'exit 9'"), 9, "")
    expect(posix.run("exec >/dev/null; echo lost"), 0, "")


def test_a_signal_is_reported_as_the_shell_does(posix: Pane) -> None:
    for number, status in ((9, 137), (15, 143)):
        result = posix.run(f"sh -c 'kill -{number} $$'")
        assert (result.outcome, result.exit_status) == ("completed", status)


def test_killing_the_whole_process_group_spares_the_frame(posix: Pane) -> None:
    result = posix.run("kill -TERM 0; echo never")
    assert result.outcome == "completed"
    assert result.exit_status in (143, 15), "ksh93 gives the number of the signal alone"
    assert "never" not in result.output


def test_a_background_job_is_not_waited_for(posix: Pane) -> None:
    result = posix.run("(sleep 0.5; echo late) >/dev/null 2>&1 & echo started")
    expect(result, 0, "started\n")
    assert result.duration < 0.45


def test_arguments_and_directory_are_those_of_the_shell(posix: Pane, tmp_path: Path) -> None:
    posix.send_text(f"cd {tmp_path}; set -- one 'two three'")
    posix.send_keys("Enter")
    expect(posix.run('echo "$#:$1:$2:$(pwd -P)"'), 0, f"2:one:two three:{tmp_path}\n")
    expect(posix.run("cd /; x=1; set -f"), 0, "")
    expect(posix.run('echo "${x-unset}:$(pwd -P)"'), 0, f"unset:{tmp_path}\n")
