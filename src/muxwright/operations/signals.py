"""Signals through tmux (``wait-for``); run by processes, since a connection would wait with its waiter.

tmux keeps one signal for a channel that nobody waits for, and a second one drops it again. Before 3.8 it also goes on
waiting for a client that has gone: the next signal is spent on that, so it is released here.
"""

from __future__ import annotations

from muxwright.commands.names import text_bytes
from muxwright.errors import DeadlineExceeded, InvalidArgument, MuxwrightError, RequestCancelled
from muxwright.model.signalled import SignalResult
from muxwright.operations.observe import describe
from muxwright.operations.steps import Operation, Place, output, server_version
from muxwright.wire.request import Command, Request
from muxwright.wire.versions import supports

__all__ = ["check_channel", "empty_channel", "send_signal", "wait_for_signal"]

_LONGEST = 1024
_SESSIONS = b"#{S:x}"


def check_channel(name: str) -> bytes:
    """Return a channel's name as bytes; raises `InvalidArgument` unless it has 1 to 1,024."""
    data = text_bytes(name, "a channel's name")
    if not 0 < len(data) <= _LONGEST:
        raise InvalidArgument(f"a channel's name has 1 to {_LONGEST} bytes, not {len(data)}")
    return data


def _words(flags: bytes, channel: bytes) -> tuple[bytes, ...]:
    return (b"wait-for", *((flags,) if flags else ()), b"--", channel)


def send_signal(place: Place, channel: bytes) -> Operation[None]:
    """Wake all who wait; with nobody waiting, the next one who does."""
    (section,) = yield Request((Command(_words(b"-S", channel)),))
    output(section, "wait-for")


def wait_for_signal(place: Place, channel: bytes, timeout: float, *, private: bool) -> Operation[SignalResult]:
    """Wait for a signal; one that is kept counts. `private`: nobody else waits, so the channel can be left empty.

    Raises `ServerError` when the server exits.
    """
    began = place.clock()
    name = channel.decode()
    try:
        # A server that exits lets its waiters go as if they had been signalled; its sessions are gone by then.
        waited, sessions = yield Request(
            (Command(_words(b"", channel)), Command((b"display-message", b"-p", _SESSIONS)))
        )
        output(waited, "wait-for")
        if not sessions.text:
            yield from describe(place)
    except (DeadlineExceeded, RequestCancelled) as error:
        yield from _release(place, channel, private)
        outcome = "deadline" if isinstance(error, DeadlineExceeded) else "cancelled"
        return SignalResult(name, outcome, timeout, place.clock() - began)  # type: ignore[arg-type]  # one of the literals it was given
    except MuxwrightError:
        raise
    except BaseException:
        yield from _release(place, channel, private)
        raise
    return SignalResult(name, "signalled", timeout, place.clock() - began)


def _release(place: Place, channel: bytes, private: bool) -> Operation[None]:
    if private:
        yield from send_signal(place, channel)
        yield from empty_channel(place, channel)
    elif not supports((yield from server_version(place)), "waiter-goes"):
        yield from send_signal(place, channel)


def empty_channel(place: Place, channel: bytes) -> Operation[None]:
    """Take away a signal that is kept for a channel which nobody else uses."""
    # Locked, signalled and unlocked in one queue item it is empty, whatever it was.
    yield Request(tuple([Command(_words(flag, channel)) for flag in (b"-L", b"-S", b"-U")]))
