"""Make the pictures of `docs/images/screens` with muxwright's own command: ``python tools/gallery.py``.

Pictures with emoji and CJK need fonts for them on this machine (Debian: fonts-noto-cjk, fonts-noto-color-emoji); other
machines draw boxes with the characters' numbers there.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from muxwright import OwnedServer, Pane
from muxwright.testing import expect

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images" / "screens"
MUXWRIGHT = Path(sys.executable).with_name("muxwright")


def table() -> str:
    """The palette, the colour cube, the greys and a range of 24-bit colours."""
    lines = ["".join(f"\033[48;5;{8 * row + column}m    " for column in range(8)) + "\033[0m" for row in range(2)]
    lines += ["".join(f"\033[48;5;{16 + row * 36 + column}m " for column in range(36)) + "\033[0m" for row in range(6)]
    lines.append("".join(f"\033[48;5;{232 + column}m " for column in range(24)) + "\033[0m")
    lines.append("".join(f"\033[48;2;{4 * n};{255 - 4 * n};160m " for n in range(60)) + "\033[0m")
    return "\r\n".join(lines)


LOOKS = (
    "\033[1mbold\033[0m \033[2mdim\033[0m \033[3mitalic\033[0m \033[1;3mboth\033[0m \033[9mstrike\033[0m"
    " \033[53mover\033[0m \033[7mreverse\033[0m\r\n"
    "\033[4munder\033[0m \033[4:2mdouble\033[0m \033[4:3mcurly\033[0m \033[4:4mdotted\033[0m \033[4:5mdashed\033[0m"
    " \033[4:3;58;5;196mred\033[0m"
)
LINES = "\r\n".join(
    [
        "┌─┬─┐ ╔═╦═╗ ┏━┳━┓ ╒═╤═╕ ╓─╥─╖ ╭─┬─╮ ╱╲╳ ┄┅┆┇",
        "│ │ │ ║ ║ ║ ┃ ┃ ┃ │ │ │ ║ ║ ║ │ │ │ ▀▄█▌▐▞▚ ",
        "├─┼─┤ ╠═╬═╣ ┣━╋━┫ ╞═╪═╡ ╟─╫─╢ ├─┼─┤ ░▒▓▖▗▘▝ ",
        "└─┴─┘ ╚═╩═╝ ┗━┻━┛ ╘═╧═╛ ╙─╨─╜ ╰─┴─╯ ▁▂▃▄▅▆▇█",
        "⠁⠃⠇⡇⣇⣧⣷⣿ ▏▎▍▌▋▊▉█ \ue0b0\ue0b2 ▕▔",
    ]
)
WIDE = "日本語  한국어  中文  ｆｕｌｌ\r\n👍 🎉 🚀 🐍 ❤️ ✅ e\u0301 n\u0303 λ ∑ → Привет\r\n│日│本│\r\n│👍│🎉│"


def show(server: OwnedServer, name: str, text: str, size: tuple[int, int]) -> Pane:
    """Return a pane that shows a text and a hidden cursor."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as stream:
        stream.write(f"\033[?7l{text}\033[?25l")
    session = server.new_session(
        name, shell_command=f"printf '\\033]2;{name}\\033\\\\'; cat {stream.name}; read x", size=size
    )
    pane = session.active_pane()
    expect(pane).to_pass(lambda screen: screen.cursor is not None and not screen.cursor.visible)
    Path(stream.name).unlink()
    return pane


def shoot(server: OwnedServer, target: str, name: str, *options: str) -> None:
    """Take one picture."""
    tmux = server.attach_command[0]
    argv = [
        str(MUXWRIGHT),
        "screenshot",
        "-S",
        server.socket_path,
        "--tmux",
        tmux,
        target,
        "-o",
        str(IMAGES / name),
        *options,
    ]
    subprocess.run(argv, check=True)
    print(IMAGES / name)


def split(server: OwnedServer) -> None:
    """A window of three panes: the example program, a shell with colours, a list."""
    todo = ROOT / "examples" / "todo" / "todo.py"
    session = server.new_session(
        "work", window_name="three panes", command=[sys.executable, str(todo), "write", "test", "ship"], size=(84, 20)
    )
    left = session.active_pane()
    right = left.split(
        "right", size=42, shell_command=f"printf '{LOOKS}\\r\\n\\033[32mok\\033[0m'; read x".replace("%", "%%")
    )
    below = right.split("below", size=8, shell_command="seq 1 5; printf 'done'; read x")
    expect(left).to_have_text("3 open")
    left.send_keys("Space", "Down")
    expect(left).to_have_text("2 open, 1 done")
    expect(right).to_have_text("ok")
    expect(below).to_have_text("done")
    below.select()


def main() -> None:
    """Make all pictures."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    tmux = sys.argv[1] if len(sys.argv) > 1 else "tmux"
    with OwnedServer(tmux=tmux, configuration="set -g status off\n") as server:
        show(server, "colours", f"{table()}\r\n{LOOKS}", (60, 13))
        show(server, "lines and blocks", LINES, (46, 6))
        show(server, "wide and combined", WIDE, (40, 5))
        split(server)
        for theme in ("dark", "light"):
            shoot(server, "colours", f"colours-{theme}.png", "--theme", theme)
            shoot(server, "work", f"window-{theme}.svg", "--window", "--theme", theme)
        shoot(server, "lines and blocks", "lines.png")
        shoot(server, "lines and blocks", "lines.svg", "--theme", "light")
        shoot(server, "wide and combined", "wide.png")
        shoot(server, "wide and combined", "wide.svg")


if __name__ == "__main__":
    main()
