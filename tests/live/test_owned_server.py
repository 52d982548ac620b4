"""Private servers are there while they are used and gone afterwards, on every path; and how servers are chosen."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from muxwright import (
    AsyncOwnedServer,
    InvalidArgument,
    OwnedServer,
    OwnedServerCleanupError,
    OwnedServerStartError,
    Server,
    ServerNotRunning,
    Session,
    TmuxNotFound,
)
from tests.support.blocking import Blocking
from tests.support.judge import Judge
from tests.support.swappable import exists
from tests.support.waiting import wait_until

pytestmark = pytest.mark.live

linux = pytest.mark.skipif(sys.platform != "linux", reason="what is left is found in /proc")
STUBBORN = ["sh", "-c", "trap '' HUP TERM; while :; do sleep 1000; done"]


class Maker:
    """Makes private servers, blocking or async ones."""

    def __init__(self, kind: str, tmux: str, runner: asyncio.Runner) -> None:
        self._kind, self._tmux, self._runner = kind, tmux, runner

    def __call__(self, **options: Any) -> Any:
        options = {"tmux": self._tmux} | options
        return OwnedServer(**options) if self._kind == "sync" else Blocking(AsyncOwnedServer(**options), self._runner)


@pytest.fixture(params=["sync", "async"])
def make(request: pytest.FixtureRequest, tmux_executable: str) -> Iterator[Maker]:
    with asyncio.Runner() as runner:
        yield Maker(request.param, tmux_executable, runner)


def left(base: Path) -> set[Path]:
    return {path for path in base.iterdir() if path.name.startswith("muxwright-")}


def pids_of(server: Any, tmux: str) -> list[int]:
    listing = Judge(server.socket_path, tmux)("list-panes", "-a", "-F", "#{pane_pid}")
    return [server.pid, *map(int, listing.split())]


def assert_gone(pids: list[int], directory: Path) -> None:
    # The kernel ends a killed process on its own time.
    wait_until(lambda: not any(map(exists, pids)), 20, f"the processes {pids} are gone")
    assert not directory.exists()


# --- removed on every path ------------------------------------------------------------------------------------------


def test_what_a_private_server_is(make: Maker, tmux_executable: str, tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "MINE": "x y", "TMUX": "/elsewhere,1,0"}
    # The workers of pytest-xdist have them, from a readline without a terminal.
    environment |= {"LINES": "24", "COLUMNS": "80"}
    (tmp_path / ".tmux.conf").write_text("set -g @user-configuration yes\n")
    with make(environment=environment, configuration="set -g history-limit 1234\n") as server:
        judge = Judge(server.socket_path, tmux_executable)
        directory = Path(server.socket_path).parent
        assert directory.stat().st_mode & 0o777 == 0o700
        assert judge("display-message", "-p", "#{pid}") == str(server.pid)
        assert (
            judge("show-options", "-gqv", "@user-configuration"),
            judge("show-options", "-gv", "history-limit"),
        ) == (
            "",
            "1234",
        )
        assert judge("show-environment", "-g", "MINE") == "MINE=x y"
        for name in ("TMUX", "LINES", "COLUMNS"):
            assert judge.run("show-environment", "-g", name).returncode != 0
        assert judge("show-options", "-gv", "default-shell") == "/bin/sh"
        assert server.is_running()
        assert server.attach_command == [tmux_executable, "-S", server.socket_path, "attach-session"]
        # It stays without sessions.
        server.new_session("x", command=["sleep", "1000"]).kill()
        assert list(server.snapshot().sessions) == []
        pids = [server.pid]
    assert_gone(pids, directory)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_removed_when_the_body_raises(error: type[BaseException], make: Maker, tmux_executable: str) -> None:
    seen: list[Any] = []

    def use() -> None:
        with make() as server:
            server.new_session("x", command=["sleep", "1000"])
            seen.extend((pids_of(server, tmux_executable), Path(server.socket_path).parent))
            raise error("in the body")

    with pytest.raises(error):
        use()
    pids, directory = seen
    assert len(pids) == 2
    assert_gone(pids, directory)


def test_removed_when_the_daemon_was_killed(make: Maker, tmux_executable: str) -> None:
    with make() as server:
        server.new_session("x", command=["sleep", "1000"])
        pids, directory = pids_of(server, tmux_executable), Path(server.socket_path).parent
        os.kill(server.pid, signal.SIGKILL)
        wait_until(lambda: not exists(pids[0]), what="the daemon is dead")
        with pytest.raises(ServerNotRunning):
            server.snapshot()
        assert not server.is_running()
    assert_gone(pids, directory)


def test_removed_with_programs_that_ignore_the_hang_up(make: Maker, tmux_executable: str) -> None:
    with make() as server:
        for _ in range(2):
            server.new_session(command=STUBBORN)
        wait_until(lambda: len(children_of(pids_of(server, tmux_executable)[1:])) == 2, what="both loops are running")
        pids, directory = pids_of(server, tmux_executable), Path(server.socket_path).parent
        pids += children_of(pids[1:])
    assert_gone(pids, directory)


def children_of(parents: list[int]) -> list[int]:
    listing = subprocess.run(["ps", "-axo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    return [int(pid) for pid, parent in map(str.split, listing.splitlines()) if int(parent) in parents]


@linux
def test_removed_when_the_daemon_is_killed_while_its_children_are_asked_for(
    tmux_executable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_late(pid: int) -> list[int]:
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        return []

    monkeypatch.setattr("muxwright.transports.daemon._children", too_late)
    with OwnedServer(tmux=tmux_executable) as server:
        pane = server.new_session("home", command=STUBBORN).active_pane()
        wait_until(lambda: "trap" in Path(f"/proc/{pane.refresh().pid}/cmdline").read_text(), what="it is running")
        pids = pids_of(server, tmux_executable)
        directory = Path(server.socket_path).parent
    assert_gone(pids, directory)


@linux
def test_removed_when_the_daemon_was_killed_as_it_had_just_forked(tmux_executable: str) -> None:
    """The child is not the pane's program yet: it looks as its parent did."""
    with OwnedServer(tmux=tmux_executable) as server:
        directory = Path(server.socket_path).parent
        argv = ["sh", "-c", "sleep 1000; exit", "-D", "-S", server.socket_path, "-f", "x"]
        with subprocess.Popen(argv, start_new_session=True) as forked:
            try:
                os.kill(server.pid, signal.SIGKILL)
                server.close()
                assert forked.wait(20) == -signal.SIGKILL
            finally:
                forked.kill()
    assert_gone([], directory)


def test_a_frozen_daemon_is_removed_by_force_and_said(make: Maker, tmux_executable: str) -> None:
    server = make()
    server.start()
    server.new_session(command=["sleep", "1000"])
    pids, directory = pids_of(server, tmux_executable), Path(server.socket_path).parent
    os.kill(server.pid, signal.SIGSTOP)
    with pytest.raises(OwnedServerCleanupError, match="had to be killed"):
        server.close()
    assert_gone(pids, directory)


def test_closing_twice_and_never_starting(make: Maker, base_dir: Path) -> None:
    before = left(base_dir)
    never = make()
    never.close()
    for name in ("snapshot", "socket_path", "new_session"):
        with pytest.raises(InvalidArgument, match="not started"):
            _ = getattr(never, name)()
    server = make()
    server.start()
    server.start()
    server.close()
    server.close()
    with pytest.raises(ServerNotRunning):
        server.snapshot()
    assert left(base_dir) == before


def test_removed_at_the_exit_of_the_interpreter(tmux_executable: str, base_dir: Path) -> None:
    before = left(base_dir)
    program = (
        "import sys; from muxwright import OwnedServer; server = OwnedServer(tmux=sys.argv[1]).start();"
        "server.new_session(command=['sleep', '1000']); print(server.pid, server.socket_path)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, tmux_executable], capture_output=True, text=True, check=True, timeout=20
    )
    pid, path = done.stdout.split()
    assert_gone([int(pid)], Path(path).parent)
    assert left(base_dir) == before


# --- it does not start ----------------------------------------------------------------------------------------------


def test_a_missing_tmux_is_one_line(make: Maker, base_dir: Path) -> None:
    before = left(base_dir)
    with pytest.raises(TmuxNotFound) as caught, make(tmux="no-such-tmux"):
        pass
    assert "\n" not in str(caught.value)
    assert "install tmux 3.2a or newer" in str(caught.value)
    assert isinstance(caught.value, FileNotFoundError)
    server = Server(socket_path=str(base_dir / "none"), tmux=str(base_dir / "no-tmux"))
    for call in (server.snapshot, server.is_running, server.client_version, server.connect):
        with pytest.raises(TmuxNotFound):
            call()
    assert left(base_dir) == before


def test_a_program_that_is_no_tmux(make: Maker, base_dir: Path) -> None:
    before = left(base_dir)
    with pytest.raises(OwnedServerStartError) as caught, make(tmux="false"):
        pass
    assert caught.value.effects == "none"
    assert left(base_dir) == before


@pytest.mark.parametrize("configuration", ["no-such-command\n", "set -g @x 'unclosed\n", "set -g }\n"])
def test_a_bad_configuration(configuration: str, make: Maker, base_dir: Path) -> None:
    """tmux itself would go on without any of it, our own settings included."""
    before = left(base_dir)
    with pytest.raises(OwnedServerStartError), make(configuration=configuration):
        pass
    assert left(base_dir) == before


def test_a_shell_that_cannot_be_named(make: Maker, base_dir: Path) -> None:
    before = left(base_dir)
    for shell in ("relative", "/with'quote", "/new\nline"):
        with pytest.raises(InvalidArgument), make(environment={**os.environ, "SHELL": shell}):
            pass
    assert left(base_dir) == before


# --- which server ---------------------------------------------------------------------------------------------------


def test_selectors(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="exactly one"):
        Server()
    with pytest.raises(InvalidArgument, match="exactly one"):
        Server(socket_path="/x", socket_name="y")
    wrong: list[dict[str, Any]] = [
        {"socket_path": ""},
        {"socket_path": "/a\nb"},
        {"socket_path": "/" + "x" * 108},
        {"socket_name": ""},
        {"socket_name": "a/b"},
        {"socket_path": "/x", "tmux": ""},
    ]
    for options in wrong:
        with pytest.raises(InvalidArgument):
            Server(**options)
    named = Server(socket_name="mine", environment={"TMUX_TMPDIR": str(tmp_path)})
    assert named.socket_path == f"{os.path.realpath(tmp_path)}/tmux-{os.getuid()}/mine"
    assert Server(socket_name="mine", environment={}).socket_path == (
        f"{os.path.realpath('/tmp')}/tmux-{os.getuid()}/mine"
    )


@pytest.mark.parametrize(
    ("environment", "path"),
    [
        ({"TMUX": "/some/where,123,0"}, "/some/where"),
        ({"TMUX": "/with,comma,123,4"}, "/with,comma"),
        ({"TMUX": "", "TMUX_TMPDIR": "/"}, f"/tmux-{os.getuid()}/default"),
        ({"TMUX_TMPDIR": "/"}, f"/tmux-{os.getuid()}/default"),
    ],
)
def test_from_env(environment: Mapping[str, str], path: str) -> None:
    assert Server.from_env(environment).socket_path == path


@pytest.mark.parametrize("value", ["/path", "/path,1", "/path,x,0", ",1,0", "/path,1,"])
def test_from_env_refuses_what_tmux_never_writes(value: str) -> None:
    with pytest.raises(InvalidArgument, match="TMUX"):
        Server.from_env({"TMUX": value})


def test_from_env_reaches_the_ambient_server(
    server: OwnedServer, home: Session, tmux_executable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMUX", f"{server.socket_path},{server.pid},0")
    assert Server.from_env(tmux=tmux_executable).get_session("home").ref == home.ref


def test_a_borrowed_server_is_started_by_its_first_session_only(
    tmux_executable: str, base_dir: Path, tmp_path: Path
) -> None:
    borrowed = Server(
        socket_path=str(base_dir / "borrowed"),
        tmux=tmux_executable,
        environment={**os.environ, "HOME": str(tmp_path)},
    )
    assert not borrowed.is_running()
    with pytest.raises(ServerNotRunning):
        borrowed.command("kill-server")
    assert not borrowed.is_running()
    session = borrowed.new_session("x", command=["sleep", "1000"])
    assert borrowed.is_running()
    session.kill()
    wait_until(lambda: not borrowed.is_running(), what="the server has gone with its last session")
    Path(borrowed.socket_path).unlink(missing_ok=True)
