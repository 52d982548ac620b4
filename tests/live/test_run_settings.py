"""`Pane.run` under the settings a shell can have: they hold for the command, and the frame neither trips over them nor
shows in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from muxwright import Connection, Pane, RunOutcome, Session
from tests.support.shells import POSIX, SHELLS, open_shell

pytestmark = pytest.mark.live


@pytest.fixture(params=POSIX)
def posix(request: pytest.FixtureRequest, connection: Connection, home: Session, tmp_path: Path) -> Pane:
    """A pane with a shell that speaks POSIX."""
    return open_shell(connection, home, request.param, tmp_path)


def typed(pane: Pane, line: str) -> None:
    """Type a line at the prompt, as a person would."""
    pane.send_text(line)
    pane.send_keys("Enter")


def seen(result: RunOutcome[object]) -> tuple[str, int | None, str]:
    return result.outcome, result.exit_status, result.output


NAMES = ("printf", "print", "eval", "trap", "command", "builtin", "unset", "set", "exit", "shift", "kill", "rm", ":")


def test_aliases_are_not_followed(posix: Pane) -> None:
    typed(posix, "; ".join(f"alias {name}='echo alias-{name}'" for name in NAMES if name != ":"))
    assert seen(posix.run("\\printf x; (\\exit 3)")) == ("completed", 3, "x")
    assert seen(posix.run("printf x")) == ("completed", 0, "alias-printf x\n"), "the command has them"


def test_functions_are_not_followed(posix: Pane) -> None:
    # Most shells refuse some of these names; what they take must not matter.
    for name in NAMES[::-1]:
        if name == "builtin" and posix.refresh().current_command == "zsh":
            continue  # nothing goes before a function in zsh but this
        typed(posix, f"{name}() {{ echo function-{name}; }}")
    result = posix.run("echo x; false")
    assert seen(result) == ("completed", 1, "x\n")
    assert seen(posix.run("kill -0 1")) == ("completed", 0, "function-kill\n"), "the command has them"


def test_errexit_is_inherited_by_the_command_only(posix: Pane) -> None:
    typed(posix, "set -e")
    assert seen(posix.run("echo one; false; echo never")) == ("completed", 1, "one\n")
    assert seen(posix.run("exit 7")) == ("completed", 7, "")
    assert seen(posix.run("echo $-"))[2].find("e") >= 0


def test_xtrace_shows_the_command_only(posix: Pane) -> None:
    typed(posix, "set -x")
    outcome, status, output = seen(posix.run("echo one; (exit 3)"))
    assert (outcome, status) == ("completed", 3)
    lines = output.splitlines()
    assert [line for line in lines if not line.startswith("+")] == ["one"]
    assert [line.split(maxsplit=1)[1] for line in lines if line.startswith("+")] == ["echo one", "exit 3"], output


def test_both_and_more_options(posix: Pane) -> None:
    typed(posix, "set -exuC")
    outcome, status, output = seen(posix.run("echo one; false; echo never"))
    assert (outcome, status) == ("completed", 1)
    assert "one\n" in output
    assert "never" not in output
    typed(posix, "set +exu; set -av; set -o noglob")
    assert seen(posix.run("echo /*")) == ("completed", 0, "/*\n")


def test_field_separators_and_search_path(posix: Pane) -> None:
    typed(posix, "IFS=0123456789abcdef; PATH=/nonexistent")
    assert seen(posix.run("exit 12")) == ("completed", 12, "")
    assert seen(posix.run("echo found")) == ("completed", 0, "found\n")


@pytest.mark.parametrize("name", ["bash", "sh (bash)"])
def test_inherited_traps_of_bash(name: str, connection: Connection, home: Session, tmp_path: Path) -> None:
    pane = open_shell(connection, home, name, tmp_path)
    typed(pane, "trap 'echo ERR' ERR; trap 'echo DEBUG' DEBUG")
    # A subshell has neither of them, without -E and -T.
    assert seen(pane.run("false; echo x")) == ("completed", 0, "x\n")
    typed(pane, "set -ET")
    assert seen(pane.run("false; echo x")) == ("completed", 0, "DEBUG\nDEBUG\nERR\nDEBUG\nx\n")
    assert seen(pane.run("true")) == ("completed", 0, "DEBUG\n")
    typed(pane, "trap - DEBUG; set +T")
    assert seen(pane.run("false; echo x")) == ("completed", 0, "ERR\nx\n")


@pytest.mark.parametrize(
    "setting", ["trap 'echo ERR' ZERR; trap 'echo DEBUG' DEBUG", "TRAPZERR() { echo ERR }; TRAPDEBUG() { echo DEBUG }"]
)
def test_inherited_traps_of_zsh(setting: str, connection: Connection, home: Session, tmp_path: Path) -> None:
    pane = open_shell(connection, home, "zsh", tmp_path)
    typed(pane, setting)
    assert seen(pane.run("false; echo x")) == ("completed", 0, "DEBUG\nERR\nDEBUG\nx\n")
    assert seen(pane.run("true")) == ("completed", 0, "DEBUG\n")


@pytest.mark.parametrize("name", SHELLS)
def test_unsubmitted_text_at_the_prompt_is_dropped(
    name: str, connection: Connection, home: Session, tmp_path: Path
) -> None:
    pane = open_shell(connection, home, name, tmp_path)
    pane.send_text("echo half-typed")
    assert seen(pane.run("echo x")) == ("completed", 0, "x\n")


@pytest.mark.parametrize("name", ["ash", "bash", "zsh", "ksh93", "mksh"])
@pytest.mark.parametrize(("editor", "key"), [("vi", "Escape"), ("emacs", "C-a")])
def test_the_editor_of_the_line_in_any_state(
    name: str, editor: str, key: str, connection: Connection, home: Session, tmp_path: Path
) -> None:
    """In vi's command mode, and with the cursor before what stands there; nothing of that is run."""
    pane = open_shell(connection, home, name, tmp_path)
    if (name, editor) != ("ash", "emacs"):  # it has no such option, but those keys
        pane.run(f"set -o {editor}", keep_state=True)
    pane.run(f"cd '{tmp_path}'", keep_state=True)
    pane.send_text("echo >stray; echo half-typed")
    pane.wait_for_text("half-typed", accept_echo=True)
    pane.send_keys(key)
    # Alone for a moment: with what follows at once, Escape would be the Meta key.
    pane.wait_for_quiet(0.6, timeout=10)
    assert seen(pane.run("echo x")) == ("completed", 0, "x\n")
    assert not (tmp_path / "stray").exists()


def test_the_line_in_the_history(connection: Connection, home: Session, tmp_path: Path) -> None:
    pane = open_shell(connection, home, "bash", tmp_path)
    typed(pane, "HISTCONTROL=ignorespace")
    pane.run("echo secret-command")
    pane.run("echo secret-command", suppress_history=True)
    history = pane.run("history", suppress_history=True).output
    assert history.count("/frame") == 1
    assert "secret-command" not in history


# --- keep_state ---


@pytest.mark.parametrize("name", SHELLS)
def test_keep_state(name: str, connection: Connection, home: Session, tmp_path: Path) -> None:
    pane = open_shell(connection, home, name, tmp_path)
    assert seen(pane.run("cd /usr; export MUXWRIGHT_TEST=kept", keep_state=True)) == ("completed", 0, "")
    assert seen(pane.run("pwd; echo $MUXWRIGHT_TEST")) == ("completed", 0, "/usr\nkept\n")
    assert seen(pane.run("cd /; false")) == ("completed", 1, "")
    assert seen(pane.run("pwd; false", keep_state=True)) == ("completed", 1, "/usr\n")
    assert pane.refresh().current_path == "/usr"


def test_keep_state_and_a_trap_that_prints(connection: Connection, home: Session, tmp_path: Path) -> None:
    """It prints for what fails in the command, and not for what fails in the frame."""
    pane = open_shell(connection, home, "zsh", tmp_path)
    typed(pane, "TRAPZERR() { echo ERR }")
    assert seen(pane.run("echo x", keep_state=True)) == ("completed", 0, "x\n")
    assert seen(pane.run("false", keep_state=True)) == ("completed", 1, "ERR\n")


@pytest.mark.parametrize("name", [name for name in SHELLS if name != "mksh"])
def test_keep_state_with_a_syntax_error(name: str, connection: Connection, home: Session, tmp_path: Path) -> None:
    pane = open_shell(connection, home, name, tmp_path)
    result = pane.run("echo 'never closed", keep_state=True)
    assert result.outcome == "completed"
    assert result.exit_status != 0
    assert seen(pane.run("echo next", keep_state=True)) == ("completed", 0, "next\n")


@pytest.mark.parametrize("name", SHELLS)
def test_keep_state_and_an_interrupt(name: str, connection: Connection, home: Session, tmp_path: Path) -> None:
    pane = open_shell(connection, home, name, tmp_path)
    result = pane.run("sleep 60", keep_state=True, timeout=0.5)
    assert result.outcome == "deadline"
    assert result.job is not None
    result.job.interrupt()
    ended = result.job.wait(timeout=10)
    assert ended.outcome == "completed"
    # What `$?` is at the prompt after it; ksh93 adds 256 to a signal, which is told as 128 more.
    assert ended.exit_status == 130
    assert seen(pane.run("echo next")) == ("completed", 0, "next\n")


def test_keep_state_and_the_end_of_the_shell(connection: Connection, home: Session, tmp_path: Path) -> None:
    pane = open_shell(connection, home, "bash", tmp_path)
    result = pane.run("echo bye; exit 3", keep_state=True)
    assert (result.outcome, result.exit_status, result.job) == ("pane_closed", None, None)
    assert result.output.startswith("bye\n")
