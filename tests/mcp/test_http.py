"""The protocol over HTTP: who is let in, and that it is the same server."""

from __future__ import annotations

import json
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from muxwright import InvalidArgument
from muxwright.mcp.http import read_address
from tests.mcp.raw import COMMAND, INITIALIZE

TOKEN = "a-token-for-the-tests"


@pytest.fixture
def url(tmux_executable: str) -> Iterator[str]:
    """The address of a server on a port of its own."""
    process = subprocess.Popen(
        [COMMAND, "mcp", "--tmux", tmux_executable, "--http", "0", "--http-token", TOKEN],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None and process.stdout is not None
    yield process.stderr.readline().split()[-1]
    process.send_signal(signal.SIGTERM)
    left = process.communicate(timeout=20)
    assert left == ("", "") and process.returncode in (0, -signal.SIGTERM, 143)


def post(url: str, message: dict[str, Any], **headers: str) -> tuple[int, str]:
    request = urllib.request.Request(
        url,
        json.dumps(message).encode(),
        {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Authorization": f"Bearer {TOKEN}",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""


@pytest.mark.live
def test_only_with_the_token_and_from_here(url: str) -> None:
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}
    assert url.startswith("http://127.0.0.1:") and url.endswith("/mcp")
    assert post(url, begin, Authorization="Bearer wrong")[0] == 401
    assert post(url, begin, Authorization="")[0] == 401
    assert post(url, begin, Host="evil.example")[0] == 421
    assert post(url, begin, Origin="http://evil.example")[0] == 403
    status, text = post(url, begin)
    assert status == 200 and '"muxwright"' in text


@pytest.mark.live
def test_the_official_client_over_http(url: str) -> None:
    async def drive() -> None:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=30) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            made = await client.call_tool("create_session", {"name": "w", "command": ["sh"]})
            assert made.structured_content is not None
            pane = made.structured_content["panes"][0]["paneId"]
            ran = await client.call_tool("run_shell_command", {"pane": pane, "command": "exit 3"})
            assert ran.structured_content is not None and ran.structured_content["exit_status"] == 3

    anyio.run(drive)


def test_addresses() -> None:
    assert read_address("8080") == ("127.0.0.1", 8080)
    assert read_address("[::1]:1") == ("::1", 1)
    assert read_address("localhost:99") == ("localhost", 99)
    for wrong in ("", "x", "localhost:", "1.2.3.4:99999"):
        with pytest.raises(InvalidArgument, match="--http"):
            read_address(wrong)
