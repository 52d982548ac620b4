"""``muxwright mcp``: serve tools for agents over standard input and output."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from muxwright import AsyncServer, InvalidArgument, PaneId
from muxwright.mcp.application import Application
from muxwright.mcp.audit import Audit
from muxwright.mcp.clients import CLIENTS, snippet
from muxwright.mcp.listing import listing
from muxwright.mcp.policy import Policy, Selection

__all__ = ["command"]

F = TypeVar("F", bound=Callable[..., Any])

PREFIX = "MUXWRIGHT_MCP"


def _words(values: tuple[str, ...]) -> tuple[str, ...]:
    """Return names that were given one by one, or with commas between them."""
    words = [word.strip() for value in values for word in value.split(",")]
    if any(not word for word in words):
        raise InvalidArgument(f"an empty name in {','.join(values)!r}")
    return tuple(words)


def _several(name: str, text: str) -> Callable[[F], F]:
    return click.option(f"--{name}", multiple=True, metavar="NAME[,NAME]", help=text)


@click.command(context_settings={"auto_envvar_prefix": PREFIX, "show_default": True})
@click.option("--socket", metavar="PATH", help="Work on the tmux server at this socket instead of a private one.")
@click.option("--socket-name", metavar="NAME", help="The same by name, as tmux -L.")
@click.option("--inherit", is_flag=True, help="The same: the tmux server of $TMUX.")
@click.option("--tmux", metavar="FILE", default="tmux", help="The tmux executable.")
@_several("tool", "Offer this tool; with --toolset in place of the default ones.")
@_several("toolset", "Offer these tools: inspect, manage, execute, teardown.")
@_several("exclude-tool", "Never offer this tool.")
@click.option("--read-only", is_flag=True, help="Offer only tools that change nothing; wins over everything.")
@click.option("--allow-pane", multiple=True, metavar="ID", help="Allow only these panes as targets.")
@click.option("--caller-pane", metavar="ID", help="The target of calls that name none; it may be typed into.")
@click.option("--allow-create", is_flag=True, help="Allow create_session on a server that is not our own.")
@click.option("--timeout", type=float, default=5.0, help="Seconds for one call, at most 30.")
@click.option("--workers", type=int, default=16, help="Calls that run at a time.")
@click.option("--capacity", type=int, default=16, help="Calls that are admitted; more are refused as busy.")
@click.option("--audit-log", metavar="FILE", help="Write a line of JSON for each call; typed text only as a digest.")
@click.option("--http", metavar="[HOST:]PORT", help="Serve HTTP there (loopback by default) instead of stdio.")
@click.option("--http-token", metavar="TOKEN", help="The bearer token; better as a variable. Default: a random one.")
@click.option("--list-tools", is_flag=True, help="Show what would be offered, with sizes, and exit.")
@click.option("--print-config", type=click.Choice(CLIENTS), help="Show how a client is told of this server, and exit.")
def command(
    socket: str | None,
    socket_name: str | None,
    inherit: bool,
    tmux: str,
    tool: tuple[str, ...],
    toolset: tuple[str, ...],
    exclude_tool: tuple[str, ...],
    read_only: bool,
    allow_pane: tuple[str, ...],
    caller_pane: str | None,
    allow_create: bool,
    timeout: float,
    workers: int,
    capacity: int,
    audit_log: str | None,
    http: str | None,
    http_token: str | None,
    list_tools: bool,
    print_config: str | None,
) -> int:
    """Serve terminals to an agent (Model Context Protocol, over standard input and output).

    Every option can be set by a variable too: MUXWRIGHT_MCP_TOOLSET for --toolset.
    """
    selection = Selection(_words(tool), _words(toolset), _words(exclude_tool), read_only)
    policy = Policy(
        allowed_panes=[PaneId(pane) for pane in _words(allow_pane)] or None,
        caller_pane=PaneId(caller_pane) if caller_pane else None,
        allow_create=allow_create,
        timeout=timeout,
        workers=workers,
        capacity=capacity,
    )
    server = _borrowed(socket, socket_name, inherit, tmux)
    audit = None if audit_log is None else Audit(audit_log)
    app = Application(server, selection=selection, policy=policy, tmux=tmux, audit=audit)
    if print_config is not None:
        click.echo(snippet(print_config, _executable(), _given()))
        return 0
    if list_tools:
        click.echo(listing(app.tools()))
        return 0
    # Only now: the SDK takes most of a second to load, and a mistake should be told at once.
    if http is not None:
        from muxwright.mcp.http import read_address, serve_http

        return asyncio.run(serve_http(app, *read_address(http), http_token))
    status = asyncio.run(app.serve())
    # Everything is closed; taking six hundred modules apart would only make a client wait that has hung up.
    sys.stderr.flush()
    os._exit(status)


def _borrowed(socket: str | None, name: str | None, inherit: bool, tmux: str) -> AsyncServer | None:
    """Return the server to work on, ``None`` for a private one."""
    given = [
        option for option, value in (("--socket", socket), ("--socket-name", name), ("--inherit", inherit)) if value
    ]
    if len(given) > 1:
        raise InvalidArgument(f"give only one of {' and '.join(given)}")
    if not given:
        return None
    if inherit:
        if not os.environ.get("TMUX"):
            raise InvalidArgument("--inherit: this process does not run inside tmux ($TMUX is not set)")
        return AsyncServer.from_env(tmux=tmux)
    return AsyncServer(socket_path=socket, socket_name=name, tmux=tmux)


def _executable() -> str:
    """Return the path of this command: a client starts it with a PATH of its own."""
    return shutil.which("muxwright") or os.path.abspath(sys.argv[0])


def _given() -> list[str]:
    """Return the options of this command line, but for the one that asks for them."""
    context = click.get_current_context()
    words: list[str] = []
    for option in context.command.params:
        name, value = option.name or "", context.params[option.name or ""]
        if name == "print_config" or context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        for each in value if isinstance(value, tuple) else [value]:
            words += [option.opts[0]] if each is True else [option.opts[0], str(each)]
    return words
