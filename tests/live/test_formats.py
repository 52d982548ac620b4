"""Format variables of exactly one object, typed, and formats of the caller's own."""

from __future__ import annotations

from typing import Any

import pytest

from muxwright import Connection, InvalidArgument, PaneNotFound, Server, Session, StaleReference, UnsupportedCapability
from muxwright._sync.settings import Settings
from muxwright.commands.format_names import ROWS, VERSIONS
from muxwright.commands.formats import FormatField, FormatObservation, RawFormat
from muxwright.errors import FormatValueError
from tests.support.between import before_the_act, counted_requests
from tests.support.judge import Judge
from tests.support.servers import every_transport
from tests.support.settings import settings_of
from tests.support.swappable import SwappableServer

pytestmark = pytest.mark.live


@pytest.fixture
def settings(host: Server | Connection) -> Settings:
    """The host's formats."""
    return settings_of(host)


@every_transport
def test_typed_values_of_exactly_one_object(settings: Settings, home: Session) -> None:
    first = home.active_pane()
    second = first.split(command=["sleep", "1000"])
    first.select()
    fields = (
        FormatField("pane_id"),
        FormatField("pane_width", int),
        FormatField("pane_dead", bool),
        FormatField("pane_active", bool),
        FormatField("pane_width", str),
        FormatField("pane_dead_status", int),
        FormatField("pane_mode"),
    )
    for target, pane in ((first, first), (second.ref, second), (home.active_window(), first), (home.refresh(), first)):
        found = settings.read_formats(target, *fields)
        assert [one.field for one in found] == list(fields)
        values = [pane.id, 160, False, pane is first, "160", None, ""]
        assert [one.value for one in found] == values
        assert [one.availability for one in found] == ["present"] * 5 + ["unverified"] * 2
    assert settings.read_formats(first, FormatField("pane_id"))[0] == FormatObservation(
        FormatField("pane_id"), first.id.encode(), first.id, "present"
    )


def test_free_text_is_exact(settings: Settings, home: Session, judge: Judge) -> None:
    title = "a b  #{pid} $HOME 'x' \"y\" ; %H ~ é日😀 | "
    pane = home.active_pane()
    pane.set_title(title)
    (found,) = settings.read_formats(pane, FormatField("pane_title"))
    assert found.value == title and found.raw == title.encode()


def test_names_that_would_give_environment_variables_are_refused(
    host: Any, settings: Settings, home: Session, judge: Judge
) -> None:
    judge("set-environment", "-g", "secret_token", "secret")
    judge("set-environment", "-g", "pane_titel", "secret")
    pane = home.active_pane()
    with counted_requests(host) as requests:
        for name in ("secret_token", "HOME", "pane_titel", "mouse", "@x", "#{pid}", "pane_id}", "", "q:pane_id", 3):
            with pytest.raises(InvalidArgument):
                settings.read_formats(pane, FormatField(name))  # type: ignore[arg-type]  # wrong on purpose
            with pytest.raises(InvalidArgument):
                host.list_panes(name)
        with pytest.raises(InvalidArgument, match="did you mean pane_title"):
            settings.read_formats(pane, FormatField("pane_titel"))
        with pytest.raises(InvalidArgument, match="did you mean pane_title"):
            host.list_panes("pane_titel")
        for fields in ((), [FormatField("pid")] * 257, ("pid",), (FormatField("pid", float),)):  # type: ignore[type-var]  # wrong on purpose
            with pytest.raises(InvalidArgument):
                settings.read_formats(pane, *fields)
    assert requests == []
    assert len(settings.read_formats(pane, *[FormatField("pid", int)] * 256)) == 256


def test_no_name_of_the_table_falls_back_to_the_environment(settings: Settings, home: Session, judge: Judge) -> None:
    version = judge("display-message", "-p", "#{version}")
    if version not in VERSIONS:
        pytest.skip(f"tmux {version} is not in the table")
    number = VERSIONS.index(version)
    # The variables of a mode are only there in it.
    judge("copy-mode", "-t", home.active_pane().id)
    names = [name for mask, *names in map(str.split, ROWS.splitlines()) if mask[number] == "1" for name in names]
    names = [name for name in names if not name.startswith(("selection_", "loop_", "mouse_", "search_"))]
    for start in range(0, len(names), 50):
        words = [word for name in names[start : start + 50] for word in (";", "set-environment", "-g", name, "secret")]
        judge(*words[1:])
    for start in range(0, len(names), 200):
        found = settings.read_formats(home, *[FormatField(name) for name in names[start : start + 200]])
        assert [one.field.name for one in found if one.value == "secret"] == []
    missing = [name for mask, *names in map(str.split, ROWS.splitlines()) if mask[number] == "0" for name in names]
    for name in missing[:3]:
        with pytest.raises(UnsupportedCapability, match=name):
            settings.read_formats(home, FormatField(name))


def test_values_of_another_type(settings: Settings, home: Session) -> None:
    with pytest.raises(FormatValueError) as caught:
        settings.read_formats(home, FormatField("session_name", int))
    assert (caught.value.field, caught.value.expected, caught.value.raw) == ("session_name", "int", b"home")
    with pytest.raises(FormatValueError):
        settings.read_formats(home, FormatField("pane_id", bool))


@every_transport
def test_formats_of_the_callers_own(settings: Settings, home: Session, judge: Judge) -> None:
    pane = home.active_pane()
    other = pane.split(command=["sleep", "1000"])
    for one in (pane, other):
        expected = f"{one.id} %H %% alive; 'é' \\ $HOME".encode()
        raw = RawFormat("#{pane_id} %H %% #{?pane_dead,dead,alive}; 'é' \\ $HOME")
        assert settings.render_format(one, raw) == expected
    assert settings.render_format(home, RawFormat("")) == b""
    assert settings.render_format(home.active_window(), RawFormat("#{window_panes}\n")) == b"2\n"
    for wrong in ("#{pid}", b"x", RawFormat("a\0"), None):
        with pytest.raises(InvalidArgument):
            settings.render_format(pane, wrong)  # type: ignore[arg-type]  # wrong on purpose
    for target in ("server", pane.id, None):
        with pytest.raises(InvalidArgument):
            settings.render_format(target, RawFormat("x"))  # type: ignore[arg-type]  # wrong on purpose


def test_gone_and_stale_objects(
    settings: Settings, home: Session, swappable: SwappableServer, tmux_executable: str
) -> None:
    pane = home.active_pane().split(command=["sleep", "1000"])
    pane.kill()
    with pytest.raises(PaneNotFound):
        settings.read_formats(pane, FormatField("pane_id"))
    with pytest.raises(PaneNotFound):
        settings.render_format(pane, RawFormat("#{pane_id}"))
    server = Server(socket_path=swappable.socket_path, tmux=tmux_executable)
    stale = server.get_pane("%0")
    with before_the_act(server, swappable.swap), pytest.raises(StaleReference):
        settings_of(server).read_formats(stale, FormatField("pane_id"))


def test_hints_name_what_this_tmux_has(settings: Settings, home: Session, judge: Judge) -> None:
    pane = home.active_pane()
    pane.set_title("no_such=1")
    judge("set-option", "-p", "-t", pane.id, "@x", "first\nlooks_like=one")
    names = settings.format_hints(pane)
    assert {"pane_current_command", "pane_id", "session_name", "window_layout", "version"} <= set(names)
    assert len(names) == len(set(names)) > 100 and "no_such" not in names
    assert settings.format_hints(home.refresh())
    other = pane.split(command=["sleep", "1000"])
    judge("kill-pane", "-t", other.id)
    with pytest.raises(PaneNotFound):
        settings.format_hints(other)
