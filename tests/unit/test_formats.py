"""Format variables and environments without tmux: which names, which versions, what the answers mean."""

from __future__ import annotations

from typing import Any

import pytest

from muxwright.commands.environment import EnvironmentValue, read_environment, set_words
from muxwright.commands.format_names import ROWS, VERSIONS
from muxwright.commands.formats import (
    FormatField,
    FormatObservation,
    RawFormat,
    check_fields,
    check_known,
    check_version,
    needs_version,
    observe_words,
    read_observations,
    render_words,
)
from muxwright.commands.listings import check_variables
from muxwright.errors import FormatValueError, InvalidArgument, RemoteProtocolError, UnsupportedCapability
from muxwright.model import fields as model_fields
from muxwright.operations import environment, formats
from muxwright.operations.steps import Place
from muxwright.refs import Generation, PaneId, PaneRef, ServerIdentity, SessionId, SessionRef
from muxwright.wire.request import Section
from muxwright.wire.versions import TmuxVersion

SERVER = ServerIdentity("/s", Generation(1, 2))
PANE = PaneRef(SERVER, PaneId("%3"))
SESSION_REF = SessionRef(SERVER, SessionId("$4"))
PLACE = Place("/s", lambda: 0.0, lambda: "token")


def test_the_table_knows_what_snapshots_ask_for() -> None:
    names = [name for _, *names in map(str.split, ROWS.splitlines()) for name in names]
    assert len(names) == len(set(names)) > 200
    assert {len(line.split()[0]) for line in ROWS.splitlines()} == {len(VERSIONS)}
    captured = (getattr(model_fields, kind) for kind in ("SESSION", "WINDOW", "LINK", "PANE", "CLIENT"))
    for field in (field for kind in captured for field in kind):
        assert check_known(field.variable) == field.variable


def test_unknown_names_are_refused_with_the_nearest() -> None:
    for name in ("HOME", "secret", "pane id", "#{pid}", "pane_id}", "q:pane_id", "", "mouse", "@x", None):
        with pytest.raises(InvalidArgument):
            check_variables(["pane_id", name])  # type: ignore[list-item]  # wrong on purpose
    with pytest.raises(InvalidArgument, match="did you mean pane_current_path"):
        check_variables(["pane_curent_path"])
    with pytest.raises(InvalidArgument, match="at least one"):
        check_variables([])


def test_names_by_version() -> None:
    new = ["pane_id", "pane_zoomed_flag", "pane_output_generation"]
    assert needs_version(new) and not needs_version(["pane_id", "pid"])
    for version in ("3.8", "3.9", "master", "openbsd-7.5", "3.8-rc", "next-3.9"):
        check_version(new, TmuxVersion.parse(version))
    # Between two that are known, what the newer one has may be there.
    check_version(new[:2], TmuxVersion.parse("3.6b"))
    for version, name, needs in (
        ("3.3a", "pane_zoomed_flag", "3.7c"),
        ("3.5a", "pane_zoomed_flag", "3.7c"),
        ("3.2a", "pane_zoomed_flag", "3.7c"),
        ("3.6b", "pane_output_generation", "3.8"),
        ("3.7c", "pane_output_generation", "3.8"),
    ):
        with pytest.raises(UnsupportedCapability, match=name) as caught:
            check_version(["pane_id", name], TmuxVersion.parse(version))
        assert (caught.value.needs, caught.value.has) == (f"tmux {needs}", f"tmux {version}")


def test_fields() -> None:
    assert check_fields([FormatField("pane_id"), FormatField("pid", int), FormatField("pane_id")]) == [
        "pane_id",
        "pid",
        "pane_id",
    ]
    for fields in ([], [FormatField("pid")] * 257, ["pid"], [FormatField("pid", float)], [FormatField("nope")]):  # type: ignore[type-var]  # wrong on purpose
        with pytest.raises(InvalidArgument):
            check_fields(fields)  # type: ignore[arg-type]  # wrong on purpose


def test_observations() -> None:
    fields: list[FormatField[Any]] = [
        FormatField("pane_title"),
        FormatField("pane_width", int),
        FormatField("pane_dead", bool),
        FormatField("pane_in_mode", bool),
        FormatField("pane_pid", int),
        FormatField("pane_mode"),
    ]
    found = read_observations(rb"a\ \$b\033 80 0 2   ", fields, "%3")
    assert [one.value for one in found] == ["a $b\x1b", 80, False, True, None, ""]
    assert [one.raw for one in found] == [b"a $b\x1b", b"80", b"0", b"2", b"", b""]
    assert [one.availability for one in found] == ["present"] * 4 + ["unverified"] * 2
    assert found[0] == FormatObservation(fields[0], b"a $b\x1b", "a $b\x1b", "present")
    for text, field in ((b"x80 ", fields[1]), (b"8.0 ", fields[1]), (b"on ", fields[2]), (b"1_0 ", fields[1])):
        with pytest.raises(FormatValueError) as caught:
            read_observations(text, [field], "%3")
        assert (caught.value.field, caught.value.target) == (field.name, "%3")
    for text in (b"", b"a \nb ", b"a"):
        with pytest.raises(RemoteProtocolError):
            read_observations(text, fields[:1], "%3")


def test_words() -> None:
    assert observe_words(PANE, ["pid"]) == (
        *(b"list-panes", b"-t", b"%3", b"-f", b"#{==:#{pane_id},%3}", b"-F", b"#{q:pid} "),
    )
    assert render_words(SESSION_REF, RawFormat("é#(x)"))[-4:] == (*(b"-f", b"#{pane_active}", b"-F", "é#(x)".encode()),)
    for wrong in ("#{pid}", None, RawFormat("\0"), RawFormat(3)):  # type: ignore[arg-type]  # wrong on purpose
        with pytest.raises(InvalidArgument):
            render_words(PANE, wrong)  # type: ignore[arg-type]  # wrong on purpose


def test_the_version_is_asked_only_for_names_that_need_it() -> None:
    operation: Any = formats.read_formats(PLACE, PANE, [FormatField("pane_id")])
    request = next(operation)
    assert request.commands[0].words[0] == b"list-panes" and request.commands[0].guard is not None
    operation = formats.read_formats(PLACE, PANE, [FormatField("pane_zoomed_flag", bool)])
    assert next(operation).commands[0].words == (b"display-message", b"-p", b"#{version}")
    with pytest.raises(UnsupportedCapability):
        operation.send((Section("done", b"3.3a"),))
    known = PLACE._replace(version=TmuxVersion.parse("3.3a"), generation=SERVER.generation)
    with pytest.raises(UnsupportedCapability) as caught:
        next(formats.read_formats(known, PANE, [FormatField("pane_zoomed_flag", bool)]))
    assert caught.value.effects == "none"


# --- environments -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        (b"", ""),
        (b"plain", "plain"),
        (b"one\nFAKE=1", "one\nFAKE=1"),
        (rb"\"; export A;", '"; export A;'),
        (rb"\$HOME \`id\` \\ \\n", "$HOME `id` \\ \\n"),
        (b"\x1b[0m\xff", "\x1b[0m\udcff"),
        (rb"\033[0m\377 \a", "\x1b[0m\udcff \a"),  # 3.4, 3.5
        (rb"\\$HOME \\\\$x", "$HOME \\$x"),  # 3.4
        (rb"\\", "\\"),
        (b'unset B;\nC=\\"', 'unset B;\nC="'),
    ],
)
def test_environment_values(printed: bytes, value: str) -> None:
    text = b'A="' + printed + b'"; export A;'
    assert read_environment(text, hidden=False) == {"A": EnvironmentValue(value)}
    both = b'unset X;\nBASH_FUNC_f%%="() { x; }"; export BASH_FUNC_f%%;\n' + text + b"\nunset Y;"
    assert read_environment(both, hidden=True) == {
        "X": EnvironmentValue(None, hidden=True),
        "BASH_FUNC_f%%": EnvironmentValue("() { x; }", hidden=True),
        "A": EnvironmentValue(value, hidden=True),
        "Y": EnvironmentValue(None, hidden=True),
    }


def test_broken_environments_are_errors() -> None:
    for text in (b"A=x", b'A="x', b'A="x"; export B;', b'A="x"', b"unset 1;", b'A="x"; export A;x'):
        with pytest.raises(RemoteProtocolError):
            read_environment(text, hidden=False)
    assert read_environment(b"", hidden=False) == {}


def test_environment_words_and_requests() -> None:
    assert set_words("global", "A", "-x;", True) == (*(b"set-environment", b"-g", b"-h", b"--", b"A", b"-x;"),)
    operation: Any = environment.get_environment(PLACE, SESSION_REF, "A", True)
    request = next(operation)
    assert [command.words[1:] for command in request.commands] == [
        (b"-s", b"-t", b"$4", b"A"),
        (b"-s", b"-h", b"-t", b"$4", b"A"),
        (b"-s", b"-g", b"A"),
        (b"-s", b"-h", b"-g", b"A"),
    ]
    assert all(command.guard is not None for command in request.commands)
    missing = Section("failed", b"unknown variable: A")
    with pytest.raises(StopIteration) as stop:
        operation.send((missing, missing, Section("done", b""), Section("done", b'A="x"; export A;')))
    assert stop.value.value == EnvironmentValue("x", hidden=True, inherited=True)
