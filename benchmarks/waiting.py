"""How soon a wait notices what a pane prints."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measure import Block, Claim, Comparison, Effort, measure
from benchmarks.servers import private_server
from muxwright import Pane

__all__ = ["latency", "printer", "waiting"]

_POLL = 0.05  # seconds between two looks of the loop that everybody writes first

# No text comes twice: what still stands on the screen would count.
_numbers = itertools.count()

Wait = Callable[[str], object]


@contextlib.contextmanager
def printer(directory: str) -> Iterator[tuple[list[str], Callable[[str], None]]]:
    """Yield the program for a pane that prints what it is told, and how to tell it."""
    fifo = Path(directory) / "words"
    os.mkfifo(fifo)
    descriptor = os.open(fifo, os.O_RDWR)
    try:
        yield ["/bin/cat", str(fifo)], lambda text: _write(descriptor, text)
    finally:
        os.close(descriptor)


def _write(descriptor: int, text: str) -> None:
    os.write(descriptor, f"{text}\n".encode())


def latency(say: Callable[[str], None], wait: Wait, after: tuple[float, float] = (0.02, 0.07)) -> Block:
    """Return the block that times each wait from its text being printed; `after`: how many seconds after the call."""
    rng = random.Random(1)

    def one() -> float:
        text = f"<word {next(_numbers)}>"
        printed: list[float] = []

        def later() -> None:
            time.sleep(rng.uniform(*after))  # why: at no fixed phase of the polling loop
            printed.append(time.perf_counter())
            say(text)

        thread = threading.Thread(target=later)
        thread.start()
        wait(text)
        noticed = time.perf_counter()
        thread.join()
        return noticed - printed[0]

    return lambda operations: [one() for _ in range(operations)]


def _polling(pane: Pane) -> Wait:
    def wait(text: str) -> None:
        while text not in pane.capture():
            time.sleep(_POLL)

    return wait


def waiting(effort: Effort) -> list[Comparison]:
    """From a text printed by a program to the return of the wait for it."""
    comparison = Comparison(
        "wait",
        "From text printed to wait returned, on a connection",
        (
            Claim("a wait for text", "value", "wait_for_text", None, 0.05),
            Claim("a wait for text", "faster", "wait_for_text", "capture every 50 ms"),
            Claim("a wait with `yes` beside it", "value", "wait_for_text, `yes` beside it", None, 0.05),
        ),
    )
    with tempfile.TemporaryDirectory() as directory, printer(directory) as (program, say), private_server() as server:
        session = server.new_session("home", command=program)
        with server.connect(session) as connection:
            pane = connection.pane(session.active_pane().ref)

            def beside_yes(operations: int) -> list[float]:
                noise = pane.split(command=["/usr/bin/yes"])
                try:
                    return latency(say, pane.wait_for_text)(operations)
                finally:
                    noise.kill()

            contenders: dict[str, Block] = {
                "wait_for_text": latency(say, pane.wait_for_text),
                "wait_for_text, `yes` beside it": beside_yes,
                "capture every 50 ms": latency(say, _polling(pane)),
            }
            measure(comparison, contenders, effort)
    return [comparison, _worst(comparison)]


def _worst(comparison: Comparison) -> Comparison:
    """Return the same samples as their 99th percentile."""
    worst = Comparison(
        f"{comparison.name}-p99",
        f"{comparison.title}, 99th percentile",
        (Claim("a wait for text, 99th percentile", "faster", "wait_for_text", "capture every 50 ms"),),
    )
    for name, blocks in comparison.samples.items():
        samples = list(itertools.chain.from_iterable(blocks))
        worst.samples[name] = [[statistics.quantiles(samples, n=100, method="inclusive")[98]]]
    return worst
