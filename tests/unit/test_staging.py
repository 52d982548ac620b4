"""The directories of runs: what a killed process has left is removed by the first run of another, and only that."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from muxwright.refs import Generation, PaneId, PaneRef, ServerIdentity
from muxwright.transports.source import LocalSource
from muxwright.transports.staging import prepare as prepare_here
from muxwright.workspace.ready import Handshake

PREPARE = (
    "from muxwright.transports.staging import prepare; stage = prepare(); print(stage.directory, flush=True); input()"
)
LONG_AGO = (1.0, 1.0)


def prepare(base: Path) -> tuple[subprocess.Popen[str], Path]:
    """Return a process that has made the directory of a run, and that directory, as if it were old."""
    process = subprocess.Popen(
        [sys.executable, "-c", PREPARE],
        env={**os.environ, "XDG_RUNTIME_DIR": str(base)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    made = Path(process.stdout.readline().strip())
    assert made.parent == base
    os.utime(made, LONG_AGO)
    return process, made


def end(process: subprocess.Popen[str], how: signal.Signals | None = None) -> None:
    if how is not None:
        process.send_signal(how)
    process.communicate("\n")


def test_what_a_killed_process_left(base_dir: Path) -> None:
    killed, left = prepare(base_dir)
    living, held = prepare(base_dir)
    strange = base_dir / "muxwright-run-link"
    strange.symlink_to(held)
    end(killed, signal.SIGKILL)
    assert left.is_dir()
    young = base_dir / "muxwright-run-young"
    young.mkdir()

    another, own = prepare(base_dir)
    assert not left.exists()
    assert own.is_dir(), "its own"
    assert held.is_dir(), "that of a process that lives"
    assert young.is_dir(), "one that may not be held yet"
    assert strange.is_symlink()

    end(living)
    end(another)
    assert not held.exists()
    assert not own.exists()
    strange.unlink()
    young.rmdir()


@pytest.mark.parametrize("kind", ["stage", "source", "handshake"])
def test_a_shell_that_still_writes(kind: str, base_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it makes between the removal of the files and that of their directory keeps nothing."""
    directory, remove = made(kind)
    assert len(os.listdir(directory)) > 0
    real = os.rmdir

    def rmdir(*arguments: Any, **options: Any) -> None:
        with suppress(FileNotFoundError):
            Path(directory, "status").touch()
        real(*arguments, **options)

    monkeypatch.setattr(os, "rmdir", rmdir)
    remove()
    assert list(base_dir.glob(f"{Path(directory).name}*")) == []


def made(kind: str) -> tuple[str, Callable[[], None]]:
    """A directory of ours in which a shell makes files, and what removes it."""
    if kind == "stage":
        stage = prepare_here()
        stage.write("frame", "x")
        return stage.directory, stage.remove
    if kind == "source":
        source = Source(PaneRef(ServerIdentity("/none", Generation(1, 1)), PaneId("%1")), 1024)
        source.start()
        return source.directory, source.close
    handshake = Handshake("0123456789abcdef")
    handshake.start()
    return handshake.directory, handshake.close


class Source(LocalSource):
    """One that nobody listens to."""

    def _attend(self, descriptor: int) -> None: ...

    def _ignore(self, descriptor: int) -> None: ...

    def _notify(self) -> None: ...
