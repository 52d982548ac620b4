"""tmux's environments: values exact, removed and hidden variables told apart, scopes separate."""

from __future__ import annotations

import pytest

from muxwright import Connection, InvalidArgument, Server, Session
from muxwright._sync.settings import Settings
from muxwright.commands.environment import EnvironmentValue
from tests.support.judge import Judge
from tests.support.servers import every_transport
from tests.support.settings import HOSTILE, settings_of

pytestmark = pytest.mark.live


@pytest.fixture
def settings(host: Server | Connection) -> Settings:
    """The host's settings."""
    return settings_of(host)


@every_transport
def test_case_18_an_environment_value_with_a_newline_stays_whole(
    settings: Settings, home: Session, judge: Judge
) -> None:
    judge("set-environment", "-t", home.id, "A", "first\nFAKE=1")
    judge("set-environment", "-t", home.id, "-r", "GONE")
    listed = settings.list_environment(home)
    assert listed["A"] == settings.get_environment(home, "A") == EnvironmentValue("first\nFAKE=1")
    assert "FAKE" not in listed and settings.get_environment(home, "FAKE") is None
    assert listed["GONE"] == settings.get_environment(home, "GONE") == EnvironmentValue(None)
    assert "-GONE" not in listed and settings.get_environment("global", "GONE") is None


@every_transport
def test_environment_values_are_exact(settings: Settings, home: Session, judge: Judge) -> None:
    hostile = [*HOSTILE, 'x"; export X;\nunset Y;\nZ="', '"; export X0;\n', "unset X;\n"]
    for number, value in enumerate(hostile):
        settings.set_environment(home, f"X{number}", value)
        assert settings.get_environment(home, f"X{number}") == EnvironmentValue(value), number
        assert judge.show(home.id, f"n:X{number}") == str(len(value.encode("utf-8", "surrogateescape"))), number
    listed = settings.list_environment(home)
    assert [listed[f"X{number}"].value for number in range(len(hostile))] == hostile
    assert "Y" not in listed and "Z" not in listed


def test_environments_are_separate_until_asked(settings: Settings, home: Session) -> None:
    settings.set_environment("global", "ONLY", "global")
    settings.set_environment("global", "BOTH", "global")
    settings.set_environment(home, "BOTH", "session")
    settings.set_environment("global", "GONE", "global")
    settings.remove_environment(home, "GONE")
    settings.set_environment("global", "SECRET", "s\nt", hidden=True)
    settings.set_environment(home, "MINE", "m", hidden=True)
    assert settings.get_environment(home, "ONLY") is None
    assert settings.get_environment(home, "ONLY", inherit=True) == EnvironmentValue("global", inherited=True)
    assert settings.get_environment(home, "BOTH", inherit=True) == EnvironmentValue("session")
    assert settings.get_environment(home, "GONE", inherit=True) == EnvironmentValue(None)
    assert settings.get_environment(home, "NEITHER", inherit=True) is None
    secret = EnvironmentValue("s\nt", hidden=True, inherited=True)
    assert settings.get_environment(home, "SECRET", inherit=True) == secret
    along = settings.list_environment(home, inherit=True)
    assert along["SECRET"] == secret and along["MINE"] == EnvironmentValue("m", hidden=True)
    assert (along["ONLY"].value, along["BOTH"].value, along["GONE"].value) == ("global", "session", None)
    settings.set_environment(home, "MINE", "seen")
    assert settings.get_environment(home, "MINE") == EnvironmentValue("seen")
    settings.unset_environment(home, "GONE")
    settings.unset_environment(home, "GONE")
    assert settings.get_environment(home, "GONE") is None
    for name in ("", "1X", "A=B", "A B", "é", "-A", 3):
        with pytest.raises(InvalidArgument):
            settings.set_environment(home, name, "x")  # type: ignore[arg-type]  # wrong on purpose
    for scope in ("server", home.active_pane(), home.id):
        with pytest.raises(InvalidArgument):
            settings.get_environment(scope, "X")  # type: ignore[arg-type]  # wrong on purpose
