"""A process with watchers, waits and observations on panes, to be killed or stopped.

Its arguments: ``blocking`` or ``async``, the socket, tmux, and ids of panes. The last pane is a shell, in which it runs
a command that prints for ever. It says ``ready`` once it has begun, and then what happens: ``opened``, ``heard`` once a
second while output comes, ``lost`` with the reason (then it observes anew), ``ended``, ``waited`` and ``ran`` with the
outcome.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time

from muxwright import AsyncPane, AsyncServer, ObservationLost, Pane, Server

FOR_EVER = 600.0


def say(*words: str) -> None:
    """Say a line, whole, whichever threads speak."""
    os.write(1, f"{' '.join(words)}\n".encode())


def observe(pane: Pane) -> None:
    """Read a pane for ever, and say what becomes of it."""
    while True:
        try:
            with pane.observe_output() as stream:
                say("opened", pane.id, stream.route)
                heard = 0.0
                for _ in stream:
                    if time.monotonic() - heard > 1:
                        heard = time.monotonic()
                        say("heard", pane.id)
                say("ended", pane.id)
                return
        except ObservationLost as lost:
            say("lost", pane.id, lost.reason)


def wait(pane: Pane) -> None:
    say("waited", pane.id, pane.wait_for_text("never", timeout=FOR_EVER).outcome)


def run(pane: Pane) -> None:
    say("ran", pane.id, pane.run("yes", timeout=FOR_EVER).outcome)


def main(socket_path: str, tmux: str, ids: list[str]) -> None:
    server = Server(socket_path=socket_path, tmux=tmux)
    with server.connect() as connection, server.watcher() as watcher:
        panes = [connection.get_pane(name) for name in ids]
        for pane in panes:
            watcher.capture_since(pane)
            for action in (observe, wait):
                threading.Thread(target=action, args=(server.pane(pane),), daemon=True).start()
        threading.Thread(target=run, args=(server.pane(panes[-1]),), daemon=True).start()
        say("ready")
        time.sleep(FOR_EVER)  # why: it is killed from outside


async def observe_async(pane: AsyncPane) -> None:
    """The same in a task."""
    while True:
        try:
            async with pane.observe_output() as stream:
                say("opened", pane.id, stream.route)
                heard = 0.0
                async for _ in stream:
                    if time.monotonic() - heard > 1:
                        heard = time.monotonic()
                        say("heard", pane.id)
                say("ended", pane.id)
                return
        except ObservationLost as lost:
            say("lost", pane.id, lost.reason)


async def wait_async(pane: AsyncPane) -> None:
    say("waited", pane.id, (await pane.wait_for_text("never", timeout=FOR_EVER)).outcome)


async def run_async(pane: AsyncPane) -> None:
    say("ran", pane.id, (await pane.run("yes", timeout=FOR_EVER)).outcome)


async def main_async(socket_path: str, tmux: str, ids: list[str]) -> None:
    server = AsyncServer(socket_path=socket_path, tmux=tmux)
    async with await server.connect() as connection, server.watcher() as watcher, asyncio.TaskGroup() as tasks:
        panes = [await connection.get_pane(name) for name in ids]
        for pane in panes:
            await watcher.capture_since(pane)
            tasks.create_task(observe_async(pane))
            tasks.create_task(wait_async(pane))
        tasks.create_task(run_async(panes[-1]))
        say("ready")


if __name__ == "__main__":
    kind, socket_path, tmux, *ids = sys.argv[1:]
    if kind == "blocking":
        main(socket_path, tmux, ids)
    else:
        asyncio.run(main_async(socket_path, tmux, ids))
