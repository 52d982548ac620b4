"""Record what real programs print on a terminal: the streams by which screens are compared with pyte.

    python tools/record_streams.py

Needs vim, less, man, htop and mc (no test does); writes `tests/live/data/streams.json.xz` with the version of each
program. A stream is what was printed until a key; the next one goes on from there. Beside them stand streams made by
Hypothesis, kept so that another version of it does not change what is compared.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import lzma
import os
import pty
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.support.streams import DATA, HEIGHT, WIDTH, generated  # noqa: E402

GENERATED = 110
SETTLED = 0.4  # seconds without output after which a program waits for a key
MOST = 5.0

DEMO = r"""
import curses, sys
def main(screen):
    curses.start_color(); curses.use_default_colors(); curses.curs_set(1)
    for number in range(1, 8): curses.init_pair(number, number, (number + 3) % 8)
    screen.box(); screen.addstr(0, 3, " demo ")
    inner = curses.newwin(8, 30, 4, 10); inner.scrollok(True); inner.idlok(True); inner.box(); inner.refresh()
    part = inner.derwin(6, 28, 1, 1); part.scrollok(True); part.idlok(True)
    for step in range(12):
        screen.addstr(2, 2, f"step {step}", curses.color_pair(step % 7 + 1) | (curses.A_BOLD if step % 2 else 0))
        screen.hline(14, 1, curses.ACS_HLINE, 5 + step); screen.addstr(16, 2, "naïve café λ")
        screen.noutrefresh()
        part.addstr(f"line {step} ", curses.A_REVERSE if step % 3 == 0 else curses.A_UNDERLINE)
        part.addstr("x" * step + "\n", curses.color_pair(step % 7 + 1)); part.noutrefresh()
        if step % 4 == 3: part.insdelln(1 if step % 8 == 3 else -1); part.noutrefresh()
        if step == 9: screen.move(2, 2); screen.insch("I"); screen.delch(2, 5); screen.noutrefresh()
        curses.doupdate(); screen.getch()
curses.wrapper(main)
"""
WIDE = "".join(f"{n:3} 日本語 self 한국어 ｆｕｌｌ e\u0301 👍🚀 {'中' * (n % 20)}\n" for n in range(40))
BASH = ["bash", "--norc", "--noprofile", "-i"]


class Session(NamedTuple):
    """A program, what is typed, and how its version is asked for."""

    argv: Sequence[str]
    keys: Sequence[bytes] = ()
    version: Sequence[str] = ()
    size: tuple[int, int] = (80, 24)
    term: str = "screen-256color"


def sessions(sleepers: Sequence[int]) -> dict[str, Session]:
    """Return what is recorded; `sleepers` are processes for htop to list."""
    source = "todo.py"
    vim = ["vim", "-u", "NONE", "-i", "NONE", "-n", "-N", source]
    vim_keys = [b"jj", b"\x06", b":syntax on\r", b"iab\033", b"dd", b"/def\r", b"\x02", b"yyP", b">>", b":split\r"]
    less_keys = [b" ", b"/self\r", b"n", b"G", b"b", b"k", b"k", b"-N\r", b"g"]
    mc = ["mc", "--nosubshell", "--nomouse", "/usr/share/mc/skins", "/usr/share/mc/syntax"]
    mc_keys = [b"\033[B", b"\033[B", b"\t", b"\033[6~", b"\033[20~", b"\033[C", b"\033\033", b"\033[13~"]
    shell_keys = [b"echo one two three\r", b"\033[A\033[D\033[D\033[Dx", b"\x01# ", b"\x05 end\r", b"seq 30\r"]
    shell_keys += [b"printf '\\033[1;32mok\\033[0m\\n'\r", b"\x12one", b"\x07", b"clear\r"]
    pids = ",".join(map(str, sleepers))
    htop = ["htop", "--no-mouse", "--delay=100", "-p", pids]
    htop_keys = [b"\033[B", b"t", b"I", b"\033[17~", b"\033", b"h", b" ", b"\033[14~"]
    return {
        "vim": Session(vim, vim_keys, ["vim", "--version"]),
        "vim on linux": Session(vim, vim_keys, ["vim", "--version"], (60, 15), "linux"),
        "less": Session(["less", source], less_keys, ["less", "--version"]),
        "less on linux": Session(["less", source], less_keys, ["less", "--version"], (50, 12), "linux"),
        "less, wide": Session(["less", "wide.txt"], less_keys[:5], ["less", "--version"], (37, 9), "linux"),
        "man": Session(["man", "tmux"], less_keys[:7], ["man", "--version"]),
        "man, narrow": Session(["man", "tmux"], less_keys[:5], ["man", "--version"], (47, 13), "linux"),
        "mc": Session(mc, mc_keys, ["mc", "--version"]),
        "mc on linux": Session(mc, mc_keys, ["mc", "--version"], (70, 20), "linux"),
        "htop": Session(htop, htop_keys, ["htop", "--version"]),
        "htop on linux": Session(htop, htop_keys, ["htop", "--version"], (72, 18), "linux"),
        "curses": Session([sys.executable, "-c", DEMO], [b" "] * 11, [sys.executable, "--version"]),
        "curses on linux": Session(
            [sys.executable, "-c", DEMO], [b" "] * 11, [sys.executable, "--version"], (60, 20), "linux"
        ),
        "todo": Session(
            [sys.executable, source, "milk", "bread", "tea"],
            [b"jj", b" ", b"anew\n", b"d", b"/e\n", b"?"],
            [sys.executable, "--version"],
            (60, 12),
            "linux",
        ),
        "bash": Session(BASH, shell_keys, ["bash", "--version"]),
        "bash, narrow": Session(BASH, shell_keys, ["bash", "--version"], (18, 6), "linux"),
    }


def play(session: Session, home: Path) -> list[bytes]:
    """Run a program on a terminal and return what it prints after its start and after each key."""
    width, height = session.size
    pid, descriptor = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        kept = {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8", "PS1": "$ ", "TERM": session.term}
        os.chdir(home)
        os.execvpe(session.argv[0], list(session.argv), kept)
    try:
        return list(_answers(descriptor, session.keys))
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        os.close(descriptor)


def _answers(descriptor: int, keys: Sequence[bytes]) -> Iterator[bytes]:
    for key in (b"", *keys):
        os.write(descriptor, key)
        printed = b""
        end = time.monotonic() + MOST
        # Linux says EIO when the program has ended.
        with contextlib.suppress(OSError):
            while time.monotonic() < end and select.select([descriptor], [], [], SETTLED)[0]:
                printed += os.read(descriptor, 65536)
        yield printed


def version(argv: Sequence[str]) -> str:
    """Return the first line of what a program says about its version."""
    said = subprocess.run(argv, capture_output=True, text=True, check=True)
    return (said.stdout or said.stderr).splitlines()[0]


def main() -> None:
    """Record all of them."""
    recorded = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "wide.txt").write_text(WIDE)
        shutil.copy(ROOT / "examples" / "todo" / "todo.py", folder)
        sleepers = [subprocess.Popen(["sleep", str(1000 + n)]) for n in range(3)]
        try:
            for title, session in sessions([sleeper.pid for sleeper in sleepers]).items():
                parts = [base64.b64encode(part).decode() for part in play(session, folder)]
                told = {"program": title, "version": version(session.version), "term": session.term}
                recorded.append({**told, "size": session.size, "parts": parts})
                print(f"{title}: {len(parts)} streams, {told['version']}")
        finally:
            for sleeper in sleepers:
                sleeper.kill()
                sleeper.wait()
    made = [base64.b64encode(text.encode()).decode() for text in generated(GENERATED)]
    data = {"programs": recorded, "generated": {"size": [WIDTH, HEIGHT], "streams": made}}
    DATA.parent.mkdir(exist_ok=True)
    DATA.write_bytes(lzma.compress(json.dumps(data).encode(), preset=9))
    print(f"{sum(len(one['parts']) for one in recorded)} of programs, {len(made)} generated")


if __name__ == "__main__":
    main()
