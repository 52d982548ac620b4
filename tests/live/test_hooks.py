"""Hooks: sparse arrays of commands, in exactly one scope."""

from __future__ import annotations

import pytest

from muxwright import Connection, InvalidArgument, Server, Session
from muxwright._sync.settings import Settings
from muxwright.errors import BadValue, UnknownOption
from tests.support.settings import settings_of

pytestmark = pytest.mark.live


@pytest.fixture
def settings(host: Server | Connection) -> Settings:
    """The host's settings."""
    return settings_of(host)


def test_hooks_are_sparse_arrays(settings: Settings, home: Session) -> None:
    name = "after-new-window"
    assert settings.get_hook(home, name) is None
    assert settings.get_hook(home, name, inherit=True) == settings.get_hook("global_session", name) == {}
    settings.set_hook("global_session", name, "set-option -g @global 1")
    assert settings.get_hook(home, name, inherit=True) == {0: "set-option -g @global 1"}
    settings.set_hook(home, name, ["set-option", "-g", "@text", "$HOME; #{pid} 'x' \"y\" ~ \\ é"], index=7)
    settings.set_hook(home, name, "set-option -g @a 1 ; set-option -g @b 2", index=3)
    found = settings.get_hook(home, name)
    assert found is not None and sorted(found) == [3, 7]
    assert found[3] == "set-option -g @a 1 ; set-option -g @b 2"
    # What is read can be written again, and means the same.
    settings.set_hook(home, name, found)
    assert settings.get_hook(home, name) == found
    home.new_window(command=["sleep", "1000"])
    assert settings.get_option("global_session", "@text") == "$HOME; #{pid} 'x' \"y\" ~ \\ é"
    assert settings.get_option("global_session", "@b") == "2"
    assert settings.get_option("global_session", "@global") is None, "the session's own hook masks the global one"
    settings.unset_hook(home, name, index=7)
    assert settings.get_hook(home, name) == {3: found[3]}
    settings.set_hook(home, name, {})
    assert settings.get_hook(home, name) == settings.get_hook(home, name, inherit=True) == {}
    settings.unset_hook(home, name)
    assert settings.get_hook(home, name) is None
    assert settings.get_hook(home, name, inherit=True) == {0: "set-option -g @global 1"}


def test_hooks_of_windows_and_panes(settings: Settings, home: Session) -> None:
    window, pane = home.active_window(), home.active_pane()
    for scope in ("global_window", window, pane):
        settings.set_hook(scope, "pane-died", ["display-message", str(scope)])
    assert settings.get_hook(pane, "pane-died") != settings.get_hook(window, "pane-died")
    settings.unset_hook(pane, "pane-died")
    assert settings.get_hook(pane, "pane-died", inherit=True) == settings.get_hook(window, "pane-died")
    for wrong, name in (("server", "pane-died"), (home, "pane-died"), (pane, "after-new-window"), (home, "mouse")):
        with pytest.raises(InvalidArgument):
            settings.get_hook(wrong, name)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(InvalidArgument, match="is a hook"):
        settings.get_option(home, "after-new-window")
    with pytest.raises(UnknownOption):
        settings.get_hook(home, "after-no-such")


def test_all_hooks_of_a_scope(settings: Settings, home: Session) -> None:
    window, pane = home.active_window(), home.active_pane()
    assert settings.list_hooks(home) == settings.list_hooks(pane) == {}
    settings.set_hook("global_session", "after-new-window", {0: "list-keys", 7: "list-panes"})
    settings.set_hook(home, "after-kill-pane", ["display-message", "a b"])
    settings.set_hook(home, "after-new-session", {})
    settings.set_option(home, "@mine", "after-new-window[0] list-keys\nafter-new-window[1] list-keys")
    assert settings.list_hooks(home) == {"after-kill-pane": {0: 'display-message "a b"'}, "after-new-session": {}}
    of_all = settings.list_hooks("global_session")
    assert of_all["after-new-window"] == {0: "list-keys", 7: "list-panes"}
    assert len(of_all) > 40 and sum(map(bool, of_all.values())) == 1
    everything = settings.list_hooks(home, inherit=True)
    assert everything == of_all | settings.list_hooks(home)
    assert list(everything) == sorted(everything)
    settings.set_hook(window, "pane-died", "list-keys")
    settings.set_hook(window, "window-renamed", "list-keys")
    settings.set_hook(pane, "pane-exited", {})
    assert settings.list_hooks(pane) == {"pane-exited": {}}
    inherited = settings.list_hooks(pane, inherit=True)
    assert inherited["pane-died"] == {0: "list-keys"} and inherited["pane-exited"] == {}
    assert "window-renamed" not in inherited, "no pane can have it"
    for name, value in settings.list_hooks(window, inherit=True).items():
        assert settings.get_hook(window, name, inherit=True) == value
    with pytest.raises(InvalidArgument, match="has no hooks"):
        settings.list_hooks("server")


def test_bad_hooks(settings: Settings, home: Session) -> None:
    for body in ("no-such-command", "new-window -Q", "display-message a b c"):
        with pytest.raises(BadValue) as caught:
            settings.set_hook(home, "after-new-window", body)
        assert caught.value.diagnostic and caught.value.effects == "possible"
    for wrong in ("", "  ", [], b"list-keys", ["List"], 3, ["display-message", "a\0"]):
        with pytest.raises(InvalidArgument):
            settings.set_hook(home, "after-new-window", wrong)  # type: ignore[arg-type]  # wrong on purpose
