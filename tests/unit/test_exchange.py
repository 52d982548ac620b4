"""Which reply goes to whom: tickets, tombstones, limits."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from muxwright.errors import LocalProtocolError, RemoteProtocolError
from muxwright.wire.events import Unguarded
from muxwright.wire.exchange import Exchange
from muxwright.wire.request import Command, Guard, Request, Section
from muxwright.wire.stream import NEED_DATA, Reply


def nonces() -> Callable[[], bytes]:
    count = iter(range(1, 1000))
    return lambda: b"%032x" % next(count)


def ask(*words: bytes) -> Request:
    return Request((Command(words or (b"list-panes",)),))


def answer(number: int, text: bytes, nonce: int | None = None) -> bytes:
    n = number if nonce is None else nonce
    guard = b"1 %d 1\n" % (2 * number)
    fence = b"1 %d 1\n" % (2 * number + 1)
    return b"%begin " + guard + text + b"%end " + guard + b"%begin " + fence + b"%032x\n" % n + b"%end " + fence


def drain(exchange: Exchange) -> list[object]:
    found: list[object] = []
    while (event := exchange.next_event()) is not NEED_DATA:
        found.append(event)
    return found


def test_what_is_written() -> None:
    exchange = Exchange(nonces())
    assert exchange.submit(ask(b"kill-pane", b"-t", b"%1")) == (
        b"00000000000000000000000000000001",
        b"kill-pane '-t' '%1'\ndisplay-message -p 00000000000000000000000000000001\n",
    )
    assert exchange.submit(ask())[0] == b"00000000000000000000000000000002"
    assert exchange.unanswered == 2


def test_replies_have_their_tickets() -> None:
    exchange = Exchange(nonces())
    tickets = [exchange.submit(ask())[0] for _ in range(3)]
    exchange.receive_data(answer(1, b"one\n") + b"bare\n" + answer(2, b"two\n"))
    assert drain(exchange) == [
        Reply(tickets[0], (Section("done", b"one"),)),
        Unguarded(b"bare"),
        Reply(tickets[1], (Section("done", b"two"),)),
    ]
    assert exchange.unanswered == 1
    exchange.receive_data(answer(3, b""))
    assert drain(exchange) == [Reply(tickets[2], (Section("done", b""),))]
    assert exchange.unanswered == 0


@pytest.mark.parametrize("when", range(0, len(answer(1, b"one\n")), 9))
def test_an_abandoned_request_takes_its_own_reply(when: int) -> None:
    """C14: wherever the reply was when its caller gave up."""
    exchange = Exchange(nonces())
    first, _ = exchange.submit(ask())
    data = answer(1, b"one\n")
    exchange.receive_data(data[:when])
    assert drain(exchange) == []
    exchange.abandon(first)
    exchange.abandon(first)
    second, _ = exchange.submit(ask())
    exchange.receive_data(data[when:] + answer(2, b"two\n"))
    assert drain(exchange) == [Reply(second, (Section("done", b"two"),))]
    assert exchange.unanswered == 0


def test_abandoning_an_answered_request_changes_nothing() -> None:
    exchange = Exchange(nonces())
    first, _ = exchange.submit(ask())
    exchange.receive_data(answer(1, b""))
    assert len(drain(exchange)) == 1
    exchange.abandon(first)
    exchange.abandon(b"unknown")
    second, _ = exchange.submit(ask())
    exchange.receive_data(answer(2, b""))
    assert drain(exchange) == [Reply(second, (Section("done"),))]


def test_an_illegal_argument_leaves_no_trace() -> None:
    exchange = Exchange(nonces())
    with pytest.raises(LocalProtocolError):
        exchange.submit(ask(b"send-keys", b"\0"))
    assert exchange.unanswered == 0
    ticket, _ = exchange.submit(ask())
    exchange.receive_data(answer(1, b"x\n", nonce=2))
    assert drain(exchange) == [Reply(ticket, (Section("done", b"x"),))]


@pytest.mark.parametrize(("limit", "whole"), [(10, None), (10**9, None), (200, b"x" * 80)])
def test_limits(limit: int, whole: bytes | None) -> None:
    """The smaller of the request's own limit and the connection's holds; the connection goes on."""
    exchange = Exchange(nonces(), max_reply=limit if limit < 10**9 else 50)
    first, _ = exchange.submit(Request(ask().commands, limit=limit))
    second, _ = exchange.submit(ask())
    exchange.receive_data(answer(1, b"x" * 80 + b"\n") + answer(2, b""))
    sections = None if whole is None else (Section("done", whole),)
    found = drain(exchange)
    assert found[0] == Reply(first, sections)
    assert isinstance(found[1], Reply)
    assert found[1].ticket == second


def test_an_abandoned_reply_may_be_oversized_or_wrong() -> None:
    exchange = Exchange(nonces())
    tickets = [exchange.submit(Request(ask().commands, limit=300))[0] for _ in range(3)]
    exchange.abandon(tickets[0])
    exchange.abandon(tickets[1])
    exchange.receive_data(answer(1, b"x\n" * 2000) + answer(2, b"").replace(b"%end 1 4 1\n", b"") + answer(3, b""))
    assert drain(exchange) == [Reply(tickets[2], (Section("done"),))]


def test_a_guard_is_expected_where_there_is_one() -> None:
    exchange = Exchange(nonces())
    command = Command((b"capture-pane", b"-p"), Guard(b"%1", b"1", b"no"))
    ticket, _ = exchange.submit(Request((command,)))
    exchange.receive_data(b"%begin 1 1 1\n%end 1 1 1\n" + answer(1, b"!%032x no\n" % 1))
    assert drain(exchange) == [Reply(ticket, (Section("refused", b"no"),))]


def test_a_broken_connection_says_so_each_time() -> None:
    exchange = Exchange(nonces(), max_line=10)
    exchange.submit(ask())
    exchange.receive_data(b"x" * 11)
    for _ in range(2):
        with pytest.raises(RemoteProtocolError, match="line"):
            exchange.next_event()
    assert exchange.unanswered == 1


@pytest.mark.parametrize("before", [b"", b"rest of a line\n%end 1 2 1\n", answer(1, b"x\n"), answer(1, b"x\n")[7:40]])
def test_after_an_interruption_the_next_reply_is_known_again(before: bytes) -> None:
    """Ctrl-C anywhere: what had been received and written is forgotten, the next caller gets its own."""
    exchange = Exchange(nonces())
    first, _ = exchange.submit(ask())
    exchange.receive_data(b"%begin 1 2 1\nhalf a rep")
    exchange.abandon(first)
    assert exchange.resynchronise() == b"display-message -p %032x\n" % 2
    assert exchange.unanswered == 0
    ticket, _ = exchange.submit(ask())
    fence = b"%%begin 1 9 1\n%032x\n%%end 1 9 1\n" % 2
    data = before + fence + b"%window-add @1\n" + answer(3, b"mine\n")
    for at in range(len(data)):
        exchange.receive_data(data[at : at + 1])
        if at < len(before + fence):
            assert drain(exchange) == []
    assert drain(exchange)[1:] == [Reply(ticket, (Section("done", b"mine"),))]
