"""Operations and handles against servers that follow a script, each recorded from a real tmux."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from muxwright import PaneNotFound
from muxwright._async.host import AsyncHost
from muxwright._sync.host import Host
from muxwright.transports.fake import AsyncFake, Fake, Script, UnexpectedRequest
from tests.scenarios import DATA, SCENARIOS

SCRIPTS = sorted(DATA.glob("*/*.json"))
EXPECTED: dict[str, object] = {
    "look_around": [
        ("home", [("sleep", [("HOST", 160, 48)])]),
        ("work", [("sleep", [("HOST", 60, 40), ("HOST", 59, 40)])]),
        ("work", [("logs: x", [("a title; with #{pid} and ünïcode", 120, 40)])]),
    ],
    "type_and_capture": 4,
    "act_on_what_is_gone": ([("PaneNotFound", "none")] * 3 + [("InvalidArgument", "none")], False, True),
    "settings": (b"two\nlines; and 'quotes'", ["home", "work"]),
    "a_plan": [
        ("new-session", "completed"),
        ("new-window", "completed"),
        ("split-window", "completed"),
        ("select-layout", "completed"),
        ("rename-session", "completed"),
    ],
    "a_batch": ["completed", "failed", "completed", "completed", "failed", "skipped"],
}


def read(path: Path) -> Script:
    return Script.from_json(path.read_text(encoding="ascii"))


def nothing() -> None:
    """The answers are written already."""


def test_every_scenario_is_recorded_on_every_version() -> None:
    assert {path.stem for path in SCRIPTS} == set(SCENARIOS) == set(EXPECTED)
    assert len(SCRIPTS) == len(SCENARIOS) * len({path.parent for path in SCRIPTS})
    assert len({path.parent for path in SCRIPTS}) >= 4


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_scenario_finds_what_it_found_on_tmux(path: Path) -> None:
    fake = Fake(read(path))
    assert SCENARIOS[path.stem](Host(fake), nothing) == EXPECTED[path.stem]
    fake.done()


def test_an_unexpected_request_says_what_was_expected() -> None:
    host = Host(Fake(read(DATA / "3.3a" / "settings.json")))
    with pytest.raises(UnexpectedRequest, match=r"(?s)expects:\n  new-session .*was asked:\n  list-buffers"):
        host.command("list-buffers")


def test_more_or_less_than_the_script_holds() -> None:
    script = read(DATA / "3.3a" / "a_batch.json")
    fake = Fake(script._replace(exchanges=()))
    with pytest.raises(UnexpectedRequest, match="at its end"):
        Host(fake).snapshot()
    with pytest.raises(UnexpectedRequest, match=f"{len(script.exchanges)} more requests"):
        Fake(script).done()


def test_async_handles_follow_the_same_script() -> None:
    async def scenario() -> None:
        fake = AsyncFake(read(DATA / "3.8" / "act_on_what_is_gone.json"))
        session = await AsyncHost(fake).new_session("work", directory="/", command=["sleep", "1000"])
        pane = await (await session.active_pane()).split(directory="/", command=["sleep", "1000"])
        await pane.kill()
        with pytest.raises(PaneNotFound):
            await pane.send_text("x")
        with pytest.raises(UnexpectedRequest, match="more requests"):
            fake.done()

    asyncio.run(scenario())


def test_a_script_reads_as_it_was_written() -> None:
    for path in SCRIPTS:
        assert read(path).to_json() == path.read_text(encoding="ascii")
