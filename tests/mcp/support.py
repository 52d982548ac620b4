"""Tools called without the protocol: every result is checked against the output schema of its tool."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema
import pytest

from muxwright import AsyncServer, OwnedServer, Session
from muxwright.mcp.application import Application, Outcome
from muxwright.mcp.policy import Policy, Selection
from tests.support.waiting import wait_until

__all__ = ["ALL", "Tools", "borrowed", "tools"]

ALL = Selection(toolsets=("inspect", "manage", "execute", "teardown"))


class Tools:
    """An application and its event loop; `call` blocks."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self.runner = asyncio.Runner()
        self.schemas = {tool["name"]: tool.get("outputSchema") for tool in app.tools()}
        self.run(app.prepare())

    def run(self, awaitable: Any) -> Any:
        return self.runner.run(awaitable)

    def outcome(self, tool: str, /, **arguments: Any) -> Outcome:
        outcome: Outcome = self.run(self.app.call(tool, arguments))
        return self.checked(tool, outcome)

    def checked(self, name: str, outcome: Outcome) -> Outcome:
        schema = self.schemas[name]
        if schema is not None and outcome.structured is not None:
            jsonschema.validate(outcome.structured, schema)
        if outcome.structured is not None:
            assert json.loads(outcome.text) == outcome.structured
        if schema is not None and not outcome.is_error:
            assert outcome.structured is not None
        return outcome

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Return the result of a call that must succeed."""
        outcome = self.outcome(tool, **arguments)
        assert not outcome.is_error, outcome.text
        return outcome.structured or {}

    def screen(self, tool: str, /, **arguments: Any) -> tuple[dict[str, Any], str]:
        """Return the facts and the text of a call that gives a screen."""
        outcome = self.outcome(tool, **arguments)
        assert not outcome.is_error, outcome.text
        facts, _, text = outcome.text.partition("\n")
        return json.loads(facts), text

    def fails(self, code: str, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Return the error of a call that must fail with this code."""
        outcome = self.outcome(tool, **arguments)
        assert outcome.is_error, outcome.text
        error: dict[str, Any] = json.loads(outcome.text)["error"]
        assert error["code"] == code, error
        assert len(error["message"].encode()) <= 512
        return error

    def shell(self, *command: str) -> dict[str, str]:
        """Return the target of a new session's pane."""
        made = self.call("create_session", name=f"s{len(self.app.owned)}", command=list(command or ("sh",)))
        target: dict[str, str] = made["panes"][0]
        return target

    def shows(self, target: dict[str, str], text: str) -> str:
        """Wait until a pane shows a text, and return the capture."""

        def found() -> str:
            captured: str = self.call("capture_pane", target=target)["text"]
            return captured if text in captured else ""

        return wait_until(found, what=f"{text!r} on the screen")

    def close(self) -> None:
        self.run(self.app.close())
        self.runner.close()


@pytest.fixture
def tools(tmux_executable: str) -> Iterator[Tools]:
    """All tools over a private server of their own."""
    opened = Tools(Application(selection=ALL, tmux=tmux_executable))
    yield opened
    opened.close()


@pytest.fixture
def borrowed(server: OwnedServer, home: Session, tmux_executable: str) -> Iterator[Callable[..., Tools]]:
    """Makes tools over a borrowed server with the session "home"."""
    made: list[Tools] = []

    def make(selection: Selection = ALL, environment: dict[str, str] | None = None, **policy: Any) -> Tools:
        borrowed_server = AsyncServer(socket_path=server.socket_path, tmux=tmux_executable)
        app = Application(borrowed_server, selection=selection, policy=Policy(**policy), environment=environment or {})
        made.append(Tools(app))
        return made[-1]

    yield make
    for each in made:
        each.close()
