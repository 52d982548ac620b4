"""Notifications and subscriptions of a scripted client: what is handed out, bounds, ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muxwright import (
    DeadlineExceeded,
    FormatField,
    FormatValueError,
    InvalidArgument,
    NoticeCursor,
    ObservationLost,
    UnsupportedCapability,
    WindowRef,
)
from muxwright.commands.subscriptions import read_value
from muxwright.operations.notices import (
    Notices,
    close_notices,
    open_notifications,
    subscribe,
    take_notice,
)
from muxwright.refs import Ref, WindowId
from tests.support.scripted import PANE, Scripted

WINDOW = WindowRef(PANE.server, WindowId("@1"))


@pytest.fixture
def pane() -> Scripted:
    return Scripted()


def _listen(
    pane: Scripted, kinds: Sequence[str] = (), after: NoticeCursor | None = None, events: int = 64, size: int = 10_000
) -> Notices:
    return pane.run(open_notifications(pane.place, kinds, after, events, size))


def _subscribe(pane: Scripted, target: Ref, name: str, kind: Any = str) -> Notices:
    return pane.run(subscribe(pane.place, target, FormatField(name, kind), 64, 10_000))


def _say(pane: Scripted, *lines: bytes) -> None:
    for line in lines:
        pane.clients[-1].ring.append(line + b"\n")


def _take(pane: Scripted, notices: Notices, timeout: float = 1.0) -> Any:
    return pane.run(take_notice(pane.place, notices), timeout)


def test_notifications_of_the_kinds_asked_for(pane: Scripted) -> None:
    notices = _listen(pane, ["window-renamed", "sessions-changed"])
    _say(pane, b"%window-add @7", b"%window-renamed @1 a name", b"some hook's text", b"%sessions-changed")
    event = _take(pane, notices)
    assert (event.kind, event.arguments, event.line) == (
        "window-renamed",
        (b"@1", b"a name"),
        b"%window-renamed @1 a name",
    )
    assert _take(pane, notices).kind == "sessions-changed"
    with pytest.raises(DeadlineExceeded):
        _take(pane, notices)


def test_a_line_may_come_in_pieces(pane: Scripted) -> None:
    notices = _listen(pane)
    for byte in b"%window-add @7\n":
        pane.at(pane.now + 0.1, lambda byte=byte: pane.clients[0].ring.append(bytes([byte])))  # type: ignore[misc]  # the default binds the loop variable
    assert _take(pane, notices, 9.0).line == b"%window-add @7"


def test_going_on_from_a_cursor(pane: Scripted) -> None:
    first = _listen(pane)
    _say(pane, b"%window-add @7", b"%window-add @8")
    assert first.consumed.offset == 0
    cursor = _take(pane, first).cursor
    assert first.consumed == cursor == NoticeCursor("client0", 15)
    again = _listen(pane, after=cursor)
    assert _take(pane, again).line == b"%window-add @8"
    for wrong, reason in (
        (NoticeCursor("other", 0), "cursor_expired"),
        (NoticeCursor("client0", 99), "invalid_cursor"),
    ):
        with pytest.raises(ObservationLost) as caught:
            _listen(pane, after=wrong)
        assert caught.value.reason == reason


@pytest.mark.parametrize(("events", "size"), [(2, 10_000), (64, 40)])
def test_a_slow_reader_loses_its_own(pane: Scripted, events: int, size: int) -> None:
    slow, other = _listen(pane, events=events, size=size), _listen(pane)
    _say(pane, b"%window-add @7", b"%window-add @8", b"%window-add @9")
    for _ in range(2):
        with pytest.raises(ObservationLost) as caught:
            _take(pane, slow)
        assert caught.value.reason == "overflow"
    assert [_take(pane, other).arguments for _ in range(3)] == [(b"@7",), (b"@8",), (b"@9",)]


def test_what_was_said_before_the_end_is_told(pane: Scripted) -> None:
    notices = _listen(pane)
    _say(pane, b"%window-add @7", b"%exit")
    pane.clients[0].ended = True
    assert [_take(pane, notices).kind for _ in range(2)] == ["window-add", "exit"]
    with pytest.raises(ObservationLost) as caught:
        _take(pane, notices)
    assert caught.value.reason == "connection_lost"
    for _ in range(2):
        pane.run(close_notices(pane.place, notices))
    assert pane.clients[0].closed


def test_values_of_a_pane_are_asked_for_by_its_window(pane: Scripted) -> None:
    notices = _subscribe(pane, PANE, "pane_title")
    (asked,) = pane.subscriptions
    assert asked.startswith("muxwright-token:@1:#{P:#{?#{==:#{pane_id},%1},=")
    _say(
        pane,
        b"%subscription-changed other $1 @1 0 - : =not ours",
        rb"%subscription-changed muxwright-token $1 @1 3 - : =two\nlines \\n %exit",
    )
    update = _take(pane, notices)
    assert (update.field, update.value) == ("pane_title", "two\nlines \\n %exit")
    assert (update.session, update.window, update.window_index, update.pane) == ("$1", "@1", 3, "%1")
    pane.run(close_notices(pane.place, notices))
    assert pane.subscriptions[1] == "muxwright-token"


def test_values_are_typed(pane: Scripted) -> None:
    notices = _subscribe(pane, WINDOW, "window_width", int)
    for text in (b"=80", b"=", b"=x"):
        _say(pane, b"%subscription-changed muxwright-token $1 @1 0 - : " + text)
    assert [_take(pane, notices).value for _ in range(2)] == [80, None]
    with pytest.raises(FormatValueError):
        _take(pane, notices)


@pytest.mark.parametrize(
    "line",
    [
        b"%subscription-changed muxwright-token $1 @1 0 - : ",
        b"%window-close @1",
        b"%unlinked-window-close @1",
        b"%session-changed $2 other",
    ],
)
def test_an_object_that_is_elsewhere_ends_it(pane: Scripted, line: bytes) -> None:
    notices = _subscribe(pane, PANE, "pane_title")
    _say(pane, b"%window-close @9", b"%subscription-changed muxwright-token $1 @1 0 - : =one")
    assert _take(pane, notices).value == "one"
    _say(pane, line)
    with pytest.raises(ObservationLost) as caught:
        _take(pane, notices)
    assert caught.value.reason == "target_changed"


def test_what_is_refused(pane: Scripted) -> None:
    with pytest.raises(InvalidArgument, match="window-rename"):
        _listen(pane, ["window-rename"])
    for bounds in ({"events": 0}, {"events": 65_537}, {"size": 0}, {"size": True}):
        with pytest.raises(InvalidArgument):
            _listen(pane, **bounds)
    with pytest.raises(InvalidArgument, match="pane_titel"):
        _subscribe(pane, PANE, "pane_titel")
    with pytest.raises(UnsupportedCapability):
        _subscribe(pane, PANE, "pane_zoomed_flag")
    assert pane.clients == []


@given(st.binary())
def test_a_value_comes_back_as_it_was(value: bytes) -> None:
    sent = value.replace(b"\\", b"\\\\").replace(b"\n", b"\\n")
    assert b"\n" not in sent
    assert read_value(b"=" + sent) == value
