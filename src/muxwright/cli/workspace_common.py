"""What the verbs of the workspace manager share: options, outputs, exit statuses."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, TypeVar

import click

from muxwright.cli.progress import Progress
from muxwright.errors import (
    AlreadyExists,
    DeadlineExceeded,
    InvalidArgument,
    MuxwrightError,
    NotFound,
    RequestCancelled,
    TmuxNotFound,
)
from muxwright.transports.endpoint import Endpoint as Address
from muxwright.transports.endpoint import ambient_socket
from muxwright.workspace import (
    BeforeScriptError,
    Event,
    WorkspaceApplyError,
    WorkspaceConfigError,
    WorkspacePlan,
    expand,
    find_file,
    plan,
    read,
    validate,
)

if TYPE_CHECKING:
    from pathlib import Path

    from muxwright import Server

__all__ = [
    "Endpoint",
    "Expansion",
    "Report",
    "endpoint_options",
    "expansion_options",
    "output_option",
    "prepare",
    "run_verb",
    "save",
]

F = TypeVar("F", bound=Callable[..., Any])
OutputKind = Literal["human", "json", "ndjson"]

EXIT_INPUT, EXIT_BACKEND, EXIT_PARTIAL, EXIT_CANCELLED, EXIT_DEADLINE = 2, 3, 4, 5, 6


class Endpoint(NamedTuple):
    """Which tmux: as on tmux's own command line; neither selector means the one that tmux would take."""

    socket: str | None
    socket_name: str | None
    tmux: str

    def server(self, timeout: float) -> Server:
        """Return the server; nothing is asked."""
        from muxwright import Server  # the handles take longer to import than a load takes

        if self.socket is None and self.socket_name is None:
            return Server.from_env(tmux=self.tmux, timeout=timeout)
        return Server(socket_path=self.socket, socket_name=self.socket_name, tmux=self.tmux, timeout=timeout)

    def address(self) -> Address:
        """Return where the server listens."""
        if self.socket is None and self.socket_name is None:
            return Address(ambient_socket(os.environ), self.tmux)
        return Address.select(self.socket, self.socket_name, self.tmux)


class Expansion(NamedTuple):
    """What a file may refer to."""

    env: Mapping[str, str]
    home: str | None
    base_directory: str | None


class Report:
    """Writes results to stdout and progress to stderr, in the way that was asked for."""

    def __init__(self, kind: OutputKind) -> None:
        self.kind = kind
        self.sequence = 0
        self.line = Progress()

    def record(self, event: str, data: Mapping[str, Any]) -> None:
        """Write one record of ndjson."""
        self.sequence += 1
        line = json.dumps({"event": event, "sequence": self.sequence, **data}, ensure_ascii=False)
        click.echo(line)

    def progress(self, event: Event) -> None:
        """Tell what happens while it happens."""
        if self.kind == "ndjson":
            self.record("progress", event.as_data())
        elif self.kind == "human" and event.kind in ("output", "warning"):
            self.line.clear()
            click.echo(event.text if event.kind == "output" else f"warning: {event.text}", err=True)
        elif self.kind == "human":
            self.line.take(event)

    def warnings(self, warnings: tuple[str, ...]) -> None:
        """Tell people what was noticed; the other outputs have it in their result."""
        if self.kind == "human":
            for warning in warnings:
                click.echo(f"warning: {warning}", err=True)

    def result(self, data: Mapping[str, Any], human: str) -> None:
        """Write the one result."""
        if self.kind == "human":
            self.line.clear()
            click.echo(human)
        elif self.kind == "json":
            click.echo(json.dumps(data, ensure_ascii=False))
        else:
            self.record("result", data)

    def error(self, code: str, message: str, status: int, result: Mapping[str, Any] | None = None) -> int:
        """Write the one error; return the exit status."""
        data: dict[str, Any] = {
            "status": "error",
            "exit_code": status,
            "error": {"code": code, "message": message},
            **({"result": result} if result is not None else {}),
        }
        if self.kind == "json":
            click.echo(json.dumps(data, ensure_ascii=False))
        elif self.kind == "ndjson":
            self.record("error", data)
        else:
            self.line.clear()
            click.echo(f"muxwright: {message}", err=True)
        return status


def run_verb(report: Report, verb: Callable[[], int]) -> int:
    """Run a verb; whatever goes wrong becomes one error of the right status, never a traceback."""
    try:
        return verb()
    except WorkspaceConfigError as error:
        return report.error(error.code, str(error), EXIT_INPUT)
    except WorkspaceApplyError as error:
        return report.error("apply", str(error), _apply_status(error), error.result.as_data())
    except (InvalidArgument, NotFound, AlreadyExists, FileNotFoundError) as error:
        status = EXIT_BACKEND if isinstance(error, TmuxNotFound) else EXIT_INPUT
        # Ours have a message, the system's a name.
        named = error.filename if isinstance(error, OSError) else None
        return report.error(_code(error), f"{named} is not there" if named else str(error), status)
    except DeadlineExceeded as error:
        return report.error("deadline", str(error), EXIT_DEADLINE)
    except MuxwrightError as error:
        return report.error(_code(error), str(error), EXIT_BACKEND)
    except FileExistsError as error:
        return report.error("file_exists", f"{error.filename} is there already; --force writes over it", EXIT_INPUT)
    except OSError as error:
        return report.error("io", f"{error.filename or 'file'}: {error.strerror or error}", EXIT_BACKEND)
    except KeyboardInterrupt as error:
        notes = " ".join(getattr(error, "__notes__", ()))
        return report.error("cancelled", notes or "interrupted", EXIT_CANCELLED)


def _apply_status(error: WorkspaceApplyError) -> int:
    cause = error.__cause__
    if isinstance(cause, RequestCancelled):
        return EXIT_CANCELLED
    if isinstance(cause, DeadlineExceeded) or (isinstance(cause, BeforeScriptError) and cause.code == "deadline"):
        return EXIT_DEADLINE
    return EXIT_PARTIAL if error.result.status == "partial" else EXIT_BACKEND


def _code(error: BaseException) -> str:
    """Return a word for a kind of error: ``session_not_found`` of `SessionNotFound`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(error).__name__).lower()


# --- options ---


def _once(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Refuse an option that is given twice: which one would count?"""
    if value is not None and not isinstance(value, str) and len(value) > 1:
        raise click.BadParameter("was given more than once", context, parameter)
    return value[0] if value and not isinstance(value, str) else value or None


def _single(*names: str, **options: Any) -> Callable[[F], F]:
    return click.option(*names, multiple=True, callback=_once, **options)


def output_option(function: F) -> F:
    """Add ``--output``."""
    kinds = click.Choice(["human", "json", "ndjson"])
    return click.option("--output", type=kinds, default="human", help="Who reads the result.")(function)


def endpoint_options(function: F) -> F:
    """Add the options that select a tmux server, as one `endpoint`."""

    def command(socket: str | None, socket_name: str | None, tmux: str, **rest: Any) -> Any:
        if socket is not None and socket_name is not None:
            raise click.UsageError("give --socket or --socket-name, not both")
        return function(endpoint=Endpoint(socket, socket_name, tmux), **rest)

    command.__doc__ = function.__doc__
    command.__name__ = function.__name__
    wrapped: Any = command
    wrapped.__click_params__ = getattr(function, "__click_params__", [])
    for option in (
        click.option("--tmux", envvar="MUXWRIGHT_TMUX", default="tmux", metavar="PATH", help="The tmux to run."),
        _single("-L", "--socket-name", metavar="NAME", help="The server of that name."),
        _single("-S", "--socket", metavar="PATH", help="The server at that socket. Without both: tmux's own choice."),
    ):
        wrapped = option(wrapped)
    result: F = wrapped
    return result


def expansion_options(function: F) -> F:
    """Add the options that say what a file may refer to, as one `expansion`."""

    def command(env: tuple[str, ...], home: str | None, base_directory: str | None, pure: bool, **rest: Any) -> Any:
        given = {} if pure else dict(os.environ)
        return function(
            expansion=Expansion(
                given | _variables(env),
                home if home is not None or pure else os.path.expanduser("~"),
                None if base_directory is None else os.path.abspath(base_directory),
            ),
            **rest,
        )

    command.__doc__ = function.__doc__
    command.__name__ = function.__name__
    wrapped: Any = command
    wrapped.__click_params__ = getattr(function, "__click_params__", [])
    for option in (
        click.option("--pure", is_flag=True, help="Use only --env and --home, not the variables of this process."),
        _single("--base-directory", metavar="DIR", help="What relative directories count from, and the default one."),
        _single("--home", metavar="DIR", help="What ~ stands for."),
        click.option("--env", multiple=True, metavar="NAME=VALUE", help="A variable for the file; may repeat."),
    ):
        wrapped = option(wrapped)
    result: F = wrapped
    return result


def _variables(pairs: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            _usage(f"--env takes NAME=VALUE, not {pair!r}")
        if name in found:
            _usage(f"--env {name} was given more than once")
        found[name] = value
    return found


def _usage(message: str) -> NoReturn:
    raise click.UsageError(message)


# --- files ---


def save(text: str, path: Path | None, force: bool) -> str:
    """Write to a file, if one is named, and return what to show; nothing is written over unless `force`."""
    if path is None:
        return text.rstrip("\n")
    # "x" and not a look before, so that nothing is lost whatever happens meanwhile.
    with open(path, "w" if force else "x", encoding="utf-8") as file:
        file.write(text)
    return f"written: {path}"


def prepare(
    name: str, expansion: Expansion, *, strict: bool, size: tuple[int, int] | None = None, session: str | None = None
) -> WorkspacePlan:
    """Return the plan of a file that is named on the command line."""
    config = validate(read(find_file(name, os.environ).path), strict=strict)
    if session is not None:
        config = config._replace(session_name=session)
    return plan(expand(config, expansion.env, expansion.home, expansion.base_directory), size)
