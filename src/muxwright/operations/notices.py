"""Notifications and format subscriptions: what a control client of our own is told, taken by one reader at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, NoReturn

from muxwright.commands.formats import FormatField, check_fields, check_target, check_version, typed_value
from muxwright.commands.subscriptions import read_value, subscribe_words, unsubscribe_words
from muxwright.errors import InvalidArgument, MuxwrightError, ObservationLost
from muxwright.model.notices import FormatUpdate, NoticeCursor, NotificationEvent
from muxwright.operations.feed import Feed, Received, Source
from muxwright.operations.listen import own_session, session_of, window_of
from muxwright.operations.observe import describe
from muxwright.operations.steps import Ask, EndFeed, OpenClient, Operation, Place, Receive, output
from muxwright.refs import PaneId, PaneRef, Ref, SessionId, WindowId, WindowRef
from muxwright.wire.events import NOTIFICATIONS, Notification, parse_line
from muxwright.wire.request import Command, Request

__all__ = ["MAX_EVENTS", "Notices", "Subscription", "close_notices", "open_notifications", "subscribe", "take_notice"]

MAX_EVENTS = 64
"""Events that a reader may be behind unless it says otherwise."""

_EVENTS, _BYTES = range(1, 65_537), range(1, 64 * 1024 * 1024 + 1)
_OURS = "muxwright-"


class Notices:
    """One reader's notifications, of the `kinds` asked for (none: all)."""

    def __init__(self, feed: Feed[Source], kinds: frozenset[str], max_events: int, max_bytes: int) -> None:
        self.feed = feed
        self.closed = False
        self._kinds = kinds
        self._max_events = max_events
        self._max_bytes = max_bytes
        self._waiting: deque[tuple[Notification, NoticeCursor]] = deque()
        self._rest = b""
        self._rest_at = feed.offset
        self._lost: ObservationLost | None = None
        self.consumed = self._at(feed.offset)

    def _at(self, offset: int) -> NoticeCursor:
        return NoticeCursor(self.feed.source.epoch, offset)

    def lose(self, reason: str, message: str) -> NoReturn:
        """End it; from now on it says why."""
        self._lost = ObservationLost(reason, f"the notifications were lost: {message}")
        self._waiting.clear()
        raise self._lost

    def check(self) -> None:
        """Raise what has ended it; a reader that is too far behind has lost it."""
        if self._lost is None and self.feed.source.ring.end - self.feed.offset > self._max_bytes:
            self.lose("overflow", f"more than {self._max_bytes} bytes were waiting to be taken")
        if self._lost is not None:
            raise self._lost

    def next(self) -> Any:
        """Return the next one that is wanted, if it is here."""
        if not self._waiting:
            return None
        event, self.consumed = self._waiting.popleft()
        return self.made_of(event, self.consumed)

    def add(self, received: Received) -> None:
        """Take what has arrived."""
        if received.missed:
            self.lose("overflow", f"{received.missed} bytes were no longer remembered")
        *lines, self._rest = (self._rest + received.data).split(b"\n")
        for line in lines:
            self._rest_at += len(line) + 1
            event = parse_line(line)
            if isinstance(event, Notification) and self.wants(event):
                self._waiting.append((event, self._at(self._rest_at)))
        if len(self._waiting) > self._max_events:
            self.lose("overflow", f"more than {self._max_events} events were waiting to be taken")
        if received.ended and not self._waiting:
            self.lose("connection_lost", "tmux ended the client that listened")

    def wants(self, event: Notification) -> bool:
        """Return whether this reader asked for it."""
        if event.name == "subscription-changed" and event.arguments[0].startswith(_OURS.encode()):
            return False
        return not self._kinds or event.name in self._kinds

    def made_of(self, event: Notification, cursor: NoticeCursor) -> Any:
        """Return what is handed out for a notification."""
        return NotificationEvent(event.name, event.arguments, event.line, cursor)


class Subscription(Notices):
    """One reader's updates of one format variable of one object."""

    def __init__(
        self,
        feed: Feed[Source],
        name: str,
        target: Ref,
        window: str,
        field: FormatField[Any],
        bounds: tuple[int, int],
    ) -> None:
        super().__init__(feed, frozenset(), *bounds)
        self.name = name
        self._target = target
        self._window = window
        self._field = field

    def wants(self, event: Notification) -> bool:
        if event.name in ("window-close", "unlinked-window-close"):
            return event.arguments[0] == self._window.encode()
        ours = event.name == "subscription-changed" and event.arguments[0] == self.name.encode()
        return ours or event.name == "session-changed"

    def made_of(self, event: Notification, cursor: NoticeCursor) -> Any:
        raw = read_value(event.arguments[5].removeprefix(b": ")) if event.name == "subscription-changed" else None
        if raw is None:
            self.lose("target_changed", f"{self._target.id} is no longer where it was")
        session, window, index, pane = [text.decode("ascii") for text in event.arguments[1:5]]
        return FormatUpdate(
            self._field.name,
            typed_value(self._field, raw, str(self._target.id)),
            raw,
            None if session == "-" else SessionId(session),
            None if window == "-" else WindowId(window),
            None if index == "-" else int(index),
            self._target.id if isinstance(self._target, PaneRef) else None if pane == "-" else PaneId(pane),
            cursor,
        )


def check_bounds(max_events: int, max_bytes: int) -> tuple[int, int]:
    """Return the bounds; raises `InvalidArgument`."""
    for value, bounds, what in ((max_events, _EVENTS, "max_events"), (max_bytes, _BYTES, "max_bytes")):
        if isinstance(value, bool) or not isinstance(value, int) or value not in bounds:
            raise InvalidArgument(f"{what} is a number from 1 to {bounds.stop - 1}, not {value!r}")
    return max_events, max_bytes


def open_notifications(
    place: Place, kinds: Sequence[str], after: NoticeCursor | None, max_events: int, max_bytes: int
) -> Operation[Notices]:
    """Listen to what tmux announces."""
    bounds = check_bounds(max_events, max_bytes)
    for kind in kinds:
        if kind not in NOTIFICATIONS:
            raise InvalidArgument(f"{kind!r} is no notification of tmux: expected {', '.join(NOTIFICATIONS)}")
    server = yield from describe(place)
    session = yield from own_session(place)
    feed: Feed[Source] = yield OpenClient(session, server)
    try:
        if after is not None:
            _rewind(feed, after)
        return Notices(feed, frozenset(kinds), *bounds)
    except BaseException:
        feed.release()
        raise


def _rewind(feed: Feed[Source], after: NoticeCursor) -> None:
    ring = feed.source.ring
    if after.epoch != feed.source.epoch or after.offset < ring.start:
        raise ObservationLost("cursor_expired", "what followed the cursor is no longer remembered")
    if after.offset > ring.end:
        raise ObservationLost("invalid_cursor", f"the offset {after.offset} was never reached")
    feed.rewind(after.offset)


def subscribe(
    place: Place, target: Ref, field: FormatField[Any], max_events: int, max_bytes: int
) -> Operation[Subscription]:
    """Listen to the values of a format variable."""
    bounds = check_bounds(max_events, max_bytes)
    (name,) = check_fields([field])
    session, server = yield from session_of(place, check_target(target))
    check_version([name], server[1])
    window = ""
    if isinstance(target, PaneRef | WindowRef):
        window = (yield from window_of(place, target)) if isinstance(target, PaneRef) else target.id
    feed: Feed[Source] = yield OpenClient(session, server)
    made = Subscription(feed, f"{_OURS}{place.token()}", target, window, field, bounds)
    try:
        words = subscribe_words(made.name, target, window, name)
        (section,) = yield Ask(feed, Request((Command(words),)))
        output(section, "refresh-client")
    except BaseException:
        feed.release()
        raise
    return made


def take_notice(place: Place, notices: Notices) -> Operation[Any]:
    """Return the next event; raises `ObservationLost`."""
    while True:
        if (event := notices.next()) is not None:
            return event
        notices.check()
        received: Received = yield Receive(notices.feed)
        notices.add(received)


def close_notices(place: Place, notices: Notices) -> Operation[None]:
    """Stop listening; the client is gone with its last reader."""
    if notices.closed:
        return
    notices.closed = True
    try:
        if isinstance(notices, Subscription) and not notices.feed.source.ended:
            yield Ask(notices.feed, Request((Command(unsubscribe_words(notices.name)),)))
    except MuxwrightError:
        pass  # the client is lost, and the subscription with it
    finally:
        yield EndFeed(notices.feed)
