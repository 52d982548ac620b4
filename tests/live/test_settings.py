"""Options against tmux: every value exact, every scope exactly that one."""

from __future__ import annotations

from typing import Any

import pytest

from muxwright import Connection, InvalidArgument, OwnedServer, PaneNotFound, Server, Session, StaleReference
from muxwright._sync.settings import Settings
from muxwright.commands.environment import EnvironmentValue
from muxwright.errors import AmbiguousOption, BadValue, CrossServerReference, SessionNotFound, UnknownOption
from muxwright.model import options
from muxwright.model.options import merge_entries
from tests.support.between import before_the_act, counted_requests
from tests.support.judge import Judge
from tests.support.servers import every_transport
from tests.support.settings import HOSTILE, settings_of
from tests.support.swappable import SwappableServer

pytestmark = pytest.mark.live


@pytest.fixture
def settings(host: Server | Connection) -> Settings:
    """The host's settings."""
    return settings_of(host)


def _bytes(value: str) -> bytes:
    return value.encode("utf-8", "surrogateescape")


# --- exactness --------------------------------------------------------------------------------------------------------


@every_transport
def test_values_arrive_and_come_back_byte_for_byte(settings: Settings, home: Session, judge: Judge) -> None:
    escaping = judge("display-message", "-p", "#{version}")[:3] in ("3.4", "3.5")
    for number, value in enumerate(HOSTILE):
        settings.set_option(home, "@x", value)
        assert settings.get_option(home, "@x") == value, number
        # The witness: the bytes where tmux prints them as they are, else their number.
        if escaping:
            assert judge.show(home.id, "n:@x") == str(len(_bytes(value))), number
        else:
            assert judge.raw("show-options", "-v", "-t", home.id, "@x") == _bytes(value), number


def test_values_of_built_in_options_and_arrays_are_as_exact(
    settings: Settings, home: Session, server: OwnedServer
) -> None:
    entries: dict[int, Any] = dict(enumerate(HOSTILE)) | {2_000_000: "far"}
    settings.set_option("server", "user-keys", entries)
    assert settings.get_option("server", "user-keys") == entries
    assert settings.list_options("server")["user-keys"] == entries
    for value in HOSTILE:
        settings.set_option(home, "status-left", value)
        settings.set_option("global_window", "window-status-format", _bytes(value))
        assert settings.get_option(home, "status-left") == value
        assert settings.get_option("global_window", "window-status-format") == value
    for number, value in enumerate(HOSTILE):
        settings.set_option("global_session", f"@x{number}", value)
    listed = settings.list_options("global_session")
    assert [listed[f"@x{number}"] for number in range(len(HOSTILE))] == HOSTILE


def test_a_nul_is_refused_before_sending(settings: Settings) -> None:
    for value in ("a\0b", b"a\0b", "\ud800"):
        with pytest.raises(InvalidArgument):
            settings.set_option("server", "@x", value)


def test_names_of_others_do_not_break_a_listing(settings: Settings, judge: Judge) -> None:
    for name in ("@a b", "@a:b", "@a*", '@a"b', "@é"):
        judge("set-option", "-g", name, 'v "w" x')
    listed = settings.list_options("global_session")
    assert [listed[name] for name in ("@a b", "@a:b", "@a*", '@a"b', "@é")] == ['v "w" x'] * 5


# --- arrays -----------------------------------------------------------------------------------------------------------


@every_transport
def test_case_17_an_array_option_keeps_every_entry(settings: Settings, judge: Judge) -> None:
    judge("set-option", "-s", "terminal-features[0]", "xterm*:clipboard:ccolour:cstyle:focus:title")
    judge("set-option", "-s", "terminal-features[100]", "xterm*:RGB")
    before = judge("show-options", "-s", "terminal-features")
    entries = settings.get_option("server", "terminal-features")
    assert isinstance(entries, dict)
    assert entries[0] == "xterm*:clipboard:ccolour:cstyle:focus:title" and entries[100] == "xterm*:RGB"
    assert len(entries) == len(before.split("\n"))
    assert settings.get_option("server", "terminal-features", index=100) == "xterm*:RGB"
    assert settings.get_option("server", "terminal-features", index=99) is None
    # The merged view loses nothing, and writing back the entries changes nothing.
    assert merge_entries(entries)["xterm*"] == "clipboard ccolour cstyle focus title RGB".split()
    settings.set_option("server", "terminal-features", entries)
    assert judge("show-options", "-s", "terminal-features") == before
    settings.set_option("server", "terminal-features", "tmux*:RGB,x", index=7)
    settings.unset_option("server", "terminal-features", index=100)
    wanted = {**entries, 7: "tmux*:RGB,x"}
    del wanted[100]
    assert settings.get_option("server", "terminal-features") == wanted


def test_a_text_does_not_replace_an_array(settings: Settings, judge: Judge) -> None:
    before = judge("show-options", "-s", "terminal-features")
    with pytest.raises(InvalidArgument, match="is an array"):
        settings.set_option("server", "terminal-features", "xterm*:RGB")
    for arguments in (("server", "buffer-limit", {0: 3}), ("server", "@x", {0: "a"})):
        with pytest.raises(InvalidArgument, match="is no array"):
            settings.set_option(*arguments)
    for index in (-1, 2**31, True, "1"):
        with pytest.raises(InvalidArgument):
            settings.set_option("server", "terminal-features", "x", index=index)  # type: ignore[arg-type]  # wrong on purpose
    assert judge("show-options", "-s", "terminal-features") == before


def test_empty_arrays_mask_and_missing_ones_do_not(settings: Settings, home: Session) -> None:
    assert settings.get_option(home, "status-format") is None
    inherited = settings.get_option(home, "status-format", inherit=True)
    assert isinstance(inherited, dict) and sorted(inherited)[:2] == [0, 1]
    settings.set_option(home, "status-format", {})
    assert settings.get_option(home, "status-format") == {}
    assert settings.get_option(home, "status-format", inherit=True) == {}
    assert settings.get_option(home, "status-format", index=0, inherit=True) is None
    settings.unset_option(home, "status-format")
    assert settings.get_option(home, "status-format", inherit=True) == inherited
    # An entry in a session makes an array of its own.
    settings.set_option(home, "status-format", "mine", index=1)
    assert settings.get_option(home, "status-format", inherit=True) == {1: "mine"}


# --- scopes and inheritance -------------------------------------------------------------------------------------------


def test_types(settings: Settings, home: Session) -> None:
    window, pane = home.active_window(), home.active_pane()
    settings.set_option("server", "buffer-limit", 7)
    assert settings.get_option("server", "buffer-limit") == 7
    settings.set_option(home, "mouse", True)
    assert settings.get_option(home, "mouse") is True
    settings.set_option(home, "status", 2)
    assert settings.get_option(home, "status") == "2"
    settings.set_option(home, "status", False)
    assert settings.get_option(home, "status") == "off"
    settings.set_option(window, "mode-keys", "vi")
    assert settings.get_option(window, "mode-keys") == "vi"
    settings.set_option(pane, "window-style", "fg=red,bg=#112233")
    assert settings.get_option(pane, "window-style") == "fg=red,bg=#112233"
    settings.set_option(home, "prefix", "C-a")
    assert settings.get_option(home, "prefix") == "C-a"
    for key in ('"', "'", "\\", "~", "#"):
        settings.set_option(home, "prefix", key)
        assert settings.get_option(home, "prefix") == key
    settings.set_option(window, "clock-mode-colour", "#112233")
    assert settings.get_option(window, "clock-mode-colour") == "#112233"
    settings.set_option(pane, "pane-colours", {1: "red", 200: "#010203"})
    assert settings.get_option(pane, "pane-colours") == {1: "red", 200: "#010203"}
    server_options = settings.list_options("server")
    assert server_options["buffer-limit"] == 7 and server_options["exit-empty"] in (True, False)
    assert isinstance(server_options["command-alias"], dict)
    for name, value in (("mouse", 3), ("history-limit", True), ("@x", 3), ("mouse", ""), ("mouse", None)):
        with pytest.raises(InvalidArgument):
            settings.set_option(home, name, value)  # type: ignore[arg-type]  # wrong on purpose


def test_explicit_parents_and_only_when_asked(settings: Settings, home: Session) -> None:
    window, pane = home.active_window(), home.active_pane()
    for name in ("@role", "window-style"):
        settings.unset_option("global_window", name)
        assert settings.get_option(pane, name) is None and settings.get_option(window, name) is None
        scopes: tuple[Any, ...] = ("global_window", window, pane)
        for number, scope in enumerate(scopes):
            settings.set_option(scope, name, f"fg=colour{number}")
            assert settings.get_option(pane, name, inherit=True) == f"fg=colour{number}"
        assert settings.get_option(window, name, inherit=True) == "fg=colour1"
        assert settings.get_option("global_window", name, inherit=True) == "fg=colour0"
        settings.unset_option(pane, name)
        assert settings.get_option(pane, name) is None
        assert settings.get_option(pane, name, inherit=True) == "fg=colour1"
        settings.set_option(pane, name, "")
        assert settings.get_option(pane, name, inherit=True) == ""
    assert settings.get_option(home, "@role", inherit=True) is None
    settings.set_option("global_session", "@role", "session")
    assert settings.get_option(home, "@role", inherit=True) == "session"
    assert settings.get_option("server", "@role") is None
    assert settings.get_option(home, "history-limit") is None
    assert settings.get_option(home, "history-limit", inherit=True) == settings.get_option(
        "global_session", "history-limit"
    )


def test_listings_follow_the_parents_too(settings: Settings, home: Session) -> None:
    pane = home.active_pane()
    assert settings.list_options(pane) == {}
    settings.set_option(pane, "@x", "pane")
    settings.set_option("global_window", "@x", "global")
    settings.set_option("global_window", "@y", "global")
    assert settings.list_options(pane) == {"@x": "pane"}
    along = settings.list_options(pane, inherit=True)
    assert (along["@x"], along["@y"], along["window-style"]) == ("pane", "global", "default")
    assert "mode-keys" not in along and "pane-died" not in along
    assert settings.list_options(home, inherit=True)["mouse"] in (True, False)


def test_a_scope_that_cannot_have_an_option_is_refused(host: Any, settings: Settings, home: Session) -> None:
    window, pane = home.active_window(), home.active_pane()
    wrong = (
        ("server", "history-limit"),
        ("global_session", "buffer-limit"),
        (home, "mode-keys"),
        (window, "history-limit"),
        (pane, "pane-base-index"),
        (pane, "mouse"),
        ("global", "mouse"),
        (home.id, "mouse"),
        (None, "mouse"),
    )
    with counted_requests(host) as requests:
        for scope, name in wrong:
            with pytest.raises(InvalidArgument):
                settings.get_option(scope, name)  # type: ignore[arg-type]  # wrong on purpose
            with pytest.raises(InvalidArgument):
                settings.set_option(scope, name, "x")  # type: ignore[arg-type]  # wrong on purpose
    assert requests == []


# --- evidence ---------------------------------------------------------------------------------------------------------


def test_unknown_names_are_errors_and_user_options_are_not(settings: Settings, home: Session) -> None:
    for scope in ("global_session", home):
        with pytest.raises(UnknownOption) as caught:
            settings.get_option(scope, "no-such-option")
        assert caught.value.diagnostic == "invalid option: no-such-option" and caught.value.effects == "none"
        with pytest.raises(UnknownOption):
            settings.set_option(scope, "no-such-option", "x")
        assert settings.get_option(scope, "@missing") is None
        settings.unset_option(scope, "@missing")
    for name in ("", "@", "Mouse", "mouse[0]", "status format", "a*", "-g", "@a b", 3):
        with pytest.raises(InvalidArgument):
            settings.get_option(home, name)  # type: ignore[arg-type]  # wrong on purpose


def test_names_are_never_completed(settings: Settings, home: Session) -> None:
    before = settings.get_option("global_session", "history-limit")
    with pytest.raises(UnknownOption, match="never completed"):
        settings.set_option("global_session", "history-lim", 5)
    with pytest.raises(UnknownOption, match="never completed"):
        settings.get_option(home, "history-lim")
    with pytest.raises(AmbiguousOption):
        settings.get_option(home, "status-l")
    assert settings.get_option("global_session", "history-limit") == before


def test_options_that_another_version_has_keep_tmuxs_word(settings: Settings, judge: Judge) -> None:
    for name, value in (("default-client-command", "list-keys"), ("theme", "dark"), ("prefix-timeout", 10)):
        there = judge.run("show-options", "-g", name).returncode == 0
        if there:
            settings.set_option("server", name, value)
            assert settings.get_option("server", name) == value
            continue
        with pytest.raises(UnknownOption) as caught:
            settings.get_option("server", name)
        assert caught.value.diagnostic == f"invalid option: {name}"


@pytest.mark.parametrize(
    ("scope", "name", "value"),
    [
        ("server", "buffer-limit", 0),
        ("server", "buffer-limit", 10**20),
        ("server", "buffer-limit", "many"),
        ("server", "buffer-limit", ""),
        ("global_session", "mouse", "perhaps"),
        ("global_session", "status", "maybe"),
        ("global_session", "status", ""),
        ("global_session", "prefix", "Foo"),
        ("global_session", "status-bg", "nope"),
        ("global_session", "status-style", "fg=nope"),
        ("global_session", "default-shell", "/no/such/shell"),
        ("global_session", "default-size", "big"),
        ("global_window", "pane-colours", {0: "nope"}),
    ],
)
def test_bad_values(settings: Settings, scope: Any, name: str, value: Any) -> None:
    before = settings.get_option(scope, name)
    with pytest.raises(BadValue, match=name) as caught:
        settings.set_option(scope, name, value)
    assert caught.value.diagnostic and caught.value.command == "set-option"
    if isinstance(value, dict):
        assert caught.value.effects == "possible"
    else:
        assert caught.value.effects == "none"
        assert settings.get_option(scope, name) == before


def test_gone_objects_are_errors_and_never_an_absent_value(settings: Settings, home: Session) -> None:
    pane = home.active_pane().split(command=["sleep", "1000"])
    other = home.host.new_session("other", command=["sleep", "1000"])
    pane.kill()
    other.kill()
    for act in (
        lambda: settings.get_option(pane, "@x"),
        lambda: settings.get_option(pane, "window-style", inherit=True),
        lambda: settings.list_options(pane),
        lambda: settings.set_option(pane, "@x", "y"),
        lambda: settings.unset_option(pane, "@x"),
        lambda: settings.get_hook(pane, "pane-died"),
        lambda: settings.set_hook(pane, "pane-died", "list-keys"),
    ):
        with pytest.raises(PaneNotFound):
            act()
    for read in (
        lambda: settings.get_environment(other, "X"),
        lambda: settings.get_environment(other, "X", inherit=True),
        lambda: settings.list_environment(other),
        lambda: settings.set_environment(other, "X", "y"),
        lambda: settings.remove_environment(other, "X"),
        lambda: settings.unset_environment(other, "X"),
    ):
        with pytest.raises(SessionNotFound):
            read()


def test_an_object_of_another_life_is_stale(swappable: SwappableServer, tmux_executable: str) -> None:
    server = Server(socket_path=swappable.socket_path, tmux=tmux_executable)
    settings = settings_of(server)
    pane, session = server.get_pane("%0"), server.get_session("$0")
    with before_the_act(server, swappable.swap), pytest.raises(StaleReference):
        settings.set_option(pane, "@x", "y")
    for act in (
        lambda: settings.get_option(pane, "@x", inherit=True),
        lambda: settings.get_environment(session, "PATH", inherit=True),
        lambda: settings.set_environment(session, "X", "y"),
    ):
        with pytest.raises(StaleReference):
            act()
    assert swappable.judge.run("show-options", "-p", "-t", "%0", "@x").returncode == 1
    with OwnedServer(tmux=tmux_executable) as other, pytest.raises(CrossServerReference):
        settings_of(other).get_option(pane, "@x")


def test_global_scopes_need_no_session(server: OwnedServer) -> None:
    settings = settings_of(server)
    settings.set_option("server", "@x", "y")
    settings.set_option("global_session", "history-limit", 3_000)
    settings.set_environment("global", "X", "y")
    assert settings.get_option("server", "@x") == "y"
    assert settings.get_option("global_session", "history-limit") == 3_000
    assert settings.get_option("global_window", "mode-keys") == "emacs"
    assert settings.get_hook("global_window", "pane-died") == {}
    assert settings.get_environment("global", "X") == EnvironmentValue("y")


def test_a_guarded_setting_is_one_request(host: Any, settings: Settings, home: Session) -> None:
    with counted_requests(host) as requests:
        settings.get_option(home.active_pane().ref, "window-style", inherit=True)
        settings.set_option("server", "user-keys", {0: "a", 5: "b"})
        settings.get_environment(home, "X", inherit=True)
        settings.list_options(home, inherit=True)
    assert len(requests) == 4


def test_options_that_the_table_lacks_are_looked_up_in_tmux(
    settings: Settings, home: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown = ("buffer-limit", "mouse", "mode-keys", "window-style", "pane-base-index", "user-keys", "pane-died")
    known = {name: rows for name, rows in options._table().items() if name not in unknown}
    monkeypatch.setattr(options, "_table", lambda: known)
    pane = home.active_pane()
    settings.set_option("server", "buffer-limit", 7)
    assert settings.get_option("server", "buffer-limit") == "7", "of an unknown kind: text"
    settings.set_option(home, "mouse", True)
    assert settings.get_option(home, "mouse") == "on"
    settings.set_option(pane, "window-style", "fg=red,bg=#112233")
    assert settings.get_option(pane, "window-style", inherit=True) == "fg=red,bg=#112233"
    assert settings.get_option(home.active_window(), "window-style") is None
    settings.set_option("server", "user-keys", {2: "a b", 9: ""})
    assert settings.get_option("server", "user-keys") == {2: "a b", 9: ""}
    settings.set_hook(pane, "pane-died", "list-keys")
    assert settings.get_hook(pane, "pane-died") == {0: "list-keys"}
    wrong: tuple[Any, ...] = ("server", "mouse"), (home, "mode-keys"), (pane, "pane-base-index"), (home, "pane-died")
    for scope, name in wrong:
        with pytest.raises(InvalidArgument):
            settings.get_option(scope, name)
    with pytest.raises(InvalidArgument, match="toggle"):
        settings.set_option(home, "mouse", "")
