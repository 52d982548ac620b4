"""A pane whose program writes every byte it receives to a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from muxwright import Pane

__all__ = ["Recorder"]

# Raw mode before readiness is signalled: a terminal in its usual mode would hold lines back and eat control bytes.
PROGRAM = 'stty raw -echo && : > "$1.ready" && exec cat > "$1"'


class Recorder:
    """The program, and what it has received. `argv` is to be started in a pane, then `attach` waits until it is raw."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.argv = ["/bin/sh", "-c", PROGRAM, "recorder", str(path)]
        self.pane: Pane  # set by whoever starts it

    def ready(self) -> Recorder:
        wait_until(Path(f"{self.path}.ready").exists, 20, "the recorder is in raw mode")
        return self

    def received(self) -> bytes:
        return self.path.read_bytes() if self.path.exists() else b""

    def expect(self, data: bytes, timeout: float = 10.0) -> None:
        """Wait for as many bytes as `data` has and compare."""
        wait_until(
            lambda: self.path.exists() and os.stat(self.path).st_size >= len(data), timeout, f"{len(data)} bytes"
        )
        assert self.received() == data

    def expect_nothing_but(self, type_marker: Callable[[str], object]) -> None:
        """Prove that nothing was typed: a marker, typed now by someone else, is all that ever arrived."""
        self.expect_nothing_but_more(b"", type_marker)

    def expect_nothing_but_more(self, received: bytes, type_marker: Callable[[str], object]) -> None:
        """The same where something had been typed before."""
        type_marker("|marker|")
        self.expect(received + b"|marker|")
