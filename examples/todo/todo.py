"""A to-do list for the terminal: a small curses program, so that there is something to test.

Keys: up, down: move; space: done or not; a: add; d: delete; /: filter; ?: help; q: quit. A click selects.
"""

from __future__ import annotations

import curses
import sys
from dataclasses import dataclass, field


@dataclass
class Todo:
    text: str
    done: bool = False


@dataclass
class App:
    """What is shown. `asking` is the prompt that keys go to, if there is one; `typed` what was typed there."""

    todos: list[Todo]
    at: int = 0
    filter: str = ""
    asking: str = ""
    typed: str = ""
    help: bool = False
    message: str = ""
    running: bool = field(default=True)

    @property
    def shown(self) -> list[Todo]:
        return [todo for todo in self.todos if self.filter.lower() in todo.text.lower()]

    def key(self, key: str | int) -> None:
        self.message = ""
        if self.help:
            self.help = False
        elif self.asking:
            self._answer(key)
        else:
            self._command(key)
        self.at = max(min(self.at, len(self.shown) - 1), 0)

    def _answer(self, key: str | int) -> None:
        if key == "\n":
            if self.asking == "New: " and self.typed.strip():
                self.todos.append(Todo(self.typed.strip()))
                self.filter, self.at = "", len(self.todos) - 1
                self.message = "added"
            elif self.asking == "Filter: ":
                self.filter = self.typed
            self.asking = self.typed = ""
        elif key == "\x1b":
            self.asking = self.typed = ""
        elif key in ("\x7f", "\b", curses.KEY_BACKSPACE):
            self.typed = self.typed[:-1]
        elif isinstance(key, str) and key.isprintable():
            self.typed += key

    def _command(self, key: str | int) -> None:
        shown = self.shown
        if key in (curses.KEY_DOWN, "j"):
            self.at += 1
        elif key in (curses.KEY_UP, "k"):
            self.at -= 1
        elif key == " " and shown:
            shown[self.at].done = not shown[self.at].done
        elif key == "d" and shown:
            self.todos.remove(shown[self.at])
            self.message = "deleted"
        elif key in ("a", "/"):
            self.asking = "New: " if key == "a" else "Filter: "
        elif key == "?":
            self.help = True
        elif key == "q":
            self.running = False

    def click(self, row: int) -> None:
        if 2 <= row < 2 + len(self.shown) and not self.asking:
            self.at = row - 2


def draw(screen: curses.window, app: App) -> None:
    screen.erase()
    height, width = screen.getmaxyx()
    open_ones = sum(not todo.done for todo in app.todos)
    put(screen, 0, f" To do{f' ({app.filter})' if app.filter else ''} ".ljust(width), curses.A_REVERSE)
    for row, todo in enumerate(app.shown[: height - 4], 2):
        look = curses.color_pair(1) | curses.A_DIM if todo.done else curses.A_NORMAL
        if row - 2 == app.at:
            look |= curses.A_BOLD
        put(screen, row, f"{'>' if row - 2 == app.at else ' '} [{'x' if todo.done else ' '}] {todo.text}", look)
    if not app.shown:
        put(screen, 2, "  nothing here")
    if app.help:
        for row, line in enumerate(str(__doc__).split("\n")[2:3], 2):
            put(screen, row, line.ljust(width), curses.color_pair(2))
    status = f"{open_ones} open, {len(app.todos) - open_ones} done"
    put(screen, height - 1, app.asking + app.typed if app.asking else f"{status}  {app.message}")
    curses.curs_set(1 if app.asking else 0)
    screen.refresh()


def put(screen: curses.window, row: int, text: str, look: int = 0) -> None:
    height, width = screen.getmaxyx()
    if 0 <= row < height:
        # insstr: addstr cannot write the last cell of a window.
        screen.insstr(row, 0, text[:width], look)
        screen.move(row, min(len(text), width - 1))


def main(screen: curses.window) -> None:
    curses.start_color()
    curses.use_default_colors()
    curses.init_pair(1, curses.COLOR_GREEN, -1)
    curses.init_pair(2, curses.COLOR_YELLOW, curses.COLOR_BLUE)
    curses.mousemask(curses.BUTTON1_CLICKED | curses.BUTTON1_PRESSED)
    curses.mouseinterval(0)
    curses.set_escdelay(25)
    app = App([Todo(text) for text in sys.argv[1:]])
    while app.running:
        draw(screen, app)
        key = screen.get_wch()
        if key == curses.KEY_MOUSE:
            app.click(curses.getmouse()[2])
        elif key != curses.KEY_RESIZE:
            app.key(key)


if __name__ == "__main__":
    curses.wrapper(main)
